#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ppr.py - vectors of personalised PageRank for test_gr-gquery_ppr.c

usage: ppr.py >ppr.ndjson     needs networkx (made with 3.6.1)

Each line is a random graph: n, edges [a, b, weight], reset (n), damping, and rank (n) as
networkx computes it (its implementation without numpy), checked here against the exact solution
of the linear equations in rational numbers for the small ones.
"""
import json
import random
from fractions import Fraction

import networkx as nx
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python


def graph(n, edges):
    g = nx.Graph()
    g.add_nodes_from(range(n))
    for a, b, w in edges:
        old = g[a][b]["weight"] if g.has_edge(a, b) else 0
        g.add_edge(a, b, weight=old + w)
    return g


def exact(g, n, reset, damping):
    """p = (1-d) r + d (W p + s r), solved by elimination."""
    d, total = Fraction(damping), sum(map(Fraction, reset))
    r = [Fraction(x) / total for x in reset]
    m = [[Fraction(i == j) for j in range(n)] + [(1 - d) * r[i]] for i in range(n)]
    for j in range(n):
        out = sum(Fraction(x["weight"]) for x in g[j].values())
        for i in range(n):
            share = Fraction(g[j][i]["weight"]) / out if out and i in g[j] else r[i] if not out else 0
            m[i][j] -= d * share
    for c in range(n):
        p = next(i for i in range(c, n) if m[i][c])
        m[c], m[p] = m[p], m[c]
        m[c] = [x / m[c][c] for x in m[c]]
        for i in range(n):
            if i != c and m[i][c]:
                m[i] = [x - m[i][c] * y for x, y in zip(m[i], m[c])]
    return [float(m[i][n]) for i in range(n)]


def main():
    rng = random.Random(20)
    for k in range(40):
        n = rng.choice([1, 2, 3, 5, 8, 12, 30, 80])
        kind = k % 4
        edges = []
        for _ in range(rng.randrange(0, 3 * n + 1)):
            a = 0 if kind == 1 else rng.randrange(n)  # 1: a hub
            edges.append([a, rng.randrange(n), rng.choice([0.15, 0.5, 1, 2.75])])
        reset = [0.0] * n
        for _ in range(rng.randrange(1, 4)):
            reset[rng.randrange(n)] += rng.choice([0.05, 0.4, 1])
        damping = rng.choice([0.5, 0.85])
        g = graph(n, edges)
        p = _pagerank_python(g, alpha=damping, personalization=dict(enumerate(reset)),
                             max_iter=1000, tol=1e-14)
        rank = [p[i] for i in range(n)]
        if n <= 12:
            assert max(abs(a - b) for a, b in zip(rank, exact(g, n, reset, damping))) < 1e-10
        print(json.dumps({"n": n, "edges": edges, "reset": reset, "damping": damping,
                          "rank": rank}))


main()
