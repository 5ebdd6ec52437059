// SPDX-License-Identifier: MIT
/*
 * mmr.c — choosing hits one after the other
 */
#include "mmr.h"

#include <math.h>

#include "alloc.h"
#include "vec.h"

struct choice {
    double relevance, likeness; /* to what was chosen, at most */
    bool is_chosen;
};

/* On a scale of 0 … 1; all 1 when they are equal. */
static void put_on_scale(const double *relevance, size_t n, struct choice *c)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, relevance[i]);
        most = fmax(most, relevance[i]);
    }
    for (size_t i = 0; i < n; i++)
        c[i].relevance = most > least ? (relevance[i] - least) / (most - least) : 1;
}

void mmr_order(const double *relevance, const float *const *vectors, size_t n, size_t dim,
               double lambda, size_t k, size_t *order)
{
    struct choice *c = alloc_zero(n + 1, sizeof *c);
    put_on_scale(relevance, n, c);
    for (size_t taken = 0; taken < k; taken++) {
        size_t best = SIZE_MAX;
        double worth = 0;
        for (size_t i = 0; i < n; i++) {
            double w = lambda * c[i].relevance - (1 - lambda) * c[i].likeness;
            if (!c[i].is_chosen && (best == SIZE_MAX || w > worth)) {
                best = i;
                worth = w;
            }
        }
        c[best].is_chosen = true;
        order[taken] = best;
        for (size_t i = 0; i < n; i++)
            if (!c[i].is_chosen && vectors[i] && vectors[best])
                c[i].likeness =
                    fmax(c[i].likeness, (double)vec_dot(vectors[i], vectors[best], dim));
    }
    free(c);
}
