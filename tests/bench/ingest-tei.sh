#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/bench/ingest-tei.sh — gr-grobid2json beside a bare XML parse and other converters
#
#   usage: tests/bench/ingest-tei.sh          after make; GR_SHARED (default ../shared) has the files
#
# All rows are of the same files: GR_SHARED's data/tei, else examples/, repeated to a few hundred
# (the other converters: each file once). Times are CPU seconds, the least of RUNS rounds in
# which the rows take turns. Peers: of PEERS_PYTHON, a Python that has them, else installed into
# build/bench/tei-peers; OFFLINE=1: left out unless they are there.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$root/build/${CONF:-dev}/bin
shared=${GR_SHARED:-$root/../shared}
runs=${RUNS:-5}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
command -v xmllint >/dev/null || { echo "ingest-tei: skipped: no xmllint"; exit 0; }

once=()
from=$shared/data/tei
[ -d "$from" ] || from=$root/examples
while IFS= read -r -d '' f; do # what no parser reads is no measure of parsers
    if xmllint --stream --noout "$f" 2>/dev/null && grep -q '<TEI' "$f"; then once+=("$f"); fi
done < <(find "$from" -name '*.xml' -print0 | sort -z)
files=()
while [ ${#files[@]} -lt 400 ]; do files+=("${once[@]}"); done
bytes_once=$(cat "${once[@]}" | wc -c)
bytes=$((bytes_once * ${#files[@]} / ${#once[@]}))
echo "${#files[@]} files (${#once[@]}, repeated), $bytes bytes"

# NAME COMMAND…: adds "NAME CPU WALL" to the times.
run_once()
{
    local name=$1 t
    shift
    t=$( { TIMEFORMAT='%U %S %R'; time "$@" >/dev/null 2>&1; } 2>&1)
    awk -v n="$name" '{ print n, $1 + $2, $3 }' <<<"$t" >>"$tmp/times"
}
for ((i = 0; i < runs; i++)); do
    run_once xmllint xmllint --stream --noout "${files[@]}"
    run_once jobs1 "$bin/gr-grobid2json" -q -j1 "${files[@]}"
    run_once jobs2 "$bin/gr-grobid2json" -q -j2 "${files[@]}"
done
awk -v bytes="$bytes" -v n="${#files[@]}" -v dir="$tmp" '
    !($1 in cpu) || $2 < cpu[$1] { cpu[$1] = $2 }
    !($1 in wall) || $3 < wall[$1] { wall[$1] = $3 }
    function row(key, name) {
        printf "%-28s %7.1f MB/s %6.0f files/s   CPU %.2f s, by the clock %.2f s\n", name,
               bytes / cpu[key] / 1e6, n / cpu[key], cpu[key], wall[key]
    }
    END {
        row("xmllint", "xmllint --stream --noout")
        row("jobs1", "gr-grobid2json --jobs 1")
        row("jobs2", "gr-grobid2json --jobs 2")
        printf "  one thread: %.2f x xmllint\n", cpu["xmllint"] / cpu["jobs1"]
        printf "  --jobs 2: %.2f x as fast by the clock, %.2f x the CPU seconds\n",
               wall["jobs1"] / wall["jobs2"], cpu["jobs2"] / cpu["jobs1"]
        print cpu["jobs1"] / n >(dir "/each")
    }' "$tmp/times"
each=$(cat "$tmp/each")

# One file a process: what starting costs.
start_each()
{
    for f in "${once[@]}"; do "$@" "$f"; done >/dev/null 2>&1
}
TIMEFORMAT='%U %S'
{ time start_each "$bin/gr-grobid2json" -q -j1; } 2>"$tmp/started"
alone=$(awk -v n="${#once[@]}" '{ print ($1 + $2) / n }' "$tmp/started")
awk -v e="$each" -v a="$alone" 'BEGIN {
    printf "gr-grobid2json: %.2f ms a file in one process, %.2f ms with a process each\n", e * 1e3, a * 1e3 }'

# Peak memory: of the files once and repeated, of one large file, of one that is all tags.
peak()
{
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print("%.0f MiB" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))' \
        "$bin/gr-grobid2json" -q "$@"
}
synthetic()
{
    printf '<TEI><teiHeader/><text><body>'
    awk -v n="$1" -v unit="$2" 'BEGIN { for (; n > 0; n -= length(unit)) printf "%s", unit }'
    printf '</body></text></TEI>'
}
paragraph='<div><head n="1">A head</head><p><s coords="1,53.8,252.5,240.2,8.9">Words of a sentence as they are, one after the other, with a <ref type="bibr" target="#b0">(Name, 2001)</ref> and more words to its end.</s></p></div>'
synthetic 60000000 "$paragraph" >"$tmp/large.xml"
synthetic 60000000 '<a/>' >"$tmp/tags.xml"
echo "peak memory, --jobs 2: the files once $(peak -j2 "${once[@]}"), repeated $(peak -j2 "${files[@]}")"
echo "  one file of 60 MB $(peak -j2 "$tmp/large.xml"), of 60 MB of tags (refused) $(peak -j2 "$tmp/tags.xml")"

python=${PEERS_PYTHON-}
if [ -z "$python" ]; then
    python=$root/build/bench/tei-peers/bin/python
    if [ ! -x "$python" ] && [ "${OFFLINE-}" != 1 ]; then
        "${PYTHON:-python3}" -m venv "$root/build/bench/tei-peers" &&
            "$python" -m pip install -q --disable-pip-version-check \
                grobid-client-python==0.2.1 grobid_tei_xml==0.1.3 grobid2json==0.0.1 lxml ||
            echo "ingest-tei: the other converters could not be installed"
    fi
fi
[ -x "$(command -v "$python")" ] || { echo "other converters: left out (PEERS_PYTHON)"; exit 0; }
echo "other converters, the same ${#once[@]} files, one process; (start): with importing, one file"
for peer in grobid-client-python grobid_tei_xml s2orc-doc2json; do
    "$python" "$root/tests/bench/tei_peers.py" "$peer" "${once[@]}" 2>/dev/null | tail -1 >"$tmp/peer" || {
        echo "  $peer: left out: it does not run here"
        continue
    }
    awk -v p="$peer" -v n="${#once[@]}" -v b="$bytes_once" -v e="$each" -v a="$alone" '{
        printf "  %-22s %7.2f MB/s %6.1f files/s  %7.1f ms a file (start: %.0f ms), %d failed; gr-grobid2json: %.0f x (start: %.0f x)\n",
               p, b / $2 / 1e6, n / $2, $2 / n * 1e3, ($1 + $2 / n) * 1e3, $3, $2 / n / e, ($1 + $2 / n) / a }' "$tmp/peer"
done
