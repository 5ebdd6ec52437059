#!/bin/bash
# SPDX-License-Identifier: MIT
# pipeline.t — the whole way: example papers to cited answers, by hand-written pipe and by scripts
# shellcheck disable=SC2016  # variables of jq
. "$(dirname "$0")/../lib.sh"
[ -f "$SHARE/model/all-MiniLM-L6-v2/model.safetensors" ] || skip_all "the model is not there: make model"
LIMIT=900
export CONF
P=$ROOT/pipelines

# ---- the first lines of the README, as they stand there
gr-grobid2json "$ROOT/examples/tei" >papers.jsonl 2>err
check "examples are read without a word" test ! -s err
check "thirteen papers" test "$(wc -l <papers.jsonl)" = 13
# shellcheck disable=SC2002  # as the README has it
cat papers.jsonl | gr-chunk | gr-embed >idx
check "every chunk has a vector" test "$(jq -s 'length > 100 and all(.[]; .embedding and .embedding_model)' idx)" = true
gr-chunk papers.jsonl | gr-triples | gr-gquery build -o kg.grg
check "a graph is built" test -s kg.grg

ask='{"query":"How is uranium fractionated under reducing conditions?"}'
echo "$ask" | gr-classify | gr-expand | gr-embed | gr-vindex search -i idx | gr-gquery -g kg.grg |
    gr-fuse | gr-generate >answer.json 2>err
check "the pipe says nothing on standard error" test ! -s err
check "an answer with citations" jq -e '(.response | length > 40) and (.citations | length > 0)' answer.json
check "the context has exactly two members" jq -e '.context | keys == ["GraphRAG_Context", "VectorRAG_Context"]' answer.json
check "numbered from \"0\", text inside" jq -e '.context | all(.[]; (keys | map(tonumber) | sort) == [range(length)] and all(.[]; type == "string"))' answer.json
check "both retrievers found something" jq -e '.context | all(.[]; length > 0)' answer.json
# shellcheck disable=SC2016  # jq's variables
check "citations point at real chunks, and quotes are in them" jq -e -n --slurpfile a answer.json --slurpfile c <(jq -c 'del(.embedding)' idx) '
    ($c | map({(.id): .text}) | add) as $text |
    $a[0].citations | all(.[]; . as $q | $text[$q.chunk] != null and
        (($q.quote // "") == "" or ($text[$q.chunk] | contains($q.quote)) or $q.of == "graph"))'
check "every number in the answer is a source" jq -e '
    ([.sources[].n] | unique) as $n | [.response | match("\\[(\\d+)\\]"; "g").captures[0].string | tonumber] | length > 0 and all(.[]; IN($n[]))' answer.json
check "every stage left its trace" jq -e '[.trace[].tool] == ["gr-classify","gr-expand","gr-vindex","gr-gquery","gr-fuse","gr-generate"] or ([.trace[].tool] == ["gr-classify","gr-expand","gr-embed","gr-vindex","gr-gquery","gr-fuse","gr-generate"])' answer.json

# ---- a plain idx and a built index answer alike
gr-vindex build -o lit.gri idx
echo "$ask" | gr-classify | gr-expand | gr-embed >q.ndjson
check "a plain idx and a built one give the same hits" cmp \
    <(gr-vindex search -i idx q.ndjson | jq -c '.vector_hits | map(.id)') <(gr-vindex search -i lit.gri q.ndjson | jq -c '.vector_hits | map(.id)')

# ---- the same bytes for any number of jobs
mapfile -t questions < <(jq -c '{id, query}' "$ROOT/examples/questions.ndjson")
for j in 1 4; do
    printf '%s\n' "${questions[@]}" | gr-classify -j$j | gr-expand -j$j | gr-embed -j$j | gr-vindex search -j$j -i lit.gri |
        gr-gquery -j$j -g kg.grg | gr-fuse -j$j | gr-generate -j$j >answers.$j
    gr-grobid2json -j$j "$ROOT/examples/tei" | gr-chunk -j$j | tee chunks.$j | gr-triples -j$j >triples.$j
done
check "answers: --jobs 1 = --jobs 4" cmp answers.1 answers.4
check "chunks: --jobs 1 = --jobs 4" cmp chunks.1 chunks.4
check "triples: --jobs 1 = --jobs 4" cmp triples.1 triples.4
check "48 questions, 48 answers" test "$(wc -l <answers.1)" = 48
check "no sentence without support in the offline answers" jq -se 'all(.[]; .unsupported == [])' answers.1
# shellcheck disable=SC2016  # jq's variables
good=$(jq -n --slurpfile a answers.1 --slurpfile q "$ROOT/examples/questions.ndjson" '
    ($q | map({(.id): .reference_papers}) | add) as $ref |
    [$a[] | . as $r | select(any(.citations[]; .paper as $p | $ref[$r.id] | index($p)))] | length')
echo "# $good of 48 answers cite a paper that holds the reference answer"
check "most answers cite a paper that holds the reference answer" test "$good" -ge 36

# ---- the scripts
"$P/index.sh" -o lit "$ROOT/examples/tei" 2>err
check "index.sh makes all files" test -s lit/lit.gri -a -s lit/kg.grg -a ! -s err
check "index.sh and the pipe agree" cmp lit/kg.grg kg.grg
cp -r lit before
"$P/index.sh" -o lit "$ROOT/examples/tei"
check "indexing again gives the same bytes" diff -r lit before
mkdir pdf
printf '%%PDF-1.4\n%%title Zircon ages\n' >pdf/a.pdf
# shellcheck disable=SC2016  # the stub's address, in its child
"$ROOT/tests/stub/grobid_stub.py" sh -c '"$0" -g "$STUB/ok" -o fromPDF pdf' "$P/index.sh" 2>err
check "index.sh takes PDF files by a GROBID service" test "$(jq -r .title fromPDF/papers.ndjson)" = "Zircon ages" -a -s fromPDF/lit.gri
"$P/ask.sh" -v -i lit 'What is MORB?' >text 2>trace
check "ask.sh answers" grep -q '\[[0-9]' text
check "ask.sh -v shows every stage" test "$(grep -c '^  gr-' trace)" -ge 5
"$P/baseline.sh" -j -i lit 'What is MORB?' >b.json
check "the baseline has no graph context" jq -e '.context.GraphRAG_Context == {} and (.context.VectorRAG_Context | length > 0)' b.json
check "ask.sh without an index says what to do" bash -c "! '$P/ask.sh' -i nowhere x 2>e && grep -q index.sh e"
printf 'not XML' >bad.tei.xml
"$P/index.sh" -o lit2 "$ROOT/examples/tei" bad.tei.xml 2>err
check "a bad paper: exit 1" test $? = 1
check "it is named" grep -q 'bad.tei.xml' err
mkdir -p empty
"$P/index.sh" -o none empty 2>err
check "a folder without papers: exit 3" test $? = 3 -a ! -e none/lit.gri
check "the good ones are indexed" cmp lit2/lit.gri lit/lit.gri

if [ -x "$BIN/gr-ragas" ]; then
    "$P/evaluate.sh" -i lit -o scores "$ROOT/examples/questions.ndjson" >table 2>err
    check "evaluate.sh compares" grep -qi 'rouge' table
    check "both systems are scored" test "$(wc -l <scores/hybrid.ndjson)" = 48 -a "$(wc -l <scores/baseline.ndjson)" = 48
    check "every null has its reason" jq -se 'all(.[]; .why as $w | .scores | to_entries | all(.[]; .value != null or ($w[.key] != null)))' scores/hybrid.ndjson
fi
done_testing
