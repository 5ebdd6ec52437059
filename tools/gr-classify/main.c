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
#include "ask_class.h"
#include "cli.h"
#include "model.h"
#include "run.h"
#include "schema.h"
#include "verdict.h"

struct cli cli;
static struct llm_cfg chat = { .max_tokens = 100 };

#define MODEL_OPTION                                                                           \
    {                                                                                          \
        "model", 'm', OPT_STRING, "FILE", NULL,                                                \
            "model file (when not given: classify/model.txt of the installed data)",           \
            &cli.model                                                                         \
    }
#define TRAIN_OPTIONS                                                                          \
    { "Training", 0, OPT_GROUP },                                                              \
        { "words",                                                                             \
          0,                                                                                   \
          OPT_ENUM,                                                                            \
          "KIND",                                                                              \
          "geochem",                                                                           \
          "words: isotopes and formulas whole, or scikit-learn's pattern",                     \
          &cli.train.tfidf.words,                                                              \
          .choices = TFIDF_WORDS },                                                            \
        { "ngram", 0, OPT_LONG, "N", "3", "n-grams of 1 to N words", &cli.train.tfidf.ngram,   \
          1,       8 },                                                                        \
        { "max-features",                                                                      \
          0,                                                                                   \
          OPT_LONG,                                                                            \
          "N",                                                                                 \
          "7000",                                                                              \
          "keep the N most frequent n-grams",                                                  \
          &cli.train.tfidf.max_features,                                                       \
          1,                                                                                   \
          1e7 },                                                                               \
        { "c",                                                                                 \
          'C',                                                                                 \
          OPT_DOUBLE,                                                                          \
          "X",                                                                                 \
          "50",                                                                                \
          "inverse strength of regularisation",                                                \
          &cli.train.logreg.c,                                                                 \
          1e-6,                                                                                \
          1e6 },                                                                               \
    {                                                                                          \
        "max-iterations", 0, OPT_LONG, "N", "1000", "of L-BFGS",                               \
            &cli.train.logreg.max_iterations, 1, 1e6                                           \
    }

static const struct opt predict_options[] = {
    { "Classifying", 0, OPT_GROUP },
    MODEL_OPTION,
    { "min-prob", 0, OPT_DOUBLE, "P", "0",
      "below this probability the class is \"unknown\" and retrieval is hybrid", &cli.min_prob,
      0, 1 },
    LLM_TASK_OPTIONS(chat, "let the model behind URL/chat/completions choose the class"),
    LLM_PATIENCE_OPTIONS(chat),
    RUN_OPTIONS,
};
static const struct opt train_options[] = { TRAIN_OPTIONS, RUN_OPTIONS };
static const struct opt evaluate_options[] = {
    { "Evaluating", 0, OPT_GROUP },
    MODEL_OPTION,
    { "folds", 0, OPT_LONG, "K", "0", "cross-validate in K folds instead of using a model",
      &cli.folds, 0, 1e6 },
    { "format", 0, OPT_ENUM, "FORM", "text", "a table for people, or a record", &cli.format,
      .choices = "text|json" },
    TRAIN_OPTIONS,
    RUN_OPTIONS,
};
static const struct opt explain_options[] = {
    { "Explaining", 0, OPT_GROUP },
    MODEL_OPTION,
    { "top", 'k', OPT_LONG, "N", "8", "n-grams that speak for the class", &cli.top, 1, 1000 },
    RUN_OPTIONS,
};

static int predict_main(struct run *run);
static int explain_main(struct run *run);

static const struct tool_cmd cmds[] = {
    { { "predict", "add class, strategy and depth to queries", "[FILE]…", predict_options },
      predict_main,
      false },
    { { "train", "train a model from labelled queries", "FILE.csv", train_options },
      cli_train,
      true },
    { { "evaluate", "score a model, or cross-validate, on labelled queries", "FILE.csv",
        evaluate_options },
      cli_evaluate,
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
    struct llm_task *judge;    /* NULL: no chat model is asked */
};

static int set_up(struct run *run, struct setup *s)
{
    if (cli_load_model(run, &s->model) < 0)
        return -1;
    s->workers = alloc_zero(run->jobs, sizeof *s->workers);
    for (unsigned i = 0; i < run->jobs; i++)
        if (predictor_init(&s->workers[i], &s->model, &run->err) < 0)
            return -1;
    if (chat.api)
        s->judge = llm_task_new(&ask_class_form, &chat, run->jobs, &run->err);
    return chat.api && !s->judge ? -1 : 0;
}

/* Also for a set-up that broke off: what is not there yet is NULL. */
static void tear_down(struct run *run, struct setup *s)
{
    for (unsigned i = 0; s->workers && i < run->jobs; i++)
        predictor_release(&s->workers[i]);
    free(s->workers);
    llm_task_free(s->judge);
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

/* Without a usable reply the class is that of the trained model. */
static void judge(struct setup *s, unsigned worker, const struct rec *r, struct sv query,
                  struct verdict *v)
{
    struct err why;
    size_t chosen;
    if (llm_task_run(s->judge, worker, query, ask_class_read, &chosen, &why) < 0)
        llm_task_warn(s->judge, r, "classified without the chat model", &why);
    else
        verdict_choose(v, chosen);
}

static int predict_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                        struct err *err)
{
    static const char *const drop[] = { F_CLASS, "class_scores", F_STRATEGY, F_DEPTH, F_TRACE };
    struct setup *s = ctx;
    struct sv query;
    if (query_of(r, &query, err) < 0)
        return -1;
    struct verdict v = verdict_of(&s->model, &s->workers[worker], query, cli.min_prob);
    if (s->judge)
        judge(s, worker, r, query, &v);
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    struct buf entry = BUF_INIT;
    verdict_write(&v, out);
    verdict_write_trace(&v, &s->workers[worker], &entry);
    rec_trace(out, r, buf_view(&entry));
    buf_release(&entry);
    rec_end(out);
    return 0;
}

static int filter_main(struct run *run, run_line_fn fn)
{
    struct setup s = { 0 };
    if (llm_task_check(run, &chat))
        return EXIT_USAGE;
    if (set_up(run, &s) < 0) {
        tear_down(run, &s);
        return run_fail(run);
    }
    (s.judge ? run_each_slow : run_each)(run, fn, &s);
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
    struct verdict v = verdict_of(&s->model, &s->workers[worker], query, cli.min_prob);
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    verdict_write(&v, out);
    verdict_write_reasons(&v, &s->model, &s->workers[worker], (size_t)cli.top, out);
    rec_end(out);
    return 0;
}

static int explain_main(struct run *run)
{
    return filter_main(run, explain_line);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    return run.cmd->main(&run);
}
