#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/chroma.sh — from the start of a process to the answer: gr-vindex search beside a Python
# process that opens a Chroma PersistentClient with the same records and asks the same
#
#   N=100000    records: WordNet glosses with vectors, from bench/ann where that has been run,
#   else random ones of 384 dimensions around 200 centres. ROUNDS=7 of both in turn; medians.
# Adding them to Chroma is done once and kept in build/bench/chroma; it takes minutes.
set -euo pipefail
n=${N:-100000} rounds=${ROUNDS:-7}
dir=$BENCH/chroma python=$BENCH/chroma/venv/bin/python script=$ROOT/tests/bench/chroma_cold.py
mkdir -p "$dir"
if ! "$python" -c 'import chromadb' 2>/dev/null; then
    python3 -m venv "$dir/venv"
    "$python" -m pip -q install chromadb==1.5.9
fi
cd "$dir"
if [ ! -s "records.$n" ]; then
    if [ -s "$BENCH/ann/glosses.ndjson" ]; then
        head -n $((n + 1)) "$BENCH/ann/glosses.ndjson" >all.tmp
    else
        "$python" "$script" random $((n + 1)) >all.tmp
    fi
    # Members to filter by.
    awk 'BEGIN { srand(3); split("EPSL GCA Lithos Geology Nature", j, " ") } {
        printf "{\"year\":%d,\"journal\":\"%s\",\"kind\":\"%s\",\"paper\":\"P%d\",\"start\":%d,%s\n", 1950 + int(rand() * 75), j[1 + int(rand() * 5)],
            rand() < .1 ? "table" : "body", int(NR / 20), int(rand() * 100000), substr($0, 2) }' all.tmp >marked.tmp
    tail -n 1 marked.tmp | jq -c '{query: .text, embedding, embedding_model}' >query.json
    head -n "$n" marked.tmp >"records.$n"
    rm -f all.tmp marked.tmp
fi
[ -s "$n.gri" ] || gr-vindex build -q -o "$n.gri" "records.$n"
[ -s "$n.added" ] || "$python" "$script" add "$n.chroma" "records.$n" | tee "$n.added"

# clock COMMAND…: wall and CPU milliseconds
clock()
{
    local since=$EPOCHREALTIME
    { TIMEFORMAT='%U %S'; time "$@" >out 2>err.log; } 2>cpu
    awk -v a="$since" -v b="$EPOCHREALTIME" '{ printf "%.2f %.2f\n", 1000 * (b - a), 1000 * ($1 + $2) }' cpu
}
median() { cut -d' ' -f"$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# A filter that is no member's comparison ("or empty" changes nothing) is what libjq is asked.
filter='.year >= 2000 and .journal == "EPSL"'
rm -f ours theirs columns libjq
for ((i = 0; i < rounds; i++)); do
    clock gr-vindex search --mode=dense -i "$n.gri" query.json >>ours
    jq -r '.vector_hits[].id' out >ids.ours
    clock "$python" "$script" ask "$n.chroma" query.json >>theirs
    cp out ids.theirs
    clock gr-vindex search --mode=dense -i "$n.gri" --filter "$filter" query.json >>columns
    cp out hits.columns
    clock gr-vindex search --mode=dense -i "$n.gri" --filter "($filter) or empty" query.json >>libjq
    cmp -s <(jq -c .vector_hits hits.columns) <(jq -c .vector_hits out) || echo "   filters disagree"
done
report() { printf '%-44s %10s ms wall  %10s ms CPU\n' "$1" "$(median "$2" 1)" "$(median "$2" 2)"; }
echo "$n records, one query, process start to result, median of $rounds"
report "gr-vindex search" ours
report "Python, Chroma PersistentClient" theirs
report "gr-vindex search, filter by columns" columns
report "gr-vindex search, filter by libjq" libjq
echo "same hits among 10: $(sort ids.ours ids.theirs | uniq -d | wc -l)"
paste -d' ' <(median theirs 1) <(median ours 1) <(median theirs 2) <(median ours 2) |
    awk '{ printf "ratio: %.0f x wall, %.0f x CPU\n", $1 / $2, $3 / ($4 > 0 ? $4 : 1) }'
# All records have to be asked: nothing is selected.
none='.start == -1 and .journal == "EPSL"'
for ((i = 0; i < 3; i++)); do
    clock gr-vindex search --mode=dense -i "$n.gri" --filter "$none" query.json >>columns.none
    clock gr-vindex search --mode=dense -i "$n.gri" --filter "($none) or empty" query.json >>libjq.none
done
report "a filter that selects nothing, by columns" columns.none
report "a filter that selects nothing, by libjq" libjq.none
rm -f columns.none libjq.none
