// SPDX-License-Identifier: MIT
/*
 * edit.h — changing a .gri in place, or writing it anew
 *
 * A change costs what it changes: new records become a segment behind the others, deleted and
 * replaced ones are listed as dead, and a new root makes both count (root.h). So that there are
 * never many segments, the newest are joined with new records when they are less than twice as
 * large: at most some 30 remain, and a record is written anew log(n) times in its life. When
 * more than half of the file no longer counts it is copied without that, and replaced.
 *
 * Readers keep the state they opened. A second writer is refused.
 */
#ifndef EDIT_H
#define EDIT_H

#include "builder.h"
#include "store.h"

/* Records of a segment that die by this change. */
struct gone {
    uint32_t *docs; /* (n) owned */
    size_t n, cap;
};

struct edit {
    const char *path; /* borrowed */
    int lock;         /* the file, open and locked while the edit lasts */
    struct store store;
    struct gone *gone; /* (store.n) */
};

/* Lock and open. EXIT_FATAL: cannot be read or written, no .gri, another writer has it. */
int edit_open(struct edit *e, const char *path, struct err *err);

/* Lock the file that a new index will take the place of, until *fd is closed; *fd is -1 when
 * there is none. EXIT_FATAL: another writer has it. */
int edit_lock_old(const char *path, int *fd, struct err *err);

/* Unlock and release. */
void edit_close(struct edit *e);

/* A builder for records to add: it refuses vectors of another model or dimension. */
struct builder *edit_builder(const struct edit *e);

/* Let the record of an id die: *is_there says whether it lived when the edit began. */
int edit_drop(struct edit *e, struct sv id, bool *is_there, struct err *err);

/* The same by segment and document. */
void edit_drop_doc(struct edit *e, size_t segment, size_t doc);

/* Save in place: records dropped, and those of b (NULL: none), which replace others of the same
 * id. O(change · log), amortised. EXIT_FATAL: another analyser, cannot be written: the index is
 * as it was. */
int edit_save(struct edit *e, struct builder *b, unsigned jobs, struct err *err);

/* Write all as one segment to an open writer: what lives, then the records of b (NULL: none).
 * The same bytes as `build` of these records. *n: how many. */
int edit_write(struct edit *e, struct builder *b, unsigned jobs, struct out *out, size_t *n,
               struct err *err);

/* The same over the old file. */
int edit_replace(struct edit *e, struct builder *b, unsigned jobs, size_t *n, struct err *err);

/* Take the living records of a segment into a builder. *n_old counts those that replace others.
 */
int gri_take(const struct gri *g, struct builder *b, uint64_t *n_old, struct err *err);

#endif
