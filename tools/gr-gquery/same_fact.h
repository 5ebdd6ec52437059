// SPDX-License-Identifier: MIT
/*
 * same_fact.h — does a fact say again what another one says?
 *
 *   inverse      "uraninite Contains U" and "U Occurs In uraninite"; both ways of a relation
 *                that has no direction
 *   paraphrased  two relations between the same things, or two values that are the same number
 *                of the same thing, read in one sentence
 *   subsumed     the same number, but of less: "δ238U −0.39 ‰" beside "seawater −0.39 ± 0.01 ‰
 *                δ238U" in one sentence; without the error that the other has
 */
#ifndef SAME_FACT_H
#define SAME_FACT_H

#include "gr.h"
#include "grg.h"

enum same_fact {
    FACTS_DIFFER,
    FACTS_SAME,       /* the first will do */
    FACTS_SECOND_MORE /* the second says more: it stands for both */
};

/* Each fact is an edge and the triple it is told by. O(length of names). */
enum same_fact same_fact(const struct grg *g, uint32_t edge_a, uint32_t triple_a,
                         uint32_t edge_b, uint32_t triple_b);

#endif
