// SPDX-License-Identifier: MIT
/*
 * score.h — how good a classifier is: confusion, accuracy, precision, recall, F1
 */
#ifndef SCORE_H
#define SCORE_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "model.h"

struct score {
    uint64_t confusion[MODEL_CLASSES][MODEL_CLASSES]; /* [true class][predicted class] */
    uint64_t n;
};

/* Predictions of m on all examples. */
int score_model(struct score *s, const struct model *m, const struct examples *e,
                struct err *err);

/* Stratified k-fold cross-validation: folds are dealt round robin in each class after a seeded
 * shuffle; a model is trained on the other folds for each. EXIT_USAGE when folds > examples. */
int score_folds(struct score *s, const struct model_cfg *cfg, const struct examples *e,
                size_t folds, uint64_t seed, struct err *err);

/* One JSON object: n, accuracy, macro_f1, classes [{class,n,precision,recall,f1}], confusion.
 */
void score_write_json(const struct score *s, struct buf *out);

/* The same as a table for people. */
void score_write_text(const struct score *s, struct buf *out);

#endif
