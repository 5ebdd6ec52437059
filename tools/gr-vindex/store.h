// SPDX-License-Identifier: MIT
/*
 * store.h — an open .gri: its root, its segments, and which of their records are dead
 *
 * The order of records is that of their last writing: segments from the oldest on, in each the
 * order of documents, dead ones left out. `build` of the same records in this order is the same
 * index in one segment.
 *
 * Opening maps the file read-only and takes no lock; the state it had then stays in view.
 * Memory: a byte a record of segments that have dead ones.
 */
#ifndef STORE_H
#define STORE_H

#include "gri.h"
#include "root.h"

struct store {
    const char *path; /* borrowed */
    struct mapped map;
    struct root root;
    struct gri *segments; /* (n) oldest first, n > 0 */
    size_t n;
};

/* EXIT_FATAL with the reason. */
int store_open(struct store *s, const char *path, struct err *err);
void store_close(struct store *s);

/* Read everything: every byte, every offset, every record, and that no id lives twice.
 * EXIT_FATAL names the first fault. */
int store_verify(const struct store *s, struct err *err);

/* Records, and vectors, that are not dead. */
size_t store_live(const struct store *s);
size_t store_live_rows(const struct store *s);

/* A segment whose model and dimension are the index's: one that has a living vector; NULL: none
 * has. */
const struct gri *store_kind(const struct store *s);

/* The newest record of an id among the first n_segments, dead or not: its segment and document,
 * or SIZE_MAX for both. */
int store_find(const struct store *s, size_t n_segments, struct sv id, size_t *segment,
               size_t *doc, struct err *err);

#endif
