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
echo "nDCG@10 on public sets (grade > 0 is relevant):"
for set in cranfield cisi; do
    [ -s "$BENCH/$set.idx" ] || gr-embed "$ir/$set/docs.ndjson" >"$BENCH/$set.idx"
    gr-vindex build -q -o "$BENCH/$set.gri" "$BENCH/$set.idx"
    jq -c '{id, query: .text}' "$ir/$set/queries.ndjson" | gr-embed >"$BENCH/$set.q"
    for mode in sparse dense hybrid; do
        gr-vindex search -q -i "$BENCH/$set.gri" --mode=$mode --hit-fields= "$BENCH/$set.q" |
            jq -n --rawfile q "$ir/$set/qrels.tsv" -f "$ROOT/tests/cases/gr-vindex/60-cranfield/ndcg.jq" |
            xargs printf '%-10s %-7s %.4f\n' "$set" $mode
    done
done
