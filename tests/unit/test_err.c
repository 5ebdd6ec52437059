// SPDX-License-Identifier: MIT
/*
 * test_err.c — messages are one clean line whatever goes in
 */
#include "unit.h"

#include "err.h"
#include "utf8.h"

static void test_set(void **state)
{
    (void)state;
    struct err e;
    assert_int_equal(err_set(&e, EXIT_REJECTED, "field \"%s\": expected %s", "text", "string"),
                     -1);
    assert_int_equal(e.code, EXIT_REJECTED);
    assert_string_equal(e.msg, "field \"text\": expected string");
    assert_int_equal(err_prefix(&e, "id \"%s\"", "D9"), -1);
    assert_int_equal(e.code, EXIT_REJECTED);
    assert_string_equal(e.msg, "id \"D9\": field \"text\": expected string");
}

static void test_clean(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        { "", "" },
        { "plain", "plain" },
        { "a\nb\tc\rd", "a?b?c?d" },
        { "\x1b[31mred\x7f", "?[31mred?" },
        { "δ¹⁸O", "δ¹⁸O" },
        { "caf\xc3", "caf" },     /* first of two */
        { "x\xe2\x82", "x" },     /* two of three */
        { "x\xf0\x9f\x8c", "x" }, /* three of four */
        { "x\xf0\x9f\x8c\x8b", "x\xf0\x9f\x8c\x8b" },
        { "\xe2", "" },
        { "a\xc2\x9b"
          "31m",
          "a??31m" }, /* U+009B is a control sequence introducer too */
        { "a\xc2\x85z", "a??z" },
        { "a\u202Ez\u2066", "a???z???" }, /* they turn the direction of writing */
        { "a\u2029\u202F\u2065\u206A", "a\u2029\u202F\u2065\u206A" },
        { "a\xc2\xa0z", "a\xc2\xa0z" }, /* a no-break space is none */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", cases[i].in);
        err_clean(text);
        assert_string_equal(text, cases[i].out);
    }
}

/* A message cut at the end of the array is still valid UTF-8, at every alignment. */
static void test_long(void **state)
{
    (void)state;
    char text[4096];
    for (size_t shift = 0; shift < 4; shift++) {
        size_t n = 0;
        for (size_t i = 0; i < shift; i++)
            text[n++] = 'x';
        while (n + 4 < sizeof text) {
            memcpy(text + n, "\xf0\x9f\x8c\x8b", 4);
            n += 4;
        }
        text[n] = '\0';
        struct err e;
        err_set(&e, EXIT_FATAL, "%s", text);
        assert_true(strlen(e.msg) >= sizeof e.msg - 4);
        assert_true(utf8_check(sv_from(e.msg)) == SIZE_MAX);
        err_prefix(&e, "%s", text);
        assert_true(strlen(e.msg) >= sizeof e.msg - 4);
        assert_true(utf8_check(sv_from(e.msg)) == SIZE_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
