// SPDX-License-Identifier: MIT
/*
 * cite.h — bracketed numbers in running text: "[3]", "[1, 2]", "[2–4]", "[1; 3]"
 *
 * In an answer they cite our sources. In a passage they are the paper's own references, which
 * must not be mistaken for that: they are taken out of what is shown.
 */
#ifndef CITE_H
#define CITE_H

#include "buf.h"
#include "gr.h"

#define CITE_MAX 32

struct cite {
    size_t from, to;    /* bytes of the text, brackets included */
    size_t n[CITE_MAX]; /* the numbers, ranges written out */
    size_t n_numbers;
};

/* The next one at or after *pos; moves *pos behind it. False when there is none. Numbers over
 * 9999, ranges over CITE_MAX and empty brackets are no citation. O(n). */
bool cite_next(struct sv text, size_t *pos, struct cite *c);

/* Append text without its bracketed numbers and the blanks before them. */
void cite_strip(struct buf *out, struct sv text);

#endif
