// SPDX-License-Identifier: MIT
/*
 * buf.c — growable bytes
 */
#include "buf.h"

#include <stdarg.h>

#include "alloc.h"

void buf_release(struct buf *b)
{
    free(b->data);
    size_t max = b->max;
    *b = BUF_INIT;
    b->max = max;
}

void buf_reset(struct buf *b)
{
    b->len = 0;
    b->overflow = false;
    if (b->data)
        b->data[0] = '\0';
}

char *buf_reserve_slowly(struct buf *b, size_t n)
{
    size_t max = b->max ? b->max : BUF_MAX;
    if (b->overflow || n > max - b->len) {
        b->overflow = true;
        return NULL;
    }
    size_t need = b->len + n + 1;
    if (need > b->cap) {
        b->cap = alloc_grow(b->cap < 64 ? 64 : b->cap, need);
        b->data = alloc_resize(b->data, b->cap, 1);
    }
    return b->data + b->len;
}

void buf_add_slowly(struct buf *b, const char *p, size_t n)
{
    /* The bytes may be the buf's own: growing moves them. */
    uintptr_t at = (uintptr_t)p - (uintptr_t)b->data;
    bool is_own = b->data && at < b->cap;
    char *to = buf_reserve(b, n);
    if (!to)
        return;
    if (is_own)
        p = b->data + at;
    if (n)
        memcpy(to, p, n);
    buf_commit(b, n);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    char *to = b->data ? b->data + b->len : NULL;
    size_t room = b->cap - b->len, max = b->max ? b->max : BUF_MAX;
    va_start(ap, fmt);
    int n = vsnprintf(to, to ? room : 0, fmt, ap); /* mostly there is room */
    va_end(ap);
    if (n >= 0 && (size_t)n < room && !b->overflow && (size_t)n <= max - b->len) {
        b->len += (size_t)n;
        return;
    }
    if (to)
        *to = '\0';
    to = n < 0 ? NULL : buf_reserve(b, (size_t)n);
    if (!to) {
        b->overflow = true;
        return;
    }
    va_start(ap, fmt);
    vsnprintf(to, (size_t)n + 1, fmt, ap);
    va_end(ap);
    buf_commit(b, (size_t)n);
}

void buf_cut(struct buf *b, size_t n)
{
    if (n < b->len) {
        b->len = n;
        b->data[n] = '\0';
    }
}

const char *buf_cstr(struct buf *b)
{
    if (!b->data)
        buf_add(b, "", 0);
    return b->data ? b->data : "";
}

char *buf_take(struct buf *b, size_t *len)
{
    char *p = b->data ? b->data : alloc_text("", 0);
    if (len)
        *len = b->len;
    size_t max = b->max;
    *b = BUF_INIT;
    b->max = max;
    return p;
}
