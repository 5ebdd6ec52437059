#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/man.t — manual pages are correct mdoc, whole, and show every example case
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
shopt -s nullglob
command -v mandoc >/dev/null || skip_all "no mandoc: make deps"
pages=(build/man/*.[157])
[ ${#pages[@]} -gt 0 ] || skip_all "no page is built: make man"

# Cross references to pages that the system lacks are style, not warnings, for mandoc.
for p in "${pages[@]}"; do
    check "${p##*/}: mandoc has nothing to say" mandoc -Tlint -Wwarning "$p"
done

bad=()
for b in build/dev/bin/gr-*; do
    t=${b##*/}
    if [ ! -f "build/man/$t.1" ]; then
        bad+=("$t has no page: write man/$t.1.in")
        continue
    fi
    for s in NAME SYNOPSIS DESCRIPTION OPTIONS RECORDS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        grep -qE "^\.Sh \"?$s\"?$" "build/man/$t.1" || bad+=("$t.1 has no section $s")
    done
    grep -q '@[A-Z]*@' "build/man/$t.1" && bad+=("$t.1: a placeholder is left: $(grep -m1 '@[A-Z]*@' "build/man/$t.1")")
    # Every option is told, and in the page's own words as in --help.
    while read -r name; do
        grep -qF -- "Fl \\-${name//-/\\-}" "build/man/$t.1" || bad+=("$t.1 does not tell of --$name")
    done < <("$b" --describe | jq -r 'select(.name) | .name' | sort -u)
done
if [ ${#bad[@]} -eq 0 ]; then ok "every tool has a whole page"; else not_ok "every tool has a whole page" "${bad[@]}"; fi

bad=()
for d in tests/cases/*/example-*/ tests/cases/*/*-example-*/; do
    t=${d#tests/cases/}
    t=${t%%/*}
    name=$(basename "$d")
    grep -qF ".\\\" case $name" "build/man/$t.1" 2>/dev/null || bad+=("$t/$name is in no page")
    [ -s "$d/title" ] || bad+=("$t/$name has no title: the sentence before it in the page")
done
if [ ${#bad[@]} -eq 0 ]; then ok "every example case is in a page"; else not_ok "every example case is in a page" "${bad[@]}"; fi

# Records that pages speak of are defined in one place.
if [ -f build/man/gr-records.5 ]; then ok "gr-records.5 is there"; else skip "gr-records.5 is there" "man/gr-records.5 is not written"; fi
done_testing
