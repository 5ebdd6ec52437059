#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/bench/ingest-chunk.sh — gr-chunk: speed beside other splitters, and what windows find
#
#   usage: tests/bench/ingest-chunk.sh        after make; wants GR_SHARED (default ../shared)
#
# Prints one line a figure. Peers (tiktoken, langchain-text-splitters, semchunk, chonkie,
# semantic-text-splitter, llama-index-core, and numpy): of PEERS_PYTHON, a Python that has them,
# else installed into build/bench/chunk-peers; OFFLINE=1: left out unless they are there.
# Times are CPU seconds, one thread, the best of RUNS rounds; the tools of a round run in turn,
# and `wc -w` with them: a rate that tells how busy the machine is. CORPORA (a pattern) says
# which corpora are searched with gr-embed: all of them take an hour of CPU time.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$root/build/${CONF:-dev}/bin
shared=${GR_SHARED:-$root/../shared}
runs=${RUNS:-5}
ranks=$root/build/share/model/cl100k_base.tiktoken
python=${PEERS_PYTHON-}
[ -d "$shared/data/tei" ] || { echo "ingest-chunk: skipped: no $shared/data (GR_SHARED)"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if [ -z "$python" ]; then
    python=$root/build/bench/chunk-peers/bin/python
    if [ ! -x "$python" ] && [ "${OFFLINE-}" != 1 ]; then
        "${PYTHON:-python3}" -m venv "$root/build/bench/chunk-peers" &&
            "$python" -m pip install -q --disable-pip-version-check tiktoken numpy \
                langchain-text-splitters semchunk chonkie semantic-text-splitter \
                llama-index-core || echo "ingest-chunk: the peers could not be installed"
    fi
fi

# ---- speed: NAME|BYTES|COMMAND in turn, each round all of them ----
declare -a names sizes commands best
row()
{
    names+=("$1") sizes+=("$2") commands+=("$3") best+=('')
}
run_rows()
{
    local i r t
    for ((r = 0; r < runs; r++)); do
        for i in "${!names[@]}"; do
            t=$( { TIMEFORMAT='%U %S'; time bash -c "${commands[i]}" >/dev/null; } 2>&1 |
                awk '{ print $1 + $2 }')
            best[i]=$(awk -v a="$t" -v b="${best[i]:-$t}" 'BEGIN { print a < b ? a : b }')
        done
    done
    for i in "${!names[@]}"; do
        awk -v n="${names[i]}" -v b="${sizes[i]}" -v s="${best[i]}" \
            'BEGIN { printf "  %-38s %7.1f MB/s\n", n, b / s / 1e6 }'
    done
    names=() sizes=() commands=() best=()
}

times() # N FILE: the file so often
{
    local i
    for ((i = 0; i < $1; i++)); do cat "$2"; done
}

"$bin/gr-grobid2json" -q "$shared/data/tei" >"$tmp/one.ndjson" 2>/dev/null || :
times 10 "$tmp/one.ndjson" >"$tmp/papers.ndjson"
bytes=$(wc -c <"$tmp/papers.ndjson")
chunk="$bin/gr-chunk -q -j1"
echo "gr-chunk, one thread, bytes of paper records, cleaning included:"
row 'words' "$bytes" "$chunk $tmp/papers.ndjson"
row 'words, by sentence' "$bytes" "$chunk --by=sentence $tmp/papers.ndjson"
row 'words, without cleaning' "$bytes" "$chunk --clean=none $tmp/papers.ndjson"
[ -f "$ranks" ] && row 'cl100k' "$bytes" "$chunk --tokens=cl100k $tmp/papers.ndjson"
row 'for comparison: wc -w' "$bytes" "LC_ALL=C wc -w $tmp/papers.ndjson"
run_rows

# The cleaned text itself: what gr-chunk counts, and what tiktoken is given.
"$bin/gr-chunk" -q --overlap=0 --no-tables "$tmp/one.ndjson" |
    jq -sc 'group_by(.paper)[] | {id: .[0].paper, text: (map(.text) | join("\n"))}' \
        >"$tmp/text.ndjson"
jq -r .text "$tmp/text.ndjson" >"$tmp/text.txt"
times 10 "$tmp/text.ndjson" >"$tmp/texts.ndjson"
size=$(($(wc -c <"$tmp/text.txt") * 10))
if [ -f "$ranks" ]; then
    echo "the same text, tokens of cl100k, bytes of text:"
    row 'gr-chunk, cleaning included' "$size" "$chunk --tokens=cl100k $tmp/texts.ndjson"
    run_rows
fi
has_peers=$("$python" -c 'import tiktoken, numpy' 2>/dev/null && echo 1 || echo '')
if [ -n "$has_peers" ]; then
    "$python" "$root/tests/bench/chunk_peers.py" speed "$tmp/text.txt" "$ranks"
else
    echo "  peers skipped: $python lacks tiktoken or numpy"
fi

# ---- what chunks find ----
for f in "$shared"/data/chunk-eval/corpora/${CORPORA:-*}.md; do
    jq -Rsc --arg id "$(basename "$f" .md)" '{id:$id,text:.}' "$f"
done >"$tmp/corpora.ndjson"
jq -c --slurpfile c <(jq .id "$tmp/corpora.ndjson") '(.corpus | rtrimstr(".md")) as $corpus |
    select($c | index($corpus)) |
    {id: "q\(.id)", corpus: $corpus, text, spans: [.spans[] | [.start, .end]]}' \
    "$shared/data/chunk-eval/questions.ndjson" >"$tmp/questions.ndjson"

echo "chunks that touch an answer, $(wc -l <"$tmp/questions.ndjson") questions:"
for how in "--size=200 --overlap=0" "--size=200 --overlap=100" "--size=512 --overlap=100" \
    "--by=sentence --size=200 --overlap=0" "--by=sentence --size=200 --overlap=50" \
    "--by=paragraph --size=200 --overlap=0" "--by=section --size=200 --overlap=0"; do
    # shellcheck disable=SC2086  # several options
    "$bin/gr-chunk" -q --clean=none $how "$tmp/corpora.ndjson" >"$tmp/chunks.ndjson"
    printf '  %-40s' "$how"
    python3 "$root/tests/bench/chunk_eval.py" "$tmp/corpora.ndjson" "$tmp/questions.ndjson" \
        "$tmp/chunks.ndjson"
done
if [ -z "$has_peers" ] || [ ! -f "$root/build/share/model/all-MiniLM-L6-v2/model.safetensors" ]; then
    echo "search with gr-embed skipped: no peers or no model"
    exit 0
fi

# The nearest five chunks, and the nearest 600 words, by gr-embed's default model.
embed()
{
    "$bin/gr-embed" -q --cache "$tmp/cache" "$1"
}
mkdir "$tmp/cache"
embed "$tmp/questions.ndjson" >"$tmp/wanted.ndjson"
tokens=${SIZE:-200}
for by in token sentence section paragraph; do
    "$bin/gr-chunk" -q --clean=none --tokens=cl100k --by=$by -s "$tokens" --overlap=0 \
        "$tmp/corpora.ndjson" >"$tmp/gr-chunk --by=$by.ndjson"
done
"$python" "$root/tests/bench/chunk_peers.py" spans "$tmp/corpora.ndjson" "$ranks" "$tokens" 0 \
    "$tmp/peers"
echo "chunks found by gr-embed, at most $tokens tokens of cl100k each, no overlap:"
for f in "$tmp"/gr-chunk*.ndjson "$tmp"/peers/*.ndjson; do
    embed "$f" >"$tmp/vectors.ndjson"
    for k in 5 600w; do
        printf '  %-30s %5s  ' "$(basename "$f" .ndjson)" $k
        "$python" "$root/tests/bench/chunk_eval.py" "$tmp/corpora.ndjson" \
            "$tmp/questions.ndjson" "$tmp/vectors.ndjson" "$tmp/wanted.ndjson" $k
    done
done
