// SPDX-License-Identifier: MIT
/*
 * thing_owner.c — the words around a number, and what a property belongs to
 */
#include "thing_impl.h"

unsigned thing_units(const struct pass *p, const struct quantity *q)
{
    if (q->unit == UNIT_NONE)
        return P_NUMBER;
    switch (units_kind(p->lore->units, q->unit)) {
    case UNIT_FRACTION:
        return P_SHARE;
    case UNIT_DELTA:
        return P_DELTA;
    case UNIT_AGE:
        return P_TIME;
    case UNIT_TEMPERATURE:
        return P_HEAT;
    case UNIT_PRESSURE:
        return P_FORCE;
    case UNIT_LENGTH:
        return P_LENGTH;
    default:
        break;
    }
    if (q->unit == UNIT_TEXT)
        return P_OTHER;
    double factor, offset;
    struct sv dimension = units_scale(p->lore->units, q->unit, &factor, &offset);
    return sv_is(dimension, "age") ? P_CLOCK : P_OTHER;
}

/* "up to", "about", "less than" before the number at item i: their first item. */
size_t thing_leading(const struct clause *c, size_t i)
{
    WORDS(words, "about", "ca", "approximately", "around", "nearly", "almost", "roughly",
          "only", "some", "up", "just", "more", "less", "least", "most", "c", "circa",
          "typically", "generally", "commonly", "usually", "often", "locally", "mostly",
          "currently", "greater", "better", "higher", "lower");
    while (i > 0 && (c->items[i - 1].kind == ITEM_WORD || c->items[i - 1].kind == ITEM_MARK)) {
        bool is_than =
            clause_is_word(c, i - 1, "than") ||
            (clause_is_word(c, i - 1, "to") && i > 1 && clause_is_word(c, i - 2, "up")) ||
            (clause_is_word(c, i - 1, "as") && i > 2 && clause_is_word(c, i - 3, "as"));
        bool is_mark =
            clause_is_mark(c, i - 1, '~') || clause_is_mark(c, i - 1, '<') ||
            clause_is_mark(c, i - 1, '>') || clause_is_mark(c, i - 1, '?') ||
            (clause_is_mark(c, i - 1, '.') && i > 1 && clause_is_word(c, i - 2, "ca"));
        bool is_at = (clause_is_word(c, i - 1, "least") || clause_is_word(c, i - 1, "most")) &&
                     i > 1 && clause_is_word(c, i - 2, "at");
        bool is_excess = clause_is_word(c, i - 1, "of") && i > 2 &&
                         clause_is_word(c, i - 2, "excess") && clause_is_word(c, i - 3, "in");
        if (is_at)
            i -= 2;
        else if (is_excess)
            i -= 3;
        else if (clause_is_word(c, i - 1, "as") && i > 2 && clause_is_word(c, i - 3, "as"))
            i -= 3;
        else if (is_than || is_mark || clause_word_in(c, i - 1, &words))
            i--;
        else
            break;
    }
    return i;
}

/* ---- words of the property ---- */

/* "ηnet", "SBET", "p0", "Eg": what is written for a quantity in a formula. */
bool thing_is_symbol(const struct clause *c, size_t i)
{
    static const char *const statistics[] = { "r2", "R2", "2SD", "1SD", "SD",   "2SE", "1SE",
                                              "SE", "df", "rsd", "RSD", "MSWD", "p",   "n" };
    struct sv text = clause_text(c, i);
    if (sv_in(text, statistics, ARRAY_LEN(statistics)))
        return false;
    unsigned n_upper = 0, n_other = 0, n = 0;
    if (i >= c->n || c->items[i].kind != ITEM_WORD || clause_class(c, i))
        return false;
    for (size_t k = 0; k < text.n; k++, n++) {
        unsigned char ch = (unsigned char)text.p[k];
        n_upper += ch >= 'A' && ch <= 'Z';
        n_other += ch >= 0x80 || (ch >= '0' && ch <= '9');
    }
    bool is_opening = i == 0 && n_upper == 1 && !n_other; /* "It" */
    bool has_letter = !is_opening && (n_upper || n_other < n);
    return has_letter && n > 1 && n <= 6 && (n_upper || n_other) &&
           !(n > 3 && n_upper == 1 && !n_other);
}

/* Does the phrase end in a property that can have this unit? Or in a word that stands for one
 * ("values")? */
bool thing_is_property(const struct tie *t, const struct phrase *f)
{
    const struct clause *c = t->p->clause;
    if (f->to > f->from && clause_name(c, f->to - 1)) { /* "a pCO2 of 400 ppm" */
        bool is_ratio = relate_is(t->p, f->to - 1, "element_ratio,isotope_ratio");
        struct sv text =
            clause_text(c, f->to - 1); /* "magnetic susceptibility", a method too */
        size_t blank = text.n;
        while (blank > 0 && text.p[blank - 1] != ' ')
            blank--;
        if (property_units(sv_from_to(text, blank, text.n)) & t->units)
            return true;
        return f->to == f->from + 1 &&
               ((t->units & P_SHARE && relate_is(t->p, f->to - 1, "element,oxide")) ||
                (t->units & P_NUMBER && (is_ratio || relate_is(t->p, f->to - 1, "oxide"))));
    }
    if (f->to == f->from || c->items[f->to - 1].kind != ITEM_WORD)
        return false;
    size_t last = f->to - 1;
    if (last > f->from && thing_is_symbol(c, last) && !property_units(clause_text(c, last)))
        last--; /* "a radius R of" */
    return (property_units(clause_text(c, last)) & t->units) != 0;
}

bool thing_is_empty(const struct tie *t, const struct phrase *f)
{
    const struct clause *c = t->p->clause;
    for (size_t i = f->from; i < f->to; i++)
        if (!property_is_empty(clause_text(c, i)) &&
            !(i + 1 < f->to && phrase_is_pointing(c, i)))
            return false;
    return true;
}

bool thing_is_technical(const struct tie *t, const struct phrase *f)
{
    const struct clause *c = t->p->clause;
    for (size_t i = f->from; i < f->to; i++)
        if (property_is_technical(clause_text(c, i)) ||
            (clause_text(c, i).n == 1 && clause_is_word(c, i + 1, "value")))
            return true; /* "a p value of 0.01" */
    return false;
}

/* Words before the noun that belong to the property and not to its owner. */
static const char *const of_properties[] = {
    "travel",
    "way",
    "two",
    "mean",
    "average",
    "maximum",
    "minimum",
    "total",
    "grain",
    "particle",
    "crystal",
    "surface",
    "heat",
    "closure",
    "melting",
    "eruption",
    "peak",
    "specific",
    "shear",
    "accumulation",
    "erosion",
    "convergence",
    "growth",
    "cooling",
    "heating",
    "oxygen",
    "partition",
    "diffusion",
    "bulk",
    "effective",
    "slip",
    "spreading",
    "wave",
    "p",
    "s",
    "trapping",
    "formation",
    "crystallization",
    "crystallisation",
    "equilibration",
    "eruptive",
    "sedimentation",
    "homogenization",
    "homogenisation",
    "denudation",
    "exhumation",
    "deposition",
    "liquidus",
    "solidus",
    "pore",
    "confining",
    "modal",
    "burial",
    "high",
    "low",
    "annual",
    "flow",
    "seismic",
    "saturation",
    "fluid",
};

static bool is_of_property(const struct clause *c, size_t i)
{
    struct sv text = clause_text(c, i);
    for (size_t k = 0; k < ARRAY_LEN(of_properties); k++) /* names as well: "melting" */
        if (vocab_word_is(text, of_properties[k]))
            return true;
    if (property_is_empty(text) || (property_units(text) && c->items[i].kind == ITEM_WORD))
        return true;
    if (c->items[i].kind != ITEM_WORD)
        return clause_is_mark(c, i, '-');
    return sv_ends(text, SV("al")) || sv_ends(text, SV("ic")) || sv_ends(text, SV("ive")) ||
           sv_ends(text, SV("ed")) || sv_ends(text, SV("ing")) || sv_ends(text, SV("est"));
}

/* "sandstone porosity": the owner in front of its property; false: none is named there. */
bool thing_split(const struct tie *t, struct phrase *f, struct phrase *owner)
{
    WORDS(fixed, "number", "coefficient", "constant", "factor", "index", "gradient",
          "exponent");
    const struct clause *c = t->p->clause;
    size_t k = f->to - 1;
    if (clause_word_in(c, k, &fixed))
        return false;
    while (k > f->from && is_of_property(c, k - 1))
        k--;
    bool is_kind = vocab_word_is(clause_text(c, f->from), "water") ||
                   vocab_word_is(clause_text(c, f->from), "surface");
    if (k > f->from + 2 && clause_is_word(c, k - 1, "s") &&
        c->items[k - 2].kind == ITEM_MARK) { /* "the brine's density" */
        *owner = (struct phrase){ f->from, k - 2, SIZE_MAX, false };
        f->from = k;
        return true;
    }
    if (k == f->from + 1 && is_kind)
        return false; /* "water depth" */
    *owner = (struct phrase){ f->from, k, SIZE_MAX, false };
    if (k == f->from)
        return false;
    f->from = k;
    return true;
}

/* ---- things ---- */

bool thing_is_portion(const struct tie *t, const struct phrase *f)
{
    WORDS(words, "layer", "top", "base", "bottom", "layers", "bed", "beds", "part", "parts",
          "interval", "intervals", "piece", "pieces", "body", "sequence", "slab", "unit",
          "majority", "portion", "section", "mass", "masses", "crystal", "grain", "most",
          "surface");
    const struct clause *c = t->p->clause;
    return clause_word_in(c, f->to - 1, &words) || relate_is_carrier(t->p, f->to - 1);
}

/* The thing that phrases at[k] … at[n - 1] speak of: the one the others hang on, or what that
 * is a portion or a property of. */
struct node thing_of(const struct tie *t, const struct phrases *all, size_t k)
{
    const struct clause *c = t->p->clause;
    for (size_t j = all->n; j-- > k;) {
        const struct phrase *f = &all->at[j];
        bool has_inner = j > k;
        bool is_of = has_inner && clause_is_word(c, all->at[j - 1].prep, "of");
        WORDS(sides, "formation", "fusion", "mixing", "reaction");
        bool is_side = (property_units(clause_text(c, f->to - 1)) != 0 &&
                        c->items[f->to - 1].kind == ITEM_WORD) ||
                       clause_word_in(c, f->to - 1, &sides) ||
                       (relate_is(t->p, f->to - 1, "element,oxide") &&
                        !vocab_word_is(clause_text(c, f->to - 1), "water"));
        if (is_of && (thing_is_portion(t, f) || thing_is_empty(t, f)))
            continue;
        if (has_inner && is_side)
            continue;
        struct node n = phrase_node(t->p, f);
        bool is_property = property_units(clause_text(c, f->to - 1)) != 0;
        if (is_side && is_property && n.type && strcmp(n.type, "thing") == 0)
            n.type = "property";
        return n;
    }
    return (struct node){ 0 };
}

/* "Hornblende barometry gives a depth": what tells, and does not have it. */
static bool is_procedure(struct sv name)
{
    static const char *const ends[] = { "metry",        "analysis",    "analyses",
                                        "calculations", "calculation", "modelling",
                                        "modeling",     "data",        "experiments",
                                        "estimates",    "studies",     "dating",
                                        "simulations",  "measurements" };
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (sv_ends(name, sv_from(ends[i])))
            return true;
    return false;
}

/* The subject of the verb group that ends before item `end`. */
bool thing_subject(struct tie *t, size_t end)
{
    const struct clause *c = t->p->clause;
    struct phrases all;
    bool has_verb = false;
    size_t k = end;
    while (k > 0) {
        struct sv word = clause_text(c, k - 1);
        unsigned class = clause_class(c, k - 1);
        bool is_word = c->items[k - 1].kind == ITEM_WORD;
        bool is_verb = phrase_is_verb(t->p, k - 1) ||
                       (is_word && sv_ends(word, SV("ed")) && word.n > 4 && !has_verb);
        bool is_adverb = is_word && (sv_ends(word, SV("ly")) || class & W_HEDGE);
        bool is_to = has_verb && clause_is_word(c, k - 1, "to") && k > 1 &&
                     phrase_is_verb(t->p, k - 2); /* "appear to have" */
        if (!is_verb && !is_adverb && !is_to && !clause_is_word(c, k - 1, "also"))
            break;
        has_verb |= is_verb;
        k--;
    }
    bool is_second = has_verb && k > 0 && clause_class(c, k - 1) & W_AND && t->last &&
                     t->last->head.type && t->last->is_subject && t->last->i < k;
    if (is_second) { /* "is 40 m wide and extends to" */
        t->head = t->last->head;
        t->from = k;
        return t->is_subject = true;
    }
    if (!has_verb || !phrases_left(t->p, k, &all))
        return false;
    t->from = all.start;
    t->head = thing_of(t, &all, 0);
    /* "temperatures of 820 °C were reached at a pressure of": one is not the other's */
    bool is_thing = t->head.type && strcmp(t->head.type, "property") != 0 &&
                    !(strcmp(t->head.type, "thing") == 0 && is_procedure(t->head.name));
    if (!is_thing)
        t->head = (struct node){ 0 };
    return t->is_subject = is_thing;
}

/* "… was obtained for olivine", "… in the catchment": behind the number. */
bool thing_right(struct tie *t, size_t k)
{
    WORDS(preps, "for", "in", "of", "on", "at", "from", "beneath", "within", "below", "across",
          "along");
    const struct clause *c = t->p->clause;
    struct phrase f;
    size_t verb = k;
    if (clause_is_mark(c, k, '(') && clause_bracket(c, k) != SIZE_MAX)
        verb = k = clause_bracket(c, k) + 1;
    while (clause_class(c, k) & W_AUX)
        k++;
    bool has_verb = k > verb;
    while (has_verb && c->n > k && c->items[k].kind == ITEM_WORD && k < verb + 4 &&
           (sv_ends(clause_text(c, k), SV("ed")) || sv_ends(clause_text(c, k), SV("ly")) ||
            clause_is_word(c, k, "found")))
        k++;
    if (!clause_word_in(c, k, &preps) || !phrase_right(t->p, k + 1, &f))
        return false;
    while (thing_is_portion(t, &f) && clause_is_word(c, f.to, "of") &&
           phrase_right(t->p, f.to + 1, &f))
        ;
    bool is_side = c->items[f.to - 1].kind == ITEM_WORD && clause_is_word(c, f.to, "of") &&
                   property_units(clause_text(c, f.to - 1));
    if (is_side || clause_quantity(c, f.to) ||
        (relate_is(t->p, f.to - 1, "geologic_time") && !(t->units & P_TIME)))
        return false;
    t->head = phrase_node(t->p, &f);
    return t->head.type != NULL;
}

/* The property alone, when nobody says whose: "mass loss rates of". */
bool thing_itself(struct tie *t, const struct phrase *f)
{
    if (clause_name(t->p->clause, f->to - 1) && !relate_is(t->p, f->to - 1, "method,process"))
        return false; /* an element or oxide: measure.c tells of it */
    WORDS(others, "its", "their", "this", "these", "our");
    WORDS(ages, "age", "ages", "time");
    const struct clause *c = t->p->clause;
    bool is_said_before = f->from > 0 && clause_word_in(c, f->from - 1, &others);
    bool is_age = f->to == f->from + 1 && clause_word_in(c, f->from, &ages);
    if (is_said_before || is_age)
        return false;
    t->head = phrase_node(t->p, f);
    if (t->head.type)
        t->head.type = "property";
    t->property = (struct phrase){ 0 };
    t->is_duration = true;
    t->confidence = FAIR - 0.1;
    return t->head.type != NULL;
}

/* "The cells were charged to 4 V at a rate of": the subject of the statement before item end.
 */
static bool clause_subject(struct tie *t, size_t end)
{
    const struct clause *c = t->p->clause;
    for (size_t k = end; k-- > 0 && k + 20 > end;) {
        if (clause_class(c, k) & (W_BREAK | W_WHICH | W_NOT) || clause_is_mark(c, k, ';') ||
            clause_is_mark(c, k, ':'))
            return false;
        bool is_verb = phrase_is_verb(t->p, k) && !(clause_class(c, k) & W_PREP);
        if (is_verb)
            return thing_subject(t, k + 1);
    }
    return false;
}

/* Whose property is at[k], which a number follows? */
bool thing_around(struct tie *t, const struct phrases *all, size_t k)
{
    const struct clause *c = t->p->clause;
    const struct phrase *f = &all->at[k];
    struct phrase owner;
    size_t prep = f->prep, start = prep == SIZE_MAX ? all->start : prep;
    if (k + 1 < all->n && (clause_is_word(c, prep, "with") || clause_is_word(c, prep, "of"))) {
        struct phrases near = *all;
        for (size_t j = k + 1; j < near.n; j++) /* "precipitated from a brine with a" */
            if (near.at[j].is_behind_verb)
                near.n = j;
        t->head = thing_of(t, &near, k + 1);
        t->from = all->start;
        if (t->head.type)
            return true;
    }
    struct phrase next;
    if ((start == 1 || prep == 0) && clause_is_word(c, 0, "with") &&
        clause_is_mark(c, t->i + 1, ',') && clause_class(c, t->i + 2) & W_DET &&
        phrase_right(t->p, t->i + 2, &next)) {
        t->head = phrase_node(t->p, &next); /* "With a depth of 85 m, the lake is" */
        t->from = 0;
        return t->head.type != NULL;
    }
    if (prep == SIZE_MAX && start > 0 && clause_class(c, start - 1) & W_PREP)
        start--; /* "exposed over an area of", "grew to a height of" */
    if (thing_subject(t, start))
        return true;
    t->from = start;
    bool is_listed = start > 1 && (clause_class(c, start - 1) & W_AND ||
                                   (clause_is_mark(c, start - 1, ',') && t->last &&
                                    t->last->is_subject && t->last->i + 2 >= start));
    if (prep == SIZE_MAX && is_listed && t->last && t->last->head.type &&
        strcmp(t->last->head.type, "property") != 0 && t->last->i + 4 > start) {
        t->head = t->last->head;
        return true;
    }
    bool is_aside = start > 0 && clause_is_mark(c, start - 1, ',');
    struct phrases before;
    if (is_aside && (prep != SIZE_MAX) && phrases_left(t->p, start - 1, &before)) {
        t->head = thing_of(t, &before, 0); /* "the summit, at an altitude of" */
        t->from = before.start;
        if (t->head.type)
            return true;
    }
    if (thing_right(t, t->i + 1))
        return true;
    if (thing_split(t, &t->property, &owner)) {
        t->head = phrase_node(t->p, &owner);
        return t->head.type != NULL;
    }
    if (k + 1 < all->n) {
        t->head = thing_of(t, all, k + 1);
        t->from = all->start;
    }
    if (t->head.type)
        return true;
    bool is_adverbial = start > 0 && prep != SIZE_MAX;
    if (is_adverbial && clause_subject(t, start)) {
        t->confidence = FAIR - 0.1;
        return true;
    }
    return thing_itself(t, f);
}
