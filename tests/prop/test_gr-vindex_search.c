// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_search.c — laws of search on random indexes
 *
 * Dense search is brute force; the number of queries at a time changes no bit; a filter is the
 * same as removing the others; a plain file answers as the built index does; an index built by
 * four workers is the same file as by one. GR_SEED=N runs another series.
 */
#include "unit/gr-vindex_search.h"

#include <math.h>

#include "dense.h"
#include "lists.h"

#define ROUNDS 60

/* ---- the kernel ---- */

static void check_dots(struct rng *r)
{
    size_t dim = 1 + rng_below(r, 70), n = 1 + rng_below(r, 300), nq = 1 + rng_below(r, 11);
    float *rows = alloc_array(n * dim, sizeof *rows), *q = alloc_array(nq * dim, sizeof *q);
    float *got = alloc_array(n * nq, sizeof *got);
    for (size_t i = 0; i < n * dim; i++)
        rows[i] = (float)(rng_unit(r) - 0.5);
    for (size_t i = 0; i < nq * dim; i++)
        q[i] = (float)(rng_unit(r) - 0.5);
    dense_dots(rows, n, dim, q, nq, got);
    for (size_t j = 0; j < nq; j++)
        for (size_t i = 0; i < n; i++) {
            float want = vec_dot(rows + i * dim, q + j * dim, dim);
            assert_memory_equal(&got[j * n + i], &want, sizeof want);
        }
    free(rows);
    free(q);
    free(got);
}

static void test_dots(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng r = { unit_seed() + round };
        check_dots(&r);
    }
}

/* ---- dense search against brute force ---- */

struct scored {
    float score;
    uint32_t rank;
};

static int best_first(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void check_exact(const struct gri *g, const float *q, size_t nq, size_t k,
                        const unsigned char *skip)
{
    const struct dense *d = &g->dense;
    struct topk *best = alloc_array(nq, sizeof *best);
    struct scored *all = alloc_array(d->n_rows + 1, sizeof *all);
    for (size_t j = 0; j < nq; j++)
        topk_init(&best[j], k);
    dense_search(d, q, nq, skip, best);
    for (size_t j = 0; j < nq; j++) {
        size_t n = 0;
        for (size_t i = 0; i < d->n_rows; i++)
            if (!skip[dense_doc(d, i)])
                all[n++] =
                    (struct scored){ vec_dot(d->rows + i * d->dim, q + j * d->dim, d->dim),
                                     d->rank[dense_doc(d, i)] };
        qsort(all, n, sizeof *all, best_first);
        topk_sort(&best[j]);
        assert_int_equal(best[j].n, n < k ? n : k);
        for (size_t i = 0; i < best[j].n; i++) {
            assert_int_equal(best[j].items[i].ord, all[i].rank);
            assert_true(best[j].items[i].score == (double)all[i].score);
        }
        topk_release(&best[j]);
    }
    free(all);
    free(best);
}

static void test_exact(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng r = { unit_seed() + round };
        size_t n = rng_below(&r, 400), dim = 1 + rng_below(&r, 40), nq = 1 + rng_below(&r, 9);
        const char *path = test_path("exact.gri");
        struct store s;
        struct err err;
        test_index(round, n, dim, 1, NULL, path);
        assert_int_equal(store_open(&s, path, &err), 0);
        float *q = alloc_array(nq * dim, sizeof *q);
        for (size_t j = 0; j < nq; j++) {
            test_vector(&r, q + j * dim, dim);
            vec_normalise(q + j * dim, dim);
        }
        unsigned char *skip = alloc_zero(n + 1, 1);
        for (size_t i = 0; i < n; i++)
            skip[i] = rng_below(&r, 4) == 0;
        check_exact(&s.segments[0], q, nq, rng_below(&r, 30), skip);
        free(skip);
        free(q);
        store_close(&s);
        unlink(path);
    }
}

/* ---- whole answers ---- */

static void assert_same(struct buf *a, struct buf *b)
{
    assert_string_equal(buf_cstr(a), buf_cstr(b));
    buf_reset(b);
}

static void test_answers(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS / 2; round++) {
        struct rng r = { unit_seed() + round };
        size_t n = 1 + rng_below(&r, 300), dim = 1 + rng_below(&r, 20);
        const char *plain = test_path("idx.ndjson"), *gri = test_path("idx.gri");
        struct buf q = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
        struct search_cfg cfg = default_cfg();
        test_index(round, n, dim, 1, plain, gri);
        make_queries(&r, 12, dim, &q);
        answers(&gri, 1, &cfg, buf_view(&q), 1, &want);
        answers(&gri, 1, &cfg, buf_view(&q), 12, &got);
        assert_same(&want, &got);
        answers(&plain, 1, &cfg, buf_view(&q), 12, &got); /* streamed */
        assert_same(&want, &got);
        answers(&plain, 1, &cfg, buf_view(&q), 5, &got); /* kept from the second batch on */
        assert_same(&want, &got);
        cfg.filter = ".year >= 2015";
        buf_reset(&want);
        answers(&gri, 1, &cfg, buf_view(&q), 12, &want);
        answers(&plain, 1, &cfg, buf_view(&q), 1, &got);
        assert_same(&want, &got);
        buf_release(&q);
        buf_release(&want);
        buf_release(&got);
        unlink(plain);
        unlink(gri);
    }
}

/* A filtered search gives what a search without the filter and with k = all gives after the
 * others are struck out. */
static void check_filter(struct sv all, struct sv some, size_t k)
{
    struct sv a, b;
    struct err err;
    while (all.n && sv_cut(&all, '\n', &a) && sv_cut(&some, '\n', &b)) {
        struct rec ra = { 0 }, rb = { 0 };
        assert_int_equal(rec_parse(&ra, a, &err), 0);
        assert_int_equal(rec_parse(&rb, b, &err), 0);
        jv ha = json_get(ra.v, "vector_hits"), hb = json_get(rb.v, "vector_hits");
        size_t n = 0;
        for (size_t i = 0; i < json_len(ha) && n < k; i++) {
            jv hit = json_at(ha, i), kept = json_at(hb, n);
            if (json_num(json_get(hit, "year")) < 2012)
                continue;
            assert_true(sv_eq(json_sv(json_get(hit, "id")), json_sv(json_get(kept, "id"))));
            n++;
        }
        assert_int_equal(json_len(hb), n);
        rec_release(&ra);
        rec_release(&rb);
    }
}

static void test_filter(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS / 2; round++) {
        struct rng r = { unit_seed() + round };
        size_t n = 1 + rng_below(&r, 400), dim = 1 + rng_below(&r, 9);
        const char *gri = test_path("filter.gri");
        struct buf q = BUF_INIT, all = BUF_INIT, some = BUF_INIT;
        struct search_cfg cfg = default_cfg();
        test_index(round, n, dim, 1, NULL, gri);
        make_queries(&r, 8, dim, &q);
        cfg.mode = MODE_SPARSE;
        cfg.k = 1000;
        answers(&gri, 1, &cfg, buf_view(&q), 3, &all);
        cfg.k = 1 + (long)rng_below(&r, 90);
        cfg.filter = ".year >= 2012";
        answers(&gri, 1, &cfg, buf_view(&q), 4, &some);
        check_filter(buf_view(&all), buf_view(&some), (size_t)cfg.k);
        buf_release(&q);
        buf_release(&all);
        buf_release(&some);
        unlink(gri);
    }
}

static void test_jobs(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 8; round++) {
        const char *one = test_path("one.gri"), *four = test_path("four.gri");
        struct buf a = BUF_INIT, b = BUF_INIT;
        struct err err;
        test_index(round, 50 * round, 5, 1, NULL, one);
        test_index(round, 50 * round, 5, 4, NULL, four);
        assert_int_equal(file_read(&a, one, 0, &err), 0);
        assert_int_equal(file_read(&b, four, 0, &err), 0);
        assert_int_equal(a.len, b.len);
        assert_memory_equal(a.data, b.data, a.len);
        buf_release(&a);
        buf_release(&b);
        unlink(one);
        unlink(four);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dots),    cmocka_unit_test(test_exact),
        cmocka_unit_test(test_answers), cmocka_unit_test(test_filter),
        cmocka_unit_test(test_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
