// SPDX-License-Identifier: MIT
/*
 * rerank.h — the hits of a query record in the order of a cross-encoder's scores
 *
 * A record with `vector_hits`: the first `top` of them get `rerank` and are put in descending
 * order of it, equal ones as they stood; the others follow as they stood; `rank` is written
 * anew. A record without `vector_hits` but with a text is a pair and gets `rerank` itself. All
 * other bytes are kept.
 */
#ifndef GR_RERANK_H
#define GR_RERANK_H

#include "err.h"
#include "gr.h"
#include "json.h"
#include "reranker.h"

#define RERANK_MAX_HITS 100000

struct rerank_cfg {
    const char *field; /* the text of a hit, or of a pair */
    size_t top;        /* hits that are read */
};

struct rerank_counts {
    uint64_t n_pairs, n_cut;
};

/* One record. -1 with err: EXIT_REJECTED when a field is missing or of a wrong kind. */
int rerank_record(const struct reranker *model, struct reranker_scratch *s,
                  const struct rerank_cfg *cfg, const struct rec *r,
                  struct rerank_counts *counts, struct buf *out, struct err *err);

#endif
