// SPDX-License-Identifier: MIT
/*
 * cli_check.c — gr-embed check: each set of kernels against float32, on the user's own texts
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <time.h>

#include "alloc.h"
#include "embedder.h"
#include "vec.h"

static struct {
    const char *model, *field, *prefix;
} cfg;

const struct opt cli_check_options[] = {
    { "Checking", 0, OPT_GROUP },
    { "model", 'm', OPT_STRING, "NAME", "all-MiniLM-L6-v2",
      "model folder, or name of one among the installed data", &cfg.model },
    { "field", 0, OPT_STRING, "NAME", "text", "field that is embedded", &cfg.field },
    { "prefix", 0, OPT_STRING, "TEXT", NULL, "put before every text, as some models want",
      &cfg.prefix },
    RUN_OPTIONS,
};

/* Texts at a time, and at most in all: the vectors are kept. */
#define TOGETHER 64
#define TEXTS_MAX 100000

static void read_texts(struct run *run, struct texts *t)
{
    const struct texts_cfg how = { .field = cfg.field, .prefix = cfg.prefix };
    size_t n;
    for (struct rec r; run_next(run, &r);)
        if (t->n >= TEXTS_MAX) {
            err_set(&run->err, EXIT_REJECTED, "check takes %d texts at most", TEXTS_MAX);
            run_reject(run, &r);
        } else if (texts_add(t, &how, &r, &n, &run->err) < 0) {
            run_reject(run, &r);
        }
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Vectors of all texts, long ones cut; returns the seconds it took. */
static double embed_all(const struct encoder *e, const struct texts *t, float *out)
{
    struct encoder_scratch *s = encoder_scratch_new(e);
    struct embed_item items[TOGETHER];
    double start = cpu_seconds();
    for (size_t i = 0; i < t->n; i += TOGETHER) {
        size_t n = t->n - i < TOGETHER ? t->n - i : TOGETHER;
        for (size_t k = 0; k < n; k++)
            items[k] = (struct embed_item){ .text = texts_at(t, i + k),
                                            .out = out + (i + k) * encoder_dim(e) };
        encoder_embed(e, s, items, n, LONG_TRUNCATE);
    }
    double took = cpu_seconds() - start;
    encoder_scratch_free(s);
    return took;
}

/* One line of output: how near the vectors (n, dim) are to the reference. */
static void report(struct buf *out, const struct kernels *k, const float *ref, const float *v,
                   size_t n, size_t dim, double seconds)
{
    double mean = 0, min = 1;
    for (size_t i = 0; i < n; i++) {
        double dot = (double)vec_dot(ref + i * dim, v + i * dim, dim);
        double norms =
            (double)vec_norm(ref + i * dim, dim) * (double)vec_norm(v + i * dim, dim);
        double cosine = norms > 0 ? dot / norms : 1;
        mean += cosine / (double)n;
        min = cosine < min ? cosine : min;
    }
    json_open(out, '{');
    json_key(out, "kernels");
    json_put_str(out, sv_from(k->name));
    json_key(out, "precision");
    json_put_str(out, sv_from(precision_name(k->precision)));
    json_key(out, "is_auto");
    json_put_bool(out, k == kernels_best(PRECISION_AUTO));
    json_key(out, "texts");
    json_put_int(out, (int64_t)n);
    json_key(out, "cosine_mean");
    json_put_num(out, mean < 1 ? mean : 1);
    json_key(out, "cosine_min");
    json_put_num(out, min);
    json_key(out, "cpu_seconds");
    json_put_num(out, seconds);
    json_close(out, '}');
    buf_char(out, '\n');
}

static int check_all(struct run *run, const char *dir, const struct texts *t)
{
    const struct kernels *k;
    struct encoder *e = encoder_new(dir, &run->err);
    if (!e)
        return -1;
    size_t dim = encoder_dim(e);
    float *ref = alloc_array(t->n, dim * sizeof *ref), *v = alloc_array(t->n, dim * sizeof *v);
    struct buf line = BUF_INIT;
    embed_all(e, t, ref);
    encoder_free(e);
    int rc = 0;
    for (size_t i = 0; rc == 0 && (k = kernels_at(i)); i++) {
        e = encoder_open_with(dir, k, &run->err);
        rc = e ? 0 : -1;
        if (!e)
            break;
        double seconds = embed_all(e, t, v);
        buf_reset(&line);
        report(&line, k, ref, v, t->n, dim, seconds);
        out_put(&run->out, buf_view(&line));
        encoder_free(e);
    }
    buf_release(&line);
    free(ref);
    free(v);
    return rc;
}

int cli_check(struct run *run)
{
    struct buf path = BUF_INIT;
    struct texts texts = { 0 };
    int rc = embedder_find(&path, cfg.model, run_cfg.data, &run->err);
    if (rc == 0) {
        read_texts(run, &texts);
        if (run->stop_code == EXIT_ALL_DONE && texts.n)
            rc = check_all(run, buf_cstr(&path), &texts);
    }
    texts_release(&texts);
    buf_release(&path);
    return rc < 0 ? run_fail(run) : run_end(run);
}
