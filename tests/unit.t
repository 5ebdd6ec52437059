#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/unit.t — run one compiled test (cmocka speaks TAP) in the clean environment
#
#   usage: tests/unit.t PROGRAM [ARG…]
. "$(dirname "$0")/lib.sh"
case $1 in /*) program=$1 ;; *) program=$ROOT/$1 ;; esac
shift
# Half a minute of computing is several on a crowded machine.
LIMIT=$((LIMIT * 15))
cd "$ROOT" || exit 1
# cmocka calls a skipped test "not ok"; what the test printed just before is the reason.
# shellcheck disable=SC2086 # WRAP is a command line
CMOCKA_MESSAGE_OUTPUT=TAP limited ${WRAP-} "$program" "$@" 2>&1 | awk '
    /^not ok [0-9]+ # SKIP / { print "ok " $3 " - " $6 " # SKIP " (said == "" ? "it says no reason" : said); said = ""; next }
    /^(not )?ok / { said = "" }
    !/^(not )?ok |^1\.\./ { said = $0; sub(/^# /, "", said) }
    { print; fflush() }'
rc=${PIPESTATUS[0]}
# A failed test has said so; a crash or a time-out has not.
[ "$rc" -lt 99 ] || echo "not ok - ${program##*/}: exit $rc"
exit 0
