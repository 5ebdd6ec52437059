#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/cases.t — golden cases: every folder of tests/cases/TOOL/, as CONTRIBUTING.md describes
#
#   usage: tests/cases.t TOOL [PREFIX]     only folders whose name starts with PREFIX
#   UPDATE=1 rewrites out, err and rc instead of comparing
. "$(dirname "$0")/lib.sh"

tool=$1
prefix=${2-}
[ -x "$BIN/$tool" ] || [ ! -d "$ROOT/tools/$tool" ] || skip_all "$tool is not built"

diff_of()
{
    diff -U1 --label want --label got "$1" "$2" | cut -c1-300 | head -20
}

# Run the case in $dir in the current folder (a copy); results in $WORK/{out,err,rc}.
run_case()
{
    local in=/dev/null
    [ -f in ] && in=in
    limited bash -o pipefail -c "$(<cmd)" <$in >"$WORK/out" 2>"$WORK/err"
    echo $? >"$WORK/rc"
}

compare_case()
{
    local want_rc=0 got_rc tol=''
    local -a why=()
    [ -f "$dir/rc" ] && want_rc=$(<"$dir/rc")
    [ -f "$dir/tol" ] && tol=$(<"$dir/tol")
    got_rc=$(<"$WORK/rc")
    if [ "$got_rc" != "$want_rc" ]; then
        why+=("exit $got_rc, not $want_rc")
        [ "$got_rc" = 124 ] && why+=("it took longer than $LIMIT s")
    fi
    if [ -f "$dir/out" ] && ! same_out "$dir/out" "$WORK/out" "$tol"; then
        why+=("$(diff_of "$dir/out" "$WORK/out")")
    fi
    if ! same_err "${err_file:-/dev/null}" "$WORK/err"; then
        why+=("stderr:" "$(diff_of "${err_file:-/dev/null}" "$WORK/err")")
    fi
    if [ ${#why[@]} -eq 0 ]; then ok "$name"; else not_ok "$name" "$(<"$dir/cmd")" "${why[@]}"; fi
}

# Files that exist and still fit stay as they are: patterns written by hand survive.
update_case()
{
    local tol='' rc
    [ -f "$dir/tol" ] && tol=$(<"$dir/tol")
    if ! { [ -f "$dir/out" ] && same_out "$dir/out" "$WORK/out" "$tol"; }; then
        cp "$WORK/out" "$dir/out" && echo "# $name: out"
    fi
    if ! same_err "${err_file:-/dev/null}" "$WORK/err"; then
        sed 's/[][*?\\]/\\&/g' "$WORK/err" >"$dir/err" && echo "# $name: err"
        [ -s "$dir/err" ] || rm -f "$dir/err"
    fi
    rc=$(<"$WORK/rc")
    if [ "$rc" = 0 ]; then
        rm -f "$dir/rc"
    elif [ ! -f "$dir/rc" ] || [ "$(<"$dir/rc")" != "$rc" ]; then
        echo "$rc" >"$dir/rc"
        echo "# $name: rc"
    fi
    ok "$name"
}

shopt -s nullglob
n=0
for dir in "$ROOT/tests/cases/$tool/$prefix"*/; do
    dir=${dir%/}
    name=$tool/${dir##*/}
    n=$((n + 1))
    if [ ! -f "$dir/cmd" ]; then
        not_ok "$name" "no file named cmd"
        continue
    fi
    err_file=
    [ -f "$dir/err" ] && err_file=$dir/err
    cd "$WORK" || exit 1
    chmod -R u+rwX w tmp
    rm -rf w tmp
    cp -R "$dir" w
    mkdir tmp
    cd w || exit 1
    rm -f out err rc tol title needs
    if [ -f "$dir/needs" ] && ! missing=$(eval "$(<"$dir/needs")" 2>&1); then
        skip "$name" "${missing:-needs: $(<"$dir/needs")}"
        continue
    fi
    run_case
    if [ "${UPDATE-}" = 1 ]; then update_case; else compare_case; fi
done
[ $n -gt 0 ] || skip_all "no case tests/cases/$tool/$prefix*"
done_testing
