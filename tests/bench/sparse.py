# SPDX-License-Identifier: MIT
"""sparse.py — BM25 queries a CPU second of bm25s and tantivy, one thread, one question at a time

usage: sparse.py build|query DOCS.ndjson QUESTIONS DIR K

Both get words that were taken apart beforehand, without stop words and stemmed (Snowball
English), so that what is timed is search alone. Prints JSON lines.
"""
import json
import os
import sys
import time

import bm25s
import Stemmer
import tantivy
from bm25s.stopwords import STOPWORDS_EN

stem = Stemmer.Stemmer("english")


def terms(text):
    return stem.stemWords([w for w in text.lower().split() if w not in STOPWORDS_EN])


def schema():
    b = tantivy.SchemaBuilder()
    b.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
    return b.build()


def cpu(f):
    start = time.process_time()
    out = f()
    return time.process_time() - start, out


def build(docs, where):
    corpus = [terms(json.loads(line)["text"]) for line in open(docs)]
    b = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    seconds, _ = cpu(lambda: b.index(corpus, show_progress=False))
    b.save(where + ".bm25s")
    print(json.dumps({"engine": "bm25s", "build": seconds, "bytes": size(where + ".bm25s")}))
    os.makedirs(where + ".tantivy", exist_ok=True)
    index = tantivy.Index(schema(), path=where + ".tantivy")

    def fill():
        writer = index.writer(heap_size=512 << 20, num_threads=1)
        for words in corpus:
            writer.add_document(tantivy.Document(text=[" ".join(words)]))
        writer.commit()
        writer.wait_merging_threads()
        writer = index.writer(heap_size=512 << 20, num_threads=1)

    seconds, _ = cpu(fill)
    print(json.dumps({"engine": "tantivy", "build": seconds, "bytes": size(where + ".tantivy")}))


def size(folder):
    return sum(f.stat().st_size for f in os.scandir(folder))


def query(questions, where, k):
    asked = [terms(line) for line in open(questions)]
    asked = [q for q in asked if q]
    for backend in ("numpy", "numba"):
        b = bm25s.BM25.load(where + ".bm25s")
        if backend == "numba":
            b.backend = "numba"
            b.activate_numba_scorer()
        words = [q for q in ([w for w in q if w in b.vocab_dict] for q in asked) if q]
        b.retrieve(words[:2], k=k, show_progress=False, n_threads=1)
        seconds, _ = cpu(lambda: [b.retrieve([q], k=k, show_progress=False, n_threads=1) for q in words])
        print(json.dumps({"engine": "bm25s, " + backend, "k": k, "qps": len(words) / seconds}))
    index = tantivy.Index(schema(), path=where + ".tantivy")
    searcher = index.searcher()
    made = [index.parse_query(" ".join(q), ["text"]) for q in asked]
    seconds, _ = cpu(lambda: [searcher.search(q, k, count=False) for q in made])
    print(json.dumps({"engine": f"tantivy, {searcher.num_segments} segments", "k": k, "qps": len(made) / seconds}))


if __name__ == "__main__":
    what, docs, questions, where, k = sys.argv[1:]
    build(docs, where) if what == "build" else query(questions, where, int(k))
