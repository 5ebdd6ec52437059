// SPDX-License-Identifier: MIT
/*
 * search.h — query records to records with hits
 *
 * Several queries at a time: their vectors are compared with the index in one pass. What comes
 * out for a query does not depend on the others.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "buf.h"
#include "err.h"
#include "fuse.h"
#include "gr.h"
#include "json.h"
#include "plan.h"
#include "vset.h"

struct search_cfg {
    int mode; /* enum search_mode */
    long k, candidates;
    struct fuse_cfg fusion;
    double dense_weight, sparse_weight, keyword_weight;
    double k1, b;           /* of BM25 */
    double dedup;           /* shape.h */
    bool merges;            /* shape.h */
    bool has_mmr;           /* mmr.h */
    double mmr;             /* its lambda, when it is asked for */
    double min_score;       /* -INFINITY: all */
    const char *filter;     /* jq expression, NULL: none */
    const char *hit_fields; /* "paper,title,…": copied from the stored record; "all" */
    double recall;          /* of approximate search; 0: what the index was built for */
    long probe;             /* lists to look into, 0: as recall needs */
    bool is_exact;          /* no approximate search */
    bool keeps_embeddings;
    bool has_timings;
    bool is_selected; /* only selected records are in the index: filter is for the trace */
    size_t depth; /* of lists; 0: as k and candidates need, and deeper when hits are left out */
    bool *is_short;      /* with depth: set when deeper lists would give more hits */
    const char *service; /* where the records come from, for the trace; NULL: a file */
};

/* How deep lists are made at first: k when hits are taken from one as they are, else the
 * candidates that are fused, merged or chosen from. */
size_t search_depth(const struct search_cfg *cfg, size_t k, size_t n_lists);

struct searcher; /* opaque */

/* set: borrowed until search_free. jobs: how many workers may call search_batch. NULL with err:
 * EXIT_USAGE for a filter that is no jq. */
struct searcher *search_new(struct vset *set, const struct search_cfg *cfg, unsigned jobs,
                            struct err *err);
void search_free(struct searcher *s); /* NULL is fine */

/* One query and what comes out: the record with `vector_hits` and a `trace` entry, or rc -1 and
 * err. A job whose rc is not 0 on entry is left alone. */
struct search_job {
    const struct rec *rec;
    struct buf *out;
    struct err *err;
    int rc;
};

/* worker: 0 … jobs-1; one call at a time for each worker. */
void search_batch(struct searcher *s, unsigned worker, struct search_job *jobs, size_t n);

#endif
