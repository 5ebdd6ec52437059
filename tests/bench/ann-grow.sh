#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/ann-grow.sh — how building and searching an index grow with the number of vectors: CPU
# time, memory, recall; SIZES of DIM numbers, as a table and in build/bench/ann-grow.svg
#
# Rows are made up: clusters of a size that grows as the square root of their number. Queries are
# 500 more rows of the same kind; recall is that of the 10 nearest by --exact. Time of a query is
# that of 500 of them in one process less that of starting it: reading and writing NDJSON is in it,
# and so is making the bytes of rows, of those that are looked at or, in small indexes, of all.
set -euo pipefail
dir=$BENCH/ann-grow dim=${DIM:-384} sizes=${SIZES:-10000 30000 100000 300000 1000000}
rows=$ROOT/build/dev/tests/bench/bench_gr-vindex_rows table=$BENCH/ann-grow.txt
[ -x "$rows" ] || { echo "skipped: run make bench-ann, which builds $rows"; exit 0; }
mkdir -p "$dir"

# CPU seconds and the most memory in MB of a command, whose output goes to $dir/out.
measure()
{
    python3 - "$dir/out" "$@" <<'PY'
import resource, subprocess, sys
with open(sys.argv[1], "wb") as out:
    subprocess.run(sys.argv[2:], stdout=out, check=True)
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{u.ru_utime + u.ru_stime:.2f} {u.ru_maxrss / 1024:.0f}")
PY
}

# Hits of the first file that the second has, too, by part.
recall()
{
    jq -n --slurpfile a <(jq -c '[.vector_hits[].id]' "$1") --slurpfile b <(jq -c '[.vector_hits[].id]' "$2") \
        '[range($a | length) as $i | $a[$i] - ($a[$i] - $b[$i]) | length] | add / ($a | map(length) | add) * 10000 | round / 10000'
}

echo '# vectors  build_s  build_MB  flat_s  file_MB  query_us  query_MB  exact_us  recall' | tee "$table"
for n in $sizes; do
    centres=$(awk -v n="$n" 'BEGIN { print int(sqrt(n)) }')
    "$rows" 0 "$n" "$dim" "$centres" >"$dir/rows.ndjson"
    "$rows" 100000000 500 "$dim" "$centres" >"$dir/q.ndjson"
    head -1 "$dir/q.ndjson" >"$dir/q1.ndjson"
    read -r flat _ < <(measure gr-vindex build -q --no-sparse --ivf-from=0 -j1 -o "$dir/x.gri" "$dir/rows.ndjson")
    read -r build mb < <(measure gr-vindex build -q --no-sparse -j1 -o "$dir/x.gri" "$dir/rows.ndjson")
    read -r start _ < <(measure gr-vindex search -q -j1 --hit-fields=id -i "$dir/x.gri" "$dir/q1.ndjson")
    read -r exact _ < <(measure gr-vindex search -q -j1 --exact --hit-fields=id -i "$dir/x.gri" "$dir/q.ndjson")
    mv "$dir/out" "$dir/exact"
    read -r query qmb < <(measure gr-vindex search -q -j1 --hit-fields=id -i "$dir/x.gri" "$dir/q.ndjson")
    size=$(stat -c %s "$dir/x.gri")
    awk -v n="$n" -v b="$build" -v f="$flat" -v mb="$mb" -v size="$size" -v q="$query" -v s="$start" -v e="$exact" \
        -v qmb="$qmb" -v r="$(recall "$dir/exact" "$dir/out")" \
        'BEGIN { printf "%9d %8.2f %9d %7.2f %8.1f %9.0f %9d %9.0f %7.4f\n", n, b, mb, f, size / 1e6, (q - s) / 500 * 1e6, qmb, (e - s) / 500 * 1e6, r }' |
        tee -a "$table"
    rm -f "$dir"/*
done
command -v gnuplot >/dev/null || { echo "no gnuplot: no picture"; exit 0; }
gnuplot <<PLOT
set terminal svg size 900,600 background "white"
set output "$BENCH/ann-grow.svg"
set logscale xy
set xlabel "vectors of $dim numbers"
set key left top
set multiplot layout 2,2
set title "build, CPU seconds"
plot "$table" using 1:2 with linespoints title "approximate", "" using 1:4 with linespoints title "exact only"
set title "memory, MB"
plot "$table" using 1:3 with linespoints title "build", "" using 1:7 with linespoints title "500 searches"
set title "one query, microseconds"
plot "$table" using 1:6 with linespoints title "approximate", "" using 1:8 with linespoints title "exact, 256 at once"
unset logscale y
set yrange [0.9:1]
set title "recall of the 10 nearest, 0.99 aimed at"
plot "$table" using 1:9 with linespoints notitle
unset multiplot
PLOT
echo "  $BENCH/ann-grow.svg"
