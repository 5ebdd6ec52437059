// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_table.c — a table written and read back, and its means; ridge regression on
 * sparse rows against the normal equations; the two solvers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "alloc.h"
#include "lapack.h"
#include "rng.h"
#include "sparse.h"
#include "table.h"

#define VOCAB "[UNK]\n[CLS]\n[SEP]\nrock\nmelt\n##s\n"

enum { PIECES = 6, DIM = 32 };

static float vectors[PIECES * DIM];

static struct table *write_and_open(size_t n, struct err *err)
{
    char path[] = "/tmp/gr-table-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct out out;
    assert_int_equal(out_open(&out, path, err), 0);
    const struct table_parts parts = { SV(VOCAB), WORDPIECE_UNCASED, n,     DIM,
                                       vectors,   "t/8/00",          "abc", 0.1,
                                       0.5 };
    table_write(&out, &parts);
    assert_int_equal(out_close(&out, err), 0);
    struct table *t = table_open(path, err);
    unlink(path);
    return t;
}

static int make_vectors(void **state)
{
    (void)state;
    struct rng r = { 5 };
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++)
        vectors[i] = (float)(rng_unit(&r) - 0.5);
    return 0;
}

static void check_text(const struct table *t, const char *text, const size_t *ids, size_t n)
{
    struct wordpiece_tokens tokens = { 0 };
    float got[DIM];
    double want[DIM] = { 0 }, square = 0;
    assert_true(table_embed(t, &tokens, sv_from(text), got));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < DIM; k++)
            want[k] += (double)vectors[ids[i] * DIM + k];
    for (size_t k = 0; k < DIM; k++)
        square += want[k] * want[k];
    for (size_t k = 0; k < DIM; k++)
        assert_true(fabs((double)got[k] - want[k] / sqrt(square)) < 1e-6);
    wordpiece_tokens_release(&tokens);
}

static void test_means(void **state)
{
    (void)state;
    struct err err;
    struct table *t = write_and_open(PIECES, &err);
    assert_non_null(t);
    assert_int_equal(table_dim(t), DIM);
    check_text(t, "Rocks melt", (size_t[]){ 3, 5, 4 }, 3);
    check_text(t, "melt ROCKS", (size_t[]){ 3, 5, 4 }, 3);
    check_text(t, "xyz rock", (size_t[]){ 0, 3 }, 2);
    check_text(t, "", (size_t[]){ 0 }, 1);
    table_free(t);
}

static void test_no_direction(void **state)
{
    (void)state;
    struct err err;
    struct wordpiece_tokens tokens = { 0 };
    float got[DIM];
    memset(vectors + (size_t)3 * DIM, 0, DIM * sizeof *vectors);
    vectors[4 * DIM] = NAN;
    struct table *t = write_and_open(PIECES, &err);
    assert_non_null(t);
    assert_false(table_embed(t, &tokens, SV("rock"), got));
    assert_false(table_embed(t, &tokens, SV("melt"), got));
    wordpiece_tokens_release(&tokens);
    table_free(t);
}

static void test_too_few(void **state)
{
    (void)state;
    struct err err;
    assert_null(write_and_open(PIECES - 1, &err));
    assert_int_equal(err.code, EXIT_FATAL);
    assert_non_null(strstr(err.msg, "5 vectors for 6 pieces"));
}

/* ---- algebra ---- */

enum { ROWS = 40, COLS = 12, EACH = 3, OUT = 16 };

/* Dense B (ROWS, COLS) beside the sparse one; every fifth row hidden. */
static void make_sparse(struct sparse *b, double *dense, struct rng *r)
{
    *b = (struct sparse){ ROWS,
                          COLS,
                          alloc_array(ROWS, sizeof *b->ends),
                          alloc_array(ROWS * EACH, sizeof *b->col),
                          alloc_array(ROWS * EACH, sizeof *b->value),
                          alloc_zero(ROWS, sizeof *b->is_hidden) };
    memset(dense, 0, ROWS * COLS * sizeof *dense);
    for (size_t i = 0; i < ROWS; i++) {
        b->is_hidden[i] = i % 5 == 4;
        b->ends[i] = (i + 1) * EACH;
        for (size_t k = i * EACH; k < b->ends[i]; k++) {
            b->col[k] = (int32_t)rng_below(r, COLS);
            b->value[k] = (float)rng_unit(r);
            if (!b->is_hidden[i])
                dense[i * COLS + (size_t)b->col[k]] += (double)b->value[k];
        }
    }
}

static void solve_dense(const double *b, const float *y, double lambda, double *x)
{
    struct err err;
    double a[COLS * COLS] = { 0 };
    memset(x, 0, COLS * OUT * sizeof *x);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++) {
            for (size_t k = 0; k < COLS; k++)
                a[j * COLS + k] += b[i * COLS + j] * b[i * COLS + k];
            for (size_t k = 0; k < OUT; k++)
                x[j * OUT + k] += b[i * COLS + j] * (double)y[i * OUT + k];
        }
    for (size_t j = 0; j < COLS; j++)
        a[j * COLS + j] += lambda;
    assert_int_equal(lapack_solve(a, COLS, x, OUT, &err), 0);
}

static void test_ridge(void **state)
{
    (void)state;
    struct rng r = { 11 };
    for (int round = 0; round < 20; round++) {
        struct sparse b;
        double dense[ROWS * COLS], want[COLS * OUT], largest = 0;
        float y[ROWS * OUT], x[COLS * OUT], product[ROWS * OUT];
        make_sparse(&b, dense, &r);
        for (size_t i = 0; i < ARRAY_LEN(y); i++)
            y[i] = (float)(rng_unit(&r) - 0.5);
        solve_dense(dense, y, 0.1, want);
        assert_true(sparse_ridge(&b, y, OUT, 0.1, 1e-6, 100, x) <= 100);
        for (size_t i = 0; i < ARRAY_LEN(x); i++)
            largest = fmax(largest, fabs((double)x[i] - want[i]));
        assert_true(largest < 1e-4);
        sparse_times(&b, x, OUT, product);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t k = 0; k < OUT; k++) {
                double sum = 0;
                for (size_t j = 0; j < COLS; j++)
                    sum += dense[i * COLS + j] * (double)x[j * OUT + k];
                assert_true(fabs(sum - (double)product[i * OUT + k]) < 1e-4);
            }
        free(b.ends);
        free(b.col);
        free(b.value);
        free(b.is_hidden);
    }
}

static void test_eigen(void **state)
{
    (void)state;
    struct err err;
    const double a[4] = { 2, 1, 1, 2 };
    double v[4], values[2];
    memcpy(v, a, sizeof a);
    assert_int_equal(lapack_eigen(v, 2, values, &err), 0);
    assert_true(fabs(values[0] - 1) < 1e-12 && fabs(values[1] - 3) < 1e-12);
    assert_true(fabs(v[2] - v[3]) < 1e-12 && fabs(fabs(v[2]) - sqrt(0.5)) < 1e-12);
    double bad[4] = { -1, 0, 0, -1 }, b[2] = { 1, 1 };
    assert_int_equal(lapack_solve(bad, 2, b, 1, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_means, make_vectors),
        cmocka_unit_test_setup(test_no_direction, make_vectors),
        cmocka_unit_test_setup(test_too_few, make_vectors),
        cmocka_unit_test(test_ridge),
        cmocka_unit_test(test_eigen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
