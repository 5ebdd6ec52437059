// SPDX-License-Identifier: MIT
/*
 * gr-classify — put questions in one of four classes and choose how to retrieve for each
 *
 *   in   query records, or plain lines of text     order kept
 *   out  the same with class, class_scores, strategy, depth added; other fields pass through
 *   memory: the model (about 1 MB) and one batch; exit codes: gr-intro(7); method: see tfidf.h,
 *   logreg.h
 */
#include "alloc.h"
#include "model.h"
#include "run.h"
#include "schema.h"
#include "score.h"
#include "verdict.h"

static struct {
    const char *model;
    double min_prob;
    struct model_cfg train;
    long folds, top;
    int format;
} cfg;

#define MODEL_OPTION                                                                           \
    {                                                                                          \
        "model", 'm', OPT_STRING, "FILE", NULL,                                                \
            "model file (when not given: classify/model.txt of the installed data)",           \
            &cfg.model                                                                         \
    }
#define TRAIN_OPTIONS                                                                          \
    { "Training", 0, OPT_GROUP },                                                              \
        { "words",                                                                             \
          0,                                                                                   \
          OPT_ENUM,                                                                            \
          "KIND",                                                                              \
          "geochem",                                                                           \
          "words: isotopes and formulas whole, or scikit-learn's pattern",                     \
          &cfg.train.tfidf.words,                                                              \
          .choices = TFIDF_WORDS },                                                            \
        { "ngram", 0, OPT_LONG, "N", "3", "n-grams of 1 to N words", &cfg.train.tfidf.ngram,   \
          1,       8 },                                                                        \
        { "max-features",                                                                      \
          0,                                                                                   \
          OPT_LONG,                                                                            \
          "N",                                                                                 \
          "7000",                                                                              \
          "keep the N most frequent n-grams",                                                  \
          &cfg.train.tfidf.max_features,                                                       \
          1,                                                                                   \
          1e7 },                                                                               \
        { "c",                                                                                 \
          'C',                                                                                 \
          OPT_DOUBLE,                                                                          \
          "X",                                                                                 \
          "50",                                                                                \
          "inverse strength of regularisation",                                                \
          &cfg.train.logreg.c,                                                                 \
          1e-6,                                                                                \
          1e6 },                                                                               \
    {                                                                                          \
        "max-iterations", 0, OPT_LONG, "N", "1000", "of L-BFGS",                               \
            &cfg.train.logreg.max_iterations, 1, 1e6                                           \
    }

static const struct opt predict_options[] = {
    { "Classifying", 0, OPT_GROUP },
    MODEL_OPTION,
    { "min-prob", 0, OPT_DOUBLE, "P", "0",
      "below this probability the class is \"unknown\" and retrieval is hybrid", &cfg.min_prob,
      0, 1 },
    RUN_OPTIONS,
};
static const struct opt train_options[] = { TRAIN_OPTIONS, RUN_OPTIONS };
static const struct opt evaluate_options[] = {
    { "Evaluating", 0, OPT_GROUP },
    MODEL_OPTION,
    { "folds", 0, OPT_LONG, "K", "0", "cross-validate in K folds instead of using a model",
      &cfg.folds, 0, 1e6 },
    { "format", 0, OPT_ENUM, "FORM", "text", "a table for people, or a record", &cfg.format,
      .choices = "text|json" },
    TRAIN_OPTIONS,
    RUN_OPTIONS,
};
static const struct opt explain_options[] = {
    { "Explaining", 0, OPT_GROUP },
    MODEL_OPTION,
    { "top", 0, OPT_LONG, "N", "8", "n-grams that speak for the class", &cfg.top, 1, 1000 },
    RUN_OPTIONS,
};

static int predict_main(struct run *run);
static int train_main(struct run *run);
static int evaluate_main(struct run *run);
static int explain_main(struct run *run);

static const struct tool_cmd cmds[] = {
    { { "predict", "add class, strategy and depth to queries", "[FILE]…", predict_options },
      predict_main,
      false },
    { { "train", "train a model from labelled queries", "FILE.csv", train_options },
      train_main,
      true },
    { { "evaluate", "score a model, or cross-validate, on labelled queries", "FILE.csv",
        evaluate_options },
      evaluate_main,
      true },
    { { "explain", "add the n-grams that decided the class", "[FILE]…", explain_options },
      explain_main,
      false },
};

static const struct tool tool = {
    .name = "gr-classify",
    .summary = "put questions in one of four classes, with a retrieval strategy for each",
    .cmds = cmds,
    .n_cmds = ARRAY_LEN(cmds),
    .default_cmd = "predict",
    .takes_text = true,
    .footer = "Example: echo 'What is MORB?' | gr-classify",
};

struct setup {
    struct model model;
    struct predictor *workers; /* (jobs) */
};

static int load_model(struct run *run, struct model *m)
{
    struct buf path = BUF_INIT;
    int rc = 0;
    if (cfg.model)
        buf_str(&path, cfg.model);
    else
        rc = file_find_data(&path, run_cfg.data, "classify/model.txt", &run->err);
    if (rc == 0)
        rc = model_read(m, buf_cstr(&path), &run->err);
    buf_release(&path);
    return rc;
}

static int set_up(struct run *run, struct setup *s)
{
    if (load_model(run, &s->model) < 0)
        return -1;
    s->workers = alloc_zero(run->jobs, sizeof *s->workers);
    for (unsigned i = 0; i < run->jobs; i++)
        if (predictor_init(&s->workers[i], &s->model, &run->err) < 0)
            return -1;
    return 0;
}

static void tear_down(struct run *run, struct setup *s)
{
    for (unsigned i = 0; i < run->jobs; i++)
        predictor_release(&s->workers[i]);
    free(s->workers);
    model_release(&s->model);
}

/* ---- predict ---- */

static int query_of(const struct rec *r, struct sv *query, struct err *err)
{
    if (json_need_str(r->v, F_QUERY, query, err) < 0)
        return -1;
    if (!sv_trim(*query).n)
        return err_set(err, EXIT_REJECTED, "field \"query\": empty");
    return 0;
}

static int predict_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                        struct err *err)
{
    static const char *const drop[] = { F_CLASS, "class_scores", F_STRATEGY, F_DEPTH, F_TRACE };
    struct setup *s = ctx;
    struct sv query;
    if (query_of(r, &query, err) < 0)
        return -1;
    struct verdict v = verdict_of(&s->model, &s->workers[worker], query, cfg.min_prob);
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    struct buf entry = BUF_INIT;
    verdict_write(&v, out);
    verdict_write_trace(&v, &s->workers[worker], &entry);
    rec_append(out, r, F_TRACE, buf_view(&entry));
    buf_release(&entry);
    rec_end(out);
    return 0;
}

static int filter_main(struct run *run, run_line_fn fn)
{
    struct setup s = { 0 };
    if (set_up(run, &s) < 0)
        return run_fail(run);
    run_each(run, fn, &s);
    tear_down(run, &s);
    return run_end(run);
}

static int predict_main(struct run *run)
{
    return filter_main(run, predict_line);
}

/* ---- explain ---- */

static int explain_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                        struct err *err)
{
    static const char *const drop[] = { F_CLASS, "class_scores", F_STRATEGY, F_DEPTH,
                                        "reasons" };
    struct setup *s = ctx;
    struct sv query;
    if (query_of(r, &query, err) < 0)
        return -1;
    struct verdict v = verdict_of(&s->model, &s->workers[worker], query, cfg.min_prob);
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    verdict_write(&v, out);
    verdict_write_reasons(&v, &s->model, &s->workers[worker], (size_t)cfg.top, out);
    rec_end(out);
    return 0;
}

static int explain_main(struct run *run)
{
    return filter_main(run, explain_line);
}

/* ---- train, evaluate ---- */

static void complete_cfg(void)
{
    cfg.train.logreg.is_balanced = true;
    cfg.train.logreg.tolerance = 1e-7;
}

static int train_main(struct run *run)
{
    struct examples e;
    struct model m;
    struct buf text = BUF_INIT;
    if (run->n_operands != 1)
        return run_usage(run, "train takes one CSV file");
    complete_cfg();
    if (examples_read(&e, run->operands[0], &run->err) < 0)
        return run_fail(run);
    long iterations = model_train(&m, &cfg.train, &e, NULL, &run->err);
    if (iterations < 0)
        return run_fail(run);
    diag_note("%zu queries, %zu n-grams, %ld iterations", e.n, map_count(m.tfidf.terms),
              iterations);
    model_write(&m, &text);
    run_write(run, buf_view(&text));
    buf_release(&text);
    model_release(&m);
    examples_release(&e);
    return run_end(run);
}

static int evaluate_main(struct run *run)
{
    struct examples e;
    struct score score;
    struct buf text = BUF_INIT;
    if (run->n_operands != 1)
        return run_usage(run, "evaluate takes one CSV file");
    complete_cfg();
    if (examples_read(&e, run->operands[0], &run->err) < 0)
        return run_fail(run);
    int rc;
    if (cfg.folds) {
        rc = score_folds(&score, &cfg.train, &e, (size_t)cfg.folds, (uint64_t)run_cfg.seed,
                         &run->err);
    } else {
        struct model m;
        rc = load_model(run, &m);
        if (rc == 0) {
            rc = score_model(&score, &m, &e, &run->err);
            model_release(&m);
        }
    }
    examples_release(&e);
    if (rc < 0)
        return run_fail(run);
    if (cfg.format)
        score_write_json(&score, &text);
    else
        score_write_text(&score, &text);
    run_write(run, buf_view(&text));
    buf_release(&text);
    return run_end(run);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    return run.cmd->main(&run);
}
