// SPDX-License-Identifier: MIT
/*
 * cli.h — what the commands of gr-classify share: values of options, loading the model
 */
#ifndef CLI_H
#define CLI_H

#include "model.h"
#include "run.h"

/* Filled by the option tables of main.c, const afterwards. */
struct cli {
    const char *model; /* NULL: the installed one */
    double min_prob;
    struct model_cfg train;
    long folds, top;
    int format; /* 0 text, 1 JSON */
};
extern struct cli cli;

/* Read the model that --model names, or the installed one. */
int cli_load_model(struct run *run, struct model *m);

/* The commands `train` and `evaluate`; each returns the exit code. */
int cli_train(struct run *run);
int cli_evaluate(struct run *run);

#endif
