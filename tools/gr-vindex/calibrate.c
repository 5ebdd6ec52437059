// SPDX-License-Identifier: MIT
/*
 * calibrate.c — what finds the neighbours of a sample, recall by level
 */
#include "calibrate.h"

#include <math.h>

#include "alloc.h"
#include "par.h"
#include "sample.h"

#define SAMPLES 1024     /* rows, for IVF_K hits; half as many other queries */
#define DEEP_SAMPLES 96  /* the same for IVF_DEEP_K */
#define FIRST_MISSED 0.5 /* of the neighbours, by the lowest level */
#define NEXT_MISSED 0.55 /* times what the level before misses */
#define NEAR_MISSED 0.015
#define FAR_PART 0.02
#define LEAST_FAR 16 /* queries */
#define SHARE 0.9    /* of what is missed is in lists that are not looked into */
#define GOOD_MISSED 0.005
#define GOOD_SLACK 2
#define GOOD_REACH 5
#define GROUP 16   /* queries of the sample that a thread takes at a time */
#define MEASURED 4 /* the recall that is written down is that of one in so many groups */

/* ---- what finds them ---- */

struct trying {
    const struct sample *s;
    const struct ivf *x;
    const uint32_t *list, *place; /* (copies, n_rows) of each row */
    struct dense dense;
    struct ivf_effort effort[N_KINDS];
    struct ivf_scratch *scratch; /* (jobs) */
    bool is_rough;               /* go by the score of the k-th neighbour */
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
        ivf_search(t->x, &t->dense, s->queries + i * t->x->dim, &t->effort[sample_kind(s, i)],
                   NULL, &t->scratch[worker], &best);
        t->hits[i] = 0;
        for (size_t j = 0; j < best.n; j++)
            t->hits[i] += best.items[j].score >= (double)s->kth[i] &&
                          !(i < s->n_near && best.items[j].ord == s->row[i]);
        if (t->hits[i] > s->k) /* ties */
            t->hits[i] = (unsigned)s->k;
        topk_release(&best);
        t->nearest[i] = t->scratch[worker].nearest;
        if (t->is_rough)
            t->scratch[worker].kth = s->kth[i];
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
        bool is_row = i < t->s->n_near, is_noise = sample_kind(t->s, i) == NOISE;
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

/* The reach with which nearly all neighbours of the queries of a kind are in lists that are
 * looked into. */
static float good_reach(const struct trying *t, size_t kind)
{
    const size_t k = t->s->k;
    float *reach = alloc_array(t->s->n * k + 1, sizeof *reach), good = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->s->n; i++)
        for (size_t j = 0; j < k && sample_kind(t->s, i) == kind; j++)
            reach[n++] = t->needed[i * k + j].reach;
    qsort(reach, n, sizeof *reach, by_value);
    if (n)
        good = reach[n - 1 - (size_t)(GOOD_MISSED * (double)n)];
    free(reach);
    return good;
}

/* What each neighbour needs depends on its query's k-th best estimate, which the score of the
 * k-th neighbour is roughly, and which a search that reaches nearly all of them gives. */
static void note_all_needed(struct trying *t, unsigned jobs)
{
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        t->effort[kind] = ivf_effort_of((struct ivf_bars){ GOOD_REACH, GOOD_SLACK });
        t->effort[kind].probe = 1;
        t->effort[kind].is_estimating = true;
    }
    t->is_rough = true;
    par_ranges(t->s->n, GROUP, jobs, try_range, t);
    t->is_rough = false;
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        t->effort[kind] = ivf_effort_of((struct ivf_bars){ good_reach(t, kind), GOOD_SLACK });
        t->effort[kind].is_estimating = true;
    }
    par_ranges(t->s->n, GROUP, jobs, try_range, t);
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
    if (!ivf_effort_for(x, x->target, &t->effort[0]))
        return;
    for (size_t kind = 1; kind < N_KINDS; kind++)
        t->effort[kind] = t->effort[0];
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
        sample_make(&s, x, rows, deep ? IVF_DEEP_K : IVF_K, deep ? DEEP_SAMPLES : SAMPLES);
        sample_find_neighbours(&s, x, rows, bytes, jobs);
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
        sample_release(&s);
    }
}
