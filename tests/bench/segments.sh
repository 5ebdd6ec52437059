#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/segments.sh — opening and changing an index of 1 GB: what a change costs, beside a rewrite
#
#   BENCH_RECORDS=600000   how many records of 384 dimensions
set -euo pipefail
n=${BENCH_RECORDS:-600000}
dir=$BENCH/segments
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"
trap 'rm -rf "$dir"' EXIT

# records FROM N: vectors of a pool, so that making them takes no time; texts are their own
records()
{
    awk -v from="$1" -v n="$2" 'BEGIN {
        for (p = 0; p < 256; p++) {
            v = ""
            for (j = 0; j < 384; j++) v = v (j ? "," : "") sprintf("%.3f", rand() - .5)
            pool[p] = v
        }
        split("basalt ridge mantle zircon arc lava isotope crust melt garnet olivine plume", w, " ")
        for (i = from; i < from + n; i++)
            printf "{\"id\":\"c%07d\",\"text\":\"%s of %s and %s %d\",\"embedding\":[%s]}\n",
                i, w[i % 12 + 1], w[int(i / 12) % 12 + 1], w[int(i / 144) % 12 + 1], i, pool[i % 256] }'
}
# drop: ten records that are there, others in each turn i of times
drop() { gr-vindex delete -q -i x.gri c00001"$i"{0..9}; }
# times NAME COMMAND…: processor and clock, the median of five
times()
{
    local name=$1 i TIMEFORMAT='%U %S %R'
    shift
    for i in 1 2 3 4 5; do { time "$@" >out 2>err; } 2>>t || { cat err && return 1; }; done
    awk '{ print ($1 + $2) * 1e3, $3 * 1e3 }' t | sort -n | awk -v name="$name" '
        { cpu[NR] = $1; clock[NR] = $2 } END { printf "%-34s %6.0f ms of processor, %6.0f ms\n", name, cpu[3], clock[3] }'
    rm t
}

records 0 "$n" | gr-vindex build -q --ivf-from=0 -o x.gri
records $((n * 2)) 1000 >thousand.jsonl
records $((n * 3)) 1 >one.jsonl
printf '%d records, %d MB\n' "$n" $(($(stat -c %s x.gri) / 1000000))
times "start of the program" gr-vindex --version
times "open (info)" gr-vindex info x.gri
times "search, one rare word" gr-vindex search -i x.gri -Q 77
times "add 1 record" gr-vindex add -q -i x.gri one.jsonl
times "add 1000 records" gr-vindex add -q -i x.gri thousand.jsonl
times "delete 10 records" drop
times "search after that, one rare word" gr-vindex search -i x.gri -Q 77
times "compact" gr-vindex compact -q x.gri
