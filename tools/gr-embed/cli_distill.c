// SPDX-License-Identifier: MIT
/*
 * cli_distill.c — gr-embed distill: read a corpus, write a table
 */
#include "cli.h"

#include <unistd.h>

#include "distill.h"
#include "embedder.h"

static struct {
    const char *teacher, *corpus, *field;
    long dim;
    double lambda;
} cfg;

const struct opt cli_distill_options[] = {
    { "Distilling", 0, OPT_GROUP },
    { "teacher", 0, OPT_STRING, "NAME", "all-MiniLM-L6-v2",
      "model folder that is imitated, or name of one among the installed data", &cfg.teacher },
    { "corpus", 0, OPT_STRING, "FILE", NULL,
      "records to learn from, when no operand names them", &cfg.corpus },
    { "field", 0, OPT_STRING, "NAME", "text", "field that is read", &cfg.field },
    { "dim", 0, OPT_LONG, "N", "256", "numbers of a vector, a multiple of 32", &cfg.dim, 32,
      4096 },
    { "lambda", 0, OPT_DOUBLE, "X", "0",
      "strength of the tie to the teacher's own words, 0: chosen on every eighth text",
      &cfg.lambda, 0, 1e6 },
    RUN_OPTIONS,
};

static void read_corpus(struct run *run, struct distill *d)
{
    struct sv text;
    for (struct rec r; run_next(run, &r);)
        if (json_need_str(r.v, cfg.field, &text, &run->err) < 0) {
            run_reject(run, &r);
        } else {
            distill_add(d, text);
        }
}

static int fit(struct run *run, struct distill *d)
{
    struct table_parts parts;
    const struct distill_cfg how = { (size_t)cfg.dim, cfg.lambda > 0 ? cfg.lambda : -1,
                                     run->jobs };
    if (distill_fit(d, &how, &parts, &run->err) < 0)
        return -1;
    diag_note("%zu texts, %zu pieces of %zu numbers, lambda %g, mean cosine to the teacher "
              "%.4f on texts held out",
              distill_count(d), parts.n, parts.dim, parts.lambda, parts.cosine);
    table_write(&run->out, &parts);
    return 0;
}

int cli_distill(struct run *run)
{
    struct buf path = BUF_INIT;
    if (isatty(run->out.fd))
        return run_usage(run, "a table is no text for a terminal: -o FILE");
    if (cfg.dim % 32)
        return run_usage(run, "--dim: %ld is no multiple of 32", cfg.dim);
    if (cfg.corpus && run->n_operands)
        return run_usage(run, "--corpus and operands: give one of them");
    if (cfg.corpus) {
        run->operands = &cfg.corpus;
        run->n_operands = 1;
    }
    run_inputs(run, 0);
    struct encoder *teacher = NULL;
    if (embedder_find(&path, cfg.teacher, run_cfg.data, &run->err) == 0)
        teacher = encoder_new(buf_cstr(&path), &run->err);
    buf_release(&path);
    if (!teacher)
        return run_fail(run);
    struct distill *d = distill_new(teacher);
    read_corpus(run, d);
    int rc = run->stop_code == EXIT_ALL_DONE ? fit(run, d) : 0;
    distill_free(d);
    encoder_free(teacher);
    return rc < 0 ? run_fail(run) : run_end(run);
}
