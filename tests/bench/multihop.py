#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""multihop.py - two-hop questions over passages, and how many of their passages are found

usage: multihop.py make CORPUS.json OUT     chunks.ndjson, triples.ndjson, questions.ndjson
       multihop.py score QUESTIONS RESULTS  recall of the gold passages in each list of RESULTS

CORPUS: a JSON array of {"title", "text"}. A question asks something about B where only the
passage of A names B ("A … directed by B": when was the director of A born?), so its gold is the
passages of A and B. Facts stand for open extraction: the passage's title, the words before a
name as relation, and the name, for every name of several capitalised words in a sentence.
"""
import json
import re
import sys

NAME = r"[A-Z][\w.'’-]+(?: (?:(?:of|the|de|von|van|du|di|la|le) )*[A-Z][\w.'’-]+)+"
ASKED = [
    (rf"directed by ({NAME})", ["When was the director of {a} born?",
                                "What is the nationality of the director of {a}?",
                                "Where did the director of {a} die?"]),
    (rf"(?:son|daughter) of (?:[a-z]+ )*({NAME})", ["When did the parent of {a} die?",
                                                    "Who are the grandparents of {a}?"]),
    (rf"(?:wife of|husband of|married to|marriage to|married) ({NAME})",
     ["Who is the father of the spouse of {a}?", "Where was the spouse of {a} born?"]),
]


def bare(title):
    return re.sub(r"\s*\(.*?\)$", "", title)


def facts(i, title, text):
    said = set()
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z])", text):
        for m in re.finditer(NAME, sentence):
            name = m.group(0).rstrip(".'’-")
            words = re.findall(r"[\w'’-]+", sentence[:m.start()])[-3:]
            relation = " ".join(w for w in words if w[0].islower()) or "with"
            if name == title or name in title or title in name or (relation, name) in said:
                continue
            said.add((relation, name))
            yield {"head": {"name": title, "type": "thing"}, "relation": relation,
                   "tail": {"name": name, "type": "thing"}, "paper": f"w{i}",
                   "chunk": f"w{i}#0001", "evidence": sentence, "confidence": 0.8}


def make(corpus, out):
    docs = json.load(open(corpus, encoding="utf-8"))
    at = {}
    for i, d in enumerate(docs):
        at.setdefault(bare(d["title"]), i)
    with open(out + "/chunks.ndjson", "w", encoding="utf-8") as f:
        for i, d in enumerate(docs):
            f.write(json.dumps({"id": f"w{i}#0001", "paper": f"w{i}", "title": d["title"],
                                "text": d["title"] + ". " + d["text"]}) + "\n")
    with open(out + "/triples.ndjson", "w", encoding="utf-8") as f:
        for i, d in enumerate(docs):
            for t in facts(i, bare(d["title"]), d["text"]):
                f.write(json.dumps(t) + "\n")
    n = 0
    with open(out + "/questions.ndjson", "w", encoding="utf-8") as f:
        for i, d in enumerate(docs):
            for pattern, forms in ASKED:
                m = re.search(pattern, d["text"])
                b = at.get(m.group(1)) if m else None
                if b is None or b == i:
                    continue
                f.write(json.dumps({"id": f"m{n}", "gold": [f"w{i}#0001", f"w{b}#0001"],
                                    "query": forms[n % len(forms)].format(a=bare(d["title"]))})
                        + "\n")
                n += 1


def score(questions, results):
    lists = ("vector_hits", "graph_chunks", "fused")
    sums = {(k, c): 0.0 for k in lists for c in (2, 5, 10)}
    n = answered = 0
    gold = {q["id"]: set(q["gold"]) for q in map(json.loads, open(questions, encoding="utf-8"))}
    for line in open(results, encoding="utf-8"):
        r = json.loads(line)
        n += 1
        r["fused"] = [{"id": c} for s in r.get("sources", [])
                      for c in ([p["chunk"] for p in s["chunks"]] if "chunks" in s
                                else [s.get("chunk")])]
        answered += bool(r.get("graph_chunks"))
        for k in lists:
            ids = [h["id"] for h in r.get(k) or []]
            for c in (2, 5, 10):
                sums[k, c] += len(gold[r["id"]] & set(ids[:c])) / len(gold[r["id"]])
    print(f"{n} questions, {answered} with passages from the graph")
    print(f"{'list':14} recall@2 recall@5 recall@10")
    for k in lists:
        print(f"{k:14}" + "".join(f" {100 * sums[k, c] / max(n, 1):8.1f}" for c in (2, 5, 10)))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("make", "score"):
        sys.exit(__doc__)
    (make if sys.argv[1] == "make" else score)(*sys.argv[2:])
