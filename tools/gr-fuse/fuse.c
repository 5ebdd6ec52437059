// SPDX-License-Identifier: MIT
/*
 * fuse.c — the steps of fuse.h in their order, for one record
 */
#include "fuse_impl.h"

#include "alloc.h"
#include "pick.h"
#include "schema.h"

struct fuse {
    const struct fuse_cfg *cfg;
    struct splitter *splitter;
    struct analyzer *analyzer;
    struct llm_task *picker; /* NULL: no chat model */
    struct terms **terms;    /* (workers) */
    unsigned workers;
};

struct fuse *fuse_new(const struct fuse_cfg *cfg, unsigned workers, struct err *err)
{
    struct fuse *f = alloc_zero(1, sizeof *f);
    f->cfg = cfg;
    f->splitter = splitter_new(NULL, err);
    f->analyzer = f->splitter ? analyzer_new(NULL, NULL, err) : NULL;
    if (f->analyzer && cfg->chat)
        f->picker = llm_task_new(&pick_form, cfg->chat, workers, err);
    if (!f->analyzer || (cfg->chat && !f->picker)) {
        fuse_free(f);
        return NULL;
    }
    f->workers = workers;
    f->terms = alloc_zero(workers, sizeof *f->terms);
    for (unsigned i = 0; i < workers; i++)
        f->terms[i] = terms_new(f->analyzer);
    return f;
}

void fuse_free(struct fuse *f)
{
    if (!f)
        return;
    for (unsigned i = 0; i < f->workers; i++)
        terms_free(f->terms[i]);
    free(f->terms);
    llm_task_free(f->picker);
    analyzer_free(f->analyzer);
    splitter_free(f->splitter);
    free(f);
}

static bool wants_compression(const struct fusion *u)
{
    if (u->cfg->compress != FUSE_COMPRESS_AUTO)
        return u->cfg->compress == FUSE_COMPRESS_ALWAYS;
    return sv_is(json_sv(json_get(u->rec->v, F_STRATEGY)), "expand_compress");
}

/* Passages are in the order of their rank; a model is asked only for those that can be in the
 * context. Warns once of a record. */
static void compress_all(struct fusion *u, struct focus *q)
{
    struct err why, first = { 0 };
    long left = u->picker ? u->cfg->top_vector : 0;
    for (size_t i = 0; i < u->n_passages; i++) {
        struct passage *p = &u->passages[i];
        if (p->gone != GONE_NOT)
            continue;
        if (left-- <= 0) {
            compress_passage(u, q, p, 0);
            continue;
        }
        compress_picked(u, q, p, &why);
        if (why.code && (!first.code || first.code == EXIT_REJECTED))
            first = why;
    }
    if (first.code)
        llm_task_warn(u->picker, u->rec, "compressed without the model", &first);
}

int fuse_record(struct fuse *f, unsigned worker, const struct rec *r, struct buf *out,
                struct err *err)
{
    struct fusion u = { .cfg = f->cfg,
                        .splitter = f->splitter,
                        .terms = f->terms[worker],
                        .picker = f->picker,
                        .worker = worker };
    struct sv query;
    u.rec = r;
    if (json_need_str(r->v, F_QUERY, &query, err) < 0)
        return -1;
    int rc = hits_read(&u, err);
    if (rc == 0) {
        same_mark(&u);
        merge_windows(&u);
        rank_fuse(&u);
        struct focus *q = focus_new(&u);
        u.is_compressed = wants_compression(&u);
        if (u.is_compressed)
            compress_all(&u, q);
        budget_apply(&u, q);
        focus_free(q);
        emit_record(&u, out);
    }
    hits_release(&u);
    return rc;
}
