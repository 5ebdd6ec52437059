// SPDX-License-Identifier: MIT
/*
 * sample.c — queries of several kinds, products with all rows by bytes
 */
#include "sample.h"

#include <math.h>

#include "alloc.h"
#include "i8.h"
#include "isa.h"
#include "par.h"
#include "rng.h"
#include "topk.h"
#include "vec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Neighbours by bytes from which the best k by floats are taken. */
#define DEPTH(k) ((k) + (k) / 2 + 25)
#define SEED 2
#define ROWS_A_RANGE 4096
#define ROWS_A_TIME 32
#define BLOCKS_A_TIME 16 /* products of 32 rows and 256 queries stay near */

typedef float lanes __attribute__((vector_size(I8_BLOCK * sizeof(float)), aligned(4)));
typedef int32_t lanes_i32
    __attribute__((vector_size(I8_BLOCK * sizeof(int32_t)), aligned(4), may_alias));

/* ---- queries ---- */

static void normal_pair(struct rng *rng, float *x)
{
    /* The sum of 12 uniform values is near enough to normal, and the same everywhere. */
    for (size_t i = 0; i < 2; i++) {
        double sum = -6;
        for (size_t j = 0; j < 12; j++)
            sum += rng_unit(rng);
        x[i] = (float)sum;
    }
}

/* The kinds in turn. Noise is much the same everywhere and has the whole index searched: few
 * such queries say enough. */
static enum kind far_kind(size_t i)
{
    static const enum kind kinds[] = { BETWEEN_ROWS, ROW_AND_NOISE, NOISE,
                                       BETWEEN_ROWS, ROW_AND_NOISE, BETWEEN_ROWS };
    return kinds[i % ARRAY_LEN(kinds)];
}

static void make_far(struct rng *rng, const float *rows, size_t n_rows, size_t dim,
                     enum kind kind, float *q)
{
    const float *a = rows + rng_below(rng, n_rows) * dim;
    const float *b = rows + rng_below(rng, n_rows) * dim;
    float pair[2], by = 1 / sqrtf((float)dim);
    for (size_t j = 0; j < dim; j++) {
        if (kind != BETWEEN_ROWS && j % 2 == 0)
            normal_pair(rng, pair);
        float other = kind == BETWEEN_ROWS ? b[j] : pair[j % 2] * by;
        q[j] = kind == NOISE ? other : a[j] + other;
    }
    if (!vec_normalise(q, dim))
        memcpy(q, a, dim * sizeof *q);
}

enum kind sample_kind(const struct sample *s, size_t i)
{
    return i < s->n_near ? ROW : far_kind(i);
}

void sample_make(struct sample *s, const struct ivf *x, const float *rows, size_t k,
                 size_t n_each)
{
    struct rng rng = { SEED };
    size_t dim = x->dim, n = n_each < x->n_rows ? n_each : x->n_rows;
    float *rotated = alloc_array(x->width, sizeof *rotated);
    int8_t *bytes = alloc_array(x->width, sizeof *bytes);
    *s = (struct sample){ .n_near = n, .k = k < x->n_rows - 1 ? k : x->n_rows - 1 };
    s->n = (n + n_each / 2 + I8_BLOCK - 1) / I8_BLOCK * I8_BLOCK;
    s->queries = alloc_array(s->n, dim * sizeof *s->queries);
    s->row = alloc_array(n, sizeof *s->row);
    s->blocks = alloc_huge(s->n * x->width);
    s->scales = alloc_array(s->n, sizeof *s->scales);
    s->kth = alloc_array(s->n, sizeof *s->kth);
    s->neighbours = alloc_array(s->n * s->k + 1, sizeof *s->neighbours);
    for (size_t i = 0; i < s->n; i++) {
        float *q = s->queries + i * dim;
        if (i < n) {
            size_t from = x->n_rows * i / n, to = x->n_rows * (i + 1) / n;
            s->row[i] = (uint32_t)(from + rng_below(&rng, to - from));
            memcpy(q, rows + s->row[i] * dim, dim * sizeof *q);
        } else
            make_far(&rng, rows, x->n_rows, dim, far_kind(i), q);
        rotation_apply(&x->rotation, q, rotated);
        s->scales[i] = i8_largest(rotated, x->width) / 127;
        i8_from_float(rotated, x->width, s->scales[i], bytes);
        i8_block_put(s->blocks + i / I8_BLOCK * I8_BLOCK * x->width, i % I8_BLOCK, bytes,
                     x->width);
    }
    free(bytes);
    free(rotated);
}

void sample_release(struct sample *s)
{
    free(s->queries);
    free(s->row);
    free(s->blocks);
    free(s->scales);
    free(s->kth);
    free(s->neighbours);
}

/* ---- exact neighbours ---- */

struct finding {
    const struct sample *s;
    const struct i8_rows *bytes;
    struct topk *best; /* (jobs, n) */
    float *bar;        /* (jobs, n) score of the worst kept */
};

/* Which of 16 · n_blocks scores are above their bars, a bit each. */
static inline __attribute__((always_inline)) void
find_above(const int32_t *dots, size_t n_blocks, const float *scales, const float *bar,
           float row_scale, uint16_t *above)
{
    for (size_t b = 0; b < n_blocks; b++) {
        lanes_i32 dot;
        lanes scale, least;
        memcpy(&dot, dots + b * I8_BLOCK, sizeof dot);
        memcpy(&scale, scales + b * I8_BLOCK, sizeof scale);
        memcpy(&least, bar + b * I8_BLOCK, sizeof least);
        scale *= row_scale;
        lanes_i32 is_above = (lanes_i32)(__builtin_convertvector(dot, lanes) * scale > least);
        uint64_t parts[I8_BLOCK / 2], any = 0;
        unsigned bits = 0;
        memcpy(parts, &is_above, sizeof parts);
        for (size_t i = 0; i < I8_BLOCK / 2; i++)
            any |= parts[i];
        for (size_t i = 0; any && i < I8_BLOCK; i++)
            bits |= (unsigned)(is_above[i] & 1) << i;
        above[b] = (uint16_t)bits;
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void
find_above_avx512(const int32_t *dots, size_t n_blocks, const float *scales, const float *bar,
                  float row_scale, uint16_t *above)
{
    const __m512 by = _mm512_set1_ps(row_scale);
    for (size_t b = 0; b < n_blocks; b++) {
        size_t at = b * I8_BLOCK;
        __m512 dot = _mm512_cvtepi32_ps(_mm512_loadu_si512(dots + at));
        __m512 score = _mm512_mul_ps(dot, _mm512_mul_ps(_mm512_loadu_ps(scales + at), by));
        above[b] = _mm512_cmp_ps_mask(score, _mm512_loadu_ps(bar + at), _CMP_GT_OQ);
    }
}

__attribute__((target("avx2"))) static void
find_above_avx2(const int32_t *dots, size_t n_blocks, const float *scales, const float *bar,
                float row_scale, uint16_t *above)
{
    find_above(dots, n_blocks, scales, bar, row_scale, above);
}
#endif

static void are_above(const int32_t *dots, size_t n_blocks, const float *scales,
                      const float *bar, float row_scale, uint16_t *above)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        find_above_avx512(dots, n_blocks, scales, bar, row_scale, above);
        return;
    }
    if (isa == ISA_AVX2) {
        find_above_avx2(dots, n_blocks, scales, bar, row_scale, above);
        return;
    }
#endif
    find_above(dots, n_blocks, scales, bar, row_scale, above);
}

/* Offer a row to the queries of some blocks. */
static void offer_row(const struct finding *f, struct topk *best, float *bar, size_t block,
                      size_t n_blocks, const int32_t *dots, size_t row)
{
    const struct sample *s = f->s;
    const size_t first = block * I8_BLOCK;
    uint16_t above[BLOCKS_A_TIME];
    are_above(dots, n_blocks, s->scales + first, bar + first, f->bytes->scales[row], above);
    for (size_t b = 0; b < n_blocks; b++)
        for (unsigned bits = above[b]; bits; bits &= bits - 1) {
            size_t i = b * I8_BLOCK + (unsigned)__builtin_ctz(bits);
            struct topk *t = &best[first + i];
            float scale = s->scales[first + i] * f->bytes->scales[row];
            topk_push(t, (double)((float)dots[i] * scale), row);
            if (t->n == t->k)
                bar[first + i] = (float)t->items[0].score;
        }
}

static void find_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    const struct finding *f = ctx;
    const struct sample *s = f->s;
    const size_t width = f->bytes->width, n_blocks = s->n / I8_BLOCK;
    struct topk *best = f->best + worker * s->n;
    float *bar = f->bar + worker * s->n;
    _Alignas(64) int32_t dots[ROWS_A_TIME * BLOCKS_A_TIME * I8_BLOCK];
    for (size_t row = from; row < to; row += ROWS_A_TIME) {
        size_t n = to - row < ROWS_A_TIME ? to - row : ROWS_A_TIME;
        for (size_t b = 0; b < n_blocks; b += BLOCKS_A_TIME) {
            size_t nb = n_blocks - b < BLOCKS_A_TIME ? n_blocks - b : BLOCKS_A_TIME;
            i8_block_dots(s->blocks + b * I8_BLOCK * width, nb, width,
                          f->bytes->bytes + row * width, n, dots);
            for (size_t i = 0; i < n; i++)
                offer_row(f, best, bar, b, nb, dots + i * nb * I8_BLOCK, row + i);
        }
    }
}

/* The k neighbours of query i: the best by bytes of all workers, whoever had which rows, put in
 * order by floats. */
static void keep_neighbours(const struct sample *s, const struct ivf *x, const float *rows,
                            const struct topk *best, unsigned jobs, size_t i)
{
    struct topk exact, all;
    topk_init(&exact, s->k);
    topk_init(&all, DEPTH(s->k));
    for (unsigned job = 0; job < jobs; job++) {
        const struct topk *t = &best[job * s->n + i];
        for (size_t j = 0; j < t->n; j++)
            topk_push(&all, t->items[j].score, t->items[j].ord);
    }
    for (size_t j = 0; j < all.n; j++) {
        size_t row = all.items[j].ord;
        float score;
        if (i < s->n_near && row == s->row[i])
            continue;
        dense_dots(rows + row * x->dim, 1, x->dim, s->queries + i * x->dim, 1, &score);
        topk_push(&exact, (double)score, row);
    }
    s->kth[i] = exact.n ? (float)exact.items[0].score : -INFINITY;
    for (size_t j = 0; j < s->k; j++)
        s->neighbours[i * s->k + j] = (uint32_t)exact.items[j].ord;
    topk_release(&exact);
    topk_release(&all);
}

void sample_find_neighbours(struct sample *s, const struct ivf *x, const float *rows,
                            const struct i8_rows *bytes, unsigned jobs)
{
    struct finding f = { .s = s, .bytes = bytes };
    f.best = alloc_array(jobs * s->n, sizeof *f.best);
    f.bar = alloc_array(jobs * s->n, sizeof *f.bar);
    for (size_t i = 0; i < jobs * s->n; i++) {
        topk_init(&f.best[i], DEPTH(s->k));
        f.bar[i] = -INFINITY;
    }
    par_ranges(bytes->n, ROWS_A_RANGE, jobs, find_range, &f);
    for (size_t i = 0; i < s->n; i++)
        keep_neighbours(s, x, rows, f.best, jobs, i);
    for (size_t i = 0; i < jobs * s->n; i++)
        topk_release(&f.best[i]);
    free(f.bar);
    free(f.best);
}
