// SPDX-License-Identifier: MIT
/*
 * test_gr-grobid2json_table.c — spans, padding, heads
 */
#include "unit.h"

#include "json.h"
#include "rng.h"
#include "table.h"

/* "a|b:2x1|c/d": cells by "|", rows by "/", ":COLSxROWS"; a row that starts with "!" is marked.
 */
static void build(struct table *t, const char *spec)
{
    struct sv rest = sv_from(spec), row, cell;
    t->budget = t->budget ? t->budget : 10000;
    while (sv_cut(&rest, '/', &row)) {
        bool is_label = sv_starts(row, SV("!"));
        row = sv_from_to(row, is_label, row.n);
        table_row(t, is_label);
        while (sv_cut(&row, '|', &cell)) {
            size_t cols = 1, rows = 1, at = sv_find(cell, SV(":"), 0);
            if (at != SIZE_MAX) {
                cols = (size_t)(cell.p[at + 1] - '0');
                rows = (size_t)(cell.p[at + 3] - '0');
            }
            table_cell(t, sv_from_to(cell, 0, at == SIZE_MAX ? cell.n : at), cols, rows);
        }
    }
    table_finish(t);
}

static void test_grid(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *want;
        size_t header_rows;
    } cases[] = {
        { "a|b/1|2", "[[\"a\",\"b\"],[\"1\",\"2\"]]", 1 },
        { "a|b|c/1", "[[\"a\",\"b\",\"c\"],[\"1\",\"\",\"\"]]", 1 },
        { "g:2x1|c/a|b|c/1|2|3",
          "[[\"g\",\"g\",\"c\"],[\"a\",\"b\",\"c\"],[\"1\",\"2\",\"3\"]]", 2 },
        { "s:1x2|g:2x1/a|b/x|1|2",
          "[[\"s\",\"g\",\"g\"],[\"s\",\"a\",\"b\"],[\"x\",\"1\",\"2\"]]", 2 },
        { "a|b:1x2/1", "[[\"a\",\"b\"],[\"1\",\"b\"]]", 1 },
        { "a|b|c:1x3/1/2", "[[\"a\",\"b\",\"c\"],[\"1\",\"\",\"c\"],[\"2\",\"\",\"c\"]]", 1 },
        { "1|2/3|4", "[[\"1\",\"2\"],[\"3\",\"4\"]]", 0 },
        { "y|2019|2020/a|1|2", "[[\"y\",\"2019\",\"2020\"],[\"a\",\"1\",\"2\"]]", 1 },
        { "a|b/c|d", "[[\"a\",\"b\"],[\"c\",\"d\"]]", 1 },
        { "a|b", "[[\"a\",\"b\"]]", 0 },
        { "!1|2/!3|4/5|6", "[[\"1\",\"2\"],[\"3\",\"4\"],[\"5\",\"6\"]]", 2 },
        { "a/b/c/d/1", "[[\"a\"],[\"b\"],[\"c\"],[\"d\"],[\"1\"]]", 1 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t = { 0 };
        struct buf out = BUF_INIT;
        build(&t, cases[i].spec);
        table_put_rows(&t, &out);
        assert_string_equal(buf_cstr(&out), cases[i].want);
        assert_int_equal(table_header_rows(&t), cases[i].header_rows);
        assert_false(t.is_cut);
        buf_release(&out);
        table_release(&t);
    }
}

static void test_empty(void **state)
{
    (void)state;
    struct table t = { 0 };
    struct buf out = BUF_INIT;
    table_finish(&t);
    table_put_rows(&t, &out);
    assert_string_equal(buf_cstr(&out), "[]");
    assert_int_equal(table_header_rows(&t), 0);
    buf_release(&out);
    table_release(&t);
}

/* Absurd spans are cut, and said to be. */
static void test_limits(void **state)
{
    (void)state;
    struct table t = { .budget = 100 };
    table_row(&t, false);
    table_cell(&t, SV("abcdefg"), SIZE_MAX, SIZE_MAX);
    for (int i = 0; i < 1000; i++)
        table_row(&t, false);
    table_finish(&t);
    assert_true(t.is_cut);
    assert_true(t.n_cells <= 20);
    table_release(&t);
    t = (struct table){ .budget = SIZE_MAX };
    table_cell(&t, SV(""), 5000, 1); /* a cell before any row opens one */
    table_finish(&t);
    assert_true(t.is_cut);
    assert_int_equal(t.width, TABLE_MAX_COLS);
    table_release(&t);
}

static void test_is_number(void **state)
{
    (void)state;
    static const char *const numbers[] = { "12",     "-0.32", "−0.32 ± 0.05", "<0.1",  "1.2e-3",
                                           "1.2E+3", "(5)",   "3.1a",         "95.5%", "1,234",
                                           "10⁻³",   "‰ 5",   "0.5–0.7" };
    static const char *const others[] = { "",  "87Sr/86Sr", "2σ",  "Table 1", "a1", "n.d.",
                                          "-", "18O",       "2SE", "δ18O",    "e",  "1e2e3" };
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (!table_is_number(sv_from(numbers[i])))
            fail_msg("%s is a number", numbers[i]);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (table_is_number(sv_from(others[i])))
            fail_msg("%s is no number", others[i]);
}

/* Whatever the spans: every row is as wide as the widest. */
static void test_random_grids(void **state)
{
    (void)state;
    struct rng rng = { 7 };
    for (int i = 0; i < 5000; i++) {
        struct table t = { .budget = 1 << 20 };
        for (size_t r = rng_below(&rng, 8); r > 0; r--) {
            table_row(&t, rng_below(&rng, 9) == 0);
            for (size_t c = rng_below(&rng, 6); c > 0; c--)
                table_cell(&t, SV("x"), 1 + rng_below(&rng, 3), 1 + rng_below(&rng, 4));
        }
        table_finish(&t);
        assert_int_equal(t.n_cells, t.n_rows * t.width);
        for (size_t r = 0; r < t.n_rows; r++)
            assert_int_equal(t.rows[r], r * t.width);
        assert_true(table_header_rows(&t) <= t.n_rows);
        assert_false(t.is_cut);
        table_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),         cmocka_unit_test(test_empty),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_is_number),
        cmocka_unit_test(test_random_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
