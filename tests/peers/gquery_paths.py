#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gquery_paths.py - gr-gquery path against all simple paths of random graphs, found the plain way

usage: gquery_paths.py     (by gr-gquery-paths.t; gr-gquery is in PATH; prints TAP; seed 11)
"""
import json
import math
import random
import subprocess


def make(rng, n, m):
    triples = []
    for i in range(m):
        a, b = rng.randrange(n) if rng.random() < 0.7 else 0, rng.randrange(n)
        t = {"head": {"name": f"node N{a}", "type": "x"}, "relation": f"R{rng.randrange(3)}",
             "tail": {"name": f"node N{b}", "type": "x"},
             "confidence": rng.choice([0.4, 0.7, 0.9]), "paper": "p"}
        if rng.random() < 0.1:
            t["tail"] = {"name": f"{b} Ma", "type": "value"}
            t["value"] = {"number": b, "unit": "Ma"}
        triples.append(t)
    return triples


def name(t):
    return t["name"]


def paths(triples, a, b, hops):
    """(hops, -score, nodes) of every path without loops."""
    near, trust, edges = {}, {}, set()
    for t in triples:
        h, r = name(t["head"]), name(t["tail"])
        edges.add((h, t["relation"], r, json.dumps(t.get("value"))))
        near.setdefault(h, set()).add(r)
        near.setdefault(r, set()).add(h)
        for k in ((h, r), (r, h)):
            trust[k] = max(trust.get(k, 0), t["confidence"])
    degree = {x: sum((e[0] == x) + (e[2] == x) for e in edges) for x in near}
    found = []

    def go(way):
        if way[-1] == b:
            score = math.prod(trust[p] for p in zip(way, way[1:]))
            for x in way[1:-1]:
                score /= math.log2(2 + degree[x])
            found.append((len(way) - 1, -score, way))
        elif len(way) <= hops and (len(way) == 1 or not way[-1].endswith("Ma")):
            for x in near[way[-1]]:
                if x not in way:
                    go(way + [x])

    go([a])
    return sorted(found)


def main():
    rng = random.Random(11)
    bad = 0
    rounds = 60
    for k in range(rounds):
        n = rng.randrange(2, 9)
        triples = make(rng, n, rng.randrange(1, 3 * n))
        rng.shuffle(triples)
        subprocess.run(["gr-gquery", "build", "-q", "--no-synonyms", "-o", "kg.grg"], check=True,
                       input="".join(json.dumps(t) + "\n" for t in triples).encode())
        names = sorted({name(t[e]) for t in triples for e in ("head", "tail")
                        if "Ma" not in name(t[e])})
        a, b = rng.choice(names), rng.choice(names)
        hops, top = rng.randrange(1, 7), rng.choice([1, 3, 100])
        out = subprocess.run(["gr-gquery", "path", "-q", "-g", "kg.grg", f"--max-hops={hops}",
                              f"--top={top}", a, b], capture_output=True, check=True).stdout
        got = [json.loads(x) for x in out.splitlines()]
        want = paths(triples, a, b, hops)
        # Which of equals comes first is the graph's order: their ranks are compared, and that
        # each path is one.
        same = [[g["hops"], g["score"]] for g in got] == [[w[0], round(-w[1], 4)]
                                                          for w in want[:top]]
        known = {tuple(w[2]) for w in want}
        ways = [tuple(g["nodes"]) for g in got]
        if not same or len(set(ways)) != len(ways) or not set(ways) <= known:
            bad += 1
            print(f"# graph {k}: {a} to {b}, {hops} hops, {top} paths: got {ways}, want {want[:top]}")
    print("not " * bool(bad) + f"ok 1 - the k shortest paths of {rounds} random graphs")
    print("1..1")


main()
