// SPDX-License-Identifier: MIT
/*
 * vindex.c — both kinds of part behind one face
 */
#include "vindex.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "schema.h"

static int start(struct vindex *x, struct err *err)
{
    if (pthread_mutex_init(&x->lock, NULL) != 0)
        return err_set(err, EXIT_FATAL, "cannot make a lock");
    return 0;
}

int vindex_take(struct vindex *x, const char *path, struct gri *g, struct err *err)
{
    *x = (struct vindex){ .path = path };
    if (start(x, err) < 0)
        return -1;
    x->gri = *g;
    *g = (struct gri){ 0 };
    x->n_docs = x->gri.meta.n_docs;
    x->n_rows = x->gri.meta.n_rows;
    x->dim = x->gri.meta.dim;
    x->model = x->gri.meta.model;
    x->sorted = x->gri.sorted;
    x->rank = x->gri.rank;
    x->dead = x->gri.dead;
    x->n_live = gri_live(&x->gri);
    x->n_live_rows = gri_live_rows(&x->gri);
    return 0;
}

/* x->plain is open. */
static int start_plain(struct vindex *x, struct err *err)
{
    if (start(x, err) < 0) {
        plain_close(&x->plain);
        return -1;
    }
    x->is_plain = true;
    x->n_docs = x->n_live = x->plain.dense.n_docs;
    x->n_rows = x->n_live_rows = x->plain.dense.n_rows;
    x->dim = x->plain.kind.dim;
    x->model = buf_view(&x->plain.kind.model);
    x->sorted = x->plain.sorted;
    x->rank = x->plain.rank;
    return 0;
}

int vindex_open_plain(struct vindex *x, const char *path, const char *fields, unsigned jobs,
                      struct err *err)
{
    *x = (struct vindex){ .path = path, .fields = fields, .jobs = jobs };
    if (plain_open(&x->plain, path, fields, err) < 0)
        return -1;
    return start_plain(x, err);
}

int vindex_open_text(struct vindex *x, const char *path, struct sv text, struct err *err)
{
    *x = (struct vindex){ .path = path, .fields = "text", .jobs = 1 };
    if (plain_open_text(&x->plain, path, text, x->fields, err) < 0)
        return -1;
    return start_plain(x, err);
}

void vindex_close(struct vindex *x)
{
    if (x->is_plain)
        plain_close(&x->plain);
    else
        gri_close(&x->gri);
    free(x->own_dead);
    sparse_owned_release(&x->full);
    analyzer_free(x->analyzer);
    pthread_mutex_destroy(&x->lock);
}

bool vindex_vector(const struct vindex *x, size_t doc, float *to)
{
    const struct dense *d = x->is_plain ? &x->plain.dense : &x->gri.dense;
    size_t row = dense_row(d, doc);
    if (row == SIZE_MAX)
        return false;
    const float *v = dense_rows(d, row, 1, to);
    if (v != to)
        memcpy(to, v, d->dim * sizeof *to);
    return !isnan(to[0]);
}

static bool has_row(const struct vindex *x, size_t doc)
{
    return x->is_plain ? x->plain.docs[doc].value.n > 0 : gri_has_vector(&x->gri, doc);
}

void vindex_kill(struct vindex *x, size_t doc)
{
    if (x->dead && x->dead[doc])
        return;
    if (x->is_plain) {
        if (!x->own_dead)
            x->own_dead = alloc_zero(x->n_docs + 1, 1);
        x->own_dead[doc] = 1;
        x->dead = x->own_dead;
    } else {
        gri_kill(&x->gri, doc);
        x->dead = x->gri.dead;
    }
    x->n_live--;
    x->n_live_rows -= has_row(x, doc);
}

bool vindex_has_sparse(const struct vindex *x)
{
    return x->is_plain ? x->n_docs > 0 : x->gri.meta.analyzer.n > 0;
}

int vindex_id(const struct vindex *x, size_t doc, struct sv *id, struct err *err)
{
    if (!x->is_plain)
        return gri_id(&x->gri, doc, id, err);
    *id = map_key(x->plain.ids, doc);
    return 0;
}

int vindex_record(const struct vindex *x, size_t doc, struct buf *out, struct err *err)
{
    static const char *const drop[] = { F_EMBEDDING, F_EMBEDDING_MODEL };
    if (!x->is_plain) {
        struct sv raw;
        if (gri_raw(&x->gri, doc, &raw, err) < 0)
            return -1;
        buf_sv(out, raw);
        return 0;
    }
    struct rec r = { .line = x->plain.docs[doc].line };
    rec_begin(out, &r, drop, ARRAY_LEN(drop));
    buf_char(out, '}');
    return 0;
}

struct dense vindex_dense(struct vindex *x)
{
    if (!x->is_plain)
        return x->gri.dense;
    pthread_mutex_lock(&x->lock);
    if (x->n_dense++ > 0)
        plain_load(&x->plain);
    struct dense d = x->plain.dense;
    pthread_mutex_unlock(&x->lock);
    return d;
}

/* The analyser of a plain file's texts. */
static const struct analyzer *analyzer_of(struct vindex *x, struct err *err)
{
    pthread_mutex_lock(&x->lock);
    if (!x->analyzer)
        x->analyzer = analyzer_new(NULL, NULL, err);
    pthread_mutex_unlock(&x->lock);
    return x->analyzer;
}

static void texts_of(void *ctx, size_t doc, struct buf *out)
{
    const struct vindex *x = ctx;
    raw_texts(x->plain.docs[doc].line, x->fields, out);
}

int vindex_sparse(struct vindex *x, const struct map *wanted, struct sparse_owned *own,
                  const struct sparse **s, struct err *err)
{
    *own = (struct sparse_owned){ 0 };
    if (!x->is_plain) {
        *s = &x->gri.sparse;
        return 0;
    }
    const struct analyzer *a = analyzer_of(x, err);
    if (!a)
        return -1;
    struct sparse_build b = {
        .n_docs = x->n_docs, .analyzer = a, .texts = texts_of, .ctx = x, .jobs = x->jobs
    };
    pthread_mutex_lock(&x->lock);
    bool is_first = x->n_sparse++ == 0;
    if (!is_first && !x->has_full) {
        sparse_build(&x->full, &b);
        x->has_full = true;
    }
    pthread_mutex_unlock(&x->lock);
    if (!is_first) {
        *s = &x->full.view;
        return 0;
    }
    b.wanted = wanted;
    sparse_build(own, &b);
    *s = &own->view;
    return 0;
}

/* ---- numbers without the dead ---- */

static void sum_dead(struct vindex *x, const struct sparse *s)
{
    pthread_mutex_lock(&x->lock);
    for (size_t doc = 0; !x->has_dead_sums && doc < x->n_docs; doc++)
        if (x->dead[doc]) {
            x->dead_texts += s->lens[doc] > 0;
            x->dead_len += s->lens[doc];
        }
    x->has_dead_sums = true;
    pthread_mutex_unlock(&x->lock);
}

static int damaged(const struct vindex *x, struct err *err)
{
    return err_set(err, EXIT_FATAL, "%s: damaged: postings do not add up: build it anew",
                   x->path);
}

/* *n: dead records that have the term. */
static int count_dead(const struct vindex *x, const struct sparse *s, struct sv term,
                      uint64_t *n, struct err *err)
{
    struct post_walk w;
    *n = 0;
    int rc = sparse_walk(s, term, &w, err);
    if (rc < 1)
        return rc;
    while ((rc = post_walk_next(&w)) == 1)
        for (size_t i = 0; i < w.block.n; i++)
            *n += x->dead[w.block.doc[i]] != 0;
    return rc < 0 ? damaged(x, err) : 0;
}

int vindex_count(struct vindex *x, const struct sparse *s, const struct sparse_term *terms,
                 size_t n_terms, struct bm25 *m, struct err *err)
{
    if (bm25_add(m, s, terms, n_terms, err) < 0)
        return -1;
    if (!x->dead)
        return 0;
    sum_dead(x, s);
    if (x->dead_texts > m->n_docs || x->dead_len > m->total_len)
        return damaged(x, err);
    m->n_docs -= x->dead_texts;
    m->total_len -= x->dead_len;
    for (size_t i = 0; i < n_terms; i++) {
        uint64_t n;
        if (count_dead(x, s, terms[i].text, &n, err) < 0)
            return -1;
        if (n > m->df[i])
            return damaged(x, err);
        m->df[i] -= n;
    }
    return 0;
}
