// SPDX-License-Identifier: MIT
/*
 * thing.c — numbers of properties ("a porosity of 20 %") and the things that have them
 *
 * What has a value may be in no vocabulary: "the upper unit", "vent fluids". Then it is a node
 * of type "thing" that means something in its paper alone, as labels of samples do; it is only
 * made where the grammar ties it to the number: subject of the verb, owner of the property,
 * noun before the bracket. The property goes into `of`, but where the relation says it.
 */
#include "phrase.h"

#include <math.h>

/* One quantity being tied. */
struct tie {
    struct pass *p;
    size_t i;         /* its item */
    size_t left;      /* first item of its leading words ("up to"), else i */
    unsigned units;   /* P_ bit of its unit */
    struct node head; /* of the answer */
    const char *verb; /* property that the verb says ("weighs"), or NULL */
    struct phrase property;
    const char *word; /* property that an adjective says, or NULL */
    struct quantity value;
    const struct tie *last; /* the one read before in the sentence, or NULL */
    bool is_bare;           /* the property says no more than the unit */
    bool is_share;          /* the property is what the head holds so much of */
    bool is_duration;       /* a time that is no age, or a value of what is not said */
    size_t from;            /* farthest item left that takes part */
    double confidence;
};

static unsigned units_of(const struct pass *p, const struct quantity *q)
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
        return P_OTHER;
    }
}

static bool is_any(const struct clause *c, size_t i, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (clause_is_word(c, i, words[k]))
            return true;
    return false;
}

/* "up to", "about", "less than" before the number at item i: their first item. */
static size_t leading(const struct clause *c, size_t i)
{
    static const char *const words[] = {
        "about",     "ca",       "approximately", "around", "nearly",  "almost",
        "roughly",   "only",     "some",          "up",     "just",    "more",
        "less",      "least",    "most",          "c",      "circa",   "typically",
        "generally", "commonly", "usually",       "often",  "locally", "mostly",
        "currently", "greater",  "better",        "higher", "lower",
    };
    while (i > 0) {
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
        if (is_at)
            i -= 2;
        else if (clause_is_word(c, i - 1, "as") && i > 2 && clause_is_word(c, i - 3, "as"))
            i -= 3;
        else if (is_than || is_mark || is_any(c, i - 1, words, ARRAY_LEN(words)))
            i--;
        else
            break;
    }
    return i;
}

/* ---- words of the property
 * ------------------------------------------------------------------ */

/* "ηnet", "SBET", "p0", "Eg": what is written for a quantity in a formula. */
static bool is_symbol(const struct clause *c, size_t i)
{
    struct sv text = clause_text(c, i);
    unsigned n_upper = 0, n_other = 0, n = 0;
    if (i >= c->n || c->items[i].kind != ITEM_WORD || clause_class(c, i))
        return false;
    for (size_t k = 0; k < text.n; k++, n++) {
        unsigned char ch = (unsigned char)text.p[k];
        n_upper += ch >= 'A' && ch <= 'Z';
        n_other += ch >= 0x80 || (ch >= '0' && ch <= '9');
    }
    bool has_letter = n_upper || n_other < n;
    return has_letter && n > 1 && n <= 6 && (n_upper || n_other) &&
           !(n > 3 && n_upper == 1 && !n_other);
}

/* Does the phrase end in a property that can have this unit? Or in a word that stands for one
 * ("values")? */
static bool is_property(const struct tie *t, const struct phrase *f)
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
    if (last > f->from && is_symbol(c, last) && !property_units(clause_text(c, last)))
        last--; /* "a radius R of" */
    return (property_units(clause_text(c, last)) & t->units) != 0;
}

static bool is_empty(const struct tie *t, const struct phrase *f)
{
    const struct clause *c = t->p->clause;
    for (size_t i = f->from; i < f->to; i++)
        if (!property_is_empty(clause_text(c, i)) &&
            !(i + 1 < f->to && phrase_is_pointing(c, i)))
            return false;
    return true;
}

static bool is_technical(const struct tie *t, const struct phrase *f)
{
    for (size_t i = f->from; i < f->to; i++)
        if (property_is_technical(clause_text(t->p->clause, i)))
            return true;
    return false;
}

/* Words before the noun that belong to the property and not to its owner. */
static bool is_of_property(const struct clause *c, size_t i)
{
    static const char *const words[] = {
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
    struct sv text = clause_text(c, i);
    for (size_t k = 0; k < ARRAY_LEN(words); k++) /* names as well: "melting" */
        if (vocab_word_is(text, words[k]))
            return true;
    if (property_is_empty(text) || (property_units(text) && c->items[i].kind == ITEM_WORD))
        return true;
    if (c->items[i].kind != ITEM_WORD)
        return clause_is_mark(c, i, '-');
    return sv_ends(text, SV("al")) || sv_ends(text, SV("ic")) || sv_ends(text, SV("ive")) ||
           sv_ends(text, SV("ed")) || sv_ends(text, SV("ing")) || sv_ends(text, SV("est"));
}

/* "sandstone porosity": the owner in front of its property; false: none is named there. */
static bool split_owner(const struct tie *t, struct phrase *f, struct phrase *owner)
{
    static const char *const fixed[] = { "number", "coefficient", "constant", "factor",
                                         "index",  "gradient",    "exponent" };
    const struct clause *c = t->p->clause;
    size_t k = f->to - 1;
    if (is_any(c, k, fixed, ARRAY_LEN(fixed)))
        return false;
    while (k > f->from && is_of_property(c, k - 1))
        k--;
    bool is_kind = vocab_word_is(clause_text(c, f->from), "water") ||
                   vocab_word_is(clause_text(c, f->from), "surface");
    if (k == f->from + 1 && is_kind)
        return false; /* "water depth" */
    *owner = (struct phrase){ f->from, k, SIZE_MAX };
    if (k == f->from)
        return false;
    f->from = k;
    return true;
}

/* ---- things
 * --------------------------------------------------------------------------------- */

static bool is_portion(const struct tie *t, const struct phrase *f)
{
    static const char *const words[] = {
        "layer",   "layers", "bed",    "beds",     "part",  "parts", "interval", "intervals",
        "piece",   "pieces", "body",   "sequence", "slab",  "unit",  "majority", "portion",
        "section", "mass",   "masses", "crystal",  "grain", "most",  "surface",
    };
    const struct clause *c = t->p->clause;
    return is_any(c, f->to - 1, words, ARRAY_LEN(words)) || relate_is_carrier(t->p, f->to - 1);
}

/* The thing that phrases at[k] … at[n - 1] speak of: the one the others hang on, or what that
 * is a portion or a property of. */
static struct node owner_of(const struct tie *t, const struct phrases *all, size_t k)
{
    const struct clause *c = t->p->clause;
    for (size_t j = all->n; j-- > k;) {
        const struct phrase *f = &all->at[j];
        bool has_inner = j > k;
        bool is_of = has_inner && clause_is_word(c, all->at[j - 1].prep, "of");
        static const char *const sides[] = { "formation", "fusion", "mixing", "reaction" };
        bool is_side = (property_units(clause_text(c, f->to - 1)) != 0 &&
                        c->items[f->to - 1].kind == ITEM_WORD) ||
                       is_any(c, f->to - 1, sides, ARRAY_LEN(sides)) ||
                       relate_is(t->p, f->to - 1, "element,oxide");
        if (is_of && (is_portion(t, f) || is_empty(t, f)))
            continue;
        if (has_inner && is_side)
            continue;
        return phrase_node(t->p, f);
    }
    return (struct node){ 0 };
}

/* The subject of the verb group that ends before item `end`. */
static bool subject_of(struct tie *t, size_t end)
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
    if (!has_verb || !phrases_left(t->p, k, &all))
        return false;
    t->from = all.start;
    t->head = owner_of(t, &all, 0);
    return t->head.type != NULL;
}

/* "… was obtained for olivine", "… in the catchment": behind the number. */
static bool owner_right(struct tie *t, size_t k)
{
    static const char *const preps[] = { "for",     "in",     "of",    "on",     "at",   "from",
                                         "beneath", "within", "below", "across", "along" };
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
    if (!is_any(c, k, preps, ARRAY_LEN(preps)) || !phrase_right(t->p, k + 1, &f))
        return false;
    while (is_portion(t, &f) && clause_is_word(c, f.to, "of") &&
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

/* ---- ways of saying it
 * ---------------------------------------------------------------------- */

/* The property alone, when nobody says whose: "mass loss rates of". */
static bool own_head(struct tie *t, const struct phrase *f)
{
    if (f->to - f->from < 2)
        return false; /* "the depth is": of what? */
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
    for (size_t k = end; k-- > 0 && k + 14 > end;) {
        if (clause_class(c, k) & (W_BREAK | W_WHICH | W_NOT) || clause_is_mark(c, k, ';') ||
            clause_is_mark(c, k, ',') || clause_is_mark(c, k, ':'))
            return false;
        bool is_verb = phrase_is_verb(t->p, k) && !(clause_class(c, k) & W_PREP);
        if (is_verb)
            return subject_of(t, k + 1);
    }
    return false;
}

/* Whose property is at[k], which a number follows? */
static bool owner_around(struct tie *t, const struct phrases *all, size_t k)
{
    const struct clause *c = t->p->clause;
    const struct phrase *f = &all->at[k];
    struct phrase owner;
    size_t prep = f->prep, start = prep == SIZE_MAX ? all->start : prep;
    if (k + 1 < all->n && (clause_is_word(c, prep, "with") || clause_is_word(c, prep, "of"))) {
        t->head = owner_of(t, all, k + 1);
        t->from = all->start;
        if (t->head.type)
            return true;
    }
    if (prep == SIZE_MAX && start > 0 && clause_is_word(c, start - 1, "to"))
        start--;
    if (subject_of(t, start))
        return true;
    t->from = start;
    if (prep == SIZE_MAX && start > 1 && clause_class(c, start - 1) & W_AND && t->last &&
        t->last->head.type && t->last->i + 4 > start) {
        t->head = t->last->head;
        return true;
    }
    bool is_aside = start > 0 && clause_is_mark(c, start - 1, ',');
    struct phrases before;
    if (is_aside && (prep != SIZE_MAX) && phrases_left(t->p, start - 1, &before)) {
        t->head = owner_of(t, &before, 0); /* "the summit, at an altitude of" */
        t->from = before.start;
        if (t->head.type)
            return true;
    }
    if (owner_right(t, t->i + 1))
        return true;
    if (split_owner(t, &t->property, &owner)) {
        t->head = phrase_node(t->p, &owner);
        return t->head.type != NULL;
    }
    if (k + 1 < all->n) {
        t->head = owner_of(t, all, k + 1);
        t->from = all->start;
    }
    if (t->head.type)
        return true;
    bool is_adverbial = start > 0 && prep != SIZE_MAX;
    if (is_adverbial && clause_subject(t, start)) {
        t->confidence = FAIR - 0.1;
        return true;
    }
    return own_head(t, f);
}

/* "has a porosity of 20 %", "at a depth of 35 km", "a temperature of 1200 °C was obtained for",
 * "depths between 5 and 10 m" */
static bool read_of(struct tie *t)
{
    static const char *const links[] = { "of", "between", "from" };
    const struct clause *c = t->p->clause;
    struct phrases all;
    size_t k = 0, end = t->left;
    bool has_of = end > 0 && is_any(c, end - 1, links, ARRAY_LEN(links));
    end -= has_of;
    if (!has_of && end > 0 && clause_is_mark(c, end - 1, '='))
        return false;
    if (!phrases_left(t->p, end, &all) || all.at[0].to != end ||
        (t->units & P_NUMBER && clause_is_word(c, all.start - 1, "at") && all.start > 0) ||
        (t->units & P_NUMBER && all.at[0].prep != SIZE_MAX &&
         clause_is_word(c, all.at[0].prep, "at")))
        return false;
    while (k + 1 < all.n && is_empty(t, &all.at[k]))
        k++;
    struct phrase *f = &all.at[k];
    t->from = all.start;
    if (is_technical(t, f))
        return false;
    if (is_empty(t, f)) /* "a value of 111 MPa was measured for" */
    {
        t->confidence = FAIR - 0.1;
        t->is_duration = (t->units & P_HEAT) == 0;
        return owner_right(t, t->i + 1);
    }
    t->confidence = FAIR + 0.05;
    t->property = *f;
    if (is_property(t, f))
        return owner_around(t, &all, k);
    size_t top = all.n - 1;
    if (has_of && top > 0 && is_property(t, &all.at[top]) && !is_empty(t, &all.at[top]) &&
        !is_technical(t, &all.at[top])) {
        t->property = all.at[top]; /* "a concentration in the soil of 0.5 wt%" */
        all.n = top;
        t->head = owner_of(t, &all, 0);
        return t->head.type != NULL;
    }
    bool is_thing = has_of && clause_is_word(c, t->left - 1, "of") && k == 0 &&
                    all.has_article && all.n == 1 &&
                    !(t->units & (P_NUMBER | P_SHARE | P_HEAT | P_FORCE));
    if (!is_thing || clause_name(c, f->to - 1))
        return false; /* "a hiatus of 5 Myr" */
    t->property = (struct phrase){ 0 };
    t->is_duration = true;
    t->head = phrase_node(t->p, f);
    t->from = all.start;
    t->confidence = FAIR - 0.1;
    return t->head.type != NULL;
}

/* Words between a subject and its number. *has_verb: one of them says it is its value. */
static size_t link_start(struct tie *t, bool *has_verb)
{
    static const char *const verbs[] = {
        "is",        "was",       "are",       "were",      "be",       "been",
        "ranges",    "range",     "ranged",    "ranging",   "varies",   "vary",
        "varied",    "varying",   "reach",     "reaches",   "reached",  "exceed",
        "exceeds",   "exceeded",  "averages",  "average",   "averaged", "averaging",
        "equals",    "remained",  "remains",   "totals",    "attains",  "attained",
        "spans",     "measures",  "weighs",    "weigh",     "dips",     "dip",
        "increases", "increased", "decreases", "decreased", "rose",     "rises",
        "fell",      "falls",     "dropped",   "lies",      "lie",      "approaches",
        "exceeding", "stays",     "amounts",   "covers",    "declined", "declines",
        "converge",  "reaching",  "extends",
    };
    static const char *const others[] = {
        "from",        "between",  "to",       "at",     "near",       "estimated",
        "calculated",  "measured", "reported", "found",  "determined", "inferred",
        "constrained", "equal",    "as",       "low",    "high",       "large",
        "small",       "in",       "well",     "below",  "above",      "under",
        "thus",        "also",     "always",   "within", "close",
    };
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    *has_verb = false;
    while (k > 0) {
        struct sv word = clause_text(c, k - 1);
        const char *property = property_of_verb(word);
        if (property && !*has_verb)
            t->verb = property;
        if (is_any(c, k - 1, verbs, ARRAY_LEN(verbs)) && !(clause_class(c, k - 2) & W_DET))
            *has_verb = true;
        else if (clause_is_mark(c, k - 1, '=') || clause_is_mark(c, k - 1, ':'))
            *has_verb = true;
        else if (!is_any(c, k - 1, others, ARRAY_LEN(others)) &&
                 !(clause_class(c, k - 1) & (W_AUX | W_HEDGE)) &&
                 !(c->items[k - 1].kind == ITEM_WORD && sv_ends(word, SV("ly"))))
            break;
        k--;
    }
    return k;
}

/* "The porosity of the sandstone is", "the melt density was", "annual precipitation is" */
static bool read_link(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrases all;
    struct phrase owner;
    bool has_verb;
    size_t k = link_start(t, &has_verb);
    if (!has_verb || !phrases_left(t->p, k, &all))
        return false;
    size_t top = all.n - 1;
    t->from = all.start;
    t->confidence = FAIR;
    if (k < t->left && clause_is_mark(c, k, '=') && !is_property(t, &all.at[top]))
        return false; /* "a spectrum with fp = 0.5 Hz" */
    while (top > 0 && is_empty(t, &all.at[top]))
        top--;
    struct phrase *f = &all.at[top];
    if (is_technical(t, f))
        return false;
    all.n = top + 1;
    if (is_property(t, f) && !is_empty(t, f)) {
        t->property = *f;
        t->confidence = FAIR + 0.05;
        if (top > 0) {
            all.n = top;
            t->head = owner_of(t, &all, 0);
            if (!t->head.type && split_owner(t, &t->property, &owner))
                t->head = phrase_node(t->p, &owner);
            return t->head.type != NULL || own_head(t, f);
        }
        bool is_content = clause_class(c, f->to - 1) & W_CONTENT;
        if (is_content && owner_right(t, t->i + 1))
            return true; /* "illite contents are 40 % in the clay fraction" */
        if (split_owner(t, &t->property, &owner)) {
            t->head = phrase_node(t->p, &owner);
            t->is_bare = is_content; /* how much there is of it, in what is not said */
            return t->head.type != NULL;
        }
        return owner_right(t, t->i + 1) || own_head(t, f);
    }
    if (t->units & (P_HEAT | P_FORCE | P_TIME | P_NUMBER | P_DELTA) && !t->verb)
        return false;
    if (property_units(clause_text(c, f->to - 1)) && c->items[f->to - 1].kind == ITEM_WORD)
        return false; /* "the depth is 5 %" */
    t->head = owner_of(t, &all, 0);
    t->word = t->verb;
    t->confidence = FAIR - 0.05;
    return t->head.type != NULL;
}

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

static bool read_adjective(struct tie *t)
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
        while (is_portion(t, &f) && clause_is_word(c, f.to, "of") &&
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
    t->head = owner_of(t, &all, 0);
    return t->head.type != NULL;
}

/* "the 80% gas saturation", "a 4‰ shift": the property behind the number. */
static bool read_behind(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f, owner;
    size_t k = t->i + 1;
    k += clause_is_mark(c, k, '-');
    bool has_article = t->left > 0 && clause_class(c, t->left - 1) & W_DET;
    bool has_prep = t->left > 0 && clause_class(c, t->left - 1) & W_PREP;
    if (!phrase_right(t->p, k, &f) || f.from != k || !is_property(t, &f) ||
        is_technical(t, &f) || is_empty(t, &f))
        return false;
    t->property = f;
    t->from = t->left;
    t->confidence = FAIR - 0.05;
    struct phrases all;
    if (has_prep && phrases_left(t->p, t->left - 1, &all)) { /* "tubes of 60 mm diameter" */
        t->head = owner_of(t, &all, 0);
        t->from = all.start;
        if (t->head.type)
            return true;
    }
    if ((has_article || has_prep) && subject_of(t, t->left - 1))
        return true;
    if (owner_right(t, f.to))
        return true;
    if (split_owner(t, &t->property, &owner))
        t->head = phrase_node(t->p, &owner);
    return t->head.type != NULL || own_head(t, &f);
}

/* "the upper unit (45 m)", "sandstones (porosity 20%)", "porosity (20%) of": in a bracket. */
static bool read_bracket(struct tie *t)
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
        if (!phrases_left(t->p, open, &inner) || inner.n != 1 || !is_property(t, inner.at) ||
            is_technical(t, inner.at))
            return false;
        t->property = inner.at[0];
        open = inner.start;
    }
    bool is_closed = clause_is_mark(c, t->i + 1, ')') || clause_is_mark(c, t->i + 1, ';') ||
                     clause_is_mark(c, t->i + 1, ',');
    if (open == 0 || !clause_is_mark(c, open - 1, '(') || !is_closed ||
        !phrases_left(t->p, open - 1, &all) || all.at[0].to != open - 1 ||
        is_technical(t, all.at))
        return false;
    t->from = open - 1;
    t->confidence = is_named ? FAIR : FAIR - 0.1;
    if (!is_named && is_property(t, all.at)) {
        t->property = all.at[0];
        return all.n > 1 ? (t->head = owner_of(t, &all, 1)).type != NULL
                         : owner_right(t, clause_bracket(c, open - 1) + 1);
    }
    if (!is_named && t->units & (P_NUMBER | P_DELTA | P_HEAT | P_FORCE))
        return false;
    t->head = phrase_node(t->p, &all.at[0]);
    return t->head.type != NULL;
}

/* "Garnet grew at 650 °C and 1.2 GPa", "the event occurred at 2.7 Ga" */
static bool read_at(struct tie *t)
{
    static const char *const joints[] = { "at",      "and",  "to",    "below", "above",
                                          "between", "from", "under", "near",  "or" };
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    bool has_at = false, has_form = false;
    unsigned wanted = t->units & P_TIME ? W_DATE : W_FORM;
    if (!(t->units & (P_HEAT | P_FORCE | P_TIME)))
        return false;
    for (; k > 0; k--) {
        bool is_joint =
            is_any(c, k - 1, joints, ARRAY_LEN(joints)) || clause_is_mark(c, k - 1, ',');
        const struct quantity *q = clause_quantity(c, k - 1);
        if (q && t->units & P_TIME)
            return false;
        if (!is_joint && !q && leading(c, k) == k)
            break;
        has_at |= is_joint;
    }
    static const char *const more[] = { "stable",     "breaks",   "down",     "trapped",
                                        "stored",     "reached",  "attained", "melts",
                                        "melt",       "melted",   "erupted",  "homogenise",
                                        "homogenize", "recorded", "occurred", "formed",
                                        "record" };
    size_t end = k;
    for (; k > 0 && end - k < 3; k--) {
        bool is_form =
            clause_class(c, k - 1) & wanted || is_any(c, k - 1, more, ARRAY_LEN(more));
        if (!is_form && !(clause_class(c, k - 1) & W_AUX))
            break;
        has_form |= is_form;
    }
    struct phrases all;
    if (!has_at || !has_form || !phrases_left(t->p, k, &all))
        return false;
    t->head = owner_of(t, &all, 0);
    t->from = all.start;
    t->confidence = FAIR;
    return t->head.type != NULL;
}

/* "the 3.8 Ga Isua belt" */
static bool read_dated(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f;
    size_t k = t->i + 1;
    if (!(t->units & P_TIME) || t->left == 0 || !(clause_class(c, t->left - 1) & W_DET))
        return false;
    k += clause_is_mark(c, k, '-');
    k += clause_is_word(c, k, "old");
    if (!phrase_right(t->p, k, &f) || f.from != k || property_units(clause_text(c, f.to - 1)))
        return false;
    t->head = phrase_node(t->p, &f);
    t->from = t->left;
    t->confidence = FAIR - 0.05;
    return t->head.type != NULL;
}

/* "consists of 95% olivine and 3% chromite", "samples with <30% wood tissue" */
static bool read_mode(struct tie *t)
{
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    bool is_name = relate_is(t->p, t->i + 1, "mineral,rock");
    struct phrase what;
    struct phrases all;
    if (!(t->units & P_SHARE) || !phrase_right(t->p, t->i + 1, &what) ||
        what.from != t->i + 1 || is_property(t, &what) || is_technical(t, &what) ||
        property_units(clause_text(c, what.to - 1)))
        return false;
    if (is_name)
        what.to = what.from + 1;
    while (k > 0 && (clause_quantity(c, k - 1) || clause_name(c, k - 1) ||
                     clause_is_mark(c, k - 1, ',') || clause_class(c, k - 1) & W_AND ||
                     leading(c, k) < k))
        k--;
    if (k > 0 && clause_is_word(c, k - 1, "with") && phrases_left(t->p, k - 1, &all)) {
        t->head = owner_of(t, &all, 0);
        t->from = all.start;
    } else {
        if (k > 0 && clause_is_word(c, k - 1, "of"))
            k--;
        if (k == 0 ||
            !(clause_class(c, k - 1) & W_HAVE || clause_is_word(c, k - 1, "comprises") ||
              clause_is_word(c, k - 1, "consists") || clause_is_word(c, k - 1, "consist") ||
              clause_is_word(c, k - 1, "composed") || clause_is_word(c, k - 1, "comprise")) ||
            !subject_of(t, k))
            return false;
    }
    if (!t->head.type || !phrase_node(t->p, &what).type)
        return false;
    t->property = what;
    t->is_share = !is_name;
    t->confidence = is_name ? LIKELY - 0.05 : FAIR - 0.1;
    return true;
}

/* "the upper 0.8 m of the core" */
static bool read_part(struct tie *t)
{
    static const char *const places[] = { "upper", "lower", "top",    "topmost",  "uppermost",
                                          "basal", "first", "bottom", "lowermost" };
    const struct clause *c = t->p->clause;
    struct phrase f;
    if (!(t->units & P_LENGTH) || t->left == 0 ||
        !is_any(c, t->left - 1, places, ARRAY_LEN(places)) ||
        !clause_is_word(c, t->i + 1, "of") || !phrase_right(t->p, t->i + 2, &f))
        return false;
    t->head = phrase_node(t->p, &f);
    t->from = t->left - 1;
    t->confidence = FAIR - 0.1;
    return t->head.type != NULL;
}

/* "a thin (about 1 cm) slab" */
static bool read_adjective_bracket(struct tie *t)
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

/* "released 20 Mt of SO2", "the layout extracts 40.6 MW" */
static bool read_active(struct tie *t)
{
    static const struct {
        const char *stem, *property;
    } verbs[] = { { "releas", "release" },         { "emit", "emission" },
                  { "receiv", "input" },           { "extract", "extraction" },
                  { "produc", "production" },      { "discharg", "discharge" },
                  { "transport", "transport" },    { "includ", NULL },
                  { "contribut", "contribution" }, { "stor", "storage" },
                  { "inject", "injection" },       { "export", "export" },
                  { "accommodat", NULL },          { "carri", "load" } };
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    if (!(t->units & (P_OTHER | P_LENGTH)) || k < 2 || c->items[k - 1].kind != ITEM_WORD)
        return false;
    struct sv word = clause_text(c, k - 1);
    for (size_t v = 0; v < ARRAY_LEN(verbs); v++) {
        struct phrases all;
        struct sv stem = sv_from(verbs[v].stem);
        if (!sv_starts(word, stem) || word.n > stem.n + 3 || clause_class(c, k - 2) & W_AUX ||
            !phrases_left(t->p, k - 1, &all))
            continue;
        t->head = owner_of(t, &all, 0);
        t->word = verbs[v].property;
        t->from = all.start;
        t->confidence = FAIR - 0.05;
        return t->head.type != NULL;
    }
    return false;
}

/* "increased by 22%": by how much. */
static bool read_change(struct tie *t)
{
    static const struct {
        const char *verb, *property;
    } verbs[] = { { "increased", "increase" }, { "increases", "increase" },
                  { "increase", "increase" },  { "decreased", "decrease" },
                  { "decreases", "decrease" }, { "decrease", "decrease" },
                  { "rose", "increase" },      { "rises", "increase" },
                  { "fell", "decrease" },      { "dropped", "decrease" },
                  { "declined", "decrease" },  { "warmed", "increase" },
                  { "cooled", "decrease" },    { "reduced", "decrease" } };
    const struct clause *c = t->p->clause;
    struct phrases all;
    size_t k = t->left;
    if (k < 3 || !clause_is_word(c, k - 1, "by"))
        return false;
    for (size_t v = 0; v < ARRAY_LEN(verbs); v++)
        if (clause_is_word(c, k - 2, verbs[v].verb))
            t->word = verbs[v].property;
    k -= 2;
    while (k > 0 && clause_class(c, k - 1) & W_AUX)
        k--;
    if (!t->word || !phrases_left(t->p, k, &all))
        return false;
    t->head = owner_of(t, &all, 0);
    t->from = all.start;
    t->is_duration = true;
    t->confidence = FAIR - 0.05;
    return t->head.type != NULL;
}

/* "6.4 kt of CO2", "20 m of sandstone": so much of it. */
static bool read_amount(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f;
    if (!(t->units & (P_OTHER | P_LENGTH)) || !clause_is_word(c, t->i + 1, "of") ||
        !phrase_right(t->p, t->i + 2, &f) || property_units(clause_text(c, f.to - 1)))
        return false;
    t->head = phrase_node(t->p, &f);
    t->word = "amount";
    t->from = t->left;
    t->confidence = FAIR - 0.15;
    return t->head.type != NULL;
}

/* "was drilled to 810 m" */
static bool read_down_to(struct tie *t)
{
    static const char *const verbs[] = { "drilled", "buried",     "penetrated",
                                         "cored",   "subducted",  "reaches",
                                         "extends", "penetrates", "subsided" };
    const struct clause *c = t->p->clause;
    if (!(t->units & P_LENGTH) || t->left < 2 || !clause_is_word(c, t->left - 1, "to") ||
        !is_any(c, t->left - 2, verbs, ARRAY_LEN(verbs)) || !subject_of(t, t->left - 1))
        return false;
    t->word = "depth";
    t->confidence = FAIR;
    return true;
}

/* "the reflector at 630 m" */
static bool read_place(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrases all;
    if (!(t->units & P_LENGTH) || t->left < 2 || !clause_is_word(c, t->left - 1, "at") ||
        !phrases_left(t->p, t->left - 1, &all) || all.at[0].to != t->left - 1)
        return false;
    t->head = owner_of(t, &all, 0);
    t->from = all.start;
    t->confidence = FAIR - 0.15;
    return t->head.type != NULL;
}

/* "the 8.5 mm beach": the number names which; its property is not said. */
static bool read_attribute(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrase f;
    size_t k = t->i + 1;
    if (clause_class(c, k) & W_AND && clause_quantity(c, k + 1))
        k += 2; /* "the 34 °C and 38 °C options" */
    k += clause_is_mark(c, k, '-');
    if (!(t->units & (P_LENGTH | P_HEAT | P_OTHER)) || t->left == 0 ||
        !(clause_class(c, t->left - 1) & W_DET) || !phrase_right(t->p, k, &f) || f.from != k ||
        is_technical(t, &f) || clause_name(c, f.to - 1))
        return false;
    t->head = phrase_node(t->p, &f);
    t->from = t->left;
    t->confidence = FAIR - 0.15;
    return t->head.type != NULL;
}

/* "ηnet = 0.1", "Eg ≈ 2.0 eV", "SBET > 170 m2/g" */
static bool read_symbol(struct tie *t)
{
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    bool has_mark = k < t->i;
    while (k > 0 && (clause_is_mark(c, k - 1, '=') || clause_is_mark(c, k - 1, '?') ||
                     clause_is_mark(c, k - 1, '~'))) {
        has_mark = true;
        k--;
    }
    static const char *const verbs[] = { "is", "ranges", "was", "of", "from" };
    while (!has_mark && k > 1 && is_any(c, k - 1, verbs, ARRAY_LEN(verbs)))
        k--;
    if (k == 0 || k == t->i || !is_symbol(c, k - 1) ||
        property_is_technical(clause_text(c, k - 1)) ||
        (k > 1 && c->items[k - 2].kind == ITEM_MARK &&
         c->items[k - 2].end == c->items[k - 1].start && !clause_is_mark(c, k - 2, '(')))
        return false;
    t->head = (struct node){ .type = "property", .name = clause_text(c, k - 1) };
    t->from = k - 1;
    t->confidence = FAIR - 0.1;
    return true;
}

/* "225 bulk rock samples": how many there are. */
static bool read_count(struct tie *t)
{
    static const char *const nouns[] = {
        "aliquots",  "analyses",   "boreholes",  "cores",      "crystals", "dykes",
        "eruptions", "events",     "grains",     "horizons",   "lakes",    "lakes",
        "layers",    "localities", "meteorites", "outcrops",   "profiles", "rivers",
        "samples",   "sections",   "sites",      "specimens",  "species",  "spots",
        "springs",   "stations",   "units",      "volcanoes",  "wells",    "xenoliths",
        "zircons",   "chondrites", "basalts",    "inclusions", "grains",
    };
    const struct clause *c = t->p->clause;
    const struct quantity *q = clause_quantity(c, t->i);
    struct phrase f;
    if (!q->is_bare || !phrase_right(t->p, t->i + 1, &f) || f.from != t->i + 1)
        return false;
    size_t k = 0;
    while (k < ARRAY_LEN(nouns) && !vocab_word_is(clause_text(c, f.to - 1), nouns[k]))
        k++;
    if (k == ARRAY_LEN(nouns))
        return false;
    t->head = phrase_node(t->p, &f);
    t->word = "count";
    t->from = t->left;
    t->confidence = FAIR - 0.1;
    return t->head.type != NULL;
}

/* ---- the fact
 * ------------------------------------------------------------------------------- */

#define NAME_MAX 80

/* The property in its one form: without plural, "Mean" in lower case. */
static struct node property_node(const struct tie *t, char name[NAME_MAX])
{
    const struct clause *c = t->p->clause;
    const struct phrase *f = &t->property;
    if (t->word)
        return (struct node){ .type = "property", .name = sv_from(t->word) };
    if (f->to == f->from)
        return (struct node){ 0 };
    if (t->is_bare)
        return (struct node){ 0 };
    if (t->is_share)
        return phrase_node(t->p, f);
    size_t last = f->to - 1;
    if (clause_name(c, last) && f->to == f->from + 1 && !relate_is(t->p, last, "method"))
        return relate_node(t->p, last);
    bool is_content = clause_class(c, last) & W_CONTENT || clause_is_word(c, last, "grades") ||
                      clause_is_word(c, last, "grade");
    if (is_content && f->to - f->from == 2 && clause_name(c, f->from))
        return relate_node(t->p, f->from);
    if (is_empty(t, f))
        return (struct node){ 0 };
    size_t from = f->from;
    while (from + 1 < f->to && property_is_empty(clause_text(c, from)))
        from++;
    struct sv text = sv_from_to(c->text, c->items[from].start, c->items[f->to - 1].end);
    if (text.n >= NAME_MAX)
        return (struct node){ 0 };
    memcpy(name, text.p, text.n);
    size_t n = text.n;
    bool is_name = n > 1 && !(name[1] >= 'a' && name[1] <= 'z');
    if (!is_name && name[0] >= 'A' && name[0] <= 'Z')
        name[0] = (char)(name[0] | 32);
    struct sv s = { name, n };
    if (sv_ends(s, SV("ies")) && n > 4) {
        name[n - 3] = 'y';
        n -= 2;
    } else if (sv_ends(s, SV("sses"))) {
        n -= 2;
    } else if (n > 3 && name[n - 1] == 's' && name[n - 2] != 's' && name[n - 2] != 'u') {
        n--;
    }
    return (struct node){ .type = "property", .name = { name, n } };
}

static const char *relation_of(const struct tie *t, struct node *property)
{
    struct node none = { 0 };
    bool is_bare = !property->type;
    if (is_bare && t->is_duration)
        return "Has Value";
    const char *relation = t->units & P_HEAT    ? "Has Temperature"
                           : t->units & P_FORCE ? "Has Pressure"
                           : t->units & P_TIME  ? "Has Age"
                                                : "Has Value";
    static const struct {
        const char *property, *relation;
    } own[] = { { "temperature", "Has Temperature" },
                { "pressure", "Has Pressure" },
                { "age", "Has Age" },
                { "depth", "Has Depth" },
                { "water depth", "Has Depth" } };
    for (size_t i = 0; !is_bare && i < ARRAY_LEN(own); i++)
        if (sv_ieq(property->name, sv_from(own[i].property)) &&
            strcmp(property->type, "property") == 0) {
            *property = none;
            return own[i].relation;
        }
    if (is_bare)
        return relation;
    if (t->units & P_SHARE &&
        (strcmp(property->type, "property") != 0 || sv_ends(property->name, SV("content")) ||
         sv_ends(property->name, SV("concentration")) ||
         sv_ends(property->name, SV("abundance"))))
        return "Has Concentration";
    bool is_age = t->units & P_TIME && sv_ends(property->name, SV("age"));
    bool is_state = t->units & P_HEAT && sv_ends(property->name, SV("temperature"));
    bool is_force = t->units & P_FORCE && sv_ends(property->name, SV("pressure"));
    return is_age || is_state || is_force ? relation : "Has Value";
}

static void add(struct tie *t)
{
    struct pass *p = t->p;
    char name[NAME_MAX];
    struct node property = property_node(t, name);
    const char *relation = relation_of(t, &property);
    double confidence = relate_weigh(p, t->from, t->i, t->confidence);
    if (confidence <= 0)
        return;
    struct fact f = {
        .head = t->head,
        .tail = { "value", SV_NONE },
        .relation = relation,
        .value = &t->value,
        .of = property,
        .confidence = confidence,
        .extractor = p->extractor,
        .start = p->clause->start,
        .end = p->clause->end,
        .experiment = p->experiment,
    };
    sink_add(p->sink, &f);
}

/* "were digested": a recipe. */
static bool is_recipe(const struct clause *c)
{
    for (size_t i = 1; i < c->n; i++)
        if (c->items[i].kind == ITEM_WORD && clause_class(c, i - 1) & W_AUX &&
            property_is_laboratory(clause_text(c, i)))
            return true;
    return false;
}

/* "by 2 km", "for 12 h", "within 5 m", "after 10": a difference, a span. */
static bool is_span(const struct clause *c, size_t left)
{
    static const char *const words[] = { "by",     "for",   "within", "during", "after",
                                         "before", "every", "each",   "since",  "per",
                                         "over",   "until", "last",   "using",  "than" };
    return left > 0 && is_any(c, left - 1, words, ARRAY_LEN(words));
}

/* Try every way of saying it. */
static bool read_any(struct tie *t)
{
    static bool (*const ways[])(struct tie *) = {
        read_adjective,
        read_mode,
        read_down_to,
        read_of,
        read_link,
        read_behind,
        read_bracket,
        read_at,
        read_dated,
        read_part,
        read_count,
        read_active,
        read_adjective_bracket,
        read_symbol,
        read_amount,
        read_attribute,
        read_place,
    };
    struct tie blank = *t;
    for (size_t w = 0; w < ARRAY_LEN(ways); w++) {
        *t = blank;
        if (ways[w](t))
            return true;
    }
    return false;
}

/* "2614 and 2619 m", "60 or 63 mm": the number before has the unit of this one. */
static struct quantity with_unit(const struct clause *c, size_t i)
{
    struct quantity q = *clause_quantity(c, i);
    for (size_t k = i; q.unit == UNIT_NONE && k + 2 < c->n && k < i + 12; k += 2) {
        const struct quantity *next = clause_quantity(c, k + 2);
        bool is_joint = clause_class(c, k + 1) & W_AND || clause_is_mark(c, k + 1, ',');
        if (!is_joint || !next)
            break;
        q.unit = next->unit;
        q.unit_text = next->unit_text;
    }
    return q;
}

/* Is the quantity the next of a list that `last` was read of? */
static bool is_next(const struct tie *t, const struct tie *last)
{
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    while (k > 0 && (clause_class(c, k - 1) & W_AND || clause_is_mark(c, k - 1, ',')))
        k--;
    return last->head.type && k < t->left && k == last->i + 1 && t->units == last->units;
}

static bool is_wanted(const struct pass *p, size_t i)
{
    const struct quantity *q = clause_quantity(p->clause, i);
    return q && !(q->is_year && q->unit == UNIT_NONE) && !q->is_vague &&
           !relate_is_tied(p, i) && !relate_is_paired(p, i);
}

void measure_things(struct pass *p)
{
    const struct clause *c = p->clause;
    struct tie last = { 0 };
    if (!c->n_quantities || is_recipe(c))
        return;
    for (size_t i = 0; i < c->n; i++) {
        if (!is_wanted(p, i))
            continue;
        struct tie t = {
            .p = p, .i = i, .left = leading(c, i), .value = with_unit(c, i), .last = &last
        };
        t.units = units_of(p, &t.value);
        if (is_next(&t, &last)) {
            struct tie same = last;
            same.i = i;
            same.value = t.value;
            t = same;
        } else if (is_span(c, t.left) ? !read_change(&t) : !read_any(&t)) {
            continue;
        }
        bool is_region = t.units & P_TIME && !t.is_duration &&
                         strcmp(t.head.type, "location") == 0 && !measure_is_body(p, t.head);
        if (is_region) /* things there are dated */
            continue;
        last = t;
        add(&t);
    }
}
