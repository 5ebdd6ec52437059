// SPDX-License-Identifier: MIT
/*
 * edit.h — changing a .gri: read it whole, change it in memory, replace it atomically
 *
 * Every change costs reading and writing the whole file and analysing its texts again, and
 * needs the memory of builder.h. Readers keep the old file until they close it. A second writer
 * is refused.
 */
#ifndef EDIT_H
#define EDIT_H

#include "builder.h"
#include "gri.h"

struct edit {
    const char *path; /* borrowed */
    int lock;         /* open and locked while the edit lasts */
    struct gri gri;
    struct builder *builder;
    struct buf fields;
};

/* Lock and open. EXIT_FATAL: cannot be read or written, no .gri, another writer has it. */
int edit_open(struct edit *e, const char *path, struct err *err);

/* Take all records (keep == NULL), or those with keep[doc] != 0, into the builder. */
int edit_take(struct edit *e, const unsigned char *keep, struct err *err);

/* Write to `out`, with postings if the file had them. EXIT_FATAL: no analyser. */
int edit_write(struct edit *e, unsigned jobs, struct out *out, struct err *err);

/* Unlock and release. */
void edit_close(struct edit *e);

/* Take every record of a .gri into a builder; the later of equal ids stays. *n_old counts those
 * replaced. */
int gri_take(const struct gri *g, const unsigned char *keep, struct builder *b, uint64_t *n_old,
             struct err *err);

#endif
