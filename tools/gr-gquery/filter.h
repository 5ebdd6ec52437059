// SPDX-License-Identifier: MIT
/*
 * filter.h — which relations, types and values a query wants
 */
#ifndef FILTER_H
#define FILTER_H

#include "err.h"
#include "gr.h"
#include "grg.h"

/* Numbers of strings, few. */
struct filter_set {
    uint32_t *ids;
    size_t n;
    bool is_given;
};

struct filter {
    struct filter_set relations; /* walk along these */
    struct filter_set types;     /* reach only these */
    struct filter_set not_types; /* never reach these */
    bool is_strict;              /* give facts of `relations` only */
    bool has_where;
    char unit[64];   /* "": any */
    double min, max; /* of the value, inclusive */
};

/*
 * relation, strict: "A,B" or NULL (only one of them); label: "mineral,-rock" or NULL; where:
 * "unit=Ma,min=20,max=30" or NULL. Names compare without case. EXIT_USAGE when one cannot be
 * understood. *unknown gets the first name the graph has nothing of (borrowed), or stays.
 */
int filter_make(struct filter *f, const struct grg *g, const char *relation, const char *strict,
                const char *label, const char *where, struct sv *unknown, struct err *err);
void filter_release(struct filter *f);

/* May the walk go along an edge of this relation? */
bool filter_walks(const struct filter *f, uint32_t relation);

/* May it reach a node of this type? */
bool filter_reaches(const struct filter *f, uint32_t type);

/* Is this edge a fact to give? Without --where any is; with it, those whose value has the unit
 * and meets [min, max]: a range does when it overlaps. */
bool filter_gives(const struct filter *f, const struct grg *g, const struct grg_edge *e);

#endif
