// SPDX-License-Identifier: MIT
/*
 * i8_amx.c — tiles of 16 rows and of 16 vectors side by side, 64 elements at a time
 *
 * A block (i8.h) is in the order in which the instruction wants its second operand. Stored
 * bytes count 128 too much for each of the row's: the sums begin with what takes that off.
 */
#include "i8_amx.h"

#include "i8.h"

#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>

#define STEP 64     /* elements of a full tile */
#define BIAS_ROWS 2 /* groups of rows at a time */

/* Which tile is what: sums of two groups of 16 rows with two blocks. The intrinsics of gcc 12
 * paste these into names of registers. */
#define SUMS_RA 0
#define SUMS_RB 1
#define SUMS_SA 2
#define SUMS_SB 3
#define ROWS_R 4
#define ROWS_S 5
#define VECTORS_A 6
#define VECTORS_B 7

#define TILE_LOAD(tile, from, stride) _tile_loadd(tile, from, stride)
#define TILE_STORE(tile, to, stride) _tile_stored(tile, to, stride)
#define TILE_MULTIPLY(sums, rows, vectors) _tile_dpbsud(sums, rows, vectors)

#define AMX __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512vnni")))

/* Shapes of the tiles: 16 rows of `step` bytes, a multiple of 4. */
struct shapes {
    uint8_t palette, start, zero[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};

AMX static void set_shapes(size_t step)
{
    struct shapes s = { .palette = 1 };
    for (int i = 0; i < 8; i++) {
        s.row_bytes[i] = STEP;
        s.rows[i] = I8_AMX_ROWS;
    }
    s.row_bytes[ROWS_R] = s.row_bytes[ROWS_S] = (uint16_t)step;
    s.rows[VECTORS_A] = s.rows[VECTORS_B] = (uint8_t)(step / 4);
    _tile_loadconfig(&s);
}

/* Two groups of rows and two blocks, or one of them twice, and where their sums stand. */
struct square {
    const int8_t *r, *s;
    const uint8_t *a, *b;
    int32_t *ra, *rb, *sa, *sb;
};

/* Add the products of the elements from … to, `step` at a time. bias: what the sums begin with,
 * a row of 16 numbers for each row of r and of s; NULL: with what they are. */
AMX static inline __attribute__((always_inline)) void
add_products(const struct square *q, size_t width, size_t from, size_t to, size_t step,
             const int32_t *bias, size_t stride)
{
    const size_t line = 4 * (size_t)I8_BLOCK, out = stride * sizeof(int32_t);
    if (bias) {
        const int32_t *bias_s = bias + I8_AMX_ROWS * I8_BLOCK;
        TILE_LOAD(SUMS_RA, bias, line);
        TILE_LOAD(SUMS_RB, bias, line);
        TILE_LOAD(SUMS_SA, bias_s, line);
        TILE_LOAD(SUMS_SB, bias_s, line);
    } else {
        TILE_LOAD(SUMS_RA, q->ra, out);
        TILE_LOAD(SUMS_RB, q->rb, out);
        TILE_LOAD(SUMS_SA, q->sa, out);
        TILE_LOAD(SUMS_SB, q->sb, out);
    }
    for (size_t j = from; j < to; j += step) {
        TILE_LOAD(ROWS_R, q->r + j, width);
        TILE_LOAD(VECTORS_A, q->a + j * I8_BLOCK, line);
        TILE_LOAD(VECTORS_B, q->b + j * I8_BLOCK, line);
        TILE_LOAD(ROWS_S, q->s + j, width);
        TILE_MULTIPLY(SUMS_RA, ROWS_R, VECTORS_A);
        TILE_MULTIPLY(SUMS_RB, ROWS_R, VECTORS_B);
        TILE_MULTIPLY(SUMS_SA, ROWS_S, VECTORS_A);
        TILE_MULTIPLY(SUMS_SB, ROWS_S, VECTORS_B);
    }
    TILE_STORE(SUMS_RA, q->ra, out);
    TILE_STORE(SUMS_RB, q->rb, out);
    TILE_STORE(SUMS_SA, q->sa, out);
    TILE_STORE(SUMS_SB, q->sb, out);
}

AMX static void fill_bias(const int8_t *row, size_t width, int32_t *bias)
{
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sum = _mm512_setzero_si512();
    for (size_t j = 0; j < width; j += STEP) {
        __mmask64 m = width - j >= STEP ? ~(__mmask64)0 : ((__mmask64)1 << (width - j)) - 1;
        sum = _mm512_dpbusd_epi32(sum, ones, _mm512_maskz_loadu_epi8(m, row + j));
    }
    _mm512_store_si512(bias, _mm512_set1_epi32(-I8_FLIP * _mm512_reduce_add_epi32(sum)));
}

AMX void i8_amx_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                     size_t n_rows, int32_t *out, size_t stride)
{
    const size_t size = I8_BLOCK * width, full = width / STEP * STEP;
    _Alignas(64) int32_t bias[BIAS_ROWS * I8_AMX_ROWS * I8_BLOCK];
    for (size_t i = 0; i < n_rows; i += BIAS_ROWS * I8_AMX_ROWS) {
        size_t next = i + I8_AMX_ROWS < n_rows ? i + I8_AMX_ROWS : i;
        for (size_t r = 0; r < I8_AMX_ROWS; r++) {
            fill_bias(rows + (i + r) * width, width, bias + r * I8_BLOCK);
            fill_bias(rows + (next + r) * width, width, bias + (I8_AMX_ROWS + r) * I8_BLOCK);
        }
        for (size_t from = 0, step; from < width; from += step) {
            size_t to = from < full ? full : width;
            step = from < full ? STEP : width - full;
            set_shapes(step);
            for (size_t b = 0; b < n_blocks; b += 2) {
                size_t c = b + 1 < n_blocks ? b + 1 : b;
                int32_t *r = out + i * stride, *s = out + next * stride;
                struct square q = { rows + i * width,  rows + next * width, blocks + b * size,
                                    blocks + c * size, r + b * I8_BLOCK,    r + c * I8_BLOCK,
                                    s + b * I8_BLOCK,  s + c * I8_BLOCK };
                add_products(&q, width, from, to, step, from ? NULL : bias, stride);
            }
            from = to - step;
        }
    }
    _tile_release();
}

#else
void i8_amx_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                 size_t n_rows, int32_t *out, size_t stride)
{
    (void)n_rows;
    (void)blocks;
    (void)n_blocks;
    (void)width;
    (void)rows;
    (void)out;
    (void)stride;
}
#endif
