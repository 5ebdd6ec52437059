// SPDX-License-Identifier: MIT
/*
 * phrase.h — noun phrases of a clause, and the words of properties
 *
 * "The porosity of the upper sandstone": two phrases, the second hanging on the first by "of".
 * Phrases are found by what cannot be inside one: articles, prepositions, verbs, commas.
 */
#ifndef PHRASE_H
#define PHRASE_H

#include "relate.h"

#define PHRASES 6

struct phrase {
    size_t from, to;     /* items [from, to), without article */
    size_t prep;         /* item of the preposition before it, or SIZE_MAX */
    bool is_behind_verb; /* of phrases_left: a participle stands between it and the next's
                          * preposition ("cores recovered from") */
};

/* Phrases left of an item: at[0] the nearest, at[n - 1] the one the others hang on. */
struct phrases {
    struct phrase at[PHRASES];
    size_t n;
    size_t start; /* first item of all, with its article */
    bool has_article;
};

/* The phrases that end before item `end`; brackets, appositions and adverbs there are skipped.
 * False: there is none. */
bool phrases_left(const struct pass *p, size_t end, struct phrases *out);

/* The phrase that starts at item `from` (its article is skipped), without what hangs on it.
 * False: there is none. */
bool phrase_right(const struct pass *p, size_t from, struct phrase *out);

/* Is item i a finite verb, as far as lists and endings tell? */
bool phrase_is_verb(const struct pass *p, size_t i);

/* Does the adjective at item i point and not name ("the same lake", "the lowest value")? */
bool phrase_is_pointing(const struct clause *c, size_t i);

/* What a phrase names: the vocabulary's name that ends it ("the fresh basalts", "crystals of
 * zircon" is the caller's matter), else a thing of the paper, named as the text does. type
 * NULL: nothing that could be measured ("it", "the results"). */
struct node phrase_node(const struct pass *p, const struct phrase *f);

/* ---- property.c ---- */

/* Units a property may have, bits. */
enum {
    P_NUMBER = 1 << 0, /* none */
    P_LENGTH = 1 << 1,
    P_SHARE = 1 << 2, /* %, ppm */
    P_DELTA = 1 << 3,
    P_HEAT = 1 << 4, /* °C, K */
    P_FORCE = 1 << 5,
    P_TIME = 1 << 6,
    P_OTHER = 1 << 7, /* any other unit */
    P_CLOCK = 1 << 8, /* seconds to months */
};

#define PROPERTY_WORD 24
/* The word in lower case, without the ending of a plural; "" when too long. buf holds it. */
struct sv property_singular(struct sv word, char buf[PROPERTY_WORD]);

/* Units of the property that a noun names ("thicknesses"), 0: it names none. */
unsigned property_units(struct sv noun);

/* The property of an adjective or verb behind or before a number ("thick", "weighs"); NULL. */
const char *property_of_adjective(struct sv word);
const char *property_of_verb(struct sv word);

/* Is it about the quality of a measurement, or about an instrument ("precision", "laser")? */
bool property_is_technical(struct sv word);

/* A noun that says nothing of what has the value: "values", "range", "mean", "order". */
bool property_is_empty(struct sv word);

/* A verb of the laboratory ("digested"): its quantities are the recipe's. */
bool property_is_laboratory(struct sv word);

#endif
