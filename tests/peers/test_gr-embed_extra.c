// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_extra.c — bge-small-en-v1.5 and ms-marco-MiniLM-L-12-v2 against
 * tests/peers/extra.ndjson, made by tests/peers/extra.py (skipped without make models-extra)
 */
#include "unit/unit.h"

#include <math.h>
#include <unistd.h>

#include "encoder.h"
#include "file.h"
#include "json.h"
#include "reranker.h"
#include "vec.h"

#define BGE "build/share/model/bge-small-en-v1.5"
#define CROSS "build/share/model/ms-marco-MiniLM-L-12-v2"
#define STORED "tests/peers/extra.ndjson"

static bool has(const char *folder)
{
    char path[256];
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    if (access(path, R_OK) == 0)
        return true;
    print_message("no %s: make models-extra\n", folder);
    return false;
}

/* longest_first, as tokenizers cuts. */
static void test_fit(void **state)
{
    (void)state;
    static const struct {
        size_t a, b, max, want_a, want_b;
    } samples[] = {
        { 3, 4, 7, 3, 4 },    { 3, 9, 10, 3, 7 },  { 9, 3, 10, 7, 3 },
        { 9, 9, 10, 5, 5 },   { 9, 9, 11, 5, 6 },  { 10, 9, 11, 6, 5 },
        { 0, 20, 10, 0, 10 }, { 5, 20, 11, 5, 6 }, { 100, 6, 11, 6, 5 },
    };
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        size_t a = samples[i].a, b = samples[i].b;
        reranker_fit(&a, &b, samples[i].max);
        if (a != samples[i].want_a || b != samples[i].want_b)
            fail_msg("%zu: %zu and %zu", i, a, b);
    }
}

static double check_vector(const struct encoder *e, struct encoder_scratch *s, jv item)
{
    struct err err;
    struct buf text = BUF_INIT;
    float *want, got[384];
    size_t n, dim;
    double worst = 0;
    assert_int_equal(vec_get(json_get(item, "embedding"), "embedding", &want, &dim, &err), 0);
    assert_int_equal(dim, 384);
    if (sv_is(json_sv(json_get(item, "kind")), "query"))
        buf_str(&text, encoder_folder(e)->query);
    buf_sv(&text, json_sv(json_get(item, "text")));
    struct embed_item it = { .text = buf_view(&text), .out = got };
    encoder_embed(e, s, &it, 1, LONG_TRUNCATE);
    encoder_last_ids(s, &n);
    assert_int_equal(n, (size_t)json_num(json_get(item, "tokens")));
    for (size_t i = 0; i < dim; i++)
        worst = fmax(worst, fabs((double)got[i] - (double)want[i]));
    buf_release(&text);
    free(want);
    return worst;
}

static double check_score(const struct reranker *r, struct reranker_scratch *s, jv item)
{
    struct err err;
    struct sv text = json_sv(json_get(item, "text"));
    double score;
    size_t n_cut;
    assert_int_equal(
        reranker_score(r, s, json_sv(json_get(item, "query")), &text, 1, &score, &n_cut, &err),
        0);
    assert_true(n_cut <= (json_num(json_get(item, "tokens")) == 512));
    return fabs(score - json_num(json_get(item, "score")));
}

static void each(const char *model, double (*check)(void *ctx, jv item), void *ctx,
                 double limit)
{
    struct buf file = BUF_INIT;
    struct err err;
    double worst = 0;
    size_t n = 0;
    assert_int_equal(file_read(&file, STORED, 0, &err), 0);
    struct sv rest = buf_view(&file), line;
    while (rest.n && sv_cut(&rest, '\n', &line)) {
        struct rec r = { 0 };
        assert_int_equal(rec_parse(&r, line, &err), 0);
        if (sv_is(json_sv(json_get(r.v, "model")), model)) {
            worst = fmax(worst, check(ctx, r.v));
            n++;
        }
        rec_release(&r);
    }
    buf_release(&file);
    print_message("%s: %zu records, largest difference %.3g\n", model, n, worst);
    assert_true(n >= 10);
    if (worst > limit)
        fail_msg("%s: %g", model, worst);
}

struct ctx {
    struct encoder *e;
    struct encoder_scratch *es;
    struct reranker *r;
    struct reranker_scratch *rs;
};

static double vector_of(void *ctx, jv item)
{
    struct ctx *c = ctx;
    return check_vector(c->e, c->es, item);
}

static double score_of(void *ctx, jv item)
{
    struct ctx *c = ctx;
    return check_score(c->r, c->rs, item);
}

static void test_bge(void **state)
{
    (void)state;
    struct err err;
    struct ctx c = { 0 };
    if (!has(BGE))
        skip();
    c.e = encoder_new(BGE, &err);
    assert_non_null(c.e);
    c.es = encoder_scratch_new(c.e);
    each("bge-small-en-v1.5", vector_of, &c, 1e-5);
    encoder_scratch_free(c.es);
    encoder_free(c.e);
}

static void test_cross(void **state)
{
    (void)state;
    struct err err;
    struct ctx c = { 0 };
    if (!has(CROSS))
        skip();
    c.r = reranker_new(CROSS, PRECISION_F32, &err);
    assert_non_null(c.r);
    c.rs = reranker_scratch_new(c.r);
    each("ms-marco-MiniLM-L-12-v2", score_of, &c, 1e-4);
    reranker_scratch_free(c.rs);
    reranker_free(c.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fit), cmocka_unit_test(test_bge),
                                        cmocka_unit_test(test_cross) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
