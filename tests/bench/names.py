#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/names.py — rocks, minerals, time units and places found in sentences marked up by hand: P, R, F1

usage: names.py [-e] FILE …     runs gr-triples --emit=entities on every line; -e lists the errors

A line is a sentence; "#" begins a comment.  {r …} marks a rock, sediment, soil, ore or meteorite, {m …} a
mineral, {t …} a unit of time; marks may stand inside each other.  A rock is marked as a geologist reads it: the
whole noun with what says which rock it is (composition, minerals, texture: "quartz-feldspar porphyry",
"porphyritic basalt", "biotite-bearing granitoids"), without colour, grain size, freshness and age.  Minerals
found inside a marked rock count neither way, nor does what stands in {? …}: generic words such as "ore".  Exact and overlap are counted as in extract.py.
"""
import collections
import json
import re
import subprocess
import sys

KINDS = {"r": ("rocks", "rock"), "m": ("minerals", "mineral"), "t": ("time units", "geologic_time"),
         "l": ("places", "location")}


def read(path):
    """[(text, [(start, end, kind)])]"""
    docs = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            text, spans, still_open, at = "", [], [], 0
            for m in re.finditer(r"\{([rmtl?]) |\}", line.strip() + "\0"):
                text += line[at:m.start()]
                at = m.end()
                if m[1]:
                    still_open.append((len(text), m[1]))
                else:
                    start, kind = still_open.pop()
                    spans.append((start, len(text), kind))
            assert not still_open, line
            docs.append((text + line[at:].strip("\n"), spans))
    return docs


def ours(docs):
    lines = "".join(json.dumps({"id": str(i), "text": t}) + "\n" for i, (t, _) in enumerate(docs))
    run = subprocess.run(["gr-triples", "-q", "--emit=entities"], input=lines, capture_output=True, text=True,
                         check=True)
    found = collections.defaultdict(list)
    for line in run.stdout.splitlines():
        e = json.loads(line)
        found[int(e["chunk"])].append((e["start"], e["end"], e["entity"]["type"]))
    return found


def meets(s, others):
    return any(o[0] < s[1] and s[0] < o[1] for o in others)


def inside(s, others):
    return any(o[0] <= s[0] and s[1] <= o[1] for o in others)


def f1(right_p, found, right_r, gold):
    p, r = right_p / max(found, 1), right_r / max(gold, 1)
    return f"{p:7.3f} {r:5.3f} {2 * p * r / max(p + r, 1e-9):5.3f}"


def main(args):
    errors = "-e" in args
    print(f"{'set':30} {'':10} {'spans':>6}  {'exact P':>7} {'R':>5} {'F1':>5}  {'overlap P':>9} {'R':>5} {'F1':>5}")
    for path in (a for a in args if a != "-e"):
        docs = read(path)
        found = ours(docs)
        for mark, (label, kind) in KINDS.items():
            n, shown = collections.Counter(), []
            for i, (text, spans) in enumerate(docs):
                gold = [(a, b) for a, b, k in spans if k == mark]
                rocks = [(a, b) for a, b, k in spans if k == "r"]
                mine = sorted({(a, b) for a, b, k in found[i] if k == kind})
                free = [(a, b) for a, b, k in spans if k == "?"]
                mine = [s for s in mine if s in gold or not inside(s, free)]
                if mark == "m":
                    mine = [s for s in mine if s in gold or not inside(s, rocks)]
                # a name inside one of ours of the same kind
                mine = [s for s in mine if s in gold or not any(o != s and inside(s, [o]) for o in mine)]
                n.update(gold=len(gold), mine=len(mine), exact=len(set(gold) & set(mine)),
                         met=sum(meets(s, mine) for s in gold), meeting=sum(meets(s, gold) for s in mine))
                only = lambda s, o: [text[a:b] for a, b in s if (a, b) not in o]
                if only(gold, mine) or only(mine, gold):
                    shown.append(f"   {only(gold, mine)} found {only(mine, gold)} in: {text[:130]}")
            if n["gold"] == 0:
                continue  # a file without such marks
            print(f"{path.split('/')[-1]:30} {label:10} {n['gold']:6}  "
                  f"{f1(n['exact'], n['mine'], n['exact'], n['gold'])}    {f1(n['meeting'], n['mine'], n['met'], n['gold'])}")
            if errors:
                print("\n".join(shown))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
