// SPDX-License-Identifier: MIT
/*
 * vindex.c — both kinds of index behind one face
 */
#include "vindex.h"

#include "json.h"
#include "schema.h"

static int open_gri(struct vindex *x, struct err *err)
{
    if (gri_open(&x->gri, x->path, err) < 0)
        return -1;
    x->n_docs = x->gri.meta.n_docs;
    x->n_rows = x->gri.meta.n_rows;
    x->dim = x->gri.meta.dim;
    x->model = x->gri.meta.model;
    x->sorted = x->gri.sorted;
    x->rank = x->gri.rank;
    return 0;
}

static void take_plain(struct vindex *x)
{
    x->is_plain = true;
    x->n_docs = x->plain.dense.n_docs;
    x->n_rows = x->plain.dense.n_rows;
    x->dim = x->plain.kind.dim;
    x->model = buf_view(&x->plain.kind.model);
    x->sorted = x->plain.sorted;
    x->rank = x->plain.rank;
}

static int open_plain(struct vindex *x, struct err *err)
{
    if (plain_open(&x->plain, x->path, x->fields, err) < 0)
        return -1;
    take_plain(x);
    return 0;
}

int vindex_open(struct vindex *x, const char *path, const char *fields, unsigned jobs,
                struct err *err)
{
    *x = (struct vindex){ .path = path, .fields = fields, .jobs = jobs };
    if (pthread_mutex_init(&x->lock, NULL) != 0)
        return err_set(err, EXIT_FATAL, "cannot make a lock");
    int rc = secfile_is(path, GRI_MAGIC) ? open_gri(x, err) : open_plain(x, err);
    if (rc < 0)
        pthread_mutex_destroy(&x->lock);
    return rc;
}

int vindex_open_text(struct vindex *x, const char *path, struct sv text, struct err *err)
{
    *x = (struct vindex){ .path = path, .fields = "text", .jobs = 1, .is_dense_only = true };
    if (pthread_mutex_init(&x->lock, NULL) != 0)
        return err_set(err, EXIT_FATAL, "cannot make a lock");
    int rc = plain_open_text(&x->plain, path, text, x->fields, err);
    if (rc == 0)
        take_plain(x);
    else
        pthread_mutex_destroy(&x->lock);
    return rc;
}

void vindex_close(struct vindex *x)
{
    if (x->is_plain)
        plain_close(&x->plain);
    else
        gri_close(&x->gri);
    sparse_owned_release(&x->full);
    analyzer_free(x->analyzer);
    pthread_mutex_destroy(&x->lock);
}

bool vindex_has_sparse(const struct vindex *x)
{
    if (x->is_dense_only)
        return false;
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

int vindex_analyzer(struct vindex *x, const struct analyzer **a, struct err *err)
{
    int rc = 0;
    pthread_mutex_lock(&x->lock);
    if (!x->analyzer)
        x->analyzer = analyzer_new(NULL, NULL, err);
    *a = x->analyzer;
    if (!x->analyzer)
        rc = -1;
    else if (!x->is_plain && !sv_is(x->gri.meta.analyzer, analyzer_name(x->analyzer)))
        rc = err_set(err, EXIT_FATAL,
                     "%s: its terms were made by \"%.*s\", this program makes \"%s\": run "
                     "gr-vindex compact",
                     x->path, SV_ARG(x->gri.meta.analyzer), analyzer_name(x->analyzer));
    pthread_mutex_unlock(&x->lock);
    return rc;
}

static void texts_of(void *ctx, size_t doc, struct buf *out)
{
    const struct vindex *x = ctx;
    raw_texts(x->plain.docs[doc].line, x->fields, out);
}

int vindex_sparse(struct vindex *x, const struct map *wanted, struct sparse_owned *own,
                  const struct sparse **s, struct err *err)
{
    const struct analyzer *a;
    *own = (struct sparse_owned){ 0 };
    if (vindex_analyzer(x, &a, err) < 0)
        return -1;
    if (!x->is_plain) {
        *s = &x->gri.sparse;
        return 0;
    }
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
