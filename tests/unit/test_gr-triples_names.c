// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_names.c — units made of symbols, values in base units, all that is counted or
 * measured, short forms, names inside of names
 */
#include "unit/gr-triples.h"

#include <math.h>

#include "abbrev.h"
#include "quantity_impl.h"

static void test_compose(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t end;
    } cases[] = {
        { "mA/cm2", 6 },
        { "kg mm\xe2\x88\x92"
          "2 x",
          9 },
        { "GHz", 3 },
        { "W m-2 K-1", 9 },
        { "m s \xe2\x88\x92"
          "1 .",
          8 },
        { "kg per m3", 9 },
        { "\xc2\xb5Jy", 4 },
        { "m^{2}", 5 },
        { "m2", 2 },
        { "Ga13", 0 },
        { "C", 0 },
        { "T", 0 },
        { "samples", 0 },
        { "mg LUCA", 2 },
        { "m in", 1 },
        { "", 0 },
        { "as", 0 },
        { "pm2x", 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t end = units_compose(sv_from(cases[i].text), 0);
        if (end != cases[i].end)
            fail_msg("\"%s\": %zu, not %zu", cases[i].text, end, cases[i].end);
    }
}

static void test_convert(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double value, base;
        const char *name;
    } cases[] = {
        { "kbar", 5, 5e8, "Pa" },
        { "GPa", 0.5, 5e8, "Pa" },
        { "\xc2\xb0"
          "C",
          300, 573.15, "K" },
        { "wt%", 5, 0.05, "kg/kg" },
        { "ppm", 50000, 0.05, "kg/kg" },
        { "Ga", 2.7, 2.7e9, "a" },
        { "km", 3, 3000, "m" },
    };
    double out;
    struct sv base;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint32_t unit = units_find(units, sv_from(cases[i].unit));
        assert_true(units_convert(units, unit, cases[i].value, &out, &base));
        assert_true(fabs(out - cases[i].base) <= 1e-9 * cases[i].base);
        assert_sv(base, cases[i].name);
    }
    assert_false(units_convert(units, UNIT_NONE, 1, &out, &base));
    assert_false(units_convert(units, UNIT_TEXT, 1, &out, &base));
}

/* The texts of all quantities, joined by "; ". */
static void check_all(const char *text, const char *want)
{
    struct entities names = { 0 };
    struct quantities list = { 0 };
    struct buf got = BUF_INIT;
    struct sv s = sv_from(text);
    vocab_scan(vocab, s, &names);
    quantity_scan_all(units, s, &names, &list);
    for (size_t i = 0; i < list.n; i++) {
        buf_str(&got, i ? "; " : "");
        buf_sv(&got, sv_from_to(s, list.items[i].from, list.items[i].end));
    }
    if (strcmp(buf_cstr(&got), want) != 0)
        fail_msg("\"%s\": \"%s\", not \"%s\"", text, buf_cstr(&got), want);
    buf_release(&got);
    quantities_release(&list);
    entities_release(&names);
}

static void test_all(void **state)
{
    (void)state;
    check_all("", "");
    check_all("up to 5 ppm of twenty-two", "up to 5 ppm; twenty-two");
    check_all("5, 10 and 20 m", "5; 10; 20 m");
    check_all("phases 3, 5 and 7", "");
    check_all("Smith (1998), 2007", "");
    check_all("n = 1998", "1998");
    check_all("km s \xe2\x88\x92"
              "1",
              "");
    check_all("at 57\xc2\xb0"
              "44\xe2\x80\xb2"
              "N",
              "");
    check_all("a few million years or half an hour", "a few million years; half an hour");
    check_all("one of them, the half-life, another", "");
    check_all("r = .64 (p <0.001)", ".64; <0.001");
    check_all("10 \xe2\x88\x92"
              "7 mol/L",
              "10 \xe2\x88\x92"
              "7 mol/L");
    check_all("2.1 Methods", "");
    check_all("of 62 satellites", "62");
    check_all("chamber 20. The", "");
}

static void test_short_forms(void **state)
{
    (void)state;
    struct sv text = SV(
        "alkali feldspar granite (AFG) and quartz (XYZ), biotite (Bt). AFG, AFGs, AFG2, XYZ");
    struct entities names = { 0 };
    struct abbrevs forms = { 0 };
    vocab_scan(vocab, text, &names);
    abbrevs_reset(&forms);
    abbrevs_learn(&forms, vocab, text, 0);
    abbrevs_sort(&forms);
    assert_int_equal(forms.n, 2);
    assert_string_equal(forms.items[0].text, "AFG");
    assert_string_equal(forms.items[1].text, "Bt");
    abbrevs_find(&forms, 0, text, 0, &names);
    size_t n = 0;
    for (size_t i = 0; i < names.n; i++)
        n += sv_is(entity_name(vocab, &names.items[i]), "alkali feldspar granite");
    assert_int_equal(n, 4); /* in words, in brackets, AFG, AFGs */
    abbrevs_learn(&forms, vocab, text, 0);
    assert_int_equal(forms.n, 2);
    abbrevs_release(&forms);
    entities_release(&names);
}

static void test_inner(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
    } cases[] = { { "Fe/Mn", 2 },        { "K-feldspar", 1 }, { "calcium sulfate", 1 },
                  { "calcite vein", 1 }, { "Eu/Eu*", 2 },     { "feldspar", 0 },
                  { "basalt", 0 },       { "CaO/SiO2", 0 } };
    struct entities names = { 0 };
    struct entity inner[4];
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sv s = sv_from(cases[i].text);
        vocab_scan(vocab, s, &names);
        assert_int_equal(names.n, 1);
        size_t n = vocab_inner(vocab, s, names.items, inner, ARRAY_LEN(inner));
        if (n != cases[i].n)
            fail_msg("\"%s\": %zu inside, not %zu", cases[i].text, n, cases[i].n);
        assert_int_equal(vocab_inner(vocab, s, names.items, inner, 0), 0);
    }
    entities_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compose), cmocka_unit_test(test_convert),
        cmocka_unit_test(test_all),     cmocka_unit_test(test_short_forms),
        cmocka_unit_test(test_inner),
    };
    return cmocka_run_group_tests(tests, load_words, unload_words);
}
