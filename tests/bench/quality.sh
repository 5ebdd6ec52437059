#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/quality.sh — what is found and answered: the example questions, and public test sets
#
# The example questions were at hand while the tools were written: their figures are not blind.
set -euo pipefail
dir=$BENCH/examples
[ -s "$dir/kg.grg" ] || "$ROOT/pipelines/index.sh" -o "$dir" "$ROOT/examples/tei"
echo "gr-classify, 5-fold cross-validation and held-out questions:"
gr-classify evaluate --folds=5 "$ROOT/data/classify/queries.csv" | tail -1
gr-classify evaluate "$ROOT/data/classify/heldout.csv" | tail -1
echo "the 48 example questions, hybrid against vectors alone:"
"$ROOT/pipelines/evaluate.sh" -i "$dir" -o "$BENCH/scores" "$ROOT/examples/questions.ndjson"

ir=$GR_SHARED/data/ir
[ -d "$ir" ] || { echo "no retrieval sets: set GR_SHARED"; exit 0; }
ndcg() { jq -n --rawfile q "$ir/$1/qrels.tsv" -f "$ROOT/tests/cases/gr-vindex/60-cranfield/ndcg.jq"; }
row() { printf '%-12s %-34s %.4f\n' "$1" "$2" "$3"; }

# dense SET NAME MODEL: vectors alone
dense()
{
    local base=$BENCH/$1.$2
    gr-embed --model="$3" "$ir/$1/docs.ndjson" | gr-vindex build -q -o "$base.gri"
    jq -c '{id, query: .text}' "$ir/$1/queries.ndjson" | gr-embed --model="$3" >"$base.q"
    row "$1" "dense, $2" "$(gr-vindex search -q -i "$base.gri" --mode=dense --hit-fields= "$base.q" | ndcg "$1")"
}

echo "nDCG@10 on public sets (grade > 0 is relevant):"
for set in cranfield cisi npl_vaswani; do
    [ -s "$BENCH/$set.idx" ] || gr-embed "$ir/$set/docs.ndjson" >"$BENCH/$set.idx"
    gr-vindex build -q -o "$BENCH/$set.gri" "$BENCH/$set.idx"
    jq -c '{id, query: .text}' "$ir/$set/queries.ndjson" | gr-embed >"$BENCH/$set.q"
    row "$set" "BM25 of that folder" "$(jq .mean.ndcg_cut_10 "$ir/$set/bm25.metrics.json")"
    for mode in sparse dense hybrid 'hybrid --fusion=zscore' 'hybrid --fusion=minmax'; do
        # shellcheck disable=SC2086 # a mode and its option
        row "$set" "$mode" "$(gr-vindex search -q -i "$BENCH/$set.gri" --mode=$mode --hit-fields= "$BENCH/$set.q" | ndcg "$set")"
    done
done

echo "static tables: made from one set, asked about the other and about the same:"
for set in cranfield cisi; do
    [ -s "$BENCH/$set.table" ] || gr-embed distill -q -o "$BENCH/$set.table" "$ir/$set/docs.ndjson"
    dense cranfield "table of $set" "$BENCH/$set.table"
    dense cisi "table of $set" "$BENCH/$set.table"
done

models=$ROOT/build/share/model
if [ -f "$models/bge-small-en-v1.5/model.safetensors" ]; then
    for set in cranfield cisi; do dense "$set" bge-small-en-v1.5 bge-small-en-v1.5; done
else
    echo "no bge-small-en-v1.5: make models-extra"
fi
if [ -f "$models/ms-marco-MiniLM-L-12-v2/model.safetensors" ]; then
    echo "reranking the first 20 hits of 40 judged questions:"
    for set in cranfield cisi; do
        jq -c --rawfile r "$ir/$set/qrels.tsv" '(reduce ($r | split("\n")[] | select(length > 0) | split("\t")[0]) as $i ({}; .[$i] = 1)) as $has | select($has[.id])' "$BENCH/$set.q" >"$BENCH/$set.judged"
        awk -v n="$(wc -l <"$BENCH/$set.judged")" 'int(NR * 40 / n) != int((NR - 1) * 40 / n)' "$BENCH/$set.judged" >"$BENCH/$set.q40"
        gr-vindex search -q -k 20 -i "$BENCH/$set.gri" --mode=hybrid "$BENCH/$set.q40" >"$BENCH/$set.hybrid"
        row "$set" "hybrid" "$(ndcg "$set" <"$BENCH/$set.hybrid")"
        row "$set" "hybrid, reranked" "$(gr-embed rerank --top=20 "$BENCH/$set.hybrid" | ndcg "$set")"
    done
else
    echo "no ms-marco-MiniLM-L-12-v2: make models-extra"
fi
