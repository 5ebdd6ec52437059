// SPDX-License-Identifier: MIT
/*
 * test_units.c — names of units, and what is compared with what
 */
#include "unit.h"

#include <math.h>

#include "units.h"

static struct units *u;

static int load(void **state)
{
    struct err err;
    (void)state;
    u = units_load("data/vocab/unit.tsv", &err);
    return u ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    units_free(u);
    return 0;
}

static void test_named(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        { "µg/g", "ppm" }, { "μg g⁻¹", "ppm" }, { "mg/kg", "ppm" }, { "wt. %", "wt%" },
        { " Ma ", "Ma" },  { "Myr", "Ma" },     { "°C", "°C" },
    };
    for (size_t i = 0; i < ARRAY_LEN(same); i++) {
        struct sv name = units_name(u, units_named(u, sv_from(same[i][0])));
        assert_true(sv_is(name, same[i][1]));
    }
    assert_int_equal(units_named(u, SV("flurb")), UNIT_NONE);
    assert_int_equal(units_named(u, SV("ppm of it")), UNIT_NONE);
    assert_int_equal(units_named(u, SV("")), UNIT_NONE);
}

static void test_scale(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double in_a, in_b; /* NAN: not to be compared */
    } cases[] = {
        { "ppm", "µg/g", 5, 5 },     { "wt%", "ppm", 0.5, 5000 }, { "Ma", "ka", 1.5, 1500 },
        { "Ga", "Ma", 4.468, 4468 }, { "°C", "K", 25, 298.15 },   { "GPa", "kbar", 2, 20 },
        { "ppb", "ppm", 12, 0.012 }, { "%", "wt%", 3, 3 },        { "km", "m", 2, 2000 },
        { "d", "ka", 365250, 1 },    { "Ma", "ppm", 1, NAN },     { "‰", "%", 1, NAN },
        { "mg/L", "ppm", 1, NAN },   { "°C", "GPa", 1, NAN },     { "ppm", "ppmv", 1, NAN },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double fa, fb, oa, ob;
        struct sv a = units_scale(u, units_named(u, sv_from(cases[i].a)), &fa, &oa);
        struct sv b = units_scale(u, units_named(u, sv_from(cases[i].b)), &fb, &ob);
        assert_true(a.n && b.n);
        assert_int_equal(sv_eq(a, b), !isnan(cases[i].in_b));
        if (sv_eq(a, b)) {
            double base = cases[i].in_a * fa + oa;
            assert_true(fabs((base - ob) / fb - cases[i].in_b) <= 1e-6 * cases[i].in_b);
        }
    }
    double f, o;
    assert_int_equal(units_scale(u, UNIT_NONE, &f, &o).n, 0);
    assert_true(f > 0.5 && f < 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_named),
                                        cmocka_unit_test(test_scale) };
    return cmocka_run_group_tests(tests, load, unload);
}
