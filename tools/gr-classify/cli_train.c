// SPDX-License-Identifier: MIT
/*
 * cli_train.c — the commands that read labelled queries: train, evaluate
 */
#include "cli.h"

#include "score.h"

int cli_load_model(struct run *run, struct model *m)
{
    struct buf path = BUF_INIT;
    int rc = 0;
    if (cli.model)
        buf_str(&path, cli.model);
    else
        rc = file_find_data(&path, run_cfg.data, "classify/model.txt", &run->err);
    if (rc == 0)
        rc = model_read(m, buf_cstr(&path), &run->err);
    buf_release(&path);
    return rc;
}

static void complete_cfg(void)
{
    cli.train.logreg.is_balanced = true;
    cli.train.logreg.tolerance = 1e-7;
}

int cli_train(struct run *run)
{
    struct examples e;
    struct model m;
    struct buf text = BUF_INIT;
    if (run->n_operands != 1)
        return run_usage(run, "train takes one CSV file");
    complete_cfg();
    if (examples_read(&e, run->operands[0], &run->err) < 0)
        return run_fail(run);
    long iterations = model_train(&m, &cli.train, &e, NULL, &run->err);
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

int cli_evaluate(struct run *run)
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
    if (cli.folds) {
        rc = score_folds(&score, &cli.train, &e, (size_t)cli.folds, (uint64_t)run_cfg.seed,
                         &run->err);
    } else {
        struct model m;
        rc = cli_load_model(run, &m);
        if (rc == 0) {
            rc = score_model(&score, &m, &e, &run->err);
            model_release(&m);
        }
    }
    examples_release(&e);
    if (rc < 0)
        return run_fail(run);
    if (cli.format)
        score_write_json(&score, &text);
    else
        score_write_text(&score, &text);
    run_write(run, buf_view(&text));
    buf_release(&text);
    return run_end(run);
}
