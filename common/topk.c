// SPDX-License-Identifier: MIT
/*
 * topk.c — a bounded binary heap with the worst kept item on top
 */
#include "topk.h"

#include "alloc.h"

static bool is_worse(struct topk_item a, struct topk_item b)
{
    return a.score < b.score || (a.score == b.score && a.ord > b.ord);
}

void topk_init(struct topk *t, size_t k)
{
    *t = (struct topk){ .k = k };
}

void topk_release(struct topk *t)
{
    free(t->items);
    *t = (struct topk){ 0 };
}

static void sift_down(struct topk *t, size_t i)
{
    for (;;) {
        size_t worst = i, l = 2 * i + 1, r = l + 1;
        if (l < t->n && is_worse(t->items[l], t->items[worst]))
            worst = l;
        if (r < t->n && is_worse(t->items[r], t->items[worst]))
            worst = r;
        if (worst == i)
            return;
        struct topk_item tmp = t->items[i];
        t->items[i] = t->items[worst];
        t->items[worst] = tmp;
        i = worst;
    }
}

bool topk_wants(const struct topk *t, double score, uint64_t ord)
{
    if (t->n < t->k)
        return true;
    return t->k && is_worse(t->items[0], (struct topk_item){ score, ord });
}

void topk_push(struct topk *t, double score, uint64_t ord)
{
    struct topk_item item = { score, ord };
    if (!topk_wants(t, score, ord))
        return;
    if (t->n == t->k) {
        t->items[0] = item;
        sift_down(t, 0);
        return;
    }
    /* Room is made as it is needed: k may be far more than there are items. */
    if (t->n == t->cap) {
        t->cap = alloc_grow(t->cap, t->n + 1);
        t->items = alloc_resize(t->items, t->cap, sizeof *t->items);
    }
    size_t i = t->n++;
    t->items[i] = item;
    while (i && is_worse(t->items[i], t->items[(i - 1) / 2])) {
        struct topk_item tmp = t->items[i];
        t->items[i] = t->items[(i - 1) / 2];
        t->items[(i - 1) / 2] = tmp;
        i = (i - 1) / 2;
    }
}

static int best_first(const void *a, const void *b)
{
    const struct topk_item *x = a, *y = b;
    return is_worse(*x, *y) ? 1 : is_worse(*y, *x) ? -1 : 0;
}

void topk_sort(struct topk *t)
{
    if (t->n)
        qsort(t->items, t->n, sizeof *t->items, best_first);
}
