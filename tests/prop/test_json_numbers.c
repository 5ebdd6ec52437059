// SPDX-License-Identifier: MIT
/*
 * test_json_numbers.c — every number is the shortest text of 15 to 17 digits that reads back
 */
#include "unit/unit.h"

#include <math.h>

#include "json.h"
#include "rng.h"

/* The definition: what json_put_num does faster for values of few decimals. */
static void by_definition(char text[40], double v)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 40, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            return;
    }
}

static void check_number(double v)
{
    struct buf b = BUF_INIT;
    char want[40];
    by_definition(want, v);
    json_put_num(&b, v);
    if (v == 0)
        assert_string_equal(buf_cstr(&b), "0");
    else
        assert_string_equal(buf_cstr(&b), want);
    buf_release(&b);
}

static void test_edges(void **state)
{
    (void)state;
    static const double edges[] = { 0.0,     -0.0,       1,       -1,        0.1,
                                    1e-4,    0.00099999, 1e9,     1e9 - 1,   1e15,
                                    1e16,    123456789,  0.05,    -0.5,      1e-5,
                                    1e-300,  1e300,      1.0 / 3, 0.1 + 0.2, 999999.999999,
                                    -7.1,    100,        1234.56, 1e-4 / 3,  5e-324,
                                    0.000123 };
    for (size_t i = 0; i < ARRAY_LEN(edges); i++)
        check_number(edges[i]);
}

static void test_random(void **state)
{
    (void)state;
    struct rng rng = { .state = 1 };
    for (int i = 0; i < 200000; i++) {
        double whole = (double)rng_below(&rng, 2000000001) - 1e9;
        static const double by[] = { 1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 3, 7e8 };
        check_number(whole / by[rng_below(&rng, ARRAY_LEN(by))]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_edges),
                                        cmocka_unit_test(test_random) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
