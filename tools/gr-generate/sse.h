// SPDX-License-Identifier: MIT
/*
 * sse.h — server-sent events: bytes as they arrive in, the data of each event out
 *
 * The event stream format of the HTML standard, as far as chat services use it: lines end in
 * LF, CRLF or CR; "data:" lines of one event are joined by LF; an empty line ends the event;
 * comments (":") and other fields are skipped. Bytes may be cut anywhere.
 */
#ifndef SSE_H
#define SSE_H

#include "buf.h"

struct sse {
    struct buf line; /* the line that has begun */
    struct buf data; /* of the event that has begun */
    bool has_data, was_cr;
    size_t n_events;
};

#define SSE_MAX ((size_t)16 << 20) /* bytes of one line, of one event */

/* Called with the data of an event; false stops. */
typedef bool (*sse_fn)(void *ctx, struct sv data);

void sse_init(struct sse *s);
void sse_release(struct sse *s);

/* Feed bytes. False when fn said stop, or a line or event is longer than SSE_MAX. */
bool sse_feed(struct sse *s, struct sv bytes, sse_fn fn, void *ctx);

/* The stream has ended: hand over what has no empty line after it. */
bool sse_end(struct sse *s, sse_fn fn, void *ctx);

#endif
