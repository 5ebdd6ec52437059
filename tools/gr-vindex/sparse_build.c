// SPDX-License-Identifier: MIT
/*
 * sparse_build.c — texts to postings: workers analyse ranges of documents, one thread joins
 *
 * A range gives its terms in order of first sight with (document, tf) pairs; ranges are joined
 * in order, so each term's documents ascend and nothing depends on the number of workers.
 */
#include "alloc.h"
#include "pool.h"
#include "sparse.h"

#define DOCS_A_RANGE 64

struct posting {
    uint32_t term, doc, tf; /* term: ordinal in the range's map */
};

struct range {
    size_t from, to;
    struct map *terms;
    struct posting *postings;
    size_t n, cap;
    uint32_t lens[DOCS_A_RANGE];
};

/* A term while it is built. */
struct growing {
    struct buf bytes;
    uint32_t df, last; /* last: document + 1 */
};

struct building {
    const struct sparse_build *b;
    struct terms **terms; /* (jobs) scratch */
    struct buf *texts;    /* (jobs) scratch */
    struct map *all;      /* term to ordinal in `growing` */
    struct growing *growing;
    size_t cap;
    struct sparse_owned *out;
};

/* ---- analysing ---- */

/* Count one term of a document: its last posting in the range is this document's, if any. */
static void count_term(struct range *r, uint32_t *last_of, uint32_t doc, size_t term)
{
    uint32_t at = last_of[term];
    if (at && r->postings[at - 1].doc == doc) {
        r->postings[at - 1].tf++;
        return;
    }
    if (r->n == r->cap) {
        r->cap = alloc_grow(r->cap, r->n + 1);
        r->postings = alloc_resize(r->postings, r->cap, sizeof *r->postings);
    }
    r->postings[r->n++] = (struct posting){ (uint32_t)term, doc, 1 };
    last_of[term] = (uint32_t)r->n;
}

/* last_of: for each term of the range the place + 1 of its newest posting; grown here. */
static void put_term(struct range *r, uint32_t **last_of, size_t *cap, uint32_t doc,
                     struct sv text)
{
    size_t term = map_put(r->terms, text, NULL);
    if (term >= *cap) {
        size_t old = *cap;
        *cap = alloc_grow(*cap, term + 1);
        *last_of = alloc_resize(*last_of, *cap, sizeof **last_of);
        memset(*last_of + old, 0, (*cap - old) * sizeof **last_of);
    }
    count_term(r, *last_of, doc, term);
}

/* Where a worker puts the terms of one document. */
struct intake {
    struct building *g;
    struct range *r;
    struct terms *terms;
    uint32_t **last_of;
    size_t *cap;
    uint32_t doc, len;
};

static void take_term(struct intake *in, struct sv text)
{
    const struct map *wanted = in->g->b->wanted;
    if (!wanted || map_get(wanted, text) != MAP_NONE)
        put_term(in->r, in->last_of, in->cap, in->doc, text);
}

static void take_text(struct intake *in, struct sv text)
{
    struct term t;
    if (text.n > 1 && text.p[0] == SPARSE_IS_TERM) {
        in->len++;
        take_term(in, sv_from_to(text, 1, text.n));
        return;
    }
    terms_start(in->terms, text);
    while (terms_next(in->terms, &t)) {
        in->len += !t.same;
        take_term(in, t.text);
    }
}

static void analyse_range(void *ctx, unsigned worker, void *job)
{
    struct building *g = ctx;
    struct range *r = job;
    struct buf *texts = &g->texts[worker];
    uint32_t *last_of = NULL;
    size_t cap = 0;
    r->n = 0;
    r->terms = map_new();
    for (size_t doc = r->from; doc < r->to; doc++) {
        struct intake in = { g, r, g->terms[worker], &last_of, &cap, (uint32_t)doc, 0 };
        buf_reset(texts);
        g->b->texts(g->b->ctx, doc, texts);
        struct sv rest = buf_view(texts), one;
        if (rest.n)
            rest.n--; /* the last NUL */
        while (rest.n && sv_cut(&rest, '\0', &one))
            take_text(&in, one);
        r->lens[doc - r->from] = in.len;
    }
    free(last_of);
}

/* ---- joining ---- */

static struct growing *growing_of(struct building *g, struct sv text)
{
    size_t i = map_put(g->all, text, NULL);
    if (i >= g->cap) {
        size_t old = g->cap;
        g->cap = alloc_grow(g->cap, i + 1);
        g->growing = alloc_resize(g->growing, g->cap, sizeof *g->growing);
        memset(g->growing + old, 0, (g->cap - old) * sizeof *g->growing);
    }
    return &g->growing[i];
}

static bool join_range(void *ctx, void *job)
{
    struct building *g = ctx;
    struct range *r = job;
    size_t n = map_count(r->terms);
    size_t *ordinal = alloc_array(n ? n : 1, sizeof *ordinal);
    for (size_t i = 0; i < n; i++)
        ordinal[i] = (size_t)(growing_of(g, map_key(r->terms, i)) - g->growing);
    for (size_t i = 0; i < r->n; i++) {
        const struct posting *p = &r->postings[i];
        struct growing *t = &g->growing[ordinal[p->term]];
        postings_put_pair(&t->bytes, p->doc + 1 - t->last, p->tf);
        t->last = p->doc + 1;
        t->df++;
    }
    for (size_t doc = r->from; doc < r->to; doc++) {
        uint32_t len = r->lens[doc - r->from];
        g->out->lens[doc] = len;
        g->out->view.n_with_terms += len > 0;
        g->out->view.total_len += len;
    }
    free(ordinal);
    map_free(r->terms);
    r->terms = NULL;
    return true;
}

static void analyse_all(struct building *g)
{
    unsigned jobs = g->b->jobs;
    size_t n_slots = 2 * (size_t)jobs;
    void **slots = alloc_array(n_slots, sizeof *slots);
    for (size_t i = 0; i < n_slots; i++)
        slots[i] = alloc_zero(1, sizeof(struct range));
    struct pool_cfg cfg = { .jobs = jobs,
                            .n_slots = n_slots,
                            .slots = slots,
                            .ctx = g,
                            .work = analyse_range,
                            .done = join_range };
    struct pool *pool = pool_new(&cfg);
    for (size_t from = 0; from < g->b->n_docs; from += DOCS_A_RANGE) {
        struct range *r = pool_next(pool);
        r->from = from;
        r->to = from + DOCS_A_RANGE < g->b->n_docs ? from + DOCS_A_RANGE : g->b->n_docs;
        pool_give(pool);
    }
    pool_free(pool);
    for (size_t i = 0; i < n_slots; i++) {
        free(((struct range *)slots[i])->postings);
        free(slots[i]);
    }
    free(slots);
}

/* ---- flat arrays ---- */

struct named {
    struct sv text;
    size_t ordinal;
};

static int by_text(const void *a, const void *b)
{
    return sv_cmp(((const struct named *)a)->text, ((const struct named *)b)->text);
}

/* Arrays that a term's list is spread out in. */
struct spread {
    uint32_t *doc, *tf;
    size_t cap;
};

/* A short list is kept as it grew, a long one is put into blocks. */
static void put_list(struct building *g, const struct growing *t, struct spread *x)
{
    struct sparse_owned *o = g->out;
    const unsigned char *bytes = (const unsigned char *)t->bytes.data;
    double mean = (double)o->view.total_len / (double)o->view.n_with_terms;
    struct postings l;
    struct post_walk w;
    size_t n = 0;
    if (t->df < POST_BLOCKED) {
        buf_sv(&o->post, buf_view(&t->bytes));
        return;
    }
    if (t->df > x->cap) {
        x->cap = alloc_grow(x->cap, t->df);
        x->doc = alloc_resize(x->doc, x->cap, sizeof *x->doc);
        x->tf = alloc_resize(x->tf, x->cap, sizeof *x->tf);
    }
    postings_open(&l, bytes, bytes + t->bytes.len, g->b->n_docs);
    for (post_walk_start(&w, &l); post_walk_next(&w) == 1; n += w.block.n) {
        memcpy(x->doc + n, w.block.doc, w.block.n * sizeof *x->doc);
        memcpy(x->tf + n, w.block.tf, w.block.n * sizeof *x->tf);
    }
    postings_put(&o->post, x->doc, x->tf, n, o->lens, mean);
}

static void flatten(struct building *g)
{
    struct sparse_owned *o = g->out;
    struct spread x = { 0 };
    size_t n = map_count(g->all);
    struct named *names = alloc_array(n ? n : 1, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = (struct named){ map_key(g->all, i), i };
    qsort(names, n, sizeof *names, by_text);
    o->text_at = alloc_array(n + 1, sizeof *o->text_at);
    o->post_at = alloc_array(n + 1, sizeof *o->post_at);
    o->df = alloc_array(n ? n : 1, sizeof *o->df);
    o->text.max = o->post.max = SIZE_MAX / 2;
    for (size_t i = 0; i < n; i++) {
        struct growing *t = &g->growing[names[i].ordinal];
        o->text_at[i] = o->text.len;
        o->post_at[i] = o->post.len;
        o->df[i] = t->df;
        buf_sv(&o->text, names[i].text);
        put_list(g, t, &x);
        buf_release(&t->bytes);
    }
    o->text_at[n] = o->text.len;
    o->post_at[n] = o->post.len;
    free(names);
    free(x.doc);
    free(x.tf);
    struct sparse *v = &o->view;
    v->n_terms = n;
    v->text = buf_cstr(&o->text);
    v->text_at = o->text_at;
    v->text_size = o->text.len;
    v->post = (const unsigned char *)buf_cstr(&o->post);
    v->post_at = o->post_at;
    v->post_size = o->post.len;
    v->df = o->df;
    v->lens = o->lens;
}

void sparse_build(struct sparse_owned *out, const struct sparse_build *b)
{
    *out = (struct sparse_owned){ .view = { .n_docs = b->n_docs } };
    struct building g = { .b = b, .out = out, .all = map_new() };
    out->lens = alloc_zero(b->n_docs ? b->n_docs : 1, sizeof *out->lens);
    g.terms = alloc_array(b->jobs, sizeof(struct terms *));
    g.texts = alloc_zero(b->jobs, sizeof *g.texts);
    for (unsigned i = 0; i < b->jobs; i++)
        g.terms[i] = terms_new(b->analyzer);
    analyse_all(&g);
    flatten(&g);
    for (unsigned i = 0; i < b->jobs; i++) {
        terms_free(g.terms[i]);
        buf_release(&g.texts[i]);
    }
    free(g.terms);
    free(g.texts);
    free(g.growing);
    map_free(g.all);
}

void sparse_owned_release(struct sparse_owned *o)
{
    buf_release(&o->text);
    buf_release(&o->post);
    free(o->text_at);
    free(o->post_at);
    free(o->df);
    free(o->lens);
    *o = (struct sparse_owned){ 0 };
}
