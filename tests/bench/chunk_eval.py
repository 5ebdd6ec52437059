#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recall, precision and IoU, in words, of chunks that touch the answers of questions.

usage: chunk_eval.py CORPORA QUESTIONS CHUNKS    ({"id","text"}, {"corpus","spans"}, [id,from,to])
"""
import bisect
import json
import re
import sys

corpora = {r["id"]: r["text"] for r in map(json.loads, open(sys.argv[1], encoding="utf-8"))}
questions = list(map(json.loads, open(sys.argv[2], encoding="utf-8")))
words = {k: [(m.start(), m.end()) for m in re.finditer(r"\w+|[^\w\s]", t)] for k, t in corpora.items()}
starts = {k: [w[0] for w in ws] for k, ws in words.items()}
chunks = {}
for paper, start, end in map(json.loads, open(sys.argv[3], encoding="utf-8")):
    chunks.setdefault(paper, []).append((start, end))


def inside(corpus, start, end):
    """Numbers of the words that begin in [start, end)."""
    s = starts[corpus]
    return range(bisect.bisect_left(s, start), bisect.bisect_left(s, end))


recall = precision = iou = 0.0
for q in questions:
    corpus = q["corpus"].removesuffix(".md")
    wanted, got, size = set(), set(), 0
    for start, end in q["spans"]:
        wanted.update(inside(corpus, start, end))
    for start, end in chunks.get(corpus, []):
        if any(start < b and a < end for a, b in q["spans"]):
            tokens = inside(corpus, start, end)
            got.update(tokens)
            size += len(tokens)
    hit = len(wanted & got)
    recall += hit / max(1, len(wanted))
    precision += hit / max(1, size)
    iou += hit / max(1, size + len(wanted) - hit)
n = len(questions)
print(f"recall {recall / n:.4f}  precision {precision / n:.4f}  IoU {iou / n:.4f}  ({n} questions)")
