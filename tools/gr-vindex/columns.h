// SPDX-License-Identifier: MIT
/*
 * columns.h — the scalar members of all records, by member: what simple filters are asked of
 *
 * A column has a list of the distinct values of one top-level member, in jq's order, and for
 * each record the place of its value there, so that whatever a comparison says it says of a
 * range of places. Two sections of a .gri (gri.h), n records:
 *   columns   JSON text {"columns":[{name,width,numbers,strings,bytes}],"left_out":[name],
 *             "more":true}; `more` when further members were left out than are named
 *   col       for each column, from a multiple of 8 on: f64 (numbers) ascending; u64 (strings
 *             + 1) offsets; unsigned (n) codes of `width` bytes, padded to 8; the strings one
 *             after the other in byte order, padded to 8
 * Codes: 0 null or absent, 1 false, 2 true, then the numbers, the strings, any array, any
 * object. Left out: `id` and `text`, members with a string of more than 1024 bytes or with a
 * NUL, and those whose distinct values are more than 16 bytes a record and 64 KiB.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "sv.h"
#include "where.h"

#define COLUMNS_MAX 64         /* columns of an index */
#define COLUMNS_MAX_OUT 256    /* members left out that are named */
#define COLUMNS_MAX_VALUE 1024 /* bytes of a string */

/* ---- making ---- */

struct columns_built {
    struct buf head, data; /* the sections */
};

/* From n records; raw(ctx, doc) gives each as raw JSON. The same records, the same bytes. About
 * 4 bytes a record and column while it works. */
void columns_build(struct columns_built *c, size_t n, struct sv (*raw)(void *ctx, size_t doc),
                   void *ctx);
void columns_built_release(struct columns_built *c);

/* ---- reading ---- */

struct column {
    struct sv name;
    size_t width;                /* of a code: 1, 2 or 4 bytes */
    size_t n_numbers, n_strings; /* distinct ones */
    const double *numbers;
    const uint64_t *strings_at; /* (n_strings + 1) */
    const unsigned char *codes; /* (n_docs, width) */
    const char *strings;
    size_t n_bytes; /* of strings */
};

/* Columns of an open file; const, shared by all threads. All zero: there are none. */
struct columns {
    bool is_there;
    bool has_more; /* members were left out that left_out does not name */
    size_t n_docs, n;
    struct column *column; /* (n) */
    struct map *left_out;
    struct buf names;
};

/* From the two sections, borrowed until columns_close. EXIT_FATAL: they do not fit together. */
int columns_open(struct columns *c, struct sv head, struct sv data, size_t n_docs,
                 struct err *err);
void columns_close(struct columns *c);

/*
 * Ask all records at once: skip[doc] = 1 where the expression does not select, else 0. 1: the
 * answer is final; 0: what has skip 0 must still be asked; -1: columns know nothing of it, skip
 * is untouched. O(n_docs) bytes of work for each comparison.
 */
int columns_select(const struct columns *c, const struct where *w, unsigned char *skip);

#endif
