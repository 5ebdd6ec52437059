// SPDX-License-Identifier: MIT
/*
 * lapack.h — two solvers of LAPACKE, loaded when first called
 *
 * Loaded, not linked: starting OpenBLAS takes longer than a query, and only `distill` needs it.
 * One thread, so that the numbers do not depend on how many processors there are.
 */
#ifndef GR_LAPACK_H
#define GR_LAPACK_H

#include "err.h"
#include "gr.h"

/* Eigenvectors of a symmetric matrix a (n, n), replaced by them: row i is the one of the i-th
 * smallest eigenvalue, values (n). */
int lapack_eigen(double *a, size_t n, double *values, struct err *err);

/* Solve a X = b, a (n, n) symmetric positive definite, destroyed; b (n, m) row-major, replaced
 * by X. */
int lapack_solve(double *a, size_t n, double *b, size_t m, struct err *err);

#endif
