// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_node_id.c — ids that are remembered are those that would be made
 */
#include "unit.h"

#include "node_id.h"
#include "rng.h"
#include "vocab.h"

/* More names than places, in any order, and types that begin alike. */
static void test_same(void **state)
{
    (void)state;
    static const char *const types[] = { "", "rock", "rocky", "value" };
    struct node_ids ids = { 0 };
    struct buf name = BUF_INIT, got = BUF_INIT, want = BUF_INIT;
    struct rng r = { 11 };
    for (int round = 0; round < 20000; round++) {
        const char *type = types[rng_below(&r, ARRAY_LEN(types))];
        buf_reset(&name);
        buf_printf(&name, "%s %d", rng_below(&r, 2) ? "Alkali Basalts" : "87Sr/86Sr",
                   (int)rng_below(&r, 600));
        buf_cut(&name, rng_below(&r, 2) ? name.len : 0);
        buf_reset(&got);
        buf_reset(&want);
        buf_str(&got, "before ");
        buf_str(&want, "before ");
        node_ids_put(&ids, type, buf_view(&name), &got);
        entity_id_of(type, buf_view(&name), &want);
        assert_string_equal(buf_cstr(&got), buf_cstr(&want));
    }
    node_ids_release(&ids);
    buf_release(&name);
    buf_release(&got);
    buf_release(&want);
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(test_same) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
