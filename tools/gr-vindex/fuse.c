// SPDX-License-Identifier: MIT
/*
 * fuse.c — rank fusion
 */
#include "fuse.h"

#include "alloc.h"

struct entry {
    uint64_t ord;
    size_t list, rank; /* rank from 1 */
};

static int by_ord(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->ord != y->ord)
        return x->ord < y->ord ? -1 : 1;
    return x->list < y->list ? -1 : x->list > y->list;
}

static int best_first(const void *a, const void *b)
{
    const struct fuse_hit *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->ord < y->ord ? -1 : x->ord > y->ord;
}

static void add_place(struct fuse_hit *h, const struct fuse_list *l, size_t rank, double score)
{
    if (!h->list_rank[l->kind] || rank < h->list_rank[l->kind]) {
        h->list_rank[l->kind] = (uint32_t)rank;
        h->list_score[l->kind] = l->items[rank - 1].score;
    }
    h->score += score;
}

size_t fuse_lists(const struct fuse_list *lists, size_t n_lists, double rrf_k,
                  struct fuse_hit **out)
{
    size_t total = 0, n = 0, n_used = 0, at = 0;
    for (size_t l = 0; l < n_lists; l++) {
        total += lists[l].weight > 0 ? lists[l].n : 0;
        n_used += lists[l].weight > 0;
    }
    struct entry *e = alloc_array(total + 1, sizeof *e);
    struct fuse_hit *hits = alloc_zero(total + 1, sizeof *hits);
    for (size_t l = 0; l < n_lists; l++)
        for (size_t i = 0; lists[l].weight > 0 && i < lists[l].n; i++)
            e[at++] = (struct entry){ lists[l].items[i].ord, l, i + 1 };
    qsort(e, total, sizeof *e, by_ord);
    for (size_t i = 0; i < total; i++) {
        const struct fuse_list *l = &lists[e[i].list];
        if (!i || e[i].ord != e[i - 1].ord)
            hits[n++].ord = e[i].ord;
        add_place(&hits[n - 1], l, e[i].rank,
                  n_used == 1 ? l->items[e[i].rank - 1].score
                              : l->weight / (rrf_k + (double)e[i].rank));
    }
    free(e);
    if (n)
        qsort(hits, n, sizeof *hits, best_first);
    *out = hits;
    return n;
}
