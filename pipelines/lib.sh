# SPDX-License-Identifier: MIT
# lib.sh — what the pipelines share: finding the tools, retrieval with its trace, messages
# shellcheck shell=bash
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# In a checkout the tools are in build/dev/bin; under PREFIX/share/gr/pipelines they are in
# PREFIX/bin; a copy elsewhere finds them by PATH.
for bin in "$here/../build/${CONF:-dev}/bin" "$here/../../../bin"; do
    if [ -x "$bin/gr-chunk" ]; then
        PATH=$(cd "$bin" && pwd):$PATH
        break
    fi
done

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

# tell: records through; with -v what each stage decided about a record, in the order of the
# stages, goes to standard error before the record goes on.
tell()
{
    [ -n "$verbose" ] || exec cat
    local record
    while IFS= read -r record; do
        jq -r '"? " + (.query // ""), (.trace[]? | "  " + .tool + ": " +
            (del(.tool) | to_entries | map(.key + " " + (.value | tostring)) | join(", ")))' \
            <<<"$record" >&2
        printf '%s\n' "$record"
    done
}

# retrieve DIR vector|hybrid: query records or plain lines in, records with context out.
retrieve()
{
    local index=$1/lit.gri graph=$1/kg.grg
    if [ "$2" = vector ]; then
        gr-classify | gr-embed | gr-vindex search --mode=dense -i "$index" |
            gr-fuse --baseline | tell
    else
        gr-classify | gr-expand | gr-embed | gr-vindex search -i "$index" |
            gr-gquery -g "$graph" | gr-fuse | tell
    fi
}
