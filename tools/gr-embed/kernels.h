// SPDX-License-Identifier: MIT
/*
 * kernels.h — the arithmetic of a transformer: matrix product, gelu, softmax, layer norm
 *
 * Compiled for AVX-512, AVX2 and the baseline, and chosen by asking the processor. A row of a
 * product has the same bits whatever other rows are computed with it: sums run over k in one
 * order, lanes are added in one order. Not OpenBLAS: its choice of kernel does not know newer
 * processors (5 times slower there), and it packs the weights again for each product, which is
 * most of the work for a short text.
 */
#ifndef GR_KERNELS_H
#define GR_KERNELS_H

#include "gr.h"

/* Sizes of layers are multiples of this, and rows are padded to it: two AVX-512 vectors. */
#define KERNEL_PAD 32

static inline size_t kernel_pad(size_t n)
{
    return (n + KERNEL_PAD - 1) / KERNEL_PAD * KERNEL_PAD;
}

enum activation {
    ACT_GELU, /* x/2 (1 + erf(x/sqrt 2)); erf by Abramowitz & Stegun 7.1.26, |error| < 1e-6 */
    ACT_GELU_NEW, /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), also "gelu_pytorch_tanh" */
    ACT_RELU,
};

/* C (m, n) = A (m, k) B (k, n) + bias. B comes in panels of `kernels.cols` columns: element
 * (i, j) is at b[j / cols * panel + i * ldb + j % cols]. n is a multiple of cols. */
struct product {
    size_t m, n, k;
    const float *a; /* row-major, rows lda apart */
    size_t lda;
    const float *b;
    size_t ldb, panel;
    const float *bias; /* (n), or NULL for 0 */
    float *c;          /* row-major, rows ldc apart; does not overlap a or b */
    size_t ldc;
};

struct kernels {
    const char *name; /* "avx512", "avx2" or "plain" */
    size_t cols;      /* columns of a panel; divides KERNEL_PAD */
    void (*multiply)(const struct product *p);

    /* x[i] = act(x[i]); n a multiple of KERNEL_PAD. */
    void (*activate)(enum activation act, float *x, size_t n);

    /* x = softmax(scale * x) over x[0 … n), scale > 0, n > 0; x[n … kernel_pad(n)) is written
     * 0. */
    void (*softmax)(float *x, size_t n, float scale);

    /* x = norm(x + r) * gain + bias over n elements, norm to mean 0 and variance 1 (eps inside
     * the root). r may be NULL. n a multiple of KERNEL_PAD. */
    void (*add_norm)(float *x, const float *r, const float *gain, const float *bias, float eps,
                     size_t n);
};

/* The fastest set this processor runs. Thread-safe. */
const struct kernels *kernels_best(void);

/* One set by name, NULL when unknown or when this processor cannot run it: for tests. */
const struct kernels *kernels_named(const char *name);

/* Turn the rows of W (n, k), ld apart, into panels of the columns of W^T: ldb = cols, panel =
 * cols * k. Columns up to kernel_pad(n) are 0. to: kernel_pad(n) * k floats. */
void kernel_pack(size_t cols, const float *w, size_t n, size_t k, size_t ld, float *to);

#endif
