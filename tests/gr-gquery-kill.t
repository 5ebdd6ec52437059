#!/bin/bash
# SPDX-License-Identifier: MIT
# gr-gquery-kill.t — kill -9 at any moment of add leaves the graph as it was, or with all added
#
#   usage: tests/gr-gquery-kill.t [KILLS]      how often, 20 by default
. "$(dirname "$0")/lib.sh"
kills=${1:-20}
awk 'BEGIN { for (i = 0; i < 6000; i++) printf "{\"head\":\"n%d\",\"relation\":\"R\",\"tail\":\"n%d\",\"paper\":\"P%d\",\"evidence\":\"sentence %d of paper %d\"}\n", i % 700, i * 7 % 901, i % 50, i, i % 50 }' >all.ndjson
head -3000 all.ndjson | gr-gquery build --no-synonyms -q -o old.grg
since=$EPOCHREALTIME
gr-gquery build --no-synonyms -q -o new.grg all.ndjson
# An add takes about as long; twice that is waited at most.
span=$(awk -v a="$since" -v b="$EPOCHREALTIME" 'BEGIN { printf "%d", 2e6 * (b - a) }')
old=0 new=0 bad=0
RANDOM=5
for _ in $(seq "$kills"); do
    cp old.grg kg.grg
    tail -3000 all.ndjson >rest
    gr-gquery add -q -g kg.grg rest &
    pid=$!
    sleep "$(awk -v r=$RANDOM -v s="$span" 'BEGIN { printf "%.6f", r / 32768 * s / 1e6 }')"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    gr-gquery verify -g kg.grg || bad=$((bad + 1))
    if cmp -s kg.grg old.grg; then
        old=$((old + 1))
    elif cmp -s kg.grg new.grg; then
        new=$((new + 1))
    else
        bad=$((bad + 1))
    fi
done
echo "# $kills kills: $old as before, $new with all added"
check "after each of $kills kills the graph is the old or the new one" test "$bad" = 0
check "the lock died with its holder" gr-gquery add -q -g kg.grg all.ndjson
check "and what was left beside the graph is no matter" cmp kg.grg new.grg
done_testing
