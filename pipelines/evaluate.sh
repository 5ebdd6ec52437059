#!/bin/bash
# SPDX-License-Identifier: MIT
# evaluate.sh — both systems over questions with references, and a table that compares them
#
#   usage: evaluate.sh [-v] [-a URL] -i DIR -o OUT QUESTIONS.ndjson
#
# Questions carry query, reference and reference_contexts. Makes OUT/hybrid.ndjson and
# OUT/baseline.ndjson (answers with scores) and prints the comparison, also kept in
# OUT/compare.txt.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

dir='' out='' api=()
usage="usage: $name [-v] [-a URL] -i DIR -o OUT QUESTIONS.ndjson"
while getopts va:i:o: opt; do
    case $opt in
    v) verbose=-v ;;
    a) api=(--api="$OPTARG") ;;
    i) dir=$OPTARG ;;
    o) out=$OPTARG ;;
    *) die "$usage" ;;
    esac
done
shift $((OPTIND - 1))
if [ -z "$dir" ] || [ -z "$out" ] || [ $# -ne 1 ]; then die "$usage"; fi
need "$dir/lit.gri" "make it with index.sh -o $dir TEI…"
need "$dir/kg.grg" "make it with index.sh -o $dir TEI…"
mkdir -p "$out"

retrieve "$dir" hybrid <"$1" | gr-generate "${api[@]}" | gr-ragas -o "$out/hybrid.ndjson"
retrieve "$dir" vector <"$1" | gr-generate "${api[@]}" | gr-ragas -o "$out/baseline.ndjson"
gr-ragas compare "$out/hybrid.ndjson" "$out/baseline.ndjson" | tee "$out/compare.txt"
