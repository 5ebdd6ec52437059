// SPDX-License-Identifier: MIT
/*
 * fuse.c — fusion of ranked lists
 */
#include "fuse.h"

#include <math.h>

#include "alloc.h"

static int by_ord(const void *a, const void *b)
{
    const struct fuse_place *x = a, *y = b;
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

/* ---- scales ---- */

/* (score - from) · by; a list of equal scores has by 0. */
struct scale {
    double from, by;
};

static struct scale scale_of(const struct fuse_list *l, int method)
{
    double sum = 0, squares = 0, n = (double)l->n;
    if (method == FUSE_MINMAX) {
        double least = l->items[l->n - 1].score, most = l->items[0].score;
        return (struct scale){ least, most > least ? 1 / (most - least) : 0 };
    }
    for (size_t i = 0; i < l->n; i++)
        sum += l->items[i].score;
    for (size_t i = 0; i < l->n; i++) {
        double d = l->items[i].score - sum / n;
        squares += d * d;
    }
    return (struct scale){ sum / n, squares > 0 ? 1 / sqrt(squares / n) : 0 };
}

static double scaled(const struct scale *s, double score)
{
    return (score - s->from) * s->by;
}

/* What each document has from all lists when it is in none of them, and, per list, its scale.
 */
static double all_missing(const struct fuse_list *lists, size_t n_lists, int method,
                          struct scale *scales)
{
    double sum = 0;
    for (size_t l = 0; l < n_lists && method != FUSE_RRF; l++) {
        if (!(lists[l].weight > 0) || !lists[l].n)
            continue;
        scales[l] = scale_of(&lists[l], method);
        sum += lists[l].weight * scaled(&scales[l], lists[l].items[lists[l].n - 1].score);
    }
    return sum;
}

/* ---- fusion ---- */

struct fusion {
    const struct fuse_list *lists;
    const struct fuse_cfg *cfg;
    bool is_single;
    struct scale *scales; /* (lists) */
    double missing;
};

/* What a place adds to the score. */
static double worth(const struct fusion *f, const struct fuse_place *p)
{
    const struct fuse_list *l = &f->lists[p->list];
    double score = l->items[p->rank - 1].score;
    if (f->is_single)
        return score;
    if (f->cfg->method == FUSE_RRF)
        return l->weight / (f->cfg->rrf_k + (double)p->rank);
    return l->weight * (score - l->items[l->n - 1].score) * f->scales[p->list].by;
}

static void add_place(const struct fusion *f, struct fuse_hit *h, const struct fuse_place *p)
{
    const struct fuse_list *l = &f->lists[p->list];
    if (!h->list_rank[l->kind] || p->rank < h->list_rank[l->kind]) {
        h->list_rank[l->kind] = (uint32_t)p->rank;
        h->list_score[l->kind] = l->items[p->rank - 1].score;
    }
    h->score += worth(f, p);
    h->n_places++;
}

/* Places of all documents, by document. */
static size_t sort_places(const struct fuse_list *lists, size_t n_lists,
                          struct fuse_place **out)
{
    size_t total = 0, at = 0;
    for (size_t l = 0; l < n_lists; l++)
        total += lists[l].weight > 0 ? lists[l].n : 0;
    struct fuse_place *p = alloc_array(total + 1, sizeof *p);
    for (size_t l = 0; l < n_lists; l++)
        for (size_t i = 0; lists[l].weight > 0 && i < lists[l].n; i++)
            p[at++] = (struct fuse_place){ lists[l].items[i].ord, l, i + 1 };
    qsort(p, total, sizeof *p, by_ord);
    *out = p;
    return total;
}

struct fuse_result fuse_lists(const struct fuse_list *lists, size_t n_lists,
                              const struct fuse_cfg *cfg)
{
    struct fuse_result r = { 0 };
    struct fusion f = { .lists = lists, .cfg = cfg };
    size_t n_used = 0, total = sort_places(lists, n_lists, &r.places);
    for (size_t l = 0; l < n_lists; l++)
        n_used += lists[l].weight > 0;
    f.is_single = n_used == 1;
    f.scales = alloc_zero(n_lists + 1, sizeof *f.scales);
    if (!f.is_single)
        f.missing = all_missing(lists, n_lists, cfg->method, f.scales);
    r.hits = alloc_zero(total + 1, sizeof *r.hits);
    for (size_t i = 0; i < total; i++) {
        if (!i || r.places[i].ord != r.places[i - 1].ord)
            r.hits[r.n++] =
                (struct fuse_hit){ .ord = r.places[i].ord, .score = f.missing, .first = i };
        add_place(&f, &r.hits[r.n - 1], &r.places[i]);
    }
    free(f.scales);
    if (r.n)
        qsort(r.hits, r.n, sizeof *r.hits, best_first);
    return r;
}

void fuse_release(struct fuse_result *r)
{
    free(r->hits);
    free(r->places);
    *r = (struct fuse_result){ 0 };
}
