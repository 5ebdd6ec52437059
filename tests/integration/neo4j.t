#!/bin/bash
# SPDX-License-Identifier: MIT
# neo4j.t — gr-gquery against a real Neo4j with APOC: the same nodes and relationships as the file
# shellcheck disable=SC2016  # $ of Cypher
. "$(dirname "$0")/../lib.sh"
services=$ROOT/tests/integration/services
export NEO4J_PASSWORD=loopback-only
port=$("$services/neo4j.sh" up 2>why) || skip_all "no Neo4j server: $(tail -1 why)"
trap '"$services/neo4j.sh" down' EXIT
LIMIT=200
url=http://127.0.0.1:$port

# cypher STATEMENT: the first row's first column
cypher()
{
    jq -nc --arg s "$1" '{statements: [{statement: $s}]}' |
        curl -sS -u "neo4j:$NEO4J_PASSWORD" -H 'Content-Type: application/json' -d @- "$url/db/neo4j/tx/commit" | jq -c '.results[0].data[0].row[0]'
}

# starts GRAPH N: names of so many nodes that are things
starts() { gr-gquery export -g "$1" | jq -r '.head.id // .head.name' | awk '!seen[$0]++' | awk -v n="$2" 'BEGIN { srand(7) } { print rand() "\t" $0 }' | sort | head -n "$2" | cut -f2; }

# A random graph: 150 nodes, 300 edges of five relations, loops and double edges among them.
awk 'BEGIN { srand(1); for (i = 0; i < 300; i++) printf "{\"head\":{\"name\":\"n%d\",\"type\":\"%s\"},\"relation\":\"Rel %d\",\"tail\":{\"name\":\"n%d\",\"type\":\"%s\"},\"paper\":\"P%d\",\"chunk\":\"P%d#%d\"}\n", (a = int(rand() * 150)), a % 3 ? "x" : "y", int(rand() * 5), (b = int(rand() * 150)), b % 3 ? "x" : "y", i % 7, i % 7, i }' >random.ndjson
check "build a random graph" gr-gquery build --no-synonyms -o random.grg random.ndjson
cypher 'CREATE (:GrLoad {id: "load", graph: "other", step: "edges", done: 7})' >other
check "load it" gr-gquery load -g random.grg --neo4j="$url" --batch=500
check "nodes and relationships are all there" test "$(cypher 'MATCH (n:Entity) RETURN count(n)') $(cypher 'MATCH ()-[r]->() RETURN count(r)')" = "$(gr-gquery info -g random.grg | jq -r '"\(.nodes) \(.edges)"')"
starts random.grg 200 | awk '{ print > "starts." NR % 4 + 1 }'
for depth in 1 2 3 4; do
    gr-gquery subgraph -g random.grg --depth=$depth starts.$depth >file.out
    gr-gquery subgraph --neo4j="$url" --depth=$depth starts.$depth >server.out
    check "depth $depth: the same subgraphs from $(wc -l <starts.$depth) starts" cmp file.out server.out
    n=$(head -1 starts.$depth)
    check "depth $depth: as large as apoc.path.subgraphAll says" test "$(cypher "MATCH (s:Entity {name: '$n'}) CALL apoc.path.subgraphAll(s, {maxLevel: $depth}) YIELD nodes, relationships RETURN [size(nodes), size(relationships)]")" = "$(head -1 file.out | jq -c '[(.nodes | length), (.relationships | length)]')"
done
head -5 starts.2 | gr-gquery subgraph --neo4j="$url" --no-apoc >plain.out
check "the same without APOC" cmp plain.out <(head -5 starts.2 | gr-gquery subgraph -g random.grg)
check "by any number of jobs" cmp <(gr-gquery subgraph --neo4j="$url" -j3 starts.2) <(gr-gquery subgraph --neo4j="$url" -j1 starts.2)

# The example papers.
gr-grobid2json "$ROOT/examples" | gr-chunk | gr-triples >triples
gr-gquery build -q -o kg.grg triples
gr-gquery load -g kg.grg --neo4j="$url" --batch=100 --replace 2>/dev/null &
load=$!
until [ "$(cypher 'MATCH (l:GrLoad) RETURN l.step')" = '"edges"' ]; do sleep 0.1; done
kill -9 $load
wait $load 2>/dev/null
check "a load that was killed goes on" gr-gquery load -g kg.grg --neo4j="$url" --batch=100
check "and is whole: all records" test "$(cypher 'MATCH ()-[r]->() UNWIND r.triples AS t RETURN count(t)')" = "$(gr-gquery export -g kg.grg | wc -l)"
gr-gquery load -v -g kg.grg --neo4j="$url" 2>err
check "the same graph again is nothing to do" grep -q 'has this graph already' err
for depth in 1 2 3 4; do
    check "examples, depth $depth" cmp <(starts kg.grg 20 | gr-gquery subgraph -g kg.grg --depth=$depth) <(starts kg.grg 20 | gr-gquery subgraph --neo4j="$url" --depth=$depth)
done
gr-gquery -g kg.grg "$ROOT/examples/questions.ndjson" >file.out
gr-gquery --neo4j="$url" "$ROOT/examples/questions.ndjson" >server.out
check "questions link the same nodes" cmp <(jq -c .entities file.out) <(jq -c .entities server.out)
check "and nine facts of ten are the same" test "$(comm -12 <(jq -c '.id as $q | .graph_hits[] | [$q, .head, .relation, .tail]' file.out | sort) <(jq -c '.id as $q | .graph_hits[] | [$q, .head, .relation, .tail]' server.out | sort) | wc -l)" -ge "$(jq -c '.graph_hits[]' file.out | wc -l | awk '{ print int(0.9 * $1) }')"

# Names that would end a string or a label.
printf '%s\n' '{"head":{"name":"a`b'"'"'\\\\c\"} DETACH","type":"x`y\\u0060|%"},"relation":"r`]->() DELETE","tail":{"name":"ü\u2028","type":""}}' >hostile.ndjson
gr-gquery build --no-synonyms -q -o hostile.grg hostile.ndjson
for how in "" --no-apoc; do
    check "hostile names are names ${how:-with APOC}" gr-gquery load -g hostile.grg --neo4j="$url" --replace $how
    check "and come back ${how:-with APOC}" cmp <(cypher 'MATCH ()-[r]->() RETURN r.triples[0]' | jq -r .) hostile.ndjson
done
check "nothing else is left" test "$(cypher 'MATCH (n:Entity) RETURN count(n)')" = 2
NEO4J_PASSWORD=wrong gr-gquery load -g kg.grg --neo4j="$url" 2>err
check "a wrong password: exit 3, and what to do" test $? = 3 -a -n "$(grep NEO4J_PASSWORD err)"
gr-gquery load -g kg.grg --neo4j="$url" --database=none 2>err
check "no such database: exit 3" test $? = 3 -a -s err
"$services/neo4j.sh" down
gr-gquery load -g kg.grg --neo4j="$url" --tries=1 2>err
check "a server that is gone: exit 4" test $? = 4
done_testing
