#!/bin/bash
# SPDX-License-Identifier: MIT
# demo.sh — index the example papers, then ask one question of each class and show every step
#
#   usage: demo.sh [DIR]        DIR keeps the index (build/demo)
set -euo pipefail
. "$(dirname "$0")/lib.sh"

root=$(cd "$here/.." && pwd)
dir=${1:-$root/build/demo}
examples=$root/examples

printf '== 1. Index %s example papers (TEI in, vectors and facts out)\n' \
    "$(find "$examples/tei" -name '*.tei.xml' | wc -l)"
"$here/index.sh" -o "$dir" "$examples/tei"
printf '   %s chunks, %s triples, %s\n' "$(wc -l <"$dir/chunks.ndjson")" \
    "$(wc -l <"$dir/triples.ndjson")" "$(cd "$dir" && du -ch lit.gri kg.grg | tail -1 | cut -f1) of index"

# show: one answered record for people, from all that the record carries.
show()
{
    jq -r '
        "\n== \(.query)",
        "   class \(.class) (\(.class_scores[.class] * 100 | round) %), strategy \(.strategy), depth \(.depth)",
        "   passages:",
        (.vector_hits[:3][] | "     [\(.rank)] \(.score * 1000 | round / 1000) \(.id)  \(.text | gsub("\\s+"; " ") | .[:76])…"),
        "   facts:",
        (.graph_hits[:3][] | "     \(.head | if type == "object" then .name else . end) – \(.relation) – \(.tail | if type == "object" then .name else . end)  (\(.chunk))"),
        "   answer:",
        "     \(.response)",
        "   cited:",
        (.citations | unique_by(.n)[] | "     [\(.n)] \(.chunk)")'
}

printf '\n== 2. One question of each class\n'
for class in explicit_fact implicit_reasoning interpretable_rationale hidden_rationale; do
    jq -c --arg c "$class" 'select(.expected_class == $c) | {id, query}' \
        "$examples/questions.ndjson" | sed -n 1p
done | retrieve "$dir" hybrid | gr-generate | show

printf '\nAsk your own:  pipelines/ask.sh -v -i %s "What controls the Sr isotopes of carbonates?"\n' "${dir#"$root"/}"
