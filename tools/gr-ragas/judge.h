// SPDX-License-Identifier: MIT
/*
 * judge.h — the lexical judge: whether texts say the same, told from their words alone
 *
 * It stands where RAGAS asks a language model, and is much weaker: it sees neither negation nor
 * paraphrase. Its scores therefore have names of their own (lexical_…). One relation decides
 * everything. A text SUPPORTS a statement when
 *   - terms of the statement (analyzer.h: stems, numbers, chemical keys; numbers and chemistry
 *     count twice) with at least `support` of their weight are in the text, and
 *   - every number of the statement is in the text.
 * Statements are sentences (sentence.h) with at least one term, without "[3]"-like citations.
 *
 *   - faithfulness: response statements that some context supports / response statements
 *   - answer_relevancy: weight of the question's terms that are in the response / weight of
 *     all; 0 when the answer is noncommittal
 *   - context_precision: Σ P@i·v_i / Σ v_i over contexts in order; v_i: it supports a statement
 *     of the reference (of the response when there is no reference)
 *   - context_recall: reference statements that some context supports / reference statements
 *   - answer_correctness: 0.75·F1 + 0.25·cosine of the two texts' terms; true positives:
 *     response statements the reference supports, false positives: the others, false negatives:
 *     reference statements the response does not support
 *   - noise_sensitivity: response statements that the reference does not support but a context
 *     does that supports a reference statement / response statements (lower is better)
 *
 * The forms are those of ragas 0.4.3 with its model's verdicts replaced by the relation.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "analyzer.h"
#include "sample.h"
#include "sentence.h"

#define JUDGE_MAX_STATEMENTS 2000

struct judge_cfg {
    const struct splitter *splitter; /* borrowed, shared by threads */
    const struct analyzer *analyzer;
    double support; /* 0 … 1 */
};

struct judge; /* scratch of one thread, and what it found in the last record */

struct judge *judge_new(const struct judge_cfg *cfg);
void judge_free(struct judge *j); /* NULL is fine */

/* Read a record; the functions below are about it. O(bytes + statements · terms · contexts). */
void judge_read(struct judge *j, const struct sample *s);

/* NULL and *value, or the reason why there is no value: no_response, no_reference, no_question,
 * no_contexts, no_statements, no_terms, noncommittal, too_long. */
const char *judge_faithfulness(const struct judge *j, double *value);
const char *judge_answer_relevancy(const struct judge *j, double *value);
const char *judge_context_precision(const struct judge *j, double *value);
const char *judge_context_recall(const struct judge *j, double *value);
const char *judge_answer_correctness(const struct judge *j, double *value);
const char *judge_noise_sensitivity(const struct judge *j, double *value);

/* Does the first sentence of an answer say that it has none ("I cannot answer …")? */
bool judge_is_noncommittal(struct sv response);

/* For ranked texts: is `reference` (a passage that should be found) within `text`? It is when
 * 80 % of the weight of its terms are. First judge_wants(j, reference), then judge_finds for
 * each text; both forget the record that was read. O(bytes). */
void judge_wants(struct judge *j, struct sv reference);
bool judge_finds(struct judge *j, struct sv text);

#endif
