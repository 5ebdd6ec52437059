// SPDX-License-Identifier: MIT
/*
 * form.h — what GROBID is asked for: the fields of processFulltextDocument, checked
 *
 * Every field that changes the TEI is sent, so that the server's own defaults, which differ
 * between versions, decide nothing: no consolidation (GROBID would ask other services), raw
 * citations, no sentence elements (paragraphs come out the same, and gr-chunk cuts sentences).
 */
#ifndef FORM_H
#define FORM_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

struct form; /* opaque; const once made: threads may share it */

/* settings: n of "KEY=VALUE" with GROBID's own names, the last one of a key counts, those of
 * teiCoordinates add up; borrowed. has_coords: ask for the coordinates that a record can hold,
 * unless teiCoordinates is among the settings. NULL with err (EXIT_USAGE): a name that GROBID
 * does not know, or a value that the name does not take. */
struct form *form_new(const char *const *settings, size_t n, bool has_coords, struct err *err);
void form_free(struct form *f); /* NULL is fine */

/* Field i, in one order for equal settings; false when there are no more. value is borrowed. */
bool form_field(const struct form *f, size_t i, const char **name, const char **value);

/* Append "name=value" lines of all fields: equal for settings that ask for the same. */
void form_put_key(const struct form *f, struct buf *out);

#endif
