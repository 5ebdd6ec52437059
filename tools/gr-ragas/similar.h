// SPDX-License-Identifier: MIT
/*
 * similar.h — how alike two strings are, by the edits from one to the other
 */
#ifndef SIMILAR_H
#define SIMILAR_H

#include "gr.h"
#include "sv.h"

struct similar; /* scratch of one thread */

struct similar *similar_new(void);
void similar_free(struct similar *s); /* NULL is fine */

/* Pairs of code points that one call looks at, at most: some seconds. */
#define SIMILAR_MAX_CELLS 1e11

/*
 * 1 − d / max(code points of a, of b), where d is the least number of insertions, deletions and
 * substitutions (Levenshtein): what rapidfuzz calls normalized_similarity. Two empty strings
 * are 1. Myers' bit-parallel algorithm (J. ACM 46, 1999) in Hyyrö's blocked form,
 * O(n·m / 64). Negative when the strings are longer than SIMILAR_MAX_CELLS allows. Valid UTF-8.
 */
double similar_ratio(struct similar *s, struct sv a, struct sv b);

#endif
