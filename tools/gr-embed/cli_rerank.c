// SPDX-License-Identifier: MIT
/*
 * cli_rerank.c — gr-embed rerank: hits in the order of a cross-encoder's scores
 */
#include "cli.h"

#include <inttypes.h>

#include "alloc.h"
#include "embedder.h"
#include "rerank.h"

static struct {
    const char *model, *field;
    long top;
    int precision;
} cfg;

const struct opt cli_rerank_options[] = {
    { "Reranking", 0, OPT_GROUP },
    { "model", 'm', OPT_STRING, "NAME", "ms-marco-MiniLM-L-12-v2",
      "folder of a cross-encoder, or name of one among the installed data", &cfg.model },
    { "field", 0, OPT_STRING, "NAME", "text", "text of a hit, or of a pair", &cfg.field },
    { "top", 'k', OPT_LONG, "N", "100", "hits that are read; the others stay behind them",
      &cfg.top, 0, RERANK_MAX_HITS },
    { "precision", 0, OPT_ENUM, "KIND", "auto",
      "arithmetic of the model; auto: bf16 where the processor multiplies matrices in it "
      "(AMX), else f32",
      &cfg.precision, .choices = "auto|f32|bf16|int8" },
    RUN_OPTIONS,
};

struct ctx {
    struct rerank_cfg cfg;
    struct reranker *model;
    struct reranker_scratch **scratch; /* (jobs) */
    struct rerank_counts *counts;      /* (jobs) */
};

static int rerank_line(void *arg, unsigned worker, const struct rec *r, struct buf *out,
                       struct err *err)
{
    struct ctx *c = arg;
    if (!c->scratch[worker])
        c->scratch[worker] = reranker_scratch_new(c->model);
    return rerank_record(c->model, c->scratch[worker], &c->cfg, r, &c->counts[worker], out,
                         err);
}

static struct reranker *open_model(struct run *run)
{
    struct buf path = BUF_INIT;
    struct reranker *model = NULL;
    if (embedder_find(&path, cfg.model, run_cfg.data, &run->err) == 0)
        model = reranker_new(buf_cstr(&path), (enum precision)cfg.precision, &run->err);
    buf_release(&path);
    return model;
}

int cli_rerank(struct run *run)
{
    struct ctx c = { .cfg = { cfg.field, (size_t)cfg.top }, .model = open_model(run) };
    struct rerank_counts sum = { 0 };
    if (!c.model)
        return run_fail(run);
    c.scratch = alloc_zero(run->jobs, sizeof *c.scratch);
    c.counts = alloc_zero(run->jobs, sizeof *c.counts);
    run_each_slow(run, rerank_line, &c);
    for (unsigned i = 0; i < run->jobs; i++) {
        sum.n_pairs += c.counts[i].n_pairs;
        sum.n_cut += c.counts[i].n_cut;
        reranker_scratch_free(c.scratch[i]);
    }
    diag_note("%" PRIu64 " pairs, %" PRIu64 " of them cut to what the model reads", sum.n_pairs,
              sum.n_cut);
    free(c.scratch);
    free(c.counts);
    reranker_free(c.model);
    return run_end(run);
}
