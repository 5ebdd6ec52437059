#!/bin/bash
# SPDX-License-Identifier: MIT
# tei-spans.t — in every real TEI file each span is its marker and no text is lost, by a reader
# that shares nothing with ours; and in those of our cases
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
data=$GR_SHARED/data
folders=("$ROOT/tests/cases/gr-grobid2json")
for d in tei tei-header-geochem other-xml; do
    [ -d "$data/$d" ] && folders+=("$data/$d")
done
[ ${#folders[@]} -gt 1 ] || echo "# no reference data: the cases alone"

gr-grobid2json "${folders[@]}" 2>err >all.ndjson
[ $? -le 1 ] || { cat err; echo "Bail out! gr-grobid2json failed"; exit 1; }
jq -c 'select(.source.format == null)' all.ndjson >ours.ndjson # publishers' XML has tests of its own
python3 -B "$ROOT/tests/peers/tei_spans.py" ours.ndjson
