// SPDX-License-Identifier: MIT
/*
 * kmeans.h — lists of near rows: k-means (Lloyd 1982) on vectors of bytes
 *
 * A centroid is what its bytes and scale say, not the mean they were rounded from: nothing is
 * lost by keeping bytes alone. Products are whole numbers and sums have a fixed order, so that
 * the result is the same for any number of threads and any processor.
 */
#ifndef KMEANS_H
#define KMEANS_H

#include "gr.h"

/* Rows as bytes with a scale each, borrowed. */
struct i8_rows {
    size_t n, width;
    const int8_t *bytes; /* (n, width) */
    const float *scales; /* (n) > 0 */
};

/* Centroids; n is a multiple of 16. */
struct centroids {
    size_t n, width;
    uint8_t *blocks; /* (n / 16) blocks (i8.h); owned */
    float *scales;   /* (n) owned */
    float *norms;    /* (n) squared length; owned */
};

/* n centroids by `rounds` rounds over the rows. Seeded: the same every time. O(rounds · rows.n
 * · n · width). */
void kmeans(struct centroids *c, const struct i8_rows *rows, size_t n, unsigned rounds,
            unsigned jobs);
void centroids_release(struct centroids *c);

/* to[i] = the centroid nearest to row i, the first of equals. */
void centroids_assign(const struct centroids *c, const struct i8_rows *rows, unsigned jobs,
                      uint32_t *to);

/*
 * For rows of length 1 (i8_from_unit): to[i] = the centroid with the least |x - c|² +
 * SOAR_LAMBDA · <x - c, u>², u being the direction of x - first[i], and not first[i] itself:
 * far along u is where the first one's code errs (Sun et al., NeurIPS 2023, "SOAR").
 */
void centroids_assign_again(const struct centroids *c, const struct i8_rows *rows,
                            const uint32_t *first, unsigned jobs, uint32_t *to);

/* Row numbers ordered by list, ascending within each: at[k] … at[k + 1] are those of list k.
 * at: (n_lists + 1); order: (n). */
void lists_of(const uint32_t *list, size_t n, size_t n_lists, uint32_t *at, uint32_t *order);

#endif
