#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/whole.t — every tool comes with its cases, its example, and its conf
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
shopt -s nullglob
for m in tools/*/main.c; do
    t=${m#tools/}
    t=${t%/main.c}
    bad=()
    cases=(tests/cases/"$t"/*/)
    [ ${#cases[@]} -ge 5 ] || bad+=("${#cases[@]} cases in tests/cases/$t: write five at least")
    examples=(tests/cases/"$t"/example-*/ tests/cases/"$t"/*-example-*/)
    [ ${#examples[@]} -ge 1 ] || bad+=("no example case (NN-example-NAME) for the manual page")
    [ -f "tests/every/$t.conf" ] || bad+=("no tests/every/$t.conf: the common checks cannot call it")
    if [ ${#bad[@]} -eq 0 ]; then ok "$t: ${#cases[@]} cases"; else not_ok "$t" "${bad[@]}"; fi
done

# A case that nobody runs proves nothing.
bad=()
for d in tests/cases/*/; do
    t=${d#tests/cases/}
    [ -d "tools/$t" ] || bad+=("$d: no such tool")
done
for d in tests/cases/*/*/; do
    [ -s "$d/cmd" ] || bad+=("$d: no cmd")
    [ "$(wc -l <"$d/cmd" 2>/dev/null || echo 1)" -le 1 ] || bad+=("$d: cmd is more than one line")
    [ -f "$d/out" ] || [ -f "$d/err" ] || [ -f "$d/rc" ] || bad+=("$d: neither out, err nor rc: it only checks that nothing is said")
done
if [ ${#bad[@]} -eq 0 ]; then ok "cases are whole"; else not_ok "cases are whole" "${bad[@]}"; fi
done_testing
