#!/bin/bash
# SPDX-License-Identifier: MIT
# graph-export.t — what gr-gquery export writes is read back by the programs it is for
. "$(dirname "$0")/../lib.sh"
# Names, types, relations and evidence that would end a string, a line, a field or a direction.
jq -nc '
  [ "it'"'"'s \"<A&B>\" \\ end", "two\nlines\r\nand\ttab", "\u0001\u0007\u000b\u007f\u0085", "\u202eright to left\u2066\u200f",
    "\u2028 and \u2029", "a,b;c|d%e", "]]>--><!--", "`DETACH DELETE n//", "\\u0041\\", "{\"json\":[]}", "$ref ${x} %s %n",
    "é δ¹⁸O ‰ 𝛿 \ufeff", "\ufffe\uffff", "-1", "=1+1", "  blanks  ", "<urn:x>", "a\\" ] as $names |
  range($names | length) as $i | range(3) as $k |
  $names[($i + $k + 1) % ($names | length)] as $other |
  { head: {name: $names[$i], type: $names[($i * 5 + $k) % ($names | length)]}, relation: ("rel " + $names[($i * 7) % ($names | length)]),
    tail: {name: $other, type: "x"}, paper: ("P" + $other), chunk: ("C#" + $names[$i]), evidence: ("so \($names[$i])" + $other) },
  ( select($k == 0) | {head: $names[$i], relation: "Has Value", tail: "5 \($i)", value: {number: ($i / 3), error: 0.1, unit: $other}} )' >hostile.ndjson
gr-grobid2json "$ROOT/examples" | gr-chunk | gr-triples >examples.ndjson
for graph in hostile examples; do
    check "$graph: build" gr-gquery build --no-synonyms -q -o $graph.grg $graph.ndjson
    for format in cypher graphml dot csv-nodes csv-edges ntriples; do
        gr-gquery export -g $graph.grg --format=$format >$graph.$format || not_ok "$graph: export as $format"
    done
    check "$graph: NDJSON is the records" cmp <(sort -u $graph.ndjson) <(gr-gquery export -g $graph.grg | sort)
    check "$graph: GraphML is XML" xmllint --noout $graph.graphml
    check "$graph: DOT is read by graphviz" dot -Tcanon -o canon $graph.dot
    for format in graphml networkx dot csv ntriples rdflib; do
        if ! why=$(python3 "$ROOT/tests/peers/graph_export.py" $graph $format 2>&1); then
            not_ok "$graph: $format" "$why"
        elif [[ $why == SKIP* ]]; then
            skip "$graph: $format" "${why#SKIP }"
        else
            ok "$graph: $format, $why"
        fi
    done
done
done_testing
