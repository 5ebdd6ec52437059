// SPDX-License-Identifier: MIT
/*
 * test_topk.c — the k best against a full sort, with many ties
 */
#include "unit.h"

#include "rng.h"
#include "topk.h"

static int best_first(const void *a, const void *b)
{
    const struct topk_item *x = a, *y = b;
    if (x->score > y->score || x->score < y->score)
        return x->score > y->score ? -1 : 1;
    return x->ord < y->ord ? -1 : x->ord > y->ord;
}

static void test_against_sort(void **state)
{
    (void)state;
    struct rng r = { 7 };
    for (int round = 0; round < 500; round++) {
        struct topk_item all[64];
        size_t n = rng_below(&r, 65), k = rng_below(&r, 70);
        for (size_t i = 0; i < n; i++)
            all[i] = (struct topk_item){ (double)rng_below(&r, 8) - 4, i };
        for (size_t i = n; i > 1; i--) { /* the order of arrival must not matter */
            size_t j = rng_below(&r, i);
            struct topk_item tmp = all[i - 1];
            all[i - 1] = all[j];
            all[j] = tmp;
        }
        struct topk t;
        topk_init(&t, k);
        for (size_t i = 0; i < n; i++) {
            bool wants = topk_wants(&t, all[i].score, all[i].ord);
            size_t before = t.n;
            topk_push(&t, all[i].score, all[i].ord);
            assert_true(t.n == before || wants);
            bool is_kept = false;
            for (size_t j = 0; j < t.n; j++)
                is_kept |= t.items[j].ord == all[i].ord;
            assert_int_equal(is_kept, wants);
        }
        topk_sort(&t);
        qsort(all, n, sizeof *all, best_first);
        assert_int_equal(t.n, n < k ? n : k);
        for (size_t i = 0; i < t.n; i++)
            assert_int_equal(t.items[i].ord, all[i].ord);
        topk_release(&t);
    }
}

static void test_edges(void **state)
{
    (void)state;
    struct topk t;
    topk_init(&t, 0);
    assert_false(topk_wants(&t, 1e300, 0));
    topk_push(&t, 1e300, 0);
    topk_sort(&t);
    assert_int_equal(t.n, 0);
    topk_release(&t);
    topk_init(&t, SIZE_MAX); /* k is no promise of memory */
    for (uint64_t i = 0; i < 100; i++)
        topk_push(&t, 0.0, 99 - i);
    topk_sort(&t);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(t.items[i].ord, i);
    topk_release(&t);
    topk_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_sort),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
