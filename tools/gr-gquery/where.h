// SPDX-License-Identifier: MIT
/*
 * where.h — conditions on measured quantities: "SiO2 45..52 wt% and Rb < 100 ppm"
 *
 *   conditions  condition { ("and" | "&&" | "," | ";") condition }
 *   condition   [quantity] op number [unit]      op: < <= > >= = and their signs
 *               number op quantity op number [unit]
 *               [quantity] number ("-" | ".." | "to" | "±") number [unit]
 *               [quantity] "between" number "and" number [unit]
 *               unit=U, min=N, max=N             the plain form: any quantity
 *
 * A quantity is what is measured (Rb, SiO2, εNd, 87Sr/86Sr) or what a relation says (age,
 * temperature). Values in other units of the same dimension are converted. Intervals count: a
 * value meets a condition when its range, widened by its error, overlaps what is asked; a limit
 * ("<5 ppm") is a range with an open end. Without a unit any unit will do.
 *
 * Conditions on one quantity are for one value; a thing has to meet those on all quantities, if
 * by several values.
 */
#ifndef WHERE_H
#define WHERE_H

#include "err.h"
#include "gr.h"
#include "grg.h"
#include "units.h"

#define WHERE_MAX 16 /* conditions */

struct where; /* opaque */

/* Read conditions. u: borrowed, NULL: units are compared by spelling, and only the plain form
 * is understood. EXIT_USAGE: not understood, an unknown unit, or one that does not measure the
 * quantity. The caller frees the result. */
struct where *where_new(const char *text, const struct units *u, struct err *err);
void where_free(struct where *w); /* NULL is fine */

/* Which quantities' conditions does an edge meet: a bit for each, 0 for none. */
uint32_t where_meets(const struct where *w, const struct grg *g, uint32_t edge);

/* The bits of all. */
uint32_t where_all(const struct where *w);

/* Does the text begin as the plain form does, which needs no table of units? */
bool where_is_plain(const char *text);

#endif
