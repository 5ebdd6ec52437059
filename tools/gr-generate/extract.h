// SPDX-License-Identifier: MIT
/*
 * extract.h — an answer made of the sources' own sentences
 *
 *   coverage of a sentence  = weight of the question's own terms in it ÷ weight of them all
 *   score                   = coverage, parts of that of its neighbours and of its passage,
 *                             what expansion terms add, and how well it fits what is wanted
 *                             (question.h); less for fragments, for long sentences and for
 *                             those that lean on the one before them
 *   support of a passage    = coverage × m/(m+1), m of the question's terms being in it
 *   choice                  = greedy: score, plus terms of the question not yet covered, less
 *                             the likeness to what is chosen (maximal marginal relevance,
 *                             Carbonell and Goldstein, SIGIR 1998)
 *
 * One or two sentences for explicit_fact, up to four for the other classes, in the order of the
 * sources. When no passage (nor fact) has at least `min_support` of the question, or no
 * sentence half of that, nothing is said but the refusal.
 */
#ifndef EXTRACT_H
#define EXTRACT_H

#include "analyzer.h"
#include "question.h"

#define EXTRACT_MAX_SENTENCES 20
#define REFUSAL "The sources given do not answer this."

struct extract_cfg {
    double min_support; /* 0 … 1 */
    long max_sentences; /* 0: by class */
};

struct extract_result {
    double support; /* the best support of one entry of the context */
    size_t n_sentences;
    bool is_refused;
};

/* Append the answer to *response: sentences, each followed by " [n]", between them a blank; or
 * REFUSAL. O(pieces × chosen). */
void extract_answer(struct buf *response, struct extract_result *result,
                    const struct extract_cfg *cfg, const struct context *c,
                    const struct question *q, struct terms *t);

#endif
