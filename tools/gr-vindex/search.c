// SPDX-License-Identifier: MIT
/*
 * search.c — a batch of queries: plan, lists, fusion, output
 */
#include "search.h"

#include <stdatomic.h>
#include <time.h>

#include "alloc.h"
#include "answer.h"
#include "fuse.h"
#include "pick.h"
#include "schema.h"
#include "spread.h"

/* What is made once of one part. */
struct part {
    struct filter_known known; /* of the filter */
    const struct ivf *ivf;     /* NULL: search is exact */
    struct ivf_effort effort;
    _Atomic(struct ivf *) copy;
};

/* So deep that lists are not made deeper for hits that were left out: all of an index may say
 * the same. */
#define DEEPEST 4096

struct searcher {
    struct vset *set;
    struct search_cfg cfg;
    struct plan_cfg plan_cfg;
    unsigned jobs;
    struct lists_worker *workers; /* (jobs, set->n) */
    struct part *parts;           /* (set->n) */
    _Atomic uint64_t n_dense;
};

/* One query while it is worked on. */
struct query {
    struct plan plan;
    struct list *lists;
    size_t n_lists;
};

/* Approximate search, if the part has it and its levels reach the recall wanted. */
static void choose_effort(struct searcher *s, const struct vindex *x, double recall,
                          struct part *a)
{
    const struct ivf *ivf = &x->gri.ivf;
    if (x->is_plain || !x->gri.meta.has_ivf || s->cfg.is_exact)
        return;
    if (!(recall > 0))
        recall = ivf->target;
    if (!ivf_effort_for(ivf, recall, &a->effort) && !s->cfg.probe)
        return;
    a->effort.probe = (size_t)s->cfg.probe;
    a->ivf = ivf;
    if (!(s->cfg.recall > 0) || recall < s->cfg.recall)
        s->cfg.recall = recall;
}

static void choose_efforts(struct searcher *s)
{
    double recall = s->cfg.recall;
    s->cfg.recall = 0; /* exact, unless a part is not */
    for (size_t i = 0; i < s->set->n; i++)
        choose_effort(s, &s->set->parts[i], recall, &s->parts[i]);
}

/* The simple part of the filter, asked of the columns: is it the whole answer in all parts? */
static bool know_all(struct searcher *s)
{
    bool is_final = true;
    for (size_t i = 0; s->cfg.filter && !s->cfg.is_selected && i < s->set->n; i++) {
        const struct vindex *x = &s->set->parts[i];
        if (!x->is_plain)
            filter_know(&s->parts[i].known, s->cfg.filter, &x->gri.columns, x->dead);
        is_final = is_final && s->parts[i].known.is_final;
    }
    return is_final;
}

static void make_workers(struct searcher *s)
{
    size_t n = s->set->n;
    s->workers = alloc_zero(s->jobs * n, sizeof *s->workers);
    for (size_t i = 0; i < s->jobs * n; i++) {
        lists_worker_init(&s->workers[i], &s->set->parts[i % n],
                          s->cfg.is_selected ? NULL : s->cfg.filter, &s->parts[i % n].known);
        s->workers[i].k1 = s->cfg.k1;
        s->workers[i].b = s->cfg.b;
        lists_worker_approximate(&s->workers[i], s->parts[i % n].ivf, &s->parts[i % n].effort);
    }
}

struct searcher *search_new(struct vset *set, const struct search_cfg *cfg, unsigned jobs,
                            struct err *err)
{
    struct searcher *s = alloc_zero(1, sizeof *s);
    *s = (struct searcher){ .set = set, .cfg = *cfg, .jobs = jobs };
    s->plan_cfg = (struct plan_cfg){ .mode = cfg->mode,
                                     .k = (size_t)cfg->k,
                                     .dense_weight = cfg->dense_weight,
                                     .sparse_weight = cfg->sparse_weight,
                                     .index = { .path = set->without_terms ? set->without_terms
                                                                           : set->path,
                                                .has_vectors = set->n_rows > 0,
                                                .has_sparse = vset_has_sparse(set),
                                                .dim = set->dim,
                                                .model = set->model } };
    s->parts = alloc_zero(set->n, sizeof *s->parts);
    choose_efforts(s);
    bool is_known = know_all(s);
    make_workers(s);
    /* A wrong expression is found before any query is read. */
    if (cfg->filter && !cfg->is_selected && !is_known &&
        !(s->workers[0].filter = filter_new(cfg->filter, err))) {
        search_free(s);
        return NULL;
    }
    return s;
}

void search_free(struct searcher *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->jobs * s->set->n; i++)
        lists_worker_release(&s->workers[i]);
    free(s->workers);
    for (size_t i = 0; i < s->set->n; i++) {
        ivf_copy_free(s->parts[i].copy);
        filter_known_release(&s->parts[i].known);
    }
    free(s->parts);
    free(s);
}

/* ---- lists of a query ---- */

size_t search_depth(const struct search_cfg *cfg, size_t k, size_t n_lists)
{
    size_t deep = (size_t)cfg->candidates;
    bool is_whole = n_lists < 2 && !cfg->merges && !cfg->has_mmr;
    return is_whole || k > deep ? k : deep;
}

static size_t list_depth(const struct searcher *s, const struct query *q, size_t n_lists)
{
    return s->cfg.depth ? s->cfg.depth : search_depth(&s->cfg, q->plan.k, n_lists);
}

static void add_dense_lists(const struct searcher *s, struct query *q)
{
    const struct plan *p = &q->plan;
    for (size_t i = 0; i < p->n_vectors && p->dense_weight > 0; i++)
        q->lists[q->n_lists++] =
            (struct list){ .kind = LIST_DENSE,
                           .weight = p->dense_weight / (double)p->n_vectors,
                           .vector = p->vectors + i * s->set->dim };
}

/* A list for each text; the keywords join the first. */
static int add_sparse_lists(const struct searcher *s, struct query *q, struct lists_worker *w,
                            struct map *words, struct err *err)
{
    const struct plan *p = &q->plan;
    size_t n = p->n_texts ? p->n_texts : 1;
    if (!(p->sparse_weight > 0))
        return 0;
    for (size_t i = 0; i < n; i++) {
        struct list *l = &q->lists[q->n_lists++];
        *l = (struct list){ .kind = LIST_SPARSE, .weight = p->sparse_weight / (double)n };
        if (i < p->n_texts && list_add_text(l, s->set, w, words, p->texts[i], 1, err) < 0)
            return -1;
        for (size_t j = 0; i == 0 && j < p->n_keywords; j++)
            if (list_add_text(l, s->set, w, words, p->keywords[j], s->cfg.keyword_weight, err) <
                0)
                return -1;
    }
    return 0;
}

static int prepare(const struct searcher *s, struct query *q, struct lists_worker *w,
                   struct map *words, const struct rec *r, struct err *err)
{
    struct plan *p = &q->plan;
    if (plan_make(p, &s->plan_cfg, r, err) < 0)
        return -1;
    if (!s->plan_cfg.index.has_sparse && !s->plan_cfg.index.has_vectors)
        return 0;
    q->lists = alloc_zero(p->n_vectors + p->n_texts + 1, sizeof *q->lists);
    if (p->mode != MODE_SPARSE)
        add_dense_lists(s, q);
    if (p->mode != MODE_DENSE && add_sparse_lists(s, q, w, words, err) < 0)
        return -1;
    for (size_t i = 0; i < q->n_lists; i++)
        q->lists[i].need = list_depth(s, q, q->n_lists);
    return 0;
}

/* ---- a batch ---- */

/* One worker makes the copies; each takes them up at its next batch. w: (set->n). */
static void count_dense(struct searcher *s, struct lists_worker *w, size_t n)
{
    uint64_t before = atomic_fetch_add(&s->n_dense, n);
    for (size_t i = 0; i < s->set->n; i++) {
        struct part *a = &s->parts[i];
        if (!a->ivf)
            continue;
        size_t many = ivf_lists_to_copy(a->ivf);
        if (before < many && before + n >= many)
            atomic_store(&a->copy, ivf_copy_new(a->ivf, &s->set->parts[i].gri.dense));
        const struct ivf *copy = atomic_load(&a->copy);
        if (copy)
            lists_worker_approximate(&w[i], copy, &a->effort);
    }
}

static int run_lists(struct searcher *s, struct lists_worker *w, struct query *queries,
                     const struct search_job *jobs, size_t n, int wanted,
                     const struct map *words, struct err *err)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        total += queries[i].n_lists;
    struct list **all = alloc_array(total + 1, sizeof(struct list *));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; jobs[i].rc == wanted && j < queries[i].n_lists; j++)
            all[at++] = &queries[i].lists[j];
    count_dense(s, w, at);
    int rc = at ? spread_run(s->set, w, all, at, words, err) : 0;
    free(all);
    return rc;
}

/* Were hits left out in whose place others come that the lists did not reach to? */
static bool is_short(const struct query *q, const struct shape *shape)
{
    bool is_cut = false;
    for (size_t i = 0; i < q->n_lists; i++) {
        const struct list *l = &q->lists[i];
        is_cut = is_cut || (l->best.n == l->need && l->need < DEEPEST + 2 * q->plan.k);
    }
    return is_cut && shape->n < q->plan.k && shape->n_dropped + shape->n_merged > 0;
}

/* Write the answer, or return 1: its lists must be deeper. */
static int answer(struct searcher *s, struct query *q, const struct search_job *job, double ms)
{
    uint64_t *places = NULL;
    if (spread_number(s->set, q->lists, q->n_lists, &places, job->err) < 0) {
        free(places);
        return -1;
    }
    struct fuse_list *lists = alloc_array(q->n_lists + 1, sizeof *lists);
    struct shape shape = { 0 };
    for (size_t i = 0; i < q->n_lists; i++) {
        const struct list *l = &q->lists[i];
        lists[i] = (struct fuse_list){ l->kind, l->weight, l->best.items, l->best.n };
    }
    struct fuse_result fused = fuse_lists(lists, q->n_lists, &s->cfg.fusion);
    struct pick pick = {
        .set = s->set, .places = places, .cfg = &s->cfg, .fused = &fused, .k = q->plan.k
    };
    struct answer a = { .plan = &q->plan,
                        .cfg = &s->cfg,
                        .lists = lists,
                        .n_lists = q->n_lists,
                        .fused = &fused,
                        .shape = &shape,
                        .ms = ms };
    int rc = pick_hits(&pick, &shape, job->err);
    if (rc == 0 && is_short(q, &shape)) {
        if (s->cfg.depth)
            *s->cfg.is_short = true;
        else
            rc = 1;
    }
    if (rc == 0)
        answer_put(&a, job->rec, job->out);
    shape_release(&shape);
    fuse_release(&fused);
    free(lists);
    free(places);
    return rc;
}

/* Make the lists of those that were short four times as deep; rc stays 1 for those alone. */
static void deepen(struct query *queries, const struct search_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; jobs[i].rc == 1 && j < queries[i].n_lists; j++)
            queries[i].lists[j].need *= 4;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Run the lists of the jobs whose rc is `wanted`, and answer them; how many were short. */
static size_t run_and_answer(struct searcher *s, struct lists_worker *w, struct query *queries,
                             struct search_job *jobs, size_t n, int wanted,
                             const struct map *words)
{
    struct err err;
    size_t n_short = 0;
    double start = s->cfg.has_timings ? now_ms() : 0;
    int rc = run_lists(s, w, queries, jobs, n, wanted, words, &err);
    double ms = s->cfg.has_timings ? now_ms() - start : 0;
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].rc != wanted)
            continue;
        if (rc < 0)
            *jobs[i].err = err;
        jobs[i].rc = rc < 0 ? -1 : answer(s, &queries[i], &jobs[i], ms);
        n_short += jobs[i].rc == 1;
    }
    return n_short;
}

void search_batch(struct searcher *s, unsigned worker, struct search_job *jobs, size_t n)
{
    struct lists_worker *w = &s->workers[worker * s->set->n];
    struct query *queries = alloc_zero(n + 1, sizeof *queries);
    struct map *words = map_new();
    for (size_t i = 0; i < n; i++)
        if (jobs[i].rc == 0)
            jobs[i].rc = prepare(s, &queries[i], w, words, jobs[i].rec, jobs[i].err);
    size_t n_short = run_and_answer(s, w, queries, jobs, n, 0, words);
    /* Ends: lists that are as deep as the index are not short. */
    while (n_short) {
        deepen(queries, jobs, n);
        n_short = run_and_answer(s, w, queries, jobs, n, 1, words);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < queries[i].n_lists; j++)
            list_release(&queries[i].lists[j]);
        free(queries[i].lists);
        plan_release(&queries[i].plan);
    }
    map_free(words);
    free(queries);
}
