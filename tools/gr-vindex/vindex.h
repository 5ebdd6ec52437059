// SPDX-License-Identifier: MIT
/*
 * vindex.h — an index to search: a .gri or a plain NDJSON file, told apart by content
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
    bool is_dense_only;
    struct gri gri;
    struct plain plain;
    const char *fields; /* texts to analyse of a plain file */
    unsigned jobs;

    size_t n_docs, dim, n_rows;
    struct sv model;
    const uint32_t *sorted, *rank;

    /* Made on demand. */
    pthread_mutex_t lock;
    struct analyzer *analyzer;
    bool has_full; /* `full` holds every term of a plain file */
    struct sparse_owned full;
    unsigned n_dense, n_sparse; /* passes begun over a plain file */
};

/* fields: which members of a plain file's records are text. EXIT_FATAL with the reason. */
int vindex_open(struct vindex *x, const char *path, const char *fields, unsigned jobs,
                struct err *err);
/* Plain records in memory, which stay there until vindex_close: to search densely. */
int vindex_open_text(struct vindex *x, const char *path, struct sv text, struct err *err);
void vindex_close(struct vindex *x);

/* True when there is something to search sparsely: postings, or texts of a plain file. */
bool vindex_has_sparse(const struct vindex *x);

/* Id (valid until vindex_close) of a document < n_docs. */
int vindex_id(const struct vindex *x, size_t doc, struct sv *id, struct err *err);

/* Append the stored record without embedding and embedding_model, as one JSON object. */
int vindex_record(const struct vindex *x, size_t doc, struct buf *out, struct err *err);

/* The vectors, ready for dense_search: a copy, so that a search in another thread that loads
 * them into memory does not change it. */
struct dense vindex_dense(struct vindex *x);

/* The analyser that queries must use; EXIT_FATAL when the index was made with another one. */
int vindex_analyzer(struct vindex *x, const struct analyzer **a, struct err *err);

/* The postings of at least the wanted terms. *own is filled when they were made for this call:
 * release it after use. */
int vindex_sparse(struct vindex *x, const struct map *wanted, struct sparse_owned *own,
                  const struct sparse **s, struct err *err);

#endif
