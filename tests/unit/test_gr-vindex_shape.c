// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_shape.c — hits dropped and merged, and the order of maximal marginal relevance
 */
#include "unit.h"

#include "alloc.h"
#include "mmr.h"
#include "shape.h"

#define ALL "One two three four. Five six seven eight. Nine ten eleven twelve."

static bool add(struct shape *s, const char *id, const char *members)
{
    struct shape_hit h = { .id = sv_from(id), .stored = { .v = jv_null() } };
    struct err err;
    buf_printf(&h.raw, "{\"id\":\"%s\"%s%s}", id, *members ? "," : "", members);
    assert_int_equal(rec_parse(&h.stored, buf_view(&h.raw), &err), 0);
    return shape_add_take(s, &h);
}

/* Code points [from, to) of ALL as a window of a section. */
static bool add_window(struct shape *s, const char *id, int from, int to)
{
    char members[200];
    snprintf(members, sizeof members,
             "\"paper\":\"p\",\"section\":\"S\",\"start\":%d,\"end\":%d,\"text\":\"%.*s\"",
             from, to, to - from, &ALL[from]);
    return add(s, id, members);
}

static void assert_ids(const struct sv *ids, size_t n, const char *want)
{
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < n; i++) {
        buf_sv(&b, ids[i]);
        buf_char(&b, ' ');
    }
    assert_string_equal(buf_cstr(&b), want);
    buf_release(&b);
}

/* Two that lie apart become one when a third bridges them; what was dropped for either stays
 * known; the better one's place is kept. */
static void test_bridge(void **state)
{
    (void)state;
    struct shape s = { .cfg = { 0.9, true } };
    assert_true(add_window(&s, "3", 42, 65));
    assert_true(add(&s, "other", "\"text\":\"Something else is said here.\""));
    assert_true(add_window(&s, "1", 0, 19));
    assert_false(add(&s, "copy", "\"text\":\"one TWO three four\""));
    assert_false(add_window(&s, "2", 20, 50));
    assert_int_equal(s.n, 2);
    assert_sv(s.hits[0].id, "3");
    assert_sv(buf_view(&s.hits[0].text), ALL);
    assert_int_equal(s.hits[0].start, 0);
    assert_int_equal(s.hits[0].end, 65);
    assert_ids(s.hits[0].ids, s.hits[0].n_ids, "1 2 3 ");
    assert_ids(s.hits[0].same, s.hits[0].n_same, "copy ");
    assert_sv(s.hits[1].id, "other");
    assert_int_equal(s.n_merged, 2);
    assert_int_equal(s.n_dropped, 1);
    /* what is within the whole adds nothing but its id */
    s.cfg.dedup = 0;
    assert_false(add_window(&s, "4", 8, 30));
    assert_sv(buf_view(&s.hits[0].text), ALL);
    assert_int_equal(s.hits[0].end, 65);
    shape_release(&s);
}

/* Hits without text, or with members of other kinds, are kept. */
static void test_kept(void **state)
{
    static const char *const members[] = {
        "",
        "\"text\":null",
        "\"text\":7,\"start\":\"x\",\"end\":[]",
        "\"paper\":\"p\",\"text\":\"\"",
        "\"paper\":\"p\",\"text\":\"\",\"start\":0,\"end\":0",
        "\"paper\":\"p\",\"text\":\"a\",\"start\":5,\"end\":1e300",
        "\"paper\":\"p\",\"text\":\"b\",\"start\":5,\"end\":2",
        "\"paper\":null,\"section\":\"S\",\"text\":\"c d\",\"start\":0,\"end\":3",
        "\"paper\":null,\"section\":\"S\",\"text\":\"d e\",\"start\":2,\"end\":5",
    };
    (void)state;
    struct shape s = { .cfg = { 0.9, true } };
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (!add(&s, "x", members[i]))
            fail_msg("%s", members[i]);
    assert_int_equal(s.n, ARRAY_LEN(members));
    shape_release(&s);
}

/* Nothing is asked for: nothing is compared. */
static void test_off(void **state)
{
    (void)state;
    struct shape s = { 0 };
    for (int i = 0; i < 3; i++)
        assert_true(add_window(&s, "1", 0, 19));
    shape_release(&s);
}

static void test_mmr(void **state)
{
    (void)state;
    const float a[] = { 1, 0 }, b[] = { 0.8f, 0.6f }, c[] = { 0, 1 };
    const float *const vectors[] = { a, a, b, c, NULL };
    const double relevance[] = { 5, 5, 4, 1, 2 }, equal[] = { 3, 3, 3, 3, 3 };
    static const struct {
        double lambda;
        size_t want[5];
    } cases[] = {
        { 1, { 0, 1, 2, 4, 3 } },
        { 0.7, { 0, 1, 2, 4, 3 } }, /* .7 - .3, .525 - .24, .175, 0 */
        { 0.3, { 0, 4, 3, 2, 1 } }, /* of 1 and 2: -.4, -.335 */
        { 0, { 0, 3, 4, 2, 1 } },
    };
    size_t order[5];
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        mmr_order(relevance, vectors, 5, 2, cases[i].lambda, 5, order);
        for (size_t j = 0; j < 5; j++)
            if (order[j] != cases[i].want[j])
                fail_msg("lambda %g, place %zu: %zu", cases[i].lambda, j, order[j]);
    }
    mmr_order(equal, vectors, 5, 2, 0.5, 2, order);
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 3);
    mmr_order(equal, vectors, 0, 2, 0.5, 0, order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bridge),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_mmr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
