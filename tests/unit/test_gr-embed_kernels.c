// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_kernels.c — every instruction set this processor has, against double precision
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "alloc.h"
#include "kernels.h"
#include "rng.h"

static const char *const sets[] = { "plain", "avx2", "avx512" };

static void fill(struct rng *r, float *x, size_t n, double spread)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((2 * rng_unit(r) - 1) * spread);
}

static double want_act(enum activation act, double x)
{
    if (act == ACT_RELU)
        return x > 0 ? x : 0;
    if (act == ACT_GELU)
        return x / 2 * (1 + erf(x / sqrt(2)));
    return x / 2 * (1 + tanh(sqrt(2 / acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

static void test_activate(void **state)
{
    (void)state;
    static float x[32 * 400];
    for (size_t s = 0; s < ARRAY_LEN(sets); s++)
        for (int act = ACT_GELU; act <= ACT_RELU; act++) {
            const struct kernels *k = kernels_named(sets[s]);
            double worst = 0;
            if (!k)
                continue;
            for (size_t i = 0; i < ARRAY_LEN(x); i++)
                x[i] = ((float)i - 6400) / 400;
            k->activate((enum activation)act, x, ARRAY_LEN(x));
            for (size_t i = 0; i < ARRAY_LEN(x); i++) {
                double in = (double)(((float)i - 6400) / 400);
                worst = fmax(worst, fabs(want_act((enum activation)act, in) - (double)x[i]));
            }
            print_message("%s activation %d: largest error %.2g\n", k->name, act, worst);
            assert_true(worst < 1.5e-6);
        }
}

static void test_softmax(void **state)
{
    (void)state;
    static const size_t lengths[] = { 1, 2, 15, 16, 31, 32, 33, 200 };
    struct rng rng = { 7 };
    for (size_t s = 0; s < ARRAY_LEN(sets) * ARRAY_LEN(lengths); s++) {
        const struct kernels *k = kernels_named(sets[s / ARRAY_LEN(lengths)]);
        size_t n = lengths[s % ARRAY_LEN(lengths)];
        float x[224], in[224];
        double sum = 0;
        if (!k)
            continue;
        fill(&rng, in, 224, 30);
        memcpy(x, in, sizeof x);
        k->softmax(x, n, 0.25F);
        for (size_t i = 0; i < n; i++)
            sum += exp(0.25 * (double)in[i]);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(exp(0.25 * (double)in[i]) / sum - (double)x[i]) < 1e-6);
        for (size_t i = n; i < kernel_pad(n); i++)
            assert_true(x[i] == 0);
    }
}

static void test_add_norm(void **state)
{
    (void)state;
    struct rng rng = { 8 };
    float x[96], r[96], gain[96], bias[96], y[96];
    fill(&rng, x, 96, 4);
    fill(&rng, r, 96, 4);
    fill(&rng, gain, 96, 2);
    fill(&rng, bias, 96, 1);
    double mean = 0, var = 0;
    for (size_t i = 0; i < 96; i++)
        mean += (double)(x[i] + r[i]) / 96;
    for (size_t i = 0; i < 96; i++)
        var += pow((double)(x[i] + r[i]) - mean, 2) / 96;
    for (size_t s = 0; s < ARRAY_LEN(sets); s++) {
        const struct kernels *k = kernels_named(sets[s]);
        if (!k)
            continue;
        memcpy(y, x, sizeof y);
        k->add_norm(y, r, gain, bias, 1e-5F, 96);
        for (size_t i = 0; i < 96; i++) {
            double z = ((double)(x[i] + r[i]) - mean) / sqrt(var + 1e-5);
            assert_true(fabs(z * (double)gain[i] + (double)bias[i] - (double)y[i]) < 2e-6);
        }
    }
}

/* A product against double precision, and its rows one at a time: the same bits. */
static void check_product(const struct kernels *k, size_t m, size_t n, size_t depth)
{
    struct rng rng = { 9 + m };
    float *a = alloc_array(m * depth, 4), *w = alloc_array(n * depth, 4);
    float *c = alloc_array(m * n, 4), *row = alloc_array(n, 4), *bias = alloc_array(n, 4);
    float *packed = alloc_array(n * depth, 4);
    fill(&rng, a, m * depth, 1);
    fill(&rng, w, n * depth, 1);
    fill(&rng, bias, n, 1);
    kernel_pack(k->cols, w, n, depth, depth, packed);
    struct product p = { m, n, depth, a, depth, packed, k->cols, k->cols * depth, bias, c, n };
    k->multiply(&p);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = (double)bias[j];
            for (size_t q = 0; q < depth; q++)
                sum += (double)a[i * depth + q] * (double)w[j * depth + q];
            assert_true(fabs(sum - (double)c[i * n + j]) < 1e-4);
        }
        p.m = 1;
        p.a = a + i * depth;
        p.c = row;
        k->multiply(&p);
        assert_memory_equal(row, c + i * n, n * sizeof *row);
    }
    free(a);
    free(w);
    free(c);
    free(row);
    free(bias);
    free(packed);
}

static void test_multiply(void **state)
{
    (void)state;
    for (size_t s = 0; s < ARRAY_LEN(sets); s++)
        if (kernels_named(sets[s]))
            for (size_t m = 1; m < 40; m += m < 14 ? 1 : 5)
                check_product(kernels_named(sets[s]), m, 64, m % 2 ? 33 : 800);
}

static void test_pack_pads(void **state)
{
    (void)state;
    const float w[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    float to[32 * 2];
    memset(to, 0xFF, sizeof to);
    kernel_pack(16, w[0], 3, 2, 2, to);
    for (size_t j = 0; j < 32; j++)
        for (size_t q = 0; q < 2; q++) {
            float want = j < 3 ? w[j][q] : 0;
            assert_true(to[j / 16 * 32 + q * 16 + j % 16] == want);
        }
}

static void test_choice(void **state)
{
    (void)state;
    assert_non_null(kernels_named("plain"));
    assert_null(kernels_named("nonesuch"));
    assert_int_equal(KERNEL_PAD % kernels_best()->cols, 0);
    print_message("best here: %s\n", kernels_best()->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_activate),  cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_add_norm),  cmocka_unit_test(test_multiply),
        cmocka_unit_test(test_pack_pads), cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
