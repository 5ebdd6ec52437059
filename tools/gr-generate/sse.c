// SPDX-License-Identifier: MIT
/*
 * sse.c — server-sent events
 */
#include "sse.h"

void sse_init(struct sse *s)
{
    *s = (struct sse){ .was_cr = false };
    s->line.max = SSE_MAX;
    s->data.max = SSE_MAX;
}

void sse_release(struct sse *s)
{
    buf_release(&s->line);
    buf_release(&s->data);
}

static bool end_event(struct sse *s, sse_fn fn, void *ctx)
{
    bool go_on = true;
    if (s->has_data) {
        s->n_events++;
        go_on = fn(ctx, buf_view(&s->data));
    }
    buf_reset(&s->data);
    s->has_data = false;
    return go_on;
}

static bool end_line(struct sse *s, sse_fn fn, void *ctx)
{
    struct sv line = buf_view(&s->line);
    bool go_on = !s->line.overflow;
    if (!line.n && go_on) {
        go_on = end_event(s, fn, ctx);
    } else if (sv_starts(line, SV("data:")) || sv_is(line, "data")) {
        struct sv value = sv_from_to(line, 5, line.n);
        if (sv_starts(value, SV(" ")))
            value = sv_from_to(value, 1, value.n);
        if (s->has_data)
            buf_char(&s->data, '\n');
        buf_sv(&s->data, value);
        s->has_data = true;
        go_on = go_on && !s->data.overflow;
    }
    buf_reset(&s->line);
    return go_on;
}

bool sse_feed(struct sse *s, struct sv bytes, sse_fn fn, void *ctx)
{
    for (size_t i = 0, from = 0; i <= bytes.n; i++) {
        if (i < bytes.n && bytes.p[i] != '\n' && bytes.p[i] != '\r')
            continue;
        buf_sv(&s->line, sv_from_to(bytes, from, i));
        if (i == bytes.n)
            return !s->line.overflow;
        from = i + 1;
        bool is_lf_of_crlf = bytes.p[i] == '\n' && s->was_cr && !s->line.len;
        s->was_cr = bytes.p[i] == '\r';
        if (!is_lf_of_crlf && !end_line(s, fn, ctx))
            return false;
    }
    return true;
}

bool sse_end(struct sse *s, sse_fn fn, void *ctx)
{
    if (s->line.len && !end_line(s, fn, ctx))
        return false;
    return end_event(s, fn, ctx);
}
