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
#define FIRST_SLACK 0.6f
#define LAST_SLACK 5.0f
#define REACH 1.3f /* reach by slack */

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

/* The exact score of the k-th neighbour of query i: the best by bytes of all workers, whoever
 * had which rows, put in order by floats. */
static float kth_score(const struct sample *s, const struct ivf *x, const float *rows,
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
    float kth = exact.n ? (float)exact.items[0].score : -INFINITY;
    topk_release(&exact);
    topk_release(&all);
    return kth;
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
        s->kth[i] = kth_score(s, x, rows, f.best, jobs, i);
    for (size_t i = 0; i < jobs * s->n; i++)
        topk_release(&f.best[i]);
    free(f.bar);
    free(f.best);
}

/* ---- recall ---- */

struct trying {
    const struct sample *s;
    const struct ivf *x;
    struct dense dense;
    struct ivf_effort effort;
    struct ivf_scratch *scratch; /* (jobs) */
    unsigned *hits;              /* (n) */
};

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
    }
}

static float recall_of(const struct sample *s, const unsigned *hits, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t i = from; i < to; i++)
        sum += hits[i];
    return s->k ? (float)((double)sum / (double)((to - from) * s->k)) : 1;
}

static void try_effort(struct trying *t, struct ivf_effort e, unsigned jobs, float *near,
                       float *far)
{
    const struct sample *s = t->s;
    t->effort = e;
    par_ranges(s->n, 16, jobs, try_range, t);
    *near = recall_of(s, t->hits, 0, s->n_near);
    *far = recall_of(s, t->hits, s->n_near, s->n);
}

static void try_levels(const struct sample *s, struct ivf *x, const float *rows, unsigned jobs)
{
    struct trying t = { .s = s, .x = x };
    uint32_t *same = alloc_array(x->n_rows, sizeof *same); /* documents are rows here */
    t.hits = alloc_array(s->n, sizeof *t.hits);
    t.scratch = alloc_array(jobs, sizeof *t.scratch);
    for (size_t i = 0; i < x->n_rows; i++)
        same[i] = (uint32_t)i;
    for (unsigned i = 0; i < jobs; i++)
        ivf_scratch_init(&t.scratch[i], x);
    t.dense = (struct dense){ .n_rows = x->n_rows,
                              .dim = x->dim,
                              .n_docs = x->n_rows,
                              .row_doc = same,
                              .rank = same,
                              .rows = rows };
    for (size_t i = 0; i < IVF_LEVELS; i++) {
        struct ivf_level *l = &x->levels[i];
        float part = (float)i / (IVF_LEVELS - 1);
        l->slack = FIRST_SLACK + (LAST_SLACK - FIRST_SLACK) * part;
        l->reach = l->slack * REACH;
        try_effort(&t, (struct ivf_effort){ l->reach, l->slack, 0 }, jobs, &l->recall,
                   &l->recall_far);
    }
    struct ivf_effort e;
    x->recall = x->recall_far = 1; /* exact search, when no level is enough */
    if (ivf_effort_for(x, x->target, &e))
        try_effort(&t, e, jobs, &x->recall, &x->recall_far);
    for (unsigned i = 0; i < jobs; i++)
        ivf_scratch_release(&t.scratch[i]);
    free(t.scratch);
    free(t.hits);
    free(same);
}

void calibrate(struct ivf *x, const float *rows, const struct i8_rows *bytes, unsigned jobs)
{
    struct sample s;
    make_sample(&s, x, rows);
    find_neighbours(&s, x, rows, bytes, jobs);
    try_levels(&s, x, rows, jobs);
    release_sample(&s);
}
