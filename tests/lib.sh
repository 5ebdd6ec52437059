# SPDX-License-Identifier: MIT
# tests/lib.sh — what every shell test starts with: a clean environment, a work folder, TAP
#
#   . "$(dirname "$0")/lib.sh"      (first line of a test; it may start the test again, clean)
#   ok NAME; not_ok NAME [WHY…]; skip NAME WHY; check NAME COMMAND…; done_testing
#
# Variables: ROOT the tree, BIN the tools under test, SHARE their data, WORK an empty folder
# (also the current one; removed at the end), GR_SHARED a folder of larger reference data that
# may be absent, LIMIT seconds a command may take.
# shellcheck shell=bash
set -uo pipefail

if [ -z "${GR_TEST_CLEAN-}" ]; then
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    keep=()
    for v in CONF GR_SHARED WRAP UPDATE OFFLINE MAKEFLAGS LD_LIBRARY_PATH ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS TSAN_OPTIONS \
        OPENBLAS_CORETYPE OPENBLAS_L2_SIZE SOURCE_DATE_EPOCH GCOV_PREFIX GR_KILLS GR_SERVICES; do
        [ -n "${!v+set}" ] && keep+=("$v=${!v}")
    done
    exec env -i ${keep[@]+"${keep[@]}"} GR_TEST_CLEAN=1 PATH="$PATH" LC_ALL=C ROOT="$root" \
        "$BASH" "$0" "$@"
fi

CONF=${CONF:-dev}
BIN=$ROOT/build/$CONF/bin
SHARE=$ROOT/build/share
cd "$ROOT" || exit 1
case ${GR_SHARED:=../shared} in /*) ;; *) GR_SHARED=$ROOT/$GR_SHARED ;; esac
WORK=$(mktemp -d "${TMPDIR:-/tmp}/gr-test.XXXXXX") || exit 1
clean_up() { cd / && chmod -R u+rwX "$WORK" && rm -rf "$WORK"; }
trap clean_up EXIT
mkdir "$WORK/tmp" "$WORK/w"
# Where /dev/shm cannot be written libmongoc would say so on standard error, at each start.
export MONGOC_DISABLE_SHM=1
export GR_SERVICE_OWNER=$$ # whose servers those of tests/integration/services are
export TMPDIR=$WORK/tmp PATH="$BIN:$PATH" ROOT BIN SHARE GR_SHARED CONF OPENBLAS_NUM_THREADS=1
LIMIT=20
case $CONF in asan | tsan | fault | cov) LIMIT=60 ;; esac
[ -n "${WRAP-}" ] && LIMIT=120
# Exit code 1 means "some records rejected" here, so sanitizers get one of their own.
export ASAN_OPTIONS="exitcode=99:${ASAN_OPTIONS-}" LSAN_OPTIONS="exitcode=99:${LSAN_OPTIONS-}"
export UBSAN_OPTIONS="exitcode=99:print_stacktrace=1:${UBSAN_OPTIONS-}"
export TSAN_OPTIONS="exitcode=99:${TSAN_OPTIONS-}"
for f in lsan tsan; do
    if [ -f "$ROOT/tests/$f.supp" ]; then
        v=${f^^}_OPTIONS
        export "$v=suppressions=$ROOT/tests/$f.supp:print_suppressions=0:${!v}"
    fi
done

# WRAP='valgrind -q --error-exitcode=99' goes before every tool.
if [ -n "${WRAP-}" ]; then
    mkdir "$WORK/wrap"
    for t in "$BIN"/*; do
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$WRAP" "$t" >"$WORK/wrap/${t##*/}"
        chmod +x "$WORK/wrap/${t##*/}"
    done
    PATH=$WORK/wrap:$PATH
fi
cd "$WORK/w" || exit 1

tap_n=0
ok()
{
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1"
}
not_ok()
{
    tap_n=$((tap_n + 1))
    echo "not ok $tap_n - $1"
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/#   /' | cut -c1-300 | head -40
}
skip()
{
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1 # SKIP ${2//$'\n'/; }"
}
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}
done_testing()
{
    echo "1..$tap_n"
    exit 0
}
# check NAME COMMAND…: ok when the command succeeds, else not ok with what it printed.
check()
{
    local name=$1 said
    shift
    if said=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "$said"; fi
}
# limited COMMAND…: run it for at most LIMIT seconds (exit 124 when it takes longer).
limited()
{
    timeout -k 2 "$LIMIT" "$@"
}

# For `needs` files and tests: say what is missing and fail.
#   need model | need data vocab/minerals.tsv | need shared tei | need tool gr-embed | need cmd gnuplot
need()
{
    case $1 in
    model) [ -f "$SHARE/model/all-MiniLM-L6-v2/model.safetensors" ] || { echo "no model: make model"; false; } ;;
    data) [ -e "$SHARE/$2" ] || { echo "no build/share/$2"; false; } ;;
    shared) [ -e "$GR_SHARED/$2" ] || { echo "no GR_SHARED/$2"; false; } ;;
    tool) [ -x "$BIN/$2" ] || { echo "$2 is not built"; false; } ;;
    cmd) command -v "$2" >/dev/null || { echo "no $2 on this machine"; false; } ;;
    *) echo "need: what is '$1'?"; false ;;
    esac
}

# same_numbers TOL WANT GOT: equal but for numbers, which may differ by TOL * max(1, |want|).
# NDJSON is compared as values, other text word by word.
same_numbers()
{
    if jq -e . "$2" >/dev/null 2>&1 && jq -e . "$3" >/dev/null 2>&1; then
        jq -en --argjson tol "$1" --slurpfile a "$2" --slurpfile b "$3" '
            def mag: if . < 0 then -. else . end;
            def same($a; $b):
              if ($a | type) != ($b | type) then false
              elif ($a | type) == "number" then ($a - $b | mag) <= $tol * ([1, ($a | mag)] | max)
              elif ($a | type) == "array" then
                ($a | length) == ($b | length) and all(range($a | length); same($a[.]; $b[.]))
              elif ($a | type) == "object" then
                ($a | keys) == ($b | keys) and all($a | keys[]; same($a[.]; $b[.]))
              else $a == $b end;
            same($a; $b)' >/dev/null
    else
        awk -v tol="$1" '
            function num(s) { return s ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }
            function mag(x) { return x < 0 ? -x : x }
            NR == FNR { want[FNR] = $0; n = FNR; next }
            { if (FNR > n) exit bad = 1
              k = split(want[FNR], w); if (k != NF) exit bad = 1
              for (i = 1; i <= k; i++) if (w[i] != $i) {
                  m = mag(w[i]); if (m < 1) m = 1
                  if (!num(w[i]) || !num($i) || mag(w[i] - $i) > tol * m) exit bad = 1 }
              got = FNR }
            END { exit bad || got != n }' "$2" "$3"
    fi
}

# same_out WANT GOT [TOL]: the bytes, or the values when both are NDJSON.
same_out()
{
    cmp -s "$1" "$2" && return 0
    if jq -cS . "$1" >"$WORK/want.canon" 2>/dev/null && jq -cS . "$2" >"$WORK/got.canon" 2>/dev/null &&
        cmp -s "$WORK/want.canon" "$WORK/got.canon"; then
        return 0
    fi
    [ -n "${3-}" ] && same_numbers "$3" "$1" "$2"
}

# same_err GLOBS GOT: each line of GLOBS is a shell pattern for one line; ** is any number of lines.
same_err()
{
    local -a want got
    mapfile -t want <"$1"
    mapfile -t got <"$2"
    local w=0 g=0 open=0
    while [ $w -lt ${#want[@]} ]; do
        if [ "${want[w]}" = '**' ]; then
            open=1 w=$((w + 1))
            continue
        fi
        while :; do
            [ $g -lt ${#got[@]} ] || return 1
            # shellcheck disable=SC2053 # a pattern on purpose
            if [[ ${got[g]} == ${want[w]} ]]; then break; fi
            [ $open = 1 ] || return 1
            g=$((g + 1))
        done
        open=0 w=$((w + 1)) g=$((g + 1))
    done
    [ $open = 1 ] || [ $g -eq ${#got[@]} ]
}
