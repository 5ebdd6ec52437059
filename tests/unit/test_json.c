// SPDX-License-Identifier: MIT
/*
 * test_json.c — writing strings and numbers: what is escaped, wherever it stands
 */
#include "unit.h"

#include "json.h"

/* As json_put_str should write it, byte by byte. */
static void quote(struct buf *b, struct sv s)
{
    buf_char(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\')
            buf_printf(b, "\\%c", c);
        else if (c == '\n' || c == '\t' || c == '\r')
            buf_str(b, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
        else if (c < 0x20 || c == 0x7F)
            buf_printf(b, "\\u%04x", c);
        else
            buf_char(b, (char)c);
    }
    buf_char(b, '"');
}

static void test_quote(void **state)
{
    (void)state;
    struct buf got = BUF_INIT, want = BUF_INIT;
    for (size_t n = 1; n <= 20; n++)
        for (size_t at = 0; at < n; at++)
            for (unsigned c = 0; c < 0x80; c++) {
                char text[24];
                memset(text, at % 2 ? '!' : '~', n); /* beside what is escaped */
                text[at] = (char)c;
                text[n - 1 - at / 2] = (char)c;
                buf_reset(&got);
                buf_reset(&want);
                json_put_str(&got, (struct sv){ text, n });
                quote(&want, (struct sv){ text, n });
                assert_string_equal(got.data, want.data);
            }
    buf_reset(&got);
    json_put_str(&got, SV("δ¹⁸O of 12345678 \"é\"\\ 日本"));
    assert_string_equal(got.data, "\"δ¹⁸O of 12345678 \\\"é\\\"\\\\ 日本\"");
    buf_release(&got);
    buf_release(&want);
}

static void test_int(void **state)
{
    (void)state;
    static const int64_t values[] = { 0, 1, -1, 9, 10, -10, 1234567890, INT64_MAX, INT64_MIN };
    struct buf got = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        char want[32];
        snprintf(want, sizeof want, "%lld", (long long)values[i]);
        buf_reset(&got);
        json_put_int(&got, values[i]);
        assert_string_equal(got.data, want);
    }
    buf_release(&got);
}

/* Members one by one, keys unescaped; text that is no JSON ends without a step outside. */
static void test_each(void **state)
{
    static const struct {
        const char *line, *want;
    } rows[] = {
        { "{}", "" },
        { "{\"a\":1,\"b\": [2, \"}\"] , \"a\":\"x\\\"y\"}", "a=1;b=[2, \"}\"];a=\"x\\\"y\";" },
        { "{\"\\u0061\\n\":null,\"\":true}", "a\n=null;=true;" },
        { "{\"a\":1,b", "a=1;" },
        { "{\"a", "=;" },
        { "{\"a\":\"x", "a=\"x;" },
        { "", "" },
        { "{\"\\", "=;" },
    };
    struct buf tmp = BUF_INIT;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct rec r = { .line = sv_from(rows[i].line) };
        struct buf got = BUF_INIT;
        struct sv key, value;
        for (size_t pos = 1; rec_each(&r, &pos, &tmp, &key, &value);)
            buf_printf(&got, "%.*s=%.*s;", SV_ARG(key), SV_ARG(value));
        assert_string_equal(buf_cstr(&got), rows[i].want);
        buf_release(&got);
    }
    buf_release(&tmp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_int),
        cmocka_unit_test(test_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
