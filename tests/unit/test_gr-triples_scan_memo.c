// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_scan_memo.c — names that are remembered are those that would be found
 */
#include "unit.h"

#include "rng.h"
#include "scan_memo.h"

static void check(struct scan_memo *m, const struct vocab *v, struct sv text)
{
    struct entities got = { 0 }, want = { 0 };
    scan_memo_find(m, v, text, &got);
    vocab_scan(v, text, &want);
    assert_int_equal(got.n, want.n);
    for (size_t i = 0; i < got.n; i++) {
        assert_int_equal(got.items[i].start, want.items[i].start);
        assert_int_equal(got.items[i].end, want.items[i].end);
        assert_int_equal(got.items[i].weak, want.items[i].weak);
        assert_true(entity_is_same(&got.items[i], &want.items[i]));
    }
    entities_release(&got);
    entities_release(&want);
}

/* Heads in any order, more than there are places, and texts too long to be kept. */
static void test_same(void **state)
{
    (void)state;
    static const char *const names[] = {
        "", "SiO2", "Zircon", "87Sr/86Sr", "Sr (ppm)", "basalt, In", "granite of the Alps"
    };
    struct err err;
    struct vocab *v = vocab_load("data/vocab", &err);
    struct scan_memo m = { 0 };
    struct buf text = BUF_INIT;
    struct rng r = { 5 };
    assert_non_null(v);
    for (int round = 0; round < 5000; round++) {
        buf_reset(&text);
        buf_str(&text, names[rng_below(&r, ARRAY_LEN(names))]);
        if (rng_below(&r, 2))
            buf_printf(&text, " (%d wt%%)", (int)rng_below(&r, 100));
        for (unsigned n = rng_below(&r, 4) ? 0 : 4; n > 0; n--)
            buf_str(&text, ", garnet and zircon");
        check(&m, v, buf_view(&text));
    }
    scan_memo_release(&m);
    vocab_free(v);
    buf_release(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(test_same) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
