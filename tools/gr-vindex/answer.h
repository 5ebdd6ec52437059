// SPDX-License-Identifier: MIT
/*
 * answer.h — a query record with its hits, as it is written
 */
#ifndef ANSWER_H
#define ANSWER_H

#include "fuse.h"
#include "plan.h"
#include "search.h"

struct answer {
    const struct vset *set;
    const uint64_t *places; /* of each hit's ord, see spread.h; NULL: there is one part */
    const struct plan *plan;
    const struct search_cfg *cfg;
    const struct fuse_list *lists; /* (n_lists) */
    size_t n_lists;
    struct fuse_hit *hits; /* (n_hits) best first */
    size_t n_hits;
    double ms; /* written only with cfg->has_timings */
};

/*
 * Append the record as a line: its own members, `vector_hits` replaced, an entry added to
 * `trace`, `embeddings` and `embedding` left out unless cfg->keeps_embeddings. A hit: id, the
 * members named in cfg->hit_fields as the stored record has them, score, rank (from 1), via
 * ("dense", "bm25", or "rrf" with the best rank and score of each kind of list). EXIT_FATAL: a
 * stored record is damaged.
 */
int answer_put(const struct answer *a, const struct rec *r, struct buf *out, struct err *err);

#endif
