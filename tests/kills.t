#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/kills.t — kill -9 while an index is changed: it is the old one or the new one
#
#   usage: [GR_KILLS=200] tests/kills.t       add, delete and compact in turn, so many kills (20)
#   CONF=fault: in place of kills each write fails, the first, the second, …
. "$(dirname "$0")/lib.sh"
need tool gr-vindex >why || skip_all "$(<why)"
kills=${GR_KILLS:-20}

# records FROM N: N records from number FROM on
records()
{
    awk -v from="$1" -v n="$2" 'BEGIN { srand(from); for (i = from; i < from + n; i++)
        printf "{\"id\":\"r%06d\",\"text\":\"basalt %d of ridge %d\",\"embedding\":[%f,%f,%f,%f]}\n",
            i, i % 17, i % 5, rand() + .1, rand() - .5, rand() - .5, rand() - .5 }'
}
# content FILE: what an index holds, or nothing when it cannot be read
content() { gr-vindex export --format=base64 "$1" 2>/dev/null | cksum; }

# step N: prepare the change number N of lit.gri as the words in ${step[@]}
step()
{
    case $(($1 % 3)) in
    0)
        records $((1000 + $1 * 7)) $((1 + $1 % 3 * 40)) >new.jsonl
        step=(gr-vindex add -q -i lit.gri new.jsonl)
        ;;
    1) step=(gr-vindex delete -q -i lit.gri --filter ".id | endswith(\"$(($1 % 10))\")") ;;
    2) step=(gr-vindex compact -q lit.gri) ;;
    esac
}

# judge NAME OLD NEW: verify passes and the content is one of the two; why it is not otherwise
judge()
{
    local now
    gr-vindex verify lit.gri >verified 2>&1 || { echo "$1: verify: $(<verified)" && return 1; }
    now=$(content lit.gri)
    [ "$now" = "$2" ] || [ "$now" = "$3" ] || { echo "$1: neither the old index nor the new" && return 1; }
}

# Milliseconds that the change takes when nothing stops it; the file is put back.
measure()
{
    local start end
    cp lit.gri kept.gri
    start=$(date +%s%N)
    limited "${step[@]}" || return 1
    end=$(date +%s%N)
    new=$(content lit.gri)
    rm lit.gri && mv kept.gri lit.gri
    took=$(((end - start) / 1000000 + 1))
}

# Does this file system have files without a name?
nameless=0
python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_RDWR)' 2>nameless && nameless=1

kill_loop()
{
    local i=0 n_killed=0 n_new=0 bad=() why at
    while [ $n_killed -lt "$kills" ] && [ $i -lt $((kills * 4)) ] && [ ${#bad[@]} -lt 3 ]; do
        step $i
        i=$((i + 1))
        old=$(content lit.gri)
        measure || { bad+=("${step[*]}: fails by itself") && break; }
        at=$((RANDOM * took / 32768))
        # In braces: bash itself says "Killed".
        { timeout -s KILL "$((at / 1000)).$(printf %03d $((at % 1000)))" "${step[@]}" >killed; } 2>killed && continue
        n_killed=$((n_killed + 1))
        why=$(judge "${step[*]} killed after $at of $took ms" "$old" "$new") || bad+=("$why")
        [ "$old" != "$new" ] && [ "$(content lit.gri)" = "$new" ] && n_new=$((n_new + 1))
        if [ $nameless -eq 1 ] && compgen -G 'lit.gri.??????' >left; then
            # Killed between naming and renaming: then the file is whole.
            gr-vindex verify -q "$(<left)" >verified 2>&1 || bad+=("${step[*]} killed: left half of $(<left)")
        fi
        rm -f lit.gri.??????
    done
    [ $n_killed -gt 0 ] || bad+=("no step ran long enough to be killed")
    if [ ${#bad[@]} -eq 0 ]; then
        ok "$n_killed kills: verify passes, the old index or the new ($n_new)"
    else
        not_ok "kills" "${bad[@]}"
    fi
}

# Each write of a change fails in turn: exit 3, and the index is the old one.
fail_loop()
{
    local name=$1 n=1 rc bad=() why
    old=$(content lit.gri)
    measure || { not_ok "$name" "fails by itself" && return; }
    while [ $n -lt 500 ] && [ ${#bad[@]} -lt 3 ]; do
        GR_FAULT_WRITE=$n limited "${step[@]}" >failed 2>&1
        rc=$?
        [ $rc -eq 0 ] && break
        [ $rc -eq 3 ] && [ -s failed ] || bad+=("write $n: exit $rc: $(head -1 failed)")
        why=$(judge "write $n" "$old" "$old") || bad+=("$why")
        n=$((n + 1))
    done
    [ $n -gt 1 ] || bad+=("no write failed")
    [ "$(content lit.gri)" = "$new" ] || bad+=("after the failures: not the new index")
    if [ ${#bad[@]} -eq 0 ]; then ok "$name: $((n - 1)) writes fail"; else not_ok "$name" "${bad[@]}"; fi
}

records 0 900 >first.jsonl
gr-vindex build -q -o lit.gri first.jsonl || { not_ok "build" && done_testing; }
if [ "$CONF" = fault ]; then
    for i in 0 1 2 3 4; do
        step $i
        fail_loop "${step[1]}"
    done
else
    kill_loop
fi
check "no file is left beside the index" test -z "$(find . -name 'lit.gri.*')"
done_testing
