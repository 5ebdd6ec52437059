// SPDX-License-Identifier: MIT
/*
 * ivf_search.c — lists by bound, rows by code, bytes, floats
 */
#include "ivf.h"

#include <math.h>

#include "alloc.h"
#include "code.h"
#include "i8.h"
#include "isa.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define BINS 512
#define MISSES 8       /* lists under the bound that end the search: bins are not sorted */
#define FIRST_LISTS 64 /* how many lists are ordered at once; then 4 times as many */
#define BYTES_AHEAD 8  /* rows of bytes fetched in advance */
#define LINE 64
#define DEEP_MISSED                                                                            \
    0.8 /* the sample of deep searches is small: by so much less may be missed */
#define BLOCKS_A_TIME 8 /* scanned before the bar is raised */

/* A row that may be among the best: an upper bound of its score, then the score itself. */
struct ivf_candidate {
    float score, scale; /* scale: of its bytes, once these are known */
    uint32_t row;
};

/* What is known while lists are scanned. */
struct state {
    const struct ivf *x;
    const struct dense *d;
    struct ivf_bars bars; /* those for this query */
    size_t probe;
    const unsigned char *skip;
    bool is_asking; /* whether a row may be taken */
    struct ivf_scratch *s;
    float q_scale;
    size_t k, n_heap, n;
    float kth; /* the k-th best estimate; -infinite: fewer than k */
};

/* ---- scratch ---- */

void ivf_scratch_init(struct ivf_scratch *s, const struct ivf *x)
{
    size_t n = x->n_lists;
    *s = (struct ivf_scratch){ 0 };
    s->q = alloc_array(x->width, sizeof *s->q);
    s->q8 = alloc_array(x->width, sizeof *s->q8);
    s->dots = alloc_array(n, sizeof *s->dots);
    s->cq = alloc_array(n, sizeof *s->cq);
    s->bound = alloc_array(n, sizeof *s->bound);
    s->bin = alloc_array(n, sizeof *s->bin);
    s->order = alloc_array(n, sizeof *s->order);
    s->q8_flipped = alloc_array(x->width, sizeof *s->q8_flipped);
    s->row = alloc_array(x->dim, sizeof *s->row);
    s->rotated = alloc_array(x->width, sizeof *s->rotated);
    s->bytes = alloc_array(x->width, sizeof *s->bytes);
    s->is_taken = x->copies > 1 ? alloc_zero(x->n_rows, 1) : NULL;
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
    free(s->q8_flipped);
    free(s->row);
    free(s->rotated);
    free(s->bytes);
    free(s->is_taken);
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

#define LANES 16
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int32_t lanes_i32
    __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4), may_alias));
typedef uint16_t lanes_u16
    __attribute__((vector_size(LANES * sizeof(uint16_t)), aligned(2), may_alias));

static inline __attribute__((always_inline)) void larger(lanes *a, const lanes *b)
{
    lanes_i32 is_less = (lanes_i32)(*a < *b);
    *a = (lanes)(((lanes_i32)*b & is_less) | ((lanes_i32)*a & ~is_less));
}

/* The largest of all lanes. */
static inline __attribute__((always_inline)) float largest(const lanes *v)
{
    float most = (*v)[0];
    for (size_t i = 1; i < LANES; i++)
        most = (*v)[i] > most ? (*v)[i] : most;
    return most;
}

static inline __attribute__((always_inline)) void
make_bounds(const struct ivf *x, struct ivf_scratch *s, float q_scale, const float reach[2])
{
    lanes nearest = (lanes){ 0 } - 1e30f, most = nearest, most_negative = nearest;
    for (size_t k = 0; k < x->n_lists; k += LANES) {
        lanes scale = *(const lanes *)(x->scale + k) * q_scale;
        lanes cq = __builtin_convertvector(*(const lanes_i32 *)(s->dots + k), lanes);
        cq *= scale;
        *(lanes *)(s->cq + k) = cq;
        larger(&nearest, &cq);
    }
    s->nearest = largest(&nearest);
    float by_spread = reach[s->nearest < x->border];
    for (size_t k = 0; k < x->n_lists; k += LANES) {
        lanes bound = *(const lanes *)(x->spread + k) * by_spread;
        bound += *(const lanes *)(s->cq + k);
        *(lanes *)(s->bound + k) = bound;
        larger(&most, &bound);
        bound = -bound;
        larger(&most_negative, &bound);
    }
    float high = largest(&most), by = (BINS - 1) / (high + largest(&most_negative) + 1e-9f);
    for (size_t k = 0; k < x->n_lists; k += LANES) {
        lanes bin = high - *(const lanes *)(s->bound + k);
        bin *= by;
        *(lanes_u16 *)(s->bin + k) =
            __builtin_convertvector(__builtin_convertvector(bin, lanes_i32), lanes_u16);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw"))) static void
bounds_avx512(const struct ivf *x, struct ivf_scratch *s, float q_scale, const float reach[2])
{
    make_bounds(x, s, q_scale, reach);
}

__attribute__((target("avx2"))) static void
bounds_avx2(const struct ivf *x, struct ivf_scratch *s, float q_scale, const float reach[2])
{
    make_bounds(x, s, q_scale, reach);
}
#endif

static void bounds_make(const struct ivf *x, struct ivf_scratch *s, float q_scale,
                        const float reach[2])
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        bounds_avx512(x, s, q_scale, reach);
        return;
    }
    if (isa == ISA_AVX2) {
        bounds_avx2(x, s, q_scale, reach);
        return;
    }
#endif
    make_bounds(x, s, q_scale, reach);
}

/* <q,c> and the bound of every list; bins in which those of the highest bounds are 0. bars:
 * for near and far queries; which this is turns out here. */
static void bound_lists(struct state *t, const struct ivf_bars bars[2])
{
    const struct ivf *x = t->x;
    struct ivf_scratch *s = t->s;
    float by = 1 / sqrtf((float)x->dim);
    const float reach[2] = { bars[0].reach * by, bars[1].reach * by };
    i8_block_dots(x->cent, x->n_lists / I8_BLOCK, x->width, s->q8, 1, s->dots);
    bounds_make(x, s, t->q_scale, reach);
    t->bars = bars[s->nearest < x->border];
}

/* Bit i: bins[i] of 16 is among [from, to). Most are not. */
static inline unsigned which_are_in(const uint16_t *bins, size_t from, size_t to)
{
#if defined(__SSE2__)
    const __m128i least = _mm_set1_epi16((short)((int)from - 1));
    const __m128i end = _mm_set1_epi16((short)to);
    __m128i a = _mm_loadu_si128((const __m128i *)bins);
    __m128i b = _mm_loadu_si128((const __m128i *)bins + 1);
    a = _mm_and_si128(_mm_cmpgt_epi16(a, least), _mm_cmpgt_epi16(end, a));
    b = _mm_and_si128(_mm_cmpgt_epi16(b, least), _mm_cmpgt_epi16(end, b));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(a, b));
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < 16; i++)
        bits |= (unsigned)(bins[i] >= from && bins[i] < to) << i;
    return bits;
#endif
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
    for (size_t k = 0; k < n_lists; k += 16)
        for (unsigned bits = which_are_in(s->bin + k, from, *bin); bits; bits &= bits - 1) {
            size_t i = k + (unsigned)__builtin_ctz(bits);
            s->order[at[s->bin[i]]++] = (uint32_t)i;
        }
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

static bool is_skipped(const struct state *t, uint32_t row)
{
    uint32_t doc = row < t->d->n_rows ? dense_doc(t->d, row) : UINT32_MAX;
    return doc >= t->d->n_docs || t->skip[doc];
}

/* May the row of a place be taken? One that is in two lists is taken once. */
static bool take_row(const struct state *t, uint32_t place, uint32_t *row)
{
    unsigned char *is_taken = t->s->is_taken;
    *row = t->x->row[place];
    if (*row >= t->x->n_rows || (t->skip && is_skipped(t, *row)) ||
        (is_taken && is_taken[*row]))
        return false;
    if (is_taken)
        is_taken[*row] = 1;
    return true;
}

/* Take the rows of a block whose bits are set. slack: in terms of score. When any row will do,
 * which one it is, is looked up later for all of them (find_rows). */
static void admit(struct state *t, uint32_t rows, uint32_t place, const float *est, float slack)
{
    while (rows) {
        unsigned i = (unsigned)__builtin_ctz(rows);
        uint32_t row = place + i;
        rows &= rows - 1;
        if (!(est[i] > t->kth - slack) || (t->is_asking && !take_row(t, place + i, &row)))
            continue;
        add_candidate(t, (struct ivf_candidate){ est[i] + slack, 0, row });
        heap_push(t->s->heap, &t->n_heap, t->k, est[i]);
        if (t->n_heap == t->k)
            t->kth = t->s->heap[0];
    }
}

/* From places to rows, unless admit has asked for them. */
static void find_rows(struct state *t)
{
    struct ivf_candidate *c = t->s->candidates;
    size_t n = 0;
    if (t->is_asking)
        return;
    for (size_t i = 0; i < t->n; i++)
        __builtin_prefetch(t->x->row + c[i].row);
    for (size_t i = 0; i < t->n; i++) {
        c[n] = c[i];
        c[n].row = t->x->row[c[i].row];
        n += c[n].row < t->x->n_rows;
    }
    t->n = n;
}

/* The standard deviation of the estimates of a list. */
static float error_of(const struct ivf *x, size_t list, float cq)
{
    float apart = 1 + x->norm[list] - 2 * cq;
    apart = (apart > 0 ? apart : 0) / (float)x->dim;
    return code_error(x->bits) * x->spread[list] * sqrtf(apart);
}

static void prefetch(const void *p, size_t n)
{
    for (size_t i = 0; i < n; i += LINE)
        __builtin_prefetch((const char *)p + i);
}

/* next: the list that is scanned after this one. */
static void scan_list(struct state *t, size_t list, size_t next)
{
    const struct ivf *x = t->x;
    size_t size = code_block_size(x->width, x->bits);
    uint32_t place = x->at[list];
    const uint8_t *block = x->code + x->block_at[list] * size;
    const uint8_t *fetched = x->code + x->block_at[next] * size;
    float cq = t->s->cq[list], slack = t->bars.slack * error_of(x, list, cq);
    t->s->n_lists++;
    t->s->n_rows += x->at[list + 1] - place;
    for (size_t b = x->block_at[list]; b < x->block_at[list + 1]; b += BLOCKS_A_TIME) {
        float est[BLOCKS_A_TIME * CODE_BLOCK];
        uint32_t above[BLOCKS_A_TIME];
        size_t n = x->block_at[list + 1] - b;
        n = n < BLOCKS_A_TIME ? n : BLOCKS_A_TIME;
        code_scan(&t->s->table, block, n, fetched, cq, t->kth - slack, est, above);
        fetched += n * size;
        for (size_t i = 0; t->is_asking && i < n; i++)
            if (above[i])
                prefetch(x->row + place + i * CODE_BLOCK, CODE_BLOCK * sizeof *x->row);
        for (size_t i = 0; i < n; i++, block += size, place += CODE_BLOCK) {
            size_t left = x->at[list + 1] - place;
            if (left < CODE_BLOCK)
                above[i] &= (1u << left) - 1;
            if (above[i])
                admit(t, above[i], place, est + i * CODE_BLOCK, slack);
        }
    }
}

static void scan_lists(struct state *t)
{
    const struct ivf *x = t->x;
    struct ivf_scratch *s = t->s;
    uint32_t count[BINS] = { 0 };
    size_t bin = 0, misses = 0, probed = 0;
    for (size_t k = 0; k < x->n_lists; k++)
        count[s->bin[k]]++;
    for (size_t want = FIRST_LISTS; bin < BINS; want *= 4) {
        size_t n = order_lists(s, x->n_lists, count, &bin, want);
        for (size_t i = 0; i < n; i++) {
            size_t list = s->order[i];
            if (t->probe ? probed++ >= t->probe && t->n >= t->k
                         : s->bound[list] < t->kth && ++misses > MISSES)
                return;
            if (!t->probe && s->bound[list] < t->kth)
                continue;
            scan_list(t, list, i + 1 < n ? s->order[i + 1] : list);
        }
    }
}

static void fetch_bytes(const struct ivf *x, uint32_t row)
{
    prefetch(x->bytes + row * x->stride, x->width);
    __builtin_prefetch(x->scales + row);
}

/* Product of a candidate's bytes with the query's, and their scale. */
static int32_t dot_of(const struct state *t, struct ivf_candidate *c)
{
    const struct ivf *x = t->x;
    struct ivf_scratch *s = t->s;
    if (x->bytes) {
        c->scale = x->scales[c->row];
        return i8_dot(s->q8_flipped, x->bytes + c->row * x->stride, x->width);
    }
    const float *row = dense_rows(t->d, c->row, 1, s->row);
    c->scale = ivf_bytes_of(x, row, s->rotated, s->bytes);
    return i8_dot(s->q8_flipped, s->bytes, x->width);
}

/* Score candidates by their bytes; the k-th best of these scores. */
static float score_bytes(struct state *t)
{
    const struct ivf *x = t->x;
    struct ivf_scratch *s = t->s;
    struct ivf_candidate *c = s->candidates;
    size_t n_heap = 0;
    for (size_t j = 0; j < x->width; j++)
        s->q8_flipped[j] = (uint8_t)s->q8[j] ^ I8_FLIP;
    for (size_t i = 0; x->bytes && i < t->n && i < BYTES_AHEAD; i++)
        fetch_bytes(x, c[i].row);
    for (size_t i = 0; i < t->n; i++) {
        if (x->bytes && i + BYTES_AHEAD < t->n)
            fetch_bytes(x, c[i + BYTES_AHEAD].row);
        int32_t dot = dot_of(t, &c[i]);
        c[i].score = (float)dot * (c[i].scale * t->q_scale);
        heap_push(s->heap, &n_heap, t->k, c[i].score);
    }
    s->n_bytes += t->n;
    return n_heap == t->k ? s->heap[0] : -INFINITY;
}

/* All rows may be taken again. */
static void forget_taken(const struct state *t)
{
    for (size_t i = 0; t->s->is_taken && i < t->n; i++)
        t->s->is_taken[t->s->candidates[i].row] = 0;
}

/* Drop candidates that are below the bar. Rounding to bytes moves a score by a standard
 * deviation of √((scale² + q_scale²) / 12), and so it does the bar's: five times that of the
 * difference is let pass. */
static void drop_below(struct state *t, float bar, bool is_by_bytes)
{
    struct ivf_candidate *c = t->s->candidates;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (c[i].score + (is_by_bytes ? 1.5f * (c[i].scale + t->q_scale) : 0) >= bar)
            c[n++] = c[i];
    t->n = n;
}

/* Exact scores of what is left. */
static void score_floats(struct state *t, const float *query, struct topk *best)
{
    const struct dense *d = t->d;
    const struct ivf_candidate *c = t->s->candidates;
    for (size_t i = 0; i < t->n && d->rows; i++)
        prefetch(d->rows + c[i].row * d->dim, d->dim * sizeof(float));
    for (size_t i = 0; i < t->n; i++) {
        uint32_t doc = dense_doc(d, c[i].row);
        float score;
        if (doc >= d->n_docs || d->rank[doc] >= d->n_docs)
            continue;
        dense_dots(dense_rows(d, c[i].row, 1, t->s->row), 1, d->dim, query, 1, &score);
        if (!isnan(score))
            topk_push(best, (double)score, d->rank[doc]);
    }
    t->s->n_floats += t->n;
}

void ivf_search(const struct ivf *x, const struct dense *d, const float *query,
                const struct ivf_effort *e, const unsigned char *skip, struct ivf_scratch *s,
                struct topk *best)
{
    size_t k = best->k < x->n_rows ? best->k : x->n_rows;
    struct state t = {
        .x = x, .d = d, .probe = e->probe, .skip = skip, .s = s, .k = k, .kth = -INFINITY
    };
    if (!k)
        return;
    t.is_asking = skip || s->is_taken;
    if (s->heap_cap < k) {
        s->heap_cap = alloc_grow(s->heap_cap, k);
        s->heap = alloc_resize(s->heap, s->heap_cap, sizeof *s->heap);
    }
    rotation_apply(&x->rotation, query, s->q);
    t.q_scale = i8_largest(s->q, x->width) / 127;
    i8_from_float(s->q, x->width, t.q_scale, s->q8);
    bound_lists(&t, e->bars[best->k > IVF_DEEP || skip]);
    s->table.lut = s->lut;
    code_table_make(&s->table, s->q, x->width, x->bits);
    scan_lists(&t);
    forget_taken(&t);
    s->kth = t.kth;
    if (e->is_estimating)
        return;
    drop_below(&t, t.kth, false);
    find_rows(&t);
    drop_below(&t, score_bytes(&t), true);
    score_floats(&t, query, best);
}

/* ---- effort ---- */

/* Bars between the two levels around a recall; of the last level when none has it. */
static struct ivf_bars bars_between(const struct ivf_level *l, double recall)
{
    size_t i = 0;
    while (i + 1 < IVF_LEVELS && (double)l[i].recall < recall)
        i++;
    struct ivf_bars bars = l[i].bars;
    if (i && (double)l[i].recall > recall) {
        const struct ivf_bars *below = &l[i - 1].bars;
        float part = ((float)recall - l[i - 1].recall) / (l[i].recall - l[i - 1].recall);
        bars.reach = below->reach + part * (bars.reach - below->reach);
        bars.slack = below->slack + part * (bars.slack - below->slack);
    }
    return bars;
}

bool ivf_effort_for(const struct ivf *x, double recall, struct ivf_effort *e)
{
    *e = (struct ivf_effort){ 0 };
    for (size_t far = 0; far < 2; far++) {
        e->bars[0][far] = bars_between(x->levels[0][far], recall);
        e->bars[1][far] = bars_between(x->levels[1][far], 1 - DEEP_MISSED * (1 - recall));
    }
    return recall <= (double)x->levels[0][0][IVF_LEVELS - 1].recall;
}

struct ivf_effort ivf_effort_of(struct ivf_bars bars)
{
    return (struct ivf_effort){ .bars = { { bars, bars }, { bars, bars } } };
}

#define MOST 1000.0f /* bars that let all pass */

struct ivf_bars ivf_bars_needed(const struct ivf *x, const struct ivf_scratch *s, size_t list,
                                size_t place)
{
    float est[CODE_BLOCK], cq = s->cq[list], error = error_of(x, list, cq);
    size_t i = place - x->at[list], size = code_block_size(x->width, x->bits);
    const uint8_t *block = x->code + (x->block_at[list] + i / CODE_BLOCK) * size;
    float reach = (s->kth - cq) * sqrtf((float)x->dim), spread = x->spread[list];
    uint32_t above;
    code_scan(&s->table, block, 1, block, cq, 0, est, &above);
    float slack = s->kth - est[i % CODE_BLOCK];
    reach = reach <= 0 ? 0 : spread * MOST > reach ? reach / spread : MOST;
    slack = slack <= 0 ? 0 : error * MOST > slack ? slack / error : MOST;
    return (struct ivf_bars){ reach, slack };
}
