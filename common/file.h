// SPDX-License-Identifier: MIT
/*
 * file.h — files: checked writing, atomic replacement, read-only mapping, finding data
 */
#ifndef GR_FILE_H
#define GR_FILE_H

#include "buf.h"
#include "err.h"
#include "gr.h"

/*
 * A writer that notices every failure. Writing to a named file goes to a temporary beside it,
 * which out_close renames: a failed run leaves the old file or none, a killed one no temporary
 * either where the file system has files without a name (O_TMPFILE). Errors are sticky: after
 * the first, writes do nothing, and out_close (or out_failed) tells. A replaced file keeps its
 * owner and mode; behind a symbolic link the file is made or replaced, not the link.
 */
struct out {
    int fd;
    char *path;       /* final name, NULL: standard output */
    char *temp;       /* the temporary, NULL: writing straight to path (a device, a pipe) */
    bool is_nameless; /* temp is not on disk yet (O_TMPFILE) */
    struct buf pending;
    bool flush_each; /* write out after each out_put */
    int error;       /* errno of the first failure, 0: none */
};

/* Open for writing; path NULL or "-" is standard output. */
int out_open(struct out *o, const char *path, struct err *err);

/* Write to an open file from a place on, in place: nothing is renamed or synced. fd stays the
 * caller's. path: for messages. */
int out_open_at(struct out *o, const char *path, int fd, uint64_t at, struct err *err);

void out_put(struct out *o, struct sv bytes);
void out_flush(struct out *o);
bool out_failed(const struct out *o);

/* Flush, sync a named file, check, close, rename. -1 with err when anything failed at any time.
 */
int out_close(struct out *o, struct err *err);

/* Give up: close, remove the temporary, leave path as it was. */
void out_abandon(struct out *o);

/* Remove the temporaries of all writers that are open; safe in a signal handler. */
void file_remove_temps(void);

/* A file mapped read-only, or read into memory when it cannot be mapped. Empty files are fine.
 */
struct mapped {
    const char *p; /* n bytes */
    size_t n;
    bool is_heap;
};

int file_map(struct mapped *m, const char *path, struct err *err);
void file_unmap(struct mapped *m);

/* Append the whole file to b; "-" is standard input. EXIT_FATAL when it cannot be read or is
 * larger than max bytes (0: BUF_MAX). */
int file_read(struct buf *b, const char *path, size_t max, struct err *err);

/* Check that path can be opened for reading and is no directory ("-" is fine). */
int file_check(const char *path, struct err *err);

/*
 * Find an installed data file or folder ("vocab/mineral.tsv"). Looked up in this order: dir
 * (the
 * --data option, NULL: not given), $GR_DATA, <dir of this program>/../share/gr,
 * <dir of this program>/../../share (the build tree). The path is put into *path. EXIT_FATAL
 * when it is nowhere; the message lists where it was looked for.
 */
int file_find_data(struct buf *path, const char *dir, const char *name, struct err *err);

#endif
