// SPDX-License-Identifier: MIT
/*
 * calibrate.c — samples, their neighbours, recall by level
 */
#include "calibrate.h"

#include <math.h>

#include "alloc.h"
#include "i8.h"
#include "isa.h"
#include "par.h"
#include "rng.h"
#include "vec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define SAMPLES 1024    /* rows, for IVF_K hits; half as many other queries */
#define DEEP_SAMPLES 96 /* the same for IVF_DEEP_K */
/* Neighbours by bytes from which the best k by floats are taken. */
#define DEPTH(k) ((k) + (k) / 2 + 25)
#define SEED 2
#define ROWS_A_RANGE 4096
#define ROWS_A_TIME 32
#define BLOCKS_A_TIME 16 /* products of 32 rows and 256 queries stay near */
#define FIRST_MISSED 0.5 /* of the neighbours, by the lowest level */
#define NEXT_MISSED 0.55 /* times what the level before misses */
#define NEAR_MISSED 0.015
#define FAR_PART 0.02
#define LEAST_FAR 16 /* queries */
#define SHARE 0.9    /* of what is missed is in lists that are not looked into */
#define GOOD_MISSED 0.005
#define GOOD_SLACK 2
#define GOOD_REACH 5
#define ROUGH_LISTS 32
#define GROUP 16   /* queries of the sample that a thread takes at a time */
#define MEASURED 4 /* the recall that is written down is that of one in so many groups */

typedef float lanes __attribute__((vector_size(I8_BLOCK * sizeof(float)), aligned(4)));
typedef int32_t lanes_i32
    __attribute__((vector_size(I8_BLOCK * sizeof(int32_t)), aligned(4), may_alias));

struct sample {
    size_t n;             /* a multiple of 16 */
    size_t n_near;        /* the first are rows of the index */
    size_t k;             /* neighbours wanted */
    float *queries;       /* (n, dim) */
    uint32_t *row;        /* (n_near) */
    uint8_t *blocks;      /* (n / 16) blocks of the rotated queries' bytes */
    float *scales;        /* (n) */
    float *kth;           /* (n) exact score of the k-th neighbour */
    uint32_t *neighbours; /* (n, k) rows */
};

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

enum far { BETWEEN_ROWS, ROW_AND_NOISE, NOISE };

/* The kinds in turn. Noise is much the same everywhere and has the whole index searched: few
 * such queries say enough. */
static enum far far_kind(size_t i)
{
    static const enum far kinds[] = { BETWEEN_ROWS, ROW_AND_NOISE, NOISE,
                                      BETWEEN_ROWS, ROW_AND_NOISE, BETWEEN_ROWS };
    return kinds[i % ARRAY_LEN(kinds)];
}

static void make_far(struct rng *rng, const float *rows, size_t n_rows, size_t dim,
                     enum far kind, float *q)
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

/* n_each: rows; half as many other queries. */
static void make_sample(struct sample *s, const struct ivf *x, const float *rows, size_t k,
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

static void release_sample(struct sample *s)
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

static void find_neighbours(struct sample *s, const struct ivf *x, const float *rows,
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

/* ---- what finds them ---- */

struct trying {
    const struct sample *s;
    const struct ivf *x;
    const uint32_t *list, *place; /* (copies, n_rows) of each row */
    struct dense dense;
    struct ivf_effort effort;
    struct ivf_scratch *scratch; /* (jobs) */
    struct ivf_bars *needed;     /* (n, k) of each neighbour; NULL: not asked */
    float *nearest;              /* (n) cosine with the nearest centroid */
    unsigned *hits;              /* (n) */
};

/* Which of two places finds a row with less. */
static float effort_of(struct ivf_bars bars)
{
    return bars.reach / GOOD_REACH + bars.slack / GOOD_SLACK;
}

static void note_needed(const struct trying *t, const struct ivf_scratch *scratch, size_t i)
{
    for (size_t j = 0; j < t->s->k; j++) {
        size_t row = t->s->neighbours[i * t->s->k + j];
        struct ivf_bars *to = &t->needed[i * t->s->k + j];
        *to = ivf_bars_needed(t->x, scratch, t->list[row], t->place[row]);
        if (t->x->copies < 2)
            continue;
        row += t->x->n_rows;
        struct ivf_bars again = ivf_bars_needed(t->x, scratch, t->list[row], t->place[row]);
        if (effort_of(again) < effort_of(*to))
            *to = again;
    }
}

static void try_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    const struct trying *t = ctx;
    const struct sample *s = t->s;
    for (size_t i = from; i < to; i++) {
        struct topk best;
        topk_init(&best, s->k + (i < s->n_near));
        ivf_search(t->x, &t->dense, s->queries + i * t->x->dim, &t->effort, NULL,
                   &t->scratch[worker], &best);
        t->hits[i] = 0;
        for (size_t j = 0; j < best.n; j++)
            t->hits[i] += best.items[j].score >= (double)s->kth[i] &&
                          !(i < s->n_near && best.items[j].ord == s->row[i]);
        if (t->hits[i] > s->k) /* ties */
            t->hits[i] = (unsigned)s->k;
        topk_release(&best);
        t->nearest[i] = t->scratch[worker].nearest;
        if (t->needed)
            note_needed(t, &t->scratch[worker], i);
    }
}

/* ---- levels ---- */

static int by_slack(const void *a, const void *b)
{
    const struct ivf_bars *x = a, *y = b;
    return x->slack < y->slack ? -1 : x->slack > y->slack;
}

static int by_reach(const void *a, const void *b)
{
    const struct ivf_bars *x = a, *y = b;
    return x->reach < y->reach ? -1 : x->reach > y->reach;
}

static int by_value(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* What neighbours of some queries need. */
struct needs {
    struct ivf_bars *bars;   /* (n) those of a query together */
    struct ivf_bars *sorted; /* (n) scratch */
    size_t n;
};

/* The least bars that let all but `missed` pass: SHARE of these are in lists that are not
 * reached, the others are not admitted. */
static struct ivf_bars least_bars(struct needs *a, double missed)
{
    size_t most = (size_t)(missed * (double)a->n), far = (size_t)(SHARE * (double)most);
    if (!a->n)
        return (struct ivf_bars){ 0 };
    memcpy(a->sorted, a->bars, a->n * sizeof *a->bars);
    qsort(a->sorted, a->n, sizeof *a->sorted, by_reach);
    float reach = a->sorted[a->n - 1 - far].reach;
    size_t reached = a->n;
    while (a->sorted[reached - 1].reach > reach)
        reached--;
    qsort(a->sorted, reached, sizeof *a->sorted, by_slack);
    size_t may_miss = most - (a->n - reached);
    return (struct ivf_bars){ reach, a->sorted[reached - 1 - may_miss].slack };
}

static struct ivf_bars larger_bars(struct ivf_bars a, struct ivf_bars b)
{
    return (struct ivf_bars){ a.reach > b.reach ? a.reach : b.reach,
                              a.slack > b.slack ? a.slack : b.slack };
}

/* The recall that bars give, less its standard error: the bars were chosen on this very sample,
 * and other queries are to reach the recall as well. */
static float passed_by(const struct needs *a, size_t k, struct ivf_bars bars)
{
    double sum = 0, squares = 0;
    const double n = k ? (double)(a->n / k) : 0;
    if (!(n > 0))
        return 1;
    for (size_t i = 0; i < a->n; i += k) {
        size_t passed = 0;
        for (size_t j = i; j < i + k; j++)
            passed += a->bars[j].reach <= bars.reach && a->bars[j].slack <= bars.slack;
        double part = (double)passed / (double)k;
        sum += part;
        squares += part * part;
    }
    double mean = sum / n, variance = squares / n - mean * mean;
    double least = mean - sqrt((variance > 0 ? variance : 0) / n);
    return least > 0 ? (float)least : 0;
}

/* Below which cosine with the nearest centroid a query is far: all but FAR_PART of the rows are
 * not. */
static float find_border(const struct trying *t)
{
    size_t n = t->s->n_near;
    float *sorted = alloc_array(n, sizeof *sorted);
    memcpy(sorted, t->nearest, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    float border = sorted[(size_t)(FAR_PART * (double)n)];
    free(sorted);
    return border;
}

/* Needs of the queries of each kind: rows, others that are not far, far ones with and without a
 * row in them. */
enum { LIKE_ROWS, NEAR, FAR, FAR_NOISE, N_NEEDS };

static void part_needs(const struct trying *t, float border, struct needs *parts)
{
    size_t k = t->s->k;
    for (size_t p = 0; p < N_NEEDS; p++)
        parts[p] = (struct needs){ alloc_array(t->s->n * k + 1, sizeof(struct ivf_bars)),
                                   alloc_array(t->s->n * k + 1, sizeof(struct ivf_bars)), 0 };
    for (size_t i = 0; i < t->s->n; i++) {
        bool is_row = i < t->s->n_near, is_noise = !is_row && far_kind(i) == NOISE;
        size_t part = is_row ? LIKE_ROWS : NEAR;
        if (t->nearest[i] < border)
            part = is_noise ? FAR_NOISE : FAR;
        struct needs *to = &parts[part];
        memcpy(to->bars + to->n, t->needed + i * k, k * sizeof *to->bars);
        to->n += k;
    }
}

/* Each level misses about half as much as the one before. Queries unlike the rows that are not
 * far may miss NEAR_MISSED more. */
static void make_levels(const struct trying *t, float border,
                        struct ivf_level levels[2][IVF_LEVELS])
{
    struct needs parts[N_NEEDS];
    double missed = FIRST_MISSED;
    size_t k = t->s->k;
    part_needs(t, border, parts);
    for (size_t i = 0; i < IVF_LEVELS; i++, missed *= NEXT_MISSED) {
        struct ivf_level *l = &levels[0][i], *far = &levels[1][i];
        l->bars = larger_bars(least_bars(&parts[LIKE_ROWS], missed),
                              least_bars(&parts[NEAR], missed + NEAR_MISSED));
        l->recall = passed_by(&parts[LIKE_ROWS], k, l->bars);
        far->bars =
            larger_bars(least_bars(&parts[FAR], missed), least_bars(&parts[FAR_NOISE], missed));
        if (parts[FAR].n + parts[FAR_NOISE].n < LEAST_FAR * t->s->k) /* too few to go by */
            far->bars = l->bars;
        float recall = passed_by(&parts[FAR], k, far->bars);
        far->recall = passed_by(&parts[FAR_NOISE], k, far->bars);
        far->recall = recall < far->recall ? recall : far->recall;
    }
    for (size_t p = 0; p < N_NEEDS; p++) {
        free(parts[p].bars);
        free(parts[p].sorted);
    }
}

/* ---- all ---- */

static void try_start(struct trying *t, const struct sample *s, const struct ivf *x,
                      const float *rows, const uint32_t *list, unsigned jobs)
{
    uint32_t *same = alloc_array(x->n_rows, sizeof *same); /* documents are rows here */
    uint32_t *place = alloc_array(x->n_places, sizeof *place);
    *t = (struct trying){ .s = s, .x = x, .list = list, .place = place };
    t->hits = alloc_array(s->n, sizeof *t->hits);
    t->nearest = alloc_array(s->n, sizeof *t->nearest);
    t->needed = alloc_array(s->n * s->k + 1, sizeof *t->needed);
    t->scratch = alloc_array(jobs, sizeof *t->scratch);
    for (size_t i = 0; i < x->n_rows; i++)
        same[i] = (uint32_t)i;
    for (size_t k = 0; k < x->n_lists; k++)
        for (size_t i = x->at[k]; i < x->at[k + 1]; i++)
            place[x->row[i] + (list[x->row[i]] == k ? 0 : x->n_rows)] = (uint32_t)i;
    for (unsigned i = 0; i < jobs; i++)
        ivf_scratch_init(&t->scratch[i], x);
    t->dense = (struct dense){ .n_rows = x->n_rows,
                               .dim = x->dim,
                               .n_docs = x->n_rows,
                               .row_doc = same,
                               .rank = same,
                               .rows = rows };
}

static void try_end(struct trying *t, unsigned jobs)
{
    for (unsigned i = 0; i < jobs; i++)
        ivf_scratch_release(&t->scratch[i]);
    free((void *)t->dense.rank);
    free((void *)t->place);
    free(t->scratch);
    free(t->hits);
    free(t->nearest);
    free(t->needed);
}

/* What each neighbour needs depends on its query's k-th best estimate, which a search in the
 * nearest lists gives roughly, and one that reaches nearly all of the neighbours well. */
static void note_all_needed(struct trying *t, unsigned jobs)
{
    const struct sample *s = t->s;
    size_t n = s->n * s->k, missed = (size_t)(GOOD_MISSED * (double)n);
    t->effort = ivf_effort_of((struct ivf_bars){ GOOD_REACH, GOOD_SLACK });
    t->effort.probe = ROUGH_LISTS;
    t->effort.is_estimating = true;
    par_ranges(s->n, GROUP, jobs, try_range, t);
    qsort(t->needed, n, sizeof *t->needed, by_reach);
    float reach = n ? t->needed[n - 1 - missed].reach : 0;
    t->effort = ivf_effort_of((struct ivf_bars){ reach, GOOD_SLACK });
    t->effort.is_estimating = true;
    par_ranges(s->n, GROUP, jobs, try_range, t);
}

static bool is_measured(size_t i)
{
    return i / GROUP % MEASURED == 0;
}

static float recall_of(const struct sample *s, const unsigned *hits, size_t from, size_t to)
{
    uint64_t sum = 0, n = 0;
    for (size_t i = from; i < to; i++)
        if (is_measured(i)) {
            sum += hits[i];
            n += s->k;
        }
    return n ? (float)((double)sum / (double)n) : 1;
}

static void measure_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    if (is_measured(from))
        try_range(ctx, worker, from, to);
}

/* The recall of what the levels give for the target. */
static void measure(struct trying *t, struct ivf *x, unsigned jobs)
{
    const struct sample *s = t->s;
    x->recall = x->recall_far = 1; /* exact search, when no level is enough */
    if (!ivf_effort_for(x, x->target, &t->effort))
        return;
    par_ranges(s->n, GROUP, jobs, measure_range, t);
    x->recall = recall_of(s, t->hits, 0, s->n_near);
    x->recall_far = recall_of(s, t->hits, s->n_near, s->n);
}

void calibrate(struct ivf *x, const float *rows, const struct i8_rows *bytes,
               const uint32_t *list, unsigned jobs)
{
    for (size_t deep = 0; deep < 2; deep++) {
        struct sample s;
        struct trying t;
        make_sample(&s, x, rows, deep ? IVF_DEEP_K : IVF_K, deep ? DEEP_SAMPLES : SAMPLES);
        find_neighbours(&s, x, rows, bytes, jobs);
        try_start(&t, &s, x, rows, list, jobs);
        note_all_needed(&t, jobs);
        if (!deep)
            x->border = find_border(&t);
        make_levels(&t, x->border, x->levels[deep]);
        free(t.needed);
        t.needed = NULL;
        if (!deep)
            measure(&t, x, jobs);
        try_end(&t, jobs);
        release_sample(&s);
    }
}
