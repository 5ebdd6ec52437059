// SPDX-License-Identifier: MIT
/*
 * cmds_read.c — search, info, verify, export: commands that leave the index as it is
 */
#include "cmds.h"

#include "alloc.h"
#include "cmd_chroma.h"
#include "paths.h"
#include "schema.h"
#include "store.h"
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
static bool print_problems(const char *path, const struct plain *p)
{
    struct sv rest = buf_view(&p->problems), line;
    if (!p->n_problems)
        return false;
    rest.n--; /* the last line end */
    while (sv_cut(&rest, '\n', &line))
        diag_error("%.*s", SV_ARG(line));
    diag_error("%s: %llu lines left out", path, (unsigned long long)p->n_problems);
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

/* The indexes of -i, opened as one. */
static int open_set(struct run *run, struct vset *set, struct paths *paths)
{
    if (paths_expand(paths, cmd_cfg.indexes.items, cmd_cfg.indexes.n, &run->err) < 0 ||
        vset_open(set, paths->items, paths->n, cmd_cfg.fields, run->jobs, &run->err) < 0)
        return -1;
    if (set->n_twice)
        diag_warn("%zu records are left out: a later index has their ids", set->n_twice);
    return 0;
}

static bool print_all_problems(const struct vset *set)
{
    bool has_problems = false;
    for (size_t i = 0; i < set->n; i++)
        has_problems |= print_problems(set->parts[i].path, &set->parts[i].plain);
    return has_problems;
}

/* Is a part of it compared vector by vector? */
static bool is_exact(const struct vset *set)
{
    bool is = cmd_cfg.search.is_exact;
    for (size_t i = 0; i < set->n; i++)
        is = is || set->parts[i].is_plain || !set->parts[i].gri.meta.has_ivf;
    return is;
}

static int search_in(struct run *run, struct vset *set)
{
    struct searcher *s = search_new(set, &cmd_cfg.search, run->jobs, &run->err);
    if (!s)
        return run_fail(run);
    bool has_problems = print_all_problems(set);
    if (cmd_cfg.query)
        search_one(run, s);
    else
        run_each_batch(run, search_tasks, s,
                       is_exact(set) ? QUERIES_AN_EXACT_PASS : QUERIES_A_PASS);
    search_free(s);
    int code = run_end(run);
    return code == EXIT_ALL_DONE && has_problems ? EXIT_REJECTED : code;
}

int cmd_search(struct run *run)
{
    struct vset set;
    struct paths paths = { 0 };
    cmd_cfg.search.has_timings = run_cfg.has_timings;
    cmd_cfg.search.has_mmr = cmd_cfg.search.mmr >= 0;
    if (cmd_chroma.url)
        return cmd_chroma_search(run);
    if (!cmd_cfg.indexes.n)
        return run_usage(run, "which index? give it with -i");
    if (cmd_cfg.query && run->n_operands)
        return run_usage(run, "--query and files: only one of them");
    if (!(cmd_cfg.search.dense_weight > 0) && !(cmd_cfg.search.sparse_weight > 0))
        return run_usage(run, "--dense-weight and --sparse-weight: not both 0");
    int code;
    if (open_set(run, &set, &paths) < 0)
        code = run_fail(run);
    else {
        code = search_in(run, &set);
        vset_close(&set);
    }
    paths_release(&paths);
    return code;
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

static void put_counts(const char *path, bool is_plain, size_t n_docs, size_t n_rows,
                       size_t dim, struct sv model, struct buf *b)
{
    json_open(b, '{');
    json_key(b, "index");
    json_put_str(b, sv_from(path));
    json_key(b, "kind");
    json_put_str(b, is_plain ? SV("ndjson") : SV("gri"));
    json_key(b, "records");
    json_put_int(b, (int64_t)n_docs);
    json_key(b, "vectors");
    json_put_int(b, (int64_t)n_rows);
    json_key(b, "dim");
    json_put_int(b, (int64_t)dim);
    json_key(b, F_EMBEDDING_MODEL);
    json_put_str(b, model);
    json_key(b, "metric");
    json_put_str(b, SV("cosine"));
}

/* Each segment, oldest first. */
static void put_segments(const struct store *s, struct buf *b)
{
    json_key(b, "segments");
    json_open(b, '[');
    for (size_t i = 0; i < s->n; i++) {
        const struct gri *g = &s->segments[i];
        json_open(b, '{');
        json_key(b, "records");
        json_put_int(b, (int64_t)g->meta.n_docs);
        json_key(b, "dead");
        json_put_int(b, (int64_t)g->n_dead);
        json_key(b, "vectors");
        json_put_int(b, (int64_t)g->meta.n_rows);
        json_key(b, "approximate");
        json_put_bool(b, g->meta.has_ivf);
        json_key(b, "bytes");
        json_put_int(b, (int64_t)g->file.map.n);
        json_close(b, '}');
    }
    json_close(b, ']');
}

/* Numbers of the living records' texts. */
static void sum_texts(const struct gri *g, uint64_t *n_texts, uint64_t *length)
{
    *n_texts += g->meta.n_with_terms;
    *length += g->meta.total_len;
    for (size_t doc = 0; g->sparse.lens && g->n_dead && doc < g->meta.n_docs; doc++)
        if (gri_is_dead(g, doc)) {
            *n_texts -= g->sparse.lens[doc] > 0;
            *length -= g->sparse.lens[doc];
        }
}

/* `terms` is the number of the segment that has most of them. */
static void put_terms(const struct store *s, struct buf *b)
{
    const struct gri_meta *m = &s->segments[0].meta;
    size_t n_terms = 0;
    uint64_t n_texts = 0, length = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct gri *g = &s->segments[i];
        n_terms = g->meta.n_terms > n_terms ? g->meta.n_terms : n_terms;
        sum_texts(g, &n_texts, &length);
    }
    json_key(b, "version");
    json_put_int(b, GRI_VERSION);
    json_key(b, "store");
    json_put_str(b, m->store == STORE_INT8 ? SV("int8") : SV("float"));
    json_key(b, "terms");
    json_put_int(b, (int64_t)n_terms);
    json_key(b, "texts");
    json_put_int(b, (int64_t)n_texts);
    json_key(b, "mean_length");
    json_put_num(b, n_texts ? (double)length / (double)n_texts : 0);
    json_key(b, "analyzer");
    json_put_str(b, m->analyzer);
    json_key(b, "fields");
    json_put_str(b, m->fields);
}

static void put_store(const struct store *s, struct buf *b)
{
    const struct gri *kind = store_kind(s);
    put_counts(s->path, false, store_live(s), store_live_rows(s), kind ? kind->meta.dim : 0,
               kind ? kind->meta.model : SV_NONE, b);
    put_terms(s, b);
    for (size_t i = 0; i < s->n; i++)
        if (s->segments[i].meta.has_ivf) {
            put_ivf(&s->segments[i].ivf, b);
            break;
        }
    put_segments(s, b);
    json_key(b, "bytes");
    json_put_int(b, (int64_t)s->map.n);
}

static int inform_gri(struct run *run, const char *path, bool is_verify, struct buf *b)
{
    struct store s;
    if (store_open(&s, path, &run->err) < 0)
        return -1;
    int rc = is_verify ? store_verify(&s, &run->err) : 0;
    if (rc < 0)
        diag_error("%s", run->err.msg);
    put_store(&s, b);
    store_close(&s);
    return rc < 0 ? EXIT_FATAL : EXIT_ALL_DONE;
}

static int inform_plain(struct run *run, const char *path, bool is_verify, struct buf *b)
{
    struct plain p;
    if (plain_open(&p, path, cmd_cfg.fields, &run->err) < 0)
        return -1;
    if (is_verify)
        plain_verify(&p);
    int code = print_problems(path, &p) ? EXIT_REJECTED : EXIT_ALL_DONE;
    put_counts(path, true, p.dense.n_docs, p.dense.n_rows, p.kind.dim, buf_view(&p.kind.model),
               b);
    json_key(b, "bytes");
    json_put_int(b, (int64_t)p.map.n);
    plain_close(&p);
    return code;
}

/* Write what one index holds, after checking it when asked to; returns an exit code. */
static int inform_one(struct run *run, const char *path, bool is_verify)
{
    struct buf b = BUF_INIT;
    int code = secfile_is(path, GRI_MAGIC) ? inform_gri(run, path, is_verify, &b)
                                           : inform_plain(run, path, is_verify, &b);
    if (code < 0) {
        diag_error("%s", run->err.msg);
        json_open(&b, '{');
        json_key(&b, "index");
        json_put_str(&b, sv_from(path));
        code = EXIT_FATAL;
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
    if (cmd_chroma.url)
        return cmd_chroma_info(run);
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

/* The living records of a segment. */
static int export_segment(struct run *run, const struct gri *g, struct buf *line)
{
    float *row = alloc_array(g->meta.dim + 1, sizeof *row);
    int rc = 0;
    for (size_t doc = 0; doc < g->meta.n_docs && rc == 0 && !run->stop_code; doc++) {
        if (gri_is_dead(g, doc))
            continue;
        buf_reset(line);
        rc = put_record(g, doc, row, line, &run->err);
        if (rc < 0)
            break;
        run->n_read++;
        run->n_done++;
        run_write(run, buf_view(line));
    }
    free(row);
    return rc;
}

int cmd_export(struct run *run)
{
    struct store s;
    struct buf line = BUF_INIT;
    if (cmd_chroma.url)
        return cmd_chroma_export(run);
    if (cmd_n_indexes(run) != 1)
        return run_usage(run, "which index? one is needed");
    if (store_open(&s, cmd_index(run, 0), &run->err) < 0)
        return run_fail(run);
    int rc = 0;
    for (size_t i = 0; i < s.n && rc == 0; i++)
        rc = export_segment(run, &s.segments[i], &line);
    buf_release(&line);
    store_close(&s);
    return rc < 0 ? run_fail(run) : run_end(run);
}
