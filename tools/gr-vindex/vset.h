// SPDX-License-Identifier: MIT
/*
 * vset.h — all that one search goes over: the segments of one index, or of several, as one
 *
 * Files are told apart by content: a .gri is opened as its segments, anything else as plain
 * NDJSON. All vectors must be of one model and dimension, all postings of one analyser. Of
 * records of the same id the one in the later file stays; the others are left out as if they
 * were deleted.
 *
 * A vset is shared by all threads. Opening one .gri costs milliseconds; several files cost a
 * pass over all ids beside it.
 */
#ifndef VSET_H
#define VSET_H

#include <pthread.h>

#include "store.h"
#include "vindex.h"

struct vset {
    struct vindex *parts; /* (n) in order of files, oldest segment first; n > 0 */
    size_t n;
    size_t n_docs, n_rows; /* that are there */
    size_t dim;
    struct sv model;
    size_t n_twice;   /* records left out because a later file has their id */
    const char *path; /* of the first file, for messages */
    const char
        *without_terms; /* a .gri with records and without postings; NULL: there is none */

    bool is_dense_only;   /* words are not to be searched for */
    struct store *stores; /* (n_stores) what the segments are mapped from */
    size_t n_stores;
    pthread_mutex_t lock;
    struct analyzer *analyzer; /* made on demand */
};

/* paths: (n) borrowed until vset_close. fields, jobs: for plain files. EXIT_FATAL with the
 * reason. */
int vset_open(struct vset *s, const char *const *paths, size_t n, const char *fields,
              unsigned jobs, struct err *err);

/* Plain records in memory, which stay there until vset_close: to search densely. */
int vset_open_text(struct vset *s, const char *path, struct sv text, struct err *err);
void vset_close(struct vset *s);

/* True when every record can be found by words. */
bool vset_has_sparse(const struct vset *s);

/* The analyser that queries must use; EXIT_FATAL when an index was made with another one. */
int vset_analyzer(struct vset *s, const struct analyzer **a, struct err *err);

#endif
