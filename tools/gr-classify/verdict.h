// SPDX-License-Identifier: MIT
/*
 * verdict.h — from class probabilities to the fields of a query record
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "buf.h"
#include "gr.h"
#include "model.h"

struct verdict {
    double prob[MODEL_CLASSES];
    size_t best, second; /* classes of the two highest probabilities; ties: the earlier class */
    bool is_known;       /* prob[best] reached the threshold, or somebody chose */
    size_t chosen;       /* class: best, unless somebody else chooses (verdict_choose) */
    bool is_chosen;
};

/* Judge a query; below min_prob the class is "unknown". p->x keeps its n-grams. */
struct verdict verdict_of(const struct model *m, struct predictor *p, struct sv query,
                          double min_prob);

/* Somebody who knows better says which class; the probabilities stay. */
void verdict_choose(struct verdict *v, size_t class);

/* Members class, class_scores, strategy and depth (hops of the graph walk: 1, 2, 2, 3 by
 * class). An unknown class gets the hybrid strategy, which assumes least, and depth 2. */
void verdict_write(const struct verdict *v, struct buf *out);

/* The trace entry, one JSON object: class, margin over the second class, known n-grams; "by"
 * when somebody chose. */
void verdict_write_trace(const struct verdict *v, const struct predictor *p, struct buf *out);

/* Member `reasons`: at most `top` n-grams of the query with the largest tf-idf × weight for the
 * class, best first. */
void verdict_write_reasons(const struct verdict *v, const struct model *m,
                           const struct predictor *p, size_t top, struct buf *out);

#endif
