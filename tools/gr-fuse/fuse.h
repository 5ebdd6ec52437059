// SPDX-License-Identifier: MIT
/*
 * fuse.h — what two retrievers found, made into one context that fits a budget
 *
 * Steps, in this order (each counts what it takes away, and the trace entry tells):
 *   1. read       hits in the order of `rank` (of the array where there is none); an id, or a
 *                 fact, that comes twice in one list counts once, at its best rank
 *   2. same text  a passage whose 5-word shingles are to 90 % within another one goes, if it
 *                 has no number that the other lacks (same.c)
 *   3. merge      windows of one section that overlap become one passage (merge.c)
 *   4. rank       reciprocal rank fusion over chunk ids: a passage that facts come from, or
 *                 that graph_chunks has, rises, and so does a fact whose chunk was found by its
 *                 text (rank.c)
 *   5. compress   sentences that share no words with the question go, where the strategy asks
 *                 for it (compress.c); with a chat model, those it does not pick (pick.c)
 *   6. budget     best first, until top and tokens are used up (budget.c)
 *   7. number     sources are counted from 1: passages first (source n is the passage with key
 *                 n-1), then chunks that only facts come from, in the order of the facts
 */
#ifndef FUSE_H
#define FUSE_H

#include "buf.h"
#include "err.h"
#include "json.h"
#include "llm.h"

enum fuse_compress { FUSE_COMPRESS_AUTO, FUSE_COMPRESS_ALWAYS, FUSE_COMPRESS_NEVER };

struct fuse_cfg {
    long budget;                        /* tokens (words and marks, text.h) of the context */
    double graph_share;                 /* of the budget, 0 … 1: what facts may use first */
    long top_vector, top_graph;         /* at most so many passages, facts */
    double weight_vector, weight_graph; /* of the lists in rank fusion, ≥ 0; 0: not used */
    long rrf_k;                         /* the constant of rank fusion */
    int compress;                       /* enum fuse_compress */
    bool is_baseline;                   /* leave the graph out: a plain vector system */
    bool wants_explain;                 /* add `fusion` */
    struct llm_cfg *chat; /* NULL: no chat model; else it says which sentences matter */
};

struct fuse; /* const after fuse_new but for the scratch of each worker */

/* workers: how many threads will call fuse_record. cfg is borrowed. NULL with err (EXIT_FATAL;
 * EXIT_USAGE: the chat model has no address). */
struct fuse *fuse_new(const struct fuse_cfg *cfg, unsigned workers, struct err *err);
void fuse_free(struct fuse *f); /* NULL is fine */

/* One query record in, the same with `context`, `sources` and a trace entry (and `fusion`)
 * appended to out. -1 with err (EXIT_REJECTED) when a field has the wrong form. O(h²) for h
 * hits of a list, of which at most FUSE_MAX_HITS are looked at. */
int fuse_record(struct fuse *f, unsigned worker, const struct rec *r, struct buf *out,
                struct err *err);

#define FUSE_MAX_HITS 1000

#endif
