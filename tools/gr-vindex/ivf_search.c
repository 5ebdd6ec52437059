// SPDX-License-Identifier: MIT
/*
 * ivf_search.c — lists by bound, rows by code, bytes, floats
 */
#include "ivf.h"

#include <math.h>

#include "alloc.h"
#include "code.h"
#include "half.h"
#include "i8.h"

#define BINS 512
#define MISSES 8        /* lists under the bound that end the search: bins are not sorted */
#define FIRST_LISTS 64  /* how many lists are ordered at once; then 4 times as many */
#define BYTES_AHEAD 8   /* rows of bytes fetched in advance */
#define LINE 64

/* A row that may be among the best: an upper bound of its score, then the score itself. */
struct ivf_candidate {
    float score, scale; /* scale: of its bytes */
    uint32_t place;
};

/* What is known while lists are scanned. */
struct state {
    const struct ivf *x;
    const struct dense *d;
    const struct ivf_effort *effort;
    const unsigned char *skip;
    struct ivf_scratch *s;
    struct code_table table;
    float q_scale;
    size_t k, n_heap, n;
    float kth; /* the k-th best estimate; -infinite: fewer than k */
};

/* ---- scratch ---- */

void ivf_scratch_init(struct ivf_scratch *s, const struct ivf *x)
{
    size_t n = x->n_lists;
    *s = (struct ivf_scratch){ .of = x };
    s->q = alloc_array(x->width, sizeof *s->q);
    s->q8 = alloc_array(x->width, sizeof *s->q8);
    s->dots = alloc_array(n, sizeof *s->dots);
    s->cq = alloc_array(n, sizeof *s->cq);
    s->bound = alloc_array(n, sizeof *s->bound);
    s->bin = alloc_array(n, sizeof *s->bin);
    s->order = alloc_array(n, sizeof *s->order);
    s->lut = alloc_huge(code_lut_size(code_nibbles(x->width, x->bits) / 2));
}

void ivf_scratch_release(struct ivf_scratch *s)
{
    free(s->q);
    free(s->q8);
    free(s->dots);
    free(s->cq);
    free(s->bound);
    free(s->heap);
    free(s->bin);
    free(s->order);
    free(s->lut);
    free(s->candidates);
    *s = (struct ivf_scratch){ 0 };
}

/* ---- the k-th best ---- */

/* heap[0] is the least of the k largest. */
static void heap_push(float *heap, size_t *n, size_t k, float score)
{
    size_t i = *n;
    if (i < k) {
        ++*n;
        for (; i && heap[(i - 1) / 2] > score; i = (i - 1) / 2)
            heap[i] = heap[(i - 1) / 2];
        heap[i] = score;
        return;
    }
    if (!(score > heap[0]))
        return;
    for (i = 0;;) {
        size_t child = 2 * i + 1;
        if (child >= k)
            break;
        if (child + 1 < k && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= score)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = score;
}

/* ---- lists ---- */

/* <q,c> and the bound of every list; bins in which those of the highest bounds are 0. */
static void bound_lists(struct state *t)
{
    const struct ivf *x = t->x;
    struct ivf_scratch *s = t->s;
    float reach = t->effort->reach / sqrtf((float)x->dim);
    float high = -INFINITY, low = INFINITY;
    i8_block_dots(x->cent, x->n_lists / I8_BLOCK, x->width, s->q8, 1, s->dots);
    for (size_t k = 0; k < x->n_lists; k++) {
        float scale = x->scale[k] * t->q_scale, add = x->spread[k] * reach;
        s->cq[k] = (float)s->dots[k] * scale;
        float bound = s->cq[k] + add;
        s->bound[k] = bound;
        high = bound > high ? bound : high;
        low = bound < low ? bound : low;
    }
    float by = (BINS - 1) / (high - low + 1e-9f);
    for (size_t k = 0; k < x->n_lists; k++)
        s->bin[k] = (uint16_t)((high - s->bound[k]) * by);
}

/* Put the lists of bins from *bin on into order, until there are `want` or no more. */
static size_t order_lists(const struct ivf_scratch *s, size_t n_lists, const uint32_t *count,
                          size_t *bin, size_t want)
{
    uint32_t at[BINS];
    size_t from = *bin, n = 0;
    while (*bin < BINS && n < want) {
        at[*bin] = (uint32_t)n;
        n += count[(*bin)++];
    }
    for (size_t k = 0; k < n_lists; k++)
        if (s->bin[k] >= from && s->bin[k] < *bin)
            s->order[at[s->bin[k]]++] = (uint32_t)k;
    return n;
}

/* ---- rows ---- */

static void add_candidate(struct state *t, struct ivf_candidate c)
{
    struct ivf_scratch *s = t->s;
    if (t->n == s->cap) {
        s->cap = alloc_grow(s->cap, t->n + 256);
        s->candidates = alloc_resize(s->candidates, s->cap, sizeof *s->candidates);
    }
    s->candidates[t->n++] = c;
}

static bool is_skipped(const struct state *t, uint32_t place)
{
    uint32_t row = t->x->row[place];
    uint32_t doc = row < t->d->n_rows ? t->d->row_doc[row] : UINT32_MAX;
    return doc >= t->d->n_docs || t->skip[doc];
}

/* Take the rows of a block whose bits are set. slack: in terms of score. */
static void admit(struct state *t, const uint8_t *block, uint32_t rows, uint32_t place,
                  const float *est, float slack)
{
    const uint8_t *scales = block + code_block_size(t->x->width, t->x->bits) -
                            CODE_BLOCK * sizeof(half);
    while (rows) {
        unsigned i = (unsigned)__builtin_ctz(rows);
        rows &= rows - 1;
        if (!(est[i] > t->kth - slack) || (t->skip && is_skipped(t, place + i)))
            continue;
        half h;
        memcpy(&h, scales + i * sizeof h, sizeof h);
        add_candidate(t, (struct ivf_candidate){ est[i] + slack, half_to_float(h), place + i });
        heap_push(t->s->heap, &t->n_heap, t->k, est[i]);
        if (t->n_heap == t->k)
            t->kth = t->s->heap[0];
    }
}

static void scan_list(struct state *t, size_t list)
{
    const struct ivf *x = t->x;
    size_t size = code_block_size(x->width, x->bits), left = x->at[list + 1] - x->at[list];
    const uint8_t *block = x->code + x->block_at[list] * size;
    float cq = t->s->cq[list], apart = 1 + x->norm[list] - 2 * cq;
    float slack = t->effort->slack * code_error(x->bits) * x->spread[list];
    slack *= sqrtf((apart > 0 ? apart : 0) / (float)x->dim);
    t->s->n_lists++;
    t->s->n_rows += left;
    for (uint32_t place = x->at[list]; left; place += CODE_BLOCK, block += size) {
        float est[CODE_BLOCK];
        uint32_t rows = code_scan(&t->table, block, cq, t->kth - slack, est);
        size_t n = left < CODE_BLOCK ? left : CODE_BLOCK;
        if (n < CODE_BLOCK)
            rows &= (1u << n) - 1;
        if (rows)
            admit(t, block, rows, place, est, slack);
        left -= n;
    }
}

static void prefetch(const void *p, size_t n)
{
    for (size_t i = 0; i < n; i += LINE)
        __builtin_prefetch((const char *)p + i);
}

static void scan_lists(struct state *t)
{
    const struct ivf *x = t->x;
    struct ivf_scratch *s = t->s;
    uint32_t count[BINS] = { 0 };
    size_t size = code_block_size(x->width, x->bits), bin = 0, misses = 0, probed = 0;
    for (size_t k = 0; k < x->n_lists; k++)
        count[s->bin[k]]++;
    for (size_t want = FIRST_LISTS; bin < BINS; want *= 4) {
        size_t n = order_lists(s, x->n_lists, count, &bin, want);
        for (size_t i = 0; i < n; i++) {
            size_t list = s->order[i];
            if (t->effort->probe ? probed++ >= t->effort->probe && t->n >= t->k
                                 : s->bound[list] < t->kth && ++misses > MISSES)
                return;
            if (!t->effort->probe && s->bound[list] < t->kth)
                continue;
            if (i + 1 < n)
                prefetch(x->code + x->block_at[s->order[i + 1]] * size, 512);
            scan_list(t, list);
        }
    }
}

/* Score candidates by their bytes; the k-th best of these scores. */
static float score_bytes(struct state *t)
{
    const struct ivf *x = t->x;
    struct ivf_candidate *c = t->s->candidates;
    size_t n_heap = 0;
    for (size_t i = 0; i < t->n && i < BYTES_AHEAD; i++)
        prefetch(x->bytes + c[i].place * x->width, x->width);
    for (size_t i = 0; i < t->n; i++) {
        if (i + BYTES_AHEAD < t->n)
            prefetch(x->bytes + c[i + BYTES_AHEAD].place * x->width, x->width);
        int32_t dot = i8_dot(x->bytes + c[i].place * x->width, t->s->q8, x->width);
        c[i].score = (float)dot * (c[i].scale * t->q_scale);
        heap_push(t->s->heap, &n_heap, t->k, c[i].score);
    }
    t->s->n_bytes += t->n;
    return n_heap == t->k ? t->s->heap[0] : -INFINITY;
}

/* Drop candidates that are below the bar. Rounding to bytes moves a score by a standard
 * deviation of √((scale² + q_scale²) / 12): five times that is let pass. */
static void drop_below(struct state *t, float bar, bool is_by_bytes)
{
    struct ivf_candidate *c = t->s->candidates;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (c[i].score + (is_by_bytes ? c[i].scale + t->q_scale : 0) >= bar)
            c[n++] = c[i];
    t->n = n;
}

/* Exact scores of what is left. */
static void score_floats(struct state *t, const float *query, struct topk *best)
{
    const struct ivf *x = t->x;
    const struct dense *d = t->d;
    const struct ivf_candidate *c = t->s->candidates;
    for (size_t i = 0; i < t->n; i++)
        if (x->row[c[i].place] < d->n_rows)
            prefetch(d->rows + x->row[c[i].place] * d->dim, d->dim * sizeof(float));
    for (size_t i = 0; i < t->n; i++) {
        uint32_t row = x->row[c[i].place];
        float score;
        if (row >= d->n_rows || d->row_doc[row] >= d->n_docs)
            continue;
        uint32_t rank = d->rank[d->row_doc[row]];
        dense_dots(d->rows + row * d->dim, 1, d->dim, query, 1, &score);
        if (!isnan(score) && rank < d->n_docs)
            topk_push(best, (double)score, rank);
    }
    t->s->n_floats += t->n;
}

void ivf_search(const struct ivf *x, const struct dense *d, const float *query,
                const struct ivf_effort *e, const unsigned char *skip, struct ivf_scratch *s,
                struct topk *best)
{
    size_t k = best->k < x->n_rows ? best->k : x->n_rows;
    struct state t = { .x = x,
                       .d = d,
                       .effort = e,
                       .skip = skip,
                       .s = s,
                       .table = { .lut = s->lut },
                       .k = k,
                       .kth = -INFINITY };
    if (!k)
        return;
    if (s->heap_cap < k) {
        s->heap_cap = alloc_grow(s->heap_cap, k);
        s->heap = alloc_resize(s->heap, s->heap_cap, sizeof *s->heap);
    }
    rotation_apply(&x->rotation, query, s->q);
    t.q_scale = i8_largest(s->q, x->width) / 127;
    i8_from_float(s->q, x->width, t.q_scale, s->q8);
    bound_lists(&t);
    code_table_make(&t.table, s->q, x->width, x->bits);
    scan_lists(&t);
    drop_below(&t, t.kth, false);
    drop_below(&t, score_bytes(&t), true);
    score_floats(&t, query, best);
}

/* ---- effort ---- */

bool ivf_effort_for(const struct ivf *x, double recall, struct ivf_effort *e)
{
    const struct ivf_level *l = x->levels;
    size_t i = 0;
    while (i < IVF_LEVELS && (double)l[i].recall < recall)
        i++;
    if (i == IVF_LEVELS)
        return false;
    *e = (struct ivf_effort){ l[i].reach, l[i].slack, 0 };
    if (i) {
        float part = ((float)recall - l[i - 1].recall) / (l[i].recall - l[i - 1].recall);
        e->reach = l[i - 1].reach + part * (l[i].reach - l[i - 1].reach);
        e->slack = l[i - 1].slack + part * (l[i].slack - l[i - 1].slack);
    }
    return true;
}
