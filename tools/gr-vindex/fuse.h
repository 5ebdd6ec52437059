// SPDX-License-Identifier: MIT
/*
 * fuse.h — several ranked lists into one, by ranks or by scores
 *
 * By ranks (Cormack, Clarke & Büttcher, SIGIR 2009, eq. 1):
 *     score(d) = Σ_lists weight / (rrf_k + rank)
 * By scores: those of a list are put on one scale, by their mean and standard deviation (z) or
 * by the least and the greatest (min-max); a document that is not in the list counts as its
 * last (Σ weight · scaled score).
 */
#ifndef FUSE_H
#define FUSE_H

#include "gr.h"
#include "topk.h"

enum list_kind { LIST_DENSE, LIST_SPARSE };
enum fuse_method { FUSE_RRF, FUSE_Z, FUSE_MINMAX };
#define FUSE_NAMES "rrf|zscore|minmax"

/* A ranked list: items best first, ord is the rank of the document's id (ties). */
struct fuse_list {
    enum list_kind kind;
    double weight; /* 0 leaves the list out */
    const struct topk_item *items;
    size_t n;
};

/* A document's place in a list. */
struct fuse_place {
    uint64_t ord;
    size_t list, rank; /* rank from 1 */
};

/* A document in the fused list, with its best place in the lists of each kind. */
struct fuse_hit {
    uint64_t ord;
    double score;
    double list_score[2];   /* by list_kind: its score at the best place */
    uint32_t list_rank[2];  /* by list_kind: best place from 1; 0: in no such list */
    size_t first, n_places; /* in fuse_result.places, by list */
};

struct fuse_result {
    struct fuse_hit *hits; /* (n) best first, ties by ord */
    size_t n;
    struct fuse_place *places;
};

struct fuse_cfg {
    int method; /* enum fuse_method */
    double rrf_k;
};

/* A single list keeps its own scores. The order of lists does not change the result's order of
 * equals. O(total · log total). */
struct fuse_result fuse_lists(const struct fuse_list *lists, size_t n_lists,
                              const struct fuse_cfg *cfg);
void fuse_release(struct fuse_result *r);

#endif
