// SPDX-License-Identifier: MIT
/*
 * notation.h — which isotopes a paper has named before, as it writes them
 *
 * That δ18O is a ratio of oxygen is said once a paper and not once a chunk. Whether a chunk is
 * the first to name an isotope must not depend on who reads the ones before it: so what looks
 * like one ("87Sr/86Sr", "δ18O", "²³⁸U", "87 Sr") is noted down from all chunks of a paper
 * before any is read, without blanks, in the order of its records. Some thousand different
 * places are kept of a paper, so that looking a name up has a bound.
 */
#ifndef NOTATION_H
#define NOTATION_H

#include "buf.h"
#include "map.h"
#include "sv.h"

struct notations {
    struct buf text;   /* lines: what looks like an isotope, and some bytes behind it */
    struct map *lines; /* those of text, each once; NULL: none yet */
    size_t *ends;      /* (n) bytes of text that records 0 … i have */
    size_t n, cap;     /* records */
};
void notations_release(struct notations *list);
void notations_reset(struct notations *list);

/* Note down what a text of the record at hand names. O(bytes). */
void notations_learn(struct notations *list, struct sv text);
/* The record at hand has no more texts. */
void notations_close(struct notations *list);

/* Append the records of `from`. */
void notations_copy(struct notations *list, const struct notations *from);

/* Does a record before number `record` name `name`, spelled alike but for blanks? */
bool notations_has(const struct notations *list, size_t record, struct sv name);

#endif
