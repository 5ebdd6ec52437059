// SPDX-License-Identifier: MIT
/*
 * model.h — a trained classifier and its text file
 *
 * The file is plain text: a first line "gr-classify-model 1", then "key value" lines (words,
 * ngram, classes, features, intercepts), a blank line, then one n-gram a line: the n-gram, its
 * idf and one weight a class, separated by tabs, n-grams in byte order. Same training data and
 * options give the same bytes.
 */
#ifndef MODEL_H
#define MODEL_H

#include "buf.h"
#include "csv.h"
#include "err.h"
#include "gr.h"
#include "logreg.h"
#include "tfidf.h"

#define MODEL_CLASSES 4 /* CLASS_NAMES of schema.h */

struct model {
    struct tfidf tfidf;
    struct logreg logreg;
};

struct model_cfg {
    struct tfidf_cfg tfidf;
    struct logreg_cfg logreg;
};

/* Labelled queries. */
struct examples {
    struct csv csv;   /* owns the texts */
    struct sv *texts; /* (n) */
    uint8_t *labels;  /* (n) index into CLASS_NAMES */
    size_t n;
};

/* Read a CSV with columns `query` and `class`. EXIT_FATAL names file and line of a row whose
 * class is not known or whose query is empty. */
int examples_read(struct examples *e, const char *path, struct err *err);
void examples_release(struct examples *e);

/* Train on the examples whose index i has keep[i] (NULL: all). Returns L-BFGS iterations, or -1
 * with err when the word cutter cannot be made. */
long model_train(struct model *m, const struct model_cfg *cfg, const struct examples *e,
                 const bool *keep, struct err *err);
void model_release(struct model *m);

/* Append the text form. Weights are rounded to float. */
void model_write(const struct model *m, struct buf *out);

/* Read the text form. EXIT_FATAL names file and line of what is wrong. */
int model_read(struct model *m, const char *path, struct err *err);

/* Name of class i < MODEL_CLASSES; index of a name, or MODEL_CLASSES. */
struct sv model_class_name(size_t i);
size_t model_class_index(struct sv name);

/* Scratch of one thread. */
struct predictor {
    struct ngrams *ngrams;
    struct sparse x; /* n-grams of the text predicted last */
};
int predictor_init(struct predictor *p, const struct model *m, struct err *err);
void predictor_release(struct predictor *p);

/* Probabilities of the classes, (MODEL_CLASSES). A text without any known n-gram gets those of
 * the intercepts alone; p->x.n == 0 tells. */
void model_predict(const struct model *m, struct predictor *p, struct sv text, double *prob);

#endif
