// SPDX-License-Identifier: MIT
/*
 * cmds_read.c — search, info, verify, export: commands that leave the index as it is
 */
#include "cmds.h"

#include "alloc.h"
#include "schema.h"
#include "vec.h"

/* Queries in one pass over the vectors. The more share one, the faster is exact search
 * (dense_batch.h); a plain file is decoded in each pass, too. */
#define QUERIES_A_PASS 32
#define QUERIES_AN_EXACT_PASS 256

size_t cmd_n_indexes(const struct run *run)
{
    return cmd_cfg.index ? 1 : run->n_operands;
}

const char *cmd_index(const struct run *run, size_t i)
{
    return cmd_cfg.index ? cmd_cfg.index : run->operands[i];
}

/* Say what was left out of a plain file; true when something was. */
static bool print_problems(const struct vindex *x)
{
    struct sv rest = buf_view(&x->plain.problems), line;
    if (!x->is_plain || !x->plain.n_problems)
        return false;
    rest.n--; /* the last line end */
    while (sv_cut(&rest, '\n', &line))
        diag_error("%.*s", SV_ARG(line));
    diag_error("%s: %llu lines left out", x->path, (unsigned long long)x->plain.n_problems);
    return true;
}

/* ---- search ---- */

static void search_tasks(void *ctx, unsigned worker, struct task *tasks, size_t n)
{
    struct search_job *jobs = alloc_array(n, sizeof *jobs);
    for (size_t i = 0; i < n; i++)
        jobs[i] =
            (struct search_job){ &tasks[i].rec, &tasks[i].out, &tasks[i].err, tasks[i].rc };
    search_batch(ctx, worker, jobs, n);
    for (size_t i = 0; i < n; i++)
        tasks[i].rc = jobs[i].rc;
    free(jobs);
}

/* The query given by --query instead of input. */
static void search_one(struct run *run, struct searcher *s)
{
    struct buf line = BUF_INIT, out = BUF_INIT;
    struct rec r = { .file = "--query" };
    buf_str(&line, "{\"query\":");
    json_put_str(&line, sv_from(cmd_cfg.query));
    buf_char(&line, '}');
    struct search_job job = { &r, &out, &run->err, 0 };
    job.rc = rec_parse(&r, buf_view(&line), &run->err);
    search_batch(s, 0, &job, 1);
    run->n_read++;
    run->n_done++;
    if (job.rc == 0)
        run_write(run, buf_view(&out));
    else
        run_reject(run, &r);
    rec_release(&r);
    buf_release(&line);
    buf_release(&out);
}

int cmd_search(struct run *run)
{
    struct vindex x;
    if (!cmd_cfg.index)
        return run_usage(run, "which index? give it with -i");
    if (cmd_cfg.query && run->n_operands)
        return run_usage(run, "--query and files: only one of them");
    if (!(cmd_cfg.search.dense_weight > 0) && !(cmd_cfg.search.sparse_weight > 0))
        return run_usage(run, "--dense-weight and --sparse-weight: not both 0");
    if (vindex_open(&x, cmd_cfg.index, cmd_cfg.fields, run->jobs, &run->err) < 0)
        return run_fail(run);
    cmd_cfg.search.has_timings = run_cfg.has_timings;
    struct searcher *s = search_new(&x, &cmd_cfg.search, run->jobs, &run->err);
    if (!s) {
        vindex_close(&x);
        return run->err.code == EXIT_USAGE ? run_usage(run, "%s", run->err.msg) : run_fail(run);
    }
    bool has_problems = print_problems(&x);
    if (cmd_cfg.query)
        search_one(run, s);
    else
        run_each_batch(run, search_tasks, s,
                       x.is_plain || cmd_cfg.search.is_exact || !x.gri.meta.has_ivf
                           ? QUERIES_AN_EXACT_PASS
                           : QUERIES_A_PASS);
    search_free(s);
    vindex_close(&x);
    int code = run_end(run);
    return code == EXIT_ALL_DONE && has_problems ? EXIT_REJECTED : code;
}

/* ---- info, verify ---- */

/* Approximate search: what was aimed at and what was measured, at that effort and by level. */
static void put_ivf(const struct ivf *x, struct buf *b)
{
    json_key(b, "approximate");
    json_open(b, '{');
    json_key(b, "recall");
    json_put_num(b, x->target);
    json_key(b, "measured");
    json_put_float(b, x->recall);
    json_key(b, "measured_far");
    json_put_float(b, x->recall_far);
    json_key(b, "lists");
    json_put_int(b, (int64_t)x->n_lists);
    json_key(b, "bits");
    json_put_int(b, (int64_t)x->bits);
    json_key(b, "copies");
    json_put_int(b, (int64_t)x->copies);
    json_key(b, "levels");
    json_open(b, '[');
    for (size_t i = 0; i < IVF_LEVELS; i++)
        json_put_float(b, x->levels[0][0][i].recall);
    json_close(b, ']');
    json_close(b, '}');
}

static void put_info(const struct vindex *x, struct buf *b)
{
    const struct gri_meta *m = &x->gri.meta;
    json_open(b, '{');
    json_key(b, "index");
    json_put_str(b, sv_from(x->path));
    json_key(b, "kind");
    json_put_str(b, x->is_plain ? SV("ndjson") : SV("gri"));
    json_key(b, "records");
    json_put_int(b, (int64_t)x->n_docs);
    json_key(b, "vectors");
    json_put_int(b, (int64_t)x->n_rows);
    json_key(b, "dim");
    json_put_int(b, (int64_t)x->dim);
    json_key(b, F_EMBEDDING_MODEL);
    json_put_str(b, x->model);
    json_key(b, "metric");
    json_put_str(b, SV("cosine"));
    if (!x->is_plain) {
        json_key(b, "version");
        json_put_int(b, GRI_VERSION);
        json_key(b, "store");
        json_put_str(b, m->store == STORE_INT8 ? SV("int8") : SV("float"));
        json_key(b, "terms");
        json_put_int(b, (int64_t)m->n_terms);
        json_key(b, "texts");
        json_put_int(b, (int64_t)m->n_with_terms);
        json_key(b, "mean_length");
        json_put_num(b, m->n_with_terms ? (double)m->total_len / (double)m->n_with_terms : 0);
        json_key(b, "analyzer");
        json_put_str(b, m->analyzer);
        json_key(b, "fields");
        json_put_str(b, m->fields);
    }
    if (m->has_ivf)
        put_ivf(&x->gri.ivf, b);
    json_key(b, "bytes");
    json_put_int(b, (int64_t)(x->is_plain ? x->plain.map.n : x->gri.file.map.n));
}

/* Write what one index holds, after checking it when asked to; returns an exit code. */
static int inform_one(struct run *run, const char *path, bool is_verify)
{
    struct vindex x;
    struct buf b = BUF_INIT;
    int code = EXIT_ALL_DONE;
    if (vindex_open(&x, path, cmd_cfg.fields, run->jobs, &run->err) < 0) {
        diag_error("%s", run->err.msg);
        json_open(&b, '{');
        json_key(&b, "index");
        json_put_str(&b, sv_from(path));
        code = EXIT_FATAL;
    } else {
        if (is_verify && x.is_plain)
            plain_verify(&x.plain);
        else if (is_verify && gri_verify(&x.gri, &run->err) < 0) {
            diag_error("%s", run->err.msg);
            code = EXIT_FATAL;
        }
        if (print_problems(&x))
            code = EXIT_REJECTED;
        put_info(&x, &b);
        vindex_close(&x);
    }
    if (is_verify) {
        json_key(&b, "ok");
        json_put_bool(&b, code == EXIT_ALL_DONE);
    }
    rec_end(&b);
    if (is_verify || code != EXIT_FATAL)
        run_write(run, buf_view(&b));
    buf_release(&b);
    return code;
}

static int inform(struct run *run, bool is_verify)
{
    int worst = EXIT_ALL_DONE;
    if (!cmd_n_indexes(run))
        return run_usage(run, "which index?");
    for (size_t i = 0; i < cmd_n_indexes(run); i++) {
        int code = inform_one(run, cmd_index(run, i), is_verify);
        if (code > worst)
            worst = code;
    }
    int code = run_end(run);
    return code ? code : worst;
}

int cmd_info(struct run *run)
{
    return inform(run, false);
}

int cmd_verify(struct run *run)
{
    return inform(run, true);
}

/* ---- export ---- */

/* row: (dim) scratch. */
static int put_record(const struct gri *g, size_t doc, float *row, struct buf *out,
                      struct err *err)
{
    struct sv raw;
    const float *vec = gri_vector(g, doc, row);
    if (gri_raw(g, doc, &raw, err) < 0)
        return -1;
    raw = sv_trim(raw);
    if (raw.n < 2 || raw.p[0] != '{' || raw.p[raw.n - 1] != '}')
        return err_set(err, EXIT_FATAL, "%s: damaged: record %zu: build it anew", g->file.path,
                       doc);
    buf_add(out, raw.p, raw.n - 1);
    if (vec && cmd_cfg.format != EXPORT_NONE) {
        json_key(out, F_EMBEDDING);
        if (cmd_cfg.format == EXPORT_ARRAY)
            vec_put_array(out, vec, g->meta.dim);
        else
            vec_put_base64(out, vec, g->meta.dim);
        if (g->meta.model.n) {
            json_key(out, F_EMBEDDING_MODEL);
            json_put_str(out, g->meta.model);
        }
    }
    rec_end(out);
    return 0;
}

int cmd_export(struct run *run)
{
    struct gri g;
    struct buf line = BUF_INIT;
    if (cmd_n_indexes(run) != 1)
        return run_usage(run, "which index? one is needed");
    if (gri_open(&g, cmd_index(run, 0), &run->err) < 0)
        return run_fail(run);
    int rc = 0;
    float *row = alloc_array(g.meta.dim + 1, sizeof *row);
    for (size_t doc = 0; doc < g.meta.n_docs && rc == 0 && !run->stop_code; doc++) {
        buf_reset(&line);
        rc = put_record(&g, doc, row, &line, &run->err);
        if (rc == 0) {
            run->n_read++;
            run->n_done++;
            run_write(run, buf_view(&line));
        }
    }
    free(row);
    buf_release(&line);
    gri_close(&g);
    return rc < 0 ? run_fail(run) : run_end(run);
}
