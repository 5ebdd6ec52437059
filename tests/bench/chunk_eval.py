#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recall, precision and IoU of chunks that answer questions, in words (Smith and Troynikov 2024).

usage: chunk_eval.py CORPORA QUESTIONS CHUNKS [VECTORS [K]]

CORPORA     {"id","text"}
QUESTIONS   {"id","corpus","spans":[[from,to],…]}: what answers each, in code points
CHUNKS      {"paper","start","end"}, with VECTORS also "embedding"
VECTORS     {"id","embedding"} of the questions: the K (5) nearest chunks of all corpora are taken, of
            which those of other corpora count for nothing. K "1000w": as many as 1000 words hold,
            the last one cut, so that splitters with chunks of other sizes compare. Without: all chunks that touch an answer,
            so that only where the cuts are counts (the paper's omega figures).
Embeddings are base64 of little-endian float32.
"""
import base64
import bisect
import json
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def matrix(records):
    import numpy
    m = numpy.array([numpy.frombuffer(base64.b64decode(r["embedding"]), "<f4") for r in records])
    return m / numpy.linalg.norm(m, axis=1, keepdims=True)


corpora, questions, chunks = map(read, sys.argv[1:4])
words = {r["id"]: [m.start() for m in re.finditer(r"\w+|[^\w\s]", r["text"])] for r in corpora}


def inside(corpus, start, end):
    """Numbers of the words that begin in [start, end)."""
    s = words[corpus]
    return range(bisect.bisect_left(s, start), bisect.bisect_left(s, end))


def touching(q):
    return [c for c in chunks if c["paper"] == q["corpus"] and
            any(c["start"] < b and a < c["end"] for a, b in q["spans"])]


def nearest():
    import numpy
    wanted = {r["id"]: i for i, r in enumerate(read(sys.argv[4]))}
    k = sys.argv[5] if len(sys.argv) > 5 else "5"
    scores = matrix(read(sys.argv[4])) @ matrix(chunks).T
    best = numpy.argsort(-scores, axis=1, kind="stable")

    def take(q):
        left = int(k.rstrip("w"))
        for i in best[wanted[q["id"]]]:
            c = chunks[i]
            s = words[c["paper"]]
            tokens = inside(c["paper"], c["start"], c["end"])
            if left <= 0:
                return
            if k.endswith("w") and len(tokens) > left:
                c = {"paper": c["paper"], "start": c["start"], "end": s[tokens[left]]}
            left -= len(tokens) if k.endswith("w") else 1
            if c["paper"] == q["corpus"]:
                yield c
    return take


choose = nearest() if len(sys.argv) > 4 else touching
recall = precision = iou = 0.0
for q in questions:
    wanted, got, size = set(), set(), 0
    for start, end in q["spans"]:
        wanted.update(inside(q["corpus"], start, end))
    for c in choose(q):
        tokens = inside(q["corpus"], c["start"], c["end"])
        got.update(tokens)
        size += len(tokens)
    hit = len(wanted & got)
    recall += hit / max(1, len(wanted))
    precision += hit / max(1, size)
    iou += hit / max(1, size + len(wanted) - hit)
n = len(questions)
mean = sum(len(inside(c["paper"], c["start"], c["end"])) for c in chunks) / max(1, len(chunks))
print(f"recall {recall / n:.4f}  precision {precision / n:.4f}  IoU {iou / n:.4f}  "
      f"({len(chunks)} chunks of {mean:.0f} words)")
