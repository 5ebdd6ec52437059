// SPDX-License-Identifier: MIT
/*
 * vset.c — opening several indexes as one
 */
#include "vset.h"

#include "alloc.h"

/* The .gri among the files, and how many parts all files have. */
static int open_stores(struct vset *s, const char *const *paths, size_t n, size_t *n_parts,
                       struct err *err)
{
    s->stores = alloc_zero(n, sizeof *s->stores);
    *n_parts = 0;
    for (size_t i = 0; i < n; i++) {
        *n_parts += 1;
        if (!secfile_is(paths[i], GRI_MAGIC))
            continue;
        if (store_open(&s->stores[s->n_stores], paths[i], err) < 0)
            return -1;
        *n_parts += s->stores[s->n_stores++].n - 1;
    }
    return 0;
}

/* *at: the next store. */
static int open_file(struct vset *s, const char *path, struct store **at, const char *fields,
                     unsigned jobs, struct err *err)
{
    struct store *t = *at;
    if (t == s->stores + s->n_stores || t->path != path) {
        if (vindex_open_plain(&s->parts[s->n], path, fields, jobs, err) < 0)
            return -1;
        s->n++;
        return 0;
    }
    ++*at;
    for (size_t i = 0; i < t->n; i++, s->n++)
        if (vindex_take(&s->parts[s->n], path, &t->segments[i], err) < 0)
            return -1;
    return 0;
}

/* ---- one id, one record ---- */

/* A place in the order of ids of one part. */
struct cursor {
    struct sv id;
    size_t part, at;
};

/* Go to the next record that is there; false at the end. */
static int next_id(const struct vset *s, struct cursor *c, bool *is_there, struct err *err)
{
    const struct vindex *x = &s->parts[c->part];
    for (; c->at < x->n_docs; c->at++) {
        uint32_t doc = x->sorted[c->at];
        if (doc >= x->n_docs)
            return err_set(err, EXIT_FATAL, "%s: damaged: the order of ids: build it anew",
                           x->path);
        if (x->dead && x->dead[doc])
            continue;
        *is_there = true;
        return vindex_id(x, doc, &c->id, err);
    }
    *is_there = false;
    return 0;
}

static bool is_before(const struct cursor *a, const struct cursor *b)
{
    int c = sv_cmp(a->id, b->id);
    return c ? c < 0 : a->part < b->part;
}

static void sift(struct cursor *heap, size_t n, size_t i)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &heap[i]))
            return;
        struct cursor c = heap[i];
        heap[i] = heap[child];
        heap[child] = c;
    }
}

/* Walk through all parts in order of ids; of equal ones the last part's stays. */
static int drop_twice(struct vset *s, struct cursor *heap, struct err *err)
{
    size_t n = 0;
    bool is_there;
    struct cursor before = { 0 };
    for (size_t i = 0; i < s->n; i++) {
        heap[n] = (struct cursor){ .part = i };
        if (next_id(s, &heap[n], &is_there, err) < 0)
            return -1;
        n += is_there;
    }
    for (size_t i = n; i--;)
        sift(heap, n, i);
    while (n) {
        struct cursor *top = &heap[0];
        if (before.id.p && sv_eq(before.id, top->id)) {
            struct vindex *x = &s->parts[before.part];
            vindex_kill(x, x->sorted[before.at]);
            s->n_twice++;
        }
        before = *top;
        top->at++;
        if (next_id(s, top, &is_there, err) < 0)
            return -1;
        if (!is_there)
            *top = heap[--n];
        sift(heap, n, 0);
    }
    return 0;
}

/* ---- all parts together ---- */

static int add_up(struct vset *s, struct err *err)
{
    const struct vindex *kind = NULL;
    for (size_t i = 0; i < s->n; i++) {
        const struct vindex *x = &s->parts[i];
        s->n_docs += x->n_live;
        s->n_rows += x->n_live_rows;
        if (x->n_live && !vindex_has_sparse(x))
            s->without_terms = x->path;
        if (!x->n_live_rows)
            continue;
        if (!kind)
            kind = x;
        if (x->dim != kind->dim || !sv_eq(x->model, kind->model))
            return err_set(err, EXIT_FATAL,
                           "%s has vectors of \"%.*s\" with %zu dimensions, %s of \"%.*s\" "
                           "with %zu: search them apart",
                           kind->path, SV_ARG(kind->model), kind->dim, x->path,
                           SV_ARG(x->model), x->dim);
    }
    if (kind) {
        s->dim = kind->dim;
        s->model = kind->model;
    }
    return 0;
}

int vset_open(struct vset *s, const char *const *paths, size_t n, const char *fields,
              unsigned jobs, struct err *err)
{
    *s = (struct vset){ .path = paths[0] };
    if (pthread_mutex_init(&s->lock, NULL) != 0)
        return err_set(err, EXIT_FATAL, "cannot make a lock");
    size_t n_parts;
    int rc = open_stores(s, paths, n, &n_parts, err);
    if (rc == 0)
        s->parts = alloc_zero(n_parts, sizeof *s->parts);
    struct store *at = s->stores;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = open_file(s, paths[i], &at, fields, jobs, err);
    if (rc == 0 && n > 1) {
        struct cursor *heap = alloc_array(s->n, sizeof *heap);
        rc = drop_twice(s, heap, err);
        free(heap);
    }
    if (rc == 0)
        rc = add_up(s, err);
    if (rc < 0)
        vset_close(s);
    return rc;
}

int vset_open_text(struct vset *s, const char *path, struct sv text, struct err *err)
{
    *s = (struct vset){ .path = path, .is_dense_only = true };
    if (pthread_mutex_init(&s->lock, NULL) != 0)
        return err_set(err, EXIT_FATAL, "cannot make a lock");
    s->parts = alloc_zero(1, sizeof *s->parts);
    int rc = vindex_open_text(&s->parts[0], path, text, err);
    s->n = rc == 0;
    if (rc == 0)
        rc = add_up(s, err);
    if (rc < 0)
        vset_close(s);
    return rc;
}

void vset_close(struct vset *s)
{
    for (size_t i = 0; i < s->n; i++)
        vindex_close(&s->parts[i]);
    for (size_t i = 0; i < s->n_stores; i++)
        store_close(&s->stores[i]);
    free(s->parts);
    free(s->stores);
    analyzer_free(s->analyzer);
    pthread_mutex_destroy(&s->lock);
    *s = (struct vset){ 0 };
}

bool vset_has_sparse(const struct vset *s)
{
    return s->n_docs && !s->without_terms && !s->is_dense_only;
}

int vset_analyzer(struct vset *s, const struct analyzer **a, struct err *err)
{
    pthread_mutex_lock(&s->lock);
    if (!s->analyzer)
        s->analyzer = analyzer_new(NULL, NULL, err);
    pthread_mutex_unlock(&s->lock);
    *a = s->analyzer;
    if (!s->analyzer)
        return -1;
    for (size_t i = 0; i < s->n; i++) {
        const struct vindex *x = &s->parts[i];
        if (!x->is_plain && x->n_live && !sv_is(x->gri.meta.analyzer, analyzer_name(*a)))
            return err_set(err, EXIT_FATAL,
                           "%s: its terms were made by \"%.*s\", this program makes \"%s\": "
                           "run gr-vindex compact",
                           x->path, SV_ARG(x->gri.meta.analyzer), analyzer_name(*a));
    }
    return 0;
}
