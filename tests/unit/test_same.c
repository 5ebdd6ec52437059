// SPDX-License-Identifier: MIT
/*
 * test_same.c — near-identical texts, and overlaps of windows against brute force
 */
#include "unit.h"

#include "buf.h"
#include "rng.h"
#include "same.h"
#include "seam.h"

#define LONG_A "Zircon of the granite gave a weighted mean age of 22.1 Ma by laser ablation"

static void test_share(void **state)
{
    static const struct {
        const char *a, *b;
        double lo, hi;
    } cases[] = {
        { LONG_A, LONG_A, 1, 1 },
        { LONG_A,
          "zircon of the GRANITE gave a weighted mean age of 22.1 Ma, by laser ablation!", 1,
          1 },
        { LONG_A, "Before. " LONG_A " and after it.", 1, 1 },
        { "Before. " LONG_A " and after it.", LONG_A, 0.6, 0.8 },
        /* another number is another fact */
        { "Zircon of the granite gave a weighted mean age of 22.7 Ma by laser ablation", LONG_A,
          0, 0 },
        { "one two", "one two", 1, 1 },
        { "one two", "one two three", 0, 0 },
        { "", "", 1, 1 },
        { "", "text", 0, 0 },
        { "text", "", 0, 0 },
        { "δ¹⁸O of quartz is high in this vein", "δ¹⁸O of quartz is high in this vein", 1, 1 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double share = same_share(sv_from(cases[i].a), sv_from(cases[i].b));
        if (share < cases[i].lo || share > cases[i].hi)
            fail_msg("case %zu: share %g", i, share);
    }
}

/* The longest end of a that begins b, shorter than both. */
static size_t brute(struct sv a, struct sv b)
{
    size_t max = a.n < b.n ? a.n : b.n;
    for (size_t n = max; n-- > 1;)
        if (memcmp(a.p + (a.n - n), b.p, n) == 0)
            return n;
    return 0;
}

static void test_overlap(void **state)
{
    (void)state;
    struct rng r = { 11 };
    for (int round = 0; round < 5000; round++) {
        char ta[24], tb[24]; /* two letters: many overlaps and borders */
        struct sv a = { ta, (size_t)rng_below(&r, 24) }, b = { tb, (size_t)rng_below(&r, 24) };
        for (size_t i = 0; i < 24; i++) {
            ta[i] = (char)('a' + rng_below(&r, 2));
            tb[i] = (char)('a' + rng_below(&r, 2));
        }
        assert_int_equal(seam_overlap(a, b), brute(a, b));
    }
}

static void test_overlap_keeps_characters(void **state)
{
    (void)state;
    /* The bytes 0xce 0xb4 are δ: an overlap ends where a character does. */
    assert_int_equal(seam_overlap(SV("xδ"), SV("δy")), 2);
    assert_int_equal(seam_overlap(SV("x\xce"), SV("\xce\xb4")), 0);
    assert_int_equal(seam_overlap(SV(""), SV("a")), 0);
    assert_int_equal(seam_overlap(SV("a"), SV("a")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_overlap_keeps_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
