// SPDX-License-Identifier: MIT
/*
 * dense.h — exact search: the vectors with the largest cosine to each of some queries
 *
 * Every row has length 1, so the cosine is the inner product. Products are summed in 16 lanes
 * in the order of vec_dot, whatever the processor and the number of queries at a time: a score
 * has the same bits in every batch and with every --jobs.
 */
#ifndef DENSE_H
#define DENSE_H

#include "err.h"
#include "gr.h"
#include "topk.h"

/* The vectors of an index, borrowed; const and shared by all threads. */
struct dense {
    size_t n_rows, dim;
    size_t n_docs; /* row_doc and rank values are below it, or the row is skipped */
    const uint32_t
        *row_doc;         /* (n_rows) the document of each row; NULL: row i is of document i */
    const uint32_t *rank; /* (n_docs) place of each document's id in byte order: ties */
    const float *rows;    /* (n_rows, dim) row-major, or NULL: */
    const int8_t *bytes;  /* (n_rows, dim) standing for vectors (i8.h), or NULL: ask fetch */

    /* Make rows [from, from + n) in to[n * dim]; a row that cannot be read is all NaN. */
    void (*fetch)(void *ctx, size_t from, size_t n, float *to);
    void *ctx;
};

/* The document of a row < n_rows. */
static inline uint32_t dense_doc(const struct dense *d, size_t row)
{
    return d->row_doc ? d->row_doc[row] : (uint32_t)row;
}

/* Rows [from, from + n) as floats: a view, or made in to (n, dim). */
const float *dense_rows(const struct dense *d, size_t from, size_t n, float *to);

/* Rows whose scores are computed before they are offered: 128 rows of 384 floats and the
 * queries stay in the second-level cache. */
#define DENSE_TILE 128

/*
 * Offer every row to each query's heap: best[q] gets (cosine, rank[doc]). queries: (n_queries,
 * dim) row-major, each of length 1. skip: (n_docs) documents with skip[doc] != 0 are left out;
 * NULL: none. Rows that give NaN are left out. The heaps come initialised and are not sorted.
 * O(n_rows · dim · n_queries), one pass over the rows.
 */
void dense_search(const struct dense *d, const float *queries, size_t n_queries,
                  const unsigned char *skip, struct topk *best);

/* out[q * n + i] = <rows[i], queries[q]> for n rows; the same bits as vec_dot. */
void dense_dots(const float *rows, size_t n, size_t dim, const float *queries, size_t n_queries,
                float *out);

#endif
