#!/bin/bash
# SPDX-License-Identifier: MIT
# publisher-coverage.t — no text of a publisher's XML is lost, but for what is listed with its
# reason: of real files, and of those of the cases
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
data=$GR_SHARED/data
shopt -s nullglob
files=("$ROOT"/tests/cases/gr-grobid2json/{7?-jats,7?-elsevier,80-elsevier,85,86}*/*.xml)
real=("$data"/oa_stm/*xml "$data"/other-xml/*jats.xml)
[ ${#real[@]} -gt 0 ] || echo "# no reference data: the files of the project alone"

for f in "${files[@]}" "${real[@]}"; do
    name=${f#"$ROOT"/tests/cases/gr-grobid2json/}
    if python3 "$ROOT/tests/peers/publisher_coverage.py" gr-grobid2json "$f" >found 2>&1; then
        ok "nothing of ${name#"$data"/} is lost"
    else
        not_ok "nothing of ${name#"$data"/} is lost" "$(cat found)"
    fi
done
done_testing
