#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/ask.sh — how long a question takes from a cold shell, and each of its stages
set -euo pipefail
command -v hyperfine >/dev/null || { echo "   no hyperfine: make deps-dev"; exit 0; }
dir=$BENCH/examples
[ -s "$dir/kg.grg" ] || "$ROOT/pipelines/index.sh" -o "$dir" "$ROOT/examples/tei"
cd "$BENCH"
echo '{"query":"How is uranium fractionated under reducing conditions?"}' >q0
gr-classify q0 >q1 && gr-expand q1 >q2 && gr-embed q2 >q3
gr-vindex search -i "$dir/lit.gri" q3 >q4 && gr-gquery -g "$dir/kg.grg" q4 >q5 && gr-fuse q5 >q6
times()
{
    hyperfine --warmup 3 --runs 20 --style none --export-json t.json "$2" >/dev/null 2>&1
    printf '%-28s median %4.0f ms, smallest %4.0f ms\n' "$1" "$(jq '.results[0].median * 1000' t.json)" "$(jq '.results[0].min * 1000' t.json)"
}
times "the whole pipe, 7 processes" "gr-classify <q0 | gr-expand | gr-embed | gr-vindex search -i $dir/lit.gri | gr-gquery -g $dir/kg.grg | gr-fuse | gr-generate"
times gr-classify "gr-classify <q0"
times gr-expand "gr-expand <q1"
times gr-embed "gr-embed <q2"
times "gr-vindex search" "gr-vindex search -i $dir/lit.gri <q3"
times gr-gquery "gr-gquery -g $dir/kg.grg <q4"
times gr-fuse "gr-fuse <q5"
times gr-generate "gr-generate <q6"
