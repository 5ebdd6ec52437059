// SPDX-License-Identifier: MIT
/*
 * lists.c — running dense and sparse lists and filtering them
 */
#include "lists.h"

#include <math.h>

#include "alloc.h"

/* ---- workers ---- */

void lists_worker_init(struct lists_worker *w, const struct vindex *x, const char *expr,
                       const struct filter_known *known)
{
    *w = (struct lists_worker){
        .expr = expr, .dead = x->dead, .k1 = BM25_K1, .b = BM25_B, .n_left = x->n_live
    };
    if (!expr)
        return;
    if (known->skip)
        w->n_left = known->n_left;
    if (known->is_final) {
        w->skip = known->skip;
        return;
    }
    w->sure = known->skip ? known->skip : x->dead;
    w->skip = alloc_zero(x->n_docs + 1, 1);
    w->known = alloc_zero(x->n_docs + 1, 1);
    if (w->sure) {
        memcpy(w->skip, w->sure, x->n_docs);
        memcpy(w->known, w->sure, x->n_docs);
    }
}

/* What is not to be offered. */
static const unsigned char *skip_of(const struct lists_worker *w)
{
    return w->skip ? w->skip : w->dead;
}

void lists_worker_approximate(struct lists_worker *w, const struct ivf *ivf,
                              const struct ivf_effort *effort)
{
    w->ivf = ivf;
    w->effort = *effort;
}

void lists_worker_release(struct lists_worker *w)
{
    terms_free(w->terms);
    sparse_scratch_release(&w->sparse);
    ivf_scratch_release(&w->scratch);
    filter_free(w->filter);
    if (w->known)
        free(w->skip);
    free(w->known);
    *w = (struct lists_worker){ 0 };
}

/* ---- terms of a query ---- */

int list_add_text(struct list *l, struct vset *set, struct lists_worker *w, struct map *words,
                  struct sv text, double weight, struct err *err)
{
    const struct analyzer *a;
    if (!(weight > 0))
        return 0;
    if (vset_analyzer(set, &a, err) < 0)
        return -1;
    if (!w->terms)
        w->terms = terms_new(a);
    struct map *seen = map_new(); /* ordinals are places in l->terms */
    for (size_t i = 0; i < l->n_terms; i++)
        map_put(seen, l->terms[i].text, NULL);
    size_t cap = l->n_terms;
    struct term t;
    terms_start(w->terms, text);
    while (terms_next(w->terms, &t)) {
        bool is_new;
        size_t i = map_put(seen, t.text, &is_new);
        if (i >= cap) {
            cap = alloc_grow(cap, i + 1);
            l->terms = alloc_resize(l->terms, cap, sizeof *l->terms);
        }
        if (is_new) {
            size_t word = map_put(words, t.text, NULL);
            l->terms[l->n_terms++] = (struct sparse_term){ map_key(words, word), 0 };
        }
        l->terms[i].weight += weight;
    }
    map_free(seen);
    return 0;
}

void list_release(struct list *l)
{
    free(l->terms);
    bm25_release(&l->numbers);
    topk_release(&l->best);
    *l = (struct list){ 0 };
}

/* ---- running ---- */

/* Part of the rows from which on a list is made exactly: it would look into most lists. */
#define DEEP 8

/* So few vectors left by a filter are compared each, which costs less than looking for them. */
#define FEW 4096

static bool is_few(const struct lists_worker *w)
{
    return w->skip && w->n_left <= FEW;
}

static bool is_approximate(const struct lists_worker *w, const struct list *l)
{
    return w->ivf &&
           l->best.k < (w->n_left < w->ivf->n_rows ? w->n_left : w->ivf->n_rows) / DEEP &&
           !is_few(w);
}

/* The rows that are not skipped, one by one: the same as dense_search. */
static void search_few(const struct dense *d, const float *queries, size_t n,
                       const unsigned char *skip, struct topk *best)
{
    for (size_t row = 0; row < d->n_rows; row++) {
        uint32_t doc = dense_doc(d, row);
        if (doc >= d->n_docs || skip[doc] || d->rank[doc] >= d->n_docs)
            continue;
        for (size_t i = 0; i < n; i++) {
            float score;
            dense_dots(d->rows + row * d->dim, 1, d->dim, queries + i * d->dim, 1, &score);
            if (!isnan(score))
                topk_push(&best[i], (double)score, d->rank[doc]);
        }
    }
}

static void run_approximate(const struct vindex *x, struct lists_worker *w, struct list *l)
{
    if (!w->scratch.q)
        ivf_scratch_init(&w->scratch, w->ivf);
    ivf_search(w->ivf, &x->gri.dense, l->vector, &w->effort, w->known ? w->sure : skip_of(w),
               &w->scratch, &l->best);
}

static void run_dense(struct vindex *x, struct lists_worker *w, struct list **lists, size_t n)
{
    size_t nq = 0, dim = x->dim;
    if (!x->n_live_rows)
        return;
    float *queries = alloc_array(n + 1, (dim ? dim : 1) * sizeof *queries);
    struct topk *best = alloc_array(n + 1, sizeof *best);
    for (size_t i = 0; i < n; i++)
        if (lists[i]->kind == LIST_DENSE && is_approximate(w, lists[i]))
            run_approximate(x, w, lists[i]);
        else if (lists[i]->kind == LIST_DENSE) {
            memcpy(queries + nq * dim, lists[i]->vector, dim * sizeof *queries);
            best[nq++] = lists[i]->best;
        }
    if (nq) {
        struct dense d = vindex_dense(x);
        if (d.rows && is_few(w))
            search_few(&d, queries, nq, w->skip, best);
        else
            dense_search(&d, queries, nq, skip_of(w), best);
    }
    nq = 0;
    for (size_t i = 0; i < n; i++)
        if (lists[i]->kind == LIST_DENSE && !is_approximate(w, lists[i]))
            lists[i]->best = best[nq++];
    free(best);
    free(queries);
}

static int run_sparse(const struct vindex *x, struct lists_worker *w, struct list **lists,
                      size_t n, struct err *err)
{
    for (size_t i = 0; i < n && w->view; i++) {
        struct list *l = lists[i];
        if (l->kind == LIST_SPARSE && l->n_terms &&
            sparse_search(w->view, l->terms, l->n_terms, &l->numbers, x->rank, skip_of(w),
                          &w->sparse, &l->best, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- filtering ---- */

/* 1 selected, 0 not, -1: the record is damaged. */
static int ask(const struct vindex *x, struct lists_worker *w, size_t doc, struct err *err)
{
    if (w->known[doc])
        return !w->skip[doc];
    if (!w->filter && !(w->filter = filter_new(w->expr, err)))
        return -1;
    struct buf record = BUF_INIT;
    int rc = vindex_record(x, doc, &record, err);
    if (rc == 0)
        rc = filter_test(w->filter, buf_view(&record), err);
    buf_release(&record);
    if (rc < 0) {
        err->code = EXIT_FATAL;
        return err_prefix(err, "%s: record %zu", x->path, doc + 1);
    }
    w->known[doc] = 1;
    w->skip[doc] = rc == 0;
    return rc;
}

/* Keep the selected among the best; *is_short: there may be more that were not offered. */
static int keep_selected(const struct vindex *x, struct lists_worker *w, struct list *l,
                         bool *is_short, struct err *err)
{
    struct topk *best = &l->best;
    size_t n = 0, offered = best->n;
    for (size_t i = 0; i < offered && n < l->need; i++) {
        int rc = ask(x, w, x->sorted[best->items[i].ord], err);
        if (rc < 0)
            return -1;
        if (rc)
            best->items[n++] = best->items[i];
    }
    best->n = n;
    *is_short = n < l->need && offered == best->k;
    return 0;
}

/* width: how many are offered to the filter for each one wanted, 0: there is no filter. */
static int run_once(struct vindex *x, struct lists_worker *w, struct list **lists, size_t n,
                    size_t width, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        topk_release(&lists[i]->best);
        topk_init(&lists[i]->best, width ? width * (lists[i]->need + 16) : lists[i]->need);
    }
    run_dense(x, w, lists, n);
    if (run_sparse(x, w, lists, n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        topk_sort(&lists[i]->best);
        for (size_t j = 0; j < lists[i]->best.n; j++)
            if (x->sorted[lists[i]->best.items[j].ord] >= x->n_docs)
                return err_set(err, EXIT_FATAL, "%s: damaged: the order of ids: build it anew",
                               x->path);
    }
    return 0;
}

int lists_run(struct vindex *x, struct lists_worker *w, struct list **lists, size_t n,
              struct err *err)
{
    if (!w->known) /* no filter, or nothing left to ask */
        return run_once(x, w, lists, n, 0, err);
    struct list **left = alloc_array(n + 1, sizeof(struct list *));
    memcpy(left, lists, n * sizeof(struct list *));
    int rc = 0;
    /* Ends: once a heap holds more than there are documents, no list is short. */
    for (size_t n_left = n, width = 4; rc == 0 && n_left; width *= 16) {
        size_t n_short = 0;
        rc = run_once(x, w, left, n_left, width, err);
        for (size_t i = 0; i < n_left && rc == 0; i++) {
            bool is_short = false;
            rc = keep_selected(x, w, left[i], &is_short, err);
            if (is_short)
                left[n_short++] = left[i];
        }
        n_left = n_short;
    }
    free(left);
    return rc;
}
