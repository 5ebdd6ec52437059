// SPDX-License-Identifier: MIT
/*
 * answer.h — a query record with its hits, as it is written
 */
#ifndef ANSWER_H
#define ANSWER_H

#include "fuse.h"
#include "plan.h"
#include "search.h"
#include "shape.h"

struct answer {
    const struct plan *plan;
    const struct search_cfg *cfg;
    const struct fuse_list *lists; /* (n_lists) */
    size_t n_lists;
    const struct fuse_result *fused;
    const struct shape *shape; /* the hits */
    double ms;                 /* written only with cfg->has_timings */
};

/*
 * Append the record as a line: its own members, `vector_hits` replaced, an entry added to
 * `trace`, `embeddings` and `embedding` left out unless cfg->keeps_embeddings. A hit: id, the
 * members named in cfg->hit_fields as the stored record has them, score, rank (from 1), via
 * ("dense", "bm25", or how lists were fused with the best rank and score of each kind of list;
 * with several lists of a kind, `lists` has all of them), `same`: ids of near-duplicates left
 * out, `ids`: of windows put together, whose text, start and end go before the record's.
 */
void answer_put(const struct answer *a, const struct rec *r, struct buf *out);

#endif
