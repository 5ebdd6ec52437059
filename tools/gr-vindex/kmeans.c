// SPDX-License-Identifier: MIT
/*
 * kmeans.c — assignment by blocks, means list by list
 */
#include "kmeans.h"

#include <math.h>

#include "alloc.h"
#include "i8.h"
#include "isa.h"
#include "par.h"
#include "rng.h"
#include "vec.h"

#define ROWS_A_TIME 32
#define BLOCKS_A_TIME 16 /* products of 32 rows and 256 centroids stay near */
#define LISTS_A_RANGE 16
#define ROWS_A_RANGE 1024
#define SEED 1

typedef float lanes __attribute__((vector_size(I8_BLOCK * sizeof(float)), aligned(4)));
typedef int32_t lanes_i32
    __attribute__((vector_size(I8_BLOCK * sizeof(int32_t)), aligned(4), may_alias));
typedef int8_t lanes_i8 __attribute__((vector_size(I8_BLOCK)));

/* ---- the nearest centroid ---- */

/* The best so far of one row, in 16 lanes. */
struct nearest {
    lanes score;
    lanes_i32 index;
};

/* |x - c|² is least where s·<bytes>·scale - |c|²/2 is largest, s being the row's scale. */
static inline __attribute__((always_inline)) void
take_blocks(const struct centroids *c, size_t block, size_t n_blocks, const int32_t *dots,
            float half_by_scale, struct nearest *best)
{
    const lanes_i32 step = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    for (size_t b = 0; b < n_blocks; b++) {
        size_t first = (block + b) * I8_BLOCK;
        lanes scale, norm;
        lanes_i32 dot;
        memcpy(&scale, c->scales + first, sizeof scale);
        memcpy(&norm, c->norms + first, sizeof norm);
        memcpy(&dot, dots + b * I8_BLOCK, sizeof dot);
        lanes score = __builtin_convertvector(dot, lanes) * scale;
        norm *= half_by_scale;
        score -= norm;
        lanes_i32 is_better = (lanes_i32)(score > best->score);
        best->score =
            (lanes)(((lanes_i32)score & is_better) | ((lanes_i32)best->score & ~is_better));
        best->index = ((step + (int32_t)first) & is_better) | (best->index & ~is_better);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void
take_avx512(const struct centroids *c, size_t block, size_t n_blocks, const int32_t *dots,
            float half_by_scale, struct nearest *best)
{
    take_blocks(c, block, n_blocks, dots, half_by_scale, best);
}

__attribute__((target("avx2"))) static void take_avx2(const struct centroids *c, size_t block,
                                                      size_t n_blocks, const int32_t *dots,
                                                      float half_by_scale, struct nearest *best)
{
    take_blocks(c, block, n_blocks, dots, half_by_scale, best);
}
#endif

static void take(const struct centroids *c, size_t block, size_t n_blocks, const int32_t *dots,
                 float half_by_scale, struct nearest *best)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        take_avx512(c, block, n_blocks, dots, half_by_scale, best);
        return;
    }
    if (isa == ISA_AVX2) {
        take_avx2(c, block, n_blocks, dots, half_by_scale, best);
        return;
    }
#endif
    take_blocks(c, block, n_blocks, dots, half_by_scale, best);
}

/* The best lane, the smaller index of equals. */
static uint32_t reduce(const struct nearest *best)
{
    float score[I8_BLOCK];
    int32_t index[I8_BLOCK];
    memcpy(score, &best->score, sizeof score);
    memcpy(index, &best->index, sizeof index);
    size_t at = 0;
    for (size_t i = 1; i < I8_BLOCK; i++)
        if (score[i] > score[at] || (score[i] == score[at] && index[i] < index[at]))
            at = i;
    return (uint32_t)index[at];
}

struct assigning {
    const struct centroids *c;
    const struct i8_rows *rows;
    uint32_t *to;
};

static void assign_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    const struct assigning *a = ctx;
    const struct centroids *c = a->c;
    const size_t n_blocks = c->n / I8_BLOCK, width = c->width;
    _Alignas(64) int32_t dots[ROWS_A_TIME * BLOCKS_A_TIME * I8_BLOCK];
    (void)worker;
    for (size_t row = from; row < to; row += ROWS_A_TIME) {
        size_t n = to - row < ROWS_A_TIME ? to - row : ROWS_A_TIME;
        struct nearest best[ROWS_A_TIME];
        for (size_t i = 0; i < n; i++) {
            best[i].score = (lanes){ 0 } - 1e30f;
            best[i].index = (lanes_i32){ 0 };
        }
        for (size_t b = 0; b < n_blocks; b += BLOCKS_A_TIME) {
            size_t nb = n_blocks - b < BLOCKS_A_TIME ? n_blocks - b : BLOCKS_A_TIME;
            i8_block_dots(c->blocks + b * I8_BLOCK * width, nb, width,
                          a->rows->bytes + row * width, n, dots);
            for (size_t i = 0; i < n; i++)
                take(c, b, nb, dots + i * nb * I8_BLOCK, 0.5f / a->rows->scales[row + i],
                     &best[i]);
        }
        for (size_t i = 0; i < n; i++)
            a->to[row + i] = reduce(&best[i]);
    }
}

void centroids_assign(const struct centroids *c, const struct i8_rows *rows, unsigned jobs,
                      uint32_t *to)
{
    struct assigning a = { c, rows, to };
    par_ranges(rows->n, ROWS_A_RANGE, jobs, assign_range, &a);
}

/* ---- the second nearest ---- */

#define SOAR_LAMBDA 1.0f

struct again {
    struct assigning a;
    const uint32_t *first, *at, *order; /* rows by their first list, see lists_of */
};

/* Scratch of one range of lists: some rows together, and products with all centroids. */
struct soar {
    int8_t *rows;         /* (ROWS_A_TIME, width) */
    int32_t *dots, *of;   /* (ROWS_A_TIME, c->n) of rows, (LISTS_A_RANGE, c->n) of centroids */
    const int32_t *first; /* (c->n) in `of`: those of the row's first centroid */
    float scale, inverse; /* of the row, of |r|, r being the row less that centroid */
    float first_scale, along; /* along: <x, r> / |r| */
};

/* What the row's residual is like. A residual's product with c is <x,c> - <first,c>. */
static void residual_of(const struct again *g, struct soar *s, size_t row, size_t slot,
                        size_t from)
{
    const struct centroids *c = g->a.c;
    const size_t k = g->first[row];
    s->scale = g->a.rows->scales[row];
    s->first_scale = c->scales[k];
    s->first = s->of + (k - from) * c->n;
    float square = s->scale > 0 ? 1 : 0;
    float with_first = (float)s->dots[slot * c->n + k] * (s->scale * s->first_scale);
    float along = square - with_first, off = along - with_first + c->norms[k];
    s->inverse = off > 1e-12f ? 1 / sqrtf(off) : 0;
    s->along = along * s->inverse;
}

/* The best of all centroids for one row; first of equals. As products of scores, so that the
 * largest is the best. */
static inline __attribute__((always_inline)) void take_again(const struct again *g,
                                                             const struct soar *s, size_t row,
                                                             size_t slot, struct nearest *best)
{
    const lanes_i32 step = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    const struct centroids *c = g->a.c;
    const int32_t *dots = s->dots + slot * c->n, *of = s->first;
    const lanes_i32 first = step * 0 + (int32_t)g->first[row];
    best->score = (lanes){ 0 } - 1e30f;
    best->index = step * 0;
    for (size_t k = 0; k < c->n; k += I8_BLOCK) {
        lanes scale, norm;
        lanes_i32 dot, first_dot;
        memcpy(&scale, c->scales + k, sizeof scale);
        memcpy(&norm, c->norms + k, sizeof norm);
        memcpy(&dot, dots + k, sizeof dot);
        memcpy(&first_dot, of + k, sizeof first_dot);
        lanes near = __builtin_convertvector(dot, lanes) * scale;
        lanes part = __builtin_convertvector(first_dot, lanes) * scale;
        near = near * s->scale;
        part = part * s->first_scale;
        part = near - part;
        part = part * s->inverse;
        part = s->along - part;
        near = near + near;
        part = part * part;
        part = part * SOAR_LAMBDA;
        near = near - norm;
        near = near - part;
        lanes_i32 index = step + (int32_t)k;
        lanes_i32 is_better = (lanes_i32)(near > best->score);
        lanes_i32 apart = index ^ first; /* 0: the first itself; its sign bit fills the lane */
        is_better &= (apart | -apart) >> 31;
        best->score =
            (lanes)(((lanes_i32)near & is_better) | ((lanes_i32)best->score & ~is_better));
        best->index = (index & is_better) | (best->index & ~is_better);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void again_avx512(const struct again *g,
                                                            const struct soar *s, size_t row,
                                                            size_t slot, struct nearest *best)
{
    take_again(g, s, row, slot, best);
}

__attribute__((target("avx2"))) static void again_avx2(const struct again *g,
                                                       const struct soar *s, size_t row,
                                                       size_t slot, struct nearest *best)
{
    take_again(g, s, row, slot, best);
}
#endif

static uint32_t choose_again(const struct again *g, const struct soar *s, size_t row,
                             size_t slot)
{
    struct nearest best;
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        again_avx512(g, s, row, slot, &best);
        return reduce(&best);
    }
    if (isa == ISA_AVX2) {
        again_avx2(g, s, row, slot, &best);
        return reduce(&best);
    }
#endif
    take_again(g, s, row, slot, &best);
    return reduce(&best);
}

/* The rows in lists from … to, 16 of them at most: by the products of their centroids. */
static void again_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    const struct again *g = ctx;
    const struct centroids *c = g->a.c;
    const size_t n_blocks = c->n / I8_BLOCK, width = c->width;
    struct soar s = { .rows = alloc_huge(ROWS_A_TIME * width),
                      .dots = alloc_huge(ROWS_A_TIME * c->n * sizeof(int32_t)),
                      .of = alloc_huge(LISTS_A_RANGE * c->n * sizeof(int32_t)) };
    (void)worker;
    for (size_t k = from; k < to; k++)
        for (size_t j = 0; j < width; j++)
            s.rows[(k - from) * width + j] = (int8_t)i8_block_at(
                c->blocks + k / I8_BLOCK * I8_BLOCK * width, k % I8_BLOCK, j);
    i8_block_dots(c->blocks, n_blocks, width, s.rows, to - from, s.of);
    for (size_t at = g->at[from]; at < g->at[to]; at += ROWS_A_TIME) {
        size_t n = g->at[to] - at < ROWS_A_TIME ? g->at[to] - at : ROWS_A_TIME;
        for (size_t i = 0; i < n; i++)
            memcpy(s.rows + i * width, g->a.rows->bytes + g->order[at + i] * width, width);
        i8_block_dots(c->blocks, n_blocks, width, s.rows, n, s.dots);
        for (size_t i = 0; i < n; i++) {
            size_t row = g->order[at + i];
            residual_of(g, &s, row, i, from);
            g->a.to[row] = choose_again(g, &s, row, i);
        }
    }
    free(s.rows);
    free(s.dots);
    free(s.of);
}

void centroids_assign_again(const struct centroids *c, const struct i8_rows *rows,
                            const uint32_t *first, unsigned jobs, uint32_t *to)
{
    uint32_t *at = alloc_zero(c->n + 1, sizeof *at),
             *order = alloc_array(rows->n, sizeof *order);
    struct again g = { { c, rows, to }, first, at, order };
    lists_of(first, rows->n, c->n, at, order);
    par_ranges(c->n, LISTS_A_RANGE, jobs, again_range, &g);
    free(order);
    free(at);
}

/* ---- lists ---- */

void lists_of(const uint32_t *list, size_t n, size_t n_lists, uint32_t *at, uint32_t *order)
{
    memset(at, 0, (n_lists + 1) * sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[list[i] + 1]++;
    for (size_t k = 0; k < n_lists; k++)
        at[k + 1] += at[k];
    for (size_t i = 0; i < n; i++)
        order[at[list[i]]++] = (uint32_t)i;
    memmove(at + 1, at, n_lists * sizeof *at);
    at[0] = 0;
}

/* ---- means ---- */

/* Keep mean (width) as centroid k. */
static void put_centroid(struct centroids *c, size_t k, const float *mean, int8_t *bytes)
{
    float scale = i8_largest(mean, c->width) / 127;
    int64_t square = 0;
    if (!(scale > 1e-20f))
        scale = 1e-20f;
    i8_from_float(mean, c->width, scale, bytes);
    for (size_t j = 0; j < c->width; j++)
        square += bytes[j] * bytes[j];
    c->scales[k] = scale;
    c->norms[k] = (float)square * scale * scale;
    i8_block_put(c->blocks + k / I8_BLOCK * I8_BLOCK * c->width, k % I8_BLOCK, bytes, c->width);
}

static inline __attribute__((always_inline)) void add_scaled(const int8_t *x, float scale,
                                                             size_t width, float *sum)
{
    size_t j = 0;
    for (; j + I8_BLOCK <= width; j += I8_BLOCK) {
        lanes_i8 b;
        lanes s;
        memcpy(&b, x + j, sizeof b);
        memcpy(&s, sum + j, sizeof s);
        lanes y = __builtin_convertvector(__builtin_convertvector(b, lanes_i32), lanes);
        y = y * scale;
        s = s + y;
        memcpy(sum + j, &s, sizeof s);
    }
    for (; j < width; j++) {
        float y = (float)x[j] * scale;
        sum[j] += y;
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw"))) static void
add_scaled_avx512(const int8_t *x, float scale, size_t width, float *sum)
{
    add_scaled(x, scale, width, sum);
}
#endif

static void add_row(const struct i8_rows *rows, size_t row, float *sum)
{
    const int8_t *x = rows->bytes + row * rows->width;
#if defined(__x86_64__)
    if (isa_now() >= ISA_AVX512) {
        add_scaled_avx512(x, rows->scales[row], rows->width, sum);
        return;
    }
#endif
    add_scaled(x, rows->scales[row], rows->width, sum);
}

struct meaning {
    struct centroids *c;
    const struct i8_rows *rows;
    const uint32_t *at, *order, *spare; /* spare: (n) a row for a list without any */
};

static void mean_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    const struct meaning *m = ctx;
    const size_t width = m->rows->width;
    float *sum = alloc_array(width, sizeof *sum);
    int8_t *bytes = alloc_array(width, sizeof *bytes);
    (void)worker;
    for (size_t k = from; k < to; k++) {
        size_t n = m->at[k + 1] - m->at[k];
        for (size_t j = 0; j < width; j++)
            sum[j] = 0;
        for (size_t i = m->at[k]; i < m->at[k + 1]; i++)
            add_row(m->rows, m->order[i], sum);
        if (!n)
            add_row(m->rows, m->spare[k], sum);
        for (size_t j = 0; j < width; j++)
            sum[j] /= (float)(n ? n : 1);
        put_centroid(m->c, k, sum, bytes);
    }
    free(bytes);
    free(sum);
}

static void draw(struct rng *rng, uint32_t *spare, size_t n, size_t n_rows)
{
    for (size_t k = 0; k < n; k++)
        spare[k] = (uint32_t)rng_below(rng, n_rows);
}

void kmeans(struct centroids *c, const struct i8_rows *rows, size_t n, unsigned rounds,
            unsigned jobs)
{
    struct rng rng = { SEED };
    uint32_t *list = alloc_array(rows->n, sizeof *list);
    uint32_t *order = alloc_array(rows->n, sizeof *order);
    uint32_t *at = alloc_zero(n + 1, sizeof *at), *spare = alloc_array(n, sizeof *spare);
    *c = (struct centroids){ .n = n, .width = rows->width };
    c->blocks = alloc_huge(n * rows->width); /* for its alignment; all of it is written */
    c->scales = alloc_array(n, sizeof *c->scales);
    c->norms = alloc_array(n, sizeof *c->norms);
    struct meaning m = { c, rows, at, order, spare };
    draw(&rng, spare, n, rows->n);
    par_ranges(n, LISTS_A_RANGE, jobs, mean_range, &m); /* all lists are empty: n of the rows */
    for (unsigned round = 0; round < rounds; round++) {
        centroids_assign(c, rows, jobs, list);
        lists_of(list, rows->n, n, at, order);
        draw(&rng, spare, n, rows->n);
        par_ranges(n, LISTS_A_RANGE, jobs, mean_range, &m);
    }
    free(spare);
    free(at);
    free(order);
    free(list);
}

void centroids_release(struct centroids *c)
{
    free(c->blocks);
    free(c->scales);
    free(c->norms);
    *c = (struct centroids){ 0 };
}
