// SPDX-License-Identifier: MIT
/*
 * test_sv.c — string views
 */
#include "unit.h"

#include <math.h>

static void test_compare(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int cmp;
        bool eq, ieq, starts, ends;
    } cases[] = {
        { "", "", 0, true, true, true, true },
        { "a", "", 1, false, false, true, true },
        { "", "a", -1, false, false, false, false },
        { "abc", "abd", -1, false, false, false, false },
        { "abc", "ab", 1, false, false, true, false },
        { "abc", "bc", -1, false, false, false, true },
        { "ABC", "abc", -1, false, true, false, false },
        { "a", "\xc3\xa9", -1, false, false, false, false }, /* bytes are unsigned */
        { "\xc3\x89", "\xc3\xa9", -1, false, false, false, false },
        { "[", "{", -1, false, false, false, false }, /* differ by 32, are no letters */
        { "@", "`", -1, false, false, false, false },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sv a = sv_from(cases[i].a), b = sv_from(cases[i].b);
        int c = sv_cmp(a, b);
        assert_int_equal((c > 0) - (c < 0), cases[i].cmp);
        c = sv_qcmp(&b, &a);
        assert_int_equal((c > 0) - (c < 0), -cases[i].cmp);
        assert_int_equal(sv_eq(a, b), cases[i].eq);
        assert_int_equal(sv_is(a, cases[i].b), cases[i].eq);
        assert_int_equal(sv_ieq(a, b), cases[i].ieq);
        assert_int_equal(sv_starts(a, b), cases[i].starts);
        assert_int_equal(sv_ends(a, b), cases[i].ends);
    }
    assert_sv(sv_from(NULL), "");
    struct sv none = { NULL, 0 };
    assert_true(sv_eq(none, SV("")));
    assert_true(sv_starts(none, none));
    assert_true(sv_ends(none, none));
    assert_true(sv_starts(SV("x"), none));
    assert_true(sv_ends(SV("x"), none));
    assert_int_equal(sv_cmp(none, none), 0);
}

static void test_trim(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "", "" },
        { " ", "" },
        { "a", "a" },
        { " a ", "a" },
        { "\t\r\n\v\fa b\n", "a b" },
        { "\xc2\xa0x", "\xc2\xa0x" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_sv(sv_trim(sv_from(cases[i][0])), cases[i][1]);
}

static void test_from_to(void **state)
{
    (void)state;
    struct sv s = SV("hello");
    assert_sv(sv_from_to(s, 1, 3), "el");
    assert_sv(sv_from_to(s, 0, SIZE_MAX), "hello");
    assert_sv(sv_from_to(s, 3, 1), "");
    assert_sv(sv_from_to(s, 9, 12), "");
    assert_sv(sv_from_to(s, 5, 5), "");
    assert_int_equal(sv_from_to((struct sv){ 0 }, 0, 3).n, 0);
}

static void test_find(void **state)
{
    (void)state;
    static const struct {
        const char *s, *needle;
        size_t from, want;
    } cases[] = {
        { "abcabc", "abc", 0, 0 },
        { "abcabc", "abc", 1, 3 },
        { "abcabc", "abc", 4, SIZE_MAX },
        { "aaab", "ab", 0, 2 },
        { "aaaa", "b", 0, SIZE_MAX },
        { "ab", "abc", 0, SIZE_MAX },
        { "abc", "c", 2, 2 },
        { "abc", "c", 3, SIZE_MAX },
        { "abc", "a", 99, SIZE_MAX },
        { "abc", "", 0, 0 },
        { "abc", "", 3, 3 },
        { "abc", "", 4, SIZE_MAX },
        { "", "", 0, 0 },
        { "", "a", 0, SIZE_MAX },
        { "abababac", "abac", 0, 4 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(sv_find(sv_from(cases[i].s), sv_from(cases[i].needle), cases[i].from),
                         cases[i].want);
    assert_int_equal(sv_find((struct sv){ "a\0b", 3 }, (struct sv){ "\0b", 2 }, 0), 1);
}

static void test_cut(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        size_t n;
        const char *parts[4];
    } cases[] = {
        { "a,,b", 3, { "a", "", "b" } }, { "", 1, { "" } },
        { ",", 2, { "", "" } },          { "abc", 1, { "abc" } },
        { "a,b,", 3, { "a", "b", "" } },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sv rest = sv_from(cases[i].s), part;
        size_t n = 0;
        while (sv_cut(&rest, ',', &part)) {
            assert_true(n < cases[i].n);
            assert_sv(part, cases[i].parts[n]);
            n++;
        }
        assert_int_equal(n, cases[i].n);
        assert_false(sv_cut(&rest, ',', &part));
    }
}

static void test_i64(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        bool ok;
        int64_t v;
    } cases[] = {
        { "0", true, 0 },
        { "-17", true, -17 },
        { "+5", true, 5 },
        { "007", true, 7 },
        { "9223372036854775807", true, INT64_MAX },
        { "-9223372036854775808", true, INT64_MIN },
        { "9223372036854775808", false, 0 },
        { "", false, 0 },
        { "-", false, 0 },
        { "+", false, 0 },
        { " 1", false, 0 },
        { "1 ", false, 0 },
        { "1x", false, 0 },
        { "0x10", false, 0 },
        { "1.0", false, 0 },
        { "1e3", false, 0 },
        { "00000000000000000000000000000000001", false, 0 }, /* longer than any number */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t v = 99;
        assert_int_equal(sv_to_i64(sv_from(cases[i].s), &v), cases[i].ok);
        assert_true(v == (cases[i].ok ? cases[i].v : 99)); /* untouched on failure */
    }
    int64_t v;
    assert_false(sv_to_i64((struct sv){ "1\0", 2 }, &v));
}

static void test_double(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        bool ok;
        double v;
    } cases[] = {
        { "0", true, 0 },      { "-1.5", true, -1.5 }, { "+.5", true, .5 },
        { "5.", true, 5 },     { "1e3", true, 1000 },  { "1E-2", true, 0.01 },
        { "1e-400", true, 0 }, /* underflow is a number */
        { "1e400", false, 0 }, { "inf", false, 0 },    { "nan", false, 0 },
        { "0x1p3", false, 0 }, { "", false, 0 },       { ".", false, 0 },
        { "-", false, 0 },     { "e5", false, 0 },     { "1e", false, 0 },
        { "1e+", false, 0 },   { "--1", false, 0 },    { "1-2", false, 0 },
        { "1.2.3", false, 0 }, { " 1", false, 0 },     { "1 ", false, 0 },
        { "1,5", false, 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double v = 99;
        if (sv_to_double(sv_from(cases[i].s), &v) != cases[i].ok)
            fail_msg("\"%s\"", cases[i].s);
        assert_true(fabs(v - (cases[i].ok ? cases[i].v : 99)) <= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare), cmocka_unit_test(test_trim),
        cmocka_unit_test(test_from_to), cmocka_unit_test(test_find),
        cmocka_unit_test(test_cut),     cmocka_unit_test(test_i64),
        cmocka_unit_test(test_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
