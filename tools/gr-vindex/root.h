// SPDX-License-Identifier: MIT
/*
 * root.h — which bytes of a .gri are the index: two root slots, tables, and how they change
 *
 * Little-endian, every part at a multiple of 64, zeros between:
 *   0      root slot of odd generations     4096  root slot of even generations, or zeros
 *   8192   tables, segments (gri.h) and lists of dead records, as they were written
 * A root slot says how much of the file counts and where the table of its generation is. A
 * table names the segments, oldest first, and for each the lists of its records that were
 * deleted or replaced (u32 ordinals, ascending; a segment may have several lists). The newest
 * slot whose checksum is right is the root; what is behind its end does not count.
 *
 * A change writes behind the end: a segment, lists, a table; syncs; writes the other slot, 64
 * bytes; syncs. What an older root names is never written over, so a reader goes on with the
 * root it has read. Wherever a change stops, the file holds the old root or the new one.
 *
 * Every byte is under a checksum: a table holds that of all that was written since the table
 * before it, and a file written whole has its table first, then segments and lists, which have
 * their own.
 */
#ifndef ROOT_H
#define ROOT_H

#include "err.h"
#include "file.h"
#include "gr.h"

#define ROOT_ALIGN 64
#define ROOT_START 8192 /* of what the slots speak of */
#define ROOT_MAX_SEGMENTS 4096

struct root_segment {
    uint64_t at, size, n_dead, zero[5];
};

/* A list of dead records: n ordinals of a segment. */
struct root_dead {
    uint64_t at, n, hash;
    uint32_t segment, zero;
};

/* A root, read or to be written. */
struct root {
    uint64_t generation, end;
    uint64_t table_at, table_size, table_hash;
    struct root_segment *segments; /* (n_segments) owned */
    struct root_dead *dead;        /* (n_dead) owned, in order of segments */
    size_t n_segments, n_dead;
};

/* Read the root of a file of n bytes. EXIT_FATAL with the reason: no .gri, another version, cut
 * off (*is_cut: the file may have grown since it was mapped), damaged. */
int root_read(struct root *r, const char *p, size_t n, const char *path, bool *is_cut,
              struct err *err);
void root_release(struct root *r);

/* Look at every byte that is not inside a segment of r: slots, tables back to the first, what
 * was written between them, lists. EXIT_FATAL names the first fault. */
int root_verify(const struct root *r, const char *p, size_t n, const char *path,
                struct err *err);

/* A copy to change. */
struct root root_copy(const struct root *r);

/* A file written whole: give each segment and list, whose sizes are set, its place, and end. */
void root_lay_out(struct root *r);

/* Write what comes before the first segment of a file written whole. */
void root_put_start(const struct root *r, struct out *out);

/*
 * Make r, whose segments and lists are written up to r->end, the root of an open file after
 * `before`: writes its table there, syncs, writes its slot, syncs. Sets generation, end and
 * table. EXIT_FATAL: the old root is in force, or, when the last sync failed, either.
 */
int root_commit(struct root *r, const struct root *before, int fd, const char *path,
                struct err *err);

static inline uint64_t root_round(uint64_t n)
{
    return (n + ROOT_ALIGN - 1) / ROOT_ALIGN * ROOT_ALIGN;
}

#endif
