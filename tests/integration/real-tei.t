#!/bin/bash
# SPDX-License-Identifier: MIT
# real-tei.t — every real TEI file goes the whole way, or is named
. "$(dirname "$0")/../lib.sh"
tei=$GR_SHARED/data/tei
[ -d "$tei" ] || skip_all "no reference data: set GR_SHARED"
[ -f "$SHARE/model/all-MiniLM-L6-v2/model.safetensors" ] || skip_all "the model is not there: make model"
LIMIT=900

gr-grobid2json "$tei" >papers.ndjson 2>err
rc=$?
files=$(find "$tei" -name '*.xml' | wc -l)
n=$(wc -l <papers.ndjson)
named=$(grep -c '\.xml' err)
echo "# $files files, $n papers, exit $rc"
check "each file is a paper or a named rejection" test $((n + named)) -ge "$files"
check "nearly all are papers" test "$n" -ge $((files * 9 / 10))
check "ids are unique or the files are copies" test "$(jq -r .id papers.ndjson | sort -u | wc -l)" -ge $((n * 9 / 10))
gr-chunk papers.ndjson >chunks.ndjson 2>>err
check "they have chunks" test "$(wc -l <chunks.ndjson)" -gt $((n * 5))
# The longest way on a part of them: the encoder does some 15 passages a second on one core.
jq -c 'select(.n < 2)' chunks.ndjson >some.ndjson
gr-embed some.ndjson >idx
check "vectors for all" test "$(wc -l <idx)" = "$(wc -l <some.ndjson)"
gr-triples chunks.ndjson | gr-gquery build -o kg.grg
check "a graph of them" gr-gquery verify -g kg.grg
echo 'How are documents converted to structured text?' | gr-classify | gr-expand | gr-embed |
    gr-vindex search -i idx | gr-gquery -g kg.grg | gr-fuse | gr-generate >a.json
check "a question is answered" jq -e '.vector_hits | length > 0' a.json
done_testing
