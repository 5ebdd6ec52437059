#!/bin/bash
# SPDX-License-Identifier: MIT
# chat.t — gr-generate with a real chat model behind an OpenAI-compatible server
. "$(dirname "$0")/../lib.sh"
services=$ROOT/tests/integration/services
port=$("$services/chat.sh" up 2>why) || skip_all "no chat server: $(tail -1 why)"
trap '"$services/chat.sh" down; clean_up' EXIT
LIMIT=240
api=http://127.0.0.1:$port/v1
slow=--timeout=900 # a crowded machine takes its time for a prompt of 2,000 tokens
echo '{"id":"q","query":"How old is the zircon?","context":{"VectorRAG_Context":{"0":"The zircon is 21.3 ± 0.4 Ma old."},"GraphRAG_Context":{"0":"zircon Has Age 21.3 ± 0.4 Ma"}},"sources":[{"n":1,"paper":"P","chunk":"P#0000","title":"T"}]}' >q

gr-generate "$slow" --api="$api" --api-model=smollm2 --max-tokens=60 q >a.json 2>err
check "a reply is a record" test $? = 0
check "with a response, the model's name and its usage" jq -e '(.response | type == "string" and length > 0) and (.generator | tostring | test("smollm2")) and (.usage | length > 0)' a.json
check "citations point at sources" jq -e '[.citations[]?.n] - [.sources[].n] == []' a.json
gr-generate "$slow" --api="$api" --api-model=smollm2 --max-tokens=60 --stream q >b.json 2>err
check "streamed: a record too" jq -e '.response | length > 0' b.json
check "the text goes to standard error as it comes" test -s err
head -c 60000 /dev/zero | tr '\0' 'x' | sed 's/xxxxxxxx/zircon /g' | jq -Rc '{id: "long", query: "How old?", context: {VectorRAG_Context: {"0": .}, GraphRAG_Context: {}}, sources: [{n: 1, paper: "P", chunk: "P#0"}]}' >long
gr-generate "$slow" --api="$api" --api-model=smollm2 --max-tokens=20 long q >c.json 2>err
check "a question too long for the model is rejected, the next answered" test $? = 1 -a "$(jq -r .id c.json)" = q
echo '{"id":"P#0","paper":"P","text":"The zircon is 21.3 ± 0.4 Ma old. Gold occurs in arsenian pyrite."}' >c
gr-triples --no-patterns "$slow" --api="$api" --api-model=smollm2 --max-tokens=200 --cache=kept --rejects=bad c >t.ndjson 2>err
rc=$?
check "triples under a schema: facts, or a parse error with the reply" test $rc = 0 -o \( $rc = 1 -a "$(jq -r '.reply | length > 0' bad)" = true \)
check "each is held against the text" jq -es 'all(.unsupported or (.start < .end))' t.ndjson
gr-triples --no-patterns "$slow" --api="$api" --api-model=smollm2 --max-tokens=200 --cache=kept --rejects=bad2 c >t2.ndjson 2>>err
# What was no JSON is not kept, and asked again the model may do better: its own cache moves last bits.
check "asked again, the same comes out" test $rc = 1 -o "$(cat t.ndjson)" = "$(cat t2.ndjson)"
done_testing
