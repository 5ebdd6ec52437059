// SPDX-License-Identifier: MIT
/*
 * buf.h — a growable run of bytes, always NUL-terminated, with a hard upper size
 *
 * Appending past `max` does not append and sets `overflow`, which stays set until buf_reset: a
 * writer of many pieces checks once at the end. A struct buf belongs to whoever declared it.
 */
#ifndef GR_BUF_H
#define GR_BUF_H

#include "gr.h"
#include "sv.h"

struct buf {
    char *data; /* len bytes and a NUL; never NULL after the first append or buf_cstr */
    size_t len;
    size_t cap;
    size_t max;    /* largest len; 0 means BUF_MAX */
    bool overflow; /* something did not fit */
};

#define BUF_MAX ((size_t)1 << 32)
#define BUF_INIT                                                                               \
    (struct buf)                                                                               \
    {                                                                                          \
        0                                                                                      \
    }

/* Release the bytes; the buf is empty and usable again. Safe on BUF_INIT. */
void buf_release(struct buf *b);

/* Empty it, keep the memory, clear `overflow`. */
void buf_reset(struct buf *b);

/* Make room for n more bytes and return where they go (NULL: would pass max). The caller writes
 * at most n bytes there and calls buf_commit with how many. */
static inline char *buf_reserve(struct buf *b, size_t n);
static inline void buf_commit(struct buf *b, size_t n);

/* Append n bytes; they may be bytes of b itself. Inline, like buf_reserve: writers add a few
 * bytes at a time, and mostly there is room. */
static inline void buf_add(struct buf *b, const char *p, size_t n);
static inline void buf_sv(struct buf *b, struct sv s);
static inline void buf_str(struct buf *b, const char *s);
static inline void buf_char(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) GR_PRINTF(2, 3);

/* Keep the first n bytes (n <= len). */
void buf_cut(struct buf *b, size_t n);

/* The text so far, NUL-terminated; valid until the next append. Never NULL. */
const char *buf_cstr(struct buf *b);

/* The text so far as a view; valid until the next append. */
static inline struct sv buf_view(const struct buf *b);

/* Hand the bytes over to the caller, who frees them; the buf is empty again. */
char *buf_take(struct buf *b, size_t *len);

#include "buf.inc"

#endif
