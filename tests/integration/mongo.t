#!/bin/bash
# SPDX-License-Identifier: MIT
# mongo.t — gr-store against a real MongoDB protocol server
# shellcheck disable=SC2016  # operators of the query language
. "$(dirname "$0")/../lib.sh"
services=$ROOT/tests/integration/services
port=$("$services/mongo.sh" up 2>why) || skip_all "no MongoDB server: $(tail -1 why)"
trap '"$services/mongo.sh" down; clean_up' EXIT
LIMIT=60
db=mongodb://127.0.0.1:$port/grtest

for i in $(seq 0 1499); do printf '{"id":"P#%04d","n":%d,"text":"δ¹⁸O of %d","kinds":["a","b%d"],"deep":{"x":[1,{"y":null}]}}\n' "$i" "$i" "$i" $((i % 3)); done >records
check "put more than one bulk" gr-store put "$db" records
check "count" test "$(gr-store count "$db")" = '{"count":1500}'
check "get gives the same values back" cmp <(gr-store get "$db" 'P#0007' | jq -cS .) <(sed -n 8p records | jq -cS .)
check "find, sort, limit" test "$(gr-store find "$db" --filter='{"n":{"$gte":100,"$lt":103}}' --sort=-n | jq -c .n | xargs)" = '102 101 100'
check "an element of an array" test "$(gr-store count "$db" --filter='{"kinds":"b1"}')" = '{"count":500}'
printf '{"id":"P#0007","n":-1}\n' | gr-store put "$db"
check "put replaces" test "$(gr-store get "$db" 'P#0007')" != '' -a "$(gr-store get "$db" 'P#0007' | jq -c .)" = '{"id":"P#0007","n":-1}'
gr-store get "$db" nobody >out 2>err
check "an id that is not there: exit 1" test $? = 1
check "the address is not printed" bash -c "! grep -q '$port' err"
check "delete by id and filter" test "$(gr-store delete "$db" 'P#0001' | jq -c .)$(gr-store delete "$db" --filter='{"n":{"$gt":1000}}' | jq -c .)" = '{"deleted":1}{"deleted":499}'
gr-store find "$db" --filter='{"n":{"$nonsense":1}}' >out 2>err
check "the server's own words for a bad filter" test $? = 3 -a -s err
check "another collection is another place" test "$(gr-store count "$db" -c papers)" = '{"count":0}'
"$services/mongo.sh" down
gr-store count "$db" >out 2>err
check "a server that is gone: exit 4" test $? = 4
done_testing
