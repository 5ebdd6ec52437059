// SPDX-License-Identifier: MIT
/*
 * thing_noun.c — numbers that stand beside their thing
 */
#include "thing_impl.h"

/* "12 m thick", "1.5-m-thick", "180 km in diameter": *to is the item behind. */
static const char *adjective_right(const struct tie *t, size_t *to)
{
    const struct clause *c = t->p->clause;
    size_t k = t->i + 1;
    if (!(t->units & P_LENGTH))
        return NULL;
    if (clause_is_mark(c, k, '-'))
        k++;
    if (clause_is_word(c, k, "in") && property_units(clause_text(c, k + 1)) & P_LENGTH) {
        static const char *const nouns[] = { "diameter",  "length", "width", "height",
                                             "thickness", "depth",  "size" };
        for (size_t n = 0; n < ARRAY_LEN(nouns); n++)
            if (clause_is_word(c, k + 1, nouns[n])) {
                *to = k + 2;
                return nouns[n];
            }
    }
    *to = k + 1;
    return c->n > k && c->items[k].kind == ITEM_WORD ? property_of_adjective(clause_text(c, k))
                                                     : NULL;
}

bool thing_read_adjective(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrases all;
    struct phrase f;
    size_t to, k = t->left;
    t->word = adjective_right(t, &to);
    if (!t->word)
        return false;
    t->confidence = FAIR + 0.05;
    t->from = t->left;
    bool is_after = k > 0 && (clause_class(c, k - 1) & W_AUX || clause_is_mark(c, k - 1, '('));
    if (k > 1 && clause_class(c, k - 1) & W_DET && clause_class(c, k - 2) & W_AUX) {
        k--; /* "the lens is a 5 m thick" */
        is_after = true;
    }
    if (!is_after && c->n > to && (clause_name(c, to) || c->items[to].kind == ITEM_WORD) &&
        !(clause_class(c, to) & W_DET) && phrase_right(t->p, to, &f)) {
        while (thing_is_portion(t, &f) && clause_is_word(c, f.to, "of") &&
               phrase_right(t->p, f.to + 1, &f))
            ;
        t->head = phrase_node(t->p, &f);
        return t->head.type != NULL;
    }
    if (k > 0 && (clause_is_mark(c, k - 1, '(') || clause_is_mark(c, k - 1, ',')))
        k--;
    while (k > 0 && clause_class(c, k - 1) & (W_AUX | W_HEDGE))
        k--;
    if (!phrases_left(t->p, k, &all))
        return false;
    t->from = all.start;
    t->is_subject = true;
    t->head = thing_of(t, &all, 0);
    return t->head.type != NULL;
}

/* "the 80% gas saturation", "a 4‰ shift": the property behind the number. */
bool thing_read_behind(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f, owner;
    size_t k = t->i + 1;
    k += clause_is_mark(c, k, '-');
    bool has_article = t->left > 0 && clause_class(c, t->left - 1) & W_DET;
    bool has_prep = t->left > 0 && clause_class(c, t->left - 1) & W_PREP;
    if (!phrase_right(t->p, k, &f) || f.from != k || !thing_is_property(t, &f) ||
        thing_is_technical(t, &f) || thing_is_empty(t, &f))
        return false;
    t->property = f;
    t->from = t->left;
    t->confidence = FAIR - 0.05;
    struct phrases all;
    if (has_prep && phrases_left(t->p, t->left - 1, &all)) { /* "tubes of 60 mm diameter" */
        t->head = thing_of(t, &all, 0);
        t->from = all.start;
        if (t->head.type && strcmp(t->head.type, "property") == 0)
            return false; /* "temperatures at 800 m depth" */
        if (t->head.type)
            return true;
    }
    if ((has_article || has_prep) && thing_subject(t, t->left - 1))
        return true;
    if (thing_right(t, f.to))
        return true;
    if (thing_split(t, &t->property, &owner))
        t->head = phrase_node(t->p, &owner);
    return t->head.type != NULL || thing_itself(t, &f);
}

/* "the upper unit (45 m)", "sandstones (porosity 20%)", "porosity (20%) of": in a bracket. */
bool thing_read_bracket(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrases inner, all;
    size_t open = t->left;
    if (open == 0)
        return false;
    while (open > 1 && (clause_is_mark(c, open - 1, '=') || clause_is_word(c, open - 1, "of")))
        open--;
    bool is_named = open > 0 && !clause_is_mark(c, open - 1, '(');
    bool has_abbrev = is_named && open > 2 && clause_is_mark(c, open - 1, ',') &&
                      clause_is_mark(c, open - 3, '('); /* "thermal maximum (PETM, 56 Ma)" */
    if (has_abbrev) {
        open -= 2;
        is_named = false;
    }
    if (is_named) {
        if (!phrases_left(t->p, open, &inner) || inner.n != 1 ||
            !thing_is_property(t, inner.at) || thing_is_technical(t, inner.at))
            return false;
        t->property = inner.at[0];
        open = inner.start;
    }
    bool is_closed = clause_is_mark(c, t->i + 1, ')') || clause_is_mark(c, t->i + 1, ';') ||
                     clause_is_mark(c, t->i + 1, ',');
    if (open == 0 || !clause_is_mark(c, open - 1, '(') || !is_closed ||
        !phrases_left(t->p, open - 1, &all) || all.at[0].to != open - 1 ||
        thing_is_technical(t, all.at))
        return false;
    t->from = open - 1;
    t->confidence = is_named ? FAIR : FAIR - 0.1;
    if (!is_named && thing_is_property(t, all.at)) {
        t->property = all.at[0];
        return all.n > 1 ? (t->head = thing_of(t, &all, 1)).type != NULL
                         : thing_right(t, clause_bracket(c, open - 1) + 1);
    }
    if (!is_named && t->units & (P_NUMBER | P_DELTA | P_HEAT | P_FORCE))
        return false;
    t->head = phrase_node(t->p, &all.at[0]);
    return t->head.type != NULL;
}

/* "8-year", "8 years": how long, where nobody says "old". */
static bool is_in_years(const struct tie *t)
{
    struct sv text = sv_from_to(t->p->clause->text, t->value.start, t->value.end);
    return sv_ends(text, SV("year")) || sv_ends(text, SV("years"));
}

/* "the 3.8 Ga Isua belt" */
bool thing_read_dated(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f;
    size_t k = t->i + 1;
    if (!(t->units & P_TIME) || t->left == 0 || !(clause_class(c, t->left - 1) & W_DET))
        return false;
    k += clause_is_mark(c, k, '-');
    bool is_age = clause_is_word(c, k, "old") || !is_in_years(t);
    k += clause_is_word(c, k, "old");
    if (!is_age || !phrase_right(t->p, k, &f) || f.from != k ||
        property_units(clause_text(c, f.to - 1)))
        return false; /* "an 8-year history" */
    t->head = phrase_node(t->p, &f);
    t->from = t->left;
    t->confidence = FAIR - 0.05;
    return t->head.type != NULL;
}

/* "the upper 0.8 m of the core" */
bool thing_read_part(struct tie *t)
{
    WORDS(places, "upper", "lower", "top", "topmost", "uppermost", "basal", "first", "bottom",
          "lowermost");
    const struct clause *c = t->p->clause;
    struct phrase f;
    if (!(t->units & P_LENGTH) || t->left == 0 || !clause_word_in(c, t->left - 1, &places) ||
        !clause_is_word(c, t->i + 1, "of") || !phrase_right(t->p, t->i + 2, &f))
        return false;
    t->head = phrase_node(t->p, &f);
    t->from = t->left - 1;
    t->confidence = FAIR - 0.1;
    return t->head.type != NULL;
}

/* "a thin (about 1 cm) slab" */
bool thing_read_adjective_bracket(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f;
    if (!(t->units & P_LENGTH) || t->left < 2 || !clause_is_mark(c, t->left - 1, '(') ||
        !clause_is_mark(c, t->i + 1, ')') || c->items[t->left - 2].kind != ITEM_WORD)
        return false;
    t->word = property_of_adjective(clause_text(c, t->left - 2));
    if (!t->word || !phrase_right(t->p, t->i + 2, &f) || f.from != t->i + 2)
        return false;
    t->head = phrase_node(t->p, &f);
    t->from = t->left - 2;
    t->confidence = FAIR;
    return t->head.type != NULL;
}

/* "6.4 kt of CO2", "20 m of sandstone": so much of it. */
bool thing_read_amount(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f;
    if (!(t->units & (P_OTHER | P_LENGTH)) || !clause_is_word(c, t->i + 1, "of") ||
        !phrase_right(t->p, t->i + 2, &f) || property_units(clause_text(c, f.to - 1)))
        return false;
    t->head = phrase_node(t->p, &f);
    t->word = "amount";
    t->from = t->left;
    bool is_thickness = t->units & P_LENGTH && relate_is(t->p, f.to - 1, "rock");
    t->confidence = is_thickness ? FAIR - 0.15 : WEAK;
    return t->head.type != NULL;
}

/* "the 8.5 mm beach": the number names which; its property is not said. */
bool thing_read_attribute(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f;
    size_t k = t->i + 1;
    if (clause_class(c, k) & W_AND && clause_quantity(c, k + 1))
        k += 2; /* "the 34 °C and 38 °C options" */
    k += clause_is_mark(c, k, '-');
    WORDS(preps, "of", "in", "with", "from", "for", "on", "using");
    bool has_prep = t->left > 0 && clause_word_in(c, t->left - 1, &preps);
    if (!(t->units & (P_LENGTH | P_HEAT | P_OTHER)) || t->left == 0 ||
        !(clause_class(c, t->left - 1) & W_DET || (has_prep && !(t->units & P_HEAT))) ||
        !phrase_right(t->p, k, &f) || f.from != k || thing_is_technical(t, &f) ||
        (clause_name(c, f.to - 1) && !relate_is(t->p, f.to - 1, "setting")))
        return false;
    t->head = phrase_node(t->p, &f);
    t->from = t->left;
    t->confidence = WEAK;
    return t->head.type != NULL;
}

/* "ηnet = 0.1", "Eg ≈ 2.0 eV", "SBET > 170 m2/g" */
bool thing_read_symbol(struct tie *t)
{
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    bool has_mark = k < t->i;
    while (k > 0 && (clause_is_mark(c, k - 1, '=') || clause_is_mark(c, k - 1, '?') ||
                     clause_is_mark(c, k - 1, '~'))) {
        has_mark = true;
        k--;
    }
    WORDS(verbs, "is", "ranges", "was", "of", "from");
    while (!has_mark && k > 1 && clause_word_in(c, k - 1, &verbs))
        k--;
    if (k == 0 || k == t->i || !thing_is_symbol(c, k - 1) ||
        property_is_technical(clause_text(c, k - 1)) ||
        (k > 1 && c->items[k - 2].kind == ITEM_MARK &&
         c->items[k - 2].end == c->items[k - 1].start && !clause_is_mark(c, k - 2, '(')))
        return false;
    t->head = (struct node){ .type = "property", .name = clause_text(c, k - 1) };
    t->from = k - 1;
    t->confidence = WEAK;
    return true;
}

/* "225 bulk rock samples": how many there are. */
bool thing_read_count(struct tie *t)
{
    const struct clause *c = t->p->clause;
    const struct quantity *q = clause_quantity(c, t->i);
    struct phrase f;
    if (!q->is_bare || !phrase_right(t->p, t->i + 1, &f) || f.from != t->i + 1)
        return false;
    struct sv noun = clause_text(c, f.to - 1);
    WORDS(others, "times", "points", "minutes", "seconds", "weeks", "months", "decades",
          "cycles", "steps", "wt");
    if (!sv_ends(noun, SV("s")) || sv_ends(noun, SV("ss")) || sv_ends(noun, SV("us")) ||
        sv_ends(noun, SV("is")) || clause_word_in(c, f.to - 1, &others))
        return false;
    t->head = phrase_node(t->p, &f);
    t->word = "count";
    t->from = t->left;
    t->confidence = WEAK;
    return t->head.type != NULL;
}
