// SPDX-License-Identifier: MIT
/*
 * test_utf8.c — checking (the edges of RFC 3629), walking, normal forms, classes
 */
#include "unit.h"

#include <utf8proc.h>

#include "rng.h"
#include "utf8.h"

static void test_check(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        size_t n, want;
    } cases[] = {
        { "", 0, SIZE_MAX },
        { "plain ascii text, longer than a word", 36, SIZE_MAX },
        { "a\0b", 3, SIZE_MAX },
        { "\xc3\xa9", 2, SIZE_MAX },
        { "12345678\xc3\xa9", 10, SIZE_MAX },
        { "1234567\xc3\xa9z", 10, SIZE_MAX },
        { "\x80", 1, 0 }, /* a lone continuation */
        { "ab\xbf", 3, 2 },
        { "\xc0\x80", 2, 0 }, /* overlong NUL */
        { "\xc1\xbf", 2, 0 },
        { "\xc2\x80", 2, SIZE_MAX }, /* first of two bytes */
        { "\xdf\xbf", 2, SIZE_MAX },
        { "\xc2", 1, 0 },
        { "\xc2 ", 2, 0 },
        { "\xe0\x9f\xbf", 3, 0 }, /* overlong */
        { "\xe0\xa0\x80", 3, SIZE_MAX },
        { "\xed\x9f\xbf", 3, SIZE_MAX },
        { "\xed\xa0\x80", 3, 0 }, /* surrogate */
        { "\xed\xbf\xbf", 3, 0 },
        { "\xee\x80\x80", 3, SIZE_MAX },
        { "\xef\xbf\xbf", 3, SIZE_MAX },
        { "\xe2\x82", 2, 0 },
        { "\xe2\x82\xc2", 3, 0 },
        { "\xf0\x8f\xbf\xbf", 4, 0 }, /* overlong */
        { "\xf0\x90\x80\x80", 4, SIZE_MAX },
        { "\xf4\x8f\xbf\xbf", 4, SIZE_MAX },
        { "\xf4\x90\x80\x80", 4, 0 }, /* past U+10FFFF */
        { "\xf5\x80\x80\x80", 4, 0 },
        { "\xff", 1, 0 },
        { "x\xf0\x9f\x8c", 4, 1 },
        { "1234567890123456\xff", 17, 16 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_true(utf8_check((struct sv){ cases[i].s, cases[i].n }) == cases[i].want);
}

/* Every scalar value survives put, check, next, before; every surrogate is refused. */
static void test_round_trip(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        buf_reset(&b);
        buf_char(&b, 'x');
        utf8_put(&b, cp);
        struct sv s = buf_view(&b);
        size_t want = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
        if (s.n != 1 + want || utf8_check(s) != SIZE_MAX || utf8_count(s) != 2)
            fail_msg("U+%04X", (unsigned)cp);
        size_t pos = 1;
        if (utf8_next(s, &pos) != cp || pos != s.n || utf8_before(s, s.n) != cp)
            fail_msg("U+%04X", (unsigned)cp);
    }
    buf_release(&b);
}

static void test_walk_invalid(void **state)
{
    (void)state;
    struct sv s = SV("a\xff\xe2\x82z");
    static const uint32_t want[] = { 'a', 0xFFFD, 0xFFFD, 0xFFFD, 'z' };
    size_t pos = 0, n = 0;
    while (pos < s.n) {
        assert_true(n < ARRAY_LEN(want));
        assert_int_equal(utf8_next(s, &pos), want[n]);
        n++;
    }
    assert_int_equal(n, ARRAY_LEN(want));
    assert_int_equal(pos, s.n);
}

static void test_offsets(void **state)
{
    (void)state;
    struct sv s = SV("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8bz"); /* a é € 🌋 z: at 0 1 3 6 10 */
    static const size_t at[] = { 0, 1, 3, 6, 10, 11 };
    assert_int_equal(utf8_count(s), 5);
    for (size_t i = 0; i < ARRAY_LEN(at); i++)
        assert_int_equal(utf8_offset(s, i), at[i]);
    assert_int_equal(utf8_offset(s, 99), s.n);
    assert_int_equal(utf8_offset(s, SIZE_MAX), s.n);
    for (size_t pos = 0; pos <= s.n + 2; pos++) {
        size_t want = 0;
        for (size_t i = 0; i < ARRAY_LEN(at); i++)
            want = at[i] <= pos ? at[i] : want;
        assert_int_equal(utf8_floor(s, pos), want);
    }
    assert_int_equal(utf8_count(SV("")), 0);
    assert_int_equal(utf8_offset(SV(""), 0), 0);
    assert_int_equal(utf8_floor(SV(""), 0), 0);
}

static void test_forms(void **state)
{
    (void)state;
    static const struct {
        const char *in, *nfc, *fold;
    } cases[] = {
        { "", "", "" },
        { "MORB", "MORB", "morb" },
        { "Sm-Nd", "Sm-Nd", "sm-nd" },
        { "e\xcc\x81", "\xc3\xa9", "\xc3\xa9" }, /* é from e and U+0301 */
        { "\xc3\x89", "\xc3\x89", "\xc3\xa9" },
        { "E\xcc\x81", "\xc3\x89", "\xc3\xa9" },
        { "Stra\xc3\x9f"
          "e",
          "Stra\xc3\x9f"
          "e",
          "strasse" },
        { "\xce\x94\xce\xa3", "\xce\x94\xce\xa3", "\xce\xb4\xcf\x83" }, /* ΔΣ */
        { "\xcf\x82", "\xcf\x82", "\xcf\x83" },                         /* final sigma */
        { "\xe2\x84\xab", "\xc3\x85", "\xc3\xa5" },                     /* ångström sign */
        { "CO\xe2\x82\x82", "CO\xe2\x82\x82", "co\xe2\x82\x82" },       /* subscripts stay */
        { "\xef\xac\x81", "\xef\xac\x81", "fi" },  /* a ligature folds, by full folding */
        { "\xc2\xb5g", "\xc2\xb5g", "\xce\xbcg" }, /* micro sign folds to mu */
    };
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_reset(&b);
        utf8_nfc(&b, sv_from(cases[i].in));
        assert_string_equal(buf_cstr(&b), cases[i].nfc);
        buf_reset(&b);
        utf8_fold(&b, sv_from(cases[i].in));
        assert_string_equal(buf_cstr(&b), cases[i].fold);
    }
    buf_reset(&b);
    utf8_nfc(&b, (struct sv){ "\xc3\xa9\0e\xcc\x81", 6 }); /* NUL is a character */
    assert_int_equal(b.len, 5);
    assert_memory_equal(b.data, "\xc3\xa9\0\xc3\xa9", 5);
    buf_release(&b);
}

/* Piece by piece is as the whole: any row of characters that meet, of those that look as if
 * they did, and of plain ones. */
static void test_nfc_of_pieces(void **state)
{
    (void)state;
    static const uint32_t chars[] = { 'a',    'e',    ' ',    0xE9,   0x301,  0x338,  0x323,
                                      0x302,  0x3B1,  0x2190, 0x226E, 0x2126, 0x212B, 0x2000,
                                      0x2ADC, 0x2329, 0x1100, 0x1161, 0x11A8, 0xAC00, 0xAC01,
                                      0xFB01, 0xF03D, 0x4E00, 0x3099, 0x304B, 0xFE01, 0x1E9B,
                                      0x958,  0x483,  0x20D0, 0x1D15E };
    struct rng r = { 7 };
    struct buf in = BUF_INIT, out = BUF_INIT;
    for (int round = 0; round < 20000; round++) {
        buf_reset(&in);
        buf_reset(&out);
        for (uint64_t n = rng_below(&r, 24); n > 0; n--)
            utf8_put(&in, round % 2 && rng_below(&r, 3)
                              ? (uint32_t)'a'
                              : chars[rng_below(&r, ARRAY_LEN(chars))]);
        utf8_nfc(&out, buf_view(&in));
        char *want = (char *)utf8proc_NFC((const utf8proc_uint8_t *)buf_cstr(&in));
        assert_string_equal(buf_cstr(&out), want);
        free(want);
    }
    buf_release(&in);
    buf_release(&out);
}

static void test_classes(void **state)
{
    (void)state;
    /* l letter, m mark, d digit, n number, u upper, s space, p punctuation */
    static const struct {
        uint32_t cp;
        const char *classes;
    } cases[] = {
        { 'a', "l" },     { 'Z', "lu" },    { '0', "dn" },    { ' ', "s" },     { '\n', "s" },
        { '-', "p" },     { '$', "p" },     { '_', "p" },     { '@', "p" },     { '[', "p" },
        { '`', "p" },     { '{', "p" },     { 0, "" },        { 0x7F, "" },     { 0xA0, "s" },
        { 0xB1, "p" },    { 0xB2, "dn" },   { 0xBC, "n" },    { 0xB9, "dn" },   { 0xE9, "l" },
        { 0xC9, "lu" },   { 0x394, "lu" },  { 0x3B4, "l" },   { 0x301, "m" },   { 0x1C5, "lu" },
        { 0x2070, "dn" }, { 0x2082, "dn" }, { 0x2019, "p" },  { 0x2013, "p" },  { 0x2028, "s" },
        { 0x3000, "s" },  { 0x4E2D, "l" },  { 0x660, "dn" },  { 0x2160, "n" },  { 0x2030, "p" },
        { 0xFFFD, "p" },  { 0xE000, "" },   { 0x10FFFF, "" }, { 0x110000, "" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint32_t c = cases[i].cp;
        char got[8];
        snprintf(got, sizeof got, "%s%s%s%s%s%s%s", utf8_is_letter(c) ? "l" : "",
                 utf8_is_mark(c) ? "m" : "", utf8_is_digit(c) ? "d" : "",
                 utf8_is_number(c) ? "n" : "", utf8_is_upper(c) ? "u" : "",
                 utf8_is_space(c) ? "s" : "", utf8_is_punct(c) ? "p" : "");
        if (strcmp(got, cases[i].classes) != 0)
            fail_msg("U+%04X: \"%s\", not \"%s\"", (unsigned)c, got, cases[i].classes);
    }
    assert_int_equal(utf8_lower('A'), 'a');
    assert_int_equal(utf8_lower('['), '[');
    assert_int_equal(utf8_lower(0x394), 0x3B4);
    assert_int_equal(utf8_lower(0x4E2D), 0x4E2D);
}

static void test_digit_value(void **state)
{
    (void)state;
    for (uint32_t d = 0; d < 10; d++) {
        assert_int_equal(utf8_digit_value('0' + d), d);
        assert_int_equal(utf8_digit_value(0x2080 + d), d);
        uint32_t super = d == 1 ? 0xB9 : d == 2 || d == 3 ? 0xB0 + d : 0x2070 + d;
        assert_int_equal(utf8_digit_value(super), d);
    }
    static const uint32_t none[] = {
        'a', '/', ':', 0xB0, 0x2071, 0x2072, 0x207A, 0x208A, 0x660
    };
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        assert_int_equal(utf8_digit_value(none[i]), -1);
}

static void test_tame(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        { "", "" },
        { "δ¹⁸O of\tMORB\n", "δ¹⁸O of\tMORB\n" },
        { "\x1b[31m", " [31m" },
        { "a\x7f\x01z", "a  z" },
        { "a\xc2\x9b\xc2\xa0z", "a \xc2\xa0z" },
        { "\u202Ea\u2066", " a " },
        { "\u202A\u2069\u2029\u200F", "  \u2029\u200F" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf b = BUF_INIT;
        utf8_put_tame(&b, sv_from(cases[i].in));
        assert_string_equal(buf_cstr(&b), cases[i].out);
        buf_release(&b);
    }
    assert_false(utf8_is_trick('\n'));
    assert_true(utf8_is_trick(0x9f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_walk_invalid), cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_forms),        cmocka_unit_test(test_nfc_of_pieces),
        cmocka_unit_test(test_classes),      cmocka_unit_test(test_digit_value),
        cmocka_unit_test(test_tame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
