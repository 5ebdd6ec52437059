// SPDX-License-Identifier: MIT
/*
 * conflicts.h — where papers contradict each other
 *
 * Values. The subject (a node's key) and the quantity (what is measured, else the relation; for
 * ages the isotope system, where both say one; conditions, where both say them) are the same,
 * the units are of one dimension, the papers differ. Two papers disagree when no value of the
 * one agrees with any value of the other; the nearest two are given. They agree when
 *
 *   gap ≤ √(Ua² + Ub²)        the normalised error of ISO 13528, E = gap / √…, is at most 1
 *
 * gap: between the nearer ends, 0 where ranges overlap. U: the error at two sigma (twice one of
 * one sigma); where none is given, an assumed one: `tolerance` percent of the value, 0.5 ‰ of a
 * delta value, 0.05 % of an isotope ratio, never less than half a unit of the last decimal
 * (0.5 of a whole number); "~" doubles it.
 *
 * Statements. One paper says head–relation–tail and another denies it (measured_denies), says
 * the opposite (Enriched In, Depleted In), or has an order the other way round (Older Than).
 *
 * What one paper says is never in conflict with itself.
 */
#ifndef CONFLICTS_H
#define CONFLICTS_H

#include "buf.h"
#include "filter.h"
#include "gr.h"
#include "grg.h"
#include "map.h"
#include "units.h"

struct conflicts_cfg {
    const struct filter *filter; /* relations: of either side; types: of the subject */
    const struct map *papers;    /* keys: one side is from one of these; NULL: all */
    double tolerance;            /* percent */
    double min_errors;           /* E at least, 1 or more */
    double min_difference;       /* percent of the larger value */
    long top;                    /* pairs for one quantity of one subject, the worst first */
};

struct conflicts_count {
    size_t values; /* triples with a value and a subject that were compared */
    size_t found;  /* conflicts, those over `top` too */
    size_t given;  /* records */
};

/*
 * Append one record for each conflict: {"kind","subject","quantity","unit","difference",…,
 * "reason","a":{…},"b":{…}}. Order: values first, by subject, quantity, paper of a and of b;
 * then statements in the order of edges. A subject whose name has no letter, or one character,
 * is no subject: "1" names another thing in each paper. u may be NULL: units are compared by
 * their spelling. O(values · log + pairs of values with the same subject and quantity).
 */
struct conflicts_count conflicts_find(const struct grg *g, const struct units *u,
                                      const struct conflicts_cfg *cfg, struct buf *out);

#endif
