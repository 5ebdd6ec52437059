#!/bin/bash
# SPDX-License-Identifier: MIT
# index.sh — a folder of papers to a vector index and a knowledge graph
#
#   usage: index.sh [-v] [-g URL] -o DIR PAPER…     files or folders, as gr-grobid2json takes them
#     -g URL   convert PDF files too, by the GROBID service at this address; its TEI is kept in DIR/tei
#
# Makes DIR/papers.ndjson, chunks.ndjson, idx.ndjson (chunks with vectors), lit.gri,
# triples.ndjson and kg.grg. Each file is replaced only when it is whole. A paper that cannot be
# read is named and left out; the exit code is then 1, and what could be read is indexed.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

out=
grobid=()
while getopts vg:o: opt; do
    case $opt in
    v) verbose=-v ;;
    g) grobid=(--grobid="$OPTARG") ;;
    o) out=$OPTARG ;;
    *) die "usage: $name [-v] [-g URL] -o DIR PAPER…" ;;
    esac
done
shift $((OPTIND - 1))
if [ -z "$out" ] || [ $# -eq 0 ]; then die "usage: $name [-v] [-g URL] -o DIR PAPER…"; fi
mkdir -p "$out"
[ ${#grobid[@]} -eq 0 ] || grobid+=(--keep-tei="$out/tei")

# stage TOOL ARG…: exit code 1 means that some records were rejected: remember it and go on.
rejected=0
stage()
{
    local rc=0
    [ -z "$verbose" ] || say "$*"
    "$@" || rc=$?
    [ $rc -le 1 ] || exit $rc
    [ $rc -eq 0 ] || rejected=1
}

stage gr-grobid2json ${verbose:+-v} "${grobid[@]}" -o "$out/papers.ndjson" "$@"
if [ ! -s "$out/papers.ndjson" ]; then
    say "no paper could be read from: $*"
    exit 3
fi
stage gr-chunk ${verbose:+-v} -o "$out/chunks.ndjson" "$out/papers.ndjson"
stage gr-embed ${verbose:+-v} -o "$out/idx.ndjson" "$out/chunks.ndjson"
stage gr-vindex build ${verbose:+-v} -o "$out/lit.gri" "$out/idx.ndjson"
stage gr-triples ${verbose:+-v} -o "$out/triples.ndjson" "$out/chunks.ndjson"
stage gr-gquery build ${verbose:+-v} -o "$out/kg.grg" "$out/triples.ndjson"
exit $rejected
