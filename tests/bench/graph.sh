#!/bin/bash
# SPDX-License-Identifier: MIT
# graph.sh — subgraphs from a file and from Neo4j with APOC, the same questions in one run
#
#   NODES=20000 EDGES=100000 QUESTIONS=200    size of the random graph; LARGE=10000000 adds a build of so
#   many edges without Neo4j
set -euo pipefail
cd "$BENCH"
export NEO4J_PASSWORD=loopback-only
nodes=${NODES:-20000} edges=${EDGES:-100000} questions=${QUESTIONS:-200} large=${LARGE:-0}

# random NODES EDGES: triples of seven relations
random()
{
    awk -v n="$1" -v e="$2" 'BEGIN { srand(1); for (i = 0; i < e; i++) printf "{\"head\":{\"name\":\"node %d\",\"type\":\"x\"},\"relation\":\"Rel %d\",\"tail\":{\"name\":\"node %d\",\"type\":\"x\"},\"paper\":\"P%d\",\"chunk\":\"P%d#%d\"}\n", int(rand() * n), int(rand() * 7), int(rand() * n), i % 997, i % 997, i }'
}

# clock COMMAND…: seconds and peak MiB, into $took and $peak
clock()
{
    local since=$EPOCHREALTIME
    /usr/bin/time -f '%M' -o time.out "$@"
    took=$(awk -v a="$since" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.4f", b - a }')
    peak=$(($(cat time.out) / 1024))
}

random "$nodes" "$edges" >graph.ndjson
clock gr-gquery build --no-synonyms -q -o graph.grg graph.ndjson
build=$took
echo "build      $edges triples, $nodes names: $build s, $peak MiB"
awk -v n="$nodes" -v q="$questions" 'BEGIN { srand(2); for (i = 0; i < q; i++) printf "node %d\n", int(rand() * n) }' >starts
for depth in 1 2 3; do
    clock gr-gquery subgraph -j1 -g graph.grg --depth=$depth -o /dev/null starts
    echo "file       depth $depth: $(awk -v t="$took" -v q="$questions" 'BEGIN { printf "%.3f", 1000 * t / q }') ms a question (mean of $questions, with start and writing out)"
done
for _ in 1 2 3 4 5 6 7 8 9; do
    clock gr-gquery subgraph -g graph.grg --depth=2 -o one <(head -1 starts)
    echo "$took"
done | sort -n | sed -n '5s/^/file       cold start and one question of depth 2, s, median of 9: /p;5q'

if [ "$large" -gt 0 ]; then
    random $((large / 5)) "$large" >large.ndjson
    clock gr-gquery build --no-synonyms -q -o large.grg large.ndjson
    echo "build      $large triples: $took s, $peak MiB"
    awk -v n=$((large / 5)) -v q="$questions" 'BEGIN { srand(2); for (i = 0; i < q; i++) printf "node %d\n", int(rand() * n) }' >starts.large
    python3 "$ROOT/tests/bench/graph_stream.py" large.grg starts.large 2
    rm -f large.ndjson large.grg
fi

export GR_SERVICE_OWNER=$$
port=$("$ROOT/tests/integration/services/neo4j.sh" up 2>why) || {
    echo "Neo4j      left out: $(tail -1 why)"
    python3 "$ROOT/tests/bench/graph_stream.py" graph.grg starts 1,2,3
    exit 0
}
trap '"$ROOT/tests/integration/services/neo4j.sh" down' EXIT
clock gr-gquery load -q -g graph.grg --neo4j="http://127.0.0.1:$port"
awk -v t="$took" -v b="$build" 'BEGIN { printf "Neo4j      load %.1f s: %.0f x the build\n", t, t / b }'
python3 "$ROOT/tests/bench/graph_stream.py" graph.grg starts 1,2,3 "$port"
