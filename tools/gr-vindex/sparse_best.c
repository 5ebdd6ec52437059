// SPDX-License-Identifier: MIT
/*
 * sparse_best.c — the best documents without scoring all
 *
 * Documents are cut into windows. What a term can give to a document of a window is bounded by
 * the heads of its blocks there; the sum over the terms bounds the window, and one that cannot
 * reach the worst of the best so far is passed over. The windows of the largest bounds come
 * first, so that the best so far are soon good ones (Mallia, Suel & Tonellotto, SIGIR 2024);
 * the chunks of a paper, which share words, are neighbours and share a window. Within a window
 * the terms that are too weak to bring a document up alone are only looked up for documents
 * that others have brought (MaxScore: Turtle & Flood 1995; by blocks: Ding & Suel, SIGIR 2011).
 *
 * Bounds are rounded up, and a document is passed over only when it must be worse than the
 * worst: ties are broken by rank as if all had been scored.
 */
#include "alloc.h"
#include "sparse.h"

#define WINDOW SPARSE_WINDOW
#define WORDS (WINDOW / 64)

/* Windows that are searched before the others, by their bounds. */
#define FIRST 16

/* More than all that rounding can take from a bound. */
#define UP (1 + 1e-6f)

/* A term on its way through the index. */
struct clause {
    struct sparse_part part;
    struct postings list;
    uint32_t *all_doc, *all_tf; /* a short list decoded, cut into blocks; else NULL */
    size_t n_all;
    size_t n_blocks;
    uint32_t *last;  /* (n_blocks) last document of each block */
    float *top;      /* (n_blocks) bound of each block */
    float *bound;    /* (n_windows) bound of each window, 0: none of its documents */
    uint32_t *first; /* (n_windows) first block that reaches into the window or beyond */
    /* The block that is decoded, SIZE_MAX: none. */
    size_t decoded, n;
    const uint32_t *doc, *tf; /* (n) */
    struct post_block block;
    size_t at, place; /* looking up: block, place in it */
};

struct race {
    const struct sparse_query *q;
    const struct sparse *s;
    struct clause *clauses; /* (n) */
    struct clause **order;  /* (n) by their bounds in the window, ascending */
    double *before;         /* (n + 1) sum of the bounds of those before in `order` */
    size_t n, n_windows;
    double *total; /* (n_windows) sum of all bounds, -1: searched */
    double limit;  /* scores below are not wanted */
    double step;   /* scores are multiples of it */
    double sum[WINDOW];
    uint64_t seen[WORDS]; /* documents with a sum */
};

static int damaged(struct err *err)
{
    return err_set(err, EXIT_FATAL,
                   "index is damaged: postings cannot be read: run gr-vindex verify, build it "
                   "anew");
}

/* ---- bounds ---- */

static float bound_of(const struct sparse_part *p, uint32_t tf, uint32_t len)
{
    double x = tf == UINT32_MAX ? p->factor + p->least : sparse_part_of(p, tf, len);
    return (float)x * UP;
}

static void raise(float *bound, float x)
{
    if (x > *bound)
        *bound = x;
}

/* What a block's head says. */
static float head_bound(const struct clause *c, size_t i, uint32_t *last)
{
    struct post_head h;
    float best = 0;
    postings_head(&c->list, i, &h);
    for (size_t t = 0; t < POST_TOPS; t++)
        raise(&best, bound_of(&c->part, h.tops[t].tf, h.tops[t].len));
    *last = h.last;
    return best;
}

/* Blocks of a list in blocks; false when they are out of order. */
static bool bound_blocks(const struct race *r, struct clause *c)
{
    uint32_t next = 0;
    for (size_t i = 0; i < c->n_blocks; i++) {
        c->top[i] = head_bound(c, i, &c->last[i]);
        if (c->last[i] >= r->s->n_docs || c->last[i] < next)
            return false;
        for (size_t w = next / WINDOW; w <= c->last[i] / WINDOW; w++)
            raise(&c->bound[w], c->top[i]);
        next = c->last[i] + 1;
    }
    return true;
}

/* Decode a short list; false when it is damaged. */
static bool decode_all(struct clause *c)
{
    struct post_walk w;
    size_t cap = 0;
    int rc;
    post_walk_start(&w, &c->list);
    for (c->n_all = 0; (rc = post_walk_next(&w)) == 1; c->n_all += w.block.n) {
        if (c->n_all + w.block.n > cap) {
            cap = alloc_grow(cap, c->n_all + POST_BLOCK);
            c->all_doc = alloc_resize(c->all_doc, cap, sizeof *c->all_doc);
            c->all_tf = alloc_resize(c->all_tf, cap, sizeof *c->all_tf);
        }
        memcpy(c->all_doc + c->n_all, w.block.doc, w.block.n * sizeof *c->all_doc);
        memcpy(c->all_tf + c->n_all, w.block.tf, w.block.n * sizeof *c->all_tf);
    }
    c->n_blocks = (c->n_all + POST_BLOCK - 1) / POST_BLOCK;
    return rc == 0;
}

static void bound_all(const struct race *r, struct clause *c)
{
    for (size_t j = 0; j < c->n_all; j++) {
        uint32_t doc = c->all_doc[j];
        float x = bound_of(&c->part, c->all_tf[j], r->s->lens[doc]);
        raise(&c->top[j / POST_BLOCK], x);
        raise(&c->bound[doc / WINDOW], x);
        c->last[j / POST_BLOCK] = doc;
    }
}

static int start_clause(struct race *r, struct clause *c, size_t ordinal, struct err *err)
{
    bool is_well = true;
    if (sparse_list(r->s, ordinal, &c->list, err) < 0)
        return -1;
    c->decoded = SIZE_MAX;
    c->n_blocks = c->list.n_blocks;
    if (!c->list.heads)
        is_well = decode_all(c);
    c->last = alloc_array(c->n_blocks + 1, sizeof *c->last);
    c->top = alloc_zero(c->n_blocks + 1, sizeof *c->top);
    c->bound = alloc_zero(r->n_windows, sizeof *c->bound);
    c->first = alloc_array(r->n_windows, sizeof *c->first);
    if (is_well && !c->list.heads)
        bound_all(r, c);
    else if (is_well)
        is_well = bound_blocks(r, c);
    if (!is_well)
        return damaged(err);
    size_t block = 0;
    for (size_t w = 0; w < r->n_windows; w++) {
        while (block < c->n_blocks && c->last[block] < w * WINDOW)
            block++;
        c->first[w] = (uint32_t)block;
        r->total[w] += c->bound[w];
    }
    return 0;
}

static void release_clause(struct clause *c)
{
    free(c->all_doc);
    free(c->all_tf);
    free(c->last);
    free(c->top);
    free(c->bound);
    free(c->first);
}

/* ---- a window ---- */

/* Let doc and tf be those of block i < n_blocks; false when it is damaged. */
static bool decode(struct clause *c, size_t i)
{
    if (c->decoded == i)
        return true;
    c->decoded = SIZE_MAX;
    if (c->all_doc) {
        c->doc = c->all_doc + i * POST_BLOCK;
        c->tf = c->all_tf + i * POST_BLOCK;
        c->n = c->n_all - i * POST_BLOCK < POST_BLOCK ? c->n_all - i * POST_BLOCK : POST_BLOCK;
    } else {
        if (!postings_docs(&c->list, i, &c->block))
            return false;
        c->doc = c->block.doc;
        c->tf = c->block.tf;
        c->n = c->block.n;
    }
    c->decoded = i;
    return true;
}

static bool decode_tfs(struct clause *c)
{
    return c->all_doc || postings_tfs(&c->list, &c->block);
}

/* First place in the decoded block, from `from` on, whose document is not before doc. */
static size_t place_of(const struct clause *c, size_t from, uint32_t doc)
{
    size_t n = c->n - from;
    const uint32_t *p = c->doc + from;
    while (n) {
        size_t half = n / 2;
        bool is_before = p[half] < doc;
        p = is_before ? p + half + 1 : p;
        n = is_before ? n - half - 1 : half;
    }
    return (size_t)(p - c->doc);
}

/* Add what a term gives to the documents of window w; not of blocks whose documents cannot
 * reach the limit even with all that the other terms may give. Their sums are then too small,
 * which is as good as right. */
static bool add_clause(struct race *r, struct clause *c, size_t w)
{
    uint32_t from = (uint32_t)(w * WINDOW), to = from + (WINDOW - 1);
    double others = r->before[r->n] - c->bound[w] * (double)(1 - 1e-6f);
    for (size_t i = c->first[w]; i < c->n_blocks && !(i && c->last[i - 1] >= to); i++) {
        if (c->top[i] + others < r->limit)
            continue;
        if (!decode(c, i) || !decode_tfs(c))
            return false;
        for (size_t j = place_of(c, 0, from); j < c->n && c->doc[j] <= to; j++) {
            uint32_t at = c->doc[j] - from;
            r->sum[at] += sparse_part_of(&c->part, c->tf[j], r->s->lens[c->doc[j]]);
            r->seen[at / 64] |= (uint64_t)1 << at % 64;
        }
    }
    return true;
}

/*
 * Add to *score what a term gives to doc; documents ascend within a window. 1 done, 0: with
 * `more` from the terms to come it cannot reach the limit, -1: damaged.
 */
static int look_up(const struct race *r, struct clause *c, uint32_t doc, double more,
                   double *score)
{
    while (c->at < c->n_blocks && c->last[c->at] < doc) {
        c->at++;
        c->place = 0;
    }
    double bound = c->at < c->n_blocks ? c->top[c->at] : 0;
    if (*score + bound + more < r->limit)
        return 0;
    if (c->at == c->n_blocks)
        return 1;
    if (!decode(c, c->at))
        return -1;
    c->place = place_of(c, c->place, doc);
    if (c->place >= c->n || c->doc[c->place] != doc)
        return 1;
    if (!decode_tfs(c))
        return -1;
    *score += sparse_part_of(&c->part, c->tf[c->place], r->s->lens[doc]);
    return 1;
}

static void offer(struct race *r, double score, uint32_t doc)
{
    struct topk *best = r->q->best;
    if (score < r->limit || r->q->rank[doc] >= r->s->n_docs)
        return;
    topk_push(best, score, r->q->rank[doc]);
    if (best->n == best->k)
        r->limit = best->items[0].score - r->step;
}

/* Complete a document that the strong terms brought with what the weak ones, order[0 … n_weak),
 * give to it. */
static bool complete(struct race *r, uint32_t doc, double score, size_t n_weak)
{
    int rc = 1;
    if (score + r->before[n_weak] < r->limit || (r->q->skip && r->q->skip[doc]))
        return true;
    for (size_t i = n_weak; i-- > 0 && rc == 1 && r->before[i + 1] > 0;)
        rc = look_up(r, r->order[i], doc, r->before[i], &score);
    if (rc == 1)
        offer(r, score, doc);
    return rc >= 0;
}

/* Put the terms in order, ascending; returns how many are too weak to reach the limit together.
 */
static size_t weigh(struct race *r, size_t w)
{
    size_t n_weak = 0;
    for (size_t i = 1; i < r->n; i++) { /* nearly in order since the window before */
        struct clause *c = r->order[i];
        size_t j = i;
        for (; j && r->order[j - 1]->bound[w] > c->bound[w]; j--)
            r->order[j] = r->order[j - 1];
        r->order[j] = c;
    }
    for (size_t i = 0; i < r->n; i++) {
        double bound = r->order[i]->bound[w];
        r->before[i + 1] = r->before[i] + bound;
        n_weak += n_weak == i && (bound == 0 || r->before[i + 1] < r->limit);
    }
    return n_weak;
}

static bool search_window(struct race *r, size_t w)
{
    size_t n_weak = weigh(r, w);
    bool is_well = true;
    r->total[w] = -1;
    for (size_t i = n_weak; i < r->n && is_well; i++)
        is_well = add_clause(r, r->order[i], w);
    for (size_t i = 0; i < n_weak; i++) {
        r->order[i]->at = r->order[i]->first[w];
        r->order[i]->place = 0;
    }
    for (size_t word = 0; word < WORDS && is_well; word++)
        for (uint64_t bits = r->seen[word]; bits && is_well; bits &= bits - 1) {
            size_t at = word * 64 + (size_t)__builtin_ctzll(bits);
            double score = r->sum[at];
            r->sum[at] = 0;
            is_well = complete(r, (uint32_t)(w * WINDOW + at), score, n_weak);
        }
    memset(r->seen, 0, sizeof r->seen);
    return is_well;
}

/* ---- all windows ---- */

static int search_windows(struct race *r, struct err *err)
{
    struct topk first;
    bool is_well = true;
    topk_init(&first, FIRST);
    for (size_t w = 0; w < r->n_windows; w++)
        topk_push(&first, r->total[w], w);
    topk_sort(&first);
    for (size_t i = 0; i < first.n && is_well; i++)
        if (r->total[first.items[i].ord] >= r->limit)
            is_well = search_window(r, (size_t)first.items[i].ord);
    topk_release(&first);
    for (size_t w = 0; w < r->n_windows && is_well; w++)
        if (r->total[w] > 0 && r->total[w] >= r->limit)
            is_well = search_window(r, w);
    return is_well ? 0 : damaged(err);
}

static int start(struct race *r, const struct sparse_part *parts, struct err *err)
{
    for (size_t i = 0; i < r->q->n_terms; i++) {
        size_t ordinal;
        if (sparse_find(r->s, r->q->terms[i].text, &ordinal, err) < 0)
            return -1;
        if (ordinal == SIZE_MAX)
            continue;
        struct clause *c = &r->clauses[r->n];
        r->order[r->n++] = c;
        c->part = parts[i];
        r->step = parts[i].least;
        if (start_clause(r, c, ordinal, err) < 0)
            return -1;
    }
    return 0;
}

int sparse_search_best(const struct sparse_query *q, struct err *err)
{
    if (!q->best->k)
        return 0;
    struct race *r = alloc_zero(1, sizeof *r);
    struct sparse_part *parts = sparse_parts(q);
    r->q = q;
    r->s = q->s;
    r->n_windows = q->s->n_docs / WINDOW + 1;
    r->clauses = alloc_zero(q->n_terms + 1, sizeof *r->clauses);
    r->order = alloc_zero(q->n_terms + 1, sizeof(struct clause *));
    r->before = alloc_zero(q->n_terms + 1, sizeof *r->before);
    r->total = alloc_zero(r->n_windows, sizeof *r->total);
    int rc = start(r, parts, err);
    if (rc == 0)
        rc = search_windows(r, err);
    for (size_t i = 0; i < r->n; i++)
        release_clause(&r->clauses[i]);
    free(r->clauses);
    free(r->order);
    free(r->before);
    free(r->total);
    free(parts);
    free(r);
    return rc;
}
