// SPDX-License-Identifier: MIT
/*
 * spread.c — the parts' lists put together
 */
#include "spread.h"

#include "alloc.h"

/* Items of one list, from all parts. */
struct found {
    struct topk_item *items;
    size_t n;
};

struct named {
    struct sv id;
    struct topk_item *item;
};

static int id_of(const struct vset *set, uint64_t place, struct sv *id, struct err *err)
{
    const struct vindex *x = spread_part(set, place);
    return vindex_id(x, x->sorted[spread_rank(place)], id, err);
}

/* Every item with its id. */
static int name_items(const struct vset *set, struct topk_item *items, size_t n,
                      struct named *to, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        to[i].item = &items[i];
        if (id_of(set, items[i].ord, &to[i].id, err) < 0)
            return -1;
    }
    return 0;
}

static int best_first(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->item->score != y->item->score)
        return x->item->score > y->item->score ? -1 : 1;
    return sv_cmp(x->id, y->id);
}

static int by_id(const void *a, const void *b)
{
    return sv_cmp(((const struct named *)a)->id, ((const struct named *)b)->id);
}

/* ---- before: what BM25 counts ---- */

/* The postings of every part, and the numbers of every sparse list. */
static int count_terms(struct vset *set, struct lists_worker *workers, struct sparse_owned *own,
                       struct list **lists, size_t n, const struct map *words, struct err *err)
{
    bool is_needed = false;
    for (size_t i = 0; i < n; i++)
        if (lists[i]->kind == LIST_SPARSE && lists[i]->n_terms) {
            is_needed = true;
            bm25_release(&lists[i]->numbers);
            bm25_init(&lists[i]->numbers, lists[i]->n_terms);
            lists[i]->numbers.k1 = workers[0].k1;
            lists[i]->numbers.b = workers[0].b;
        }
    for (size_t p = 0; p < set->n; p++) {
        struct vindex *x = &set->parts[p];
        workers[p].view = NULL;
        if (!is_needed || !x->n_live || !vindex_has_sparse(x))
            continue;
        if (vindex_sparse(x, words, &own[p], &workers[p].view, err) < 0)
            return -1;
        for (size_t i = 0; i < n; i++)
            if (lists[i]->kind == LIST_SPARSE && lists[i]->n_terms &&
                vindex_count(x, workers[p].view, lists[i]->terms, lists[i]->n_terms,
                             &lists[i]->numbers, err) < 0)
                return -1;
    }
    return 0;
}

/* ---- after: one list of the parts' lists ---- */

static void take_items(struct found *f, size_t part, const struct topk *best)
{
    f->items = alloc_resize(f->items, f->n + best->n + 1, sizeof *f->items);
    for (size_t i = 0; i < best->n; i++)
        f->items[f->n++] =
            (struct topk_item){ best->items[i].score,
                                (uint64_t)part << SPREAD_BITS | best->items[i].ord };
}

static int put_together(const struct vset *set, struct list *l, struct found *f,
                        struct err *err)
{
    struct named *named = alloc_array(f->n + 1, sizeof *named);
    topk_release(&l->best);
    topk_init(&l->best, l->need);
    int rc = name_items(set, f->items, f->n, named, err);
    if (rc == 0) {
        if (f->n)
            qsort(named, f->n, sizeof *named, best_first);
        l->best.n = f->n < l->need ? f->n : l->need;
        l->best.cap = l->best.n;
        l->best.items = alloc_array(l->best.n + 1, sizeof *l->best.items);
        for (size_t i = 0; i < l->best.n; i++)
            l->best.items[i] = *named[i].item;
    }
    free(named);
    return rc;
}

static int run_parts(struct vset *set, struct lists_worker *workers, struct list **lists,
                     size_t n, struct err *err)
{
    struct found *found = alloc_zero(n + 1, sizeof *found);
    struct filter *filter = workers[0].filter;
    int rc = 0;
    workers[0].filter = NULL;
    for (size_t p = 0; p < set->n && rc == 0; p++) {
        if (!set->parts[p].n_live)
            continue;
        workers[p].filter = filter; /* one, as compiling it takes some 20 ms */
        rc = lists_run(&set->parts[p], &workers[p], lists, n, err);
        filter = workers[p].filter;
        workers[p].filter = NULL;
        for (size_t i = 0; i < n && rc == 0; i++)
            take_items(&found[i], p, &lists[i]->best);
    }
    workers[0].filter = filter;
    for (size_t i = 0; i < n; i++) {
        if (rc == 0)
            rc = put_together(set, lists[i], &found[i], err);
        free(found[i].items);
    }
    free(found);
    return rc;
}

int spread_run(struct vset *set, struct lists_worker *workers, struct list **lists, size_t n,
               const struct map *words, struct err *err)
{
    struct sparse_owned *own = alloc_zero(set->n, sizeof *own);
    int rc = count_terms(set, workers, own, lists, n, words, err);
    if (rc == 0)
        rc = set->n == 1 ? lists_run(&set->parts[0], &workers[0], lists, n, err)
                         : run_parts(set, workers, lists, n, err);
    for (size_t p = 0; p < set->n; p++) {
        workers[p].view = NULL;
        sparse_owned_release(&own[p]);
    }
    free(own);
    return rc;
}

int spread_number(const struct vset *set, struct list *lists, size_t n, uint64_t **places,
                  struct err *err)
{
    size_t total = 0, at = 0, number = 0;
    *places = NULL;
    if (set->n == 1)
        return 0;
    for (size_t i = 0; i < n; i++)
        total += lists[i].best.n;
    struct named *named = alloc_array(total + 1, sizeof *named);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; at += lists[i++].best.n)
        rc = name_items(set, lists[i].best.items, lists[i].best.n, named + at, err);
    if (rc == 0 && total)
        qsort(named, total, sizeof *named, by_id);
    *places = alloc_array(total + 1, sizeof **places);
    for (size_t i = 0; i < total && rc == 0; i++) {
        number += i && !sv_eq(named[i].id, named[i - 1].id);
        (*places)[number] = named[i].item->ord;
        named[i].item->ord = number;
    }
    free(named);
    return rc;
}
