// SPDX-License-Identifier: MIT
/*
 * paper.h — what is known of a whole paper while one of its texts is cleaned
 *
 * Some repairs need more than the text at hand: a running head is a line that comes again and
 * again, a block is a repeat only of one seen before, a torn word is known when the paper has
 * it elsewhere in one piece. Nothing is computed before it is asked for.
 */
#ifndef PAPER_H
#define PAPER_H

#include "gr.h"
#include "map.h"
#include "sv.h"
#include "vocab.h"

struct paper; /* scratch of one thread, reused from paper to paper */

/* vocab: names of the field, borrowed; may be NULL. */
struct paper *paper_new(const struct vocab *vocab);
void paper_free(struct paper *p); /* NULL is fine */

/* Begin the next paper; then tell of its texts, which are borrowed until the next one. */
void paper_reset(struct paper *p);
void paper_add(struct paper *p, struct sv text);

/* How often a short line like this one, digits aside, stands alone in the paper's texts. */
size_t paper_line_count(struct paper *p, struct sv line);

/* Has a block like this one been asked for before in this paper? Remembers it. */
bool paper_seen(struct paper *p, struct sv block);

/* Is it a word of the vocabulary, or one that the paper has in one piece? Case aside. "a-b"
 * asks for the compound. */
bool paper_knows(struct paper *p, struct sv word);

/* The same, but of the paper's own words alone. */
bool paper_has(struct paper *p, struct sv word);

#endif
