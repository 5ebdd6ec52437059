// SPDX-License-Identifier: MIT
/*
 * plan.h — what to search for one query record, and why
 */
#ifndef PLAN_H
#define PLAN_H

#include "err.h"
#include "gr.h"
#include "json.h"

enum search_mode { MODE_AUTO, MODE_DENSE, MODE_SPARSE, MODE_HYBRID };
#define MODE_NAMES "auto|dense|sparse|hybrid"

/* What the index offers. */
struct plan_index {
    const char *path;
    bool has_vectors, has_sparse;
    size_t dim;
    struct sv model;
};

struct plan_cfg {
    int mode;                           /* enum search_mode */
    size_t k;                           /* hits wanted when the record has no integer `k` */
    double dense_weight, sparse_weight; /* of the lists when it has no `weights` */
    struct plan_index index;
};

struct plan {
    enum search_mode mode; /* never MODE_AUTO */
    const char *why;       /* static text for the trace */
    size_t k;
    bool has_weights; /* the record has `weights` */
    double dense_weight, sparse_weight;
    float *vectors; /* (n_vectors, dim) of length 1; owned */
    size_t n_vectors;
    struct sv *texts; /* (n_texts) borrowed from the record; the array is owned */
    size_t n_texts;
    struct sv *keywords; /* (n_keywords), the same */
    size_t n_keywords;
};

/*
 * Read a query record: `embeddings` or `embedding`, `embedding_model`, `query`, `queries`,
 * `keywords`, `strategy` or else `class`, `k`, `weights`. MODE_AUTO is hybrid, each query a
 * list of its own, and falls back to what query and index both have. EXIT_REJECTED: fields of a
 * wrong kind, nothing to search for, a vector of another dimension or model than the index
 * (names both).
 */
int plan_make(struct plan *p, const struct plan_cfg *cfg, const struct rec *r, struct err *err);
void plan_release(struct plan *p);

const char *search_mode_name(enum search_mode m);

#endif
