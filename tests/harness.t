#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/harness.t — the tests' own tools: a comparison that cannot fail would prove nothing
. "$(dirname "$0")/lib.sh"

# verdict NAME WANT FUNCTION ARG…: the function must say WANT (0 same, 1 different).
verdict()
{
    local name=$1 want=$2 got=0
    shift 2
    "$@" >said 2>&1 || got=1
    if [ $got = "$want" ]; then ok "$name"; else not_ok "$name" "$* gave $got, not $want" "$(<said)"; fi
}
files()
{
    printf '%b' "$1" >a
    printf '%b' "$2" >b
}
out_is() # NAME WANT A B [TOL]
{
    files "$3" "$4"
    verdict "out: $1" "$2" same_out a b ${5+"$5"}
}
err_is() # NAME WANT GLOBS TEXT
{
    files "$3" "$4"
    verdict "err: $1" "$2" same_err a b
}

out_is 'equal bytes' 0 'x\n' 'x\n'
out_is 'other bytes' 1 'x\n' 'y\n'
out_is 'a missing line' 1 'x\ny\n' 'x\n'
out_is 'nothing where something belongs' 1 'x\n' ''
out_is 'something where nothing belongs' 1 '' '{"a":1}\n'
out_is 'another order of keys' 0 '{"a":1,"b":2}\n' '{"b":2,"a":1}\n'
out_is 'another value' 1 '{"a":1}\n' '{"a":2}\n'
out_is 'another order of records' 1 '{"a":1}\n{"a":2}\n' '{"a":2}\n{"a":1}\n'
out_is 'a lost record' 1 '{"a":1}\n{"a":2}\n' '{"a":1}\n'
out_is 'null is not absent' 1 '{"a":null}\n' '{}\n'
out_is 'within the tolerance' 0 '{"a":[1,2.0001]}\n' '{"a":[1,2]}\n' 0.001
out_is 'beyond the tolerance' 1 '{"a":[1,2.01]}\n' '{"a":[1,2]}\n' 0.001
out_is 'tolerance grows with the number' 0 '{"a":20000}\n' '{"a":20001}\n' 0.001
out_is 'tolerance is for numbers only' 1 '{"a":"1.0001"}\n' '{"a":"1"}\n' 0.001
out_is 'tolerance: a missing element' 1 '{"a":[1,2]}\n' '{"a":[1]}\n' 9
out_is 'tolerance: a missing key' 1 '{"a":1,"b":2}\n' '{"a":1}\n' 9
out_is 'tolerance: a missing record' 1 '{"a":1}\n{"a":1}\n' '{"a":1}\n' 9
out_is 'text within the tolerance' 0 'mean 1.50 of 3\n' 'mean 1.5004 of 3\n' 0.001
out_is 'text beyond it' 1 'mean 1.50 of 3\n' 'mean 1.51 of 3\n' 0.001
out_is 'text with another word' 1 'mean 1.5\n' 'mode 1.5\n' 9
out_is 'text with a missing line' 1 'a 1\nb 2\n' 'a 1\n' 9

err_is 'nothing' 0 '' ''
err_is 'something unexpected' 1 '' 'warning\n'
err_is 'a pattern' 0 'gr-x: *: no such*\n' 'gr-x: foo: no such file\n'
err_is 'another text' 1 'gr-x: *: no such*\n' 'gr-x: foo: denied\n'
err_is 'a missing line' 1 'a*\nb*\n' 'aa\n'
err_is 'a line too many' 1 'a*\n' 'aa\nbb\n'
err_is 'any lines' 0 '**\n' 'aa\nbb\n'
err_is 'any lines, none' 0 'a\n**\n' 'a\n'
err_is 'any lines between' 0 'a\n**\nz\n' 'a\nb\nc\nz\n'
err_is 'any lines, the last missing' 1 'a\n**\nz\n' 'a\nb\nc\n'
err_is 'quoted brackets' 0 '\\[a\\]\n' '[a]\n'
err_is 'brackets are a set' 1 '[a]\n' '[a]\n'

[ -z "${HOME-}" ] && ok "no HOME" || not_ok "no HOME"
[ "$(locale 2>/dev/null | sed -n 's/^LC_ALL=//p')" = C ] && ok "LC_ALL=C" || not_ok "LC_ALL=C"
[ -z "$(ls -A "$TMPDIR")" ] && ok "TMPDIR is empty" || not_ok "TMPDIR is empty"
# shellcheck disable=SC2034 # read by limited
LIMIT=1
limited sleep 5
[ $? = 124 ] && ok "time runs out" || not_ok "time runs out"
verdict 'need: what is absent' 1 need tool gr-nothing
verdict 'need: what is there' 0 need cmd bash

# Completion scripts complete.
complete_word() # SCRIPT TOOL WORD…: what the last word may become
{
    bash -c 'compopt() { :; }; . "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
             "_${1//-/_}"; printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}
for b in "$BIN"/gr-*; do
    t=${b##*/}
    "$t" --describe 2>/dev/null | jq -srf "$ROOT/man/completion.jq" --arg shell bash >"$t.bash"
    cmd=$("$t" --describe | jq -rn 'input.commands[0].name? // empty')
    bad=()
    # shellcheck disable=SC2086 # no command, no word
    complete_word "$t.bash" "$t" $cmd --on | grep -q '^--on-error=$' || bad+=("--on gives no --on-error=")
    # shellcheck disable=SC2086
    [ "$(complete_word "$t.bash" "$t" $cmd --on-error = s)" = $'skip\nstop' ] || bad+=("--on-error=s gives no skip and stop")
    if [ ${#bad[@]} -eq 0 ]; then ok "completion of $t"; else not_ok "completion of $t" "${bad[@]}"; fi
done
done_testing
