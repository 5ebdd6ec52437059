// SPDX-License-Identifier: MIT
/*
 * inventory.c — "Rocks of the Kaapvaal Craton include tonalite, trondhjemite and granodiorite"
 *
 * What a place is made of, told of a noun of rocks that hangs on it: each of the list is there.
 */
#include "spoken.h"

void relate_inventory(struct pass *p)
{
    WORDS(nouns, "rocks", "lithologies", "units", "intrusions", "lavas", "samples", "outcrops",
          "ores", "deposits", "minerals", "plutons", "xenoliths", "sediments");
    WORDS(preps, "of", "from", "in", "at", "within");
    WORDS(verbs, "include", "includes", "comprise", "comprised", "are", "were", "included");
    const struct clause *c = p->clause;
    for (size_t i = 2; i < c->n; i++) {
        if (c->items[i].kind != ITEM_NAME)
            continue;
        const struct entity *e = clause_name(c, i);
        if (e->type[0] != 'l' || !clause_word_in(c, i + 1, &verbs) ||
            !relate_is(p, i, "location"))
            continue;
        size_t k = i;
        while (k > 0 && clause_class(c, k - 1) & W_DET)
            k--;
        if (k < 2 || !clause_word_in(c, k - 1, &preps) || !clause_word_in(c, k - 2, &nouns))
            continue;
        size_t first = spoken_object(p, i + 1, "rock"), members[LIST_MAX];
        size_t n =
            first == SIZE_MAX ? 0 : relate_list(p, first, 1, SV("rock"), members, LIST_MAX);
        for (size_t m = 0; m < n; m++)
            relate_add(p, members[m], "Located In", i, LIKELY - 0.05);
    }
}
