// SPDX-License-Identifier: MIT
/*
 * test_gr-gquery_link.c — which nodes a text names, in all spellings; values within a range
 */
#include "unit.h"

#include <unistd.h>

#include "build.h"
#include "filter.h"
#include "link.h"
#include "near.h"

static struct analyzer *analyzer;
static struct grg g;
static char path[64];

static const char *const triples[] = {
    "{\"head\":{\"name\":\"Fe3+\",\"type\":\"oxide\"},\"relation\":\"R\",\"tail\":{\"name\":"
    "\"Fe2+\",\"type\":\"oxide\"}}",
    "{\"head\":{\"name\":\"87Sr/"
    "86Sr\",\"type\":\"isotope_ratio\"},\"relation\":\"R\",\"tail\":{"
    "\"name\":\"87Sr\",\"type\":\"isotope\"}}",
    "{\"head\":{\"name\":\"δ18O\",\"type\":\"isotope_delta\"},\"relation\":\"R\",\"tail\":{"
    "\"name\":\"mid-ocean ridge basalts\",\"type\":\"rock\"}}",
    "{\"head\":{\"name\":\"basalt\",\"type\":\"rock\"},\"relation\":\"R\",\"tail\":{\"name\":"
    "\"U\",\"type\":\"element\"}}",
    "{\"head\":{\"name\":\"lead\",\"type\":\"element\"},\"relation\":\"R\",\"tail\":{\"name\":"
    "\"Co\",\"type\":\"element\"}}",
    "{\"head\":{\"name\":\"CO\",\"type\":\"oxide\"},\"relation\":\"R\",\"tail\":{\"name\":"
    "\"arsenic\",\"type\":\"element\"}}",
    "{\"head\":{\"name\":\"In\",\"type\":\"element\"},\"relation\":\"R\",\"tail\":{\"name\":"
    "\"the\",\"type\":\"x\"}}",
    "{\"head\":{\"name\":\"17\",\"type\":\"sample\",\"id\":\"s#17\"},\"relation\":\"Has Age\","
    "\"tail\":{\"name\":\"20–30 Ma\",\"type\":\"value\"},\"value\":{\"number\":20,\"high\":30,"
    "\"unit\":\"Ma\"}}",
    "{\"head\":{\"name\":\"clay\",\"type\":\"mineral\"},\"relation\":\"R\",\"tail\":{\"name\":"
    "\"clay mineral\",\"type\":\"mineral\"}}",
};

static int setup(void **state)
{
    (void)state;
    struct fold f;
    struct err err;
    struct build_stats stats;
    struct out out;
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.40s/gr-gquery.%d", dir ? dir : "/tmp", (int)getpid());
    analyzer = analyzer_new(NULL, NULL, &err);
    fold_init(&f);
    for (size_t i = 0; i < ARRAY_LEN(triples); i++) {
        struct rec r = { 0 };
        if (rec_parse(&r, sv_from(triples[i]), &err) < 0 || fold_add(&f, &r, &err) < 0)
            return -1;
        rec_release(&r);
    }
    if (out_open(&out, path, &err) < 0 ||
        build_write(&f, NULL, analyzer, &out, &stats, &err) < 0 || out_close(&out, &err) < 0)
        return -1;
    fold_release(&f);
    return grg_open(&g, path, &err);
}

static int teardown(void **state)
{
    (void)state;
    grg_close(&g);
    analyzer_free(analyzer);
    return unlink(path);
}

static const struct {
    const char *text, *nodes; /* names joined by "|", in order of finding; "*w" when not 1 */
} cases[] = {
    { "Fe³⁺ and Fe(II)", "Fe3+|Fe2+" },
    { "Fe^{3+}", "Fe3+" },
    { "⁸⁷Sr/⁸⁶Sr", "87Sr/86Sr" },
    { "the 87 Sr/ 86 Sr ratio", "87Sr/86Sr" },
    { "87Sr/88Sr", "87Sr*0.7" }, /* the part that is there */
    { "δ 18 O, d18O and δ^{18}O", "δ18O" },
    { "δ17O", "" }, /* never the other isotope */
    { "basalts", "basalt" },
    { "Mid-Ocean Ridge Basalt", "mid-ocean ridge basalts" }, /* the longest name */
    { "mid–ocean ridge gabbro", "" },
    { "uranium", "U" },
    { "U in U-bearing rock", "U" },
    { "235U", "U*0.5" },
    { "u", "" },
    { "processes lead to change", "" },
    { "this can lead somewhere", "" },
    { "the lead content", "lead" },
    { "Pb isotopes", "lead" },
    { "Co, not CO", "Co|CO" },
    { "co-workers", "" },
    { "as in As and Sb", "arsenic" },
    { "As it is", "" },
    { "In the sea", "" },
    { "indium", "In" },
    { "the", "" },                 /* a function word is no name, whatever the graph says */
    { "sample 17 and ZG-17", "" }, /* nor is a bare number */
    { "clay minerals", "clay mineral" },
    { "clays", "clay" },
    { "20–30 Ma", "" }, /* measurements are not looked up */
    { "", "" },
};

static void test_texts(void **state)
{
    (void)state;
    struct terms *terms = terms_new(analyzer);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct links l = { 0 };
        struct buf got = BUF_INIT;
        link_text(&g, terms, sv_from(cases[i].text), 1, "query", &l);
        for (size_t k = 0; k < l.n; k++) {
            buf_printf(&got, "%s%.*s", k ? "|" : "",
                       SV_ARG(grg_str(&g, grg_node(&g, l.items[k].node)->name)));
            if (l.items[k].weight < 1)
                buf_printf(&got, "*%.2g", (double)l.items[k].weight);
        }
        if (strcmp(buf_cstr(&got), cases[i].nodes) != 0)
            fail_msg("\"%s\": \"%s\", not \"%s\"", cases[i].text, buf_cstr(&got),
                     cases[i].nodes);
        links_release(&l);
        buf_release(&got);
    }
    terms_free(terms);
}

static void test_whole_names(void **state)
{
    (void)state;
    static const char *const names[] = { "s#17", "17", "element:u", "Uranium", "Pb", "CO" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct links l = { 0 };
        if (link_name(&g, sv_from(names[i]), &l) != 1)
            fail_msg("%s: %zu links", names[i], l.n);
        links_release(&l);
    }
    struct links none = { 0 };
    assert_int_equal(link_name(&g, SV("Atlantis"), &none), 0);
}

static void test_where(void **state)
{
    (void)state;
    static const struct {
        const char *where;
        bool gives; /* 20–30 Ma */
    } table[] = {
        { "unit=Ma", true },   { "unit=ka", false },      { "min=20", true },
        { "min=30", true },    { "min=30.1", false },     { "max=20", true },
        { "max=19.9", false }, { "min=22,max=23", true }, { "unit=Ma,min=40", false },
    };
    const struct grg_edge *aged = NULL;
    for (uint32_t e = 0; e < g.n_edges; e++)
        if (g.edges[e].value != GRG_NONE)
            aged = &g.edges[e];
    assert_non_null(aged);
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        struct filter f;
        struct sv unknown = SV_NONE;
        struct err err;
        assert_int_equal(
            filter_make(&f, &g, NULL, NULL, NULL, table[i].where, 0, &unknown, &err), 0);
        if (filter_gives(&f, &g, aged) != table[i].gives)
            fail_msg("%s", table[i].where);
        filter_release(&f);
    }
}

static void test_out_of_range(void **state)
{
    (void)state;
    uint32_t other;
    assert_int_equal(grg_str(&g, GRG_NONE).n, 0);
    assert_int_equal(grg_degree(&g, GRG_NONE), 0);
    assert_int_equal(grg_edge_at(&g, 0, 1000000, &other), GRG_NONE);
    assert_int_equal(grg_node(&g, 1000000)->name, GRG_NONE);
    assert_int_equal(grg_triples_of(&g, 1000000).to, 0);
    assert_int_equal(grg_raw(&g, GRG_NONE).n, 0);
    assert_int_equal(grg_find_term(&g, SV("nosuchterm")), GRG_NONE);
}

static void test_one_edit(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool is;
    } edits[] = {
        { "monazite", "monazite", true },
        { "monazite", "monzite", true },
        { "monazite", "momazite", true },
        { "monazite", "monazitte", true },
        { "monazite", "onazite", true },
        { "monazite", "nomazite", false },
        { "monazite", "omnazite", true },
        { "monazite", "monaziet", true },
        { "monazite", "monzaite", true },
        { "monazite", "mnoaziet", false },
        { "granite", "granulite", false },
        { "gx-01", "gx-02", false },
        { "87sr", "86sr", false },
        { "fe2+", "fe3+", false },
        { "=co", "co", false },
        { "", "a", false },
        { "münster", "munster", true },
        { "δρα", "δβα", true },
    };
    for (size_t i = 0; i < ARRAY_LEN(edits); i++) {
        assert_int_equal(near_is_one_edit(sv_from(edits[i].a), sv_from(edits[i].b)),
                         edits[i].is);
        assert_int_equal(near_is_one_edit(sv_from(edits[i].b), sv_from(edits[i].a)),
                         edits[i].is);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_edit),     cmocka_unit_test(test_texts),
        cmocka_unit_test(test_whole_names),  cmocka_unit_test(test_where),
        cmocka_unit_test(test_out_of_range),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
