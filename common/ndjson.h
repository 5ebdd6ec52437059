// SPDX-License-Identifier: MIT
/*
 * ndjson.h — lines out of files: framing before parsing, so that damage stays inside one line
 *
 * Lines end in LF or CRLF; a byte order mark at the start of a file is skipped; the last line
 * may lack its end. Blank lines are skipped but counted. A line over the limit is reported once
 * and skipped to its end.
 */
#ifndef GR_NDJSON_H
#define GR_NDJSON_H

#include "buf.h"
#include "err.h"
#include "gr.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)

struct lines {
    const char *const *paths; /* (n_paths) borrowed; "-" is standard input */
    size_t n_paths, next_path;
    const char *path; /* of the current file, "<stdin>" for standard input */
    int fd;           /* -1: none open */
    uint64_t number;  /* of the line last returned, from 1 */
    struct buf bytes; /* read but not yet returned: bytes.data[at … len) */
    size_t at;
    size_t scanned; /* no line end in [at, scanned) */
    bool is_at_end; /* the current file has no more bytes */
    size_t max;     /* longest line in bytes */
    int stop_fd;    /* once this can be read, input ends where it would have to be waited for;
                     * -1: never */
};

enum line_status { LINE_END, LINE_OK, LINE_TOO_LONG, LINE_FAILED };

/* n_paths == 0 reads standard input. paths must stay valid. */
void lines_init(struct lines *l, const char *const *paths, size_t n_paths);
void lines_release(struct lines *l);

/*
 * The next line that is not blank. LINE_OK: *line is valid until the next call. LINE_TOO_LONG:
 * *line is its first 64 bytes; going on is fine. LINE_FAILED: err says why; going on is not.
 */
enum line_status lines_next(struct lines *l, struct sv *line, struct err *err);

/* True when the next lines_next needs no read: used to hand over what is there before waiting.
 */
bool lines_has_buffered(const struct lines *l);

#endif
