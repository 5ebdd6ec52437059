// SPDX-License-Identifier: MIT
/*
 * metrics.h — the metrics by name: which there are, which are wanted, their values for a record
 */
#ifndef METRICS_H
#define METRICS_H

#include "err.h"
#include "judge.h"
#include "sample.h"
#include "semantic.h"
#include "vocab.h"

#define METRIC_NAME_MAX 48
#define METRIC_MAX_CUTOFF 1000

struct metric_def; /* what one is; see metrics.c */

struct metric {
    const struct metric_def *def;
    char name[METRIC_NAME_MAX]; /* "ndcg_10" */
    size_t k;                   /* of a rank metric with a cut-off, else 0 */
};

struct metric_list {
    struct metric *items; /* (n) no name twice */
    size_t n;
};

/*
 * Parse "a,b,c", "all" or "default" (also as elements). Rank metrics with a cut-off end in its
 * number: hit_1, ndcg_10. -1 with err (EXIT_USAGE) for an unknown name, with the nearest one.
 * Release in either case.
 */
int metric_list_parse(struct metric_list *list, const char *names, struct err *err);
void metric_list_release(struct metric_list *list);

/* Is a smaller value better? False for unknown names. */
bool metric_is_lower_better(struct sv name);

/* Place of a name among the known ones, for tables; SIZE_MAX for an unknown one. Those that
 * differ in the cut-off share a place. */
size_t metric_place(struct sv name);

/* The nth known name for listings, with "K" for a cut-off; NULL after the last. */
const char *metric_known(size_t n, const char **summary);

/* What the metrics of a list need. */
bool metric_list_needs_model(const struct metric_list *list);
bool metric_list_needs_vocab(const struct metric_list *list);

/* Shared by threads, borrowed; encoder and vocab may be NULL: not there. */
struct scorer_cfg {
    struct judge_cfg judge;
    const struct vocab *vocab;
    const struct encoder *encoder;
};

struct scorer; /* scratch of one thread */

struct scorer *scorer_new(const struct scorer_cfg *cfg);
void scorer_free(struct scorer *s); /* NULL is fine */

/* Begin a record; *sample is borrowed until the last scorer_value for it (its ranking's gains
 * are filled on the way). */
void scorer_start(struct scorer *s, struct sample *sample);

/* NULL and *value (finite), or the reason why there is none: static text, one of no_question,
 * no_response, no_reference, no_contexts, no_reference_contexts, no_reference_ids,
 * no_retrieved_ids, no_statements, no_terms, no_entities, no_model, no_vocabulary,
 * noncommittal, too_long. */
const char *scorer_value(struct scorer *s, const struct metric *m, double *value);

#endif
