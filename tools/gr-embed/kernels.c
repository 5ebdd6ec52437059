// SPDX-License-Identifier: MIT
/*
 * kernels.c — one source for every instruction set: bodies are inlined into targeted wrappers
 */
#include "kernels.h"

#include <math.h>

#define LANES KERNEL_LANES
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
    for (size_t i = 0; i < n; i += LANES) {
        float *restrict b = x + i;
        if (act == ACT_GELU)
            for (int k = 0; k < LANES; k++)
                b[k] = gelu(b[k]);
        else if (act == ACT_GELU_NEW)
            for (int k = 0; k < LANES; k++)
                b[k] = gelu_new(b[k]);
        else
            for (int k = 0; k < LANES; k++)
                b[k] = b[k] > 0 ? b[k] : 0;
    }
}

/* Sum of the lanes, as a tree: the same order on every instruction set. */
INLINE float add_lanes(const float *a)
{
    float s[LANES / 2];
    for (int k = 0; k < 8; k++)
        s[k] = a[k] + a[k + 8];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

INLINE void softmax_body(float *restrict x, size_t n)
{
    size_t padded = kernel_pad(n);
    float top[LANES], sum[LANES] = { 0 };
    for (size_t i = n; i < padded; i++)
        x[i] = -1e30F;
    memcpy(top, x, sizeof top);
    for (size_t i = LANES; i < padded; i += LANES)
        for (int k = 0; k < LANES; k++)
            top[k] = x[i + (size_t)k] > top[k] ? x[i + (size_t)k] : top[k];
    float max = top[0];
    for (int k = 1; k < LANES; k++)
        max = top[k] > max ? top[k] : max;
    for (size_t i = 0; i < padded; i += LANES) {
        float *restrict b = x + i;
        for (int k = 0; k < LANES; k++) {
            b[k] = fast_exp(b[k] - max);
            sum[k] += b[k];
        }
    }
    for (size_t i = n; i < padded; i++) {
        sum[i % LANES] -= x[i];
        x[i] = 0;
    }
    float scale = 1.0F / add_lanes(sum);
    for (size_t i = 0; i < padded; i += LANES) {
        float *restrict b = x + i;
        for (int k = 0; k < LANES; k++)
            b[k] *= scale;
    }
}

INLINE void layer_norm_body(float *restrict x, const float *restrict gain,
                            const float *restrict bias, float eps, size_t n)
{
    float sum[LANES] = { 0 }, square[LANES] = { 0 };
    for (size_t i = 0; i < n; i += LANES)
        for (int k = 0; k < LANES; k++)
            sum[k] += x[i + (size_t)k];
    float mean = add_lanes(sum) / (float)n;
    for (size_t i = 0; i < n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            float d = x[i + (size_t)k] - mean;
            square[k] += d * d;
        }
    float scale = 1.0F / sqrtf(add_lanes(square) / (float)n + eps);
    for (size_t i = 0; i < n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            size_t j = i + (size_t)k;
            x[j] = (x[j] - mean) * scale * gain[j] + bias[j];
        }
}

#define KERNELS(isa, attribute)                                                                \
    attribute static void activate_##isa(enum activation act, float *x, size_t n)              \
    {                                                                                          \
        activate_body(act, x, n);                                                              \
    }                                                                                          \
    attribute static void softmax_##isa(float *x, size_t n)                                    \
    {                                                                                          \
        softmax_body(x, n);                                                                    \
    }                                                                                          \
    attribute static void layer_norm_##isa(float *x, const float *gain, const float *bias,     \
                                           float eps, size_t n)                                \
    {                                                                                          \
        layer_norm_body(x, gain, bias, eps, n);                                                \
    }                                                                                          \
    static const struct kernels isa##_kernels = { #isa, activate_##isa, softmax_##isa,         \
                                                  layer_norm_##isa }

KERNELS(plain, );

#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))));
KERNELS(avx512, __attribute__((target("avx512f"))));

const struct kernels *kernels_best(void)
{
    return __builtin_cpu_supports("avx512f") ? &avx512_kernels
           : __builtin_cpu_supports("avx2")  ? &avx2_kernels
                                             : &plain_kernels;
}

const struct kernels *kernels_named(const char *name)
{
    if (strcmp(name, "avx512") == 0 && __builtin_cpu_supports("avx512f"))
        return &avx512_kernels;
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2"))
        return &avx2_kernels;
    return strcmp(name, "plain") == 0 ? &plain_kernels : NULL;
}
#else
const struct kernels *kernels_best(void)
{
    return &plain_kernels;
}

const struct kernels *kernels_named(const char *name)
{
    return strcmp(name, "plain") == 0 ? &plain_kernels : NULL;
}
#endif
