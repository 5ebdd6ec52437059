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

/* EXIT_REJECTED when a record of this id is in the index. */
static int refuse_known(const struct store *there, const struct rec *r, struct err *err)
{
    struct sv id;
    size_t segment, doc;
    if (json_need_str(r->v, F_ID, &id, err) < 0 ||
        store_find(there, there->n, id, &segment, &doc, err) < 0)
        return -1;
    if (doc == SIZE_MAX || gri_is_dead(&there->segments[segment], doc))
        return 0;
    return err_set(err, EXIT_REJECTED, "already in %s", there->path);
}

/* All records of the input into the builder. A vector that does not go with the others stops
 * the run; an id seen before is replaced, with a warning when warns. there: an index whose ids
 * are refused, NULL: none. */
static void gather(struct run *run, struct builder *b, const char *fields, bool warns,
                   const struct store *there)
{
    struct rec r;
    while (run_next(run, &r)) {
        bool is_old = false;
        if ((there && refuse_known(there, &r, &run->err) < 0) ||
            builder_add(b, &r, fields, &is_old, &run->err) < 0)
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

/* The end of a run that writes a new index; old: from edit_lock_old. */
static int end_new(struct run *run, int old, int rc)
{
    int code = rc < 0 ? run_fail(run) : run_end(run);
    if (old >= 0)
        close(old);
    return code;
}

int cmd_build(struct run *run)
{
    if (cmd_chroma.url)
        return cmd_chroma_build(run);
    int old;
    if (need_output(run))
        return EXIT_USAGE;
    if (edit_lock_old(run_cfg.output, &old, &run->err) < 0)
        return run_fail(run);
    struct builder *b = builder_new();
    struct ivf_cfg ivf = { cmd_cfg.recall, (size_t)cmd_cfg.ivf_from };
    builder_set_ivf(b, &ivf);
    builder_set_store(b, cmd_cfg.store);
    gather(run, b, cmd_cfg.fields, true, NULL);
    int rc = write_index(run, b, !cmd_cfg.no_sparse, cmd_cfg.fields);
    builder_free(b);
    return end_new(run, old, rc);
}

/* ---- changing one index ---- */

/* Save a change in place, or write all to -o. b: records to add, NULL: none. */
static int save(struct run *run, struct edit *e, struct builder *b)
{
    size_t n = 0;
    if (run->stop_code)
        return 0;
    if (!run_cfg.output)
        return edit_save(e, b, run->jobs, &run->err);
    int rc = edit_write(e, b, run->jobs, &run->out, &n, &run->err);
    if (rc == 0)
        diag_note("%zu records in the index", n);
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
    struct buf fields = BUF_INIT;
    if (cmd_chroma.url)
        return cmd_chroma_add(run);
    if (!cmd_cfg.index)
        return run_usage(run, "which index? give it with -i");
    if (edit_open(&e, cmd_cfg.index, &run->err) < 0)
        return run_fail(run);
    struct builder *b = edit_builder(&e);
    buf_sv(&fields, e.store.segments[0].meta.fields);
    gather(run, b, buf_cstr(&fields), false, cmd_cfg.is_new_only ? &e.store : NULL);
    int rc = save(run, &e, b);
    if (rc == 0 && !run->stop_code && !run_cfg.output)
        diag_note("%zu records in the index", store_live(&e.store) + builder_count(b));
    buf_release(&fields);
    builder_free(b);
    return end_edit(run, &e, rc);
}

int cmd_compact(struct run *run)
{
    struct edit e;
    size_t n = 0;
    if (cmd_n_indexes(run) != 1)
        return run_usage(run, "which index? one is needed");
    if (edit_open(&e, cmd_index(run, 0), &run->err) < 0)
        return run_fail(run);
    int rc =
        run_cfg.output ? save(run, &e, NULL) : edit_replace(&e, NULL, run->jobs, &n, &run->err);
    if (rc == 0 && !run_cfg.output)
        diag_note("%zu records in the index", n);
    return end_edit(run, &e, rc);
}

/* ---- delete ---- */

/* Drop one id; an unknown one is an error that is reported and counted. */
static int drop_id(struct run *run, struct edit *e, struct sv id)
{
    bool is_there;
    if (edit_drop(e, id, &is_there, &run->err) < 0)
        return -1;
    run->n_read++;
    run->n_rejected += !is_there;
    run->n_done += is_there;
    if (!is_there)
        diag_error("id \"%.*s\": not in %s", SV_ARG(id), e->path);
    return 0;
}

static int drop_ids(struct run *run, struct edit *e)
{
    for (size_t i = 0; i < run->n_operands; i++)
        if (drop_id(run, e, sv_from(run->operands[i])) < 0)
            return -1;
    if (!cmd_cfg.ids)
        return 0;
    struct buf text = BUF_INIT;
    int rc = file_read(&text, cmd_cfg.ids, 0, &run->err);
    struct sv rest = buf_view(&text), line;
    while (rc == 0 && rest.n && sv_cut(&rest, '\n', &line))
        if (sv_trim(line).n)
            rc = drop_id(run, e, sv_trim(line));
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

/* 1 when a record is to go, -1 when it is damaged. */
static int is_selected(const struct gri *g, size_t doc, struct filter *f, struct err *err)
{
    struct sv raw;
    struct rec r;
    if (gri_raw(g, doc, &raw, err) < 0)
        return -1;
    if (rec_parse(&r, raw, err) < 0)
        return err_prefix(err, "%s: record %zu", g->file.path, doc + 1);
    int is_dropped = is_of_papers(&r);
    rec_release(&r);
    return !is_dropped && f ? filter_test(f, raw, err) : is_dropped;
}

/* Drop records of the papers named and those that the filter selects. */
static int drop_selected(struct edit *e, struct filter *f, struct err *err)
{
    if (!f && !cmd_cfg.papers.n)
        return 0;
    for (size_t i = 0; i < e->store.n; i++) {
        const struct gri *g = &e->store.segments[i];
        for (size_t doc = 0; doc < g->meta.n_docs; doc++) {
            int rc = gri_is_dead(g, doc) ? 0 : is_selected(g, doc, f, err);
            if (rc < 0)
                return -1;
            if (rc)
                edit_drop_doc(e, i, doc);
        }
    }
    return 0;
}

static int delete_from(struct run *run, struct edit *e, struct filter *f)
{
    size_t before = store_live(&e->store);
    if (drop_ids(run, e) < 0 || drop_selected(e, f, &run->err) < 0 || save(run, e, NULL) < 0)
        return -1;
    diag_note("%zu records deleted", before - store_live(&e->store));
    return 0;
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
    filter_free(f);
    return end_edit(run, &e, rc);
}

/* ---- merge ---- */

/* All must have been made from the same text fields, and keep vectors alike. */
static int merge_settings(const struct gri_meta *m, const char *path, struct builder *b,
                          struct buf *fields, int *store, struct err *err)
{
    if (!fields->len) {
        buf_sv(fields, m->fields);
        builder_set_ivf(b, &m->ivf);
        builder_set_store(b, m->store);
        *store = m->store;
    }
    if (*store != m->store)
        return err_set(err, EXIT_FATAL,
                       "%s: made with another --store than the others: build it anew", path);
    if (sv_eq(buf_view(fields), m->fields))
        return 0;
    return err_set(err, EXIT_FATAL,
                   "%s: made with --fields=%.*s, the others with %s: build it anew", path,
                   SV_ARG(m->fields), buf_cstr(fields));
}

/* Take one index. */
static int merge_one(struct run *run, const char *path, struct builder *b, struct buf *fields,
                     int *store, bool *has_sparse)
{
    struct store s;
    uint64_t n_old = 0;
    if (store_open(&s, path, &run->err) < 0)
        return -1;
    const struct gri_meta *m = &s.segments[0].meta;
    int rc = merge_settings(m, path, b, fields, store, &run->err);
    *has_sparse = *has_sparse || m->analyzer.n;
    for (size_t i = 0; i < s.n && rc == 0; i++)
        if (gri_take(&s.segments[i], b, &n_old, &run->err) < 0)
            rc = err_prefix(&run->err, "%s", path);
    if (rc == 0 && n_old)
        diag_warn("%s: %llu records replace those of the same id", path,
                  (unsigned long long)n_old);
    run->n_read += store_live(&s);
    run->n_done += store_live(&s);
    store_close(&s);
    return rc;
}

int cmd_merge(struct run *run)
{
    if (need_output(run))
        return EXIT_USAGE;
    if (!run->n_operands)
        return run_usage(run, "merge which indexes?");
    int old;
    if (edit_lock_old(run_cfg.output, &old, &run->err) < 0)
        return run_fail(run);
    struct builder *b = builder_new();
    struct buf fields = BUF_INIT;
    bool has_sparse = false;
    int rc = 0, store = STORE_FLOAT;
    for (size_t i = 0; i < run->n_operands && rc == 0; i++)
        rc = merge_one(run, run->operands[i], b, &fields, &store, &has_sparse);
    if (rc == 0)
        rc = write_index(run, b, has_sparse, buf_cstr(&fields));
    buf_release(&fields);
    builder_free(b);
    return end_new(run, old, rc);
}
