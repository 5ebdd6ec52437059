// SPDX-License-Identifier: MIT
/*
 * same.h — texts that say nothing new: shingles of five folded words, and their numbers
 *
 * Broder, "On the resemblance and containment of documents" (1997). Two descriptions of samples
 * that differ in a number alone are two facts, whatever their shingles: hence the rule that a
 * text with a number of its own says something new. −0.39 and +0.39 are two numbers.
 */
#ifndef GR_SAME_H
#define GR_SAME_H

#include "gr.h"
#include "sv.h"

/* Share from which on a text counts as being within another one. */
#define SAME_SHARE 0.9

/* What is compared of a text: hashes, sorted, without repeats. */
struct same_prints {
    uint64_t *shingles, *numbers; /* owned */
    size_t n_shingles, n_numbers;
};

/* O(words log words). */
struct same_prints same_prints_of(struct sv text);
void same_prints_release(struct same_prints *p);

/* Share of a's shingles that b has too, 0 … 1; and 0 when a has a number that b lacks. A text
 * shorter than a shingle is one shingle. O(words). */
double same_prints_share(const struct same_prints *a, const struct same_prints *b);

/* The same of two texts. */
double same_share(struct sv a, struct sv b);

#endif
