// SPDX-License-Identifier: MIT
/*
 * rise.c — "a 2.5‰ rise in δ34S": by how much a measure changes, the number first
 */
#include "relate.h"

#define CHANGED "isotope_ratio,isotope_delta,element_ratio,element,oxide"

/* The measure behind the noun of change at item k, over a thing that has it ("in diatom
 * δ30Si"); SIZE_MAX: none. */
static size_t measure_behind(const struct pass *p, size_t k)
{
    const struct clause *c = p->clause;
    if (!clause_is_word(c, k + 1, "in") && !clause_is_word(c, k + 1, "of"))
        return SIZE_MAX;
    for (size_t i = k + 2; i < k + 6; i++) {
        if (relate_is(p, i, CHANGED))
            return i;
        bool is_plain = i < c->n && c->items[i].kind == ITEM_WORD && !clause_class(c, i);
        if (!is_plain && !(clause_class(c, i) & W_DET) &&
            !relate_is(p, i, "mineral,rock,setting"))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* "0.4‰ lower than", "20 Myr older than", "20 ppm higher in Ni than": is the number at item i a
 * difference, which nobody has? */
static bool is_difference(const struct clause *c, size_t i)
{
    WORDS(degrees, "lower", "higher", "greater", "less", "more", "heavier", "lighter", "hotter",
          "cooler", "older", "younger", "deeper", "shallower", "thicker", "thinner", "larger",
          "smaller");
    if (!clause_word_in(c, i + 1, &degrees))
        return false;
    for (size_t k = i + 2; k < i + 8 && !clause_quantity(c, k); k++)
        if (clause_is_word(c, k, "than"))
            return true;
    return false;
}

void measure_rises(struct pass *p)
{
    WORDS(nouns, "rise", "increase", "shift", "excursion", "decline", "decrease", "drop",
          "fall", "change", "offset");
    const struct clause *c = p->clause;
    for (size_t i = 0; i < c->n; i++) {
        if (c->items[i].kind != ITEM_QUANTITY)
            continue;
        const struct quantity *q = clause_quantity(c, i);
        size_t k = i + 1;
        if (q->is_vague || q->warn || relate_is_paired(p, i))
            continue;
        if (is_difference(c, i)) {
            relate_tie(p, i);
            continue;
        }
        bool is_down = false; /* "a 4‰ negative shift": the word has the sign */
        for (; k < i + 3 && clause_class(c, k) == 0 && !clause_word_in(c, k, &nouns); k++)
            is_down |= clause_is_word(c, k, "negative");
        size_t measure = clause_word_in(c, k, &nouns) ? measure_behind(p, k) : SIZE_MAX;
        enum unit_kind kind = units_kind(p->lore->units, q->unit);
        bool is_delta = measure != SIZE_MAX && relate_is(p, measure, "isotope_delta");
        bool is_ratio =
            measure != SIZE_MAX && relate_is(p, measure, "isotope_ratio,element_ratio");
        bool fits = is_delta   ? kind == UNIT_DELTA
                    : is_ratio ? q->unit == UNIT_NONE
                               : kind == UNIT_FRACTION;
        if (measure == SIZE_MAX || !fits || is_down)
            continue;
        double confidence = relate_weigh(p, i, measure, LIKELY);
        relate_tie(p, i);
        if (confidence <= 0)
            continue;
        struct fact f = relate_value(p, confidence);
        f.head = relate_node(p, measure);
        f.relation = "Has Value";
        f.value = q;
        f.is_change = true;
        f.of = (struct node){ .type = "property", .name = clause_text(c, k) };
        sink_add(p->sink, &f);
    }
}
