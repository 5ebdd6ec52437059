// SPDX-License-Identifier: MIT
/*
 * ppr.c — personalised PageRank by power iteration over rows of neighbours
 */
#include "ppr.h"

#include <math.h>

#include "alloc.h"

/* Rows: the neighbours of node i are to[at[i] … at[i+1]). */
struct rows {
    size_t n, *at;
    uint32_t *to;
    double *weight;
    double *sum; /* of a node's weights */
};

static bool counts(const struct ppr_edge *e, size_t n)
{
    return e->a < n && e->b < n && e->weight > 0 && isfinite(e->weight);
}

static void put(struct rows *r, size_t *next, uint32_t a, uint32_t b, double weight)
{
    r->to[next[a]] = b;
    r->weight[next[a]++] = weight;
    r->sum[a] += weight;
}

static struct rows rows_of(size_t n, const struct ppr_edge *edges, size_t n_edges)
{
    struct rows r = { .n = n };
    size_t *next = alloc_array(n + 1, sizeof *next);
    r.at = alloc_zero(n + 1, sizeof *r.at);
    r.sum = alloc_zero(n, sizeof *r.sum);
    for (size_t i = 0; i < n_edges; i++)
        if (counts(&edges[i], n)) {
            r.at[edges[i].a + 1]++;
            if (edges[i].a != edges[i].b)
                r.at[edges[i].b + 1]++;
        }
    for (size_t i = 0; i < n; i++)
        r.at[i + 1] += r.at[i];
    memcpy(next, r.at, (n + 1) * sizeof *next);
    r.to = alloc_array(r.at[n], sizeof *r.to);
    r.weight = alloc_array(r.at[n], sizeof *r.weight);
    for (size_t i = 0; i < n_edges; i++)
        if (counts(&edges[i], n)) {
            put(&r, next, edges[i].a, edges[i].b, edges[i].weight);
            if (edges[i].a != edges[i].b)
                put(&r, next, edges[i].b, edges[i].a, edges[i].weight);
        }
    free(next);
    return r;
}

/* One round: next from p; returns the sum of changes. share: (n) scratch. */
static double step(const struct rows *r, const double *reset, double damping, const double *p,
                   double *share, double *next)
{
    double stuck = 0, change = 0;
    for (size_t i = 0; i < r->n; i++) {
        share[i] = r->sum[i] > 0 ? p[i] / r->sum[i] : 0;
        if (!(r->sum[i] > 0))
            stuck += p[i];
    }
    for (size_t i = 0; i < r->n; i++) {
        double in = 0;
        for (size_t k = r->at[i]; k < r->at[i + 1]; k++)
            in += share[r->to[k]] * r->weight[k];
        next[i] = (1 - damping) * reset[i] + damping * (in + stuck * reset[i]);
        change += fabs(next[i] - p[i]);
    }
    return change;
}

unsigned ppr_run(size_t n, const struct ppr_edge *edges, size_t n_edges, const double *reset,
                 double damping, double *rank)
{
    struct rows r = rows_of(n, edges, n_edges);
    double *scratch = alloc_array(3 * n, sizeof *scratch);
    double *start = scratch, *share = scratch + n, *next = scratch + 2 * n, sum = 0;
    unsigned rounds = 0;
    for (size_t i = 0; i < n; i++)
        sum += reset[i];
    for (size_t i = 0; i < n; i++)
        rank[i] = start[i] = sum > 0 ? reset[i] / sum : 1.0 / (double)n;
    while (rounds++ < PPR_ROUNDS) {
        double change = step(&r, start, damping, rank, share, next);
        memcpy(rank, next, n * sizeof *rank);
        if (change < PPR_TOLERANCE)
            break;
    }
    free(scratch);
    free(r.at);
    free(r.to);
    free(r.weight);
    free(r.sum);
    return rounds;
}
