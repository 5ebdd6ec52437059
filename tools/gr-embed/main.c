// SPDX-License-Identifier: MIT
/*
 * gr-embed — give chunks and queries their vectors
 *
 *   in   chunk records {"id","text",...}, query records {"query","queries",...}, plain
 * questions out  the same records with `embedding` or `embeddings`, and `embedding_model`;
 * order kept memory: the model (about its file's size) and some records; exit codes:
 * gr-intro(7); method: encoder.h (the model), api.h (a service)
 */
#include <math.h>
#include <unistd.h>

#include "alloc.h"
#include "api.h"
#include "batch.h"
#include "encoder.h"
#include "run.h"
#include "texts.h"

static struct {
    struct texts_cfg texts;
    int format, long_mode;
    const char *model;
    struct api_cfg api;
    long batch;
} cfg;

static const struct opt options[] = {
    { "Records", 0, OPT_GROUP },
    { "field", 0, OPT_STRING, "NAME", "text", "field that is embedded", &cfg.texts.field },
    { "queries", 0, OPT_FLAG, NULL, NULL, "every record is a query, even with the field",
      &cfg.texts.is_query },
    { "prefix", 0, OPT_STRING, "TEXT", NULL, "put before every text, as some models want",
      &cfg.texts.prefix },
    { "format", 0, OPT_ENUM, "FORM", "base64", "form of the vectors", &cfg.format,
      .choices = "base64|array" },
    { "Model", 0, OPT_GROUP },
    { "model", 'm', OPT_STRING, "NAME", "all-MiniLM-L6-v2",
      "model folder, or name of one among the installed data", &cfg.model },
    { "long", 0, OPT_ENUM, "HOW", "mean",
      "texts longer than the model reads: mean of windows, "
      "only the beginning, or reject",
      &cfg.long_mode, .choices = "mean|truncate|error" },
    { "Service", 0, OPT_GROUP },
    { "api", 0, OPT_STRING, "URL", NULL,
      "ask this OpenAI-compatible service; '' takes OPENAI_BASE_URL", &cfg.api.url },
    { "api-model", 0, OPT_STRING, "NAME", "text-embedding-ada-002", "model of the service",
      &cfg.api.model },
    { "api-key-file", 0, OPT_STRING, "FILE", NULL,
      "file that holds the key; without it OPENAI_API_KEY", &cfg.api.key_file },
    { "batch", 0, OPT_LONG, "N", "64", "records a request", &cfg.batch, 1, 2048 },
    { "tries", 0, OPT_LONG, "N", "6", "attempts before giving up", &cfg.api.tries, 1, 100 },
    { "timeout", 0, OPT_LONG, "SECONDS", "120", "limit of one request", &cfg.api.timeout_s, 1,
      86400 },
    RUN_OPTIONS,
};

static const struct tool tool = {
    .name = "gr-embed",
    .summary = "give chunks and queries their vectors",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .takes_text = true,
    .footer = "Example: gr-chunk papers.ndjson | gr-embed -o vectors.ndjson",
};

/* What one thread has for itself; made by that thread when first needed. */
struct worker {
    struct texts texts;
    struct encoder_scratch *scratch;
    struct api_conn *conn;
    float *vectors;
    size_t cap; /* of vectors, in floats */
    uint64_t n_texts, n_long;
};

struct embedder {
    struct encoder *encoder; /* one of the two */
    struct api *api;
    struct worker *workers; /* (n_workers) */
    unsigned n_workers;
};

/* ---- by the model ---- */

static int embed_text(const struct embedder *e, struct worker *w, size_t i, struct err *err)
{
    size_t dim = encoder_dim(e->encoder);
    struct embed_info info;
    float *v = w->vectors + i * dim;
    if (encoder_embed(e->encoder, w->scratch, texts_at(&w->texts, i),
                      (enum long_mode)cfg.long_mode, v, &info, err) < 0)
        return -1;
    w->n_texts++;
    w->n_long += info.is_long;
    for (size_t j = 0; j < dim; j++)
        if (!isfinite(v[j]))
            return err_set(err, EXIT_FATAL, "%s: the model's numbers overflow: is it damaged?",
                           encoder_model(e->encoder));
    return 0;
}

static int embed_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                      struct err *err)
{
    struct embedder *e = ctx;
    struct worker *w = &e->workers[worker];
    size_t n, dim = encoder_dim(e->encoder);
    if (!w->scratch)
        w->scratch = encoder_scratch_new(e->encoder);
    texts_reset(&w->texts);
    if (texts_add(&w->texts, &cfg.texts, r, &n, err) < 0)
        return -1;
    if (n * dim > w->cap) {
        w->cap = n * dim;
        w->vectors = alloc_resize(w->vectors, w->cap, sizeof *w->vectors);
    }
    for (size_t i = 0; i < n; i++)
        if (embed_text(e, w, i, err) < 0)
            return -1;
    texts_write(out, &cfg.texts, r, (enum vector_format)cfg.format, encoder_model(e->encoder),
                w->vectors, n, dim);
    return 0;
}

/* ---- by a service ---- */

static void embed_batch(void *ctx, unsigned worker, struct task *tasks, size_t n)
{
    struct embedder *e = ctx;
    struct worker *w = &e->workers[worker];
    const struct batch_cfg how = { &cfg.texts, (enum vector_format)cfg.format, cfg.api.model };
    struct err err;
    if (!w->conn)
        w->conn = api_connect(e->api, &err);
    if (w->conn)
        batch_embed(&how, w->conn, &w->texts, tasks, n);
    else
        batch_fail(tasks, n, &err);
}

/* ---- start and end ---- */

/* A folder by its path, or a model's name among the installed data. */
static int find_model(struct buf *path, struct err *err)
{
    if (strchr(cfg.model, '/') || access(cfg.model, F_OK) == 0) {
        buf_str(path, cfg.model);
        return 0;
    }
    struct buf name = BUF_INIT;
    buf_printf(&name, "model/%s", cfg.model);
    int rc = file_find_data(path, run_cfg.data, buf_cstr(&name), err);
    buf_release(&name);
    return rc < 0 ? err_prefix(err, "no model (make model fetches the default; --model takes a "
                                    "folder)")
                  : 0;
}

static int embedder_init(struct embedder *e, const struct run *run, struct err *err)
{
    *e = (struct embedder){ .n_workers = run->jobs };
    e->workers = alloc_zero(run->jobs, sizeof *e->workers);
    if (cfg.api.url) {
        cfg.api.seed = (uint64_t)run_cfg.seed;
        e->api = api_new(&cfg.api, err);
        return e->api ? 0 : -1;
    }
    struct buf path = BUF_INIT;
    if (find_model(&path, err) == 0)
        e->encoder = encoder_new(buf_cstr(&path), err);
    buf_release(&path);
    return e->encoder ? 0 : -1;
}

static void embedder_release(struct embedder *e)
{
    static const char *const how[] = { "mean of windows", "only the beginning was read",
                                       "rejected" };
    uint64_t n_texts = 0, n_long = 0;
    for (unsigned i = 0; i < e->n_workers; i++) {
        struct worker *w = &e->workers[i];
        n_texts += w->n_texts;
        n_long += w->n_long;
        texts_release(&w->texts);
        encoder_scratch_free(w->scratch);
        api_disconnect(w->conn);
        free(w->vectors);
    }
    if (e->encoder)
        diag_note("%llu texts, %llu of them longer than %zu tokens (%s)",
                  (unsigned long long)n_texts, (unsigned long long)n_long,
                  encoder_max_tokens(e->encoder), how[cfg.long_mode]);
    free(e->workers);
    encoder_free(e->encoder);
    api_free(e->api);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct embedder e;
    if (embedder_init(&e, &run, &run.err) < 0) {
        embedder_release(&e);
        return run.err.code == EXIT_USAGE ? run_usage(&run, "%s", run.err.msg) : run_fail(&run);
    }
    if (e.api) {
        run.out.flush_each = true; /* what was paid for is kept when the rest fails */
        run_each_batch(&run, embed_batch, &e, (size_t)cfg.batch);
    } else {
        run_each_slow(&run, embed_line, &e);
    }
    embedder_release(&e);
    return run_end(&run);
}
