// SPDX-License-Identifier: MIT
/*
 * gr-embed — give chunks and queries their vectors
 *
 *   in   chunk records {"id","text",...}, query records {"query","queries",...}, questions
 *   out  the same records with `embedding` or `embeddings`, and `embedding_model`; order kept
 *
 * memory: the model (about its file's size) and some records; exit codes: gr-intro(7);
 * method: embedder.h, distill.h
 */
#include <inttypes.h>

#include "cli.h"
#include "embedder.h"
#include "run.h"

static struct embedder_cfg cfg;
static long batch, kept_dim;
static double price;
static bool is_text;

static const struct opt options[] = {
    { "Records", 0, OPT_GROUP },
    { "field", 0, OPT_STRING, "NAME", NULL,
      "field that is embedded; without it embed_text, else text", &cfg.texts.field },
    { "text", 0, OPT_FLAG, NULL, NULL, "every line is a text, not a record", &is_text },
    { "queries", 0, OPT_FLAG, NULL, NULL, "every record is a query, even with the field",
      &cfg.texts.is_query },
    { "prefix", 0, OPT_STRING, "TEXT", NULL,
      "put before every text; without it what the model's folder says", &cfg.texts.prefix },
    { "format", 0, OPT_ENUM, "FORM", "base64", "form of the vectors", &cfg.texts.format,
      .choices = "base64|array" },
    { "truncate-dim", 0, OPT_LONG, "N", "0",
      "keep the first N numbers of a vector, scaled to length 1; 0: all", &kept_dim, 0,
      1 << 20 },
    { "Model", 0, OPT_GROUP },
    { "model", 'm', OPT_STRING, "NAME", "all-MiniLM-L6-v2",
      "model folder or table, or name of one among the installed data", &cfg.model },
    { "long", 0, OPT_ENUM, "HOW", "mean",
      "texts longer than the model reads: mean of windows, "
      "only the beginning, or reject",
      &cfg.long_mode, .choices = "mean|truncate|error" },
    { "precision", 0, OPT_ENUM, "KIND", "auto",
      "arithmetic of the model; auto: bf16 where the processor multiplies matrices in it "
      "(AMX), else f32",
      &cfg.precision, .choices = "auto|f32|bf16|int8" },
    { "cache", 0, OPT_STRING, "DIR", NULL, "keep vectors in this folder, and take them from it",
      &cfg.cache },
    { "Service", 0, OPT_GROUP },
    { "api", 0, OPT_STRING, "URL", NULL,
      "ask this OpenAI-compatible service; '' takes OPENAI_BASE_URL", &cfg.api.url },
    { "api-model", 0, OPT_STRING, "NAME", "text-embedding-ada-002", "model of the service",
      &cfg.api.model },
    { "api-key-file", 0, OPT_STRING, "FILE", NULL,
      "file that holds the key; without it OPENAI_API_KEY", &cfg.api.key_file },
    { "batch", 0, OPT_LONG, "N", "64", "records a request", &batch, 1, 2048 },
    { "batch-tokens", 0, OPT_LONG, "N", "100000",
      "tokens a request, taking one for 3 bytes; 0: no limit", &cfg.batch_tokens, 0, 1e9 },
    { "dimensions", 0, OPT_LONG, "N", "0", "ask for vectors of N numbers; 0: the model's own",
      &cfg.api.dimensions, 0, 1 << 20 },
    { "dry-run", 0, OPT_FLAG, NULL, NULL, "only say what would be asked for, as one record",
      &cfg.is_dry },
    { "price", 0, OPT_DOUBLE, "X", "0", "cost of a million tokens, for --dry-run", &price, 0,
      1e9 },
    { "tries", 0, OPT_LONG, "N", "6", "attempts before giving up", &cfg.api.tries, 1, 100 },
    { "timeout", 0, OPT_LONG, "SECONDS", "120", "limit of one request", &cfg.api.timeout_s, 1,
      86400 },
    RUN_OPTIONS,
};

static int embed_main(struct run *run);

static const struct tool_cmd cmds[] = {
    { { "embed", "add vectors to records", "[FILE]…", options }, embed_main, false },
    { { "distill", "make a table from a model and a corpus", "[FILE]…", cli_distill_options },
      cli_distill,
      true },
    { { "rerank", "order hits by a cross-encoder", "[FILE]…", cli_rerank_options },
      cli_rerank,
      false },
    { { "check", "compare every arithmetic this processor has with f32", "[FILE]…",
        cli_check_options },
      cli_check,
      false },
};

/* For --version: what each precision runs on here. */
static const char *kernel_names(void)
{
    static char text[128];
    size_t n = 0;
    for (int p = PRECISION_AUTO; p <= PRECISION_INT8; p++) {
        const struct kernels *k = kernels_best((enum precision)p);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s: %s", n ? ", " : "kernels ",
                              precision_name((enum precision)p), k ? k->name : "none");
    }
    return text;
}

static const struct tool tool = {
    .name = "gr-embed",
    .summary = "give chunks and queries their vectors",
    .cmds = cmds,
    .n_cmds = ARRAY_LEN(cmds),
    .default_cmd = "embed",
    .takes_text = true,
    .is_all_text = &is_text,
    .libs = kernel_names,
    .footer = "Example: gr-chunk papers.ndjson | gr-embed -o vectors.ndjson",
};

/* Records that are embedded together: short ones gain, and long ones are still shared out. */
#define RECORDS_TOGETHER 16

static void note_counts(const struct embedder *e)
{
    static const char *const how[] = { "mean of windows", "only the beginning was read",
                                       "rejected" };
    struct embedder_counts c = embedder_counts(e);
    if (c.kernels)
        diag_note("kernels: %s", c.kernels);
    if (c.max_tokens)
        diag_note("%" PRIu64 " texts, %" PRIu64 " of them longer than %zu tokens (%s)",
                  c.n_texts, c.n_long, c.max_tokens, how[cfg.long_mode]);
    if (c.n_cut)
        diag_warn("%" PRIu64 " texts are longer than %zu tokens: only their beginning was read",
                  c.n_cut, c.max_tokens);
    if (c.has_cache)
        diag_note("cache: %" PRIu64 " hits, %" PRIu64
                  " misses; %zu vectors in %zu files, %zu with a torn end",
                  c.cache.n_hits, c.cache.n_misses, c.cache.n_records, c.cache.n_files,
                  c.cache.n_torn);
}

/* What a dry run found, as a record. */
static void put_dry(struct run *run, const struct embedder_dry *d)
{
    struct buf b = BUF_INIT;
    json_open(&b, '{');
    json_key(&b, "requests");
    json_put_int(&b, (int64_t)d->n_requests);
    json_key(&b, "texts");
    json_put_int(&b, (int64_t)d->n_texts);
    json_key(&b, "cached");
    json_put_int(&b, (int64_t)d->n_cached);
    json_key(&b, "tokens");
    json_put_int(&b, (int64_t)d->n_tokens);
    json_key(&b, "tokens_by");
    json_put_str(&b, d->is_exact ? SV("cl100k_base") : SV("bytes/3"));
    if (price > 0) {
        json_key(&b, "cost");
        json_put_num(&b, (double)d->n_tokens * price / 1e6);
    }
    json_close(&b, '}');
    buf_char(&b, '\n');
    out_put(&run->out, buf_view(&b));
    buf_release(&b);
}

static int embed_main(struct run *run)
{
    if (cfg.is_dry && !cfg.api.url)
        return run_usage(run, "--dry-run: only --api costs something");
    if (is_text && (cfg.texts.field || cfg.texts.is_query))
        return run_usage(run, "--text: the lines have neither --field nor --queries");
    cfg.texts.dim = (size_t)kept_dim;
    cfg.has_api = cfg.api.url;
    cfg.api.seed = (uint64_t)run_cfg.seed;
    struct embedder *e = embedder_new(&cfg, run->jobs, run_cfg.data, &run->err);
    if (!e)
        return run_fail(run);
    if (cfg.has_api)
        run->out.flush_each = true; /* what was paid for is kept when the rest fails */
    run_each_batch(run, embedder_batch, e, cfg.has_api ? (size_t)batch : RECORDS_TOGETHER);
    note_counts(e);
    if (cfg.is_dry) {
        struct embedder_counts c = embedder_counts(e);
        put_dry(run, &c.dry);
    }
    embedder_free(e);
    return run_end(run);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    return run.cmd->main(&run);
}
