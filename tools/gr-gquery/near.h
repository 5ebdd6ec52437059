// SPDX-License-Identifier: MIT
/*
 * near.h — names that are nearly as given: one edit away, or longer
 *
 * An edit is a letter more, less or another, or two neighbours exchanged (Damerau, CACM 7,
 * 1964), on keys (text.h). Names with digits or signs of charge have none: 87Sr and 86Sr, GX-01
 * and GX-02, Fe2+ and Fe3+ are one edit apart and different things; nor have names that hold
 * for one spelling only.
 */
#ifndef NEAR_H
#define NEAR_H

#include "analyzer.h"
#include "gr.h"
#include "grg.h"
#include "link.h"

#define NEAR_MIN 6 /* letters of a name that may be misspelt */
#define NEAR_WEIGHT 0.5f

/* Nodes with a name one edit from `name`; returns how many. About 200 look-ups, and the names
 * with the same first three letters. */
size_t near_spelling(const struct grg *g, struct sv name, struct links *to);

/* Nodes with a name that begins as `name` does (three letters at least); at most max of them,
 * in the order of names. */
size_t near_prefix(const struct grg *g, struct sv name, size_t max, struct links *to);

/* What a name that no node has may be: a misspelling of, else the beginning of; at most 6.
 * names: gets a list of them for a message, quoted. */
size_t near_any(const struct grg *g, struct sv name, struct links *to, struct buf *names);

/* Misspelt names in a text, the longest first, of at most four words: for texts in which
 * link_text finds none. terms: function words alone are no name. */
size_t near_text(const struct grg *g, struct terms *terms, struct sv text, struct links *to);

/* Do two keys differ by one edit at most? */
bool near_is_one_edit(struct sv a, struct sv b);

#endif
