// SPDX-License-Identifier: MIT
/*
 * test_rng.c — SplitMix64 against published values, and the ranges drawn from it
 */
#include "unit.h"

#include "rng.h"

static void test_known_values(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, want[4];
    } cases[] = {
        { 0,
          { 0xE220A8397B1DCDAFu, 0x6E789E6AA1B965F4u, 0x06C45D188009454Fu,
            0xF88BB8A8724C81ECu } },
        { 1234567,
          { 6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
            4593380528125082431u } },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct rng r = { cases[i].seed };
        for (size_t j = 0; j < ARRAY_LEN(cases[i].want); j++)
            assert_true(rng_u64(&r) == cases[i].want[j]);
    }
}

static void test_below(void **state)
{
    (void)state;
    struct rng r = { 1 };
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_below(&r, 1), 0);
    unsigned count[10] = { 0 };
    for (int i = 0; i < 100000; i++) {
        uint64_t v = rng_below(&r, 10);
        assert_true(v < 10);
        count[v]++;
    }
    for (size_t i = 0; i < 10; i++) /* 10000 expected, standard deviation 95 */
        assert_in_range(count[i], 9500, 10500);
    for (int i = 0; i < 100; i++) {
        assert_true(rng_below(&r, UINT64_MAX) < UINT64_MAX);
        assert_true(rng_below(&r, ((uint64_t)1 << 63) + 1) <= (uint64_t)1 << 63);
    }
}

static void test_unit(void **state)
{
    (void)state;
    struct rng r = { 2 };
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double v = rng_unit(&r);
        assert_true(v >= 0 && v < 1);
        sum += v;
    }
    assert_true(sum > 49500 && sum < 50500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
