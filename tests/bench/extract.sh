#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/extract.sh — names and quantities that gr-triples finds in annotated texts: P, R, F1
#
#   usage: tests/bench/run extract      after make; wants GR_SHARED (default ../shared)
#
# Rules, sets and the naive list beside it: extract.py. "a" and "b" are every other text of a set:
# the rules were written with the errors of half a in sight, half b was only counted (the names
# that a whole set annotates had been listed before). The sentences of names-seen.txt (rules written with
# their errors in sight), names-fresh.txt (counted first, then read) and names-survey.txt (the style of surveys)
# need no data from outside: names.py.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${GR_SHARED:-$root/../shared}
export PATH=$root/build/${CONF:-dev}/bin:$PATH
[ $# -gt 0 ] || python3 "$root/tests/bench/names.py" "$root"/tests/bench/names-*.txt
[ -d "$shared/data/ner" ] || { echo "extract: skipped: no $shared/data/ner (GR_SHARED)"; exit 0; }
python3 "$root/tests/bench/extract.py" "$shared/data" "$@"
