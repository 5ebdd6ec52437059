#!/bin/bash
# SPDX-License-Identifier: MIT
# neo4j.t — gr-gquery against a real Neo4j with APOC: the same nodes and relationships as the file
# shellcheck disable=SC2016  # $ of Cypher
. "$(dirname "$0")/../lib.sh"
services=$ROOT/tests/integration/services
export NEO4J_PASSWORD=loopback-only
port=$("$services/neo4j.sh" up 2>why) || skip_all "no Neo4j server: $(tail -1 why)"
trap '"$services/neo4j.sh" down; clean_up' EXIT
LIMIT=400
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
starts random.grg 200 >asked
for depth in 1 2 3 4; do
    gr-gquery subgraph -g random.grg --depth=$depth asked >file.out
    for how in "" --no-apoc; do
        # Without APOC the paths of four hops are too many to be listed one by one.
        [ $depth-$how = 4---no-apoc ] && n=20 || n=200
        gr-gquery subgraph --neo4j="$url" --depth=$depth $how <(head -"$n" asked) >server.out
        check "depth $depth: the same subgraphs from $(wc -l <server.out) starts ${how:-with APOC}" cmp <(head -"$n" file.out) server.out
    done
    n=$(head -1 asked)
    check "depth $depth: as large as apoc.path.subgraphAll says" test "$(cypher "MATCH (s:Entity {name: '$n'}) CALL apoc.path.subgraphAll(s, {maxLevel: $depth}) YIELD nodes, relationships RETURN [size(nodes), size(relationships)]")" = "$(head -1 file.out | jq -c '[(.nodes | length), (.relationships | length)]')"
done
check "by any number of jobs" cmp <(gr-gquery subgraph --neo4j="$url" -j3 asked) <(gr-gquery subgraph --neo4j="$url" -j1 asked)

# Filters and limits: file and server alike, and as many as APOC's own filters give.
# apoc CONFIG CYPHER: for the first 20 starts, CYPHER of nodes and relationships
apoc()
{
    head -20 asked | while read -r n; do
        cypher "MATCH (s:Entity {name: '$n'}) CALL apoc.path.subgraphAll(s, {maxLevel: 3, $1}) YIELD nodes, relationships RETURN $2"
    done
}
sizes='[size(nodes), size(relationships)]'
rel=$(cypher "MATCH ()-[r {relation: 'Rel 1'}]->() RETURN type(r)" | jq -r .)
rel2=$(cypher "MATCH ()-[r {relation: 'Rel 2'}]->() RETURN type(r)" | jq -r .)
label=$(cypher "MATCH (n {type: 'y'}) RETURN [l IN labels(n) WHERE l <> 'Entity'][0]" | jq -r .)
filtered() # NAME CONFIG CYPHER OPTION…
{
    head -20 asked | gr-gquery subgraph -g random.grg --depth=3 "${@:4}" >file.out
    check "$1: file and server" cmp file.out <(head -20 asked | gr-gquery subgraph --neo4j="$url" --depth=3 "${@:4}")
    check "$1: without APOC" cmp <(head -3 file.out) <(head -3 asked | gr-gquery subgraph --neo4j="$url" --no-apoc --depth=3 "${@:4}")
    [ -z "$2" ] || check "$1: as many as APOC gives" cmp <(jq -c '[(.nodes | length), (.relationships | length)]' file.out) <(apoc "$2" "$3")
}
filtered --relation "relationshipFilter: '$rel|$rel2'" "$sizes" --relation='Rel 1,Rel 2'
filtered --strict-rel "relationshipFilter: '$rel'" "[size(nodes), size([r IN relationships WHERE type(r) = '$rel'])]" --strict-rel='Rel 1'
filtered 'a label left out' "labelFilter: '-$label'" "$sizes" --label=-y
filtered 'one label only' "labelFilter: '+$label'" "$sizes" --label=y
filtered --limit '' '' --limit=7
check "--limit: as many nodes as APOC gives" cmp <(jq -c '.nodes | length' file.out) <(apoc 'limit: 7' 'size(nodes)')
filtered --max-degree '' '' --max-degree=4
filtered 'all at once' '' '' --relation='Rel 1,Rel 2' --label=-y --limit=9 --max-degree=6

# What is exported loads as well: the statements one by one, the tables by the import tool.
gr-gquery export -g random.grg --format=cypher | awk '/^MERGE/ && n++ < 40' >some.cypher
check "Cypher statements run" test "$(sed 's/;$//' some.cypher | jq -Rnc '{statements: [inputs | {statement: .}]}' | curl -sS -u "neo4j:$NEO4J_PASSWORD" -H 'Content-Type: application/json' -d @- "$url/db/neo4j/tx/commit" | jq -c .errors)" = '[]'
check "and find what load has put there" test "$(cypher 'MATCH (n:Entity) RETURN count(n)')" = "$(gr-gquery info -g random.grg | jq .nodes)"

# The example papers.
gr-grobid2json "$ROOT/examples" | gr-chunk | gr-triples >triples
gr-gquery build -q -o kg.grg triples
# settled: what a killed client had sent is done; only this question is being worked on
settled() { [ "$(cypher 'SHOW TRANSACTIONS YIELD transactionId RETURN count(*)')" = 1 ]; }
# A load that was faster than the kill is begun again, in smaller steps.
for batch in 100 30 10 3 1; do
    gr-gquery load -g kg.grg --neo4j="$url" --batch=$batch --replace 2>/dev/null &
    load=$!
    while kill -0 $load 2>/dev/null && [ "$(cypher 'MATCH (l:GrLoad) RETURN l.step')" != '"edges"' ]; do sleep 0.1; done
    kill -9 $load 2>/dev/null
    wait $load 2>/dev/null
    for _ in $(seq 100); do settled && break || sleep 0.1; done
    [ "$(cypher 'MATCH (l:GrLoad) RETURN l.step')" != '"edges"' ] || break
done
echo seawater | gr-gquery subgraph --neo4j="$url" 2>err
check "what is half loaded is not asked: exit 3" test $? = 3 -a -n "$(grep 'half loaded' err)"
check "a load that was killed goes on" gr-gquery load -g kg.grg --neo4j="$url" --batch=100
check "and is whole: all records" test "$(cypher 'MATCH ()-[r]->() UNWIND r.triples AS t RETURN count(t)')" = "$(gr-gquery export -g kg.grg | wc -l)"
changes=$(gr-gquery export -g kg.grg --format=csv-edges | grep -c '"true"$')
check "changes are marked there" test "$changes" -gt 0 -a "$(cypher 'MATCH ()-[r {change: true}]->() RETURN count(r)')" = "$changes"
check "things are nodes of their papers there" test "$(cypher "MATCH (n:Entity {type: 'thing'}) RETURN count(n)")" = "$(gr-gquery info -g kg.grg | jq .types.thing)"
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
jq -nc '["it'"'"'s \"<A&B>\" \\ end", "two\nlines\r\n\t", "\u0001\u007f", "\u202eright\u2066", "a,b;c|d%e", "`x` //", "\\u0041\\", "{}", "$p", "δ¹⁸O 𝛿", "\"", "  b  "] as $n |
    range($n | length) as $i | {head: {name: $n[$i], type: $n[-1 - $i]}, relation: ("r" + $n[($i * 5) % ($n | length)]), tail: $n[$i - 1], evidence: $n[$i]}' | gr-gquery build --no-synonyms -q -o names.grg
cypher 'MATCH (n) DETACH DELETE n' >/dev/null
check "hostile names in Cypher statements run" test "$(gr-gquery export -g names.grg --format=cypher | sed 's/;$//' | grep -v '^CREATE' | jq -Rnc '{statements: [inputs | {statement: .}]}' | curl -sS -u "neo4j:$NEO4J_PASSWORD" -H 'Content-Type: application/json' -d @- "$url/db/neo4j/tx/commit" | jq -c .errors)" = '[]'
check "and are there as nodes and relationships" test "$(cypher 'MATCH (n:Entity) RETURN count(n)') $(cypher 'MATCH ()-[r]->() RETURN count(r)')" = "$(gr-gquery info -g names.grg | jq -r '"\(.nodes) \(.edges)"')"
check "by their names" test "$(cypher 'MATCH (n:Entity)-->() RETURN collect(DISTINCT n.name)' | jq -Sc sort)" = "$(gr-gquery export -g names.grg | jq -r -s -c 'map(.head.name | gsub("^[ \t\r\n]+|[ \t\r\n]+$"; "")) | unique')"
NEO4J_PASSWORD=wrong gr-gquery load -g kg.grg --neo4j="$url" 2>err
check "a wrong password: exit 3, and what to do" test $? = 3 -a -n "$(grep NEO4J_PASSWORD err)"
gr-gquery load -g kg.grg --neo4j="$url" --database=none 2>err
check "no such database: exit 3" test $? = 3 -a -s err
"$services/neo4j.sh" down

# The tables, by the program they are for; it needs no server.
home=${GR_SERVICES:-$ROOT/build/services}/neo4j
mkdir -p import/conf
for graph in random names kg; do
    gr-gquery export -g $graph.grg --format=csv-nodes >nodes.csv
    gr-gquery export -g $graph.grg --format=csv-edges >edges.csv
    NEO4J_HOME=$PWD/import NEO4J_CONF=$PWD/import/conf java -Xmx512m --add-opens=java.base/java.nio=ALL-UNNAMED -cp "$home/jars/*" org.neo4j.cli.AdminTool \
        database import full "graph-$graph" --nodes=nodes.csv --relationships=edges.csv --id-type=string >import.log 2>&1
    check "neo4j-admin imports the tables of $graph.grg" test $? = 0
    check "all of $graph.grg" test "$(sed -n 's/^ *\([0-9]*\) \(nodes\|relationships\)$/\1/p' import.log | tr '\n' ' ')" = "$(gr-gquery info -g $graph.grg | jq -r '"\(.nodes) \(.edges) "')"
done
gr-gquery load -g kg.grg --neo4j="$url" --tries=1 2>err
check "a server that is gone: exit 4" test $? = 4
done_testing
