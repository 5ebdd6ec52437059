#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""publisher_coverage.py — is all text of a publisher's XML in its record?

    publisher_coverage.py TOOL FILE…

Every text node of a JATS or Elsevier article is looked for in the record that TOOL writes:
letters and digits alone, in compatibility form, without case, since blanks, raised figures and
marks may be written in another way. What is lost on purpose is listed below with the reason.
Prints a line for each element that lost text, and ends with 1 when there is any.
"""
import json
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as tree
from collections import Counter, defaultdict

# element (or parent/element): why its text is not in the record
LOST = {
    "sub-article": "a paper of its own, or letters of referees: counted in source.sub_articles",
    "response": "as sub-article",
    "meta": "the archive's data about the file; what the record has fields for is read",
    "coredata": "as meta",
    "objects": "as meta",
    "journal-id": "codes of indexing services",
    "abbrev-journal-title": "the full title is kept",
    "article-id": "the publisher's own numbers; standard ones are in ids",
    "aid": "as article-id", "jid": "as article-id", "item-weight": "as article-id",
    "article-categories": "sections of the journal",
    "history": "days of manuscripts received and accepted",
    "date-received": "as history", "date-revised": "as history", "date-accepted": "as history",
    "miscellaneous": "as history",
    "pub-date": "one date of publication is kept",
    "counts": "numbers of figures and pages",
    "custom-meta-group": "the typesetter's notes; data availability is kept",
    "processing-meta": "as custom-meta-group",
    "copyright": "notices; the licence is kept", "copyright-statement": "as copyright",
    "copyright-year": "as copyright", "copyright-holder": "as copyright",
    "permissions": "the article's licence is kept as an address",
    "contrib": "roles and degrees; editors of the journal",
    "correspondence": "phone numbers and addresses; e-mail is kept with the author",
    "corresp": "as correspondence", "affiliation": "labels, post codes",
    "aff": "as affiliation", "author-group": "marks",
    "address-line": "as affiliation", "publisher-loc": "of the journal",
    "publisher": "of the journal", "self-uri": "the paper's own address",
    "related-article": "links", "related-object": "links",
    "conf-date": "days of a meeting", "institution-id": "in the funder's doi, else a code",
    "principal-award-recipient": "who of the authors got the money",
    "object-id": "addresses of parts", "alt-text": "says what the caption says",
    "long-desc": "as alt-text", "alt-title": "running heads",
    "issn": "one of each kind is kept",
    "bib-reference/label": "a reference list's own marks", "ref/label": "as bib-reference/label",
    "keywords/section-title": "the word Keywords", "abstract/section-title": "the word Abstract",
    "acknowledgment/section-title": "the word Acknowledgements", "ack/title": "as that",
    "kwd-group/title": "the word Keywords", "abstract/title": "the word Abstract",
    "ref-list/title": "the word References", "bibliography/section-title": "as that",
    "fn-group/title": "the word Notes", "contrib-id": "in the author's orcid",
    "math": "read as a formula: compared by its letters elsewhere", "tex-math": "as math",
    "title-group/xref": "marks of notes", "head/title/cross-ref": "marks of notes",
    "back/sec/title": "a heading over several statements", "dochead": "sections of the journal",
}


def local(element):
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def letters(text):
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if c.isalnum())


def strings(value):
    if isinstance(value, dict):
        for key in value:
            yield from strings(value[key])
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, (str, int, float)):
        yield str(value)


def texts(element, path, found):
    """(path of names, text) of all text nodes that should be in the record."""
    name = local(element)
    here = path + (name,)
    if name in LOST or not name or "/".join(here[-2:]) in LOST or "/".join(here[-3:]) in LOST:
        return
    if element.text and element.text.strip():
        found.append((here, element.text))
    for child in element:
        texts(child, here, found)
        if child.tail and child.tail.strip():
            found.append((here, child.tail))


def check(tool, path):
    """Text nodes lost by element, and how many letters of how many."""
    run = subprocess.run([tool, path], capture_output=True, text=True, check=True)
    record = json.loads(run.stdout.splitlines()[0])
    record.pop("source")
    kept = letters("\n".join(strings(record)))
    found = []
    texts(tree.parse(path).getroot(), (), found)
    lost, total = defaultdict(list), 0
    for names, text in found:
        needle = letters(text)
        total += len(needle)
        if needle and needle not in kept:
            lost["/".join(names[-3:])].append(" ".join(text.split()))
    return lost, total


def main():
    tool, paths = sys.argv[1], sys.argv[2:]
    is_lost = False
    for path in paths:
        lost, total = check(tool, path)
        n = sum(len(letters(text)) for all_of in lost.values() for text in all_of)
        print(f"# {path.rsplit('/', 1)[-1]}: {total} letters, {n} lost")
        for names, all_of in sorted(lost.items()):
            is_lost = True
            print(f"{names}: {len(all_of)}: {'; '.join(all_of[:3])[:300]}")
    return 1 if is_lost else 0


if __name__ == "__main__":
    sys.exit(main())
