// SPDX-License-Identifier: MIT
/*
 * cmd_score.c — the filter: records in, records with scores out
 */
#include "cmds.h"

#include <unistd.h>

#include "alloc.h"
#include "score.h"

static struct {
    const char *metrics, *model, *vocab;
    int contexts, relevance, ranking, ties;
    double support;
    bool is_strict, keeps_others, wants_list;
} cfg;

/* clang-format off */
const struct opt score_options[] = {
    { "Metrics", 0, OPT_GROUP },
    { "metrics", 0, OPT_STRING, "NAMES", "default", "metrics, with commas between; all; default",
      &cfg.metrics },
    { "list", 0, OPT_FLAG, NULL, NULL, "list the metrics and stop", &cfg.wants_list },
    { "support", 0, OPT_DOUBLE, "SHARE", "0.6",
      "of a statement's terms that a text must hold to support it", &cfg.support, 0, 1 },
    { "model", 'm', OPT_STRING, "NAME", "all-MiniLM-L6-v2",
      "for semantic_similarity: model folder, or name of one among the installed data",
      &cfg.model },
    { "vocab", 0, OPT_STRING, "DIR", NULL,
      "vocabularies (when not given: vocab of the installed data)", &cfg.vocab },
    { "What is scored", 0, OPT_GROUP },
    { "contexts", 0, OPT_ENUM, "WHICH", "all", "part of a query record's context that counts",
      &cfg.contexts, .choices = "all|vector|graph" },
    { "ranking", 0, OPT_ENUM, "WHICH", "hits", "list that rank metrics look at", &cfg.ranking,
      .choices = "hits|sources" },
    { "relevance", 0, OPT_ENUM, "HOW", "auto", "what hits are compared by", &cfg.relevance,
      .choices = "auto|ids|papers|contexts" },
    { "ties", 0, OPT_ENUM, "HOW", "trec",
      "sort hits as trec_eval does (score, then id, downwards), or leave them in order",
      &cfg.ties, .choices = "trec|order" },
    { "Output", 0, OPT_GROUP },
    { "strict", 0, OPT_FLAG, NULL, NULL, "reject records in which a metric has no value",
      &cfg.is_strict },
    { "keep", 0, OPT_FLAG, NULL, NULL, "keep earlier scores of other metrics",
      &cfg.keeps_others },
    RUN_OPTIONS,
};
/* clang-format on */

struct setup {
    struct metric_list metrics;
    struct splitter *splitter;
    struct analyzer *analyzer;
    struct vocab *vocab;
    struct encoder *encoder;
    struct scorer **workers; /* (jobs) */
    struct score_cfg score;
};

/* The model and the vocabulary may be absent: their metrics are null then, with the reason. */
static int load_model(struct setup *s, struct err *err)
{
    struct buf path = BUF_INIT, name = BUF_INIT;
    bool is_path = strchr(cfg.model, '/') || access(cfg.model, F_OK) == 0;
    int rc = 0;
    buf_printf(&name, "model/%s", cfg.model);
    if (is_path)
        buf_str(&path, cfg.model);
    else if (file_find_data(&path, run_cfg.data, buf_cstr(&name), err) < 0)
        buf_reset(&path);
    if (path.len) {
        s->encoder = encoder_new(buf_cstr(&path), err);
        rc = s->encoder ? 0 : -1;
    } else {
        diag_note("semantic_similarity: no model (make model fetches the default)");
    }
    buf_release(&path);
    buf_release(&name);
    return rc;
}

static int load_vocab(struct setup *s, struct err *err)
{
    struct buf path = BUF_INIT;
    int rc = 0;
    if (cfg.vocab) {
        buf_str(&path, cfg.vocab);
    } else if (file_find_data(&path, run_cfg.data, "vocab", err) < 0) {
        diag_note("lexical_context_entity_recall: no vocabulary");
        buf_reset(&path);
    }
    if (path.len) {
        s->vocab = vocab_load(buf_cstr(&path), err);
        rc = s->vocab ? 0 : -1;
    }
    buf_release(&path);
    return rc;
}

static int set_up(struct setup *s, struct run *run)
{
    if (metric_list_parse(&s->metrics, cfg.metrics, &run->err) < 0)
        return -1;
    if (metric_list_needs_model(&s->metrics) && load_model(s, &run->err) < 0)
        return -1;
    if (metric_list_needs_vocab(&s->metrics) && load_vocab(s, &run->err) < 0)
        return -1;
    s->splitter = splitter_new(NULL, &run->err);
    s->analyzer = s->splitter ? analyzer_new(NULL, NULL, &run->err) : NULL;
    if (!s->analyzer)
        return -1;
    const struct scorer_cfg scorer = { { s->splitter, s->analyzer, cfg.support },
                                       s->vocab,
                                       s->encoder };
    s->workers = alloc_zero(run->jobs, sizeof(struct scorer *));
    for (unsigned i = 0; i < run->jobs; i++)
        s->workers[i] = scorer_new(&scorer);
    s->score = (struct score_cfg){
        .sample = { cfg.contexts, cfg.relevance, cfg.ranking, cfg.ties == 1 },
        .metrics = &s->metrics,
        .model = s->encoder ? encoder_model(s->encoder) : NULL,
        .support = cfg.support,
        .keeps_others = cfg.keeps_others,
        .is_strict = cfg.is_strict,
        .has_timings = run_cfg.has_timings,
    };
    return 0;
}

static void tear_down(struct setup *s, unsigned jobs)
{
    for (unsigned i = 0; s->workers && i < jobs; i++)
        scorer_free(s->workers[i]);
    free(s->workers);
    analyzer_free(s->analyzer);
    splitter_free(s->splitter);
    vocab_free(s->vocab);
    encoder_free(s->encoder);
    metric_list_release(&s->metrics);
}

static int score_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                      struct err *err)
{
    struct setup *s = ctx;
    return score_record(s->workers[worker], &s->score, r, out, err);
}

static int list_metrics(struct run *run)
{
    struct buf line = BUF_INIT;
    const char *summary, *name;
    for (size_t i = 0; (name = metric_known(i, &summary)); i++)
        buf_printf(&line, "%-30s %s\n", name, summary);
    run_write(run, buf_view(&line));
    buf_release(&line);
    return run_end(run);
}

int cmd_score(struct run *run)
{
    struct setup s = { 0 };
    if (cfg.wants_list)
        return list_metrics(run);
    int rc = set_up(&s, run);
    if (rc == 0 && s.encoder)
        run_each_slow(run, score_line, &s);
    else if (rc == 0)
        run_each(run, score_line, &s);
    tear_down(&s, run->jobs);
    if (rc == 0)
        return run_end(run);
    return run_fail(run);
}
