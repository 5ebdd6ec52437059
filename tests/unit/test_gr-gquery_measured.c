// SPDX-License-Identifier: MIT
/*
 * test_gr-gquery_measured.c — isotope systems that a text names; what denies; names of
 * quantities
 */
#include "unit.h"

#include "measured.h"

static void test_systems(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "U-Pb zircon age", "U-Pb" },
        { "a U–Pb age", "U-Pb" },
        { "206Pb/238U age of 25 Ma", "U-Pb" },
        { "207Pb/206Pb ages", "Pb-Pb" },
        { "40Ar/39Ar plateau", "Ar-Ar" },
        { "⁴⁰Ar/³⁹Ar plateau", "Ar-Ar" },
        { "K-Ar and K–Ar", "K-Ar" },
        { "(U-Th)/He", "(U-Th)/He" },
        { "Sm-Nd isochron", "Sm-Nd" },
        { "Re/Os", "Re-Os" },
        { "U-Pb and Ar-Ar ages", "" }, /* which of the two is not said */
        { "uranium lead", "" },
        { "U, Pb", "" },
        { "the Fe-Mn nodule", "" },
        { "K-feldspar", "" },
        { "LA-ICP-MS", "" },
        { "", "" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(measured_system(sv_from(cases[i].text)), cases[i].want);
}

static void test_denies(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        bool want;
    } cases[] = {
        { "{\"negated\":true}", true },
        { "{\"negated\":false}", false },
        { "{\"negated\":\"true\"}", false },
        { "{\"polarity\":\"Negative\"}", true },
        { "{\"polarity\":\"positive\"}", false },
        { "{\"polarity\":-1}", true },
        { "{\"polarity\":1}", false },
        { "{\"evidence\":\"\\\"negated\\\":true\"}", false },
        { "{\"negated\":tr", false },
        { "", false },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(measured_denies(sv_from(cases[i].record)), cases[i].want);
}

static void test_quantities(void **state)
{
    (void)state;
    static const struct {
        const char *of, *relation, *asked;
        bool want;
    } cases[] = {
        { "Rb", "Has Concentration", "rubidium", true },
        { "rubidium", "Has Concentration", "Rb", true },
        { "Rb", "Has Concentration", "Rb2O", false },
        { "δ18O", "Has Value", "d18O", true },
        { "εNd(t)", "Has Value", "εNd", true },
        { "εNd", "Has Value", "εNd(t)", false },
        { "Co", "Has Concentration", "CO", false },
        { "SiO2", "Has Concentration", "SiO₂", true },
        { "", "Has Age", "age", true },
        { "zircon", "Has Age", "Age", true },
        { "", "Has Half-Life", "half-life", true },
        { "", "Has Age", "temperature", false },
        { "", "Cooling Rate", "cooling rate", true },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct measured m = { .of = sv_from(cases[i].of) };
        struct buf key = BUF_INIT;
        measured_key(sv_from(cases[i].asked), &key);
        bool got = measured_is(&m, sv_from(cases[i].relation), sv_from(cases[i].asked),
                               buf_view(&key));
        buf_release(&key);
        if (got != cases[i].want)
            fail_msg("%s for %s", cases[i].asked, cases[i].of);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_systems),
                                        cmocka_unit_test(test_denies),
                                        cmocka_unit_test(test_quantities) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
