// SPDX-License-Identifier: MIT
/*
 * ivf_code.h — rows of a list as codes: when an index is made, and again when it is verified
 */
#ifndef IVF_CODE_H
#define IVF_CODE_H

#include "gr.h"

/* One list's centroid, and scratch. */
struct ivf_encoder {
    size_t width;
    unsigned bits;
    float *c, *r;         /* (width) centroid, residual */
    float *row, *rotated; /* (dim), (width) for the caller */
    int8_t *bytes;        /* (width) for the caller */
};

void ivf_encoder_init(struct ivf_encoder *e, size_t dim, size_t width, unsigned bits);
void ivf_encoder_release(struct ivf_encoder *e);

/* Turn to list k. cent: blocks of i8.h; scale: of each centroid. */
void ivf_encoder_set(struct ivf_encoder *e, const uint8_t *cent, const float *scale, size_t k);

/* Write a row's code into a slot of a cleared block; returns |x - c|². */
float ivf_encode(struct ivf_encoder *e, const int8_t *bytes, float scale, uint8_t *block,
                 size_t slot);

#endif
