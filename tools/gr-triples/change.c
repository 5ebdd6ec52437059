// SPDX-License-Identifier: MIT
/*
 * change.c — quantities that say by how much a measure changes
 */
#include "relate.h"
#include "scan.h"
#include "schema.h"
#include "text.h"

bool change_is_named(struct sv property)
{
    size_t start = property.n; /* of the last word: "exchange" is no change */
    while (start > 0 && scan_is_letter((unsigned char)property.p[start - 1]))
        start--;
    return text_has_word(sv_from_to(property, start, property.n), SV(FACT_CHANGE_WORDS));
}

const char *change_verb(const struct clause *c, size_t left)
{
    WORDS(rises, "increased", "increases", "increase", "rose", "rises", "rise", "warmed");
    WORDS(falls, "decreased", "decreases", "decrease", "fell", "falls", "fall", "dropped",
          "drops", "drop", "declined", "cooled", "reduced");
    if (left < 2 || !clause_is_word(c, left - 1, "by"))
        return NULL;
    return clause_word_in(c, left - 2, &rises)   ? "increase"
           : clause_word_in(c, left - 2, &falls) ? "decrease"
                                                 : NULL;
}

/* Of FACT_CHANGE_WORDS, but those that may as well be verbs of what has a value ("SiO2
 * increases to 60 wt%"). */
static bool is_change_word(const struct clause *c, size_t k)
{
    WORDS(words, "shift", "shifts", "excursion", "excursions", "change", "changes",
          "difference", "differences", "offset", "offsets");
    return clause_word_in(c, k, &words);
}

/* "an increase in", "a drop of": no verb. */
static bool is_rise(const struct clause *c, size_t k)
{
    WORDS(nouns, "increase", "increases", "rise", "rises", "decrease", "decreases", "drop",
          "drops", "fall", "falls");
    return clause_word_in(c, k, &nouns) &&
           (clause_is_word(c, k + 1, "in") || clause_is_word(c, k + 1, "of"));
}

/* "a shift in marine δ13C between 2 and 7‰": the noun before the measure. */
static bool is_of_change(const struct clause *c, size_t measure)
{
    for (size_t k = measure; k-- > 0 && k + 7 > measure;) {
        if (is_change_word(c, k) || is_rise(c, k))
            return true;
        if (c->items[k].kind != ITEM_WORD || clause_class(c, k) & (W_BREAK | W_AUX | W_HAVE))
            return false;
    }
    return false;
}

/* Is the change named, and no fall told in words, whose number has lost its sign? */
static bool has_sign(const struct clause *c, size_t measure, size_t quantity)
{
    WORDS(moves, "shifted", "changed");
    WORDS(falls, "negative", "decrease", "decreases", "decreased", "drop", "drops", "fall",
          "falls", "lower", "light");
    bool is_named = false;
    for (size_t k = measure > 4 ? measure - 4 : 0; k < quantity; k++) {
        is_named |= is_change_word(c, k) || is_rise(c, k) || clause_word_in(c, k, &moves);
        if (clause_word_in(c, k, &falls))
            return false;
    }
    return is_named;
}

bool change_read(const struct clause *c, size_t measure, size_t quantity, bool *is_change)
{
    size_t left = thing_leading(c, quantity);
    *is_change = false; /* "shifts to −5‰", "a change from 2 to 5‰" */
    if (left > 0 && (clause_is_word(c, left - 1, "to") || clause_is_word(c, left - 1, "from")))
        return true;
    if (quantity < measure && left > 1 && is_rise(c, left - 2)) { /* "a rise of 5 wt% SiO2" */
        *is_change = true;
        return has_sign(c, left, quantity);
    }
    *is_change = measure < quantity && is_of_change(c, measure);
    for (size_t k = quantity; k-- > measure && k + 4 > quantity;)
        *is_change |= clause_is_word(c, k, "by") || is_change_word(c, k);
    return !*is_change || has_sign(c, measure, quantity);
}
