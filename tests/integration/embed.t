#!/bin/bash
# SPDX-License-Identifier: MIT
# embed.t — gr-embed with a real embedding server: the native encoder's vectors by HTTP
. "$(dirname "$0")/../lib.sh"
services=$ROOT/tests/integration/services
port=$("$services/embed.sh" up 2>why) || skip_all "no embedding server: $(tail -1 why)"
trap '"$services/embed.sh" down; clean_up' EXIT
LIMIT=240
api=http://127.0.0.1:$port/v1
for i in $(seq 40); do echo "{\"id\":\"$i\",\"text\":\"Basalt number $i has δ18O of 5.$i ‰ and a mantle source.\"}"; done >chunks.ndjson

# The smallest cosine of two files of records.
worst() { jq -n --slurpfile a "$1" --slurpfile b "$2" '[range($a | length) as $i | [$a[$i].embedding, $b[$i].embedding] | transpose | map(.[0] * .[1]) | add] | min'; }

gr-embed --format=array chunks.ndjson >native
gr-embed --api="$api" --api-model=minilm --batch=16 -j2 --format=array chunks.ndjson >http
check "every record has a vector" test "$(wc -l <http)" = "$(wc -l <chunks.ndjson)"
check "the server's vectors are the native encoder's" jq -ne "$(worst native http) > 0.999"
check "its name for the model" jq -e '.embedding_model == "minilm/384/api"' http
gr-embed --api="$api" --api-model=minilm --batch=1 -j1 --format=array chunks.ndjson >alone
check "alone or in batches" jq -ne "$(worst alone http) > 0.9999"

{ head -5 chunks.ndjson; yes basalt | head -700 | tr '\n' ' ' | jq -Rc '{id: "long", text: .}'; tail -5 chunks.ndjson; } >with-long
gr-embed --api="$api" --api-model=minilm --rejects=r --tries=2 with-long >got 2>err
check "a text too long for the server is rejected" test $? = 1
check "by name" grep -q 'id "long": .*too large\|id "long": .*too long' err
check "and all others are embedded" test "$(wc -l <got)" = 10
gr-embed --api="$api" --api-model=minilm --cache=c chunks.ndjson >first
"$services/embed.sh" down
gr-embed --api="$api" --api-model=minilm --cache=c --tries=1 chunks.ndjson >second
check "from the cache when the server is gone" cmp first second
gr-embed --api="$api" --api-model=minilm --tries=1 chunks.ndjson >/dev/null 2>err
check "without the cache: service unavailable" test $? = 4
done_testing
