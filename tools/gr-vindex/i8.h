// SPDX-License-Identifier: MIT
/*
 * i8.h — vectors of signed bytes with one scale, and their inner products in whole numbers
 *
 * A vector is about scale · byte, each byte from -127 to 127, so the error of an element is at
 * most scale / 2. Sums are exact: every instruction set gives the same number.
 */
#ifndef I8_H
#define I8_H

#include "gr.h"

#define I8_BLOCK 16  /* vectors side by side in a block */
#define I8_FLIP 0x80 /* stored bytes have this bit turned over: 1 … 255 */

/* Round x (width) to bytes: x ≈ scale · to. The scale is at least max |x| / 127. */
void i8_from_float(const float *x, size_t width, float scale, int8_t *to);

/* max |x|. */
float i8_largest(const float *x, size_t width);

/*
 * A block holds 16 vectors of `width` bytes (a multiple of 4), turned over (I8_FLIP), so that
 * four elements of each stand together: byte (j / 4) · 64 + lane · 4 + j mod 4.
 */
void i8_block_put(uint8_t *block, size_t lane, const int8_t *x, size_t width);

/* Element j of a lane. */
static inline int i8_block_at(const uint8_t *block, size_t lane, size_t j)
{
    return block[j / 4 * 4 * I8_BLOCK + lane * 4 + j % 4] - I8_FLIP;
}

/*
 * out[r * n_blocks * 16 + b * 16 + lane] = <rows[r], vector `lane` of block b>. rows: (n_rows,
 * width). O(n_rows · n_blocks · 16 · width).
 */
void i8_block_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                   size_t n_rows, int32_t *out);

/* <a, b>; a is turned over. */
int32_t i8_dot(const uint8_t *a, const int8_t *b, size_t width);

/* A row as scale · bytes, and how far that is from it. */
struct i8_rounded {
    float scale, off, length; /* off = |x - scale · bytes|, length = |x| */
};
struct i8_rounded i8_round_row(const float *x, size_t width, int8_t *to);

/*
 * Rows of length 1 as bytes: rounded with the largest element at 127, they stand for the vector
 * of length 1 in their direction. So no scale is kept, and rounding what i8_to_unit gives
 * returns the same bytes.
 */

/* The scale with which the bytes have length 1; 0 for bytes that are all zero. */
float i8_unit_scale(const int8_t *x, size_t width);

/* Round to bytes, as above; returns their i8_unit_scale. */
float i8_from_unit(const float *x, size_t width, int8_t *to);

/* The vector of length 1 that the bytes stand for. */
void i8_to_unit(const int8_t *x, size_t width, float *to);

#endif
