# SPDX-License-Identifier: MIT
# lib.sh — what the pipelines share: finding the tools, one step with its trace, messages
# shellcheck shell=bash
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# In a checkout the tools are in build/dev/bin; an installed copy finds them by PATH.
if [ -x "$here/../build/${CONF:-dev}/bin/gr-chunk" ]; then
    PATH=$(cd "$here/../build/${CONF:-dev}/bin" && pwd):$PATH
fi

name=${0##*/}
verbose=

say() { printf '%s: %s\n' "$name" "$*" >&2; }
die()
{
    say "$*"
    exit 2
}

# need FILE HOW: stop when FILE is not there, and tell how it is made.
need()
{
    [ -e "$1" ] && return 0
    say "$1: not there: $2"
    exit 3
}

# step TOOL ARG…: run one stage; with -v its newest trace entry goes to standard error as each
# record leaves it.
step()
{
    if [ -n "$verbose" ]; then
        "$@" | tee >(jq -rc --unbuffered '.trace // [] | last // empty | "  " + tojson' >&2)
    else
        "$@"
    fi
}

# retrieve DIR vector|hybrid: query records or plain lines in, records with context out.
retrieve()
{
    local index=$1/lit.gri graph=$1/kg.grg
    if [ "$2" = vector ]; then
        step gr-classify | step gr-embed | step gr-vindex search --mode=dense -i "$index" |
            step gr-fuse --baseline
    else
        step gr-classify | step gr-expand | step gr-embed | step gr-vindex search -i "$index" |
            step gr-gquery -g "$graph" | step gr-fuse
    fi
}
