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

#define STEP 64 /* elements of a full tile */

/* Which tile is what; the intrinsics of gcc 12 paste these into names of registers. */
#define SUMS_A 0
#define SUMS_B 1
#define ROWS 2
#define VECTORS_A 3
#define VECTORS_B 4
#define ROWS_REST 5
#define REST_A 6
#define REST_B 7

#define TILE_LOAD(tile, from, stride) _tile_loadd(tile, from, stride)
#define TILE_STORE(tile, to, stride) _tile_stored(tile, to, stride)
#define TILE_MULTIPLY(sums, rows, vectors) _tile_dpbsud(sums, rows, vectors)

#define AMX __attribute__((target("amx-tile,amx-int8")))

/* Shapes of the tiles: 16 rows of 64 bytes, or of what is left of the width. */
struct shapes {
    uint8_t palette, start, zero[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};

AMX static void set_shapes(size_t width)
{
    uint8_t rest = (uint8_t)(width % STEP);
    struct shapes s = { .palette = 1 };
    for (int i = 0; i < 8; i++) {
        s.row_bytes[i] = STEP;
        s.rows[i] = I8_AMX_ROWS;
    }
    if (rest) {
        s.row_bytes[ROWS_REST] = rest;
        s.rows[REST_A] = s.rows[REST_B] = rest / 4;
    }
    _tile_loadconfig(&s);
}

/* All rows with two blocks, or with one twice. */
AMX static void dots_of_two(const uint8_t *a, const uint8_t *b, size_t width,
                            const int8_t *rows, const int32_t *bias, int32_t *out_a,
                            int32_t *out_b, size_t stride)
{
    const size_t line = 4 * (size_t)I8_BLOCK;
    size_t j = 0;
    TILE_LOAD(SUMS_A, bias, line);
    TILE_LOAD(SUMS_B, bias, line);
    for (; j + STEP <= width; j += STEP) {
        TILE_LOAD(ROWS, rows + j, width);
        TILE_LOAD(VECTORS_A, a + j * I8_BLOCK, line);
        TILE_LOAD(VECTORS_B, b + j * I8_BLOCK, line);
        TILE_MULTIPLY(SUMS_A, ROWS, VECTORS_A);
        TILE_MULTIPLY(SUMS_B, ROWS, VECTORS_B);
    }
    if (j < width) {
        TILE_LOAD(ROWS_REST, rows + j, width);
        TILE_LOAD(REST_A, a + j * I8_BLOCK, line);
        TILE_LOAD(REST_B, b + j * I8_BLOCK, line);
        TILE_MULTIPLY(SUMS_A, ROWS_REST, REST_A);
        TILE_MULTIPLY(SUMS_B, ROWS_REST, REST_B);
    }
    TILE_STORE(SUMS_A, out_a, stride * sizeof *out_a);
    TILE_STORE(SUMS_B, out_b, stride * sizeof *out_b);
}

AMX void i8_amx_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                     int32_t *out, size_t stride)
{
    int32_t bias[I8_AMX_ROWS * I8_BLOCK];
    for (size_t r = 0; r < I8_AMX_ROWS; r++) {
        int32_t sum = 0;
        for (size_t j = 0; j < width; j++)
            sum += rows[r * width + j];
        for (size_t i = 0; i < I8_BLOCK; i++)
            bias[r * I8_BLOCK + i] = -I8_FLIP * sum;
    }
    set_shapes(width);
    for (size_t b = 0; b < n_blocks; b += 2) {
        size_t c = b + 1 < n_blocks ? b + 1 : b;
        dots_of_two(blocks + b * I8_BLOCK * width, blocks + c * I8_BLOCK * width, width, rows,
                    bias, out + b * I8_BLOCK, out + c * I8_BLOCK, stride);
    }
    _tile_release();
}

#else
void i8_amx_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                 int32_t *out, size_t stride)
{
    (void)blocks;
    (void)n_blocks;
    (void)width;
    (void)rows;
    (void)out;
    (void)stride;
}
#endif
