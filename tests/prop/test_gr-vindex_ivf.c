// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_ivf.c — laws of approximate search on rows of many kinds
 *
 * Recall is what was asked for, within .02, for queries that the index has not seen; scores are
 * those of exact search to the bit; every instruction set, any number of jobs, any batch and a
 * copy with all bytes made give the same; more hits wanted never makes one worse; what a filter
 * leaves out does not come back. A hit counts when its score is at least that of the exact
 * k-th, so that ties are no misses. GR_SEED=N runs another series.
 */
#include "unit/gr-vindex.h"

#include <math.h>

#include "calibrate.h"
#include "code.h"
#include "dense_batch.h"
#include "half.h"
#include "i8.h"
#include "isa.h"
#include "ivf.h"
#include "kmeans.h"
#include "par.h"

#define QUERIES (UNIT_IS_SLOW ? 50 : 200)

static uint64_t seed_of(uint64_t round)
{
    return unit_seed() * 1000 + round;
}

static float normal(struct rng *r)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rng_unit(r);
    return (float)sum;
}

static void fill_normal(struct rng *r, float *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = normal(r);
}

/* ---- rows of many kinds ---- */

enum kind { RANDOM, CLUSTERED, DUPLICATES, LOW_RANK, SKEWED, ELSEWHERE, N_KINDS };
static const char *const kind_names[N_KINDS] = { "random",   "clustered", "duplicates",
                                                 "low rank", "skewed",    "elsewhere" };

struct set {
    size_t n, dim;
    float *rows, *queries; /* (n, dim), (QUERIES, dim) of length 1 */
};

/* One vector of a kind. base: (64, dim) normal values that the set shares. */
static void make_vector(enum kind kind, struct rng *r, const float *base, size_t dim, float *v)
{
    const float *centre = base + rng_below(r, kind == DUPLICATES ? 40 : 64) * dim;
    fill_normal(r, v, dim);
    for (size_t j = 0; j < dim; j++) {
        if (kind == CLUSTERED)
            v[j] = centre[j] + 0.4f * v[j];
        if (kind == DUPLICATES)
            v[j] = centre[j]; /* 40 different rows, each very often */
        if (kind == SKEWED)
            v[j] = v[j] / (float)(1 + j) + 0.3f; /* few directions matter, none is mean */
    }
    if (kind == LOW_RANK) {
        float weight[5];
        fill_normal(r, weight, 5);
        for (size_t j = 0; j < dim; j++)
            for (size_t i = 0; i < 5; i++)
                v[j] = (i ? v[j] : 0) + weight[i] * base[i * dim + j];
    }
    if (!vec_normalise(v, dim))
        v[0] = 1;
}

static struct set set_new(enum kind kind, uint64_t seed, size_t n, size_t dim)
{
    struct set s = { n, dim, alloc_array(n, dim * sizeof(float)),
                     alloc_array(QUERIES, dim * sizeof(float)) };
    struct rng r = { seed };
    float *base = alloc_array(64 * dim, sizeof *base);
    fill_normal(&r, base, 64 * dim);
    /* Queries of ELSEWHERE have nothing to do with the clusters of its rows. */
    enum kind of_rows = kind == ELSEWHERE ? CLUSTERED : kind;
    enum kind of_queries = kind == ELSEWHERE ? RANDOM : kind;
    for (size_t i = 0; i < n; i++)
        make_vector(of_rows, &r, base, dim, s.rows + i * dim);
    for (size_t i = 0; i < QUERIES; i++) {
        make_vector(of_queries, &r, base, dim, s.queries + i * dim);
        /* Every other query of DUPLICATES is near one. */
        for (size_t j = 0; kind == DUPLICATES && i % 2 && j < dim; j++)
            s.queries[i * dim + j] += 0.2f * normal(&r) / sqrtf((float)dim);
        vec_normalise(s.queries + i * dim, dim);
    }
    free(base);
    return s;
}

static void set_free(struct set *s)
{
    free(s->rows);
    free(s->queries);
}

/* The rows as the vectors of an index in which row i is document i and comes i-th. */
static struct dense dense_of(const struct set *s, uint32_t *same)
{
    for (size_t i = 0; i < s->n; i++)
        same[i] = (uint32_t)i;
    return (struct dense){ .n_rows = s->n,
                           .dim = s->dim,
                           .n_docs = s->n,
                           .row_doc = same,
                           .rank = same,
                           .rows = s->rows };
}

/* ---- searching ---- */

static void search(const struct ivf_built *b, const struct dense *d, const float *q,
                   struct ivf_effort e, const unsigned char *skip, size_t k, struct topk *best)
{
    struct ivf_scratch scratch;
    ivf_scratch_init(&scratch, &b->view);
    topk_init(best, k);
    ivf_search(&b->view, d, q, &e, skip, &scratch, best);
    topk_sort(best);
    ivf_scratch_release(&scratch);
}

static void exact(const struct dense *d, const float *q, const unsigned char *skip, size_t k,
                  struct topk *best)
{
    topk_init(best, k);
    dense_search(d, q, 1, skip, best);
    topk_sort(best);
}

/* How many of the hits are as good as the exact k; each must have its exact score. */
static size_t count_good(const struct dense *d, const float *q, const struct topk *got,
                         const struct topk *want)
{
    size_t good = 0;
    assert_true(got->n <= want->n);
    for (size_t i = 0; i < got->n; i++) {
        float score = vec_dot(d->rows + got->items[i].ord * d->dim, q, d->dim);
        assert_true(got->items[i].score == (double)score);
        good += got->items[i].score >= want->items[want->n - 1].score;
    }
    return good;
}

static double recall(const struct ivf_built *b, const struct set *s, double target, size_t k,
                     const unsigned char *skip)
{
    uint32_t *same = alloc_array(s->n, sizeof *same);
    struct dense d = dense_of(s, same);
    struct ivf_effort e;
    size_t good = 0, all = 0;
    if (!ivf_effort_for(&b->view, target, &e)) {
        free(same);
        return 1; /* the caller searches exactly */
    }
    for (size_t i = 0; i < QUERIES; i++) {
        const float *q = s->queries + i * s->dim;
        struct topk got, want;
        search(b, &d, q, e, skip, k, &got);
        exact(&d, q, skip, k, &want);
        good += count_good(&d, q, &got, &want);
        all += want.n;
        topk_release(&got);
        topk_release(&want);
    }
    free(same);
    return (double)good / (double)all;
}

static void build(struct ivf_built *b, const struct set *s, double target, unsigned jobs)
{
    struct ivf_cfg cfg = { target, 1 };
    assert_true(ivf_is_wanted(&cfg, s->n, s->dim));
    ivf_build(b, s->rows, s->n, s->dim, &cfg, jobs);
}

/* ---- tests ---- */

static void test_recall(void **state)
{
    (void)state;
    static const double targets[] = { 0.8, 0.95, 0.99 };
    static const size_t dims[] = { 24, 150 };
    for (unsigned kind = 0; kind < N_KINDS; kind++)
        for (size_t i = 0; i < (UNIT_IS_SLOW ? 1 : ARRAY_LEN(dims)); i++) {
            size_t n = UNIT_IS_SLOW ? IVF_LEAST_ROWS : 4000;
            struct set s = set_new((enum kind)kind, seed_of(kind), n, dims[i]);
            struct ivf_built b;
            build(&b, &s, 0.95, 2);
            printf("# %-10s %3zu dimensions:", kind_names[kind], dims[i]);
            for (size_t t = 0; t < ARRAY_LEN(targets); t++) {
                double got = recall(&b, &s, targets[t], 10, NULL);
                printf(" %.2f: %.4f", targets[t], got);
                assert_true(got >= targets[t] - 0.02);
            }
            double deep = recall(&b, &s, 0.95, 100, NULL);
            printf(" 100 hits .95: %.4f\n", deep);
            assert_true(deep >= 0.95 - 0.02);
            ivf_built_release(&b);
            set_free(&s);
        }
}

/* Few rows, and few dimensions. */
static void test_tiny(void **state)
{
    (void)state;
    static const size_t sizes[] = { IVF_LEAST_ROWS, IVF_LEAST_ROWS + 1, 1300 };
    struct ivf_cfg cfg = { 0.95, 1 }, never = { 0.95, 0 };
    assert_false(ivf_is_wanted(&cfg, IVF_LEAST_ROWS - 1, 9));
    assert_false(ivf_is_wanted(&cfg, 5000, IVF_MAX_DIM + 1));
    assert_false(ivf_is_wanted(&never, 5000, 9));
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        for (size_t dim = 1; dim < (UNIT_IS_SLOW ? 4 : 140); dim += dim < 9 ? 2 : 43) {
            struct set s = set_new(RANDOM, seed_of(i), sizes[i], dim);
            struct ivf_built b;
            build(&b, &s, 0.95, 1);
            assert_true(recall(&b, &s, 0.95, 10, NULL) >= 0.93);
            assert_true(recall(&b, &s, 0.95, 1000, NULL) >= 0.93);
            ivf_built_release(&b);
            set_free(&s);
        }
}

/* More hits wanted: the i-th is never worse. */
static void test_more(void **state)
{
    (void)state;
    struct set s = set_new(CLUSTERED, seed_of(7), 3000, 40);
    uint32_t *same = alloc_array(s.n, sizeof *same);
    struct dense d = dense_of(&s, same);
    struct ivf_built b;
    struct ivf_effort e;
    build(&b, &s, 0.9, 1);
    assert_true(ivf_effort_for(&b.view, 0.9, &e));
    for (size_t i = 0; i < QUERIES; i++) {
        struct topk less = { 0 };
        for (size_t k = 1; k < 70; k = k * 2 + 1) {
            struct topk more;
            search(&b, &d, s.queries + i * s.dim, e, NULL, k, &more);
            assert_true(more.n >= less.n);
            for (size_t j = 0; j < less.n; j++)
                assert_true(more.items[j].score >= less.items[j].score);
            topk_release(&less);
            less = more;
        }
        topk_release(&less);
    }
    ivf_built_release(&b);
    free(same);
    set_free(&s);
}

/* What is left out does not come back, and what is left is found: few and many left out. */
static void test_skip(void **state)
{
    (void)state;
    struct set s = set_new(CLUSTERED, seed_of(8), 3000, 130);
    unsigned char *skip = alloc(s.n);
    struct ivf_built b;
    build(&b, &s, 0.95, 1);
    for (uint64_t part = 2; part < 60; part *= 5) {
        struct rng r = { part };
        for (size_t i = 0; i < s.n; i++)
            skip[i] = rng_below(&r, part) != 0; /* one in `part` stays */
        double got = recall(&b, &s, 0.95, 10, skip);
        printf("# 1 in %d rows: %.4f\n", (int)part, got);
        assert_true(got >= 0.93);
    }
    memset(skip, 1, s.n);
    uint32_t *same = alloc_array(s.n, sizeof *same);
    struct dense d = dense_of(&s, same);
    struct topk none;
    search(&b, &d, s.queries, ivf_effort_of((struct ivf_bars){ 5, 2 }), skip, 10, &none);
    assert_int_equal(none.n, 0);
    topk_release(&none);
    free(same);
    ivf_built_release(&b);
    free(skip);
    set_free(&s);
}

/* A probe of all lists with great slack is nearly exact: what may be missed are rows much
 * further from their centroid than others of the list. */
static void test_probe(void **state)
{
    (void)state;
    struct set s = set_new(SKEWED, seed_of(9), 2000, 60);
    uint32_t *same = alloc_array(s.n, sizeof *same);
    struct dense d = dense_of(&s, same);
    struct ivf_built b;
    size_t good = 0;
    build(&b, &s, 0.9, 1);
    for (size_t i = 0; i < QUERIES; i++) {
        struct topk got, want;
        const float *q = s.queries + i * s.dim;
        struct ivf_effort e = ivf_effort_of((struct ivf_bars){ 1, 20 });
        e.probe = b.view.n_lists;
        search(&b, &d, q, e, NULL, 10, &got);
        exact(&d, q, NULL, 10, &want);
        assert_int_equal(got.n, want.n);
        good += count_good(&d, q, &got, &want);
        topk_release(&got);
        e = ivf_effort_of((struct ivf_bars){ 1, 1 });
        e.probe = 1;
        search(&b, &d, q, e, NULL, 10, &got);
        assert_int_equal(got.n, 10); /* lists are added until there are enough */
        topk_release(&got);
        topk_release(&want);
    }
    assert_true(good >= QUERIES * 10 - 4);
    ivf_built_release(&b);
    free(same);
    set_free(&s);
}

/* ---- the same everywhere ---- */

static void assert_same_built(const struct ivf_built *a, const struct ivf_built *b)
{
    struct section x[IVF_SECTIONS], y[IVF_SECTIONS];
    struct buf p = BUF_INIT, q = BUF_INIT;
    ivf_sections(a, &p, x);
    ivf_sections(b, &q, y);
    for (size_t i = 0; i < IVF_SECTIONS; i++) {
        assert_int_equal(x[i].n, y[i].n);
        assert_memory_equal(x[i].data, y[i].data, x[i].n);
    }
    buf_release(&p);
    buf_release(&q);
}

static void assert_same_hits(const struct ivf_built *b, const struct set *s)
{
    uint32_t *same = alloc_array(s->n, sizeof *same);
    struct dense d = dense_of(s, same);
    struct ivf_effort e = ivf_effort_of((struct ivf_bars){ 4, 1.5f });
    for (size_t i = 0; i < 50; i++) {
        struct topk want, got;
        isa_limit(ISA_PLAIN);
        search(b, &d, s->queries + i * s->dim, e, NULL, 10, &want);
        for (enum isa isa = ISA_SSSE3; isa <= ISA_AMX; isa++) {
            isa_limit(isa);
            search(b, &d, s->queries + i * s->dim, e, NULL, 10, &got);
            assert_int_equal(got.n, want.n);
            assert_memory_equal(got.items, want.items, got.n * sizeof *got.items);
            topk_release(&got);
        }
        topk_release(&want);
    }
    free(same);
}

static void test_same(void **state)
{
    (void)state;
    static const size_t dims[] = { 3, 17, 50, 128, 133, 384 };
    for (size_t i = 0; i < ARRAY_LEN(dims); i += UNIT_IS_SLOW ? 3 : 1) {
        struct set s = set_new(CLUSTERED, seed_of(i), 1500, dims[i]);
        struct ivf_built one, other;
        isa_limit(ISA_PLAIN);
        build(&one, &s, 0.9, 1);
        for (enum isa isa = ISA_SSSE3; isa <= ISA_AMX; isa++) {
            isa_limit(isa);
            build(&other, &s, 0.9, 3);
            assert_same_built(&one, &other);
            ivf_built_release(&other);
        }
        assert_same_hits(&one, &s);
        ivf_built_release(&one);
        set_free(&s);
    }
    isa_limit(ISA_AMX);
}

/* ---- pieces ---- */

static void test_half(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x10000; h++) {
        float f = half_to_float((half)h);
        if (isnan(f))
            continue;
        assert_int_equal(half_from_float(f), h);
    }
    struct rng r = { 1 };
    for (int i = 0; i < 100000; i++) {
        float f = (float)(rng_unit(&r) * pow(10, (double)rng_below(&r, 9) - 6));
        half h = half_from_float(f);
        float below = half_to_float((half)(h - (h > 0))), above = half_to_float((half)(h + 1));
        float off = fabsf(half_to_float(h) - f);
        assert_true(off <= fabsf(below - f) && off <= fabsf(above - f));
    }
    assert_true(isinf(half_to_float(half_from_float(1e9f))));
    assert_true(half_to_float(half_from_float(-2.5f)) == -2.5f);
}

static void test_rotation(void **state)
{
    (void)state;
    struct rng r = { 1 };
    for (size_t dim = 1; dim < 200; dim += 7) {
        struct rotation rot;
        size_t width = code_width(dim, 1 + (dim & 1));
        float *a = alloc_array(4 * width, sizeof *a), *b = a + width, *x = b + width;
        float *y = x + width;
        rotation_init(&rot, dim, width);
        fill_normal(&r, a, dim);
        fill_normal(&r, b, dim);
        rotation_apply(&rot, a, x);
        rotation_apply(&rot, b, y);
        float lengths = vec_norm(a, dim) * vec_norm(b, dim);
        assert_true(fabsf(vec_dot(a, b, dim) - vec_dot(x, y, width)) < 1e-5f * (lengths + 1));
        assert_true(fabsf(vec_norm(a, dim) - vec_norm(x, width)) < 1e-5f * (lengths + 1));
        rotation_release(&rot);
        free(a);
    }
}

/* Blocks and rows of bytes against plain sums, with bytes no file should have among them. */
static void test_i8(void **state)
{
    (void)state;
    struct rng r = { 1 };
    for (int round = 0; round < 200; round++) {
        size_t width = 4 + 4 * rng_below(&r, 60), n_rows = 1 + rng_below(&r, 40);
        size_t n_blocks = 1 + rng_below(&r, 6);
        uint8_t *blocks = alloc(n_blocks * I8_BLOCK * width);
        int8_t *rows = alloc_array(n_rows, width);
        int32_t *out = alloc_array(n_rows * n_blocks * I8_BLOCK, sizeof *out);
        for (size_t i = 0; i < n_blocks * I8_BLOCK * width; i++)
            blocks[i] = (uint8_t)rng_below(&r, 256);
        for (size_t i = 0; i < n_rows * width; i++)
            rows[i] = (int8_t)((int)rng_below(&r, 255) - 127);
        for (enum isa isa = ISA_PLAIN; isa <= ISA_AMX; isa++) {
            isa_limit(isa);
            i8_block_dots(blocks, n_blocks, width, rows, n_rows, out);
            for (size_t i = 0; i < n_rows * n_blocks * I8_BLOCK; i++) {
                size_t lane = i % I8_BLOCK, b = i / I8_BLOCK % n_blocks;
                const int8_t *row = rows + i / I8_BLOCK / n_blocks * width;
                int32_t sum = 0;
                for (size_t j = 0; j < width; j++)
                    sum += row[j] * i8_block_at(blocks + b * I8_BLOCK * width, lane, j);
                assert_int_equal(out[i], sum);
            }
            int32_t sum = 0;
            for (size_t j = 0; j < width; j++)
                sum += rows[j] * (blocks[j] - I8_FLIP);
            assert_int_equal(i8_dot(blocks, rows, width), sum);
        }
        free(out);
        free(rows);
        free(blocks);
    }
    isa_limit(ISA_AMX);
}

/* Rows of length 1 as bytes: the largest at 127, the same by every instruction set, and what
 * they stand for gives the same bytes again. */
static void test_unit_bytes(void **state)
{
    (void)state;
    struct rng r = { 1 };
    for (size_t dim = 1; dim < 500; dim += 1 + dim / 5) {
        float *x = alloc_array(2 * dim, sizeof *x), *back = x + dim;
        int8_t *bytes = alloc_array(2 * dim, 1), *again = bytes + dim;
        for (int round = 0; round < 40; round++) {
            fill_normal(&r, x, dim);
            x[rng_below(&r, dim)] *= round % 4 ? 1 : 30; /* one element far above the others */
            vec_normalise(x, dim);
            memcpy(back, x, dim * sizeof *x);
            assert_true(vec_normalise(back, dim)); /* once more changes nothing */
            assert_memory_equal(back, x, dim * sizeof *x);
            isa_limit(ISA_PLAIN);
            float scale = i8_from_unit(x, dim, bytes);
            int most = 0;
            for (size_t j = 0; j < dim; j++)
                most = abs(bytes[j]) > most ? abs(bytes[j]) : most;
            assert_int_equal(most, 127);
            assert_true(scale == i8_unit_scale(bytes, dim));
            i8_to_unit(bytes, dim, back);
            assert_true(fabsf(vec_norm(back, dim) - 1) < 1e-6f);
            for (enum isa isa = ISA_PLAIN; isa <= ISA_AMX; isa++) {
                float other[500];
                isa_limit(isa);
                assert_true(i8_from_unit(back, dim, again) == scale);
                assert_memory_equal(again, bytes, dim);
                i8_to_unit(bytes, dim, other);
                assert_memory_equal(other, back, dim * sizeof *other);
            }
        }
        free(bytes);
        free(x);
    }
    assert_true(i8_unit_scale((int8_t[8]){ 0 }, 8) == 0);
    isa_limit(ISA_AMX);
}

/* Exact search over bytes finds what it finds over the vectors they stand for, in any batch and
 * by any instruction set; so do the kernels over floats. */
static void test_exact_same(void **state)
{
    (void)state;
    static const size_t dims[] = { 1, 15, 50, 384 };
    for (size_t i = 0; i < ARRAY_LEN(dims); i++) {
        struct set s = set_new(CLUSTERED, seed_of(i), 700, dims[i]);
        uint32_t *same = alloc_array(s.n, sizeof *same);
        int8_t *bytes = alloc_array(s.n, s.dim);
        for (size_t row = 0; row < s.n; row++) {
            (void)i8_from_unit(s.rows + row * s.dim, s.dim, bytes + row * s.dim);
            i8_to_unit(bytes + row * s.dim, s.dim, s.rows + row * s.dim);
        }
        struct dense floats = dense_of(&s, same), kept = floats;
        kept.rows = NULL;
        kept.bytes = bytes;
        kept.row_doc = NULL;
        struct topk want[40], got[40];
        isa_limit(ISA_PLAIN);
        for (size_t q = 0; q < 40; q++)
            exact(&floats, s.queries + q * s.dim, NULL, 10, &want[q]);
        for (enum isa isa = ISA_PLAIN; isa <= ISA_AMX; isa++)
            for (size_t n = 1; n <= 40; n += 13) {
                isa_limit(isa);
                for (size_t q = 0; q < n; q++)
                    topk_init(&got[q], 10);
                dense_search(&kept, s.queries, n, NULL, got);
                for (size_t q = 0; q < n; q++) {
                    topk_sort(&got[q]);
                    assert_int_equal(got[q].n, want[q].n);
                    assert_memory_equal(got[q].items, want[q].items,
                                        got[q].n * sizeof *got[q].items);
                    topk_release(&got[q]);
                }
            }
        for (size_t q = 0; q < 40; q++)
            topk_release(&want[q]);
        free(bytes);
        free(same);
        set_free(&s);
    }
    isa_limit(ISA_AMX);
}

/* Many queries at once, bounded by bytes first: the hits and scores of one query alone,
 * whatever the rows are like, their order, what is left out, and how many hits are wanted. */
static void test_batch(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        size_t n = DENSE_BATCH_ROWS + 100 * kind, dim = 3 + 31 * kind;
        struct set s = set_new((enum kind)kind, seed_of(kind), n, dim);
        uint32_t *same = alloc_array(n, sizeof *same);
        unsigned char *skip = alloc_zero(n, 1);
        struct dense d = dense_of(&s, same);
        struct topk want, got[QUERIES];
        size_t nq = DENSE_BATCH_QUERIES + kind < QUERIES ? DENSE_BATCH_QUERIES + kind : QUERIES;
        s.rows[5] = NAN; /* as a damaged file may have it */
        for (size_t i = 0; kind % 2 && i < n; i++)
            skip[i] = i % 5 != 0;
        for (enum isa isa = ISA_PLAIN; isa <= ISA_AMX; isa++)
            for (size_t k = 1; k <= 60; k += 59) {
                isa_limit(isa);
                for (size_t q = 0; q < nq; q++)
                    topk_init(&got[q], k);
                dense_batch_search(&d, s.queries, nq, skip, got);
                for (size_t q = 0; q < nq; q++) {
                    exact(&d, s.queries + q * dim, skip, k, &want);
                    topk_sort(&got[q]);
                    assert_int_equal(got[q].n, want.n);
                    assert_memory_equal(got[q].items, want.items, want.n * sizeof *want.items);
                    topk_release(&want);
                    topk_release(&got[q]);
                }
            }
        free(skip);
        free(same);
        set_free(&s);
    }
    isa_limit(ISA_AMX);
}

/* A copy with all bytes made finds the same as the index that makes them when needed. */
static void test_copy(void **state)
{
    (void)state;
    static const size_t dims[] = { 30, 129 };
    for (size_t i = 0; i < ARRAY_LEN(dims); i++) {
        struct set s = set_new(LOW_RANK, seed_of(i), 2000, dims[i]);
        uint32_t *same = alloc_array(s.n, sizeof *same);
        struct dense d = dense_of(&s, same);
        struct ivf_built b;
        struct ivf_effort e;
        build(&b, &s, 0.95, 1);
        assert_int_equal(b.view.copies, dims[i] < 128 ? 1 : 2);
        assert_true(ivf_effort_for(&b.view, 0.95, &e));
        struct ivf *copy = ivf_copy_new(&b.view, &d);
        struct ivf_scratch scratch;
        ivf_scratch_init(&scratch, copy);
        for (size_t q = 0; q < QUERIES; q++) {
            struct topk want, got;
            search(&b, &d, s.queries + q * s.dim, e, NULL, 10, &want);
            topk_init(&got, 10);
            ivf_search(copy, &d, s.queries + q * s.dim, &e, NULL, &scratch, &got);
            topk_sort(&got);
            assert_int_equal(got.n, want.n);
            assert_memory_equal(got.items, want.items, got.n * sizeof *got.items);
            for (size_t j = 1; j < got.n; j++) /* a row in two lists is one hit */
                assert_true(got.items[j].ord != got.items[j - 1].ord);
            topk_release(&want);
            topk_release(&got);
        }
        ivf_scratch_release(&scratch);
        ivf_copy_free(copy);
        ivf_built_release(&b);
        free(same);
        set_free(&s);
    }
}

/* The second list of each row is another one, and the best by its formula. */
static void test_again(void **state)
{
    (void)state;
    struct set s = set_new(CLUSTERED, seed_of(4), 1200, 140);
    size_t width = code_width(s.dim, 1);
    int8_t *bytes = alloc_array(s.n, width);
    float *scales = alloc_array(s.n, sizeof *scales), *row = alloc_zero(width, sizeof *row);
    uint32_t *first = alloc_array(3 * s.n, sizeof *first), *again = first + s.n;
    struct centroids c;
    struct i8_rows rows = { s.n, width, bytes, scales };
    for (size_t i = 0; i < s.n; i++) {
        memcpy(row, s.rows + i * s.dim, s.dim * sizeof *row);
        scales[i] = i8_from_unit(row, width, bytes + i * width);
    }
    isa_limit(ISA_PLAIN);
    kmeans(&c, &rows, 64, 3, 1);
    centroids_assign(&c, &rows, 1, first);
    centroids_assign_again(&c, &rows, first, 1, again);
    for (size_t i = 0; i < s.n; i++)
        assert_true(again[i] != first[i] && again[i] < c.n);
    for (enum isa isa = ISA_SSSE3; isa <= ISA_AMX; isa++) {
        isa_limit(isa);
        centroids_assign_again(&c, &rows, first, 3, first + 2 * s.n);
        assert_memory_equal(again, first + 2 * s.n, s.n * sizeof *again);
    }
    isa_limit(ISA_AMX);
    centroids_release(&c);
    free(first);
    free(row);
    free(scales);
    free(bytes);
    set_free(&s);
}

/* An estimate is as far from the truth as code_error says, and without bias. */
static void test_code(void **state)
{
    (void)state;
    const size_t width = 96, n = 4000;
    for (unsigned bits = 1; bits <= 2; bits++) {
        struct rng r = { bits };
        float v[96], q[96], c[96] = { 0 }, est[CODE_BLOCK];
        struct code_table t = { .lut =
                                    alloc_huge(code_lut_size(code_nibbles(width, bits) / 2)) };
        uint8_t *block = alloc(code_block_size(width, bits));
        double sum = 0, square = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t above;
            fill_normal(&r, v, width);
            fill_normal(&r, q, width);
            vec_normalise(v, width);
            vec_normalise(q, width);
            memset(block, 0, code_block_size(width, bits));
            code_put(block, i % CODE_BLOCK, v, c, width, bits);
            code_table_make(&t, q, width, bits);
            code_scan(&t, block, 1, block, 0, 1, est, &above);
            double off = (double)(est[i % CODE_BLOCK] - vec_dot(v, q, width));
            sum += off;
            square += off * off;
        }
        double sd = sqrt(square / (double)n) * sqrt((double)width);
        printf("# %u bits: error %.3f, expected %.3f\n", bits, sd, (double)code_error(bits));
        assert_true(fabs(sd / (double)code_error(bits) - 1) < 0.1);
        assert_true(fabs(sum / (double)n) < 4 * sqrt(square) / (double)n);
        free(block);
        free(t.lut);
    }
}

static void add_one(void *ctx, unsigned worker, size_t from, size_t to)
{
    (void)worker;
    for (size_t i = from; i < to; i++)
        ((unsigned char *)ctx)[i]++;
}

static void test_par(void **state)
{
    (void)state;
    for (size_t n = 0; n < 60; n += 7)
        for (unsigned jobs = 1; jobs < 5; jobs++) {
            unsigned char seen[60] = { 0 };
            par_ranges(n, 4, jobs, add_one, seen);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(seen[i], 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half),       cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_i8),         cmocka_unit_test(test_code),
        cmocka_unit_test(test_par),        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_same),       cmocka_unit_test(test_recall),
        cmocka_unit_test(test_more),       cmocka_unit_test(test_skip),
        cmocka_unit_test(test_probe),      cmocka_unit_test(test_unit_bytes),
        cmocka_unit_test(test_exact_same), cmocka_unit_test(test_copy),
        cmocka_unit_test(test_batch),      cmocka_unit_test(test_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
