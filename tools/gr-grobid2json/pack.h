// SPDX-License-Identifier: MIT
/*
 * pack.h — packed input: tar archives read as a stream, and single compressed files
 *
 * gzip, bzip2, xz and zstd are undone. Nothing is written to disk; one member is held at a
 * time.
 */
#ifndef PACK_H
#define PACK_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

struct pack; /* opaque */

/* Does the name say tar (.tar, .tgz, .tar.gz …), or one compressed file (.gz …)? */
bool pack_is_archive(struct sv name);
bool pack_is_packed(struct sv name);

/* The name without what pack_is_packed saw. */
struct sv pack_bare_name(struct sv name);

/* Open a tar archive; path NULL is standard input, which may also be a plain or compressed
 * file: then that is the one member, without a name. NULL with err (EXIT_REJECTED). */
struct pack *pack_open(const char *path, struct err *err);
void pack_close(struct pack *p);

/* The next regular file's name, valid until the next call ("": see pack_open). 1, 0 at the end,
 * -1 with err (EXIT_REJECTED) when the archive is broken: nothing comes after that. */
int pack_next(struct pack *p, struct sv *name, struct err *err);

/* Append its bytes. EXIT_REJECTED when they are broken or more than max. */
int pack_read(struct pack *p, struct buf *to, size_t max, struct err *err);

/* Append what the compressed bytes hold; errors as pack_read. */
int pack_unpack(struct sv packed, struct buf *to, size_t max, struct err *err);

/* Version of libarchive. */
const char *pack_libs(void);

#endif
