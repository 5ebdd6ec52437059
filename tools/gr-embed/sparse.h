// SPDX-License-Identifier: MIT
/*
 * sparse.h — bags of pieces as a sparse matrix, and ridge regression on it
 */
#ifndef GR_SPARSE_H
#define GR_SPARSE_H

#include "gr.h"

/* (n rows, n_cols), rows [ends[i - 1], ends[i]) of col and value. The owner's arrays. */
struct sparse {
    size_t n, n_cols;
    size_t *ends;    /* (n) */
    int32_t *col;    /* (ends[n - 1]) */
    float *value;    /* (ends[n - 1]) */
    bool *is_hidden; /* (n) rows that count as zero; NULL: none */
};

/* out (n, dim) = B x, x (n_cols, dim); hidden rows give 0. dim a multiple of 16. */
void sparse_times(const struct sparse *b, const float *x, size_t dim, float *out);

/*
 * min |B x - r|^2 + lambda |x|^2 over x (n_cols, dim), r (n, dim): conjugate gradients on
 * (B^T B + lambda) x = B^T r from x = 0 (Hestenes & Stiefel 1952), one step length for all
 * columns, until the residual has shrunk by tolerance or n_steps are done. lambda > 0. One
 * thread, sums in a fixed order. Returns the steps taken. */
size_t sparse_ridge(const struct sparse *b, const float *r, size_t dim, double lambda,
                    double tolerance, size_t n_steps, float *x);

#endif
