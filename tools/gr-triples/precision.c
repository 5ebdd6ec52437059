// SPDX-License-Identifier: MIT
/*
 * precision.c — "the precision of SiO2 was 1 % for basalt", "detection limits were 5 ppm Ni"
 *
 * Numbers about measuring say nothing about what was measured.
 */
#include "phrase.h"

#define REACH_ITEMS 16 /* from the number back to what it tells */

bool measure_is_precision(const struct pass *p, size_t i)
{
    WORDS(nouns, "accuracy", "blank", "blanks", "limit", "limits", "precision", "precisions",
          "repeatability", "reproducibility", "uncertainties", "uncertainty");
    WORDS(limits, "limit", "limits");
    WORDS(kinds, "detection", "determination", "quantification");
    const struct clause *c = p->clause;
    bool has_verb = false, is_next = true; /* "detection limit of 1 ppm", "precision: 1 %" */
    if (!clause_may_have(c, &nouns))
        return false;
    for (size_t k = i; k-- > 0 && k + REACH_ITEMS > i;) {
        unsigned class = clause_class(c, k);
        if (class & (W_BREAK | W_HAVE) || clause_is_mark(c, k, ';'))
            return false;
        if ((has_verb || is_next) && clause_word_in(c, k, &nouns))
            return !clause_word_in(c, k, &limits) ||
                   (k > 0 && clause_word_in(c, k - 1, &kinds));
        has_verb |= (class & W_AUX) != 0;
        is_next &= c->items[k].kind == ITEM_MARK || clause_is_word(c, k, "of");
    }
    return false;
}
