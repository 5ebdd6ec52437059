// SPDX-License-Identifier: MIT
/*
 * calibrate.c — samples, their neighbours, recall by level
 */
#include "calibrate.h"

#include <math.h>

#include "alloc.h"
#include "i8.h"
#include "par.h"
#include "rng.h"
#include "vec.h"

#define SAMPLES 512   /* of each kind */
#define DEPTH 40      /* neighbours by bytes from which the best by floats are taken */
#define SEED 2
#define ROWS_A_RANGE 4096
#define ROWS_A_TIME 8
#define FIRST_MISSED 0.5 /* of the neighbours, by the lowest level */
#define NEXT_MISSED 0.55 /* times what the level before misses */
#define FAR_MISSED 0.015
#define SHARE 0.8 /* of what is missed is in lists that are not looked into */
#define GOOD_MISSED 0.005
#define GOOD_SLACK 2
#define ROUGH_LISTS 32

typedef float lanes __attribute__((vector_size(I8_BLOCK * sizeof(float)), aligned(4)));
typedef int32_t lanes_i32
    __attribute__((vector_size(I8_BLOCK * sizeof(int32_t)), aligned(4), may_alias));

struct sample {
    size_t n;            /* a multiple of 16 */
    size_t n_near;       /* the first are rows of the index */
    size_t k;            /* neighbours wanted */
    float *queries;      /* (n, dim) */
    uint32_t *row;       /* (n_near) */
    uint8_t *blocks;     /* (n / 16) blocks of the rotated queries' bytes */
    float *scales;       /* (n) */
    float *kth;          /* (n) exact score of the k-th neighbour */
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

/* A query unlike any row: between two rows, or a row and noise. */
static void make_far(struct rng *rng, const float *rows, size_t n_rows, size_t dim, bool is_noise,
                     float *q)
{
    const float *a = rows + rng_below(rng, n_rows) * dim;
    const float *b = rows + rng_below(rng, n_rows) * dim;
    float pair[2], by = 1 / sqrtf((float)dim);
    for (size_t j = 0; j < dim; j++) {
        if (is_noise && j % 2 == 0)
            normal_pair(rng, pair);
        float other = is_noise ? pair[j % 2] * by : b[j];
        q[j] = a[j] + other;
    }
    if (!vec_normalise(q, dim))
        memcpy(q, a, dim * sizeof *q);
}

static void make_sample(struct sample *s, const struct ivf *x, const float *rows)
{
    struct rng rng = { SEED };
    size_t dim = x->dim, n = SAMPLES < x->n_rows ? SAMPLES : x->n_rows;
    float *rotated = alloc_array(x->width, sizeof *rotated);
    int8_t *bytes = alloc_array(x->width, sizeof *bytes);
    *s = (struct sample){ .n_near = n, .k = IVF_K < x->n_rows - 1 ? IVF_K : x->n_rows - 1 };
    s->n = (n + SAMPLES + I8_BLOCK - 1) / I8_BLOCK * I8_BLOCK;
    s->queries = alloc_array(s->n, dim * sizeof *s->queries);
    s->row = alloc_array(n, sizeof *s->row);
    s->blocks = alloc_zero(s->n, x->width);
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
            make_far(&rng, rows, x->n_rows, dim, i % 2, q);
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

/* True when any of 16 scores is above its bar. */
static bool is_any_above(const int32_t *dots, const float *scales, const float *bar,
                         float row_scale)
{
    lanes_i32 dot;
    lanes scale, least;
    memcpy(&dot, dots, sizeof dot);
    memcpy(&scale, scales, sizeof scale);
    memcpy(&least, bar, sizeof least);
    scale *= row_scale;
    lanes_i32 is_above = (lanes_i32)(__builtin_convertvector(dot, lanes) * scale > least);
    uint64_t parts[I8_BLOCK / 2], all = 0;
    memcpy(parts, &is_above, sizeof parts);
    for (size_t i = 0; i < I8_BLOCK / 2; i++)
        all |= parts[i];
    return all != 0;
}

static void offer_block(const struct finding *f, struct topk *best, float *bar, size_t block,
                        const int32_t *dots, size_t row)
{
    const struct sample *s = f->s;
    size_t first = block * I8_BLOCK;
    if (!is_any_above(dots, s->scales + first, bar + first, f->bytes->scales[row]))
        return;
    for (size_t i = 0; i < I8_BLOCK; i++) {
        struct topk *t = &best[first + i];
        float scale = s->scales[first + i] * f->bytes->scales[row];
        float score = (float)dots[i] * scale;
        if (!(score > bar[first + i]))
            continue;
        topk_push(t, (double)score, row);
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
    int32_t *dots = alloc_array(ROWS_A_TIME * s->n, sizeof *dots);
    for (size_t row = from; row < to; row += ROWS_A_TIME) {
        size_t n = to - row < ROWS_A_TIME ? to - row : ROWS_A_TIME;
        i8_block_dots(s->blocks, n_blocks, width, f->bytes->bytes + row * width, n, dots);
        for (size_t i = 0; i < n; i++)
            for (size_t b = 0; b < n_blocks; b++)
                offer_block(f, best, bar, b, dots + i * s->n + b * I8_BLOCK, row + i);
    }
    free(dots);
}

/* The k neighbours of query i: the best by bytes of all workers, whoever had which rows, put in
 * order by floats. */
static void keep_neighbours(const struct sample *s, const struct ivf *x, const float *rows,
                            const struct topk *best, unsigned jobs, size_t i)
{
    struct topk exact, all;
    topk_init(&exact, s->k);
    topk_init(&all, DEPTH);
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
        topk_init(&f.best[i], DEPTH);
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
    const uint32_t *list, *place; /* (n_rows) of each row */
    struct dense dense;
    struct ivf_effort effort;
    struct ivf_scratch *scratch; /* (jobs) */
    struct ivf_effort *needed;   /* (n, k) of each neighbour; NULL: not asked */
    unsigned *hits;              /* (n) */
};

static void note_needed(const struct trying *t, const struct ivf_scratch *scratch, size_t i)
{
    for (size_t j = 0; j < t->s->k; j++) {
        uint32_t row = t->s->neighbours[i * t->s->k + j];
        t->needed[i * t->s->k + j] =
            ivf_effort_needed(t->x, scratch, t->list[row], t->place[row]);
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
        if (t->needed)
            note_needed(t, &t->scratch[worker], i);
    }
}

/* ---- levels ---- */

/* Order by slack. */
static int by_slack(const void *a, const void *b)
{
    const struct ivf_effort *x = a, *y = b;
    return x->slack < y->slack ? -1 : x->slack > y->slack;
}

static int by_reach(const void *a, const void *b)
{
    const struct ivf_effort *x = a, *y = b;
    return x->reach < y->reach ? -1 : x->reach > y->reach;
}

/* The least effort that finds all but `missed` of n neighbours: SHARE of these are in lists
 * that are not reached, the others are not admitted. Sorts needed. */
static struct ivf_effort least_effort(struct ivf_effort *needed, size_t n, double missed)
{
    size_t most = (size_t)(missed * (double)n), far = (size_t)(SHARE * (double)most);
    if (!n)
        return (struct ivf_effort){ 0 };
    qsort(needed, n, sizeof *needed, by_reach);
    float reach = needed[n - 1 - far].reach;
    size_t reached = n;
    while (reached && needed[reached - 1].reach > reach)
        reached--;
    qsort(needed, reached, sizeof *needed, by_slack);
    size_t may_miss = most - (n - reached);
    return (struct ivf_effort){ .reach = reach, .slack = needed[reached - 1 - may_miss].slack };
}

static float found_by(const struct ivf_effort *needed, size_t n, const struct ivf_level *l)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += needed[i].reach <= l->reach && needed[i].slack <= l->slack;
    return n ? (float)((double)found / (double)n) : 1;
}

/* Each level misses about half as much as the one before. Queries unlike the rows may miss
 * FAR_MISSED more. */
static void make_levels(struct ivf_level *levels, const struct sample *s,
                        struct ivf_effort *needed)
{
    size_t n_near = s->n_near * s->k, n_far = (s->n - s->n_near) * s->k;
    double missed = FIRST_MISSED;
    for (size_t i = 0; i < IVF_LEVELS; i++, missed *= NEXT_MISSED) {
        struct ivf_level *l = &levels[i];
        struct ivf_effort near = least_effort(needed, n_near, missed);
        struct ivf_effort far = least_effort(needed + n_near, n_far, missed + FAR_MISSED);
        l->reach = near.reach > far.reach ? near.reach : far.reach;
        l->slack = near.slack > far.slack ? near.slack : far.slack;
        l->recall = found_by(needed, n_near, l);
        l->recall_far = found_by(needed + n_near, n_far, l);
    }
}

/* ---- all ---- */

static void try_start(struct trying *t, const struct sample *s, const struct ivf *x,
                      const float *rows, const uint32_t *list, unsigned jobs)
{
    uint32_t *same = alloc_array(x->n_rows, sizeof *same); /* documents are rows here */
    uint32_t *place = alloc_array(x->n_rows, sizeof *place);
    *t = (struct trying){ .s = s, .x = x, .list = list, .place = place };
    t->hits = alloc_array(s->n, sizeof *t->hits);
    t->scratch = alloc_array(jobs, sizeof *t->scratch);
    for (size_t i = 0; i < x->n_rows; i++) {
        same[i] = (uint32_t)i;
        place[x->row[i]] = (uint32_t)i;
    }
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
    free(t->needed);
}

/* What each neighbour needs depends on its query's k-th best estimate, which a search in the
 * nearest lists gives roughly, and one that reaches nearly all of the neighbours well. */
static void note_all_needed(struct trying *t, unsigned jobs)
{
    const struct sample *s = t->s;
    size_t n = s->n * s->k, missed = (size_t)(GOOD_MISSED * (double)n);
    t->effort = (struct ivf_effort){ 5, GOOD_SLACK, ROUGH_LISTS };
    par_ranges(s->n, 16, jobs, try_range, t);
    qsort(t->needed, n, sizeof *t->needed, by_reach);
    t->effort = (struct ivf_effort){ n ? t->needed[n - 1 - missed].reach : 0, GOOD_SLACK, 0 };
    par_ranges(s->n, 16, jobs, try_range, t);
}

static float recall_of(const struct sample *s, const unsigned *hits, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t i = from; i < to; i++)
        sum += hits[i];
    return s->k ? (float)((double)sum / (double)((to - from) * s->k)) : 1;
}

void calibrate(struct ivf *x, const float *rows, const struct i8_rows *bytes,
               const uint32_t *list, unsigned jobs)
{
    struct sample s;
    struct trying t;
    make_sample(&s, x, rows);
    find_neighbours(&s, x, rows, bytes, jobs);
    try_start(&t, &s, x, rows, list, jobs);
    t.needed = alloc_array(s.n * s.k + 1, sizeof *t.needed);
    note_all_needed(&t, jobs);
    make_levels(x->levels, &s, t.needed);
    free(t.needed);
    t.needed = NULL;
    x->recall = x->recall_far = 1; /* exact search, when no level is enough */
    if (ivf_effort_for(x, x->target, &t.effort)) {
        par_ranges(s.n, 16, jobs, try_range, &t);
        x->recall = recall_of(&s, t.hits, 0, s.n_near);
        x->recall_far = recall_of(&s, t.hits, s.n_near, s.n);
    }
    try_end(&t, jobs);
    release_sample(&s);
}
