// SPDX-License-Identifier: MIT
/*
 * kernels.h — the element-wise parts of a transformer: gelu, softmax, layer norm
 *
 * Written as plain C loops of a fixed 16 lanes, compiled for AVX-512, AVX2 and the baseline and
 * chosen when first used. Lanes are summed in one order, whatever the instruction set. Lengths
 * are multiples of KERNEL_LANES; rows that are shorter are padded by the caller.
 */
#ifndef GR_KERNELS_H
#define GR_KERNELS_H

#include "gr.h"

#define KERNEL_LANES 16

/* n rounded up to a multiple of KERNEL_LANES. */
static inline size_t kernel_pad(size_t n)
{
    return (n + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

enum activation {
    ACT_GELU, /* x/2 (1 + erf(x/sqrt 2)); erf by Abramowitz & Stegun 7.1.26, |error| < 1e-6 */
    ACT_GELU_NEW, /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), also "gelu_pytorch_tanh" */
    ACT_RELU,
};

struct kernels {
    const char *name; /* "avx512", "avx2" or "plain" */

    /* x[i] = act(x[i]); n a multiple of KERNEL_LANES. */
    void (*activate)(enum activation act, float *x, size_t n);

    /* Softmax over x[0 … n); the rest up to kernel_pad(n) is written 0. n > 0. */
    void (*softmax)(float *x, size_t n);

    /* x = (x - mean) / sqrt(variance + eps) * gain + bias over n elements. */
    void (*layer_norm)(float *x, const float *gain, const float *bias, float eps, size_t n);
};

/* The fastest set this processor runs. Thread-safe. */
const struct kernels *kernels_best(void);

/* One set by name, NULL when unknown or when this processor cannot run it: for tests. */
const struct kernels *kernels_named(const char *name);

#endif
