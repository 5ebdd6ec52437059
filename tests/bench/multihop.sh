#!/bin/bash
# SPDX-License-Identifier: MIT
# multihop.sh — are the passages of two-hop questions found: by vectors, by the graph, by both?
#
#   usage: tests/bench/multihop.sh [CORPUS.json]     (make first; the default model is needed)
#
# CORPUS: a JSON array of {"title", "text"}; the default is the passages of 2WikiMultihopQA in
# GR_SHARED. Questions and facts are made from it by patterns (multihop.py), so the figures say
# whether the walk helps where facts are there, not how well facts are extracted from papers.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PWD/build/dev/bin:$PATH
corpus=${1:-${GR_SHARED:-../shared}/data/peers/multihop_samples/vgr__2wikimultihopqa_corpus.json}
if [ ! -e "$corpus" ]; then
    echo "multihop.sh: $corpus is not there: set GR_SHARED or name a corpus: skipped"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 tests/bench/multihop.py make "$corpus" "$work"
gr-embed -q -o "$work/idx.ndjson" "$work/chunks.ndjson"
gr-vindex build -q -o "$work/lit.gri" "$work/idx.ndjson"
gr-gquery build -q --no-synonyms -o "$work/kg.grg" "$work/triples.ndjson"
gr-embed -q -o "$work/q.ndjson" "$work/questions.ndjson"
for mode in dense hybrid; do
    gr-vindex search -q --mode=$mode -k 10 -i "$work/lit.gri" "$work/q.ndjson" |
        gr-gquery -q -g "$work/kg.grg" | gr-fuse -q >"$work/$mode.ndjson"
    echo "== vector_hits: gr-vindex search --mode=$mode"
    python3 tests/bench/multihop.py score "$work/questions.ndjson" "$work/$mode.ndjson"
done
