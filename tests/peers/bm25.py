#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bm25.py - scores of BM25 (Lucene's form) computed the plain way, for gr-vindex

usage: tests/peers/bm25.py > tests/peers/bm25.ndjson        standard library only; seed 7

score(q, d) = sum over the words of q of
    ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + k1 * (1 - b + b * |d| / mean |d|))
k1 = 1.2, b = 0.75; a word that is twice in q counts twice; N and the mean count only documents
that have a word. Words are made up and lower case, so that folding is all an analyser may do.
First line: {"docs": [text, ...]}; then a line a query: {"query": text, "scores": [one a doc]}.
"""
import json
import math
import random

K1, B = 1.2, 0.75


def make_texts(rnd, n, longest):
    syllables = ["ba", "ke", "mi", "ro", "tu", "za", "lo", "vi"]
    words = [a + b + c for a in syllables for b in syllables for c in syllables[:3]]
    # Zipf-like: few words are in most texts, most words in few.
    pick = lambda: words[int(len(words) * rnd.random() ** 3)]
    return [" ".join(pick() for _ in range(rnd.randrange(longest + 1))) for _ in range(n)]


def score_all(docs, query):
    filled = [d for d in docs if d]
    n, mean = len(filled), sum(len(d) for d in filled) / len(filled)
    scores = []
    for d in docs:
        s = 0.0
        for w in query:
            df = sum(w in x for x in docs)
            tf = d.count(w)
            if df and tf:
                idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
                s += idf * tf / (tf + K1 * (1 - B + B * len(d) / mean))
        scores.append(s)
    return scores


def main():
    rnd = random.Random(7)
    texts = make_texts(rnd, 150, 60)
    docs = [t.split() for t in texts]
    print(json.dumps({"docs": texts}))
    for query in make_texts(rnd, 40, 9) + ["", "absent", texts[3]]:
        print(json.dumps({"query": query, "scores": score_all(docs, query.split())}))


main()
