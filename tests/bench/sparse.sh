#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/sparse.sh — BM25 over N short documents beside bm25s and tantivy: questions a CPU second
# for the best 10 and 100, one thread, one question at a time
#
# Documents are WordNet glosses by threes, in the order of papers and shuffled (sparse_data.awk).
# What is timed is search alone, from terms made beforehand. ROUNDS of all engines in turn, the
# best of each counts. "all scored" is gr-vindex without passing over documents; the driver
# fails when a bit of the two differs. bm25s and tantivy score lengths rounded to a byte or
# floats; gr-vindex's scores are exact.
set -euo pipefail
dir=$BENCH/sparse rounds=${ROUNDS:-3} n=${N:-500000}
driver=$ROOT/build/dev/tests/bench/bench_gr-vindex_sparse
[ -x "$driver" ] || { echo "skipped: run make bench-sparse, which builds $driver"; exit 0; }
[ -r /usr/share/wordnet/data.noun ] || { echo "skipped: no WordNet: install wordnet"; exit 0; }
mkdir -p "$dir"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
python=$BENCH/venv/bin/python
[ -x "$python" ] || python3 -m venv "$BENCH/venv"
"$python" -c 'import bm25s, tantivy, numba, Stemmer' 2>/dev/null ||
    "$python" -m pip -q install numpy bm25s tantivy numba PyStemmer

for part in noun verb adj adv; do
    awk -F'|' '!/^  /{ s = tolower($2); gsub(/[^a-z0-9]+/, " ", s); gsub(/^ +| +$/, "", s); if (s != "") print s }' \
        "/usr/share/wordnet/data.$part"
done >"$dir/glosses.txt"
make_data() { awk -v N="$1" "${@:2}" -f "$ROOT/tests/bench/sparse_data.awk" "$dir/glosses.txt"; }
make_data 1000 -v Q=1 >"$dir/questions.txt"
for order in papers shuffled; do
    make_data "$n" -v ORDER=$order >"$dir/$order.ndjson"
    gr-vindex build -q --fields=text -o "$dir/$order.gri" "$dir/$order.ndjson"
    of=$dir/$order.$n # the peers' indexes are kept
    [ -s "$of.built" ] || "$python" "$ROOT/tests/bench/sparse.py" build "$dir/$order.ndjson" "$dir/questions.txt" "$of" 10 >"$of.built"
    for ((round = 1; round <= rounds; round++)); do
        for k in 10 100; do
            "$driver" "$dir/$order.gri" "$dir/questions.txt" "$k"
            "$python" "$ROOT/tests/bench/sparse.py" query "$dir/$order.ndjson" "$dir/questions.txt" "$of" "$k"
        done
    done >"$dir/$order.log"
    echo "$n documents, $order: questions a CPU second"
    jq -r 'select(.postings) | "  gr-vindex: \(.postings) postings in \(.bytes) bytes, as pairs of varints \(.as_pairs)"' "$dir/$order.log" | uniq
    jq -r '"  \(.engine): index of \(.bytes) bytes"' "$of.built"
    jq -rs 'map(select(.qps)) | group_by([.k, .engine]) | map({k: .[0].k, engine: .[0].engine, qps: (map(.qps) | max)})[]
        | "  k \(.k)\t\(.qps | round)\t\(.engine)"' "$dir/$order.log"
done
