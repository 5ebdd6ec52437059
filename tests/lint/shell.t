#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/shell.t — shellcheck over every script
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
command -v shellcheck >/dev/null || skip_all "no shellcheck: make deps-dev"
scripts=()
while IFS= read -r -d '' f; do
    case $f in
    *.sh | tests/every/*.conf) scripts+=("$f") ;;
    *) head -c 64 "$f" | head -1 | grep -aqE '^#!.*\b(ba)?sh\b' && scripts+=("$f") ;;
    esac
done < <(find .ci man pipelines tests tools examples -type f -not -path 'tests/cases/*' -size -200k -print0 2>/dev/null)
# SC2016: jq and perl want single quotes. The settings of tests/every are read by another script,
# and their array keys are words (SC2034, SC2154).
bad=()
for f in "${scripts[@]}"; do
    off=SC1091,SC2016,SC2015
    follow=()
    case $f in
    tests/every/*) off+=,SC2034,SC2154 ;;
    pipelines/* | tests/integration/*) follow=(-x -P SCRIPTDIR) ;;
    esac
    said=$(shellcheck "${follow[@]}" -s bash -e $off -f gcc "$f") || bad+=("$said")
done
if [ ${#bad[@]} -eq 0 ]; then ok "${#scripts[@]} scripts"; else not_ok "${#scripts[@]} scripts" "${bad[@]}"; fi
bad=()
for f in pipelines/*.sh .ci/*; do
    [ ! -f "$f" ] || [ "${f##*.}" = py ] || grep -q '^set -euo pipefail$' "$f" || bad+=("$f: no 'set -euo pipefail'")
done
if [ ${#bad[@]} -eq 0 ]; then ok "pipelines stop at errors"; else not_ok "pipelines stop at errors" "${bad[@]}"; fi
done_testing
