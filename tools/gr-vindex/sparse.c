// SPDX-License-Identifier: MIT
/*
 * sparse.c — looking terms up and scoring their postings
 */
#include "sparse.h"

#include <inttypes.h>
#include <math.h>

#include "alloc.h"

static int damaged(struct err *err, const char *what)
{
    return err_set(err, EXIT_FATAL, "index is damaged: %s: run gr-vindex verify, build it anew",
                   what);
}

int sparse_term_at(const struct sparse *s, size_t ordinal, struct sv *term, struct err *err)
{
    uint64_t from = s->text_at[ordinal], to = s->text_at[ordinal + 1];
    if (from > to || to > s->text_size)
        return damaged(err, "a term lies outside");
    *term = (struct sv){ s->text + from, (size_t)(to - from) };
    return 0;
}

int sparse_find(const struct sparse *s, struct sv term, size_t *ordinal, struct err *err)
{
    size_t lo = 0, hi = s->n_terms;
    *ordinal = SIZE_MAX;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        struct sv at;
        if (sparse_term_at(s, mid, &at, err) < 0)
            return -1;
        int c = sv_cmp(term, at);
        if (c == 0) {
            *ordinal = mid;
            return 0;
        }
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return 0;
}

int sparse_walk_start(const struct sparse *s, size_t ordinal, struct sparse_walk *w,
                      struct err *err)
{
    uint64_t from = s->post_at[ordinal], to = s->post_at[ordinal + 1];
    if (from > to || to > s->post_size)
        return damaged(err, "postings lie outside");
    *w = (struct sparse_walk){ s->post + from, s->post + to, s->n_docs, 0 };
    return 0;
}

/* One variable-length integer of at most 32 bits; false when there is none. */
static bool get_varint(struct sparse_walk *w, uint64_t *out)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 35 && w->p < w->end; shift += 7) {
        unsigned char byte = *w->p++;
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = v;
            return v <= UINT32_MAX;
        }
    }
    return false;
}

int sparse_walk_next(struct sparse_walk *w, uint32_t *doc, uint32_t *tf)
{
    uint64_t gap, count;
    if (w->p == w->end)
        return 0;
    if (!get_varint(w, &gap) || !get_varint(w, &count) || !gap || !count)
        return -1;
    w->doc += gap;
    if (w->doc > w->n_docs)
        return -1;
    *doc = (uint32_t)(w->doc - 1);
    *tf = (uint32_t)count;
    return 1;
}

static void scratch_ready(struct sparse_scratch *x, size_t n_docs)
{
    if (x->n_docs >= n_docs && x->sum)
        return;
    sparse_scratch_release(x);
    x->sum = alloc_zero(n_docs ? n_docs : 1, sizeof *x->sum);
    x->touched = alloc_array(n_docs ? n_docs : 1, sizeof *x->touched);
    x->n_docs = n_docs;
}

void sparse_scratch_release(struct sparse_scratch *s)
{
    free(s->sum);
    free(s->touched);
    *s = (struct sparse_scratch){ 0 };
}

/* ---- what scores are made of ---- */

void bm25_init(struct bm25 *m, size_t n_terms)
{
    *m = (struct bm25){ .k1 = BM25_K1, .b = BM25_B };
    m->df = alloc_zero(n_terms + 1, sizeof *m->df);
}

void bm25_release(struct bm25 *m)
{
    free(m->df);
    *m = (struct bm25){ 0 };
}

int bm25_add(struct bm25 *m, const struct sparse *s, const struct sparse_term *terms,
             size_t n_terms, struct err *err)
{
    m->n_docs += s->n_with_terms;
    m->total_len += s->total_len;
    for (size_t i = 0; i < n_terms; i++) {
        size_t ordinal;
        if (sparse_find(s, terms[i].text, &ordinal, err) < 0)
            return -1;
        if (ordinal == SIZE_MAX)
            continue;
        if (s->df[ordinal] > s->n_with_terms || s->n_with_terms > s->n_docs)
            return damaged(err, "a term counts more documents than there are");
        m->df[i] += s->df[ordinal];
    }
    return 0;
}

/* ---- searching ---- */

/* Add one term's contributions to the sums. */
static int add_term(const struct sparse *s, const struct bm25 *m,
                    const struct sparse_term *term, uint64_t n_having, struct sparse_scratch *x,
                    size_t *n_touched, struct err *err)
{
    size_t ordinal;
    struct sparse_walk w;
    if (sparse_find(s, term->text, &ordinal, err) < 0)
        return -1;
    if (ordinal == SIZE_MAX)
        return 0;
    if (sparse_walk_start(s, ordinal, &w, err) < 0)
        return -1;
    double n = (double)m->n_docs, df = (double)n_having;
    double factor = term->weight * log(1 + (n - df + 0.5) / (df + 0.5));
    double mean = (double)m->total_len / n;
    uint32_t doc, tf;
    int rc;
    while ((rc = sparse_walk_next(&w, &doc, &tf)) == 1) {
        double norm = m->k1 * (1 - m->b + m->b * (double)s->lens[doc] / mean);
        if (x->sum[doc] == 0)
            x->touched[(*n_touched)++] = doc;
        x->sum[doc] += factor * (double)tf / ((double)tf + norm);
    }
    return rc < 0 ? damaged(err, "postings cannot be read") : 0;
}

static int search_by(const struct sparse *s, const struct sparse_term *terms, size_t n_terms,
                     const struct bm25 *m, const uint32_t *rank, const unsigned char *skip,
                     struct sparse_scratch *scratch, struct topk *best, struct err *err)
{
    size_t n_touched = 0;
    int rc = 0;
    scratch_ready(scratch, s->n_docs);
    for (size_t i = 0; i < n_terms && rc == 0; i++)
        rc = add_term(s, m, &terms[i], m->df[i], scratch, &n_touched, err);
    for (size_t i = 0; i < n_touched; i++) {
        uint32_t doc = scratch->touched[i];
        if (rc == 0 && rank[doc] < s->n_docs && !(skip && skip[doc]))
            topk_push(best, scratch->sum[doc], rank[doc]);
        scratch->sum[doc] = 0;
    }
    return rc;
}

int sparse_search(const struct sparse *s, const struct sparse_term *terms, size_t n_terms,
                  const struct bm25 *m, const uint32_t *rank, const unsigned char *skip,
                  struct sparse_scratch *scratch, struct topk *best, struct err *err)
{
    struct bm25 own = { 0 };
    int rc = 0;
    if (!m) {
        bm25_init(&own, n_terms);
        rc = bm25_add(&own, s, terms, n_terms, err);
        m = &own;
    }
    if (rc == 0 && m->n_docs && m->total_len)
        rc = search_by(s, terms, n_terms, m, rank, skip, scratch, best, err);
    bm25_release(&own);
    return rc;
}
