// SPDX-License-Identifier: MIT
/*
 * lists.h — the ranked lists of some queries, run together, with the filter inside
 *
 * The filter is applied before the best are taken, so that k selected records come back
 * whenever there are k. What columns have answered (filter_know) is skipped at once, and when
 * that is all, libjq is not asked. Since asking it about a record takes some 10 µs, the best
 * few are asked first, and 16 times as many again as long as too few of them are selected.
 * Answers are kept.
 */
#ifndef LISTS_H
#define LISTS_H

#include "filter.h"
#include "fuse.h"
#include "sparse.h"
#include "vset.h"

/* Scratch of one worker. */
struct lists_worker {
    struct terms *terms; /* made when first needed */
    struct sparse_scratch sparse;
    const struct sparse *view; /* the postings to search, NULL: none; borrowed */
    double k1, b;              /* of BM25 */
    const char *expr;          /* the filter, NULL: none; borrowed */
    struct filter *filter;     /* made when first needed: compiling takes some 20 ms */
    unsigned char *skip;  /* (n_docs) 1: the filter does not select it; owned if `known` is */
    unsigned char *known; /* (n_docs) 1: the filter has been asked; NULL: all is in `skip` */
    const unsigned char *sure; /* what was known to be skipped before libjq was asked; borrowed:
                                  what approximate search finds must not depend on which
                                  queries this worker had before */
    size_t n_left;             /* records that are not known to be skipped */
    const unsigned char *dead; /* (n_docs) left out, NULL: none; borrowed */
    const struct ivf *ivf; /* to search dense lists approximately, NULL: exactly; borrowed */
    struct ivf_effort effort;
    struct ivf_scratch scratch; /* made when first needed */
};

/* expr: a jq expression that compiles, NULL: no filter; known: what is known of it already. All
 * borrowed until release, as is x. */
void lists_worker_init(struct lists_worker *w, const struct vindex *x, const char *expr,
                       const struct filter_known *known);
/* Search dense lists with so much effort, except deep ones. May be called again with a copy of
 * the same. */
void lists_worker_approximate(struct lists_worker *w, const struct ivf *ivf,
                              const struct ivf_effort *effort);
void lists_worker_release(struct lists_worker *w);

/* One list to make. */
struct list {
    enum list_kind kind;
    double weight;
    size_t need;               /* items wanted */
    const float *vector;       /* dense: (dim), borrowed */
    struct sparse_term *terms; /* sparse: (n_terms), owned; texts in `words` */
    size_t n_terms;
    struct bm25 numbers; /* sparse: of the whole collection; owned */
    struct topk best;    /* the result: at most `need` items, best first */
};

/* Analyse a text for a sparse list: its terms are added with the given weight. words: keeps the
 * bytes of the terms of many lists. EXIT_FATAL: the index wants another analyser. */
int list_add_text(struct list *l, struct vset *set, struct lists_worker *w, struct map *words,
                  struct sv text, double weight, struct err *err);
void list_release(struct list *l);

/* Run all in one part: fills every `best`, ord being the rank of a record in the part. */
int lists_run(struct vindex *x, struct lists_worker *w, struct list **lists, size_t n,
              struct err *err);

#endif
