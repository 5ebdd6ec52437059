#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/extract.py — names and quantities found in annotated texts, against the annotations

usage: extract.py DATA [SET …]     runs gr-triples --emit=entities; prints a table
       extract.py -e SET           the commonest errors of one set

A found span is exactly right when start and end are those of an annotated span.  For overlap the
precision is the share of found spans that share a character with an annotated one, the recall the
share of annotated ones that share one with a found one: a list annotated as one span is met by
its members.  The same rules hold for every set:

  annotated                         ours                      left out, and why
  MTE Mineral                       mineral                   "sulfate", "chloride" are minerals there
  MTE Element                       element                   of a ratio and of "calcium sulfate" the
                                                              elements are annotated; so we give them
  BGS CHRONOSTRAT                   geologic_time
  MeasEval Quantity                 quantity                  numbers of which nothing is measured
                                                              are not annotated there
  grobid measure:*                  quantity                  dates and years by themselves (we
                                                              give none); num, unit are parts
  quantulum3 Quantity               quantity                  money is none of ours but counts there

Texts of MTE are read up to their references, as they were annotated.  "naive" is a list of all
names of the type looked up in any case, whole words, the longest first: what a table alone finds.
"""
import collections
import json
import os
import re
import subprocess
import sys

SETS = {  # name: (file, annotated types, our types)
    "MTE minerals": ("ner/mte_lpsc15/lpsc15.ndjson", ["Mineral"], ["mineral"]),
    "MTE elements": ("ner/mte_lpsc15/lpsc15.ndjson", ["Element"], ["element"]),
    "BGS time units": ("ner/bgs_geo/training.ndjson", ["CHRONOSTRAT"], ["geologic_time"]),
    "MeasEval": ("meas/measeval/train.ndjson", ["Quantity"], ["quantity"]),
    "grobid-quantities": ("meas/grobid_quantities/final-first1000.ndjson", ["measure:"], ["quantity"]),
    "grobid staging": ("meas/grobid_quantities/staging.ndjson", ["measure:"], ["quantity"]),
    "quantulum3": ("meas/quantulum3/tests.ndjson", ["Quantity"], ["quantity"]),
}
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
YEAR = re.compile(r"\(?(1[5-9]|20)\d\ds?\)?\Z")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def clean(docs):
    """Characters one to one, so that offsets stay: what Unicode normal form C would change."""
    import unicodedata
    for doc in docs:
        doc["text"] = "".join(c if len(n := unicodedata.normalize("NFC", c)) == 1 and n == c else
                              n if len(n) == 1 else "\ufffd" for c in doc["text"])
        if unicodedata.normalize("NFC", doc["text"]) != doc["text"]:  # a mark behind its letter
            doc["text"] = "".join(" " if unicodedata.combining(c) else c for c in doc["text"])
    return docs


def ours(docs):
    """{doc number: [(start, end, type)]} of gr-triples."""
    lines = "".join(json.dumps({"id": str(i), "text": d["text"]}) + "\n" for i, d in enumerate(docs))
    run = subprocess.run(["gr-triples", "-q", "--emit=entities"], input=lines, capture_output=True,
                         text=True, check=True)
    found = collections.defaultdict(list)
    for line in run.stdout.splitlines():
        e = json.loads(line)
        kind = e["entity"]["type"]
        found[int(e["chunk"])].append((e["start"], e["end"], kind))
    return found


def naive(docs, kind, vocab):
    """The same from a list of names alone."""
    names = set()
    with open(os.path.join(vocab, kind + ".tsv"), encoding="utf-8") as file:
        for line in list(file)[1:]:
            cells = line.rstrip("\n").split("\t")
            if not line.startswith("#"):
                names |= {n.lower() for n in [cells[0]] + cells[1].split("|") if len(n) > 1 or kind == "element"}
                if kind == "element":
                    names.add(re.search("symbol=([A-Za-z]+)", cells[2])[1].lower())
    longest = max(len(n.split(" ")) for n in names)
    found = {}
    for i, doc in enumerate(docs):
        words = [(m.start(), m.end()) for m in re.finditer(r"\w+(?:-\w+)*", doc["text"])]
        at, spans = 0, []
        while at < len(words):
            for n in range(min(longest, len(words) - at), 0, -1):
                a, b = words[at][0], words[at + n - 1][1]
                s = doc["text"][a:b].lower()
                if s in names or (s.endswith("s") and s[:-1] in names):
                    spans.append((a, b, kind))
                    at += n - 1
                    break
            at += 1
        found[i] = spans
    return found


def is_date(text):
    """A year, month or day and nothing else."""
    return bool(YEAR.match(text)) or any(w[:3] in MONTHS for w in re.findall("[a-z]+", text.lower())
                                         if w.startswith(tuple(MONTHS)) and len(w) < 10)


def gold_of(doc, types):
    spans = {}
    for e in doc["entities"]:
        if not any(e["type"] == t or (t[-1] == ":" and e["type"].startswith(t)) for t in types):
            continue
        if types == ["measure:"] and (e["type"] == "measure:date" or is_date(e["text"])):
            continue
        spans[e["start"], e["end"]] = True
    spans = sorted(spans)
    return [s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)]


def limit_of(doc):
    """Where the references of an abstract begin: nobody annotated those."""
    m = list(re.finditer(r"\bReferences?\s*:|\bREFERENCES\b", doc["text"]))
    return m[-1].start() if m else len(doc["text"])


def pair(gold, found):
    """Exact pairs; annotated spans that are met; found ones that meet; what is left of both."""
    def meets(s, others):
        return any(o[0] < s[1] and s[0] < o[1] for o in others)
    lost = [s for s in gold if not meets(s, found)]
    extra = [s for s in found if not meets(s, gold)]
    return len(set(gold) & set(found)), len(gold) - len(lost), len(found) - len(extra), lost, extra


def prf(met, meeting, gold, found):
    p, r = meeting / max(found, 1), met / max(gold, 1)
    return p, r, 2 * p * r / max(p + r, 1e-9)


def score(docs, name, found, keep=lambda i: True):
    _, types, mine = SETS[name]
    total = collections.Counter()
    errors = {"lost": [], "extra": []}
    for i, doc in enumerate(docs):
        if not keep(i):
            continue
        limit = limit_of(doc) if name.startswith("MTE") else len(doc["text"])
        gold = [s for s in gold_of(doc, types) if s[0] < limit]
        spans = sorted({(a, b) for a, b, k in found[i] if k in mine and a < limit})
        exact, met, meeting, lost, extra = pair(gold, spans)
        total.update(gold=len(gold), found=len(spans), exact=exact, met=met, meeting=meeting)
        errors["lost"] += [(doc["text"], s) for s in lost]
        errors["extra"] += [(doc["text"], s) for s in extra]
    return total, errors


KIND = {"species": "oxide", "index": "oxide", "standard": "reference_material"}


def snippets(path):
    """Hard sentences: every entity and quantity as it should come out, nothing that should not."""
    docs = read(path)
    lines = "".join(json.dumps({"id": str(i), "text": d["text"]}) + "\n" for i, d in enumerate(docs))
    run = subprocess.run(["gr-triples", "-q", "--emit=entities"], input=lines, capture_output=True,
                         text=True, check=True)
    found = collections.defaultdict(list)
    for line in run.stdout.splitlines():
        e = json.loads(line)
        found[int(e["chunk"])].append(e)
    right = collections.Counter()
    for i, doc in enumerate(docs):
        for want in doc["expect"]:
            kind, ok = want["kind"], False
            if kind == "triple":
                continue
            for e in found[i]:
                if kind == "not":
                    ok |= e["text"] == want["text"]
                if e["text"] != want["text"]:
                    continue
                value, name = e.get("value", {}), e["entity"]["name"]
                if kind == "entity":
                    ok |= e["entity"]["type"] == KIND.get(want["type"], want["type"]) and \
                        want.get("norm", name) in (name, re.sub("(carb|org)$", "", name))
                if kind == "quantity":
                    ok |= all(value.get(ours) == want.get(theirs) for theirs, ours in
                              (("low", "number"), ("high", "high"), ("plusminus", "error"))
                              if theirs in want and theirs + ours != "lownumber") and \
                        value.get("number", value.get("high")) == want.get("value", want.get("low", want.get("high"))) and \
                        (want.get("unit", "") in ("Myr", value.get("unit", "")))
            ok ^= kind == "not"
            right[kind, ok] += 1
            if not ok:
                print(f"   {doc['id']}: {kind} {want['text']!r}: {[(e['text'], e['entity']['type'], e['entity']['name']) for e in found[i]]}")
    for kind in ("entity", "quantity", "not"):
        print(f"snippets, {kind:10} {right[kind, True]} of {right[kind, True] + right[kind, False]}")


def main(args):
    errors_of = args.pop(1) if args and args[0] == "-e" else None
    if errors_of:
        args.pop(0)
    data = args[0] if args else os.environ["GR_SHARED"] + "/data"
    vocab = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/vocab")
    print(f"{'set':30} {'part':6} {'spans':>6}  {'exact P':>7} {'R':>5} {'F1':>5}  {'overlap P':>9} {'R':>5} {'F1':>5}")
    for name, (file, _, mine) in SETS.items():
        path = os.path.join(data, file)
        if (len(args) > 1 and name not in args[1:]) or (errors_of and name != errors_of):
            continue
        if not os.path.exists(path):
            print(f"{name:30} no {file}")
            continue
        docs = clean(read(path))
        found = ours(docs)
        rows = [("a", found, 0), ("b", found, 1)]
        if mine[0] != "quantity":
            rows.append(("naive", naive(docs, mine[0], vocab), None))
        for part, spans, half in rows:
            t, _ = score(docs, name, spans, lambda i: half is None or i % 2 == half)
            e = prf(t["exact"], t["exact"], t["gold"], t["found"])
            o = prf(t["met"], t["meeting"], t["gold"], t["found"])
            print(f"{name:30} {part:6} {t['gold']:6}  {e[0]:7.3f} {e[1]:5.3f} {e[2]:5.3f}  {o[0]:9.3f} {o[1]:5.3f} {o[2]:5.3f}")
        if errors_of:
            _, errors = score(docs, name, found, lambda i: i % 2 == 0)
            for kind, list_ in errors.items():
                count = collections.Counter(t[a:b].lower() for t, (a, b) in list_)
                print(f"\n{kind}: {len(list_)}; {count.most_common(100)}")
                for text, (a, b) in list_[::max(1, len(list_) // 90)]:
                    show = text[max(0, a - 40):a] + "[[" + text[a:b] + "]]" + text[b:b + 30]
                    print("   ", show.replace("\n", " "))
    if len(args) < 2 and not errors_of and os.path.exists(data + "/snippets.ndjson"):
        snippets(data + "/snippets.ndjson")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
