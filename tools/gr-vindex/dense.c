// SPDX-License-Identifier: MIT
/*
 * dense.c — inner products by tiles, one source for every instruction set
 */
#include "dense.h"

#include <math.h>

#include "alloc.h"
#include "dense_batch.h"
#include "i8.h"
#include "isa.h"
#include "vec.h"

#define LANES 16
#define GROUP 4 /* queries that share one load of a row */

/* 16 floats at any address; the compiler splits it into the registers there are. */
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

/* The sum over lanes as vec_dot does it: the upper half on the lower, again and again. What
 * lands in the upper lanes on the way is not used. */
static inline __attribute__((always_inline)) float reduce(const lanes *sum)
{
    lanes a = *sum;
    a += __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    a += __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15);
    a += __builtin_shufflevector(a, a, 2, 3, 0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    a += __builtin_shufflevector(a, a, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return a[0];
}

/* Elements from dim rounded down to LANES on: one to each lane. */
static inline __attribute__((always_inline)) void add_tail(lanes *sum, const float *a,
                                                           const float *b, size_t n)
{
    float lane[LANES];
    memcpy(lane, sum, sizeof lane);
    for (size_t l = 0; l < n; l++) {
        float product = a[l] * b[l];
        lane[l] += product;
    }
    memcpy(sum, lane, sizeof lane);
}

/* One row with GROUP queries. Product and sum are two statements so that no compiler fuses them
 * (a fused multiply-add rounds once and would give other bits on other machines). */
static inline __attribute__((always_inline)) void
row_group(const float *row, size_t dim, const float *q, float *out, size_t stride)
{
    lanes s0 = { 0 }, s1 = { 0 }, s2 = { 0 }, s3 = { 0 };
    size_t i = 0;
    for (; i + LANES <= dim; i += LANES) {
        const lanes *a = (const lanes *)(row + i), *b = (const lanes *)(q + i);
        const lanes *c = (const lanes *)(q + dim + i), *d = (const lanes *)(q + 2 * dim + i);
        const lanes *e = (const lanes *)(q + 3 * dim + i);
        lanes p0 = *a * *b, p1 = *a * *c, p2 = *a * *d, p3 = *a * *e;
        s0 += p0;
        s1 += p1;
        s2 += p2;
        s3 += p3;
    }
    add_tail(&s0, row + i, q + i, dim - i);
    add_tail(&s1, row + i, q + dim + i, dim - i);
    add_tail(&s2, row + i, q + 2 * dim + i, dim - i);
    add_tail(&s3, row + i, q + 3 * dim + i, dim - i);
    out[0] = reduce(&s0);
    out[stride] = reduce(&s1);
    out[2 * stride] = reduce(&s2);
    out[3 * stride] = reduce(&s3);
}

static inline __attribute__((always_inline)) float row_one(const float *row, size_t dim,
                                                           const float *q)
{
    lanes s = { 0 };
    size_t i = 0;
    for (; i + LANES <= dim; i += LANES) {
        lanes p = *(const lanes *)(row + i) * *(const lanes *)(q + i);
        s += p;
    }
    add_tail(&s, row + i, q + i, dim - i);
    return reduce(&s);
}

static inline __attribute__((always_inline)) void dots(const float *rows, size_t n, size_t dim,
                                                       const float *queries, size_t n_queries,
                                                       float *out)
{
    size_t q = 0;
    for (; q + GROUP <= n_queries; q += GROUP)
        for (size_t i = 0; i < n; i++)
            row_group(rows + i * dim, dim, queries + q * dim, out + q * n + i, n);
    for (; q < n_queries; q++)
        for (size_t i = 0; i < n; i++)
            out[q * n + i] = row_one(rows + i * dim, dim, queries + q * dim);
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void dots_avx512(const float *rows, size_t n,
                                                           size_t dim, const float *queries,
                                                           size_t n_queries, float *out)
{
    dots(rows, n, dim, queries, n_queries, out);
}

__attribute__((target("avx2"))) static void dots_avx2(const float *rows, size_t n, size_t dim,
                                                      const float *queries, size_t n_queries,
                                                      float *out)
{
    dots(rows, n, dim, queries, n_queries, out);
}
#endif

void dense_dots(const float *rows, size_t n, size_t dim, const float *queries, size_t n_queries,
                float *out)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        dots_avx512(rows, n, dim, queries, n_queries, out);
        return;
    }
    if (isa == ISA_AVX2) {
        dots_avx2(rows, n, dim, queries, n_queries, out);
        return;
    }
#endif
    dots(rows, n, dim, queries, n_queries, out);
}

size_t dense_row(const struct dense *d, size_t doc)
{
    size_t lo = 0, hi = d->n_rows;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (dense_doc(d, mid) == doc)
            return mid;
        if (dense_doc(d, mid) < doc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return SIZE_MAX;
}

const float *dense_rows(const struct dense *d, size_t from, size_t n, float *to)
{
    if (d->rows)
        return d->rows + from * d->dim;
    if (d->bytes)
        for (size_t i = 0; i < n; i++)
            i8_to_unit(d->bytes + (from + i) * d->dim, d->dim, to + i * d->dim);
    else
        d->fetch(d->ctx, from, n, to);
    return to;
}

void dense_offer(const struct dense *d, size_t row, float score, const unsigned char *skip,
                 struct topk *best)
{
    if (isnan(score) || (best->n == best->k && best->k && (double)score < best->items[0].score))
        return;
    uint32_t doc = dense_doc(d, row);
    if (doc < d->n_docs && d->rank[doc] < d->n_docs && !(skip && skip[doc]))
        topk_push(best, (double)score, d->rank[doc]);
}

/* Offer the scores (n) of rows [from, from + n) to one heap. */
static void offer(const struct dense *d, size_t from, size_t n, const float *scores,
                  const unsigned char *skip, struct topk *best)
{
    for (size_t i = 0; i < n; i++)
        dense_offer(d, from + i, scores[i], skip, best);
}

void dense_search(const struct dense *d, const float *queries, size_t n_queries,
                  const unsigned char *skip, struct topk *best)
{
    if (!n_queries || !d->n_rows)
        return;
    if (n_queries >= DENSE_BATCH_QUERIES && d->n_rows >= DENSE_BATCH_ROWS &&
        d->dim <= DENSE_BATCH_DIM) {
        dense_batch_search(d, queries, n_queries, skip, best);
        return;
    }
    float *scores = alloc_array(n_queries * DENSE_TILE, sizeof *scores);
    float *tile = d->rows ? NULL : alloc_array(DENSE_TILE * d->dim, sizeof *tile);
    for (size_t from = 0; from < d->n_rows; from += DENSE_TILE) {
        size_t n = d->n_rows - from < DENSE_TILE ? d->n_rows - from : DENSE_TILE;
        const float *rows = dense_rows(d, from, n, tile);
        dense_dots(rows, n, d->dim, queries, n_queries, scores);
        for (size_t q = 0; q < n_queries; q++)
            offer(d, from, n, scores + q * n, skip, &best[q]);
    }
    free(tile);
    free(scores);
}
