#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/faults.t — the nth allocation, then the nth write, fails: the tool says so and leaves by 3
#
#   usage: tests/faults.t TOOL faults [COMMAND]     needs CONF=fault (-DGR_FAULT), which reads GR_FAULT_ALLOC and
#                                  GR_FAULT_WRITE from the environment
. "$(dirname "$0")/lib.sh"
tool=$1
# shellcheck disable=SC2153 # set by lib.sh
[ "$CONF" = fault ] || skip_all "CONF=$CONF has no fault hooks"
[ -x "$BIN/$tool" ] || skip_all "$tool is not built"
conf=$ROOT/tests/every/$tool${3:+.$3}.conf
[ -f "$conf" ] || skip_all "no tests/every/$tool.conf"

args=() record='' faults=1
declare -A skip=()
prepare() { :; }
sample()
{
    local i
    for ((i = 0; i < $1; i++)); do
        if [ "${record:0:1}" = '{' ]; then
            jq -c --arg i "$i" 'if .id | type == "string" then .id += $i else . end' <<<"$record"
        else
            printf '%s\n' "$record"
        fi
    done
}
# shellcheck disable=SC1090 # one per tool
. "$conf"
[ "$faults" = 1 ] || skip_all "${skip[faults]:-faults=0 in $conf}"
prepare >prepare.log 2>&1 || { not_ok "$tool: prepare" "$(<prepare.log)"; done_testing; }
run=("$tool" ${args[@]+"${args[@]}"})
sample 3 >good.in
limited "${run[@]}" --jobs=1 good.in >want.out 2>want.err
want_rc=$?

# fail_each HOOK: let call 1, 2, 3, … fail until a run no longer meets its failure.
fail_each()
{
    local hook=$1 n=1 tried=0 rc bad=()
    while [ $n -lt 20000 ] && [ ${#bad[@]} -lt 5 ]; do
        rm -rf o && mkdir o
        limited env "$hook=$n" "${run[@]}" --jobs=1 -o o/result good.in >got.out 2>got.err
        rc=$?
        tried=$((tried + 1))
        if [ $rc -eq "$want_rc" ]; then
            break
        elif [ $rc -ne 3 ]; then
            bad+=("$hook=$n: exit $rc, not 3: $(head -2 got.err)")
        elif [ ! -s got.err ]; then
            bad+=("$hook=$n: nothing on stderr")
        elif [ -e o/result ]; then
            bad+=("$hook=$n: a failed run left its output")
        elif [ "$hook" = GR_FAULT_WRITE ] && [ -n "$(ls -A o)" ]; then
            bad+=("$hook=$n: a temporary file is left")
        fi
        # One by one at first, then in growing steps: late failures look alike.
        if [ $n -lt 60 ]; then n=$((n + 1)); else n=$((n + n / 12)); fi
    done
    if [ ${#bad[@]} -eq 0 ]; then ok "$tool: $hook, $tried runs"; else not_ok "$tool: $hook" "${bad[@]}"; fi
}
fail_each GR_FAULT_ALLOC
fail_each GR_FAULT_WRITE
done_testing
