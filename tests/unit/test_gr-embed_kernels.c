// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_kernels.c — every set of kernels this processor runs, against double precision
 *
 * A product, attention and a layer norm of each; the tolerances are those of the rounding:
 * 2^-9 a number in bf16, a 255th of a row's range in int8.
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

static void fill(struct rng *r, float *x, size_t n, double spread)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((2 * rng_unit(r) - 1) * spread);
}

static double want_act(enum activation act, double x)
{
    if (act == ACT_NONE)
        return x;
    if (act == ACT_RELU)
        return x > 0 ? x : 0;
    if (act == ACT_GELU)
        return x / 2 * (1 + erf(x / sqrt(2)));
    return x / 2 * (1 + tanh(sqrt(2 / acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

/* ---- rows of any form ---- */

static float from_bf16(const char *p)
{
    uint16_t h;
    memcpy(&h, p, sizeof h);
    uint32_t u = (uint32_t)h << 16;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* n rows of x (n, width) in a form a set reads, or room for n rows when x is NULL. */
static char *to_rows(const struct kernels *k, enum form form, const float *x, size_t n,
                     size_t width)
{
    size_t ld = kernel_stride(form, width);
    char *rows = alloc_huge((n + KERNEL_SPARE) * ld);
    memset(rows, 0xFF, (n + KERNEL_SPARE) * ld); /* what is read too far must not count */
    for (size_t i = 0; x && i < n; i++)
        if (form == FORM_F32)
            memcpy(rows + i * ld, x + i * width, width * sizeof *x);
        else
            k->encode(x + i * width, width, rows + i * ld);
    return rows;
}

static double at(const char *rows, enum form form, size_t width, size_t i, size_t j)
{
    const char *row = rows + i * kernel_stride(form, width);
    float f;
    if (form == FORM_BF16)
        return (double)from_bf16(row + 2 * j);
    memcpy(&f, row + 4 * j, sizeof f);
    return (double)f;
}

/* Largest error of a sum of k products of numbers up to 1, each rounded in this precision. */
static double tolerance(enum precision p, size_t k)
{
    if (p == PRECISION_F32)
        return 1e-6 * (double)k;
    return (p == PRECISION_BF16 ? 4.0 / 512 : 4.0 / 127) * sqrt((double)k);
}

/* ---- products ---- */

struct matrices {
    size_t m, n, k;
    float *a, *w, *bias;
};

static double product_at(const struct matrices *t, size_t i, size_t j)
{
    double sum = (double)t->bias[j];
    for (size_t q = 0; q < t->k; q++)
        sum += (double)t->a[i * t->k + q] * (double)t->w[j * t->k + q];
    return sum;
}

static void compare(const struct kernels *k, const struct matrices *t, enum activation act,
                    enum form out, const char *c)
{
    double limit = tolerance(k->precision, t->k), worst = 0;
    for (size_t i = 0; i < t->m; i++)
        for (size_t j = 0; j < t->n; j++) {
            double want = want_act(act, product_at(t, i, j));
            worst = fmax(worst, fabs(want - at(c, out, t->n, i, j)) / (1 + fabs(want) / 64));
        }
    if (!(worst < limit))
        fail_msg("%s: %zu x %zu x %zu: error %g", k->name, t->m, t->n, t->k, worst);
}

/* All rows together, and each alone: the same bits. */
static void check_product(const struct kernels *k, size_t m, size_t n, size_t depth,
                          enum activation act, enum form out)
{
    struct rng rng = { 9 + m };
    struct matrices t = {
        m, n, depth, alloc_array(m * depth, 4), alloc_array(n * depth, 4), alloc_array(n, 4)
    };
    fill(&rng, t.a, m * depth, 1);
    fill(&rng, t.w, n * depth, 1);
    fill(&rng, t.bias, n, 1);
    char *packed = alloc_huge(kernel_packed(k->input, n, depth));
    kernel_pack(k, t.w, n, depth, 0, 32, packed);
    kernel_pack(k, t.w + 32 * depth, n, depth, 32, n - 32, packed);
    char *a = to_rows(k, k->input, t.a, m, depth), *c = to_rows(k, out, NULL, m, n);
    char *row = to_rows(k, out, NULL, 1, n);
    struct product p = { m,      n,      depth, a, kernel_stride(k->input, depth),
                         packed, t.bias, act,   c, kernel_stride(out, n),
                         out };
    k->multiply(&p);
    compare(k, &t, act, out, c);
    for (size_t i = 0; i < m; i++) {
        p.m = 1;
        p.a = a + i * p.lda;
        p.c = row;
        k->multiply(&p);
        assert_memory_equal(row, c + i * p.ldc, (out == FORM_F32 ? 4 : 2) * n);
    }
    free(t.a);
    free(t.w);
    free(t.bias);
    free(packed);
    free(a);
    free(c);
    free(row);
}

static void test_products(void **state)
{
    (void)state;
    const struct kernels *k;
    for (size_t s = 0; (k = kernels_at(s)); s++)
        for (size_t m = 1; m < 70; m += m < 18 ? 1 : 7) {
            check_product(k, m, 64, m % 2 ? 96 : 416, ACT_NONE, FORM_F32);
            check_product(k, m, 96, 32, ACT_NONE, k->heads);
            check_product(k, m, 64, 64, (enum activation)(ACT_GELU + m % 3), k->middle);
        }
}

/* What is no number in weights or rows is none in the result: damage stays visible. */
static void test_not_a_number(void **state)
{
    (void)state;
    const struct kernels *k;
    enum { N = 64 };
    for (size_t s = 0; (k = kernels_at(s)); s++)
        for (int where = 0; where < 2; where++) {
            float w[N * N] = { 0 }, a[N] = { 0 }, bias[N] = { 0 };
            (where ? a : w)[5] = NAN;
            char *packed = alloc_huge(kernel_packed(k->input, N, N));
            kernel_pack(k, w, N, N, 0, N, packed);
            char *rows = to_rows(k, k->input, a, 1, N), *c = to_rows(k, FORM_F32, NULL, 1, N);
            k->multiply(&(struct product){ 1, N, N, rows, kernel_stride(k->input, N), packed,
                                           bias, ACT_NONE, c, kernel_stride(FORM_F32, N),
                                           FORM_F32 });
            if (!isnan(at(c, FORM_F32, N, 0, 0)))
                fail_msg("%s: a NaN in the %s is lost", k->name, where ? "rows" : "weights");
            free(packed);
            free(rows);
            free(c);
        }
}

/* Rows of W are packed the same whatever they are packed with; int8 keeps the largest number of
 * each row as 127. */
static void test_packing(void **state)
{
    (void)state;
    const struct kernels *k;
    struct rng rng = { 3 };
    float w[64 * 96];
    fill(&rng, w, ARRAY_LEN(w), 1);
    for (size_t s = 0; (k = kernels_at(s)); s++) {
        size_t bytes = kernel_packed(k->input, 64, 96);
        char *once = alloc_huge(bytes), *parts = alloc_huge(bytes);
        memset(once, 0, bytes);
        memset(parts, 0, bytes);
        kernel_pack(k, w, 64, 96, 0, 64, once);
        for (size_t i = 64; i > 0; i -= 16)
            kernel_pack(k, w + (i - 16) * 96, 64, 96, i - 16, 16, parts);
        assert_memory_equal(once, parts, bytes);
        free(once);
        free(parts);
    }
}

/* ---- activations, through a product with the unit matrix ---- */

static void check_activation(const struct kernels *k, enum activation act, double limit)
{
    enum { N = 32, M = 500 };
    static float a[M * N];
    float w[N * N] = { 0 }, bias[N] = { 0 };
    double worst = 0;
    for (size_t i = 0; i < N; i++)
        w[i * N + i] = 1;
    for (size_t i = 0; i < M * N; i++)
        a[i] = ((float)i - M * N / 2) / 512; /* -15.6 … 15.6, exact in float32 */
    char *packed = alloc_huge(kernel_packed(k->input, N, N));
    kernel_pack(k, w, N, N, 0, N, packed);
    char *rows = to_rows(k, k->input, a, M, N), *c = to_rows(k, k->middle, NULL, M, N);
    k->multiply(&(struct product){ M, N, N, rows, kernel_stride(k->input, N), packed, bias, act,
                                   c, kernel_stride(k->middle, N), k->middle });
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < N; j++) {
            double x =
                k->input == FORM_BF16 ? at(rows, FORM_BF16, N, i, j) : (double)a[i * N + j];
            double want = want_act(act, x), got = at(c, k->middle, N, i, j);
            worst = fmax(worst, fabs(want - got) / fmax(1, fabs(want)));
        }
    print_message("%s activation %d: largest error %.2g\n", k->name, act, worst);
    assert_true(worst < limit);
    free(packed);
    free(rows);
    free(c);
}

static void test_activations(void **state)
{
    (void)state;
    const struct kernels *k;
    for (size_t s = 0; (k = kernels_at(s)); s++)
        for (int act = ACT_NONE; act <= ACT_RELU; act++)
            check_activation(k, (enum activation)act,
                             k->input == FORM_F32    ? 1.5e-6
                             : k->middle == FORM_F32 ? 2e-2
                                                     : 1.0 / 256);
}

/* ---- attention ---- */

/* qkv: (n, 3 heads d); context of one head of one query. */
static void want_context(const float *qkv, size_t n, size_t heads, size_t d, size_t query,
                         size_t head, double *out)
{
    size_t ld = 3 * heads * d;
    double sum = 0;
    for (size_t c = 0; c < d; c++)
        out[c] = 0;
    for (size_t j = 0; j < n; j++) {
        const float *q = qkv + query * ld + head * d, *key = qkv + j * ld + (heads + head) * d;
        double dot = 0;
        for (size_t c = 0; c < d; c++)
            dot += (double)q[c] * (double)key[c];
        double e = exp(dot / sqrt((double)d));
        sum += e;
        for (size_t c = 0; c < d; c++)
            out[c] += e * (double)key[heads * d + c];
    }
    for (size_t c = 0; c < d; c++)
        out[c] /= sum;
}

static void check_attention(const struct kernels *k, size_t n, size_t heads, size_t d)
{
    struct rng rng = { n };
    size_t width = 3 * heads * d, h = heads * d;
    const struct kernels *encoder = k->heads == FORM_BF16 ? kernels_best(PRECISION_BF16) : k;
    float *qkv = alloc_array(n * width, sizeof *qkv);
    double want[128], worst = 0;
    fill(&rng, qkv, n * width, 2);
    char *rows = to_rows(encoder, k->heads, qkv, n, width);
    char *out = to_rows(k, k->middle, NULL, n, h);
    void *work = alloc_huge(kernel_attend_work(n, d));
    memset(work, 0xFF, kernel_attend_work(n, d));
    k->attend(&(struct attention){ n, heads, d, rows, kernel_stride(k->heads, width), out,
                                   kernel_stride(k->middle, h), work });
    for (size_t i = 0; i < n; i++)
        for (size_t head = 0; head < heads; head++) {
            want_context(qkv, n, heads, d, i, head, want);
            for (size_t c = 0; c < d; c++)
                worst = fmax(worst, fabs(want[c] - at(out, k->middle, h, i, head * d + c)));
        }
    if (!(worst < (k->heads == FORM_F32 ? 4e-6 : 4e-2)))
        fail_msg("%s: attention of %zu tokens, %zu heads of %zu: error %g", k->name, n, heads,
                 d, worst);
    free(qkv);
    free(rows);
    free(out);
    free(work);
}

static void test_attention(void **state)
{
    (void)state;
    static const size_t lengths[] = { 1, 2, 3, 15, 16, 17, 31, 32, 33, 47, 64, 65, 200 };
    const struct kernels *k;
    for (size_t s = 0; (k = kernels_at(s)); s++)
        for (size_t i = 0; i < ARRAY_LEN(lengths); i++)
            check_attention(k, lengths[i], i % 2 + 1, 32 + 32 * (i % 3));
}

/* ---- layer norm ---- */

static void test_add_norm(void **state)
{
    (void)state;
    const struct kernels *k;
    struct rng rng = { 8 };
    float x[96], r[96], gain[96], bias[96], y[96], first[96];
    fill(&rng, x, 96, 4);
    fill(&rng, r, 96, 4);
    fill(&rng, gain, 96, 2);
    fill(&rng, bias, 96, 1);
    double mean = 0, var = 0;
    for (size_t i = 0; i < 96; i++)
        mean += (double)(x[i] + r[i]) / 96;
    for (size_t i = 0; i < 96; i++)
        var += pow((double)(x[i] + r[i]) - mean, 2) / 96;
    for (size_t s = 0; (k = kernels_at(s)); s++) {
        memcpy(y, x, sizeof y);
        k->add_norm(y, r, gain, bias, 1e-5F, 96);
        for (size_t i = 0; i < 96; i++) {
            double z = ((double)(x[i] + r[i]) - mean) / sqrt(var + 1e-5);
            assert_true(fabs(z * (double)gain[i] + (double)bias[i] - (double)y[i]) < 2e-6);
        }
        for (size_t i = 0; i < 96; i++)
            first[i] = x[i] + r[i];
        k->add_norm(first, NULL, gain, bias, 1e-5F, 96);
        assert_memory_equal(first, y, sizeof y);
    }
}

/* ---- choice ---- */

static void test_choice(void **state)
{
    (void)state;
    const struct kernels *k;
    bool has_plain = false;
    for (size_t s = 0; (k = kernels_at(s)); s++) {
        print_message("# %s\n", k->name);
        assert_int_equal(strncmp(k->name, precision_name(k->precision), 3), 0);
        has_plain |= strcmp(k->name, "f32 plain") == 0;
    }
    assert_true(has_plain);
    assert_int_equal(kernels_best(PRECISION_F32)->precision, PRECISION_F32);
    assert_int_equal(kernels_best(PRECISION_INT8)->precision, PRECISION_INT8);
    k = kernels_best(PRECISION_AUTO);
    assert_true(k->precision == PRECISION_F32 || k == kernels_best(PRECISION_BF16));
    for (size_t n = 32; n < 5000; n += 32)
        for (int form = FORM_F32; form <= FORM_INT8; form++)
            assert_int_equal(kernel_stride((enum form)form, n) % 128, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),      cmocka_unit_test(test_packing),
        cmocka_unit_test(test_products),    cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_activations), cmocka_unit_test(test_attention),
        cmocka_unit_test(test_add_norm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
