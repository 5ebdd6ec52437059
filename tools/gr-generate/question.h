// SPDX-License-Identifier: MIT
/*
 * question.h — what is asked: the words with their weights, the kind of answer that is wanted
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "analyzer.h"
#include "context.h"
#include "map.h"

enum want {
    WANT_ANY,
    WANT_NUMBER, /* how much, what ratio, …: a number, best with one of `units` */
    WANT_NAMES,  /* which minerals, who: names or notation */
    WANT_REASON, /* why, explain: because, since, so that … */
};

#define QUESTION_TERMS 256

struct question {
    struct map *terms;             /* own terms first: [0, n_own); then what expansion added */
    double weight[QUESTION_TERMS]; /* idf over the sentences at hand, times the term's part */
    size_t n_own;
    bool is_nuclide[QUESTION_TERMS]; /* 147Sm, 87Sr/86Sr: another one answers nothing */
    double total;                    /* of the own terms */
    enum want want;
    const char *const *units; /* NULL-ended, or NULL */
    const char *also;         /* words that answers to it use, or NULL */
    const char *cue;          /* the words that told so, when `also` stands in for them */
    bool is_fact;             /* class explicit_fact: one or two sentences */
    bool is_foreign;          /* names nuclides, and no sentence has any of them */
};

/* Terms of `query`, then of `queries` and `keywords` at part weight; verbs that only ask
 * ("explain", "give") are left out. Weights: log(1 + N/df) over the N sentences of c. */
void question_read(struct question *q, const struct rec *r, const struct context *c,
                   struct terms *t);
void question_release(struct question *q);

/* How well one sentence fits what is wanted, 0 … 1. */
double question_fit(const struct question *q, struct sv text, struct terms *t);

#endif
