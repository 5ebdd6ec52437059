// SPDX-License-Identifier: MIT
/*
 * aliases.h — names that mean one thing: proposals to review, and what was accepted, applied
 *
 * A table of tab-separated columns, with a header line:
 *
 *   accept  from  to  type  why  n_from  n_to
 *
 * gr-gquery aliases writes it with `accept` empty; a person writes y where it is right. Applied
 * to triple records (gr-gquery rename) an accepted row renames head, tail and of; what they
 * were is kept in `was`, so that it can be undone.
 *
 * Rows are refused whose names differ in chemistry (Fe2+ and Fe3+, 87Sr and 86Sr, Co and CO) or
 * in their numbers (GX-01, GX-02); and chains: the new name of one row may not be the old one
 * of another.
 */
#ifndef ALIASES_H
#define ALIASES_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "grg.h"
#include "json.h"

#define ALIASES_HEADER "accept\tfrom\tto\ttype\twhy\tn_from\tn_to"

struct aliases; /* opaque; const once read */

/* Read a table. EXIT_FATAL with file and line: no such file, no header, a row of another form,
 * one that is refused. The caller frees the result. */
struct aliases *aliases_read(const char *path, struct err *err);
void aliases_free(struct aliases *a); /* NULL is fine */

/* Rows that are applied. */
size_t aliases_count(const struct aliases *a);

/* The new name of a thing of this type and name, in any spelling; false: it keeps its own. *to
 * lives as long as a. */
bool aliases_find(const struct aliases *a, struct sv type, struct sv name, struct sv *to);

/* Append the record with names changed (a NULL: with names as they were before). Returns
 * whether anything changed. */
bool aliases_apply(const struct aliases *a, const struct rec *r, struct buf *out);

/* Why two names cannot be one thing: static text, or NULL. is_strict: names of which only one
 * has numbers or chemistry differ too. */
const char *aliases_differ(struct sv a, struct sv b, bool is_strict);

/* Append proposals for a graph as rows, header first, sorted by type and name; returns how
 * many. Names of one type that differ in blanks and hyphens, in the order of words, in one
 * letter (eight at least), or are the initials of the other. *is_cut: the graph has more than
 * ALIASES_MAX_NODES nodes and letters were not compared. O(nodes · letters). */
#define ALIASES_MAX_NODES 500000
size_t aliases_propose(const struct grg *g, bool *is_cut, struct buf *out);

#endif
