#!/bin/bash
# SPDX-License-Identifier: MIT
# ask.sh — a question to an answer with citations, from vectors and graph together
#
#   usage: ask.sh [-bjv] [-a URL] -i DIR [QUESTION]…
#
# DIR is what index.sh made. Without QUESTION, questions are read from standard input, one a line
# or as query records. -v shows what each stage decided, as it happens; -j writes the whole
# records instead of text; -a URL lets a chat model behind an OpenAI-compatible URL write the
# answer; -b asks the vectors alone, which is what the hybrid is compared with.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

dir='' format=text api=() system=hybrid
usage="usage: $name [-bjv] [-a URL] -i DIR [QUESTION]…"
while getopts bjva:i: opt; do
    case $opt in
    b) system=vector ;;
    j) format=json ;;
    v) verbose=-v ;;
    a) api=(--api="$OPTARG") ;;
    i) dir=$OPTARG ;;
    *) die "$usage" ;;
    esac
done
shift $((OPTIND - 1))
[ -n "$dir" ] || die "$usage"
need "$dir/lit.gri" "make it with index.sh -o $dir TEI…"
[ $system = vector ] || need "$dir/kg.grg" "make it with index.sh -o $dir TEI…"

if [ $# -gt 0 ]; then printf '%s\n' "$@"; else cat; fi |
    retrieve "$dir" $system |
    gr-generate "${api[@]}" --format=$format
