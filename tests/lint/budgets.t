#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/budgets.t — functions and files stay small enough to read
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
ctags --version 2>/dev/null | grep -q Universal || skip_all "no universal-ctags: make deps-dev"

ctags -x --c-kinds=f --fields=+ne --_xformat='%{line} %{end} %{name} %F' common/*.c tools/*/*.c >"$WORK/functions"
awk '{ n = $2 - $1 + 1; if (n > 60) print n, $4 ":" $1 ": " $3 }' "$WORK/functions" | sort -rn >"$WORK/long"
total=$(wc -l <"$WORK/functions")
long=$(wc -l <"$WORK/long")
huge=$(awk '$1 > 120' "$WORK/long")
if [ $((long * 20)) -le "$total" ]; then
    ok "functions of more than 60 lines: $long of $total (at most 5 %)"
else
    not_ok "functions of more than 60 lines: $long of $total (at most 5 %)" "$(<"$WORK/long")"
fi
if [ -z "$huge" ]; then ok "no function of more than 120 lines"; else not_ok "no function of more than 120 lines" "$huge"; fi

wc -l common/*.[ch] tools/*/*.[ch] | awk '$2 != "total" && $1 > 600' | sort -rn >"$WORK/files"
if awk '$1 > 1000 { bad = 1 } END { exit bad }' "$WORK/files"; then
    ok "no file of more than 1000 lines"
else
    not_ok "no file of more than 1000 lines" "$(awk '$1 > 1000' "$WORK/files")"
fi
# More than 600 needs a reason, written in the file: a line "length: why".
bad=()
while read -r n f; do
    grep -q 'length: ' "$f" || bad+=("$f: $n lines: split it, or say why not in a comment 'length: …'")
done <"$WORK/files"
[ ${#bad[@]} -eq 0 ] && ok "no file of more than 600 lines without a reason" || not_ok "no file of more than 600 lines without a reason" "${bad[@]}"
bad=()
for m in tools/*/main.c; do
    n=$(wc -l <"$m")
    [ "$n" -le 250 ] || bad+=("$m: $n lines (at most 250): move commands to cmd_NAME.c")
done
[ ${#bad[@]} -eq 0 ] && ok "main.c files of at most 250 lines" || not_ok "main.c files of at most 250 lines" "${bad[@]}"
done_testing
