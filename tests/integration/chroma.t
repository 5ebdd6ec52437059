#!/bin/bash
# SPDX-License-Identifier: MIT
# chroma.t — gr-vindex against a real Chroma server: the same hits as the file
. "$(dirname "$0")/../lib.sh"
services=$ROOT/tests/integration/services
port=$("$services/chroma.sh" up 2>why) || skip_all "no Chroma server: $(tail -1 why)"
trap '"$services/chroma.sh" down; clean_up' EXIT
LIMIT=200
url=http://127.0.0.1:$port

# 4,000 records around 60 centres of 48 dimensions: 80 for a "paper", with members of all kinds.
awk -v n=4000 'BEGIN {
    srand(11)
    for (c = 0; c < 60; c++) for (j = 0; j < 48; j++) centre[c, j] = rand() - 0.5
    split("EPSL GCA Lithos Geology", journals, " "); split("body table caption", kinds, " ")
    for (i = 0; i < n + 50; i++) {
        c = int(rand() * 60); v = ""
        for (j = 0; j < 48; j++) v = v (j ? "," : "") sprintf("%.4f", centre[c, j] + (rand() - 0.5) * 0.8)
        if (i >= n) { printf "{\"query\":\"q%d\",\"embedding\":[%s],\"embedding_model\":\"toy/48\"}\n", i - n, v >"queries.ndjson"; continue }
        printf "{\"id\":\"10.1/%d#%04d ü\\\"%s\",\"paper\":\"10.1/%d\",\"text\":\"text %d of %s\",\"year\":%d,\"journal\":\"%s\",\"kind\":\"%s\",\"n\":%.2f,\"open\":%s,\"doi\":%s,\"authors\":[\"a%d\"],\"embedding\":[%s],\"embedding_model\":\"toy/48\"}\n", i / 80, i, i % 3 ? "" : "δ", i / 80, i, c % 2 ? "lavas" : "zircon", 1980 + i % 45, journals[1 + i % 4], kinds[1 + (i * i) % 3], i / 7, i % 5 ? "true" : "false", i % 6 ? "\"10.1/" int(i / 80) "\"" : "null", i % 9, v
    }
}' >records.ndjson
gr-vindex build -q -o file.gri records.ndjson

# shellcheck disable=SC2317  # check calls it
# same FILE FILE: the same hits, but that two whose scores differ by at most 1e-6 may change places
same()
{
    jq -ne --slurpfile a "$1" --slurpfile b "$2" '($a | length) == ($b | length) and
        all(range($a | length); $a[.].vector_hits as $x | $b[.].vector_hits as $y
            | ($x | length) == ($y | length) and all(range($x | length); . as $i
                | ($x[$i].score - $y[$i].score | fabs) <= 1e-6
                and ($x[$i].id == $y[$i].id or any($x[] | select(.id == $y[$i].id); (.score - $y[$i].score | fabs) <= 1e-6)
                    or $i == ($x | length) - 1)
                and ($x[$i].id != $y[$i].id or ($x[$i] | del(.score)) == ($y[$i] | del(.score)))))' >/dev/null
}

# A build that is killed when part of it has arrived goes on. One that was faster than the kill is
# begun again, in smaller steps.
records() { gr-vindex info -q --chroma "$url" 2>/dev/null | jq .records; }
for batch in 20 5 1; do
    gr-vindex build --chroma "$url" --replace --batch $batch records.ndjson 2>/dev/null &
    load=$!
    # Those of an earlier round are 4,000 until they are replaced.
    until { n=$(records) && [ "$n" -gt 500 ] && [ "$n" -lt 4000 ]; } 2>/dev/null || ! kill -0 $load 2>/dev/null; do sleep 0.1; done
    kill -9 $load 2>/dev/null
    wait $load 2>/dev/null
    for _ in $(seq 50); do part=$(records) && [ -n "$part" ] && break || sleep 0.1; done
    [ "$part" -lt 4000 ] && break
done
check "a build that was killed left a part of it: $part records" test "$part" -lt 4000
gr-vindex search -q --chroma "$url" queries.ndjson >/dev/null
check "which can be searched" test $? = 0
gr-vindex build -v --chroma "$url" records.ndjson 2>err
check "the same command goes on" grep -q 'goes on where an earlier build had stopped' err
# The server may have stored the batch that was on its way after it was asked for its count.
sent=$(sed -n 's/.*: \([0-9]*\) records sent, the others were there already/\1/p' err)
check "and sends only what is not there" test $((4000 - part - sent)) -ge 0 -a $((4000 - part - sent)) -le 20
check "it is whole, and says so" test "$(gr-vindex info --chroma "$url" | jq -c '[.records, .dim, .embedding_model, .complete]')" = '[4000,48,"toy/48",true]'

gr-vindex search --mode=dense --hit-fields=all -i file.gri queries.ndjson >file.out
gr-vindex search --chroma "$url" --hit-fields=all queries.ndjson >server.out
check "50 queries: the same hits, members and order" same file.out server.out
check "by any number of jobs" cmp <(gr-vindex search -j3 --chroma "$url" queries.ndjson) <(gr-vindex search -j1 --chroma "$url" queries.ndjson)
jq -c '.embeddings = [.embedding, (.embedding | reverse)] | del(.embedding)' queries.ndjson | head -10 >two.ndjson
check "several vectors of a query are fused alike" cmp <(gr-vindex search --chroma "$url" -k 5 two.ndjson | jq -c '[.vector_hits[].id]') <(gr-vindex search --mode=dense -i file.gri -k 5 two.ndjson | jq -c '[.vector_hits[].id]')
head -6 queries.ndjson >few.ndjson
while read -r f; do
    gr-vindex search --mode=dense -i file.gri --filter "$f" few.ndjson >file.out
    gr-vindex search --chroma "$url" --filter "$f" few.ndjson >server.out
    check "the same of $f ($(head -1 file.out | jq '.vector_hits | length') hits)" same file.out server.out
done <<'F'
.year >= 2015
.year > 1990 and .year <= 2000 and .kind == "table"
.journal == "EPSL" or .journal == "GCA"
.journal | IN("Lithos", "x", 7)
.doi != null
.doi == null and .open
.open | not
.kind != "body"
.n >= 100.25 and .n < 101
.n == 100
.paper | startswith("10.1/4")
.year >= 2000 and (.text | test("zircon"))
.authors[0] == "a3"
.text == "text 77 of lavas" or .text == "text 77 of zircon"
.year > "a"
.none
F

# Ids of other scripts, and of the other command.
id=$(sed -n 4p records.ndjson | jq -r .id)
check "delete: an id with quotes and Greek" gr-vindex delete --chroma "$url" "$id"
check "it is gone" test "$(gr-vindex info --chroma "$url" | jq .records)" = 3999
gr-vindex delete --chroma "$url" "$id" 2>err
check "and is not there a second time: exit 1" test $? = 1 -a -s err
gr-vindex delete -q --chroma "$url" --paper 10.1/7 --paper 10.1/8 --filter '.year == 1999 and (.text | test("lavas"))'
gr-vindex delete -q -i file.gri "$id" --paper 10.1/7 --paper 10.1/8 --filter '.year == 1999 and (.text | test("lavas"))'
check "papers and what a filter selects" cmp <(gr-vindex export --format none --chroma "$url" | jq -cS . | sort) <(gr-vindex export --format none file.gri | jq -cS . | sort)
sed 's/"year":2000/"year":2050/' records.ndjson | gr-vindex add -q --chroma "$url"
sed 's/"year":2000/"year":2050/' records.ndjson | gr-vindex add -q -i file.gri
check "records are replaced and added" cmp <(gr-vindex export --chroma "$url" | jq -cS 'del(.embedding)' | sort) <(gr-vindex export file.gri | jq -cS 'del(.embedding)' | sort)

# More than the server takes at a time: 5,461 records; and a request of more than it reads.
awk 'BEGIN { srand(5); for (i = 0; i < 6000; i++) printf "{\"id\":\"r%d\",\"embedding\":[%f,%f,%f],\"note\":%d}\n", i, rand(), rand(), rand(), i }' >many.ndjson
check "more records than the limit, --batch above it" gr-vindex build --chroma "$url" --collection many --batch 100000 many.ndjson
check "all are there" test "$(gr-vindex info --chroma "$url" --collection many | jq .records)" = 6000
awk 'BEGIN { t = "abcdefg "; while (length(t) < 500000) t = t t; for (i = 0; i < 40; i++) printf "{\"id\":\"r%d\",\"text\":\"%s\",\"embedding\":[%d,1]}\n", i, t, i }' >large.ndjson
check "20 MB of text" gr-vindex build --chroma "$url" --collection large --batch 100000 large.ndjson
check "come back whole" cmp <(gr-vindex export --chroma "$url" --collection large | jq -r '.id + .text' | sort) <(jq -r '.id + .text' large.ndjson | sort)
gr-vindex build --chroma "$url" many.ndjson 2>err
check "what is there is not written over: exit 3, and what to do" test $? = 3 -a -n "$(grep -- --replace err)"
check "unless told so" gr-vindex build --replace --chroma "$url" many.ndjson
head -1 queries.ndjson | gr-vindex search --chroma "$url" 2>err
check "a query of another dimension is rejected by name" test $? = 1 -a -n "$(grep '48 dimensions' err)"
gr-vindex search --chroma "$url" --collection nothing </dev/null 2>err
check "no such collection: exit 3" test $? = 3 -a -s err
"$services/chroma.sh" down
gr-vindex info --chroma "$url" --tries=1 2>err
check "a server that is gone: exit 4" test $? = 4
done_testing
