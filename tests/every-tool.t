#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/every-tool.t — what every tool owes its user, whatever its job
#
#   usage: tests/every-tool.t TOOL [SUITE [COMMAND]]
#   SUITE "jobs": only that check (for ThreadSanitizer); COMMAND: read TOOL.COMMAND.conf
#
# tests/every/TOOL.conf (bash) says how to call the tool; CONTRIBUTING.md explains it:
#   args record filter input output many many_files command skip[CHECK] prepare() sample()
. "$(dirname "$0")/lib.sh"

tool=$1
suite=${2:-every}
[ -x "$BIN/$tool" ] || skip_all "$tool is not built"

args=() record='' filter=0 input=ndjson output=ndjson many=200 many_files=() command=${3-}
declare -A skip=()
prepare() { :; }
conf=$ROOT/tests/every/$tool${3:+.$3}.conf
called=$tool${3:+ $3}

# want CHECK: shall it run? A check that is left out says why.
want()
{
    if [ "$suite" = jobs ] && [ "$1" != jobs ]; then return 1; fi
    if [ -n "${skip[$1]-}" ]; then
        skip "$called: $1" "${skip[$1]}"
        return 1
    fi
}
# run_to NAME COMMAND…: its streams to NAME.out and NAME.err, its exit code to $rc.
run_to()
{
    local to=$1
    shift
    limited "$@" >"$to.out" 2>"$to.err"
    rc=$?
}
verdict=()
expect() # WHAT COMMAND…: note what is not so
{
    local what=$1
    shift
    "$@" >/dev/null 2>&1 || verdict+=("$what")
}
report() # CHECK FILE…: ok, or not ok with what was noted and the files' first lines
{
    local key=$1 f
    shift
    if [ ${#verdict[@]} -eq 0 ]; then
        ok "$called: $key"
    else
        for f in "$@"; do [ -s "$f" ] && verdict+=("$f: $(head -3 "$f" | cut -c1-200)"); done
        not_ok "$called: $key" "${verdict[@]}"
    fi
    verdict=()
}
is_empty() { [ ! -s "$1" ]; }
matches() # TEXT PATTERN
{
    # shellcheck disable=SC2053 # a pattern on purpose
    [[ $1 == $2 ]]
}
is_full() { [ -s "$1" ]; }

# ---- help, version, description ----------------------------------------------------------
check_help()
{
    want help || return 0
    local c
    run_to help "$tool" --help
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    expect "nothing on stdout" is_full help.out
    expect "something on stderr" is_empty help.err
    expect "a line is wider than 100 columns" [ "$(LC_ALL=C.UTF-8 wc -L <help.out)" -le 100 ]
    expect "more than 60 lines" [ "$(wc -l <help.out)" -le 60 ]
    run_to h "$tool" -h
    expect "-h is not --help" cmp -s help.out h.out
    report help help.err
    "$tool" --describe 2>/dev/null | jq -r 'select(.commands) | .commands[] | (.name? // .)' >commands
    while read -r c; do
        run_to sub "$tool" "$c" --help
        expect "exit $rc, not 0" [ "$rc" = 0 ]
        expect "nothing on stdout" is_full sub.out
        expect "something on stderr" is_empty sub.err
        expect "a line is wider than 100 columns" [ "$(LC_ALL=C.UTF-8 wc -L <sub.out)" -le 100 ]
        expect "more than 60 lines" [ "$(wc -l <sub.out)" -le 60 ]
        report "help of $c" sub.err
    done <commands
}

check_version()
{
    want version || return 0
    run_to version "$tool" --version
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    expect "does not start with '$tool $(<"$ROOT/VERSION")'" grep -q "^$tool $(<"$ROOT/VERSION")" version.out
    expect "names no library" grep -q -i 'jq' version.out
    expect "something on stderr" is_empty version.err
    run_to v "$tool" -V
    expect "-V is not --version" cmp -s version.out v.out
    report version version.out version.err
}

check_describe()
{
    want describe || return 0
    run_to describe "$tool" --describe
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    expect "something on stderr" is_empty describe.err
    expect "first row lacks tool, version, summary or usage" jq -ne --arg t "$tool" \
        'input | .tool == $t and (.version | type == "string") and (.summary | length > 5)
         and (.usage | type == "array" and length > 0)' describe.out
    expect "an option row is not as it should be" jq -se --arg t "$tool" \
        '.[1:] | all(.tool == $t and (.name | test("^[a-z][a-z0-9-]*$")) and has("command")
           and has("short") and has("arg") and has("default") and has("choices")
           and (.group | length > 0) and (.help | test("^.*[^.]$")))' describe.out
    expect "an option is told twice" jq -se \
        '[.[1:][] | [.command, .name]] | length == (unique | length)' describe.out
    expect "a letter means two things" jq -se \
        '[.[1:][] | select(.short) | [.command, .short]] | length == (unique | length)' describe.out
    expect "a common option is missing" jq -se \
        '[.[1:][].name] as $n | ["help","version","describe","quiet","verbose"] | all(. as $o | $n | index($o))' describe.out
    report describe describe.err describe.out
}

has_option()
{
    "$tool" --describe 2>/dev/null |
        jq -se --arg o "$1" --arg c "$command" '.[1:] | any(.name == $o and (.command == null or .command == $c))' >/dev/null
}

# ---- wrong usage ---------------------------------------------------------------------------
check_unknown_option()
{
    want unknown-option || return 0
    # The hint of a tool with commands may name the one that was meant.
    local several=''
    "$tool" --describe 2>/dev/null | jq -es '.[0].commands | length > 0' >/dev/null && several='*'
    run_to bad "$tool" ${command:+"$command"} --no-such-option </dev/null
    expect "exit $rc, not 2" [ "$rc" = 2 ]
    expect "something on stdout" is_empty bad.out
    expect "not two lines on stderr" [ "$(wc -l <bad.err)" = 2 ]
    expect "the second is not: Try '$tool --help'." matches "$(sed -n 2p bad.err)" "Try '$tool$several --help'."
    expect "the first does not name it" grep -q 'no-such-option' bad.err
    run_to bad2 "$tool" -% </dev/null
    expect "-%: exit $rc, not 2" [ "$rc" = 2 ]
    report unknown-option bad.err bad2.err
    if has_option jobs; then
        run_to bad "${run[@]}" --jobs=x </dev/null
        expect "--jobs=x: exit $rc, not 2" [ "$rc" = 2 ]
        expect "--jobs=x: not two lines on stderr" [ "$(wc -l <bad.err)" = 2 ]
        report bad-value bad.err
    fi
}

check_missing_file()
{
    want missing-file || return 0
    run_to missing "${run[@]}" no/such-file
    expect "exit $rc, not 3" [ "$rc" = 3 ]
    expect "stderr does not name it" grep -q 'no/such-file' missing.err
    report missing-file missing.err
}

# ---- samples -------------------------------------------------------------------------------
# sample N: N good records, told apart by their id where they have one.
sample()
{
    if [ "$input" = ndjson ]; then
        jq -nc --argjson r "$record" --argjson n "$1" \
            'range($n) as $i | $r | if has("id") and (.id | type) == "string" then .id += "-\($i)" else . end'
    else
        local i
        for ((i = 0; i < $1; i++)); do printf '%s\n' "$record"; done
    fi
}

check_empty()
{
    want empty || return 0
    run_to empty "${run[@]}" </dev/null
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    [ "$output" = ndjson ] && expect "something on stdout" is_empty empty.out
    report empty empty.out empty.err
}

check_good()
{
    want good || return 0
    sample 3 >good.in
    run_to good "${run[@]}" <good.in
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    expect "something on stderr" is_empty good.err
    if [ "$output" = ndjson ]; then
        expect "nothing on stdout" is_full good.out
        expect "stdout is not NDJSON objects" jq -e 'type == "object"' good.out
    fi
    [ "$filter" = 1 ] && expect "not as many records as came in" [ "$(wc -l <good.out)" = 3 ]
    report good good.err
    run_to dash "${run[@]}" - <good.in
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    expect "the operand - is not standard input" cmp -s good.out dash.out
    report stdin-dash dash.err
    run_to file "${run[@]}" good.in
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    expect "a file gives another output than standard input" cmp -s good.out file.out
    report file file.err
}

# same_as_good NAME: this variant of the three good records must give the same output.
same_as_good()
{
    want "$1" || return 0
    run_to "$1" "${run[@]}"
    expect "exit $rc, not 0" [ "$rc" = 0 ]
    expect "another output" cmp -s good.out "$1.out"
    expect "something on stderr" is_empty "$1.err"
    report "$1" "$1.err"
}

check_shapes()
{
    { echo; sed -n 1p good.in; printf '  \n\n'; sed -n '2,$p' good.in; echo; } >blank.in
    same_as_good blank-lines <blank.in
    sed 's/$/\r/' good.in >crlf.in
    same_as_good crlf <crlf.in
    printf '%s' "$(<good.in)" >nofinal.in
    same_as_good no-final-newline <nofinal.in
    same_as_good one-byte-reads < <(perl -e 'while (sysread STDIN, $c, 1) { syswrite STDOUT, $c }' <good.in)
}

# ---- bad records ---------------------------------------------------------------------------
# bad_line CHECK LINE: one bad line as the second of three; the others come out as if alone.
bad_line()
{
    want "$1" || return 0
    { sed -n 1p good.in; printf '%s\n' "$2"; sed -n 2p good.in; } >bad.in
    run_to bad "${run[@]}" bad.in
    expect "exit $rc, not 1" [ "$rc" = 1 ]
    expect "stderr does not say bad.in:2:" grep -q 'bad\.in:2:' bad.err
    expect "the good records do not come out as if alone" cmp -s two.out bad.out
    report "$1" bad.err
}

check_bad_records()
{
    sed -n 1,2p good.in >two.in
    run_to two "${run[@]}" two.in
    bad_line truncated-line '{"id":"cut","te'
    bad_line not-an-object '[1,2]'
    bad_line trailing-text '{"id":"x"} {"id":"y"}'
    bad_line invalid-utf8 "$(sed -n 1p good.in | sed $'s/^{/{"zz":"a\xff\xfeb",/')"
    if want huge-line; then
        { sed -n 1p good.in; head -c 70000000 /dev/zero | tr '\0' x; echo; sed -n 2p good.in; } |
            limited "${run[@]}" >huge.out 2>huge.err
        rc=$?
        expect "exit $rc, not 1" [ "$rc" = 1 ]
        expect "the good records do not come out as if alone" cmp -s two.out huge.out
        expect "stderr is empty" is_full huge.err
        expect "stderr repeats the line" [ "$(wc -c <huge.err)" -lt 2000 ]
        report huge-line huge.err
    fi
}

check_policies()
{
    { sed -n 1p good.in; printf '%s\n' '{"id":"cut","te'; sed -n 2p good.in; } >bad.in
    if has_option rejects && want rejects; then
        run_to rejects "${run[@]}" --rejects=rejects.ndjson bad.in
        expect "exit $rc, not 1" [ "$rc" = 1 ]
        expect "the file does not hold {tool,file,line,reason,raw}" jq -se --arg t "$tool" \
            'length == 1 and (.[0] | .tool == $t and .file == "bad.in" and .line == 2
             and (.reason | length > 3) and .raw == "{\"id\":\"cut\",\"te")' rejects.ndjson
        report rejects rejects.err rejects.ndjson
    fi
    if has_option on-error && want on-error-stop; then
        run_to stop "${run[@]}" --on-error=stop bad.in
        expect "exit $rc, not 3" [ "$rc" = 3 ]
        expect "stderr does not say bad.in:2:" grep -q 'bad\.in:2:' stop.err
        report on-error-stop stop.err
    fi
    if has_option max-errors && want max-errors; then
        for _ in 1 2 3 4 5; do echo '{"cut'; done >many.bad
        run_to max "${run[@]}" --max-errors=3 many.bad
        expect "exit $rc, not 3" [ "$rc" = 3 ]
        report max-errors max.err
    fi
    if [ "$filter" = 1 ] && want unknown-field; then
        jq -c '. + {zz_keep: {a: [1, 2.5, "é"], b: null}}' good.in >extra.in
        run_to extra "${run[@]}" extra.in
        expect "exit $rc, not 0" [ "$rc" = 0 ]
        expect "it was lost or changed" jq -se \
            'length == 3 and all(.zz_keep == {a: [1, 2.5, "é"], b: null})' extra.out
        report unknown-field extra.err extra.out
    fi
}

# ---- writing -------------------------------------------------------------------------------
check_writing()
{
    if want dev-full; then
        if [ -w /dev/full ]; then
            limited "${run[@]}" good.in >/dev/full 2>full.err
            rc=$?
            expect "exit $rc, not 3" [ "$rc" = 3 ]
            expect "nothing on stderr" is_full full.err
            report dev-full full.err
        else
            skip "$called: dev-full" "no /dev/full here"
        fi
    fi
    if want head; then
        sample "$many" >many.in
        limited "${run[@]}" many.in 2>head.err | head -1 >head.out
        rc=${PIPESTATUS[0]}
        [ "$rc" = 141 ] || expect "exit $rc, neither 141 nor 0" [ "$rc" = 0 ]
        expect "something on stderr" is_empty head.err
        report head head.err
    fi
    if has_option output && want output; then
        mkdir -p o
        run_to o "${run[@]}" -o o/result good.in
        expect "exit $rc, not 0" [ "$rc" = 0 ]
        expect "something on stdout" is_empty o.out
        [ "$output" = ndjson ] && expect "the file differs from stdout" cmp -s good.out o/result
        expect "other files are left beside it" [ "$(ls -A o)" = result ]
        echo before >o/result
        run_to o "${run[@]}" -o o/result no/such-file
        expect "failing run: exit $rc, not 3" [ "$rc" = 3 ]
        expect "a failing run touched the file" [ "$(cat o/result)" = before ]
        expect "a failing run left files" [ "$(ls -A o)" = result ]
        rm -f o/result
        run_to o "${run[@]}" -o o/result no/such-file
        expect "a failing run made a file" [ -z "$(ls -A o)" ]
        report output o.err
    fi
}

# Bytes that mean nothing, and good records with bytes knocked out: anything but a crash.
check_noise()
{
    local seed
    want noise || return 0
    for seed in 1 2 3; do
        perl -e 'srand($ARGV[0]); print map { chr int rand 256 } 1 .. 100000' $seed
        perl -e 'srand($ARGV[0]); local $/; my $t = <STDIN>; for (1 .. 40) { my $u = $t;
            substr($u, rand length $u, 1 + rand 3) = chr int rand 256 for 1 .. 1 + rand 4; print $u }' $seed <good.in
    done >noise.in
    limited "${run[@]}" <noise.in >noise.out 2>noise.err
    rc=$?
    expect "exit $rc: a crash" [ "$rc" -le 4 ]
    expect "more than 1 MB on stderr" [ "$(wc -c <noise.err)" -lt 1000000 ]
    report noise noise.err
}

check_jobs()
{
    has_option jobs || return 0
    want jobs || return 0
    local f=0 from=(many.in)
    sample "$many" >many.in
    if [ "$input" = ndjson ] && [ -z "${skip[truncated-line]-}" ]; then
        sed -i '7s/$/,/' many.in # a bad record among them: order holds there too
        f=1
    fi
    [ ${#many_files[@]} -eq 0 ] || from=("${many_files[@]}")
    run_to jobs1 "${run[@]}" --jobs=1 "${from[@]}"
    expect "--jobs=1: exit $rc, not $f" [ "$rc" = $f ]
    run_to jobs4 "${run[@]}" --jobs=4 "${from[@]}"
    expect "--jobs=4: exit $rc, not $f" [ "$rc" = $f ]
    expect "another output" cmp -s jobs1.out jobs4.out
    expect "another stderr" cmp -s jobs1.err jobs4.err
    report jobs jobs1.err jobs4.err
}

# shellcheck disable=SC1090 # one per tool
[ -f "$conf" ] && . "$conf"
run=("$tool" ${args[@]+"${args[@]}"})
if [ "$suite" != jobs ]; then
    if [ "$called" = "$tool" ]; then
        check_help
        check_version
        check_describe
    fi
    check_unknown_option
fi
if [ ! -f "$conf" ]; then
    skip "$called: records" "no tests/every/$tool.conf"
    done_testing
fi
if ! prepare >prepare.log 2>&1; then
    not_ok "$called: prepare" "$(<prepare.log)"
    done_testing
fi
sample 3 >good.in
if [ "$suite" != jobs ]; then
    check_missing_file
    check_empty
    check_good
    if [ "$input" = ndjson ]; then
        check_shapes
        check_bad_records
        check_policies
    fi
    check_writing
    check_noise
fi
check_jobs
done_testing
