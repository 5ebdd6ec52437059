// SPDX-License-Identifier: MIT
/*
 * dense_batch.h — exact search for many queries at once: bytes first, floats where these cannot
 * tell
 *
 * A row x is x' + e with x' = scale · bytes, a query q is q' + f likewise. Then
 *     <q,x> <= <q',x'> + |e| |q| + |x'| |f|
 * The first term is a product of whole numbers, which costs a fraction of one of floats, the
 * lengths are known. Only where this bound reaches the k-th best so far is the product of
 * floats computed, by dense_dots: the hits and every bit of their scores are those of
 * dense_search.
 */
#ifndef DENSE_BATCH_H
#define DENSE_BATCH_H

#include "dense.h"

/* From so many queries and rows on it is faster; up to so many dimensions the bound allows for
 * rounding. */
#define DENSE_BATCH_DIM 4096
#define DENSE_BATCH_QUERIES 48
#define DENSE_BATCH_ROWS 2048

/* As dense_search. */
void dense_batch_search(const struct dense *d, const float *queries, size_t n_queries,
                        const unsigned char *skip, struct topk *best);

/* Offer one row's score for a query, unless it is left out. */
void dense_offer(const struct dense *d, size_t row, float score, const unsigned char *skip,
                 struct topk *best);

#endif
