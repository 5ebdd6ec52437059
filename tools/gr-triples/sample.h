// SPDX-License-Identifier: MIT
/*
 * sample.h — what a paper calls its own samples: "BH-12", "404 a", "Windjana"
 *
 * No vocabulary knows them; the words around do:
 *
 * - a label: "sample 79-35g", "specimens BH-12, BH-13 and BH-14": a token with a digit
 * - a label: "basalt GX-01", "Site U1439", "GX-01 and GX-02 have": see sample_label.c
 * - a name: one to four capitalised words that some place of the text presents as a sample:
 *   "the target Stephen", "Windjana drill hole", "rocks such as Clinton", "Harrison (sol 516)",
 *   and what is listed with such a name
 *
 * A name counts wherever the text has it, save where its word in lower case stands in the text
 * as well. Short forms behind it ("Confidence Hills (CH)") are the same sample. Names of the
 * vocabulary stay what they are unless they are longer ones cut short.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "sv.h"
#include "vocab.h"

/* Does the name give way to a sample? Weak ones do, and places that no list has ("Pahrump
 * Hills").
 */
static inline bool sample_may_replace(const struct entity *e)
{
    return e->weak || (e->entry == VOCAB_NONE && strcmp(e->type, "location") == 0);
}

/* Add the samples of text to names, which holds what vocab_scan found there; in order, without
 * overlap, type "sample", name in `notation`. O(n · names), at most 64 names a text. */
void samples_find(struct sv text, struct entities *names);

/* Labels that stand without the word "sample" (sample_label.c). */
void samples_find_labels(struct sv text, struct entities *names);

/* The names alone (sample_names.c). */
void samples_find_names(struct sv text, struct entities *names);

/* Append the sample at bytes [start, end) that is called `name` (less than CHEM_MAX bytes). */
void sample_push(struct entities *list, size_t start, size_t end, struct sv name);

/* Put samples, in any order, among the names of the text; names they overlap give way, as do
 * samples inside a longer one. */
void samples_merge(struct entities *names, struct entities *samples);

#endif
