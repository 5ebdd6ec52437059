#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/bench/ingest-chunk.sh — gr-chunk: speed beside other splitters, and what windows find
#
#   usage: tests/bench/ingest-chunk.sh        after make; wants GR_SHARED (default ../shared)
#
# Prints one line a figure. Peers (tiktoken, langchain-text-splitters, semantic-text-splitter,
# chonkie) are those of PEERS_PYTHON, a Python that has them; without it they are left out.
# Times are CPU seconds of the best of RUNS runs, one thread.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$root/build/${CONF:-dev}/bin
shared=${GR_SHARED:-$root/../shared}
runs=${RUNS:-5}
ranks=$root/build/share/model/cl100k_base.tiktoken
[ -d "$shared/data/tei" ] || { echo "ingest-chunk: skipped: no $shared/data (GR_SHARED)"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# CPU seconds of the best run of a command.
seconds()
{
    local i best='' t
    for ((i = 0; i < runs; i++)); do
        t=$( { TIMEFORMAT='%U %S'; time "$@" >/dev/null; } 2>&1 | awk '{ print $1 + $2 }')
        best=$(awk -v a="$t" -v b="${best:-$t}" 'BEGIN { print a < b ? a : b }')
    done
    echo "$best"
}

"$bin/gr-grobid2json" -q "$shared/data/tei" >"$tmp/one.ndjson" 2>/dev/null || :
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$tmp/one.ndjson"; done >"$tmp/papers.ndjson"
bytes=$(wc -c <"$tmp/papers.ndjson")
speed()
{
    local s
    s=$(seconds "$bin/gr-chunk" -q -j1 "${@:2}" "$tmp/papers.ndjson")
    awk -v n="$1" -v b="$bytes" -v s="$s" 'BEGIN { printf "%-34s %7.1f MB/s\n", n, b / s / 1e6 }'
}
echo "gr-chunk, one thread, paper records with cleaning:"
speed '  words' --tokens=words
speed '  words, by sentence' --tokens=words --by=sentence
speed '  words, without cleaning' --clean=none
if [ -f "$ranks" ]; then speed '  cl100k' --tokens=cl100k; fi

# Token-wise recall, precision and IoU of the best chunks: for each question the chunks that
# touch its spans are taken, as Smith and Troynikov (2024) do for their omega figures.
echo "chunk-eval, in words of the texts: recall, precision and IoU of the chunks that hold answers"
jq -c '{id:.id,corpus,spans:[.spans[]|[.start,.end]]}' "$shared/data/chunk-eval/questions.ndjson" \
    >"$tmp/questions.ndjson"
for f in "$shared"/data/chunk-eval/corpora/*.md; do
    jq -Rsc --arg id "$(basename "$f" .md)" '{id:$id,text:.}' "$f"
done >"$tmp/corpora.ndjson"
for how in "--size=200 --overlap=0" "--size=200 --overlap=100" "--size=512 --overlap=100" \
    "--by=sentence --size=200 --overlap=0" "--by=sentence --size=200 --overlap=50" \
    "--by=paragraph --size=200 --overlap=0"; do
    # shellcheck disable=SC2086  # several options
    "$bin/gr-chunk" -q --clean=none $how "$tmp/corpora.ndjson" |
        jq -c '[.paper, .start, .end]' >"$tmp/chunks.ndjson"
    printf '  %-40s' "$how"
    python3 "$root/tests/bench/chunk_eval.py" "$tmp/corpora.ndjson" "$tmp/questions.ndjson" \
        "$tmp/chunks.ndjson"
done

if [ -n "${PEERS_PYTHON-}" ]; then
    jq -r '[.abstract // "", (.sections[]?.text // "")] | join("\n\n")' "$tmp/one.ndjson" \
        >"$tmp/text.txt"
    jq -Rsc '{id:"t",text:.}' "$tmp/text.txt" >"$tmp/text.ndjson"
    for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$tmp/text.ndjson"; done >"$tmp/texts.ndjson"
    ours=$(seconds "$bin/gr-chunk" -q -j1 --tokens=cl100k "$tmp/texts.ndjson")
    awk -v b="$(wc -c <"$tmp/text.txt")" -v s="$ours" \
        'BEGIN { printf "the same text, with cl100k: gr-chunk %.1f MB/s\n", b * 10 / s / 1e6 }'
    "$PEERS_PYTHON" "$root/tests/bench/chunk_peers.py" "$tmp/text.txt" "$ranks"
fi
