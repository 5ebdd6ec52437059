// SPDX-License-Identifier: MIT
/*
 * ranking.c — trec_eval's order and measures
 */
#include "ranking.h"

#include <math.h>

#include "map.h"

static int best_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    float s = (float)x->score, t = (float)y->score;
    if (s < t || s > t)
        return s > t ? -1 : 1;
    return sv_cmp(y->id, x->id);
}

void ranking_sort(struct ranked *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(items[i].score))
            return;
    if (n)
        qsort(items, n, sizeof *items, best_first);
}

size_t ranking_unique(struct ranked *items, size_t n)
{
    struct map *seen = map_new();
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_new;
        map_put(seen, items[i].id, &is_new);
        if (is_new)
            items[kept++] = items[i];
    }
    map_free(seen);
    return kept;
}

static size_t found(const struct ranking *r, size_t k)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n && i < k; i++)
        n += r->items[i].gain > 0;
    return n;
}

double ranking_hit(const struct ranking *r, size_t k)
{
    return found(r, k) > 0;
}

double ranking_precision(const struct ranking *r, size_t k)
{
    return (double)found(r, k) / (double)k;
}

double ranking_recall(const struct ranking *r, size_t k)
{
    return (double)found(r, k) / (double)r->n_relevant;
}

double ranking_ndcg(const struct ranking *r, size_t k)
{
    double got = 0, best = 0;
    for (size_t i = 0; i < r->n && i < k; i++)
        if (r->items[i].gain > 0)
            got += r->items[i].gain / log2((double)i + 2);
    for (size_t i = 0; i < r->n_relevant && i < k; i++)
        best += r->ideal[i] / log2((double)i + 2);
    return best > 0 ? got / best : 0;
}

double ranking_mrr(const struct ranking *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].gain > 0)
            return 1 / (double)(i + 1);
    return 0;
}

double ranking_map(const struct ranking *r)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].gain > 0)
            sum += (double)++n / (double)(i + 1);
    return sum / (double)r->n_relevant;
}
