// SPDX-License-Identifier: MIT
/*
 * fuse.c — the steps of fuse.h in their order, for one record
 */
#include "fuse_impl.h"

#include "alloc.h"
#include "schema.h"

struct fuse {
    const struct fuse_cfg *cfg;
    struct splitter *splitter;
    struct analyzer *analyzer;
    struct terms **terms; /* (workers) */
    unsigned workers;
};

struct fuse *fuse_new(const struct fuse_cfg *cfg, unsigned workers, struct err *err)
{
    struct fuse *f = alloc_zero(1, sizeof *f);
    f->cfg = cfg;
    f->splitter = splitter_new(NULL, err);
    f->analyzer = f->splitter ? analyzer_new(NULL, NULL, err) : NULL;
    if (!f->analyzer) {
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

int fuse_record(struct fuse *f, unsigned worker, const struct rec *r, struct buf *out,
                struct err *err)
{
    struct fusion u = { .cfg = f->cfg, .splitter = f->splitter, .terms = f->terms[worker] };
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
        for (size_t i = 0; u.is_compressed && i < u.n_passages; i++)
            if (u.passages[i].gone == GONE_NOT)
                compress_passage(&u, q, &u.passages[i], 0);
        budget_apply(&u, q);
        focus_free(q);
        emit_record(&u, out);
    }
    hits_release(&u);
    return rc;
}
