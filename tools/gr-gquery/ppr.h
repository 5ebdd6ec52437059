// SPDX-License-Identifier: MIT
/*
 * ppr.h — personalised PageRank on a small undirected graph with weights
 *
 *   p = (1 − d) r + d (W p + s r)
 *
 * r: where a walk begins and begins anew, summing to 1; W: each node's share to its neighbours,
 * in proportion to the weights; s: what stands on nodes without edges (Haveliwala, Topic-
 * sensitive PageRank, WWW 2002; as networkx.pagerank with personalization). By power iteration
 * in a fixed order until the sum of changes is below PPR_TOLERANCE, PPR_ROUNDS at most: the
 * same bits on every run. The error left is below PPR_TOLERANCE · d / (1 − d).
 */
#ifndef PPR_H
#define PPR_H

#include "gr.h"

#define PPR_TOLERANCE 1e-10
#define PPR_ROUNDS 200

struct ppr_edge {
    uint32_t a, b; /* nodes; the same twice is a loop, and counts once */
    double weight; /* > 0; others are left out */
};

/* edges: (n_edges), several between two nodes add up. reset: (n) ≥ 0, scaled to sum 1; all 0: n
 * equal parts. rank: (n) receives p, which sums to 1. damping: 0 … < 1. Returns the rounds.
 * O(rounds · (n + n_edges)). */
unsigned ppr_run(size_t n, const struct ppr_edge *edges, size_t n_edges, const double *reset,
                 double damping, double *rank);

#endif
