// SPDX-License-Identifier: MIT
/*
 * test_lemma.c — dictionary forms, irregular ones and those by rule
 */
#include "unit.h"

#include <unistd.h>

#include "lemma.h"

static const struct {
    const char *word, *lemma;
} table[] = {
    { "rocks", "rock" },         { "lavas", "lava" },
    { "feet", "foot" },          { "analyses", "analysis" },
    { "dissolved", "dissolve" }, { "measured", "measure" },
    { "hosted", "host" },        { "gas", "gas" },
    { "basis", "basis" },        { "studies", "study" },
    { "colder", "cold" },        { "zircon", "zircon" },
    { "xyzzys", "xyzzys" },      { "an", "an" },
};

static void test_table(void **state)
{
    (void)state;
    struct err err;
    if (access("/usr/share/wordnet/index.noun", R_OK) != 0) {
        print_message("skipped: no /usr/share/wordnet\n");
        skip();
    }
    struct lemmas *l = lemmas_load("/usr/share/wordnet", &err);
    assert_non_null(l);
    char tmp[LEMMA_MAX];
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        assert_sv(lemma_of(l, sv_from(table[i].word), tmp), table[i].lemma);
    lemmas_free(l);
}

static void test_missing(void **state)
{
    (void)state;
    struct err err;
    assert_null(lemmas_load("/nonexistent", &err));
    assert_int_equal(err.code, EXIT_FATAL);
    lemmas_free(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
