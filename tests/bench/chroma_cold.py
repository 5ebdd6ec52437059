# SPDX-License-Identifier: MIT
"""Chroma's side of bench/chroma.sh.

    chroma_cold.py random N         records of 384 dimensions around 200 centres
    chroma_cold.py add DIR FILE     put records into a PersistentClient
    chroma_cold.py ask DIR FILE     the ids of the ten nearest to a query's embedding
"""
import base64
import json
import struct
import sys
import time


def vector(text):
    data = base64.b64decode(text)
    return list(struct.unpack("<%df" % (len(data) // 4), data))


def random_records(n):
    import numpy

    rng = numpy.random.default_rng(5)
    centres = rng.standard_normal((200, 384))
    for i in range(n):
        v = centres[rng.integers(200)] + 0.7 * rng.standard_normal(384)
        v = (v / numpy.linalg.norm(v)).astype("<f4")
        print(json.dumps({"id": "r%06d" % i, "text": "record %d" % i, "embedding": base64.b64encode(v.tobytes()).decode(),
                          "embedding_model": "random/384"}))


def collection(folder):
    import chromadb

    settings = chromadb.config.Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(folder, settings=settings).get_or_create_collection("lit", metadata={"hnsw:space": "cosine"})


def send(to, batch):
    to.upsert(ids=[r["id"] for r in batch], embeddings=[vector(r["embedding"]) for r in batch], documents=[r["text"] for r in batch],
              metadatas=[{k: v for k, v in r.items() if k in ("year", "journal", "kind", "paper", "start")} for r in batch])


def add(folder, path):
    to, batch, since = collection(folder), [], time.process_time()
    have = to.count()
    for i, line in enumerate(open(path)):
        if i < have:
            continue
        batch.append(json.loads(line))
        if len(batch) == 5000:
            send(to, batch)
            batch = []
    if batch:
        send(to, batch)
    print("added to Chroma: %d records, %.0f CPU seconds" % (to.count(), time.process_time() - since))


def ask(folder, path):
    query = json.loads(open(path).readline())
    found = collection(folder).query(query_embeddings=[vector(query["embedding"])], n_results=10)
    print("\n".join(found["ids"][0]))


if __name__ == "__main__":
    if sys.argv[1] == "random":
        random_records(int(sys.argv[2]))
    else:
        {"add": add, "ask": ask}[sys.argv[1]](*sys.argv[2:])
