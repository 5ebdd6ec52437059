// SPDX-License-Identifier: MIT
/*
 * vindex.h — a part of what is searched: a segment of a .gri or a plain NDJSON file
 *
 * A struct vindex is shared by all threads. What a plain file lacks is made when first needed:
 * a first search streams it (vectors tile by tile, postings of the query's own terms only), and
 * from the second on vectors and postings are kept in memory.
 */
#ifndef VINDEX_H
#define VINDEX_H

#include <pthread.h>

#include "gri.h"
#include "plain.h"

struct vindex {
    const char *path; /* borrowed */
    bool is_plain;
    struct gri gri;
    struct plain plain;
    const char *fields; /* texts to analyse of a plain file */
    unsigned jobs;

    size_t n_docs, dim, n_rows;
    struct sv model;
    const uint32_t *sorted, *rank;
    const unsigned char *dead;  /* (n_docs) != 0: not there; NULL: all are */
    size_t n_live, n_live_rows; /* records and vectors that are there */

    /* Made on demand. */
    pthread_mutex_t lock;
    struct analyzer *analyzer;
    bool has_full; /* `full` holds every term of a plain file */
    struct sparse_owned full;
    unsigned n_dense, n_sparse; /* passes begun over a plain file */
    bool has_dead_sums;
    uint64_t dead_texts, dead_len; /* dead records with terms, and their length */
    unsigned char *own_dead;       /* of a plain file */
};

/* A plain file; fields: which members of its records are text. EXIT_FATAL with the reason. */
int vindex_open_plain(struct vindex *x, const char *path, const char *fields, unsigned jobs,
                      struct err *err);

/* Plain records in memory, which stay there until vindex_close: to search densely. */
int vindex_open_text(struct vindex *x, const char *path, struct sv text, struct err *err);

/* A segment, which is moved into x: *g is empty afterwards. What it is mapped from stays. */
int vindex_take(struct vindex *x, const char *path, struct gri *g, struct err *err);
void vindex_close(struct vindex *x);

/* Leave a record out (doc < n_docs); before x is shared. */
void vindex_kill(struct vindex *x, size_t doc);

/* True when there is something to search sparsely: postings, or texts of a plain file. */
bool vindex_has_sparse(const struct vindex *x);

/* Id (valid until vindex_close) of a document < n_docs. */
int vindex_id(const struct vindex *x, size_t doc, struct sv *id, struct err *err);

/* Append the stored record without embedding and embedding_model, as one JSON object. */
int vindex_record(const struct vindex *x, size_t doc, struct buf *out, struct err *err);

/* The stored vector of a document into to[dim]; false: it has none. O(log rows). */
bool vindex_vector(const struct vindex *x, size_t doc, float *to);

/* The vectors, ready for dense_search: a copy, so that a search in another thread that loads
 * them into memory does not change it. */
struct dense vindex_dense(struct vindex *x);

/* The postings of at least the wanted terms. *own is filled when they were made for this call:
 * release it after use. */
int vindex_sparse(struct vindex *x, const struct map *wanted, struct sparse_owned *own,
                  const struct sparse **s, struct err *err);

/* Add what x has, without its dead, to the numbers of the whole collection; s: its postings of
 * these terms. With dead records O(postings of the terms), else O(n_terms log). */
int vindex_count(struct vindex *x, const struct sparse *s, const struct sparse_term *terms,
                 size_t n_terms, struct bm25 *m, struct err *err);

#endif
