// SPDX-License-Identifier: MIT
/*
 * kernels.c — one source for every instruction set: bodies are inlined into targeted wrappers
 */
#include "kernels.h"

#include <math.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define WIDTH 16    /* lanes of the loops below, whatever the instruction set */
#define K_BLOCK 384 /* steps of k with the sums in registers */
#define INLINE static inline __attribute__((always_inline))

/* e^x to 1 ulp or so for x in [-87, 88], clamped outside (Cephes expf: Cody-Waite reduction by
 * ln 2 in two parts, polynomial of degree 6). */
INLINE float fast_exp(float x)
{
    x = x < -87.0F ? -87.0F : x;
    x = x > 88.0F ? 88.0F : x;
    const float magic = 12582912.0F; /* 1.5 * 2^23: adding it rounds to an integer */
    float shifted = x * 1.44269504F + magic;
    float whole = shifted - magic;
    float r = x - whole * 0.693359375F - whole * -2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    int32_t bits;
    memcpy(&bits, &p, sizeof bits);
    bits += (int32_t)whole * (1 << 23);
    memcpy(&p, &bits, sizeof p);
    return p;
}

INLINE float gelu(float x)
{
    float z = (x < 0 ? -x : x) * 0.70710678F;
    float t = 1.0F / (1.0F + 0.3275911F * z);
    float p = 1.061405429F;
    p = p * t - 1.453152027F;
    p = p * t + 1.421413741F;
    p = p * t - 0.284496736F;
    p = p * t + 0.254829592F;
    float half_erfc = 0.5F * p * t * fast_exp(-z * z);
    return x < 0 ? x * half_erfc : x - x * half_erfc;
}

INLINE float gelu_new(float x)
{
    float u = 0.79788456F * (x + 0.044715F * x * x * x);
    return x - x / (1.0F + fast_exp(2.0F * u)); /* x/2 (1 + tanh u) */
}

INLINE void activate_body(enum activation act, float *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i += WIDTH) {
        float *restrict b = x + i;
        if (act == ACT_GELU)
            for (int k = 0; k < WIDTH; k++)
                b[k] = gelu(b[k]);
        else if (act == ACT_GELU_NEW)
            for (int k = 0; k < WIDTH; k++)
                b[k] = gelu_new(b[k]);
        else
            for (int k = 0; k < WIDTH; k++)
                b[k] = b[k] > 0 ? b[k] : 0;
    }
}

/* Sum of the lanes, as a tree: the same order on every instruction set. */
INLINE float add_lanes(const float *a)
{
    float s[WIDTH / 2];
    for (int k = 0; k < 8; k++)
        s[k] = a[k] + a[k + 8];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

INLINE void softmax_body(float *restrict x, size_t n, float scale)
{
    size_t padded = kernel_pad(n);
    float top[WIDTH], sum[WIDTH] = { 0 };
    for (size_t i = n; i < padded; i++)
        x[i] = -1e30F; /* its part of the sum is below 1e-37 */
    memcpy(top, x, sizeof top);
    for (size_t i = WIDTH; i < padded; i += WIDTH)
        for (int k = 0; k < WIDTH; k++)
            top[k] = x[i + (size_t)k] > top[k] ? x[i + (size_t)k] : top[k];
    float max = top[0];
    for (int k = 1; k < WIDTH; k++)
        max = top[k] > max ? top[k] : max;
    for (size_t i = 0; i < padded; i += WIDTH) {
        float *restrict b = x + i;
        for (int k = 0; k < WIDTH; k++) {
            b[k] = fast_exp((b[k] - max) * scale);
            sum[k] += b[k];
        }
    }
    for (size_t i = n; i < padded; i++)
        x[i] = 0;
    float share = 1.0F / add_lanes(sum);
    for (size_t i = 0; i < padded; i += WIDTH) {
        float *restrict b = x + i;
        for (int k = 0; k < WIDTH; k++)
            b[k] *= share;
    }
}

INLINE void add_norm_body(float *restrict x, const float *restrict r,
                          const float *restrict gain, const float *restrict bias, float eps,
                          size_t n)
{
    float sum[WIDTH] = { 0 }, square[WIDTH] = { 0 };
    for (size_t i = 0; r && i < n; i += WIDTH)
        for (size_t k = 0; k < WIDTH; k++)
            x[i + k] += r[i + k];
    for (size_t i = 0; i < n; i += WIDTH)
        for (size_t k = 0; k < WIDTH; k++)
            sum[k] += x[i + k];
    float mean = add_lanes(sum) / (float)n;
    for (size_t i = 0; i < n; i += WIDTH)
        for (size_t k = 0; k < WIDTH; k++) {
            float d = x[i + k] - mean;
            square[k] += d * d;
        }
    float scale = 1.0F / sqrtf(add_lanes(square) / (float)n + eps);
    for (size_t i = 0; i < n; i += WIDTH)
        for (size_t k = 0; k < WIDTH; k++)
            x[i + k] = (x[i + k] - mean) * scale * gain[i + k] + bias[i + k];
}

void kernel_pack(size_t cols, const float *w, size_t n, size_t k, size_t ld, float *to)
{
    for (size_t j = 0; j < kernel_pad(n); j += cols, to += cols * k)
        for (size_t q = 0; q < k; q += WIDTH)
            for (size_t c = 0; c < cols; c++) {
                const float *from = w + (j + c) * ld;
                for (size_t i = q; i < k && i < q + WIDTH; i++)
                    to[i * cols + c] = j + c < n ? from[i] : 0;
            }
}

/* ---- the instruction sets ---- */

#define ROWS_6(F) F(0U) F(1U) F(2U) F(3U) F(4U) F(5U)
#define ROWS_12(F) ROWS_6(F) F(6U) F(7U) F(8U) F(9U) F(10U) F(11U)

typedef float vec4 __attribute__((vector_size(16)));
typedef float vec4_anywhere __attribute__((vector_size(16), aligned(4), may_alias));

#define ISA plain
#define TARGET
#define VEC vec4
#define LANES 4
#define ROWS 6
#define EACH_ROW ROWS_6
#define LOAD(p) ((vec4)(*(const vec4_anywhere *)(p)))
#define STORE(p, v) (*(vec4_anywhere *)(p) = (v))
#define SPLAT(x) ((x) - (vec4){ 0 })
#define FMA(x, y, z) ((x) * (y) + (z))
#include "multiply.inc"

#if defined(__x86_64__)
#define ISA avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VEC __m256
#define LANES 8
#define ROWS 6
#define EACH_ROW ROWS_6
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define SPLAT _mm256_set1_ps
#define FMA _mm256_fmadd_ps
#include "multiply.inc"

#define ISA avx512
#define TARGET __attribute__((target("avx512f")))
#define VEC __m512
#define LANES 16
#define ROWS 12
#define EACH_ROW ROWS_12
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps
#define SPLAT _mm512_set1_ps
#define FMA _mm512_fmadd_ps
#include "multiply.inc"
#endif

#define KERNELS(isa, columns, attribute)                                                       \
    attribute static void activate_##isa(enum activation act, float *x, size_t n)              \
    {                                                                                          \
        activate_body(act, x, n);                                                              \
    }                                                                                          \
    attribute static void softmax_##isa(float *x, size_t n, float scale)                       \
    {                                                                                          \
        softmax_body(x, n, scale);                                                             \
    }                                                                                          \
    attribute static void add_norm_##isa(float *x, const float *r, const float *gain,          \
                                         const float *bias, float eps, size_t n)               \
    {                                                                                          \
        add_norm_body(x, r, gain, bias, eps, n);                                               \
    }                                                                                          \
    static const struct kernels isa##_kernels = {                                              \
        #isa, columns, multiply_##isa, activate_##isa, softmax_##isa, add_norm_##isa           \
    }

KERNELS(plain, 8, );

#if defined(__x86_64__)
KERNELS(avx2, 16, __attribute__((target("avx2"))));
KERNELS(avx512, 32, __attribute__((target("avx512f"))));

const struct kernels *kernels_named(const char *name)
{
    if (strcmp(name, "avx512") == 0 && __builtin_cpu_supports("avx512f"))
        return &avx512_kernels;
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma"))
        return &avx2_kernels;
    return strcmp(name, "plain") == 0 ? &plain_kernels : NULL;
}
#else
const struct kernels *kernels_named(const char *name)
{
    return strcmp(name, "plain") == 0 ? &plain_kernels : NULL;
}
#endif

const struct kernels *kernels_best(void)
{
    static const char *const by_speed[] = { "avx512", "avx2" };
    for (size_t i = 0; i < ARRAY_LEN(by_speed); i++)
        if (kernels_named(by_speed[i]))
            return kernels_named(by_speed[i]);
    return &plain_kernels;
}
