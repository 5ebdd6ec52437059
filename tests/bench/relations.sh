#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/relations.sh — relations of gr-triples against annotated sets (relations.py says how)
set -euo pipefail
here=$(dirname "$0")
data=$GR_SHARED/data
out=$BENCH/relations
mkdir -p "$out"

# Lists of our own: sentences, and the numbers a geochemist would note down.
for list in "$here"/facts/*.txt; do
    printf '%-12s ' "$(basename "$list" .txt)"
    python3 "$here/relations.py" sentences "$list" | gr-triples -q >"$out/facts"
    python3 "$here/relations.py" facts "$list" "$out/facts"
done
[ -d "$data" ] || { echo "no annotated sets: set GR_SHARED"; exit 0; }

# score KIND FILE [DOMAIN]: triples of the file's texts, and their figures. With $min: facts of
# that confidence.
score()
{
    [ -s "$2" ] || return 0
    printf '%-12s ' "$(basename "$2" .ndjson)${min:+ ≥$min}"
    jq -c '{id: (.id | tostring), text}' "$2" | gr-triples -q ${min:+--min-confidence="$min"} >"$out/$1"
    python3 "$here/relations.py" "$1" "$2" "$out/$1" ${3:+"$3"}
}

min=
for set in "$data"/ner/mte*/*.ndjson; do score mte "$set"; done
score snippets "$data/snippets.ndjson"
# Values right but of little use ("225 samples") are below the usual threshold.
for min in '' 0.3; do
    for set in "$data"/meas/measeval/*.ndjson; do score values "$set" "Earth Science"; done
done
