#!/bin/bash
# SPDX-License-Identifier: MIT
# man/build.sh — one manual page from prose, the tool's own description, and its tested examples
#
#   usage: man/build.sh TOOL BINARY PAGE
#
# man/TOOL.1.in is mdoc; a line that is exactly one of these words is replaced:
#   @OPTIONS@   from BINARY --describe        @EXIT@      from man/exit.inc
#   @EXAMPLES@  from tests/cases/TOOL/*example-*/{title,cmd,out}       @DATE@ in .Dd
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$1 binary=$2 page=$3
lines_shown=6
columns_shown=100
shopt -s nullglob
export LC_ALL=C.UTF-8

# Literal text in mdoc: escapes, and no line that looks like a request.
literal() { sed -e 's/\\/\\e/g' -e "s/'/\\\\(aq/g" -e 's/`/\\(ga/g' -e 's/-/\\-/g' -e 's/\^/\\(ha/g' -e 's/~/\\(ti/g' -e 's/^\./\\\&./' -e 's/[[:space:]]*$//'; }

# Lines of more than $columns_shown characters end in an ellipsis.
shorten()
{
    local line
    while IFS= read -r line; do
        if [ ${#line} -gt $columns_shown ]; then line=${line:0:columns_shown-1}…; fi
        printf '%s\n' "$line"
    done
}

examples()
{
    local dir first=1
    for dir in tests/cases/"$tool"/example-*/ tests/cases/"$tool"/*-example-*/; do
        [ $first = 1 ] || echo .Pp
        first=0
        if [ -f "$dir/title" ]; then
            sed -e 's/\\/\\e/g' -e 's/^[.'"'"']/\\\&&/' "$dir/title"
        fi
        # The case is told by its folder in a comment: a test looks for it.
        echo ".\\\" case $(basename "$dir")"
        echo '.Bd -literal -offset indent'
        printf '$ %s' "$(literal <"$dir/cmd")"
        if [ -f "$dir/in" ] && ! grep -q '[<|]' "$dir/cmd"; then printf ' < %s' in; fi
        echo
        if [ -s "$dir/out" ]; then
            head -n $lines_shown "$dir/out" | shorten | literal
            [ "$(wc -l <"$dir/out")" -le $lines_shown ] || echo '…'
        fi
        echo .Ed
    done
}

# A manual does not change by being built again: its date is the source's, or the release's.
date_of()
{
    local when=${SOURCE_DATE_EPOCH-}
    [ -n "$when" ] || when=$(git log -1 --format=%ct -- "man/$tool.1.in" 2>/dev/null) || when=
    LC_ALL=C date -u -d "@${when:-1767225600}" '+%B %-d, %Y'
}

temp=$page.part
trap 'rm -f "$temp" "$temp".*' EXIT
"$binary" --describe | jq -srf man/opts2mdoc.jq >"$temp.options"
examples >"$temp.examples"
[ -s "$temp.examples" ] || echo 'None yet.' >"$temp.examples"
awk -v d="$temp" -v date="$(date_of)" '
    function splice(file, line) { while ((getline line <file) > 0) print line }
    $0 == "@OPTIONS@" { splice(d ".options"); next }
    $0 == "@EXAMPLES@" { splice(d ".examples"); next }
    $0 == "@EXIT@" { splice("man/exit.inc"); next }
    /^\.Dd / { sub(/@DATE@/, date) }
    { print }' "man/$tool.1.in" >"$temp"
mv "$temp" "$page"
