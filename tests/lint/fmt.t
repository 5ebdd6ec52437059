#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/fmt.t — C files are as clang-format 14 writes them (make fmt)
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
format=$(command -v clang-format-14 || command -v clang-format) || skip_all "no clang-format: make deps-dev"
"$format" --version | grep -q 'version 14\.' || skip_all "clang-format is not version 14"
shopt -s nullglob
bad=()
for f in common/*.[ch] tools/*/*.[ch] tests/*/*.[ch]; do
    "$format" --dry-run -Werror "$f" >/dev/null 2>"$WORK/said" || bad+=("$(grep -m1 error: "$WORK/said" || echo "$f")")
done
if [ ${#bad[@]} -eq 0 ]; then ok "format (make fmt)"; else not_ok "format (make fmt)" "${bad[@]}"; fi
grep -nHIE '[[:space:]]+$' common/*.[ch] tools/*/*.[ch] Makefile config.mk ./*.md man/* tests/*.t >"$WORK/blank" 2>/dev/null
if [ -s "$WORK/blank" ]; then not_ok "no blanks at line ends" "$(<"$WORK/blank")"; else ok "no blanks at line ends"; fi
done_testing
