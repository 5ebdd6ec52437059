// SPDX-License-Identifier: MIT
/*
 * kernels_impl.h — what the files behind kernels.h share
 *
 * Packed matrices and rows are described in kernels.h. Every instruction set has one function
 * of each kind, compiled from one .inc file or with constant flags.
 */
#ifndef GR_KERNELS_IMPL_H
#define GR_KERNELS_IMPL_H

#include "kernels.h"

#define PANEL 16 /* rows of W side by side */
#define INLINE static inline __attribute__((always_inline))

/* Numbers in a unit of 4 bytes, and units of a row (int8 rows are filled up to 64 with 0). */
INLINE size_t unit_numbers(enum form form)
{
    return form == FORM_F32 ? 1 : form == FORM_BF16 ? 2 : 4;
}

INLINE size_t row_units(enum form form, size_t k)
{
    return form == FORM_F32 ? k : form == FORM_BF16 ? k / 2 : (k + 63) / 64 * 16;
}

/* One product of float32 matrices: A (m, k) rows lda apart; element (q, j) of B at
 * b[j / PANEL * panel + q * ldb + j % PANEL]; bias (n) or NULL; C rows ldc apart. */
struct gemm {
    size_t m, n, k;
    const float *a;
    size_t lda;
    const float *b;
    size_t ldb, panel;
    const float *bias;
    float *c;
    size_t ldc;
    enum activation act;
};

/* float32 attention: queries at once, and keys rounded up to what gemm takes. */
#define ATTEND_ROWS 24

INLINE size_t attend_keys(size_t n)
{
    return (n + KERNEL_PAD - 1) / KERNEL_PAD * KERNEL_PAD;
}

/* What is behind the numbers of an int8 row. */
struct row_scale {
    float scale;
    int32_t zero;
};

INLINE const struct row_scale *row_scale_of(const void *row, size_t k)
{
    return (const struct row_scale *)((const char *)row + 4 * row_units(FORM_INT8, k));
}

/* Behind the panels of an int8 matrix of n rows of k. */
INLINE const float *weight_scales(const void *w, size_t n, size_t k)
{
    return (const float *)((const char *)w + 4 * n * row_units(FORM_INT8, k));
}

INLINE const int32_t *weight_sums(const void *w, size_t n, size_t k)
{
    return (const int32_t *)(weight_scales(w, n, k) + n);
}

/* Sets by instruction set, defined where the file's name says; NULL-named ones do not exist. */
extern const struct kernels kernels_f32_plain, kernels_int8_plain;
#if defined(__x86_64__)
extern const struct kernels kernels_f32_avx2, kernels_f32_avx512;
extern const struct kernels kernels_bf16_avx512, kernels_bf16_amx;
extern const struct kernels kernels_int8_avx2, kernels_int8_avxvnni, kernels_int8_vnni,
    kernels_int8_amx;
#endif

/* The parts of a float32 set that other sets take over: kernels_f32.c. */
void attend_plain(const struct attention *a);
void add_norm_plain(float *x, const float *r, const float *gain, const float *bias, float eps,
                    size_t n);
void quantise_plain(const float *x, size_t n, void *row);
void turn_plain(const char *rows, size_t n, size_t ld, size_t units, char *to);
#if defined(__x86_64__)
void attend_avx2(const struct attention *a);
void attend_avx512(const struct attention *a);
void add_norm_avx2(float *x, const float *r, const float *gain, const float *bias, float eps,
                   size_t n);
void add_norm_avx512(float *x, const float *r, const float *gain, const float *bias, float eps,
                     size_t n);
void quantise_avx2(const float *x, size_t n, void *row);
void quantise_avx512(const float *x, size_t n, void *row);
void turn_avx512(const char *rows, size_t n, size_t ld, size_t units, char *to);
void encode_bf16(const float *x, size_t n, void *row);
#endif

#endif
