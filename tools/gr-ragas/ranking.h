// SPDX-License-Identifier: MIT
/*
 * ranking.h — how well a ranked list finds what is relevant: trec_eval's measures
 *
 * The values are those of trec_eval 9 (tests/peers/ragas.py, and its own test files): a list is
 * sorted by score, highest first, and equal scores by id in descending byte order, whatever
 * order they came in. Scores are compared as 32-bit floats, as there. A list without scores
 * keeps its order.
 */
#ifndef RANKING_H
#define RANKING_H

#include "gr.h"
#include "sv.h"

struct ranked {
    struct sv id;
    double score;   /* NaN: none */
    double gain;    /* of relevance, > 0: relevant; filled by who knows */
    struct sv text; /* what the id stands for, where ids do not matter */
};

struct ranking {
    struct ranked *items; /* (n) best first */
    size_t n;
    double *ideal; /* (n_relevant) gains of all that is relevant, largest first */
    size_t n_relevant;
};

/* Put items into trec_eval's order. Nothing moves when a score is NaN. O(n log n). */
void ranking_sort(struct ranked *items, size_t n);

/* Keep the first of equal ids; returns the new n. O(n). */
size_t ranking_unique(struct ranked *items, size_t n);

/* Measures with n_relevant > 0; k > 0; 0 … 1. Lists shorter than k count as padded with
 * irrelevant items. */
double ranking_hit(const struct ranking *r, size_t k);       /* success_k */
double ranking_precision(const struct ranking *r, size_t k); /* P_k */
double ranking_recall(const struct ranking *r, size_t k);    /* recall_k */
double ranking_ndcg(const struct ranking *r, size_t k); /* ndcg_cut_k: gain / log2(1 + rank) */
double ranking_mrr(const struct ranking *r);            /* recip_rank */
double ranking_map(const struct ranking *r);            /* map */

#endif
