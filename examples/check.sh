#!/usr/bin/env bash
# Check the example corpus: the papers are well formed, the questions are
# valid, and every reference context is a verbatim passage of its paper.
#
# usage: examples/check.sh
# exit:  0 all checks passed (a check without its tool is skipped with a
#        reason), 1 a check failed.
set -euo pipefail

dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
questions=$dir/questions.ndjson
fail=0

ok()   { printf 'ok    %s\n' "$*"; }
skip() { printf 'skip  %s\n' "$*"; }
bad()  { printf 'FAIL  %s\n' "$*" >&2; fail=1; }

shopt -s nullglob
papers=("$dir"/tei/*.tei.xml)
n_papers=${#papers[@]}
if ((n_papers == 0)); then
    bad "no papers in $dir/tei"
    exit 1
fi

# 1. Every TEI file is well formed.
parse_py='import sys, xml.etree.ElementTree as E; E.parse(sys.argv[1])'
if command -v xmllint >/dev/null 2>&1; then
    parser=(xmllint --noout)
elif command -v python3 >/dev/null 2>&1; then
    parser=(python3 -c "$parse_py")
else
    parser=()
fi
if ((${#parser[@]} > 0)); then
    broken=0
    for f in "${papers[@]}"; do
        if ! "${parser[@]}" "$f"; then
            bad "not well formed: ${f##*/}"
            broken=1
        fi
    done
    if ((broken == 0)); then
        ok "$n_papers papers are well formed (${parser[0]})"
    fi
else
    skip "well-formedness: neither xmllint nor python3 is installed"
fi

# 2. Every question is a valid record, ids are unique, classes are balanced.
if command -v jq >/dev/null 2>&1; then
    # shellcheck disable=SC2016 # $c is a jq variable
    valid='
      (type == "object")
      and (.id | type == "string" and test("^q[0-9]{2,}$"))
      and (.query | type == "string" and length > 0)
      and (.expected_class as $c
           | ["explicit_fact", "implicit_reasoning",
              "interpretable_rationale", "hidden_rationale"] | index([$c]) != null)
      and (.reference | type == "string" and length > 0)
      and (.reference_papers | type == "array" and length > 0 and all(type == "string"))
      and (.reference_contexts | type == "array" and length > 0
           and all(type == "string" and length > 0))'
    if [[ $(jq -s "length > 0 and all($valid)" "$questions") == true ]]; then
        ok "$(jq -s length "$questions") questions are valid"
    else
        bad "invalid questions: $(jq -r "select(($valid) | not) | .id // \"(no id)\"" "$questions" | tr '\n' ' ')"
    fi
    if [[ $(jq -s '(map(.id) | unique | length) == length' "$questions") == true ]]; then
        ok "question ids are unique"
    else
        bad "question ids repeat"
    fi
    for class in explicit_fact implicit_reasoning interpretable_rationale hidden_rationale; do
        n=$(jq -s --arg c "$class" 'map(select(.expected_class == $c)) | length' "$questions")
        if ((n >= 10)); then
            ok "$n questions of class $class"
        else
            bad "only $n questions of class $class (10 wanted)"
        fi
    done
else
    skip "question records: jq is not installed"
fi

# 3. Every reference context stands in one of the papers the question names,
#    every named paper exists, and every in-text target resolves.
if command -v python3 >/dev/null 2>&1; then
    if python3 - "$questions" "${papers[@]}" <<'PY'; then
import json
import sys
import xml.etree.ElementTree as ET

TEI = "{http://www.tei-c.org/ns/1.0}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
errors = []
text = {}
for path in sys.argv[2:]:
    root = ET.parse(path).getroot()
    source = root.find(f".//{TEI}sourceDesc")
    doi = [i.text for i in source.iter(f"{TEI}idno") if i.get("type") == "DOI"]
    if len(doi) != 1:
        errors.append(f"{path}: {len(doi)} DOIs in the header")
        continue
    if doi[0] in text:
        errors.append(f"{path}: {doi[0]} is used twice")
    text[doi[0]] = " ".join("".join(root.itertext()).split())
    ids = [e.get(XML_ID) for e in root.iter() if e.get(XML_ID)]
    if len(ids) != len(set(ids)):
        errors.append(f"{path}: xml:id repeats")
    for ref in root.iter(f"{TEI}ref"):
        target = ref.get("target", "")
        if target.startswith("#") and target[1:] not in ids:
            errors.append(f"{path}: {target} leads nowhere")

count = 0
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        question = json.loads(line)
        papers = question["reference_papers"]
        for doi in papers:
            if doi not in text:
                errors.append(f"{question['id']}: no paper {doi}")
        for context in question["reference_contexts"]:
            count += 1
            wanted = " ".join(context.split())
            if not any(wanted in text.get(doi, "") for doi in papers):
                errors.append(f"{question['id']}: not in its papers: {context}")
for error in errors:
    print(error, file=sys.stderr)
print(f"      {count} reference contexts looked up in {len(text)} papers")
sys.exit(1 if errors else 0)
PY
        ok "reference contexts are verbatim and all targets resolve"
    else
        bad "reference contexts or targets (see above)"
    fi
else
    skip "reference contexts: python3 is not installed"
fi

exit "$fail"
