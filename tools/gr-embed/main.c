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
    int long_mode;
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
    { "format", 0, OPT_ENUM, "FORM", "base64", "form of the vectors", &cfg.texts.format,
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

/* Records that are embedded together: short ones gain, and long ones are still shared out. */
#define RECORDS_TOGETHER 8

/* What one thread has for itself; made by that thread when first needed. */
struct worker {
    struct embedder *all;
    struct texts texts;
    struct encoder_scratch *scratch;
    struct api_conn *conn;
    struct embed_item *items; /* (cap) */
    float *vectors;           /* (cap, dim) */
    size_t cap;
    uint64_t n_texts, n_long;
};

struct embedder {
    struct encoder *encoder; /* one of the two */
    struct api *api;
    struct worker *workers; /* (n_workers) */
    unsigned n_workers;
};

/* ---- by the model ---- */

static void make_room(struct worker *w, size_t n, size_t dim)
{
    if (!w->scratch)
        w->scratch = encoder_scratch_new(w->all->encoder);
    if (n <= w->cap)
        return;
    w->cap = n;
    w->items = alloc_resize(w->items, n, sizeof *w->items);
    w->vectors = alloc_resize(w->vectors, n, dim * sizeof *w->vectors);
}

static int check_item(const struct encoder *e, const struct embed_item *it, struct err *err)
{
    if (it->is_refused)
        return err_set(err, EXIT_REJECTED, "%zu tokens: the model reads %zu at most",
                       it->info.n_tokens, encoder_max_tokens(e));
    for (size_t i = 0; i < encoder_dim(e); i++)
        if (!isfinite(it->out[i]))
            return err_set(err, EXIT_FATAL, "%s: the model's numbers overflow: is it damaged?",
                           encoder_model(e));
    return 0;
}

static int embed_by_model(void *ctx, const struct texts *t, size_t first, size_t n,
                          struct vectors *out, struct err *err)
{
    struct worker *w = ctx;
    const struct encoder *e = w->all->encoder;
    size_t dim = encoder_dim(e), n_long = 0;
    make_room(w, n, dim);
    for (size_t i = 0; i < n; i++) {
        w->items[i].text = texts_at(t, first + i);
        w->items[i].out = w->vectors + i * dim;
    }
    encoder_embed(e, w->scratch, w->items, n, (enum long_mode)cfg.long_mode);
    for (size_t i = 0; i < n; i++) {
        if (check_item(e, &w->items[i], err) < 0)
            return -1;
        n_long += w->items[i].info.is_long;
    }
    w->n_texts += n;
    w->n_long += n_long;
    *out = (struct vectors){ w->vectors, dim, encoder_model(e) };
    return 0;
}

/* ---- by a service ---- */

static int embed_by_api(void *ctx, const struct texts *t, size_t first, size_t n,
                        struct vectors *out, struct err *err)
{
    struct worker *w = ctx;
    if (!w->conn)
        w->conn = api_connect(w->all->api, err);
    return w->conn ? api_embed(w->conn, t, first, n, out, err) : -1;
}

static void embed_batch(void *ctx, unsigned worker, struct task *tasks, size_t n)
{
    struct embedder *e = ctx;
    struct worker *w = &e->workers[worker];
    w->all = e;
    const struct source source = { e->api ? embed_by_api : embed_by_model, w };
    batch_embed(&source, &cfg.texts, &w->texts, tasks, n);
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
        free(w->items);
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
    if (e.api)
        run.out.flush_each = true; /* what was paid for is kept when the rest fails */
    run_each_batch(&run, embed_batch, &e, e.api ? (size_t)cfg.batch : RECORDS_TOGETHER);
    embedder_release(&e);
    return run_end(&run);
}
