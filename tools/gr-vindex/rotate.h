// SPDX-License-Identifier: MIT
/*
 * rotate.h — a random rotation that spreads every vector evenly over its elements
 *
 * Three rounds of random signs and a fast Walsh–Hadamard transform (Ailon & Chazelle 2009;
 * Andoni et al. 2015), O(width · log width). A width that is no power of two is transformed in
 * two overlapping parts each round. Inner products and lengths stay as they are, but for
 * rounding.
 */
#ifndef ROTATE_H
#define ROTATE_H

#include "gr.h"

#define ROTATE_ROUNDS 3

struct rotation {
    size_t dim, width;
    float *signs; /* (ROTATE_ROUNDS, width) each 1 or -1; owned */
};

/* width: a multiple of 4, at least dim. The signs are the same for the same width. */
void rotation_init(struct rotation *r, size_t dim, size_t width);
void rotation_release(struct rotation *r);

/* out (width) = the rotated in (dim) followed by zeros. */
void rotation_apply(const struct rotation *r, const float *in, float *out);

#endif
