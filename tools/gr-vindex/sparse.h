// SPDX-License-Identifier: MIT
/*
 * sparse.h — BM25 over an inverted index held in flat arrays
 *
 * Scores are Lucene's form (Robertson & Zaragoza, 2009, eq. 3.15, without the constant factor
 * k1 + 1, which changes no order):
 *     idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))
 *     score  = Σ_t weight(t) · idf(t) · tf / (tf + k1 · (1 - b + b · length / mean length))
 * with k1 = 1.2, b = 0.75 unless told otherwise; N and the mean count documents that have at
 * least one term.
 */
#ifndef SPARSE_H
#define SPARSE_H

#include "analyzer.h"
#include "buf.h"
#include "err.h"
#include "gr.h"
#include "map.h"
#include "postings.h"
#include "sv.h"
#include "topk.h"

#define BM25_K1 1.2
#define BM25_B 0.75

/* An inverted index, borrowed from a file or from memory that sparse_build made. Nothing in it
 * is trusted: every offset is checked before it is used. */
struct sparse {
    size_t n_docs, n_terms;
    const char *text;        /* terms in byte order, one after the other */
    const uint64_t *text_at; /* (n_terms + 1) offsets into text */
    size_t text_size;
    /* Lists of postings.h, one a term. */
    const unsigned char *post;
    const uint64_t *post_at; /* (n_terms + 1) offsets into post */
    size_t post_size;
    const uint32_t *df;   /* (n_terms) documents that have the term */
    const uint32_t *lens; /* (n_docs) length of each document in terms */
    uint64_t n_with_terms, total_len;
};

/* A term asked for. Repeated terms are given once, with their weights added. */
struct sparse_term {
    struct sv text;
    double weight; /* > 0 */
};

/*
 * What scores are made of: the two constants, and the numbers of the whole collection, of which
 * an index may be a part (bm25_add sums over the parts).
 */
struct bm25 {
    double k1, b;
    uint64_t n_docs, total_len; /* documents that have terms, and their length in terms */
    uint64_t *df;               /* (terms asked for) documents that have each of them; owned */
};

/* The usual constants, no documents, df of n_terms zeros. */
void bm25_init(struct bm25 *m, size_t n_terms);
void bm25_release(struct bm25 *m);

/* Scratch of one thread, for plain search: (n_docs) sums. */
struct sparse_scratch {
    double *sum;
    uint32_t *touched; /* documents with sum != 0 */
    size_t n_docs;     /* allocated */
};

void sparse_scratch_release(struct sparse_scratch *s);

/* Add an index's numbers to m, which was made for these terms. EXIT_FATAL when the index is
 * damaged. O(n_terms log). */
int bm25_add(struct bm25 *m, const struct sparse *s, const struct sparse_term *terms,
             size_t n_terms, struct err *err);

/*
 * Offer documents to the heap, (score, rank[doc]), so that it ends up with the best of all that
 * have one of the terms. m: what to score by, made for these terms; NULL: the index's own
 * numbers and the usual constants. skip as in dense_search. EXIT_FATAL when the index is
 * damaged.
 *
 * Two ways with one result: few postings are all scored (sparse_search_all); of many, documents
 * are passed over that cannot be among the best (sparse_search_best). The parts of a score are
 * rounded to a common multiple so small that it shows in no digit that counts; their sums are
 * then exact, and the same in any order.
 */
int sparse_search(const struct sparse *s, const struct sparse_term *terms, size_t n_terms,
                  const struct bm25 *m, const uint32_t *rank, const unsigned char *skip,
                  struct sparse_scratch *scratch, struct topk *best, struct err *err);

/* One search, as its ways take it; for tests and benchmarks. */
struct sparse_query {
    const struct sparse *s;
    const struct sparse_term *terms;
    size_t n_terms;
    const struct bm25 *m;
    const uint32_t *rank;
    const unsigned char *skip;
    struct topk *best;
};

/* O(postings of the terms). */
int sparse_search_all(const struct sparse_query *q, struct sparse_scratch *scratch,
                      struct err *err);
/* See sparse_best.c. Memory: some 16 bytes for each term and block of its postings. */
int sparse_search_best(const struct sparse_query *q, struct err *err);
#define SPARSE_WINDOW 4096
#define SPARSE_MANY_TERMS 256 /* from which on all are scored */
#define SPARSE_FEW 8192       /* postings up to which all are scored */

/* What the postings of one term give: weight · idf · tf / (tf + c + d · length), rounded. */
struct sparse_part {
    double factor, c, d;
    double round; /* added and taken away again, it rounds */
    double least; /* what is rounded to; no part is less */
};

/* (n_terms) parts; caller frees. */
struct sparse_part *sparse_parts(const struct sparse_query *q);

static inline double sparse_part_of(const struct sparse_part *p, uint32_t tf, uint32_t len)
{
    double x = p->factor * tf / (tf + (p->c + p->d * len));
    x = (x + p->round) - p->round;
    return x > p->least ? x : p->least;
}

/* Ordinal of a term, or SIZE_MAX; EXIT_FATAL (-1) when the table is damaged. O(log n_terms). */
int sparse_find(const struct sparse *s, struct sv term, size_t *ordinal, struct err *err);

/* Term of an ordinal < n_terms; EXIT_FATAL when its place lies outside. */
int sparse_term_at(const struct sparse *s, size_t ordinal, struct sv *term, struct err *err);

/* The postings of an ordinal < n_terms. */
int sparse_list(const struct sparse *s, size_t ordinal, struct postings *l, struct err *err);

/* Start a walk over the postings of a term: 1, or 0 when the index has none; -1 and EXIT_FATAL
 * when it is damaged. */
int sparse_walk(const struct sparse *s, struct sv term, struct post_walk *w, struct err *err);

/* Read the whole list of an ordinal < n_terms: as many documents as df, heads that bound their
 * blocks. False when anything is wrong. */
bool sparse_check(const struct sparse *s, size_t ordinal);

/* ---- building ---- */

#define SPARSE_IS_TERM '\1'

struct sparse_build {
    size_t n_docs;
    const struct analyzer *analyzer;
    /* Append the texts of a document to be analysed, each with a NUL after it; they are
     * analysed one by one, so that no term spans two. One that begins with SPARSE_IS_TERM is a
     * term as it stands. Called from several threads. */
    void (*texts)(void *ctx, size_t doc, struct buf *out);
    void *ctx;
    const struct map *wanted; /* keep only these terms; NULL: all. Lengths count all terms */
    unsigned jobs;            /* > 0 */
};

/* Arrays that sparse_build made; `view` points into them. */
struct sparse_owned {
    struct sparse view;
    struct buf text, post;
    uint64_t *text_at, *post_at;
    uint32_t *df, *lens;
};

/* Memory: about 3 bytes a posting, and the terms. Same result for any jobs. */
void sparse_build(struct sparse_owned *out, const struct sparse_build *b);
void sparse_owned_release(struct sparse_owned *o);

#endif
