// SPDX-License-Identifier: MIT
/*
 * cmds_write.c — build, add, delete, compact, merge: commands that write an index
 */
#include "cmds.h"

#include <unistd.h>

#include "alloc.h"
#include "cmd_chroma.h"
#include "edit.h"
#include "filter.h"
#include "map.h"
#include "schema.h"

/* ---- build ---- */

/* All records of the input into the builder. A vector that does not go with the others stops
 * the run; an id seen before is replaced, with a warning when warns. */
static void gather(struct run *run, struct builder *b, const char *fields, bool warns)
{
    struct rec r;
    while (run_next(run, &r)) {
        bool is_old = false;
        if (builder_add(b, &r, fields, &is_old, &run->err) < 0)
            run_reject(run, &r);
        else if (is_old && warns)
            rec_warn(&r, "seen before: this record replaces the earlier one");
    }
}

static int need_output(struct run *run)
{
    if (run_cfg.output || !isatty(STDOUT_FILENO))
        return 0;
    return run_usage(run, "an index is no text: give a file with -o");
}

/* Write the builder's index as the run's output, unless the run was stopped. */
static int write_index(struct run *run, struct builder *b, bool has_sparse, const char *fields)
{
    struct analyzer *a = NULL;
    if (!run->stop_code && has_sparse) {
        a = analyzer_new(NULL, NULL, &run->err);
        if (!a)
            return -1;
    }
    if (!run->stop_code)
        builder_write(b, a, fields, run->jobs, &run->out);
    if (!run->stop_code)
        diag_note("%zu records in the index", builder_count(b));
    analyzer_free(a);
    return 0;
}

int cmd_build(struct run *run)
{
    if (cmd_chroma.url)
        return cmd_chroma_build(run);
    if (need_output(run))
        return EXIT_USAGE;
    struct builder *b = builder_new();
    struct ivf_cfg ivf = { cmd_cfg.recall, (size_t)cmd_cfg.ivf_from };
    builder_set_ivf(b, &ivf);
    gather(run, b, cmd_cfg.fields, true);
    int rc = write_index(run, b, !cmd_cfg.no_sparse, cmd_cfg.fields);
    builder_free(b);
    return rc < 0 ? run_fail(run) : run_end(run);
}

/* ---- changing one index ---- */

/* Write an edited index over the old one, or to -o. */
static int replace_index(struct run *run, struct edit *e)
{
    struct out own, *out = &run->out;
    if (run->stop_code)
        return 0;
    if (!run_cfg.output && out_open(&own, e->path, &run->err) < 0)
        return -1;
    if (!run_cfg.output)
        out = &own;
    int rc = edit_write(e, run->jobs, out, &run->err);
    if (rc == 0 && out == &own)
        rc = out_close(&own, &run->err);
    else if (out == &own)
        out_abandon(&own);
    if (rc == 0)
        diag_note("%zu records in the index", builder_count(e->builder));
    return rc;
}

static int end_edit(struct run *run, struct edit *e, int rc)
{
    edit_close(e);
    return rc < 0 ? run_fail(run) : run_end(run);
}

int cmd_add(struct run *run)
{
    struct edit e;
    if (cmd_chroma.url)
        return cmd_chroma_add(run);
    if (!cmd_cfg.index)
        return run_usage(run, "which index? give it with -i");
    if (edit_open(&e, cmd_cfg.index, &run->err) < 0)
        return run_fail(run);
    int rc = edit_take(&e, NULL, &run->err);
    if (rc == 0) {
        gather(run, e.builder, buf_cstr(&e.fields), false);
        rc = replace_index(run, &e);
    }
    return end_edit(run, &e, rc);
}

int cmd_compact(struct run *run)
{
    struct edit e;
    if (cmd_n_indexes(run) != 1)
        return run_usage(run, "which index? one is needed");
    if (edit_open(&e, cmd_index(run, 0), &run->err) < 0)
        return run_fail(run);
    int rc = edit_take(&e, NULL, &run->err);
    if (rc == 0)
        rc = replace_index(run, &e);
    return end_edit(run, &e, rc);
}

/* ---- delete ---- */

/* Drop one id; an unknown one is an error that is reported and counted. */
static int drop_id(struct run *run, const struct gri *g, struct sv id, unsigned char *keep)
{
    size_t doc;
    if (gri_find(g, id, &doc, &run->err) < 0)
        return -1;
    run->n_read++;
    if (doc == SIZE_MAX) {
        run->n_rejected++;
        diag_error("id \"%.*s\": not in %s", SV_ARG(id), g->file.path);
        return 0;
    }
    keep[doc] = 0;
    run->n_done++;
    return 0;
}

static int drop_ids(struct run *run, const struct gri *g, unsigned char *keep)
{
    for (size_t i = 0; i < run->n_operands; i++)
        if (drop_id(run, g, sv_from(run->operands[i]), keep) < 0)
            return -1;
    if (!cmd_cfg.ids)
        return 0;
    struct buf text = BUF_INIT;
    int rc = file_read(&text, cmd_cfg.ids, 0, &run->err);
    struct sv rest = buf_view(&text), line;
    while (rc == 0 && rest.n && sv_cut(&rest, '\n', &line))
        if (sv_trim(line).n)
            rc = drop_id(run, g, sv_trim(line), keep);
    buf_release(&text);
    return rc;
}

static bool is_of_papers(const struct rec *r)
{
    struct sv paper = json_sv(json_get(r->v, F_PAPER));
    for (size_t i = 0; i < cmd_cfg.papers.n; i++)
        if (sv_is(paper, cmd_cfg.papers.items[i]))
            return true;
    return false;
}

/* Drop records of the papers named and those that the filter selects. */
static int drop_selected(struct run *run, const struct gri *g, struct filter *f,
                         unsigned char *keep)
{
    if (!f && !cmd_cfg.papers.n)
        return 0;
    for (size_t doc = 0; doc < g->meta.n_docs; doc++) {
        struct sv raw;
        struct rec r;
        if (gri_raw(g, doc, &raw, &run->err) < 0)
            return -1;
        if (rec_parse(&r, raw, &run->err) < 0)
            return err_prefix(&run->err, "%s: record %zu", g->file.path, doc + 1);
        int is_dropped = is_of_papers(&r);
        rec_release(&r);
        if (!is_dropped && f)
            is_dropped = filter_test(f, raw, &run->err);
        if (is_dropped < 0)
            return -1;
        if (is_dropped)
            keep[doc] = 0;
    }
    return 0;
}

static int delete_from(struct run *run, struct edit *e, struct filter *f)
{
    unsigned char *keep = alloc(e->gri.meta.n_docs + 1);
    memset(keep, 1, e->gri.meta.n_docs + 1);
    int rc = drop_ids(run, &e->gri, keep);
    if (rc == 0)
        rc = drop_selected(run, &e->gri, f, keep);
    if (rc == 0)
        rc = edit_take(e, keep, &run->err);
    if (rc == 0)
        diag_note("%zu records deleted", e->gri.meta.n_docs - builder_count(e->builder));
    free(keep);
    return rc;
}

int cmd_delete(struct run *run)
{
    struct edit e;
    struct filter *f = NULL;
    const char *expr = cmd_cfg.search.filter;
    if (cmd_chroma.url)
        return cmd_chroma_delete(run);
    if (!cmd_cfg.index)
        return run_usage(run, "which index? give it with -i");
    if (!run->n_operands && !cmd_cfg.ids && !cmd_cfg.papers.n && !expr)
        return run_usage(run, "delete what? give ids, --ids, --paper or --filter");
    if (expr && !(f = filter_new(expr, &run->err)))
        return run_usage(run, "%s", run->err.msg);
    if (edit_open(&e, cmd_cfg.index, &run->err) < 0) {
        filter_free(f);
        return run_fail(run);
    }
    int rc = delete_from(run, &e, f);
    if (rc == 0)
        rc = replace_index(run, &e);
    filter_free(f);
    return end_edit(run, &e, rc);
}

/* ---- merge ---- */

/* Take one index; all must have been made from the same text fields. */
static int merge_one(struct run *run, const char *path, struct builder *b, struct buf *fields,
                     bool *has_sparse)
{
    struct gri g;
    uint64_t n_old = 0;
    if (gri_open(&g, path, &run->err) < 0)
        return -1;
    int rc = 0;
    if (fields->len && !sv_eq(buf_view(fields), g.meta.fields))
        rc = err_set(&run->err, EXIT_FATAL,
                     "%s: made with --fields=%.*s, the others with %s: build it anew", path,
                     SV_ARG(g.meta.fields), buf_cstr(fields));
    if (!fields->len) {
        buf_sv(fields, g.meta.fields);
        builder_set_ivf(b, &g.meta.ivf);
    }
    *has_sparse = *has_sparse || g.meta.analyzer.n;
    if (rc == 0 && gri_take(&g, NULL, b, &n_old, &run->err) < 0)
        rc = err_prefix(&run->err, "%s", path);
    if (rc == 0 && n_old)
        diag_warn("%s: %llu records replace those of the same id", path,
                  (unsigned long long)n_old);
    run->n_read += g.meta.n_docs;
    run->n_done += g.meta.n_docs;
    gri_close(&g);
    return rc;
}

int cmd_merge(struct run *run)
{
    if (need_output(run))
        return EXIT_USAGE;
    if (!run->n_operands)
        return run_usage(run, "merge which indexes?");
    struct builder *b = builder_new();
    struct buf fields = BUF_INIT;
    bool has_sparse = false;
    int rc = 0;
    for (size_t i = 0; i < run->n_operands && rc == 0; i++)
        rc = merge_one(run, run->operands[i], b, &fields, &has_sparse);
    if (rc == 0)
        rc = write_index(run, b, has_sparse, buf_cstr(&fields));
    buf_release(&fields);
    builder_free(b);
    return rc < 0 ? run_fail(run) : run_end(run);
}
