// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-generate_reply.c — any bytes as a chat service's reply, whole and as a stream
 *
 * The first byte says how large the pieces of the stream are; events do not depend on it.
 */
#include "chat.h"
#include "cite.h"
#include "sse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool count(void *ctx, struct sv data)
{
    struct buf *b = ctx;
    buf_printf(b, "%zu:", data.n);
    buf_sv(b, data);
    return true;
}

static void feed(struct sv s, size_t step, sse_fn fn, void *ctx)
{
    struct sse sse;
    bool go_on = true;
    sse_init(&sse);
    for (size_t i = 0; i < s.n && go_on; i += step)
        go_on = sse_feed(&sse, sv_from_to(s, i, i + step), fn, ctx);
    if (go_on)
        sse_end(&sse, fn, ctx);
    sse_release(&sse);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct sv s = { (const char *)data + 1, size - 1 };
    struct buf whole = BUF_INIT, pieces = BUF_INIT, plain = BUF_INIT;
    struct chat_reply r;
    struct err err;
    feed(s, s.n + 1, count, &whole);
    feed(s, 1 + data[0] % 7u, count, &pieces);
    if (!sv_eq(buf_view(&whole), buf_view(&pieces)))
        abort();
    chat_reply_init(&r);
    feed(s, 1 + data[0] % 7u, chat_read_event, &r);
    chat_reply_release(&r);
    chat_reply_init(&r);
    if (llm_reply_read(&r.llm, s, &err) == 0 && !r.llm.text.len)
        abort();
    chat_reply_release(&r);
    cite_strip(&plain, s);
    if (plain.len > s.n)
        abort();
    buf_release(&whole);
    buf_release(&pieces);
    buf_release(&plain);
    return 0;
}
