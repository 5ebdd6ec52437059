// SPDX-License-Identifier: MIT
/*
 * kernels.h — the arithmetic of a transformer: products, attention, activation, layer norm
 *
 * Three precisions, each compiled for several instruction sets and chosen by asking the
 * processor:
 *   f32   float32 throughout: AVX-512, AVX2, plain C
 *   bf16  operands of products rounded to bfloat16, sums in float32: AMX (attention too),
 *         AVX512-BF16
 *   int8  weights int8 with a scale for each row of W, operands uint8 with a scale and a zero
 *         for each row, sums exact in int32: AMX, AVX512-VNNI, AVX-VNNI, AVX2, plain C
 * A row of any result has the same bits whatever other rows are computed with it: sums run over
 * k in one order, lanes are added in one order.
 *
 * Not OpenBLAS: its choice of kernel does not know newer processors (5 times slower there), and
 * it packs the weights again for each product, which is most of the work for a short text.
 */
#ifndef GR_KERNELS_H
#define GR_KERNELS_H

#include "gr.h"

/* Sizes of layers and heads are multiples of this. */
#define KERNEL_PAD 32

/* Products and attention may read (and ignore) this many rows behind the last row of their
 * operand, so an array of rows has as many more. */
#define KERNEL_SPARE 31

enum precision {
    PRECISION_AUTO, /* bf16 where the processor has AMX, else f32 */
    PRECISION_F32,
    PRECISION_BF16,
    PRECISION_INT8,
};

/* "auto", "f32", "bf16" or "int8". */
const char *precision_name(enum precision precision);

/* How the numbers of a row are kept. */
enum form {
    FORM_F32,
    FORM_BF16,
    FORM_INT8, /* uint8 q, then float scale and int32 zero: number = scale * (q - zero) */
};

enum activation {
    ACT_NONE,
    ACT_GELU, /* x/2 (1 + erf(x/sqrt 2)): |error| < 1e-6 in f32, < 1e-4 where bf16 follows */
    ACT_GELU_NEW, /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), also "gelu_pytorch_tanh" */
    ACT_RELU,
};

/* C (m, n) = act(A (m, k) W^T + bias), with W (n, k) packed by kernel_pack. */
struct product {
    size_t m, n, k;    /* n and k multiples of KERNEL_PAD */
    const void *a;     /* rows of the set's `input` form */
    size_t lda;        /* bytes from row to row, a multiple of 64 */
    const void *w;     /* 64-byte aligned */
    const float *bias; /* (n) */
    enum activation act;
    void *c; /* rows of form `out`; no overlap with a */
    size_t ldc;
    enum form out; /* FORM_F32, or the set's `heads` or `middle` form */
};

/* Softmax(Q K^T / sqrt d) V for each head of one text. */
struct attention {
    size_t n, heads, d; /* tokens; d a multiple of KERNEL_PAD */
    const void *qkv;    /* n rows of [query | key | value], heads * d each, of form `heads` */
    size_t ld;          /* bytes from row to row, a multiple of 64 */
    void *out;          /* n rows of heads * d, of form `middle` */
    size_t ld_out;
    void *work; /* kernel_attend_work(n, d) bytes, 64-byte aligned */
};

struct kernels {
    const char *name; /* "bf16 amx" */
    enum precision precision;
    enum form input;  /* rows that multiply reads */
    enum form heads;  /* rows that attend reads */
    enum form middle; /* what attend and the product before the activation write */

    void (*multiply)(const struct product *p);
    void (*attend)(const struct attention *a);

    /* Put n numbers (a multiple of KERNEL_PAD) into a row of form `input`; NULL when that is
     * FORM_F32. */
    void (*encode)(const float *x, size_t n, void *row);

    /* 16 rows of `units` units of 4 bytes (a multiple of 16), ld bytes apart, become `units`
     * rows of 16; rows from n on are 0. */
    void (*turn)(const char *rows, size_t n, size_t ld, size_t units, char *to);

    /* x = norm(x + r) * gain + bias over n elements, norm to mean 0 and variance 1 (eps inside
     * the root). r may be NULL. n a multiple of KERNEL_PAD. */
    void (*add_norm)(float *x, const float *r, const float *gain, const float *bias, float eps,
                     size_t n);
};

/* The fastest set of this precision that this processor runs: NULL when it has none for bf16
 * (auto, f32 and int8 always have one). Thread-safe. */
const struct kernels *kernels_best(enum precision precision);

/* Every set of this processor in turn, i = 0, 1, …; NULL at the end: for tests and checks. */
const struct kernels *kernels_at(size_t i);

/* Bytes from one row of n numbers to the next: an odd number of cache lines, as rows at a power
 * of two would share the few sets of the first-level cache. */
size_t kernel_stride(enum form form, size_t n);

/* Bytes of a packed matrix of n rows of k, a multiple of 64. */
size_t kernel_packed(enum form form, size_t n, size_t k);

/* Pack rows from … from+rows-1 of W (n, k), given as float32 without gaps, for the products of
 * a set into `to`; from and
 * rows are multiples of 16. Panels of 16 rows; in a panel, units of 4 bytes (1 float, 2 bf16, 4
 * int8) that follow each other in k, the same unit of the 16 rows side by side. int8 has float
 * scales (n) and int32 sums of the rows (n) behind all panels. */
void kernel_pack(const struct kernels *set, const float *w, size_t n, size_t k, size_t from,
                 size_t rows, void *to);

/* Bytes of `work` that attention needs for up to n tokens. */
size_t kernel_attend_work(size_t n, size_t d);

#endif
