// SPDX-License-Identifier: MIT
/*
 * topk.h — the k best of a stream of scores, ties broken by the smaller ordinal
 */
#ifndef GR_TOPK_H
#define GR_TOPK_H

#include "gr.h"

struct topk_item {
    double score; /* larger is better; never NaN */
    uint64_t ord; /* input ordinal: the tie-break, so that results do not depend on order */
};

struct topk {
    struct topk_item *items; /* a heap until topk_sort; (n) valid */
    size_t n, k, cap;
};

/* Keep the best k (k == 0 keeps none). */
void topk_init(struct topk *t, size_t k);
void topk_release(struct topk *t);

/* Offer one item. O(log k). */
void topk_push(struct topk *t, double score, uint64_t ord);

/* True when an item of this score and ordinal would be kept. */
bool topk_wants(const struct topk *t, double score, uint64_t ord);

/* Put items[0..n) in order: score descending, then ordinal ascending. No more pushes after. */
void topk_sort(struct topk *t);

#endif
