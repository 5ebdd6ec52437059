// SPDX-License-Identifier: MIT
/*
 * sparse.c — products and conjugate gradients
 */
#include "sparse.h"

#include "alloc.h"

#define LANES 16

/* y += a x, n a multiple of LANES. */
static void add_scaled(float *restrict y, float a, const float *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            y[i + j] += a * x[i + j];
}

/* x = y + a x. */
static void scale_add(float *restrict x, float a, const float *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            x[i + j] = y[i + j] + a * x[i + j];
}

/* In 16 lanes of float a block, blocks in double. */
static double dot(const float *x, const float *y, size_t n)
{
    double sum = 0;
    for (size_t from = 0; from < n; from += 64 * LANES) {
        float lanes[LANES] = { 0 };
        size_t to = from + 64 * LANES < n ? from + 64 * LANES : n;
        for (size_t i = from; i < to; i += LANES)
            for (size_t j = 0; j < LANES; j++)
                lanes[j] += x[i + j] * y[i + j];
        for (size_t j = 0; j < LANES; j++)
            sum += (double)lanes[j];
    }
    return sum;
}

void sparse_times(const struct sparse *b, const float *x, size_t dim, float *out)
{
    memset(out, 0, b->n * dim * sizeof *out);
    for (size_t i = 0, k = 0; i < b->n; k = b->ends[i++])
        for (; k < b->ends[i] && !(b->is_hidden && b->is_hidden[i]); k++)
            add_scaled(out + i * dim, b->value[k], x + (size_t)b->col[k] * dim, dim);
}

/* out (n_cols, dim) = B^T r */
static void times_transposed(const struct sparse *b, const float *r, size_t dim, float *out)
{
    memset(out, 0, b->n_cols * dim * sizeof *out);
    for (size_t i = 0, k = 0; i < b->n; k = b->ends[i++])
        for (; k < b->ends[i] && !(b->is_hidden && b->is_hidden[i]); k++)
            add_scaled(out + (size_t)b->col[k] * dim, b->value[k], r + i * dim, dim);
}

size_t sparse_ridge(const struct sparse *b, const float *r, size_t dim, double lambda,
                    double tolerance, size_t n_steps, float *x)
{
    size_t n = b->n_cols * dim, step = 0;
    float *rest = alloc_array(n, sizeof *rest), *p = alloc_array(n, sizeof *p);
    float *q = alloc_array(n, sizeof *q), *bp = alloc_array(b->n * dim, sizeof *bp);
    memset(x, 0, n * sizeof *x);
    times_transposed(b, r, dim, rest);
    memcpy(p, rest, n * sizeof *p);
    double first = dot(rest, rest, n), now = first;
    while (step < n_steps && now > tolerance * tolerance * first) {
        sparse_times(b, p, dim, bp);
        times_transposed(b, bp, dim, q);
        add_scaled(q, (float)lambda, p, n);
        double along = dot(p, q, n);
        if (!(along > 0))
            break;
        float alpha = (float)(now / along);
        add_scaled(x, alpha, p, n);
        add_scaled(rest, -alpha, q, n);
        double next = dot(rest, rest, n);
        scale_add(p, (float)(next / now), rest, n);
        now = next;
        step++;
    }
    free(rest);
    free(p);
    free(q);
    free(bp);
    return step;
}
