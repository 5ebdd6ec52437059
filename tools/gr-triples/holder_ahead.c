// SPDX-License-Identifier: MIT
/*
 * holder_ahead.c — what has the contents of a list, when it stands behind the list
 *
 * "Analyses gave 48.2 wt% SiO2, 16.1 wt% Al2O3 and 320 ppm Sr for the gabbro"; "With 2.4 wt%
 * TiO2 and 0.3 wt% P2O5, the basalts belong to".
 */
#include "relate.h"

#define PLAIN_MAX 3
#define LIST_ITEMS 120 /* of numbers, measures and what joins them: longer ones are tables */

/* The item behind the list of numbers and their measures that goes on behind item i. */
static size_t list_end(const struct pass *p, size_t i, const char *types)
{
    const struct clause *c = p->clause;
    size_t k = i + 1, end = k;
    while (k < c->n && k < i + LIST_ITEMS) {
        if (clause_is_mark(c, k, ',') || clause_class(c, k) & W_AND ||
            clause_is_word(c, k, "of")) {
            k++;
            continue;
        }
        if (!clause_quantity(c, k) && !relate_is(p, k, types))
            break;
        end = ++k;
    }
    return end;
}

/* The last name of the phrase from item i on, over articles and adjectives; SIZE_MAX: none. */
static size_t name_from(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    unsigned plain = 0;
    for (; i < c->n; i++) {
        if (clause_name(c, i)) {
            while (clause_name(c, i + 1))
                i++;
            bool is_modifier =
                clause_is_mark(c, i + 1, '-') && c->items[i + 1].start == c->items[i].end;
            return relate_is(p, i, HOLDERS) && !is_modifier ? i : SIZE_MAX;
        }
        bool is_plain = c->items[i].kind == ITEM_WORD && !clause_class(c, i);
        if (!(clause_class(c, i) & W_DET) && (!is_plain || ++plain > PLAIN_MAX))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

size_t measure_holder_ahead(const struct pass *p, size_t i)
{
    WORDS(openers, "with", "containing", "having");
    const struct clause *c = p->clause;
    size_t end = list_end(p, i, MEASURES);
    if (clause_is_word(c, end, "for"))
        return name_from(p, end + 1);
    if (i > LIST_ITEMS || !clause_word_in(c, 0, &openers) || !clause_is_mark(c, end, ','))
        return SIZE_MAX;
    for (size_t k = 1; k < i; k++) /* nothing but the list between */
        if (clause_class(c, k) & (W_AUX | W_BREAK | W_WHICH) || relate_is(p, k, HOLDERS))
            return SIZE_MAX;
    return name_from(p, end + 1);
}

size_t measure_rock_ahead(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t end = list_end(p, i, "mineral");
    bool is_in = clause_is_word(c, end, "in") || clause_is_word(c, end, "for");
    size_t rock = is_in ? name_from(p, end + 1) : SIZE_MAX;
    return rock != SIZE_MAX && relate_is(p, rock, "rock,sample,deposit") ? rock : SIZE_MAX;
}
