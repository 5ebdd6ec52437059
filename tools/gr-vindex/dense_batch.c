// SPDX-License-Identifier: MIT
/*
 * dense_batch.c — bounds by bytes, scores by floats
 */
#include "dense_batch.h"

#include <math.h>

#include "alloc.h"
#include "i8.h"
#include "isa.h"

#define ROWS_A_TIME                                                                            \
    64 /* products of 64 rows and 256 queries stay in the second-level cache                   \
        */

/* What rounding in the bound itself, in the score and in the bar may add up to, for vectors of
 * length 1: some 30 operations of 2^-24 each, and sums of at most 256 products a lane. */
#define ROUNDING 1e-4f

typedef float lanes __attribute__((vector_size(I8_BLOCK * sizeof(float)), aligned(4)));
typedef int32_t lanes_i32
    __attribute__((vector_size(I8_BLOCK * sizeof(int32_t)), aligned(4), may_alias));

struct batch {
    const struct dense *d;
    const float *queries;
    const unsigned char *skip;
    struct topk *best;
    size_t n, n_blocks, width; /* queries, blocks of 16, bytes of a row */
    uint8_t *blocks;           /* (n_blocks) of i8.h */
    float *scale, *off;        /* (16 · n_blocks) */
    float *bar;                /* (16 · n_blocks) the k-th best, less than any: fewer than k */
};

static void batch_init(struct batch *b, const struct dense *d, const float *queries, size_t n,
                       const unsigned char *skip, struct topk *best)
{
    *b = (struct batch){ d, queries, skip, best, n };
    b->n_blocks = (n + I8_BLOCK - 1) / I8_BLOCK;
    b->width = (d->dim + 3) / 4 * 4;
    b->blocks = alloc_huge(b->n_blocks * I8_BLOCK * b->width);
    memset(b->blocks, I8_FLIP, b->n_blocks * I8_BLOCK * b->width);
    b->scale = alloc_zero(3 * b->n_blocks * I8_BLOCK, sizeof *b->scale);
    b->off = b->scale + b->n_blocks * I8_BLOCK;
    b->bar = b->off + b->n_blocks * I8_BLOCK;
    int8_t *bytes = alloc_zero(b->width, 1);
    for (size_t q = 0; q < b->n_blocks * I8_BLOCK; q++)
        b->bar[q] = INFINITY; /* of those that fill the last block */
    for (size_t q = 0; q < n; q++) {
        struct i8_rounded r = i8_round_row(queries + q * d->dim, d->dim, bytes);
        i8_block_put(b->blocks + q / I8_BLOCK * I8_BLOCK * b->width, q % I8_BLOCK, bytes,
                     b->width);
        b->scale[q] = r.scale;
        b->off[q] = r.off;
        b->bar[q] = best[q].n < best[q].k ? -INFINITY : (float)best[q].items[0].score;
    }
    free(bytes);
}

/* Which of the 16 queries of a block the row may be a hit of. What is no number may. */
static inline __attribute__((always_inline)) uint32_t
may_be_hits(const struct batch *b, size_t block, const int32_t *dots, struct i8_rounded row)
{
    size_t first = block * I8_BLOCK;
    lanes_i32 dot;
    lanes scale, off, bar;
    memcpy(&dot, dots, sizeof dot);
    memcpy(&scale, b->scale + first, sizeof scale);
    memcpy(&off, b->off + first, sizeof off);
    memcpy(&bar, b->bar + first, sizeof bar);
    lanes most = __builtin_convertvector(dot, lanes) * (scale * row.scale);
    most += off * (row.length + row.off) + (row.off + ROUNDING);
    lanes_i32 is_out = (lanes_i32)(most < bar);
    uint64_t parts[I8_BLOCK / 2], all = ~(uint64_t)0;
    memcpy(parts, &is_out, sizeof parts);
    for (size_t i = 0; i < I8_BLOCK / 2; i++)
        all &= parts[i];
    if (all == ~(uint64_t)0)
        return 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < I8_BLOCK; i++)
        bits |= (uint32_t)!is_out[i] << i;
    return bits;
}

static void score_hits(struct batch *b, size_t block, uint32_t bits, size_t row, const float *x)
{
    const struct dense *d = b->d;
    uint32_t doc = dense_doc(d, row);
    if (doc >= d->n_docs || (b->skip && b->skip[doc]))
        return;
    for (; bits; bits &= bits - 1) {
        size_t q = block * I8_BLOCK + (unsigned)__builtin_ctz(bits);
        float score;
        if (q >= b->n)
            return;
        dense_dots(x, 1, d->dim, b->queries + q * d->dim, 1, &score);
        dense_offer(d, row, score, b->skip, &b->best[q]);
        if (b->best[q].k && b->best[q].n == b->best[q].k)
            b->bar[q] = (float)b->best[q].items[0].score;
    }
}

static inline __attribute__((always_inline)) void look(struct batch *b, size_t from, size_t n,
                                                       const float *rows, const int32_t *dots,
                                                       const struct i8_rounded *rounded)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < b->n_blocks; k++) {
            const int32_t *of = dots + (i * b->n_blocks + k) * I8_BLOCK;
            uint32_t bits = may_be_hits(b, k, of, rounded[i]);
            if (bits)
                score_hits(b, k, bits, from + i, rows + i * b->d->dim);
        }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void look_avx512(struct batch *b, size_t from,
                                                           size_t n, const float *rows,
                                                           const int32_t *dots,
                                                           const struct i8_rounded *rounded)
{
    look(b, from, n, rows, dots, rounded);
}

__attribute__((target("avx2"))) static void look_avx2(struct batch *b, size_t from, size_t n,
                                                      const float *rows, const int32_t *dots,
                                                      const struct i8_rounded *rounded)
{
    look(b, from, n, rows, dots, rounded);
}
#endif

static void look_at_rows(struct batch *b, size_t from, size_t n, const float *rows,
                         const int32_t *dots, const struct i8_rounded *rounded)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        look_avx512(b, from, n, rows, dots, rounded);
        return;
    }
    if (isa == ISA_AVX2) {
        look_avx2(b, from, n, rows, dots, rounded);
        return;
    }
#endif
    look(b, from, n, rows, dots, rounded);
}

void dense_batch_search(const struct dense *d, const float *queries, size_t n_queries,
                        const unsigned char *skip, struct topk *best)
{
    struct batch b;
    batch_init(&b, d, queries, n_queries, skip, best);
    float *tile = d->rows ? NULL : alloc_array(ROWS_A_TIME * d->dim, sizeof *tile);
    int8_t *bytes = alloc_zero(ROWS_A_TIME, b.width);
    int32_t *dots = alloc_array(ROWS_A_TIME * b.n_blocks * I8_BLOCK, sizeof *dots);
    struct i8_rounded rounded[ROWS_A_TIME];
    for (size_t from = 0; from < d->n_rows; from += ROWS_A_TIME) {
        size_t n = d->n_rows - from < ROWS_A_TIME ? d->n_rows - from : ROWS_A_TIME;
        const float *rows = dense_rows(d, from, n, tile);
        for (size_t i = 0; i < n; i++)
            rounded[i] = i8_round_row(rows + i * d->dim, d->dim, bytes + i * b.width);
        i8_block_dots(b.blocks, b.n_blocks, b.width, bytes, n, dots);
        look_at_rows(&b, from, n, rows, dots, rounded);
    }
    free(dots);
    free(bytes);
    free(tile);
    free(b.scale);
    free(b.blocks);
}
