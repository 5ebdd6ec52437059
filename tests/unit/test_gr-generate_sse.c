// SPDX-License-Identifier: MIT
/*
 * test_gr-generate_sse.c — event streams cut anywhere, replies whole and in pieces
 */
#include "unit.h"

#include "chat.h"
#include "sse.h"

static bool collect(void *ctx, struct sv data)
{
    struct buf *b = ctx;
    buf_char(b, '<');
    buf_sv(b, data);
    buf_char(b, '>');
    return true;
}

static bool stop(void *ctx, struct sv data)
{
    (void)data;
    ++*(int *)ctx;
    return false;
}

static const struct {
    const char *bytes, *events;
} streams[] = {
    { "data: a\n\ndata: b\n\n", "<a><b>" },
    { "data:a\r\n\r\ndata:  b\r\n\r\n", "<a>< b>" },
    { "data: a\r\rdata: b\r\r", "<a><b>" },
    { ": comment\n\n\n\ndata: a\n\n", "<a>" },
    { "event: x\nid: 7\nretry: 10\ndata: a\nunknown\n\n", "<a>" },
    { "data: a\ndata: b\n\n", "<a\nb>" },
    { "data\n\n", "<>" },
    { "data: no end", "<no end>" },
    { "data: no end\n", "<no end>" },
    { "database: x\n\n", "" },
    { "\n\n\n", "" },
    { "", "" },
    { "data: δ¹⁸O\n\n", "<δ¹⁸O>" },
};

/* The same events wherever the bytes are cut in three. */
static void test_cuts(void **state)
{
    (void)state;
    for (size_t s = 0; s < ARRAY_LEN(streams); s++) {
        struct sv all = sv_from(streams[s].bytes);
        for (size_t i = 0; i <= all.n; i++) {
            for (size_t j = i; j <= all.n; j++) {
                struct sse sse;
                struct buf got = BUF_INIT;
                sse_init(&sse);
                assert_true(sse_feed(&sse, sv_from_to(all, 0, i), collect, &got));
                assert_true(sse_feed(&sse, sv_from_to(all, i, j), collect, &got));
                assert_true(sse_feed(&sse, sv_from_to(all, j, all.n), collect, &got));
                assert_true(sse_end(&sse, collect, &got));
                assert_string_equal(buf_cstr(&got), streams[s].events);
                sse_release(&sse);
                buf_release(&got);
            }
        }
    }
}

static void test_stop(void **state)
{
    (void)state;
    struct sse sse;
    int n = 0;
    sse_init(&sse);
    assert_false(sse_feed(&sse, SV("data: a\n\ndata: b\n\n"), stop, &n));
    assert_int_equal(n, 1);
    sse_release(&sse);
}

static void test_too_long(void **state)
{
    (void)state;
    struct sse sse;
    struct buf got = BUF_INIT;
    char block[4096];
    bool go_on = true;
    memset(block, 'x', sizeof block);
    sse_init(&sse);
    for (size_t i = 0; go_on && i < 2 * SSE_MAX / sizeof block; i++)
        go_on = sse_feed(&sse, (struct sv){ block, sizeof block }, collect, &got);
    assert_false(go_on);
    sse_release(&sse);
    buf_release(&got);
}

/* ---- events ---- */

static void test_events(void **state)
{
    (void)state;
    struct chat_reply r;
    chat_reply_init(&r);
    static const char *const events[] = {
        "{\"model\":\"m\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"δ18\"}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"O\"},\"finish_reason\":null}]}",
        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}",
        "{\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}",
        "[DONE]",
    };
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        assert_true(chat_read_event(&r, sv_from(events[i])));
    assert_string_equal(buf_cstr(&r.llm.text), "δ18O");
    assert_string_equal(buf_cstr(&r.llm.model), "m");
    assert_string_equal(r.llm.finish, "length");
    assert_true(r.is_done);
    assert_int_equal((int)r.llm.n_prompt, 3);
    assert_int_equal((int)r.llm.n_answer, 2);
    assert_false(chat_read_event(&r, SV("{\"error\":{\"message\":\"busy\"}}")));
    assert_int_equal(r.err.code, EXIT_REJECTED);
    chat_reply_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
