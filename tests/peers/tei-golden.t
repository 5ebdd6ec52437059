#!/bin/bash
# SPDX-License-Identifier: MIT
# tei-golden.t — papers as three other converters make them of the same TEI: ours is the same,
# or the difference is one of the kinds that tei_rules.py lists with their reasons
. "$(dirname "$0")/../lib.sh"
data=$GR_SHARED/data
[ -d "$data/golden" ] && [ -d "$data/tei" ] || skip_all "no reference conversions: set GR_SHARED"
command -v python3 >/dev/null || skip_all "no python3"

gr-grobid2json "$data/tei" >ours.ndjson || { echo "Bail out! gr-grobid2json: exit $?"; exit 1; }
python3 -B "$ROOT/tests/peers/tei_golden.py" ours.ndjson "$data/golden"
