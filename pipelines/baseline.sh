#!/bin/bash
# SPDX-License-Identifier: MIT
# baseline.sh — the same question answered from vectors alone: what the hybrid is compared with
#
#   usage: baseline.sh [-jv] [-a URL] -i DIR [QUESTION]…        options as in ask.sh
. "$(dirname "$0")/lib.sh"

dir='' format=text api=()
usage="usage: $name [-jv] [-a URL] -i DIR [QUESTION]…"
while getopts jva:i: opt; do
    case $opt in
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

if [ $# -gt 0 ]; then printf '%s\n' "$@"; else cat; fi |
    retrieve "$dir" vector |
    gr-generate "${api[@]}" --format=$format
