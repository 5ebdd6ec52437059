// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_where.c — the simple part of a filter says what libjq says
 *
 * Random expressions of random records: where one is understood as a whole, where_test and the
 * columns of an index answer as libjq does; where a part of it is understood, what libjq
 * selects is not excluded. What is made of random tokens and understood is valid jq. GR_SEED=N
 * runs another series.
 */
#include "unit/gr-vindex.h"

#include <jq.h>

#include "columns.h"
#include "fuzz/gri_patch.h"
#include "map.h"
#include "where.h"

#define RECORDS 60
#define ROUNDS (UNIT_IS_SLOW ? 6 : 24)
#define A_ROUND 40 /* expressions that are compiled together: compiling takes some 20 ms */

#define PICK(r, list) ((list)[rng_below(r, ARRAY_LEN(list))])

/* ---- random things ---- */

static const char *const fields[] = { "a", "b", "c", "d d", "none" };

static const char *const values[] = { "null",  "false",       "true",          "0",
                                      "-1",    "2000",        "2000.5",        "1e3",
                                      "\"\"",  "\"a\"",       "\"ab\"",        "\"abc\"",
                                      "\"b\"", "\"\\u00e9\"", "\"\\\"q\\\\\"", "\"ü\"" };

static void put_record(struct rng *r, struct buf *b, size_t n)
{
    buf_printf(b, "{\"id\":\"d%zu\",\"text\":\"x\"", n);
    for (size_t i = 0; i < 4; i++) {
        if (!rng_below(r, 5))
            continue;
        buf_printf(b, ",%s\"%s\": ", rng_below(r, 9) ? "" : " ", fields[i]);
        uint64_t kind = rng_below(r, 20);
        buf_str(b, kind == 0   ? "[1,\"a\"]"
                   : kind == 1 ? "{\"a\":1}"
                   : kind == 2 ? "-0.0"
                               : PICK(r, values));
    }
    buf_char(b, '}');
}

static void put_field(struct rng *r, struct buf *b)
{
    const char *f = PICK(r, fields);
    if (strchr(f, ' ') || rng_below(r, 8) == 0)
        buf_printf(b, rng_below(r, 2) ? ".[\"%s\"]" : ".\"%s\"", f);
    else
        buf_printf(b, ".%s", f);
}

static void space(struct rng *r, struct buf *b)
{
    static const char *const spaces[] = { "", " ", "  ", "\n\t", " " };
    buf_str(b, PICK(r, spaces));
}

static void put_calls(struct rng *r, struct buf *b)
{
    static const char *const calls[] = { "startswith", "endswith", "contains", "IN", "IN" };
    const char *name = PICK(r, calls);
    buf_printf(b, "%s(", name);
    if (name[0] != 'I') {
        const char *texts[] = { "\"a\"", "\"\"", "\"b\"", "\"ab\"" };
        buf_str(b, PICK(r, texts));
    } else {
        for (size_t i = rng_below(r, 3) + 1; i; i--)
            buf_printf(b, "%s%s", PICK(r, values), i > 1 ? ", " : "");
    }
    buf_char(b, ')');
}

static void put_leaf(struct rng *r, struct buf *b, bool is_of_field)
{
    static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=" };
    static const char *const hard[] = {
        ".a.b?", "(.a | test(\"a\"))", ".a == .b", "(.a, .b)",   "(.a | length)",
        "error", "(.a // 1)",          "empty",    "\"\\(.a)\"", "([.a, (.b, 3)] | .[])",
        "-(.a)", ".a + 1 > 2"
    };
    switch (rng_below(r, is_of_field ? 4 : 9)) {
    case 0:
        put_calls(r, b);
        if (!is_of_field) /* of the record: mostly fails */
            buf_str(b, " == true");
        return;
    case 1:
    case 2:
        is_of_field ? buf_char(b, '.') : put_field(r, b);
        space(r, b);
        buf_str(b, PICK(r, ops));
        space(r, b);
        buf_str(b, PICK(r, values));
        return;
    case 3:
        buf_str(b, PICK(r, values));
        space(r, b);
        buf_str(b, PICK(r, ops));
        space(r, b);
        is_of_field ? buf_char(b, '.') : put_field(r, b);
        return;
    case 4:
        put_field(r, b);
        return;
    case 5:
    case 6:
        buf_char(b, '(');
        put_field(r, b);
        buf_str(b, " | ");
        if (rng_below(r, 2))
            put_calls(r, b);
        else
            put_leaf(r, b, true);
        buf_char(b, ')');
        return;
    case 7:
        put_field(r, b);
        buf_str(b, " == ");
        buf_str(b, PICK(r, values));
        return;
    default:
        buf_str(b, PICK(r, hard));
    }
}

static void put_expr(struct rng *r, struct buf *b, unsigned depth)
{
    static const char *const joins[] = { " and ", " and ", " or ", "\nand ", " | ", ", " };
    bool is_select = depth == 0 && !rng_below(r, 6);
    bool has_brackets = is_select || (depth && rng_below(r, 3));
    buf_str(b, is_select ? "select(" : has_brackets ? "(" : "");
    size_t n = 1 + rng_below(r, depth > 2 ? 1 : 3);
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_str(b, joins[rng_below(r, rng_below(r, 8) ? 4 : ARRAY_LEN(joins))]);
        if (depth < 3 && rng_below(r, 3) == 0)
            put_expr(r, b, depth + 1);
        else
            put_leaf(r, b, false);
    }
    if (rng_below(r, 6) == 0)
        buf_str(b, " | not");
    buf_str(b, has_brackets ? ")" : "");
    if (is_select && rng_below(r, 2)) {
        buf_str(b, " | ");
        put_leaf(r, b, false);
    }
}

/* ---- records ---- */

struct records {
    struct buf text;
    size_t at[RECORDS + 1];
    jv v[RECORDS];
    struct columns_built built;
    struct columns columns;
};

static struct sv raw_of(void *ctx, size_t doc)
{
    const struct records *x = ctx;
    return sv_from_to(buf_view(&x->text), x->at[doc], x->at[doc + 1]);
}

static void make_records(struct rng *r, struct records *x)
{
    struct err err;
    *x = (struct records){ 0 };
    for (size_t i = 0; i < RECORDS; i++) {
        put_record(r, &x->text, i);
        x->at[i + 1] = x->text.len;
        assert_int_equal(json_parse(&x->v[i], raw_of(x, i), &err), 0);
    }
    columns_build(&x->built, RECORDS, raw_of, x);
    assert_int_equal(columns_open(&x->columns, buf_view(&x->built.head),
                                  buf_view(&x->built.data), RECORDS, &err),
                     0);
}

static void free_records(struct records *x)
{
    for (size_t i = 0; i < RECORDS; i++)
        json_free(x->v[i]);
    columns_close(&x->columns);
    columns_built_release(&x->built);
    buf_release(&x->text);
}

static struct where_value value_of(void *ctx, struct sv field)
{
    char name[16];
    snprintf(name, sizeof name, "%.*s", SV_ARG(field));
    jv v = json_get(*(jv *)ctx, name);
    struct where_value w = { .num = json_num(v), .str = json_sv(v) };
    w.type = json_is_null(v)     ? WHERE_NULL
             : json_is_num(v)    ? WHERE_NUMBER
             : json_is_str(v)    ? WHERE_STRING
             : json_is_array(v)  ? WHERE_ARRAY
             : json_is_object(v) ? WHERE_OBJECT
             : json_is_true(v)   ? WHERE_TRUE
                                 : WHERE_FALSE;
    return w;
}

/* ---- against libjq ---- */

static size_t n_exact, n_part;

/* selected[record] as libjq has it. */
static void check_expr(const char *expr, struct records *x, const bool *selected)
{
    struct where w;
    unsigned char skip[RECORDS];
    if (!where_parse(&w, expr))
        return;
    n_exact += w.is_exact;
    n_part += !w.is_exact;
    int rc = columns_select(&x->columns, &w, skip);
    if (rc != w.is_exact)
        fail_msg("%s: columns are asked in vain", expr);
    for (size_t i = 0; i < RECORDS; i++) {
        bool is = where_test(&w, value_of, &x->v[i]) == WHERE_YES;
        if (is != !skip[i])
            fail_msg("%s: the column says %d of %.*s", expr, !skip[i], SV_ARG(raw_of(x, i)));
        if (w.is_exact ? is != selected[i] : selected[i] && !is)
            fail_msg("%s (%s): says %d of %.*s", expr, w.is_exact ? "exact" : "a part", is,
                     SV_ARG(raw_of(x, i)));
    }
    where_release(&w);
}

/* One program for all: for each the value of filter_test. */
static void ask_jq(struct buf *exprs, size_t n, const struct records *x,
                   bool (*selected)[RECORDS])
{
    struct buf program = BUF_INIT;
    for (size_t i = 0; i < n; i++) {
        buf_str(&program, i ? "," : "[");
        buf_printf(&program, "(try ([limit(1; (%s) | select(.))] | length > 0) catch false)",
                   buf_cstr(&exprs[i]));
    }
    buf_char(&program, ']');
    jq_state *jq = jq_init();
    jq_set_input_cb(jq, NULL, NULL);
    jq_set_debug_cb(jq, NULL, NULL);
    if (!jq_compile(jq, buf_cstr(&program)))
        fail_msg("not jq: %s", buf_cstr(&program));
    for (size_t doc = 0; doc < RECORDS; doc++) {
        jq_start(jq, jv_copy(x->v[doc]), 0);
        jv v = jq_next(jq);
        assert_int_equal(json_len(v), n);
        for (size_t i = 0; i < n; i++)
            selected[i][doc] = json_is_true(json_at(v, i));
        jv_free(v);
    }
    jq_teardown(&jq);
    buf_release(&program);
}

static void test_expressions(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng r = { unit_seed() + round };
        struct records x;
        struct buf exprs[A_ROUND] = { 0 };
        static bool selected[A_ROUND][RECORDS];
        make_records(&r, &x);
        for (size_t i = 0; i < A_ROUND; i++)
            put_expr(&r, &exprs[i], 0);
        ask_jq(exprs, A_ROUND, &x, selected);
        for (size_t i = 0; i < A_ROUND; i++) {
            check_expr(buf_cstr(&exprs[i]), &x, selected[i]);
            buf_release(&exprs[i]);
        }
        free_records(&x);
    }
    print_message("# %zu understood as a whole, %zu in part, of %d\n", n_exact, n_part,
                  ROUNDS * A_ROUND);
    assert_true(n_exact > ROUNDS * A_ROUND / 5 && n_part > ROUNDS * A_ROUND / 20);
}

/* What is understood is valid jq and says the same: else a mistake in an expression would go
 * unseen. Most of these are nonsense. */
static void test_tokens(void **state)
{
    static const char *const tokens[] = {
        ".a",      ".b",   "==", "<",     "and", "or",   "|",      "not",
        "(",       ")",    "1",  "\"a\"", "-",   ".",    ",",      "IN(1)",
        "select(", "null", "[",  "]",     "!=",  "true", ".\"a\"", "startswith(\"a\")"
    };
    struct rng r = { unit_seed() + 0 };
    struct records x;
    size_t n = 0;
    (void)state;
    make_records(&r, &x);
    for (size_t i = 0; i < 400000 && n < 100; i++) {
        struct buf expr = BUF_INIT;
        struct where w;
        bool selected[1][RECORDS];
        for (size_t j = 2 + rng_below(&r, 7); j; j--)
            buf_printf(&expr, "%s ", PICK(&r, tokens));
        if (where_parse(&w, buf_cstr(&expr))) {
            if (w.is_exact && n++ % 4 == 0) {
                ask_jq(&expr, 1, &x, selected);
                check_expr(buf_cstr(&expr), &x, selected[0]);
            }
            where_release(&w);
        }
        buf_release(&expr);
    }
    free_records(&x);
    assert_true(n >= 100);
}

/* What is taken, and what is left to libjq. */
static void test_table(void **state)
{
    static const struct {
        const char *expr;
        int taken; /* 2 whole, 1 in part, 0 not */
    } rows[] = {
        { ".year >= 2000", 2 },
        { "2000 <= .year", 2 },
        { ".year < 2010 and .journal == \"EPSL\"", 2 },
        { "(.year | not) or .doi", 2 },
        { ".kind | IN(\"a\", -1, null)", 2 },
        { ".year | . >= 2000 and . < 2010", 2 },
        { "select(.year > 1)", 2 },
        { "select(.year > 1) | select(.kind == \"a\")", 2 },
        { "select(.year > 1) | .text | test(\"x\")", 1 },
        { ".year > 1 and (.text | test(\"x\"))", 1 },
        { "(.text | test(\"x\")) and .year > 1", 1 },
        { ".authors[0] == \"x\" and .year > 1", 1 },
        { ".year > 1 or (.text | test(\"x\"))", 0 },
        { ".year > 1 and .a | test(\"x\")", 0 },
        { ".year > 1, .b", 0 },
        { ".year > 1 and .a // true", 0 },
        { ".a.b == 1", 0 },
        { ".a == .b", 0 },
        { "1 == 1", 0 },
        { "true", 0 },
        { ".a == 1 == 2", 0 },
        { ".a == \"\\(1)\"", 0 },
        { ".a == 12345678901234567890", 0 },
        { "def not: .; .a | not", 0 },
        { ".a == 1 # and", 0 },
        { ".a == 1\r", 0 },
        { "(.a == 1", 0 },
        { ".a == 1)", 0 },
        { "", 0 },
        { ".", 0 },
        { "not", 0 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct where w;
        int taken = where_parse(&w, rows[i].expr) ? 1 + w.is_exact : 0;
        if (taken)
            where_release(&w);
        if (taken != rows[i].taken)
            fail_msg("%s: %d", rows[i].expr, taken);
    }
}

/* ---- columns ---- */

static struct sv raw_line(void *ctx, size_t doc)
{
    return sv_from(((const char *const *)ctx)[doc]);
}

static void test_left_out(void **state)
{
    static char nul[] = "{\"x\":\"a\\u0000b\",\"y\":1}";
    struct buf text = BUF_INIT;
    (void)state;
    buf_str(&text, "{\"long\":\"");
    for (size_t i = 0; i < COLUMNS_MAX_VALUE + 1; i++)
        buf_char(&text, 'a');
    buf_str(&text, "\",\"text\":\"t\",\"esc\\u0061ped\":true,\"y\":2,\"y\":null}");
    const char *lines[] = { nul, buf_cstr(&text), "{\"y\":[]}" };
    struct columns_built b;
    struct columns c;
    struct err err;
    columns_build(&b, 3, raw_line, lines);
    assert_int_equal(columns_open(&c, buf_view(&b.head), buf_view(&b.data), 3, &err), 0);
    static const struct {
        const char *expr;
        int rc;
        unsigned char skip[3];
    } rows[] = {
        { ".x == \"a\"", -1, { 0 } },
        { ".long == \"a\"", -1, { 0 } },
        { ".text == \"a\"", -1, { 0 } },
        { ".y == 1", 1, { 0, 1, 1 } },
        { ".y == null", 1, { 1, 0, 1 } },
        { ".y > \"z\"", 1, { 1, 1, 0 } },
        { ".escaped", 1, { 1, 0, 1 } },
        { ".other == null", 1, { 0, 0, 0 } },
        { ".x == \"a\" and .y", 0, { 0, 1, 0 } },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct where w;
        unsigned char skip[4];
        assert_true(where_parse(&w, rows[i].expr));
        assert_int_equal(columns_select(&c, &w, skip), rows[i].rc);
        if (rows[i].rc >= 0)
            assert_memory_equal(skip, rows[i].skip, 3);
        where_release(&w);
    }
    columns_close(&c);
    columns_built_release(&b);
    buf_release(&text);
}

/* Codes of 1, 2 and 4 bytes. */
static void test_widths(void **state)
{
    (void)state;
    for (size_t n = 100; n <= 100000; n *= n == 100 ? 100u : 10u) {
        struct buf all = BUF_INIT;
        const char **lines = alloc_array(n, sizeof *lines);
        for (size_t i = 0; i < n; i++)
            buf_printf(&all, "{\"x\":%zu}%c", (i * 7919) % n, '\0');
        const char *p = all.data;
        for (size_t i = 0; i < n; i++, p += strlen(p) + 1)
            lines[i] = p;
        struct columns_built b;
        struct columns c;
        struct err err;
        struct where w;
        unsigned char *skip = alloc(n);
        columns_build(&b, n, raw_line, lines);
        assert_int_equal(columns_open(&c, buf_view(&b.head), buf_view(&b.data), n, &err), 0);
        assert_int_equal(c.column[0].width, n == 100 ? 1 : n == 10000 ? 2 : 4);
        assert_true(where_parse(&w, ".x < 42 and .x != 7"));
        assert_int_equal(columns_select(&c, &w, skip), 1);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(skip[i], !((i * 7919) % n < 42 && (i * 7919) % n != 7));
        where_release(&w);
        columns_close(&c);
        columns_built_release(&b);
        buf_release(&all);
        free(skip);
        free(lines);
    }
}

/* A code that was changed together with its checksum. */
static void test_verify(void **state)
{
    static const char *const names[] = { "meta",    "ids",    "ids_at",  "sorted",  "rank",
                                         "raw",     "raw_at", "vec",     "vec_doc", "term",
                                         "term_at", "post",   "post_at", "df",      "lens",
                                         "columns", "col" };
    const struct gri_patch patch = { names, ARRAY_LEN(names), ARRAY_LEN(names), 1 };
    const char *good = test_path("good.gri"), *bad = test_path("bad.gri");
    /* The first number of the first column, the years of 50 records. */
    const uint8_t change[] = { ARRAY_LEN(names) - 1, 0, 0, 1, 0xFF };
    struct store s;
    struct err err;
    (void)state;
    test_index(1, 50, 4, 1, NULL, good);
    gri_patch_write(&patch, good, bad, change, sizeof change);
    assert_int_equal(store_open(&s, good, &err), 0);
    assert_int_equal(store_verify(&s, &err), 0);
    store_close(&s);
    assert_int_equal(store_open(&s, bad, &err), 0);
    assert_int_equal(store_verify(&s, &err), -1);
    assert_non_null(strstr(err.msg, "damaged: columns are not those of the records"));
    store_close(&s);
    unlink(good);
    unlink(bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),  cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_tokens), cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_widths), cmocka_unit_test(test_verify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
