// SPDX-License-Identifier: MIT
/*
 * gr-fuse — one context out of what the vector and the graph search found
 *
 *   in   query records   {"query","vector_hits":[…],"graph_hits":[…],…}         order kept
 *   out  the same with   `context` (VectorRAG_Context, GraphRAG_Context), `sources`, trace
 *   memory: one batch of records; exit codes: gr-intro(7); method: see fuse.h
 */
#include "fuse.h"
#include "llm_task.h"
#include "run.h"

static struct fuse_cfg cfg;
static struct llm_cfg chat = { .max_tokens = 400 };

/* clang-format off: version 14 tears a table of structures apart */
static const struct opt options[] = {
    { "What goes in", 0, OPT_GROUP },
    { "budget", 0, OPT_LONG, "N", "6000", "tokens of the whole context", &cfg.budget, 1, 1e9 },
    { "graph-share", 0, OPT_DOUBLE, "X", "0.25", "part of the budget that facts may use first",
      &cfg.graph_share, 0, 1 },
    { "top-vector", 0, OPT_LONG, "N", "10", "at most so many passages", &cfg.top_vector, 0,
      1000 },
    { "top-graph", 0, OPT_LONG, "N", "30", "at most so many facts", &cfg.top_graph, 0, 1000 },
    { "baseline", 0, OPT_FLAG, NULL, NULL, "leave the graph out: GraphRAG_Context is {}",
      &cfg.is_baseline },
    { "Fusion", 0, OPT_GROUP },
    { "weight-vector", 0, OPT_DOUBLE, "X", "1", "of the passages' ranks, 0: no passages",
      &cfg.weight_vector, 0, 1e6 },
    { "weight-graph", 0, OPT_DOUBLE, "X", "1", "of the facts' ranks, 0: no facts",
      &cfg.weight_graph, 0, 1e6 },
    { "rrf-k", 0, OPT_LONG, "N", "60", "constant of reciprocal rank fusion", &cfg.rrf_k, 0,
      1e6 },
    { "explain", 0, OPT_FLAG, NULL, NULL, "add `fusion`: ranks, scores and fate of every hit",
      &cfg.wants_explain },
    { "Compression", 0, OPT_GROUP },
    { "compress", 0, OPT_ENUM, "WHEN", "auto",
      "cut sentences that do not matter; auto: when the strategy is expand_compress",
      &cfg.compress, .choices = "auto|always|never" },
    LLM_TASK_OPTIONS(chat, "ask URL/chat/completions which sentences matter"),
    LLM_PATIENCE_OPTIONS(chat),
    RUN_OPTIONS,
};
/* clang-format on */

static const struct tool tool = {
    .name = "gr-fuse",
    .summary = "fuse passages and facts into one context with numbered sources",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .footer = "Example: gr-vindex search -i lit.gri q.ndjson | gr-gquery -g kg.grg | gr-fuse",
};

static int fuse_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                     struct err *err)
{
    return fuse_record(ctx, worker, r, out, err);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    if (llm_task_check(&run, &chat))
        return EXIT_USAGE;
    if (chat.api && cfg.compress == FUSE_COMPRESS_NEVER)
        return run_usage(&run, "--api: there is nothing to ask with --compress=never");
    cfg.chat = chat.api ? &chat : NULL;
    struct fuse *f = fuse_new(&cfg, run.jobs, &run.err);
    if (!f)
        return run_fail(&run);
    (chat.api ? run_each_slow : run_each)(&run, fuse_line, f);
    fuse_free(f);
    return run_end(&run);
}
