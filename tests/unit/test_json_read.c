// SPDX-License-Identifier: MIT
/*
 * test_json_read.c — the quick reader takes what libjq takes, as the same value, or declines
 */
#include "unit.h"

#include "buf.h"
#include "json.h"
#include "json_read.h"
#include "rng.h"
#include "utf8.h"

static const struct {
    const char *text;
    bool takes;
} table[] = {
    { "{}", true },
    { " [ 1 , -2.5e3, 0, 0.1, 12345678901234567890, 1E+2 ] ", true },
    { "{\"a\":{\"b\":[true,false,null]},\"a\":2}", true },
    { "\"\\u00e9\\n\\/\\\\\\\"\\ud83d\\ude00 plain text of more than eight bytes\"", true },
    { "\"\\ud83d\"", false },
    { "\"\\u0000\"", false },
    { "nan", false },
    { "01", false },
    { "-0", false },
    { "1.", false },
    { "1e999", false },
    { "[1,]", false },
    { "{\"a\" 1}", false },
    { "{} {}", false },
    { "\"open", false },
    { "", false },
};

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        jv v;
        assert_int_equal(json_read(&v, sv_from(table[i].text), NULL), table[i].takes);
        if (table[i].takes)
            assert_true(jv_equal(v, jv_parse(table[i].text)));
    }
}

/* Pieces of JSON in any order: what is taken is what libjq reads. */
static void test_random(void **state)
{
    (void)state;
    static const char *const parts[] = { "{",    "}",       "[", "]",     ",",
                                         ":",    "\"a\"",   "1", "-3.5",  "true",
                                         "null", "\"\\t\"", " ", "\"δ\"", "{\"k\":1}" };
    struct rng r = { 7 };
    struct buf b = BUF_INIT;
    size_t taken = 0;
    for (int round = 0; round < 20000; round++) {
        jv v;
        buf_reset(&b);
        for (uint64_t n = rng_below(&r, 7); n; n--)
            buf_str(&b, parts[rng_below(&r, ARRAY_LEN(parts))]);
        if (!json_read(&v, buf_view(&b), NULL))
            continue;
        taken++;
        assert_true(jv_equal(v, jv_parse_sized(buf_cstr(&b), (int)b.len)));
    }
    assert_true(taken > 100);
    buf_release(&b);
}

static void test_unread(void **state)
{
    (void)state;
    static const char *const unread[] = { "refs", NULL };
    jv v;
    assert_true(
        json_read(&v, SV("{\"refs\":[{\"x\":[1,\"\\n\"]}],\"a\":{\"refs\":1}}"), unread));
    assert_true(jv_equal(v, jv_parse("{\"a\":{\"refs\":1}}")));
    assert_false(
        json_read(&v, SV("{\"refs\":[1,],\"a\":2}"), unread)); /* checked all the same */
}

/* A text is the same whether it was left unread or not. */
static void test_opt_text(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int rc;
        const char *text; /* or the error */
    } lines[] = {
        { "{\"id\":\"a\",\"text\":\"plain\"}", 1, "plain" },
        { "{\"text\":\"\"}", 1, "" },
        { "{\"text\":\"\\u03b418O \\\"of\\\"\\n\\\\ \\ud83d\\ude00.\"}", 1,
          "\u03b418O \"of\"\n\\ \U0001F600." },
        { "{\"text\":\"first\", \"te\\u0078t\" : \"last\" }", 1, "last" },
        { "{\"text\":\"first\",\"text\":null}", 0, NULL },
        { "{\"id\":{\"text\":\"inner\"}}", 0, NULL },
        { "{\"text\":3}", -1, "field \"text\": expected string, got number" },
        { "{\"text\":[\"a\"]}", -1, "field \"text\": expected string, got array" },
        { "{\"text\":false}", -1, "field \"text\": expected string, got boolean" },
    };
    static const char *const unread[] = { "text", NULL };
    for (size_t i = 0; i < 2 * ARRAY_LEN(lines); i++) {
        struct rec r = { .warnings = NULL };
        struct err err;
        struct sv text = SV_NONE;
        struct buf tmp = BUF_INIT;
        const char *want = lines[i / 2].text;
        assert_int_equal(
            rec_parse_some(&r, sv_from(lines[i / 2].line), i % 2 ? unread : NULL, &err), 0);
        int rc = rec_opt_text(&r, "text", &tmp, &text, &err);
        assert_int_equal(rc, lines[i / 2].rc);
        if (rc == 1)
            assert_true(sv_is(text, want));
        if (rc < 0)
            assert_string_equal(err.msg, want);
        buf_release(&tmp);
        rec_release(&r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_opt_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
