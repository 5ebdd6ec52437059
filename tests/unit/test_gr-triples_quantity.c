// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_quantity.c — numbers with units, ranges and errors; what is no quantity
 */
#include "unit/gr-triples.h"

#include <math.h>

#include "quantity.h"

/* All quantities of a text as quantity_text prints them, joined by "; ". */
static void quantities_of(const char *text, struct buf *out)
{
    struct entities names = { 0 };
    struct quantities list = { 0 };
    struct sv s = sv_from(text);
    vocab_scan(vocab, s, &names);
    quantity_scan(units, s, &names, &list);
    buf_reset(out);
    for (size_t i = 0; i < list.n; i++) {
        const struct quantity *q = &list.items[i];
        assert_true(q->start < q->end && q->end <= s.n);
        buf_str(out, i ? "; " : "");
        quantity_text(units, q, out);
        if (q->error_kind && strcmp(q->error_kind, "%") != 0)
            buf_printf(out, " [%s]", q->error_kind);
    }
    buf_cstr(out);
    quantities_release(&list);
    entities_release(&names);
}

#define EN "\xe2\x80\x93"
#define MINUS "\xe2\x88\x92"
#define PM "\xc2\xb1"
#define PERMIL "\xe2\x80\xb0"
#define TIMES "\xc3\x97"
#define SIGMA "\xcf\x83"

static const char *const cases[][2] = {
    { "", "" },
    { "62.1 wt.%", "62.1 wt%" },
    { "62.1 wt. % SiO2", "62.1 wt%" },
    { "4.2 \xc2\xb5g/g", "4.2 ppm" },
    { "11 \xce\xbcg g" MINUS "1", "11 ppm" },
    { "35 ug/g, 0.9 ppm", "35 ppm; 0.9 ppm" },
    { "3 mg/kg and 7 g/t", "3 ppm; 7 ppm" },
    { "2.1 per mil or 2.1 o/oo", "2.1" PERMIL "; 2.1" PERMIL },
    { "0.7045" EN "0.7062", "0.7045" EN "0.7062" },
    { "from 25 to 62 ppm", "25" EN "62 ppm" },
    { "between 25 and 62 ppm", "25" EN "62 ppm" },
    { "up to 15 wt% where U is from 25 to 62 ppm", "\xe2\x89\xa4"
                                                   "15 wt%; 25" EN "62 ppm" },
    { MINUS "6.2 to " EN "3.1" PERMIL, "-6.2" EN "-3.1" PERMIL },
    { "21.3 " PM " 0.4 Ma", "21.3 " PM " 0.4 Ma" },
    { "21.3 " PM " 0.4 Ma (2" SIGMA ")", "21.3 " PM " 0.4 Ma [2" SIGMA "]" },
    { "21.3 Ma " PM " 0.4 Ma (2SE, n = 5)", "21.3 " PM " 0.4 Ma [2SE]" },
    { "21.3 +/- 0.4 Ma", "21.3 " PM " 0.4 Ma" },
    { "5.0 ppm " PM " 5%", "5 " PM " 5% ppm" },
    { "0.512638(12)", "0.512638 " PM " 1.2e-05" },
    { "<5 ppm", "<5 ppm" },
    { "less than 5 ppm", "<5 ppm" },
    { "at least 5 ppm", "\xe2\x89\xa5"
                        "5 ppm" },
    { "~300 \xc2\xb0"
      "C",
      "~300 \xc2\xb0"
      "C" },
    { "\xe2\x89\x88 300 \xc2\xb0"
      "C",
      "~300 \xc2\xb0"
      "C" },
    { "about 300 \xc2\xb0"
      "C",
      "~300 \xc2\xb0"
      "C" },
    { "1.2 " TIMES " 10\xe2\x81\xbb\xe2\x81\xb5", "1.2e-05" },
    { "1.2 x 10^-5 mol/kg", "1.2e-05 mol/kg" },
    { "10\xe2\x81\xbb\xc2\xb3 mol/L", "0.001 mol/L" },
    { "(1.35 " PM " 0.05) " TIMES " 10 12 mol yr " MINUS "1", "1.35e+12 " PM " 5e+10 mol/yr" },
    { "1,234 ppm", "1234 ppm" },
    { "12,5 ppm", "12.5 ppm" },
    { "12,5 and 3,4", "" },
    { "3e-4 wt%", "0.0003 wt%" },
    { "60-Ma-old", "60 Ma" },
    { "2.71 Ga13" EN "15", "2.71 Ga" },
    { "near 0" PERMIL "4,7", "~0" PERMIL },
    /* what is no quantity of its own */
    { "404 a", "404" },
    { "3 in the suite", "3" },
    { "Fig. 6 and Table 2", "" },
    { "BH-12 and NBS981", "" },
    { "[12] and [3,4]", "" },
    { "87Sr/86Sr and Fe2O3", "" },
    { "sample 404 a", "" },
    { "in \xc2\xb5m and ppm", "" },
};

static void test_scan(void **state)
{
    (void)state;
    struct buf got = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        quantities_of(cases[i][0], &got);
        if (strcmp(buf_cstr(&got), cases[i][1]) != 0)
            fail_msg("\"%s\": \"%s\", not \"%s\"", cases[i][0], buf_cstr(&got), cases[i][1]);
    }
    buf_release(&got);
}

static void test_cell(void **state)
{
    (void)state;
    struct quantity q;
    assert_true(quantity_at(units, SV(" 12.3 " PM " 0.2"), 0, &q));
    assert_true(fabs(q.low - 12.3) < 1e-12 && fabs(q.error - 0.2) < 1e-12);
    assert_true(quantity_at(units, SV("<0.5"), 0, &q));
    assert_true(isnan(q.low) && fabs(q.high - 0.5) < 1e-12 && q.op == Q_LESS);
    assert_false(quantity_at(units, SV("b.d.l."), 0, &q));
    assert_false(quantity_at(units, SV(""), 0, &q));
    assert_false(quantity_at(units, SV(EN), 0, &q));
}

static void test_error_kinds(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        { "2" SIGMA, "2" SIGMA },
        { "2SE", "2SE" },
        { "2 s.e.", "2SE" },
        { PM "2SD", "2SD" },
        { "1 sigma", "1" SIGMA },
        { "(2" SIGMA, "2" SIGMA },
        { "95% conf", "95%" },
        { "SD", "1SD" },
        { "SDSS", NULL },
        { "sediment", NULL },
        { "", NULL },
    };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        const char *got = quantity_error_kind(sv_from(kinds[i][0]));
        if (kinds[i][1])
            assert_string_equal(got ? got : "(none)", kinds[i][1]);
        else
            assert_null(got);
    }
}

/* Each lead is in the span of its number, in either case, and says what it says. */
static void test_leads(void **state)
{
    (void)state;
    static const struct {
        const char *lead;
        enum quantity_op op;
    } rows[] = {
        { "approximately", Q_ABOUT },
        { "about", Q_ABOUT },
        { "around", Q_ABOUT },
        { "roughly", Q_ABOUT },
        { "nearly", Q_ABOUT },
        { "almost", Q_ABOUT },
        { "circa", Q_ABOUT },
        { "approx", Q_ABOUT },
        { "ca", Q_ABOUT },
        { "near", Q_ABOUT },
        { "in excess of", Q_MORE },
        { "well over", Q_MORE },
        { "over", Q_MORE },
        { "exceeding", Q_MORE },
        { "exceeds", Q_MORE },
        { "exceed", Q_MORE },
        { "exceeded", Q_MORE },
        { "well above", Q_MORE },
        { "above", Q_MORE },
        { "well below", Q_LESS },
        { "below", Q_LESS },
        { "under", Q_LESS },
        { "within", Q_IS },
        { "only", Q_IS },
        { "exactly", Q_IS },
        { "up to", Q_AT_MOST },
        { "upto", Q_AT_MOST },
        { "down to", Q_AT_LEAST },
        { "at least", Q_AT_LEAST },
        { "at most", Q_AT_MOST },
        { "no less than", Q_AT_LEAST },
        { "not less than", Q_AT_LEAST },
        { "no fewer than", Q_AT_LEAST },
        { "not fewer than", Q_AT_LEAST },
        { "no lower than", Q_AT_LEAST },
        { "not lower than", Q_AT_LEAST },
        { "no more than", Q_AT_MOST },
        { "not more than", Q_AT_MOST },
        { "no higher than", Q_AT_MOST },
        { "not higher than", Q_AT_MOST },
        { "no greater than", Q_AT_MOST },
        { "not greater than", Q_AT_MOST },
        { "no larger than", Q_AT_MOST },
        { "no longer than", Q_AT_MOST },
        { "not longer than", Q_AT_MOST },
        { "no deeper than", Q_AT_MOST },
        { "no older than", Q_AT_MOST },
        { "not older than", Q_AT_MOST },
        { "no younger than", Q_AT_LEAST },
        { "not younger than", Q_AT_LEAST },
        { "less than", Q_LESS },
        { "fewer than", Q_LESS },
        { "lower than", Q_LESS },
        { "smaller than", Q_LESS },
        { "younger than", Q_LESS },
        { "more than", Q_MORE },
        { "greater than", Q_MORE },
        { "higher than", Q_MORE },
        { "larger than", Q_MORE },
        { "older than", Q_MORE },
        { "deeper than", Q_MORE },
        { "longer than", Q_MORE },
        { "as much as", Q_AT_MOST },
        { "as many as", Q_AT_MOST },
        { "as high as", Q_AT_MOST },
        { "as low as", Q_AT_LEAST },
        { "as little as", Q_AT_LEAST },
        { "as few as", Q_AT_LEAST },
    };
    struct entities names = { 0 };
    struct quantities list = { 0 };
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(rows) * 2; i++) {
        const char *lead = rows[i / 2].lead;
        buf_reset(&text);
        buf_printf(&text, "%c%s 5 ppm", i % 2 ? lead[0] - 'a' + 'A' : lead[0], lead + 1);
        buf_cstr(&text);
        quantity_scan_all(units, buf_view(&text), &names, &list);
        if (list.n != 1 || list.items[0].from != 0 || list.items[0].op != rows[i / 2].op)
            fail_msg("\"%s\"", buf_cstr(&text));
    }
    quantity_scan_all(units, SV("It ran over 5 years under 2 GPa"), &names, &list);
    assert_int_equal(list.n, 2);
    assert_int_equal(list.items[0].op, Q_IS); /* that long */
    assert_int_equal(list.items[0].from, 7);
    assert_int_equal(list.items[1].op, Q_IS); /* at it */
    assert_int_equal(list.items[1].from, list.items[1].start);
    quantities_release(&list);
    entities_release(&names);
    buf_release(&text);
}

static void test_units(void **state)
{
    (void)state;
    size_t end = 0;
    uint32_t unit = units_match(units, SV("wt.% NaCl"), 0, &end);
    assert_sv(units_name(units, unit), "wt%");
    assert_int_equal(end, 4);
    assert_int_equal(units_kind(units, unit), UNIT_FRACTION);
    assert_int_equal(units_match(units, SV("wtx"), 0, &end), UNIT_NONE);
    assert_int_equal(units_match(units, SV(""), 0, &end), UNIT_NONE);
    assert_int_equal(units_kind(units, units_find(units, SV("Age (Ma)"))), UNIT_AGE);
    assert_int_equal(units_kind(units, units_find(units, SV("T (\xc2\xb0"
                                                            "C)"))),
                     UNIT_TEMPERATURE);
    assert_int_equal(units_find(units, SV("Sample")), UNIT_NONE);
    assert_int_equal(units_kind(units, UNIT_NONE), UNIT_OTHER);
    struct err err;
    assert_null(units_load("/no/such/unit.tsv", &err));
    assert_int_equal(err.code, EXIT_FATAL);
    units_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan),        cmocka_unit_test(test_cell),
        cmocka_unit_test(test_error_kinds), cmocka_unit_test(test_leads),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, load_words, unload_words);
}
