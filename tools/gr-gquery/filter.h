// SPDX-License-Identifier: MIT
/*
 * filter.h — which relations, types and values a query wants
 */
#ifndef FILTER_H
#define FILTER_H

#include "err.h"
#include "gr.h"
#include "grg.h"
#include "where.h"

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
    unsigned stances;            /* edges of these are walked and given too */
    bool has_where;
    struct units *units; /* owned; NULL without --where */
    struct where *where; /* owned; NULL: none */
    uint32_t *met;       /* (nodes) with where: conditions that the thing's values meet */
};

/*
 * relation, strict: "A,B" or NULL (only one of them); label: "mineral,-rock" or NULL; where:
 * conditions as in where.h, or NULL; stances: those to tell besides what is plainly said. Names
 * compare without case. EXIT_USAGE when one cannot be understood. With conditions on several
 * quantities all values of the graph are looked at once. *unknown gets the first name the graph
 * has nothing of (borrowed), or stays. Contains takes Composed Of with it, and as `relation`
 * the other way round.
 */
int filter_make(struct filter *f, const struct grg *g, const char *relation, const char *strict,
                const char *label, const char *where, unsigned stances, struct sv *unknown,
                struct err *err);
void filter_release(struct filter *f);

/* May this edge be told as far as its stance goes? Plain facts always, denied and unsupported
 * ones when they are asked for. */
static inline bool filter_tells(const struct filter *f, const struct grg *g, uint32_t edge)
{
    return !(grg_stance(g, edge) & ~f->stances);
}

/* May the walk go along an edge of this relation? */
bool filter_walks(const struct filter *f, uint32_t relation);

/* May it reach a node of this type? */
bool filter_reaches(const struct filter *f, uint32_t type);

/* Is this edge, one of g's, a fact to give? Without --where any is; with it, those whose value
 * meets the conditions on its quantity, of things that meet those on all. */
bool filter_gives(const struct filter *f, const struct grg *g, const struct grg_edge *e);

#endif
