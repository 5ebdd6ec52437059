// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_units.c — laws of units and of numbers with units
 *
 * Every unit of the table: its names lead to it, values go to the base and back, keep their
 * order, and errors grow by the factor alone. A quantity that is printed and read again is the
 * same. Numbers of any length and power are read or refused, never as infinity or as nothing.
 * GR_SEED=N runs another series.
 */
#include "unit/gr-triples.h"

#include <math.h>
#include <stdio.h>

#include "buf.h"
#include "quantity.h"
#include "rng.h"

static const struct entities no_names;

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-8 * (fabs(a) + fabs(b)) + 1e-300;
}

/* Calls fn for each unit of the table and each of its names. */
static void each_name(void (*fn)(struct sv unit, struct sv name))
{
    FILE *file = fopen("data/vocab/unit.tsv", "r");
    assert_non_null(file);
    char line[8192];
    size_t n = 0;
    while (fgets(line, sizeof line, file)) {
        struct sv rest = sv_from(line), unit, names, one;
        if (line[0] == '#' || strncmp(line, "name\t", 5) == 0)
            continue;
        assert_true(sv_cut(&rest, '\t', &unit) && sv_cut(&rest, '\t', &names));
        fn(unit, unit);
        while (names.n && sv_cut(&names, '|', &one))
            fn(unit, one);
        n++;
    }
    fclose(file);
    assert_true(n > 200);
}

/* Words and labels far more often than units: never read as these. */
static bool is_never(struct sv name)
{
    static const char *const never[] = { "a", "A", "in.", "y" };
    for (size_t i = 0; i < ARRAY_LEN(never); i++)
        if (sv_is(name, never[i]))
            return true;
    return false;
}

static size_t n_wrong;

static void check_name(struct sv unit, struct sv name)
{
    uint32_t id = units_named(units, name);
    if (is_never(name) || name.n == 0)
        return;
    if (id == UNIT_NONE) {
        print_error("\"%.*s\" of %.*s is no unit\n", SV_ARG(name), SV_ARG(unit));
        n_wrong++;
        return;
    }
    uint32_t own = is_never(unit) ? id : units_named(units, unit);
    if (own == id)
        return;
    print_error("\"%.*s\" is %.*s, not %.*s\n", SV_ARG(name), SV_ARG(units_name(units, id)),
                SV_ARG(unit));
    n_wrong++;
}

static void test_names(void **state)
{
    (void)state;
    each_name(check_name);
    assert_int_equal(n_wrong, 0);
}

static void check_conversion(struct sv unit, struct sv name)
{
    uint32_t id = units_named(units, name);
    struct sv base;
    double nought, one, low, high, error, back;
    (void)unit;
    if (id == UNIT_NONE || !units_convert(units, id, 0, &nought, &base))
        return;
    assert_true(units_convert(units, id, 1, &one, &base) && base.n > 0);
    double factor = one - nought;
    assert_true(factor > 0);
    struct rng r = { id };
    for (int i = 0; i < 20; i++) {
        double a = (rng_unit(&r) - 0.3) * pow(10, (double)rng_below(&r, 8));
        double b = a + rng_unit(&r) * 100 + 0.01;
        assert_true(units_convert(units, id, a, &low, &base));
        assert_true(units_convert(units, id, b, &high, &base));
        assert_true(low <= high); /* intervals keep their order */
        assert_true(units_convert_error(units, id, b - a, &error));
        double exact, offset, of_one;
        assert_true(units_convert_error(units, id, 1, &of_one));
        assert_true(is_near(error, (b - a) * of_one)); /* errors scale */
        exact = of_one;
        offset = nought;
        back = (low - offset) / exact; /* there and back: ten digits of what was added */
        assert_true(fabs(back - a) <= 1e-8 * (fabs(a) + fabs(offset / exact)) + 1e-12);
        assert_true(fabs(high - low - error) <= 1e-8 * (fabs(high) + fabs(low)) + 1e-300);
    }
}

static void test_conversion(void **state)
{
    (void)state;
    each_name(check_conversion);
}

/* The only quantity of a text, or false. */
static bool read_one(struct sv text, struct quantity *q)
{
    struct quantities list = { 0 };
    quantity_scan(units, text, &no_names, &list);
    bool is_one = list.n == 1;
    if (is_one)
        *q = list.items[0];
    quantities_release(&list);
    return is_one;
}

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || is_near(a, b);
}

static void test_printed(void **state)
{
    (void)state;
    static const char *const some[] = { "ppm",          "wt%",   "\u00b0C", "GPa", "Ma",
                                        "\xe2\x80\xb0", "mm/yr", "mol/L",   "km3", "g/cm3" };
    static const char *const ops[] = { "", "<", "~", ">", "\xe2\x89\xa4", "\xe2\x89\xa5" };
    struct rng r = { unit_seed() };
    struct buf text = BUF_INIT, again = BUF_INIT;
    for (int i = 0; i < 4000; i++) {
        struct quantity q, p;
        double v = floor(rng_unit(&r) * 1e4) / pow(10, (double)rng_below(&r, 5));
        const char *unit = some[rng_below(&r, ARRAY_LEN(some))];
        buf_reset(&text);
        switch (rng_below(&r, 4)) {
        case 0:
            buf_printf(&text, "%s%.6g %s", ops[rng_below(&r, ARRAY_LEN(ops))], v, unit);
            break;
        case 1:
            buf_printf(&text, "%.6g\xe2\x80\x93%.6g %s", v, v + 1, unit);
            break;
        case 2:
            buf_printf(&text, "%.6g \xc2\xb1 %.6g %s", v + 1, v / 8, unit);
            break;
        default:
            buf_printf(&text, "%.4g \xc3\x97 10\xe2\x88\x92%d %s", v + 1,
                       (int)rng_below(&r, 20) + 1, unit);
        }
        buf_cstr(&text);
        if (!read_one(buf_view(&text), &q))
            fail_msg("seed %llu, round %d: \"%s\" is not one quantity",
                     (unsigned long long)unit_seed(), i, buf_cstr(&text));
        buf_reset(&again);
        quantity_text(units, &q, &again);
        buf_cstr(&again);
        if (!read_one(buf_view(&again), &p) || !is_same(q.low, p.low) ||
            !is_same(q.high, p.high) || !is_same(q.error, p.error) || q.op != p.op ||
            q.unit != p.unit)
            fail_msg("seed %llu, round %d: \"%s\" printed as \"%s\"",
                     (unsigned long long)unit_seed(), i, buf_cstr(&text), buf_cstr(&again));
    }
    buf_release(&text);
    buf_release(&again);
}

/* Long, huge and tiny: nothing that comes out is infinite, nor is what was not nothing. */
static void test_hostile(void **state)
{
    (void)state;
    static const char *const ends[] = { "",          " ppm",
                                        "e400 ppm",  "e-400 ppm",
                                        "(12) ppm",  " \xc3\x97 10 99 ppm",
                                        "/2 ppm",    ":1",
                                        " 6 0.1 Ma", "e99999999999999999999 Ma",
                                        ",5 ppm",    " 000 000 000 ppm" };
    static const size_t lengths[] = { 1, 15, 16, 39, 40, 41, 63, 64, 65, 309, 5000 };
    struct buf text = BUF_INIT;
    struct quantities list = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(lengths) * ARRAY_LEN(ends) * 4; i++) {
        static const char *const starts[] = { "of ", "of 0.", "of \xe2\x88\x92", "of $" };
        buf_reset(&text);
        buf_str(&text, starts[i % 4]);
        for (size_t k = 0; k < lengths[i / 4 / ARRAY_LEN(ends)]; k++)
            buf_char(&text, i % 4 == 1 ? '0' : '9');
        buf_str(&text, i % 4 == 1 ? "1" : "");
        buf_str(&text, ends[i / 4 % ARRAY_LEN(ends)]);
        buf_cstr(&text);
        for (int all = 0; all < 2; all++) {
            (all ? quantity_scan_all : quantity_scan)(units, buf_view(&text), &no_names, &list);
            for (size_t k = 0; k < list.n; k++) {
                const struct quantity *q = &list.items[k];
                assert_false(isinf(q->low) || isinf(q->high) || isinf(q->error));
                assert_true(q->end <= text.len && q->from <= q->start && q->start < q->end);
            }
        }
    }
    static const char *const none[] = { "10^400 ppm of", "of 1e400 ppm", "of 1e-400 ppm",
                                        "of (1 \xc2\xb1 2) \xc3\x97 10 400 ppm" };
    for (size_t i = 0; i < ARRAY_LEN(none); i++) {
        quantity_scan(units, sv_from(none[i]), &no_names, &list);
        for (size_t k = 0; k < list.n; k++)
            assert_true(fabs(list.items[k].low) > 0 && fabs(list.items[k].low) < 1e5);
    }
    quantities_release(&list);
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_conversion),
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, load_words, unload_words);
}
