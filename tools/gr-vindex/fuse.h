// SPDX-License-Identifier: MIT
/*
 * fuse.h — several ranked lists into one by reciprocal rank fusion
 */
#ifndef FUSE_H
#define FUSE_H

#include "gr.h"
#include "topk.h"

enum list_kind { LIST_DENSE, LIST_SPARSE };

/* A ranked list: items best first, ord is the rank of the document's id (ties). */
struct fuse_list {
    enum list_kind kind;
    double weight; /* 0 leaves the list out */
    const struct topk_item *items;
    size_t n;
};

/* A document in the fused list, with its best place in the lists of each kind. */
struct fuse_hit {
    uint64_t ord;
    double score;
    double list_score[2];  /* by list_kind: its score at the best place */
    uint32_t list_rank[2]; /* by list_kind: best place from 1; 0: in no such list */
};

/*
 * Weighted reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009, eq. 1):
 *     score(d) = Σ_lists weight / (rrf_k + rank)
 * A single list keeps its own scores. *out: allocated, best first, ties by ord; free it.
 * Returns how many. The order of lists does not change the result's order of equals. O(total ·
 * log total).
 */
size_t fuse_lists(const struct fuse_list *lists, size_t n_lists, double rrf_k,
                  struct fuse_hit **out);

#endif
