// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_node_id.c — ids that are remembered are those that would be made
 */
#include "unit.h"

#include "node_id.h"
#include "rng.h"
#include "vocab.h"

/* The id that would be made of a name. */
static void make(const char *type, struct sv name, const char *paper, struct buf *id)
{
    buf_reset(id);
    entity_id_of(*paper ? "" : type, name, id);
    if (!*paper)
        return;
    struct buf key = BUF_INIT;
    buf_sv(&key, sv_from_to(buf_view(id), 1, id->len));
    buf_reset(id);
    buf_printf(id, "%s:%s#%s", type, paper, buf_cstr(&key));
    buf_release(&key);
}

static void check(struct node_ids *ids, const char *type, struct sv name, const char *paper)
{
    struct buf want = BUF_INIT, got = BUF_INIT;
    make(type, name, paper, &want);
    buf_sv(&got, node_ids_of(ids, type, name, sv_from(paper)));
    assert_string_equal(buf_cstr(&got), buf_cstr(&want));
    buf_release(&want);
    buf_release(&got);
}

/* More names than places, in any order, types that begin alike, and papers whose names do. */
static void test_same(void **state)
{
    (void)state;
    static const char *const types[] = { "", "rock", "rocky", "value" };
    static const char *const papers[] = { "", "p", "p#87sr", "q" };
    struct node_ids ids = { 0 };
    struct buf name = BUF_INIT;
    struct rng r = { 11 };
    for (int round = 0; round < 20000; round++) {
        buf_reset(&name);
        buf_printf(&name, "%s %d", rng_below(&r, 2) ? "Alkali Basalts" : "87Sr/86Sr",
                   (int)rng_below(&r, 600));
        buf_cut(&name, rng_below(&r, 2) ? name.len : 0);
        check(&ids, types[rng_below(&r, ARRAY_LEN(types))], buf_view(&name),
              papers[rng_below(&r, ARRAY_LEN(papers))]);
    }
    node_ids_release(&ids);
    buf_release(&name);
}

static void put_one(struct rng *r, const char *const list[], size_t n, struct buf *to)
{
    buf_str(to, list[rng_below(r, n)]);
}

/* Numbers in all forms before units, notation and words, among them what belongs together
 * ("238 U") and what is told apart by what is before it ("4 K", "5% K20"). */
static void test_values(void **state)
{
    (void)state;
    static const char *const signs[] = {
        "", "", "<", "\xe2\x89\xa4", "~", "-", "(", "\xc2\xb1 "
    };
    static const char *const numbers[] = { "4",  "87",    "238", "0.4",   "13.52",  "137.818",
                                           "18", "12345", "40",  "1.8e6", "0.70446" };
    static const char *const links[] = { "",           "",       "",         "\xe2\x80\x93",
                                         " \xc2\xb1 ", "+0.2/-", "-",        ".",
                                         " ",          "/",      "%\xc2\xb1" };
    static const char *const gaps[] = { " ",  " ", " ",           "%", "% ", "\xe2\x80\xb0 ",
                                        "  ", "",  "\xe2\x80\xb0" };
    static const char *const rests[] = { "",
                                         "wt%",
                                         "wt% SiO2",
                                         "ppm Ni3",
                                         "Ma",
                                         "U",
                                         "238U/235U",
                                         "U/Pb",
                                         "\xce\xb4"
                                         "18O",
                                         "delta 18 O",
                                         "\xce\x94"
                                         "14C",
                                         "K",
                                         "K20",
                                         "Sr/Y",
                                         "d18O",
                                         "He age",
                                         "CO",
                                         "PB",
                                         "NORTH CO",
                                         "\xe2\x80\xb0",
                                         "\xc2\xb0"
                                         "C",
                                         "kbar N",
                                         "e Nd of 3",
                                         "\xcc\x81x",
                                         "Th-U",
                                         "ka BP",
                                         "A1, Sr",
                                         "%",
                                         "$^{87}$Sr",
                                         "^87Sr",
                                         "(Mg,Fe)2SiO4",
                                         "C. Ho and",
                                         "lead-206",
                                         "206 lead" };
    struct node_ids ids = { 0 };
    struct buf name = BUF_INIT;
    struct rng r = { 7 };
    for (int round = 0; round < 200000; round++) {
        buf_reset(&name);
        put_one(&r, signs, ARRAY_LEN(signs), &name);
        put_one(&r, numbers, ARRAY_LEN(numbers), &name);
        put_one(&r, links, ARRAY_LEN(links), &name);
        if (rng_below(&r, 2))
            put_one(&r, numbers, ARRAY_LEN(numbers), &name);
        put_one(&r, gaps, ARRAY_LEN(gaps), &name);
        put_one(&r, rests, ARRAY_LEN(rests), &name);
        if (rng_below(&r, 2)) {
            buf_char(&name, ' ');
            put_one(&r, rests, ARRAY_LEN(rests), &name);
        }
        check(&ids, "value", buf_view(&name), "");
    }
    node_ids_release(&ids);
    buf_release(&name);
}

static void test_json(void **state)
{
    (void)state;
    struct node_ids ids = { 0 };
    struct buf got = BUF_INIT;
    for (int round = 0; round < 2; round++) {
        buf_reset(&got);
        buf_sv(&got, node_ids_json(&ids, "rock", SV("a \"B\""), SV_NONE));
        assert_string_equal(buf_cstr(&got), "{\"name\":\"a \\\"B\\\"\",\"type\":\"rock\","
                                            "\"id\":\"rock:a \\\"b\\\"\"");
    }
    buf_reset(&got);
    buf_sv(&got, node_ids_json(&ids, "sample", SV("GX-1"), SV("10.1/x")));
    assert_non_null(strstr(buf_cstr(&got), "\"id\":\"sample:10.1/x#gx-1\""));
    node_ids_release(&ids);
    buf_release(&got);
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(test_same),
                                               cmocka_unit_test(test_values),
                                               cmocka_unit_test(test_json) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
