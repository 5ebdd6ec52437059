// SPDX-License-Identifier: MIT
/*
 * cmd_chroma.c — build, add, search, info, export of a collection of a Chroma server
 *
 *   memory: build and add one batch; search some records for each worker; export a page
 */
#include "cmd_chroma.h"

#include "alloc.h"
#include "chroma_find.h"
#include "chroma_load.h"
#include "cmds.h"
#include "schema.h"
#include "vec.h"

struct cmd_chroma cmd_chroma;

static struct chroma *connect(struct err *err)
{
    return chroma_new(&(struct chroma_cfg){ .url = cmd_chroma.url,
                                            .collection = cmd_chroma.collection,
                                            .timeout_s = cmd_chroma.timeout_s,
                                            .tries = cmd_chroma.tries,
                                            .seed = (uint64_t)run_cfg.seed },
                      err);
}

static int fail(struct run *run)
{
    return run_fail(run);
}

/* -i, or an index as operand, beside --chroma. */
static int refuse_index(struct run *run, bool has_operands)
{
    if (cmd_cfg.index || cmd_cfg.indexes.n)
        return run_usage(run, "-i and --chroma: the index is in one place");
    if (!has_operands && run->n_operands)
        return run_usage(run, "no operand is expected: \"%s\"", run->operands[0]);
    return 0;
}

/* ---- build, add ---- */

static void refuse_record(void *ctx, const struct rec *r, const struct err *err)
{
    struct run *run = ctx;
    run->err = *err;
    run_reject(run, r);
}

static int load(struct run *run, struct chroma *c, struct chroma_info *info)
{
    struct rec r;
    struct chroma_load_stats stats = { 0 };
    const struct chroma_load_cfg cfg = { .batch = (size_t)cmd_chroma.batch,
                                         .refuse = refuse_record,
                                         .ctx = run };
    struct chroma_load *l = chroma_load_new(c, info, &cfg);
    int rc = 0;
    while (run_next(run, &r))
        if (chroma_load_add(l, &r, &run->err) < 0)
            run_reject(run, &r);
    /* After a record that stopped the run nothing more is sent; the collection stays marked as
     * not complete, and the same command goes on. */
    if (!run->stop_code)
        rc = chroma_load_end(l, &stats, &run->err);
    if (!run->stop_code && rc == 0)
        diag_note("%zu records sent%s", stats.n_sent,
                  stats.n_there ? ", the others were there already" : "");
    chroma_load_free(l);
    return rc;
}

/* The collection, made when it is not there. */
static int make(struct chroma *c, struct chroma_info *info, struct err *err)
{
    if (chroma_look(c, info, err) < 0)
        return -1;
    if (info->is_there && cmd_chroma.is_replacing) {
        if (chroma_drop(c, err) < 0)
            return -1;
    } else if (info->is_there && info->is_ours && info->is_loading) {
        diag_note("%s: goes on where an earlier build had stopped", chroma_name(c));
        return 0;
    } else if (info->is_there) {
        return err_set(err, EXIT_FATAL,
                       "%s: is there already: use gr-vindex add, or give --replace",
                       chroma_name(c));
    }
    chroma_info_release(info);
    return chroma_create(c, err) < 0 ? -1 : chroma_need(c, info, err);
}

static int write_records(struct run *run, bool is_build)
{
    struct chroma_info info = { 0 };
    if (refuse_index(run, true))
        return EXIT_USAGE;
    struct chroma *c = connect(&run->err);
    if (!c)
        return fail(run);
    int rc = is_build ? make(c, &info, &run->err) : chroma_need(c, &info, &run->err);
    if (rc == 0)
        rc = load(run, c, &info);
    chroma_info_release(&info);
    chroma_free(c);
    return rc < 0 ? run_fail(run) : run_end(run);
}

int cmd_chroma_build(struct run *run)
{
    if (run_cfg.output)
        return run_usage(run, "-o and --chroma: the index is in one place");
    return write_records(run, true);
}

int cmd_chroma_add(struct run *run)
{
    return write_records(run, false);
}

/* ---- search ---- */

struct searching {
    struct chroma_info info;
    struct chroma **chromas;   /* (jobs) */
    struct chroma_find *finds; /* (jobs) */
    struct where where;
    unsigned jobs;
};

static int search_record(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                         struct err *err)
{
    struct searching *s = ctx;
    return chroma_find_record(&s->finds[worker], r, out, err);
}

static int search_start(struct searching *s, struct run *run)
{
    bool has_where = cmd_cfg.search.filter && where_parse(&s->where, cmd_cfg.search.filter);
    if (cmd_cfg.search.filter && !(has_where && s->where.is_exact)) {
        struct filter *probe = filter_new(cmd_cfg.search.filter, &run->err);
        if (!probe)
            return -1;
        filter_free(probe);
    }
    s->jobs = run->jobs;
    s->chromas = alloc_zero(s->jobs, sizeof(struct chroma *));
    s->finds = alloc_zero(s->jobs, sizeof *s->finds);
    for (unsigned i = 0; i < s->jobs; i++) {
        if (!(s->chromas[i] = connect(&run->err)))
            return -1;
        if (i == 0 && chroma_need(s->chromas[0], &s->info, &run->err) < 0)
            return -1;
        chroma_find_init(&s->finds[i], s->chromas[i], &s->info, &cmd_cfg.search,
                         has_where ? &s->where : NULL);
    }
    if (!sv_is(buf_view(&s->info.space), "cosine"))
        diag_warn("%s: its space is \"%s\", not cosine: what is nearest by that is given with "
                  "cosines",
                  chroma_name(s->chromas[0]), buf_cstr(&s->info.space));
    if (s->info.is_loading)
        diag_warn("%s: not complete: run gr-vindex build again", chroma_name(s->chromas[0]));
    return 0;
}

static void search_end(struct searching *s)
{
    for (unsigned i = 0; i < s->jobs; i++) {
        chroma_find_release(&s->finds[i]);
        chroma_free(s->chromas[i]);
    }
    free(s->finds);
    free(s->chromas);
    where_release(&s->where);
    chroma_info_release(&s->info);
}

int cmd_chroma_search(struct run *run)
{
    struct searching s = { 0 };
    if (refuse_index(run, true))
        return EXIT_USAGE;
    if (cmd_cfg.query)
        return run_usage(run, "--query and --chroma: a text has no vector: pipe it through "
                              "gr-embed");
    if (cmd_cfg.search.mode == MODE_SPARSE || cmd_cfg.search.mode == MODE_HYBRID)
        return run_usage(run,
                         "--mode=%s and --chroma: Chroma holds vectors only: use "
                         "--mode=dense, or an index in a file",
                         search_mode_name((enum search_mode)cmd_cfg.search.mode));
    cmd_cfg.search.has_timings = run_cfg.has_timings;
    int rc = search_start(&s, run);
    if (rc == 0)
        run_each_slow(run, search_record, &s);
    search_end(&s);
    return rc < 0 ? fail(run) : run_end(run);
}

/* ---- info ---- */

int cmd_chroma_info(struct run *run)
{
    struct chroma_info info = { 0 };
    struct buf b = BUF_INIT;
    if (refuse_index(run, false))
        return EXIT_USAGE;
    struct chroma *c = connect(&run->err);
    if (!c)
        return fail(run);
    int rc = chroma_need(c, &info, &run->err);
    if (rc == 0) {
        json_open(&b, '{');
        json_add_str(&b, "index", sv_from(cmd_chroma.url));
        json_add_str(&b, "kind", SV("chroma"));
        json_add_str(&b, "collection", sv_from(cmd_chroma.collection));
        json_add_size(&b, "records", info.count);
        json_add_size(&b, "vectors", info.count);
        json_add_size(&b, "dim", info.dim);
        json_key(&b, F_EMBEDDING_MODEL);
        json_put_str(&b, buf_view(&info.model));
        json_add_str(&b, "metric", buf_view(&info.space));
        json_key(&b, "complete");
        json_put_bool(&b, !info.is_loading);
        rec_end(&b);
        run_write(run, buf_view(&b));
    }
    buf_release(&b);
    chroma_info_release(&info);
    chroma_free(c);
    return rc < 0 ? run_fail(run) : run_end(run);
}

/* ---- export ---- */

struct exporting {
    struct run *run;
    struct sv model;
    struct buf line;
};

static int put_record(void *ctx, struct sv id, struct sv record, const float *vec, size_t dim,
                      struct err *err)
{
    struct exporting *e = ctx;
    (void)id;
    (void)err;
    buf_reset(&e->line);
    buf_add(&e->line, record.p, record.n - 1);
    if (vec) {
        json_key(&e->line, F_EMBEDDING);
        if (cmd_cfg.format == EXPORT_ARRAY)
            vec_put_array(&e->line, vec, dim);
        else
            vec_put_base64(&e->line, vec, dim);
        if (e->model.n) {
            json_key(&e->line, F_EMBEDDING_MODEL);
            json_put_str(&e->line, e->model);
        }
    }
    rec_end(&e->line);
    e->run->n_read++;
    e->run->n_done++;
    run_write(e->run, buf_view(&e->line));
    return e->run->stop_code ? err_set(err, EXIT_FATAL, "cannot write the output") : 0;
}

int cmd_chroma_export(struct run *run)
{
    struct chroma_info info = { 0 };
    struct chroma_find f;
    if (refuse_index(run, false))
        return EXIT_USAGE;
    struct chroma *c = connect(&run->err);
    if (!c)
        return fail(run);
    int rc = chroma_need(c, &info, &run->err);
    if (rc == 0) {
        struct exporting e = { .run = run, .model = buf_view(&info.model) };
        chroma_find_init(&f, c, &info, &cmd_cfg.search, NULL);
        rc = chroma_find_all(&f, cmd_cfg.format != EXPORT_NONE, put_record, &e, &run->err);
        chroma_find_release(&f);
        buf_release(&e.line);
    }
    chroma_info_release(&info);
    chroma_free(c);
    return rc < 0 && !run->stop_code ? run_fail(run) : run_end(run);
}
