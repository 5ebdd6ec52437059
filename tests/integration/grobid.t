#!/bin/bash
# SPDX-License-Identifier: MIT
# grobid.t — PDF files to chunks: by the stub, and by a real GROBID service where there is one
# shellcheck disable=SC2016  # variables of the stub's shell
. "$(dirname "$0")/../lib.sh"
services=$ROOT/tests/integration/services
LIMIT=600

# paper N: a PDF of one page that can be read
paper()
{
    python3 - "$1" <<'PY'
import sys
n = sys.argv[1]
lines = [(16, f"Zircon ages of pluton number {n}"), (11, "Anna Example and Bert Sample"),
         (9, "Department of Geology, University of Nowhere"), (11, "Abstract"),
         (10, f"We date zircon of pluton {n} by laser ablation and find an age of 21.3 Ma."),
         (12, "1. Introduction"),
         (10, "Plutons grow slowly. Their zircon tells when, as Miller (2007) has shown."),
         (10, "The rocks of this pluton are granite and diorite, little altered."),
         (12, "2. Results"), (10, "The weighted mean of twenty spots is 21.3 Ma, with an MSWD of 1.1."),
         (12, "References"),
         (9, "Miller, J.S., 2007. Zircon growth in plutons. American Mineralogist 92, 1-20.")]
text, y = "BT\n", 760
for size, line in lines:
    text += f"/F1 {size} Tf 1 0 0 1 72 {y} Tm ({line}) Tj\n"
    y -= 2 * size
text += "ET\n"
objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
           "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
           f"<</Length {len(text)}>>stream\n{text}endstream", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
out, at = f"%PDF-1.4\n%title Zircon ages {n}\n", []
for i, body in enumerate(objects, 1):
    at.append(len(out))
    out += f"{i} 0 obj\n{body}\nendobj\n"
xref = len(out)
out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{a:010d} 00000 n \n" for a in at)
sys.stdout.write(out + f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{xref}\n%%EOF\n")
PY
}
mkdir papers
for i in 1 2 3 4 5 6 7 8; do paper $i >papers/$i.pdf; done

# ---- the stub, which has one thread
"$ROOT/tests/stub/grobid_stub.py" sh -c 'gr-grobid2json --grobid="$STUB/pool" --keep-tei=tei -j4 papers | gr-chunk >chunks' 2>err
check "eight papers to chunks, without a word" test "$(jq -r .title chunks | sort -u | wc -l)" = 8 -a ! -s err
gr-grobid2json --grobid=http://127.0.0.1:9 --keep-tei=tei papers | gr-chunk | cmp -s - chunks
check "again from what was kept, without a service" test $? = 0

# ---- the real one
if ! port=$("$services/grobid.sh" up 2>why); then
    skip "a real GROBID" "$(tail -1 why)"
    done_testing
fi
trap '"$services/grobid.sh" down; clean_up' EXIT
url=http://127.0.0.1:$port
limited gr-grobid2json --grobid="$url" --keep-tei=real -j8 --coords papers >a.json 2>err
check "all papers are converted" test "$(wc -l <a.json)" = 8 -a ! -s err
check "with title and text" jq -es 'all(.[]; (.title | length > 5) and ([.sections[].text] | add | test("21.3 Ma")))' a.json
check "with coordinates" jq -es 'any(.[]; any(.sections[]; .coords | length > 0))' a.json
check "under the name and checksum of the PDF" test "$(jq -r .source.sha256 a.json)" = "$(sha256sum papers/*.pdf | cut -d' ' -f1)"
limited gr-grobid2json --grobid="$url" -j2 --coords papers >b.json
check "the same bytes when asked again" cmp a.json b.json
limited gr-grobid2json --grobid="$url" --grobid-set=segmentSentences=1 papers >c.json
check "the same text from sentences" test "$(jq -c '[.sections[].text]' c.json)" = "$(jq -c '[.sections[].text]' a.json)"
done_testing
