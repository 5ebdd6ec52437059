// SPDX-License-Identifier: MIT
/*
 * test_gr-generate_check.c — bracketed numbers, facts as sentences, verdicts on sentences
 */
#include "unit.h"

#include "check.h"
#include "cite.h"

static void test_cites(void **state)
{
    static const struct {
        const char *text, *numbers, *stripped;
    } cases[] = {
        { "Age is 5 Ma [3].", "3 ", "Age is 5 Ma." },
        { "A [1][2] b", "1 2 ", "A b" },
        { "A [1, 2;4] b", "1 2 4 ", "A b" },
        { "A [2-4] b [7–8].", "2 3 4 7 8 ", "A b." },
        { "A [ 1 ] b", "1 ", "A b" },
        { "values  [12]", "12 ", "values" },
        /* none of these is a citation */
        { "[a] [] [0] [12345] [1.5] [3 [1,] [-1] [4-2] [1-99]", "",
          "[a] [] [0] [12345] [1.5] [3 [1,] [-1] [4-2] [1-99]" },
        { "[", "", "[" },
        { "[1", "", "[1" },
        { "", "", "" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf numbers = BUF_INIT, plain = BUF_INIT;
        size_t pos = 0;
        for (struct cite c; cite_next(sv_from(cases[i].text), &pos, &c);)
            for (size_t k = 0; k < c.n_numbers; k++)
                buf_printf(&numbers, "%zu ", c.n[k]);
        cite_strip(&plain, sv_from(cases[i].text));
        assert_string_equal(buf_cstr(&numbers), cases[i].numbers);
        assert_string_equal(buf_cstr(&plain), cases[i].stripped);
        buf_release(&numbers);
        buf_release(&plain);
    }
}

static void test_facts(void **state)
{
    static const struct {
        const char *head, *relation, *tail, *said;
    } cases[] = {
        { "ZG-1", "HAS_AGE", "22.1 Ma", "ZG-1 has age 22.1 Ma." },
        { "ZG-1", "Has Half-Life", "4.5 Gyr", "ZG-1 has half-life 4.5 Gyr." },
        { "granite", "contains", "zircon", "granite contains zircon." },
        { "Bazman", "locatedIn", "Makran", "Bazman is located in Makran." },
        { "MORB", "Instance Of", "basalt", "MORB is an instance of basalt." },
        { "rim", "PART_OF", "zircon", "rim is part of zircon." },
        { "Sr", "Measured By", "TIMS.", "Sr is measured by TIMS." },
        { "Fe", "reduces", "U(VI)", "Fe reduces U(VI)." },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf b = BUF_INIT;
        fact_say(&b, sv_from(cases[i].head), sv_from(cases[i].relation),
                 sv_from(cases[i].tail));
        assert_string_equal(buf_cstr(&b), cases[i].said);
        buf_release(&b);
    }
}

#define RECORD                                                                                   \
    "{\"query\":\"q\",\"context\":{\"VectorRAG_Context\":{\"0\":\"The mean δ56Fe of MORB is "   \
    "+0.105 ± 0.006‰ [8]. Melting moves heavy iron into the liquid.\",\"1\":\"Granites with " \
    "more than 70 wt.% SiO2 are often heavy.\"},\"GraphRAG_Context\":{\"0\":\"MORB HAS_AGE 5 "   \
    "Ma\"}},\"graph_hits\":[{\"head\":{\"name\":\"MORB\"},\"relation\":\"HAS_AGE\",\"tail\":"    \
    "\"5 "                                                                                       \
    "Ma\"}],\"sources\":[{\"n\":1,\"vector\":\"0\"},{\"n\":4,\"vector\":\"1\"},{\"n\":5,"        \
    "\"graph\":"                                                                                 \
    "[\"0\"]}]}"

static void test_verdicts(void **state)
{
    static const struct {
        const char *response;
        enum verdict verdict;
        size_t n_claims, found_in; /* index into sources, from 1; 0: nowhere */
    } cases[] = {
        { "The mean δ56Fe of MORB is +0.105 ± 0.006‰. [1]", VERDICT_SUPPORTED, 1, 0 },
        { "MORB has a mean δ⁵⁶Fe of 0.105 ‰ [1].", VERDICT_SUPPORTED, 1, 0 },
        { "The mean δ57Fe of granite is +0.105 ± 0.006‰ [4].", VERDICT_UNSUPPORTED, 1, 0 },
        { "The mean δ56Fe of MORB is +0.115‰ [1].", VERDICT_UNSUPPORTED, 1, 0 },
        { "Granites above 70 wt.% SiO2 are heavy [1].", VERDICT_MISATTRIBUTED, 1, 2 },
        { "Granites above 70 wt.% SiO2 are heavy [4].", VERDICT_SUPPORTED, 1, 0 },
        { "Granites with SiO2 are heavy and melting moves iron [1][4].", VERDICT_SUPPORTED, 1,
          0 },
        { "Granites above 70 wt.% SiO2 are heavy [2].", VERDICT_MISATTRIBUTED, 1, 2 },
        { "Granites above 70 wt.% SiO2 are often heavy.", VERDICT_UNCITED, 1, 2 },
        { "Kimberlite magma rises from the deep mantle.", VERDICT_UNSUPPORTED, 1, 0 },
        { "MORB has age 5 Ma. [5]", VERDICT_SUPPORTED, 1, 0 },
        { "MORB has age 6 Ma. [5]", VERDICT_UNSUPPORTED, 1, 0 },
        /* signs: the source has +0.105 */
        { "The mean δ56Fe of MORB is -0.105‰ [1].", VERDICT_UNSUPPORTED, 1, 0 },
        { "The mean δ56Fe of MORB is −0.105‰ [1].", VERDICT_UNSUPPORTED, 1, 0 },
        { "The mean δ56Fe of MORB (0.105-0.006‰) is +0.105 [1].", VERDICT_SUPPORTED, 1, 0 },
        { "Yes.", VERDICT_PLAIN, 1, 0 },
        { "", VERDICT_PLAIN, 0, 0 },
    };
    (void)state;
    struct err err;
    struct rec rec = { 0 };
    struct context ctx;
    struct splitter *s = splitter_new(NULL, &err);
    struct analyzer *a = analyzer_new(NULL, NULL, &err);
    struct terms *t = terms_new(a);
    assert_int_equal(rec_parse(&rec, sv_from(RECORD), &err), 0);
    assert_int_equal(context_read(&ctx, &rec, s, &err), 0);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct claims claims;
        check_response(&claims, &ctx, sv_from(cases[i].response), s, t);
        assert_int_equal(claims.n, cases[i].n_claims);
        if (claims.n &&
            (claims.items[0].verdict != cases[i].verdict ||
             (cases[i].found_in && claims.items[0].found_in != cases[i].found_in - 1)))
            fail_msg("case %zu: %s, %s", i, verdict_name(claims.items[0].verdict),
                     buf_cstr(&claims.items[0].why));
        claims_release(&claims);
    }
    context_release(&ctx);
    rec_release(&rec);
    terms_free(t);
    analyzer_free(a);
    splitter_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cites),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
