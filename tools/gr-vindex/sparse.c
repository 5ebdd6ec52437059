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

int sparse_list(const struct sparse *s, size_t ordinal, struct postings *l, struct err *err)
{
    uint64_t from = s->post_at[ordinal], to = s->post_at[ordinal + 1];
    if (from > to || to > s->post_size ||
        !postings_open(l, s->post + from, s->post + to, s->n_docs))
        return damaged(err, "postings lie outside");
    return 0;
}

static bool is_bounded(const struct sparse *s, const struct post_head *h, uint32_t doc,
                       uint32_t tf)
{
    for (size_t i = 0; i < POST_TOPS; i++)
        if (h->tops[i].tf >= tf && h->tops[i].len <= s->lens[doc])
            return true;
    return false;
}

bool sparse_check(const struct sparse *s, size_t ordinal)
{
    struct post_walk w;
    struct postings l;
    struct err err;
    size_t n = 0;
    int rc;
    if (sparse_list(s, ordinal, &l, &err) < 0)
        return false;
    post_walk_start(&w, &l);
    for (size_t block = 0; (rc = post_walk_next(&w)) == 1; block++) {
        struct post_head h;
        n += w.block.n;
        if (!l.heads)
            continue;
        postings_head(&l, block, &h);
        for (size_t i = 0; i < w.block.n; i++)
            if (!is_bounded(s, &h, w.block.doc[i], w.block.tf[i]))
                return false;
    }
    return rc == 0 && n && n == s->df[ordinal];
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

/* Bits of a score that are kept, counted from the largest that a sum may have. */
#define SCORE_BITS 50

struct sparse_part *sparse_parts(const struct sparse_query *q)
{
    const struct bm25 *m = q->m;
    struct sparse_part *parts = alloc_array(q->n_terms + 1, sizeof *parts);
    double n = (double)m->n_docs, mean = (double)m->total_len / n, sum = 0;
    int exponent;
    for (size_t i = 0; i < q->n_terms; i++) {
        double df = (double)m->df[i];
        parts[i] = (struct sparse_part){
            .factor = q->terms[i].weight * log(1 + (n - df + 0.5) / (df + 0.5)),
            .c = m->k1 * (1 - m->b),
            .d = m->k1 * m->b / mean,
        };
        sum += m->df[i] ? parts[i].factor : 0;
    }
    frexp(sum,
          &exponent); /* sum < 2^exponent; numbers near `round` have 52 bits after its first */
    for (size_t i = 0; i < q->n_terms; i++) {
        parts[i].round = ldexp(1.5, exponent - SCORE_BITS + 52);
        parts[i].least = ldexp(1, exponent - SCORE_BITS);
    }
    return parts;
}

int sparse_walk(const struct sparse *s, struct sv term, struct post_walk *w, struct err *err)
{
    struct postings l;
    size_t ordinal;
    if (sparse_find(s, term, &ordinal, err) < 0)
        return -1;
    if (ordinal == SIZE_MAX)
        return 0;
    if (sparse_list(s, ordinal, &l, err) < 0)
        return -1;
    post_walk_start(w, &l);
    return 1;
}

/* Add one term's contributions to the sums. */
static int add_term(const struct sparse_query *q, const struct sparse_part *part,
                    struct sv term, struct sparse_scratch *x, size_t *n_touched,
                    struct err *err)
{
    const struct sparse *s = q->s;
    struct post_walk w;
    int rc = sparse_walk(s, term, &w, err);
    if (rc < 1)
        return rc;
    while ((rc = post_walk_next(&w)) == 1)
        for (size_t i = 0; i < w.block.n; i++) {
            uint32_t doc = w.block.doc[i];
            if (x->sum[doc] == 0)
                x->touched[(*n_touched)++] = doc;
            x->sum[doc] += sparse_part_of(part, w.block.tf[i], s->lens[doc]);
        }
    return rc < 0 ? damaged(err, "postings cannot be read") : 0;
}

int sparse_search_all(const struct sparse_query *q, struct sparse_scratch *x, struct err *err)
{
    struct sparse_part *parts = sparse_parts(q);
    size_t n_touched = 0;
    int rc = 0;
    scratch_ready(x, q->s->n_docs);
    for (size_t i = 0; i < q->n_terms && rc == 0; i++)
        rc = add_term(q, &parts[i], q->terms[i].text, x, &n_touched, err);
    for (size_t i = 0; i < n_touched; i++) {
        uint32_t doc = x->touched[i];
        if (rc == 0 && q->rank[doc] < q->s->n_docs && !(q->skip && q->skip[doc]))
            topk_push(q->best, x->sum[doc], q->rank[doc]);
        x->sum[doc] = 0;
    }
    free(parts);
    return rc;
}

/* Postings of the terms in this index. */
static int count_postings(const struct sparse_query *q, uint64_t *n, struct err *err)
{
    *n = 0;
    for (size_t i = 0; i < q->n_terms; i++) {
        size_t ordinal;
        if (sparse_find(q->s, q->terms[i].text, &ordinal, err) < 0)
            return -1;
        *n += ordinal == SIZE_MAX ? 0 : q->s->df[ordinal];
    }
    return 0;
}

int sparse_search(const struct sparse *s, const struct sparse_term *terms, size_t n_terms,
                  const struct bm25 *m, const uint32_t *rank, const unsigned char *skip,
                  struct sparse_scratch *scratch, struct topk *best, struct err *err)
{
    struct sparse_query q = { s, terms, n_terms, m, rank, skip, best };
    struct bm25 own = { 0 };
    uint64_t n = 0;
    int rc = 0;
    if (!m) {
        bm25_init(&own, n_terms);
        rc = bm25_add(&own, s, terms, n_terms, err);
        q.m = &own;
    }
    if (rc == 0)
        rc = count_postings(&q, &n, err);
    if (rc == 0 && n && q.m->n_docs && q.m->total_len && best->k)
        rc = n > SPARSE_FEW && n_terms < SPARSE_MANY_TERMS
                 ? sparse_search_best(&q, err)
                 : sparse_search_all(&q, scratch, err);
    bm25_release(&own);
    return rc;
}
