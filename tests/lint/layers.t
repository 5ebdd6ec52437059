#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/layers.t — common/ includes downwards only, and no tool includes another's files
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1

declare -A layer=()
while read -r module n _; do
    [[ -z $module || $module == '#'* ]] || layer[$module]=$n
done <tests/lint/layers.txt
module_of()
{
    local m=${1##*/}
    m=${m%.*}
    echo "${m%%_*}"
}

bad=()
for f in common/*.[ch]; do
    m=$(module_of "$f")
    if [ -z "${layer[$m]-}" ]; then
        bad+=("$f: module $m has no line in tests/lint/layers.txt")
        continue
    fi
    while IFS=: read -r line inc; do
        inc=${inc#*\"}
        inc=${inc%%\"*}
        [ -f "common/$inc" ] || bad+=("$f:$line: common/ includes $inc, which is not in common/")
        d=$(module_of "$inc")
        [ "${layer[$d]:-99}" -le "${layer[$m]}" ] ||
            bad+=("$f:$line: $m (layer ${layer[$m]}) includes $inc (layer ${layer[$d]:-?})")
    done < <(grep -n '^ *# *include "' "$f")
done
[ ${#bad[@]} -eq 0 ] && ok "common/ includes downwards" || not_ok "common/ includes downwards" "${bad[@]}"

bad=()
for f in tools/*/*.[ch]; do
    while IFS=: read -r line inc; do
        inc=${inc#*\"}
        inc=${inc%%\"*}
        tool=${f#tools/}
        tool=${tool%%/*}
        [ -f "common/$inc" ] || [ -f "tools/$tool/$inc" ] || [ -f "$(dirname "$f")/$inc" ] || {
            uses=$(sed -n "s/^USES_$tool *= *//p" config.mk)
            found=0
            for u in $uses; do [ -f "tools/$u/${inc##*/}" ] && found=1; done
            [ $found = 1 ] || bad+=("$f:$line: $inc belongs to neither common/, $tool nor its USES_$tool in config.mk")
        }
    done < <(grep -n '^ *# *include "' "$f")
done
[ ${#bad[@]} -eq 0 ] && ok "tools include common/ and their own" || not_ok "tools include common/ and their own" "${bad[@]}"

# Only main.c talks to people and ends the process.
bad=()
while read -r hit; do bad+=("$hit"); done < <(
    for f in tools/*/*.c common/*.c; do
        case ${f##*/} in main.c | cmd_*.c | diag.c | progress.c | run.c | run_*.c | opts.c | alloc.c) continue ;; esac
        grep -nHE '\b(exit|printf|puts|putchar|perror)\(|fprintf\(std(err|out)' "$f" | grep -vE '^\S+:\s*(/?\*|//)'
    done
)
[ ${#bad[@]} -eq 0 ] && ok "algorithm files neither print nor exit" || not_ok "algorithm files neither print nor exit" "${bad[@]}"
done_testing
