// SPDX-License-Identifier: MIT
/*
 * walk_impl.h — what walking and ranking share (internal)
 */
#ifndef WALK_IMPL_H
#define WALK_IMPL_H

#include "walk.h"

/* The triple of an edge that fits best: overlap and agreement, then confidence, then order. */
uint32_t walk_best_triple(const struct walk *w, uint32_t edge, double *overlap,
                          double *agreement);

/* Confidence and support of an edge; a damaged file gives 0. */
double walk_trust(const struct grg_edge *e);

/* Is the edge between nodes reached, and wanted by the filter? */
bool walk_is_fact(const struct walk *w, const struct filter *filter, uint32_t edge);

/* The facts and the chunks, best first, into w. */
void walk_rank(struct walk *w, const struct links *links, const struct filter *filter,
               const struct walk_cfg *cfg);

#endif
