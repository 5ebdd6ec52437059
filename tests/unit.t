#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/unit.t — run one compiled test (cmocka speaks TAP) in the clean environment
#
#   usage: tests/unit.t PROGRAM [ARG…]
. "$(dirname "$0")/lib.sh"
case $1 in /*) program=$1 ;; *) program=$ROOT/$1 ;; esac
shift
LIMIT=$((LIMIT * 6))
cd "$ROOT" || exit 1
# shellcheck disable=SC2086 # WRAP is a command line
CMOCKA_MESSAGE_OUTPUT=TAP limited ${WRAP-} "$program" "$@" 2>&1
rc=$?
# A failed test has said so; a crash or a time-out has not.
[ $rc -lt 99 ] || echo "not ok - ${program##*/}: exit $rc"
exit 0
