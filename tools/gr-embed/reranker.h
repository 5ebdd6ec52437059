// SPDX-License-Identifier: MIT
/*
 * reranker.h — a cross-encoder: a query and a text read together, to one score
 *
 * A folder with BertForSequenceClassification and one label: BERT over [CLS] query [SEP] text
 * [SEP] (token types 0 and 1), its pooler (dense, tanh) on [CLS], and a linear classifier
 * (Nogueira and Cho 2019). The score is the bare logit when the folder's activation is the
 * identity, as for the ms-marco models, and its sigmoid otherwise. A pair that is too long
 * loses tokens of the longer text first, as `tokenizers` does with longest_first.
 */
#ifndef GR_RERANKER_H
#define GR_RERANKER_H

#include "err.h"
#include "gr.h"
#include "kernels.h"
#include "sv.h"

struct reranker;         /* const after loading, shared by threads */
struct reranker_scratch; /* working memory of one thread */

/* NULL and err (EXIT_FATAL) when the folder cannot be read or is no such model, or the
 * processor lacks the precision (EXIT_USAGE). */
struct reranker *reranker_new(const char *dir, enum precision precision, struct err *err);
void reranker_free(struct reranker *r); /* NULL is fine */

/* "name/1/revision", for trace entries. */
const char *reranker_model(const struct reranker *r);

struct reranker_scratch *reranker_scratch_new(const struct reranker *r);
void reranker_scratch_free(struct reranker_scratch *s); /* NULL is fine */

/* Scores of n texts for one query, and how many pairs were cut. The same bits for a pair
 * whatever stands beside it. -1 and err (EXIT_FATAL) when the numbers overflow. */
int reranker_score(const struct reranker *r, struct reranker_scratch *s, struct sv query,
                   const struct sv *texts, size_t n, double *scores, size_t *n_cut,
                   struct err *err);

/* How many tokens stay of two texts of *a and *b when max fit: longest_first of `tokenizers`.
 */
void reranker_fit(size_t *a, size_t *b, size_t max);

#endif
