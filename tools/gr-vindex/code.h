// SPDX-License-Identifier: MIT
/*
 * code.h — residuals in one or two bits an element, and blocks of 32 of them
 *
 * A row x of list c is c + r. The residual r becomes a code: v, of the elements ±1, or ±.4528
 * and ±1.510, the best two and four levels for normal values (Lloyd–Max), which is what a
 * rotated residual's elements are like. As in RaBitQ (Gao & Long, SIGMOD 2024) the factor
 * f = <r,r> / <v,r> makes f·v an estimate of r without bias for directions not known
 * beforehand; taking q - c for q where the code is wrong makes its error smaller:
 *     <q,x> ≈ <q,c> + f·<q,v> + b        b = <c,r> - f·<c,v>
 * The standard deviation of the estimate is about code_error · |r| · |q - c| / √width.
 */
#ifndef CODE_H
#define CODE_H

#include "gr.h"

#define CODE_BLOCK 32 /* rows side by side */

/* The least multiple that the code's layout needs. bits: 1 or 2. */
size_t code_width(size_t dim, unsigned bits);

/* Half bytes of one row's code; even. */
static inline size_t code_nibbles(size_t width, unsigned bits)
{
    return width * bits / 4;
}

/*
 * A block: for each pair of half bytes (2p, 2p + 1) 32 bytes, one a row, the even one in the
 * low half; then for the 32 rows half floats: f and b.
 */
static inline size_t code_block_size(size_t width, unsigned bits)
{
    return code_nibbles(width, bits) / 2 * CODE_BLOCK + 2 * CODE_BLOCK * sizeof(uint16_t);
}

/* sd of <v·f - r, u> for a random u of length √width, by |r|. */
float code_error(unsigned bits);

/* Write the code of residual r (width) of a list with centroid c into a slot (< 32) of a
 * cleared block; returns <r,r>. */
float code_put(uint8_t *block, size_t slot, const float *r, const float *c, size_t width,
               unsigned bits);

/* Tables of one query. */
struct code_table {
    uint8_t *lut; /* (nibbles + 2) · 32 bytes, 64-aligned; the caller's */
    size_t n_pairs;
    float step, base; /* <q,v> ≈ step · sum of entries + base */
};

/* Fill lut, step and base for query q (width). Entries are 0 … 63. Entry z of nibble m is at
 * code_lut_at(m) + z, and once more 16 bytes on. */
void code_table_make(struct code_table *t, const float *q, size_t width, unsigned bits);

/* Two pairs stand together, for registers of 64 bytes: even nibbles, then odd ones. */
static inline size_t code_lut_at(size_t m)
{
    return m / 4 * 128 + (m & 1) * 64 + (m & 2) * 16;
}

static inline size_t code_lut_size(size_t n_pairs)
{
    return (n_pairs + 1) / 2 * 128;
}

/*
 * est[32 n + i] = cq + b[i] + f[i] · <q,v[i]> for the 32 rows of each block n. Bit i of
 * above[n]: that is above thr. Sums are whole numbers, and each float operation is rounded: the
 * same bits by every instruction set. next: blocks that are scanned after these, fetched
 * meanwhile; any address will do.
 */
void code_scan(const struct code_table *t, const uint8_t *blocks, size_t n_blocks,
               const uint8_t *next, float cq, float thr, float *est, uint32_t *above);

#endif
