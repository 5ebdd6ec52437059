// SPDX-License-Identifier: MIT
/*
 * sample.h — queries that approximate search is measured with, and their exact neighbours
 *
 * Some are rows of the index, which are not their own neighbours; others are unlike the rows.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "ivf.h"
#include "kmeans.h"

enum kind { BETWEEN_ROWS, ROW_AND_NOISE, NOISE, ROW, N_KINDS };

struct sample {
    size_t n;             /* a multiple of 16 */
    size_t n_near;        /* the first are rows of the index, the others are not */
    size_t k;             /* neighbours wanted */
    float *queries;       /* (n, dim) */
    uint32_t *row;        /* (n_near) */
    uint8_t *blocks;      /* (n / 16) blocks of the rotated queries' bytes */
    float *scales;        /* (n) */
    float *kth;           /* (n) exact score of the k-th neighbour */
    uint32_t *neighbours; /* (n, k) rows */
};

/* n_each rows, as far as there are so many, and half as many other queries. Seeded. */
void sample_make(struct sample *s, const struct ivf *x, const float *rows, size_t k,
                 size_t n_each);
void sample_release(struct sample *s);

enum kind sample_kind(const struct sample *s, size_t i);

/* Fill kth and neighbours; bytes: the rotated rows. The same for any number of jobs. O(s->n ·
 * n_rows · width). */
void sample_find_neighbours(struct sample *s, const struct ivf *x, const float *rows,
                            const struct i8_rows *bytes, unsigned jobs);

#endif
