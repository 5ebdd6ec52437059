// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_plan.c — which mode a query gets, and rank fusion by hand
 */
#include "unit.h"

#include <math.h>

#include "fuse.h"
#include "plan.h"
#include "schema.h"

enum { NO_VECTORS = 1, NO_POSTINGS = 2 };

static struct plan_cfg cfg_of(int mode, int lacks)
{
    return (struct plan_cfg){ .mode = mode,
                              .k = 10,
                              .index = { .path = "lit.gri",
                                         .has_vectors = !(lacks & NO_VECTORS),
                                         .has_sparse = !(lacks & NO_POSTINGS),
                                         .dim = 2,
                                         .model = SV("m") } };
}

#define VEC "\"embeddings\":[[1,0]]"

static void test_modes(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int mode, lacks;
        enum search_mode want;
        const char *why;
    } cases[] = {
        { "{\"query\":\"q\"," VEC "}", MODE_AUTO, 0, MODE_HYBRID, "no strategy" },
        { "{\"query\":\"q\"," VEC ",\"strategy\":\"similarity\"}", MODE_AUTO, 0, MODE_HYBRID,
          "strategy similarity" },
        { "{\"query\":\"q\"," VEC ",\"strategy\":\"multi_query\"}", MODE_AUTO, 0, MODE_HYBRID,
          "strategy multi_query" },
        { "{\"query\":\"q\"," VEC ",\"strategy\":\"expand_compress\"}", MODE_AUTO, 0,
          MODE_HYBRID, "strategy expand_compress" },
        { "{\"query\":\"q\"," VEC ",\"strategy\":\"hybrid_agent\"}", MODE_AUTO, 0, MODE_HYBRID,
          "strategy hybrid_agent" },
        { "{\"query\":\"q\"," VEC ",\"class\":\"implicit_reasoning\"}", MODE_AUTO, 0,
          MODE_HYBRID, "strategy multi_query" },
        { "{\"query\":\"q\"," VEC ",\"strategy\":\"new one\"}", MODE_AUTO, 0, MODE_HYBRID,
          "no strategy" },
        { "{\"query\":\"q\"}", MODE_AUTO, 0, MODE_SPARSE, "the query has no vectors" },
        { "{\"query\":\"q\"," VEC "}", MODE_AUTO, NO_VECTORS, MODE_SPARSE,
          "the index has no vectors" },
        { "{\"query\":\"q\"," VEC "}", MODE_AUTO, NO_POSTINGS, MODE_DENSE,
          "the index has no postings" },
        { "{" VEC "}", MODE_AUTO, 0, MODE_DENSE, "the query has no text" },
        { "{\"query\":\"q\"}", MODE_AUTO, NO_VECTORS | NO_POSTINGS, MODE_SPARSE,
          "the index is empty" },
        { "{\"query\":\"q\"," VEC "}", MODE_SPARSE, 0, MODE_SPARSE, "--mode" },
        { "{\"embedding\":\"AACAPwAAAAA=\"}", MODE_DENSE, 0, MODE_DENSE, "--mode" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct plan_cfg cfg = cfg_of(cases[i].mode, cases[i].lacks);
        struct rec r = { 0 };
        struct plan p;
        struct err err;
        assert_int_equal(rec_parse(&r, sv_from(cases[i].line), &err), 0);
        if (plan_make(&p, &cfg, &r, &err) < 0)
            fail_msg("%s: %s", cases[i].line, err.msg);
        assert_int_equal(p.mode, cases[i].want);
        assert_string_equal(p.why, cases[i].why);
        plan_release(&p);
        rec_release(&r);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int mode, lacks;
        const char *says;
    } cases[] = {
        { "{\"id\":\"q\"}", MODE_AUTO, 0, "field \"query\": missing" },
        { "{\"query\":\"  \"}", MODE_AUTO, 0, "field \"query\": missing" },
        { "{\"query\":3}", MODE_AUTO, 0, "field \"query\": expected string" },
        { "{\"query\":\"q\",\"k\":1.5}", MODE_AUTO, 0, "field \"k\"" },
        { "{\"query\":\"q\",\"k\":-1}", MODE_AUTO, 0, "field \"k\"" },
        { "{\"query\":\"q\",\"queries\":[1]}", MODE_AUTO, 0, "field \"queries\": element 0" },
        { "{\"query\":\"q\",\"embeddings\":[[1,2,3]]}", MODE_AUTO, 0,
          "3 dimensions, index lit.gri has 2" },
        { "{\"query\":\"q\",\"embeddings\":[[0,0]]}", MODE_AUTO, 0, "all-zero" },
        { "{\"query\":\"q\",\"embeddings\":[[1,0]],\"embedding_model\":\"n\"}", MODE_AUTO, 0,
          "embedded by \"n\", index lit.gri by \"m\"" },
        { "{\"query\":\"q\"}", MODE_DENSE, 0, "gr-embed" },
        { "{\"query\":\"q\"}", MODE_HYBRID, 0, "gr-embed" },
        { "{\"query\":\"q\"}", MODE_DENSE, NO_VECTORS, "no vectors" },
        { "{\"query\":\"q\"}", MODE_SPARSE, NO_POSTINGS, "no postings" },
        { "{" VEC "}", MODE_SPARSE, 0, "field \"query\": missing" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct plan_cfg cfg = cfg_of(cases[i].mode, cases[i].lacks);
        struct rec r = { 0 };
        struct plan p;
        struct err err = { 0 };
        assert_int_equal(rec_parse(&r, sv_from(cases[i].line), &err), 0);
        assert_int_equal(plan_make(&p, &cfg, &r, &err), -1);
        assert_int_equal(err.code, EXIT_REJECTED);
        if (!strstr(err.msg, cases[i].says))
            fail_msg("%s: \"%s\" lacks %s", cases[i].line, err.msg, cases[i].says);
        plan_release(&p);
        rec_release(&r);
    }
}

static void test_fields(void **state)
{
    (void)state;
    struct plan_cfg cfg = cfg_of(MODE_AUTO, 0);
    struct rec r = { 0 };
    struct plan p;
    struct err err;
    const char *line =
        "{\"query\":\"a\",\"queries\":[\"a\",null,\" \",\"b\"],\"keywords\":[\"c\"],"
        "\"embeddings\":[[3,4],null,[0,2]],\"k\":3}";
    assert_int_equal(rec_parse(&r, sv_from(line), &err), 0);
    assert_int_equal(plan_make(&p, &cfg, &r, &err), 0);
    assert_int_equal(p.k, 3);
    assert_int_equal(p.n_texts, 2);
    assert_sv(p.texts[1], "b");
    assert_int_equal(p.n_keywords, 1);
    assert_int_equal(p.n_vectors, 2);
    assert_true(fabsf(p.vectors[0] - 0.6f) < 1e-6f);
    assert_true(p.vectors[3] == 1.0f);
    plan_release(&p);
    rec_release(&r);
}

static const struct fuse_cfg by_rank = { FUSE_RRF, 60 };

/* Cormack's formula by hand; a list of weight 0 counts for nothing. */
static void test_fuse(void **state)
{
    (void)state;
    const struct topk_item a[] = { { 0.9, 5 }, { 0.8, 1 } };
    const struct topk_item b[] = { { 7.0, 1 }, { 6.0, 2 }, { 5.0, 5 } };
    struct fuse_list lists[] = { { LIST_DENSE, 1, a, 2 }, { LIST_SPARSE, 2, b, 3 } };
    struct fuse_result r = fuse_lists(lists, 2, &by_rank);
    assert_int_equal(r.n, 3);
    assert_int_equal(r.hits[0].ord, 1);
    assert_true(fabs(r.hits[0].score - (1 / 62.0 + 2 / 61.0)) < 1e-15);
    assert_int_equal(r.hits[0].list_rank[LIST_DENSE], 2);
    assert_int_equal(r.hits[0].list_rank[LIST_SPARSE], 1);
    assert_true(r.hits[0].list_score[LIST_SPARSE] == 7.0);
    assert_int_equal(r.hits[0].n_places, 2);
    assert_int_equal(r.places[r.hits[0].first + 1].list, 1);
    assert_int_equal(r.places[r.hits[0].first + 1].rank, 1);
    assert_int_equal(r.hits[1].ord, 5);
    assert_int_equal(r.hits[2].ord, 2);
    assert_int_equal(r.hits[2].list_rank[LIST_DENSE], 0);
    fuse_release(&r);
    lists[1].weight = 0;
    r = fuse_lists(lists, 2, &by_rank);
    assert_int_equal(r.n, 2);
    assert_int_equal(r.hits[0].ord, 5);
    assert_true(r.hits[0].score == 0.9); /* alone it keeps its scores */
    fuse_release(&r);
    r = fuse_lists(NULL, 0, &by_rank);
    assert_int_equal(r.n, 0);
    fuse_release(&r);
}

static double score_of(const struct fuse_result *r, uint64_t ord)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->hits[i].ord == ord)
            return r->hits[i].score;
    return NAN;
}

/* By scores: a document that is not in a list counts as its last; equal scores say nothing. */
static void test_fuse_scores(void **state)
{
    (void)state;
    const struct topk_item a[] = { { 0.9, 5 }, { 0.5, 1 }, { 0.4, 7 } };
    const struct topk_item b[] = { { 6.0, 1 }, { 2.0, 2 } }, c[] = { { 3, 1 }, { 3, 2 } };
    struct fuse_list lists[] = { { LIST_DENSE, 1, a, 3 },
                                 { LIST_SPARSE, 2, b, 2 },
                                 { LIST_SPARSE, 5, c, 2 } };
    struct fuse_cfg cfg = { FUSE_MINMAX, 60 };
    struct fuse_result r = fuse_lists(lists, 3, &cfg);
    assert_int_equal(r.n, 4);
    assert_int_equal(r.hits[0].ord, 1);
    assert_true(fabs(score_of(&r, 1) - (0.2 + 2)) < 1e-12);
    assert_true(fabs(score_of(&r, 5) - 1) < 1e-12);
    assert_true(score_of(&r, 2) == 0 && score_of(&r, 7) == 0);
    assert_true(r.hits[2].ord == 2); /* a tie by ord */
    fuse_release(&r);
    cfg.method = FUSE_Z;
    r = fuse_lists(lists, 2, &cfg);
    /* a: mean 0.6, deviation sqrt(0.14 / 3); b: mean 4, deviation 2 */
    double by = 1 / sqrt(0.14 / 3);
    assert_true(fabs(score_of(&r, 1) - (-0.1 * by + 2 * 1)) < 1e-12);
    assert_true(fabs(score_of(&r, 5) - (0.3 * by - 2 * 1)) < 1e-12);
    assert_true(fabs(score_of(&r, 2) - (-0.2 * by - 2 * 1)) < 1e-12);
    fuse_release(&r);
}

/* Equal scores come by ord, whatever the order of the lists. */
static void test_ties(void **state)
{
    (void)state;
    const struct topk_item a[] = { { 1, 9 }, { 1, 4 } }, b[] = { { 1, 4 }, { 1, 9 } };
    struct fuse_list ab[] = { { LIST_DENSE, 1, a, 2 }, { LIST_SPARSE, 1, b, 2 } };
    struct fuse_list ba[] = { { LIST_SPARSE, 1, b, 2 }, { LIST_DENSE, 1, a, 2 } };
    struct fuse_result x = fuse_lists(ab, 2, &by_rank), y = fuse_lists(ba, 2, &by_rank);
    assert_int_equal(x.n, 2);
    assert_int_equal(y.n, 2);
    assert_int_equal(x.hits[0].ord, 4);
    assert_int_equal(y.hits[0].ord, 4);
    fuse_release(&x);
    fuse_release(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_fields),      cmocka_unit_test(test_fuse),
        cmocka_unit_test(test_fuse_scores), cmocka_unit_test(test_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
