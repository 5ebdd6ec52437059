// SPDX-License-Identifier: MIT
/*
 * fuse_impl.h — passages and facts on their way through the steps of fuse.h (internal)
 *
 * Views point into the record, which outlives them. Byte ranges are within the passage's text
 * as it stands; records get code points.
 */
#ifndef FUSE_IMPL_H
#define FUSE_IMPL_H

#include "analyzer.h"
#include "fuse.h"
#include "llm_task.h"
#include "map.h"
#include "sentence.h"

/* Why something is not in the context. */
enum gone {
    GONE_NOT,
    GONE_REPEAT, /* its id, or the same fact, was there at a better rank */
    GONE_EMPTY,  /* it has no text */
    GONE_SAME,   /* its text is within another one */
    GONE_MERGED, /* it is part of another passage now */
    GONE_UNUSED, /* its list has weight 0, or --baseline */
    GONE_TOP,
    GONE_BUDGET,
    GONE_COUNT
};

/* A chunk within a passage that was merged from several. */
struct part {
    struct sv chunk;
    size_t from, to; /* bytes of the text */
};

struct passage {
    struct sv id, paper, section, section_n, title, authors, doi, via; /* empty: not known */
    double year;                                                       /* NaN: not known */
    double score;      /* of the retriever; NaN: not given */
    size_t rank;       /* from 1, in the list of passages; 0: only the graph offered it */
    size_t graph_rank; /* best of graph_chunks and the facts from its chunks, 0: none */
    double fused;
    bool has_span;     /* start and end are known and agree with the text */
    size_t start, end; /* code points of the section's text */
    struct buf text;
    struct part *parts; /* (n_parts) ≥ 1, by their place in the text */
    size_t n_parts;
    struct sv *also; /* (n_also) chunks with the same text that went */
    size_t n_also;
    size_t n_tokens, n_sentences, n_cut; /* n_cut: sentences that compression took out */
    enum gone gone;
};

/* Is rank a better than b? 0 is no rank. */
static inline bool is_better(size_t a, size_t b)
{
    return a && (!b || a < b);
}

#define FACT_CHUNKS 3

struct fact {
    struct buf text; /* Head Relation Tail */
    struct sv paper, evidence;
    struct sv chunks[FACT_CHUNKS]; /* (n_chunks) where it was read; repeats add theirs */
    size_t n_chunks;
    double score, hops;
    size_t rank, vector_rank;
    double fused;
    size_t n_tokens;
    enum gone gone;
};

struct fusion {
    const struct fuse_cfg *cfg;
    const struct splitter *splitter;
    struct terms *terms;     /* of the worker */
    struct llm_task *picker; /* NULL: no chat model */
    unsigned worker;
    const struct rec *rec;
    struct passage *passages;
    struct fact *facts;
    size_t n_passages, n_facts, n_beyond; /* n_beyond: hits after FUSE_MAX_HITS */
    bool is_compressed;
};

/* ---- hits.c: reading ---- */

/* Fill passages and facts, best rank first. -1 with err when a hit has the wrong form. */
int hits_read(struct fusion *u, struct err *err);
void hits_release(struct fusion *u);

/* ---- same.c ---- */

/* Mark passages whose text is within another one's; that one gets the better rank of both. */
void same_mark(struct fusion *u);

/* ---- merge.c ---- */

/* Join windows of one section of one paper that overlap or touch (common/seam.h). Never
 * longer than the budget. */
void merge_windows(struct fusion *u);

/* ---- rank.c ---- */

/* Weighted reciprocal rank fusion (Cormack et al., SIGIR 2009): Σ w / (k + rank) over the lists
 * that have the chunk; then both arrays in order: fused descending, rank ascending. */
void rank_fuse(struct fusion *u);

/* ---- compress.c ---- */

struct focus; /* the question's words with their weights over the sentences at hand */

struct focus *focus_new(struct fusion *u);
void focus_free(struct focus *q);

/* Keep the sentences that matter to the question and their neighbours; max_tokens 0: as many as
 * matter, else at most so many. Gaps read " […] ". A text in which no sentence shares a word
 * with the question stays whole when max_tokens is 0. True when the text got shorter. */
bool compress_passage(struct fusion *u, struct focus *q, struct passage *p, size_t max_tokens);
/* The same by the judgement of a chat model. Without a usable reply: as compress_passage with
 * max_tokens 0, and why is set (else its code is 0). */
bool compress_picked(struct fusion *u, struct focus *q, struct passage *p, struct err *why);

#define COMPRESS_GAP " […] "

/* ---- budget.c ---- */

void budget_apply(struct fusion *u, struct focus *q);

/* ---- emit.c ---- */

/* The record with its new fields. */
void emit_record(struct fusion *u, struct buf *out);

#endif
