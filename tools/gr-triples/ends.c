// SPDX-License-Identifier: MIT
/*
 * ends.c — the names left and right of a cue that it binds
 */
#include "cue.h"

#include "phrase.h"

#define W_CONTENT_LINK (unsigned)(W_CONTENT | W_LINK)

/* "An aluminosilicate one", "Ordovician rocks are associated with": the name says which kind of
 * the noun behind it is meant, and is not what the sentence speaks of. */
static bool is_kind(const struct clause *c, size_t i, struct sv types)
{
    WORDS(nouns, "beds", "deposits", "rocks", "sequence", "strata", "succession", "units");
    if (clause_is_word(c, i + 1, "one") || clause_is_word(c, i + 1, "ones"))
        return true;
    return sv_starts(types, SV("any")) && i + 1 < c->n &&
           strcmp(clause_name(c, i)->type, "geologic_time") == 0 &&
           words_have(&nouns, clause_text(c, i + 1));
}

/* "Olivine with 0.4 wt% NiO coexists with": how much there is in another name. */
static bool is_share(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    return i > 1 && clause_quantity(c, i - 1) && relate_is(p, i, "element,oxide") &&
           (clause_class(c, i - 2) & (W_AND | W_PREP) || clause_is_mark(c, i - 2, ','));
}

/* A name that only describes another ("basalt-hosted fluids") or is half of a quotient
 * ("kaolinite/illite") is no end of a fact. */
static bool is_eligible(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    const struct entity *e = clause_name(c, i);
    if (!e || !relate_is_name(p, e, types))
        return false;
    if (is_kind(c, i, types))
        return false;
    bool is_mineral = strcmp(e->type, "mineral") == 0 || strcmp(e->type, "rock") == 0;
    if (is_mineral &&
        (clause_is_mark(c, i + 1, '/') || (i > 0 && clause_is_mark(c, i - 1, '/'))))
        return false;
    return !(clause_is_mark(c, i + 1, '-') && i + 2 < c->n &&
             c->items[i + 2].kind != ITEM_MARK && c->items[i + 1].start == e->end &&
             c->items[i + 2].start == c->items[i + 1].end);
}

/* First item of the list of phrases that the name at item i ends: "from Norway and China". */
static size_t list_start(const struct clause *c, size_t i)
{
    size_t k = clause_phrase_start(c, i), single = k;
    const char *type = clause_name(c, i)->type;
    /* not of rocks: "derived from peridotite and gabbros derived from" */
    if (strcmp(type, "location") != 0 && strcmp(type, "element") != 0)
        return k;
    for (bool is_list = false; k >= 3; is_list = true) {
        size_t joint = k - 1;
        bool is_and = (clause_class(c, joint) & W_AND) != 0;
        joint -= is_and && clause_is_mark(c, joint - 1, ',');
        if (!is_and && !(is_list && clause_is_mark(c, joint, ',')))
            break;
        const struct entity *e = clause_name(c, joint - 1);
        if (!e || strcmp(e->type, type) != 0)
            break;
        k = clause_phrase_start(c, joint - 1);
    }
    return k > 0 && clause_is_word(c, k - 1, "to") ? single : k;
}

/* First item of the phrase behind the preposition that the name at item i hangs on, over two
 * adjectives ("with high Sr/Y", "in fresh olivine"); what list_start says when it hangs on
 * none.
 */
static size_t hung_start(const struct clause *c, size_t i)
{
    size_t start = list_start(c, i);
    for (size_t k = start, n = 0; k > 0 && n < 3; k--, n++) {
        unsigned class = clause_class(c, k - 1);
        if (class & W_PREP && !(class & W_USING))
            return k;
        if (class & W_PREP && clause_is_word(c, k - 1, "with"))
            return k;
        bool is_plain = c->items[k - 1].kind == ITEM_WORD &&
                        (!class || class == W_DET || clause_is_word(c, k - 1, "high") ||
                         clause_is_word(c, k - 1, "low"));
        if (!is_plain)
            break;
    }
    return start;
}

/* May the name at item i, which hangs on a noun that is no name, still be meant? "Rims of
 * garnet contain", not "fluids in the granite contain", "rocks from Hawaii contain". */
static bool may_stand(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    const struct entity *e = clause_name(c, i);
    size_t k = e ? hung_start(c, i) : 0;
    if (!e || k == 0 || !(clause_class(c, k - 1) & W_PREP) || clause_is_word(c, k - 1, "by"))
        return true;
    if (strcmp(e->type, "location") == 0)
        return false;
    bool is_from = clause_is_word(c, k - 1, "of") || clause_is_word(c, k - 1, "from");
    if (k > 1 && is_from && relate_is_carrier(p, k - 2))
        return true;
    return clause_is_word(c, k - 1, "of");
}

/* "The solubility of zircon increases with": not the zircon does. */
static bool is_of_another(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = clause_name(c, i) ? clause_phrase_start(c, i) : 0;
    return k > 1 && clause_is_word(c, k - 1, "of") && c->items[k - 2].kind == ITEM_WORD &&
           property_units(clause_text(c, k - 2)) && !(clause_class(c, k - 2) & W_CONTENT);
}

/* "No carbonates were found in the target X, but it contains": they are not "it". */
static bool is_plural(struct sv name)
{
    return name.n > 3 && sv_ends(name, SV("s")) && !sv_ends(name, SV("ss")) &&
           !sv_ends(name, SV("us")) && !sv_ends(name, SV("is"));
}

/* "The lava is altered; it has no olivine": what the clause before the pronoun at item i is
 * about, its first name that hangs on no other; SIZE_MAX: none. */
static size_t antecedent(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    bool is_pronoun = clause_is_word(c, i, "it") || clause_is_word(c, i, "they");
    size_t joint = i;
    while (joint > 0 && (clause_class(c, joint - 1) & (W_AND | W_BREAK)))
        joint--;
    if (!is_pronoun || joint == 0 ||
        !(clause_is_mark(c, joint - 1, ';') || clause_is_mark(c, joint - 1, ',')))
        return SIZE_MAX;
    bool is_one = clause_is_word(c, i, "it");
    for (size_t k = joint > 60 ? joint - 60 : 0; k < joint; k++) {
        if (!clause_name(c, k) || (is_one && is_plural(clause_text(c, k))) ||
            (k > 0 && clause_class(c, clause_phrase_start(c, k) - 1) & W_PREP &&
             !relate_is(p, k, "sample")))
            continue;
        while (clause_name(c, k + 1)) /* "gold mineralization" */
            k++;
        return is_eligible(p, k, types) ? k : SIZE_MAX;
    }
    return SIZE_MAX;
}

/* Where the walk left of a cue stands. */
struct walk {
    size_t best; /* SIZE_MAX: no end yet */
    unsigned budget;
    bool is_hung; /* best hangs on a noun further left */
};

/* Over the name at *i, and the preposition it hangs on. Does the walk end there? */
static bool step_name(const struct pass *p, struct walk *w, size_t *i, struct sv types)
{
    const struct clause *c = p->clause;
    if (is_share(p, *i) && w->best == SIZE_MAX) { /* "with 5 ppm Nb and 0.4 wt% NiO coexists" */
        *i -= clause_class(c, *i - 2) & W_AND ? 2 : 1;
        w->budget -= w->budget > 0;
        return false;
    }
    size_t k = hung_start(c, *i);
    bool is_compared = k > 0 && clause_is_word(c, k - 1, "than"); /* "elements less than Sm" */
    /* "whole-rock analyses of the andesites yield" */
    bool is_modifier = w->is_hung &&
                       clause_class(c, *i + 1) & (W_MEASURE | W_CONTENT | W_LINK) &&
                       !(clause_class(c, *i + 1) & (W_PREP | W_AUX)) &&
                       !relate_is(p, *i, "element,oxide,isotope,isotope_ratio,isotope_delta");
    if (is_modifier)
        return true;
    if (is_eligible(p, *i, types) && !is_compared) {
        w->best = *i;
        w->is_hung = false;
    }
    if (is_compared && w->budget > 1) {
        *i = k - 1;
        w->budget -= 2;
        return false;
    }
    if (k > 0 && clause_class(c, k - 1) & W_PREP && !clause_is_word(c, k - 1, "by") &&
        w->budget > 1) {
        w->is_hung = w->best == *i || w->is_hung;
        *i = k - 1;
        w->budget -= 2;
        return false;
    }
    if (w->best != SIZE_MAX || w->budget < 2)
        return true;
    w->budget -= 2;
    return false;
}

/* "Basalts, which contain olivine, overlie", "the skarn, composed of garnet, replaced": from
 * the comma at item i before a verb to the one that opens what it closes, or i: "the skarn,
 * composed of garnet". */
static size_t insertion(const struct clause *c, size_t i)
{
    for (size_t k = i; k-- > 0 && k + 24 > i;) {
        bool is_but = clause_is_word(c, k, "but") && clause_class(c, k + 1) & W_NOT;
        if ((clause_class(c, k) & W_BREAK && !is_but) || clause_is_mark(c, k, ';'))
            break;
        if (clause_is_mark(c, k, ',') &&
            (clause_class(c, k + 1) & W_WHICH || sv_ends(clause_text(c, k + 1), SV("ed")) ||
             sv_ends(clause_text(c, k + 1), SV("ing")) || clause_class(c, k + 1) & W_NOT ||
             (clause_is_word(c, k + 1, "but") && clause_class(c, k + 2) & W_NOT)))
            return k;
    }
    return i;
}

/* Over the word or mark at *i. Does the walk end there? */
static bool step_plain(const struct pass *p, const struct cue *q, struct walk *w, size_t *i)
{
    const struct clause *c = p->clause;
    unsigned class = clause_class(c, *i);
    bool is_word = c->items[*i].kind == ITEM_WORD;
    bool is_dash = w->is_hung && clause_is_mark(c, *i, '-'); /* "Basalt GX-01 from Hawaii" */
    if (w->best != SIZE_MAX && !(class & (W_DET | W_PREP)) && !is_word && !is_dash)
        return true;
    if (class & W_BREAK || clause_is_mark(c, *i, ';') || clause_is_mark(c, *i, ':'))
        return true;
    if (clause_is_word(c, *i, "rather") || clause_is_word(c, *i, "than"))
        return true; /* "A rather than B is": which of them? */
    if (class & W_NOT && w->best == SIZE_MAX && *i + 5 > q->from)
        return false; /* "does not contain", "are unlikely to have formed": relate_weigh sees it
                         again */
    if (class & W_NOT)
        return true;
    if (class & (W_DET | W_AUX | W_WHICH) || clause_is_mark(c, *i, '-'))
        return false;
    size_t opening = clause_apposition(c, *i);
    if (opening != *i) {
        *i = opening;
        return false;
    }
    /* "veins and concretions containing": not the veins */
    if (class & W_AND && w->best == SIZE_MAX && sv_ends(clause_text(c, q->from), SV("ing")) &&
        *i + 2 <= q->from)
        return true;
    /* "were separated, mounted, and analysed by" */
    bool is_last_verb = (clause_class(c, *i + 1) & W_AND && *i + 2 == q->from) ||
                        sv_ends(clause_text(c, *i + 1), SV("ed"));
    size_t inserted = clause_is_mark(c, *i, ',') && *i + 1 == q->from ? insertion(c, *i) : *i;
    if (inserted != *i || (clause_is_mark(c, *i, ',') && *i + 1 == q->from && !is_last_verb)) {
        *i = inserted;
        return false;
    }
    if (clause_is_mark(c, *i, ',') && !(clause_class(c, *i + 1) & W_WHICH) && !is_last_verb)
        return true;
    unsigned price = c->items[*i].kind == ITEM_QUANTITY ? 3 : 1;
    if (w->budget < price)
        return true;
    w->budget -= price;
    return false;
}

/* "granites derived from", "clays such as", "basalts containing": does the phrase describe the
 * name right before it? A finite verb may have a subject further off ("olivine in basalts
 * crystallized from"). */
static bool is_attribute(const struct pass *p, const struct cue *q)
{
    WORDS(finite, "formed", "crystallized", "crystallised", "precipitated", "originated",
          "intruded", "erupted", "transformed", "correlated", "contained", "replaced");
    WORDS(others, "such", "rich", "poor", "with", "made", "devoid", "free");
    const struct clause *c = p->clause;
    struct sv first = clause_text(c, q->from), last = clause_text(c, q->to - 1);
    if (q->from == 0 || !clause_name(c, q->from - 1) || !sv_starts(q->text, first))
        return false;
    if (words_have(&others, first))
        return true;
    if (words_have(&finite, first))
        return false;
    return sv_ends(first, SV("ing")) ||
           (sv_ends(first, SV("ed")) && q->to > q->from + 1 && word_class(last) & W_PREP);
}

/* "in the A Formation, in the B Formation": one place after another, not one in the other. */
static bool is_next_place(const struct pass *p, const struct cue *q, size_t left)
{
    const struct clause *c = p->clause;
    size_t start = clause_name(c, left) ? hung_start(c, left) : 0;
    if (start > 1 && clause_is_word(c, start - 2, "the")) /* "the Lower" */
        start -= 2;
    return clause_is_word(c, q->from, "in") && q->from > left + 1 && start > 0 &&
           clause_is_word(c, start - 1, "in") && relate_is(p, left, "location") &&
           (clause_is_mark(c, q->from - 1, ',') || clause_class(c, q->from - 1) & W_AND);
}

/* "The sediments are overlain by the Till Formation which formed in": the formation did, and
 * nothing further left. */
static bool is_of_unit(const struct pass *p, const struct cue *q, struct sv types)
{
    const struct clause *c = p->clause;
    size_t k = q->from;
    if (k < 2 || !(clause_class(c, k - 1) & W_WHICH))
        return false;
    k -= 1 + clause_is_mark(c, k - 2, ',');
    return k > 0 && cue_is_layer(c, k - 1) && !relate_allows(types, "location");
}

/* The preposition that the nameless thing ending at item i hangs on ("monazite in the matrix
 * shows"), when a name stands before it; SIZE_MAX: none. */
static size_t thing_hangs(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i;
    while (k > 0 && k + 3 > i && (clause_class(c, k - 1) == W_DET || !clause_class(c, k - 1)) &&
           c->items[k - 1].kind == ITEM_WORD)
        k--;
    bool is_in =
        k > 1 && (clause_is_word(c, k - 1, "in") || clause_is_word(c, k - 1, "within"));
    if (!is_in || strcmp(state_node(p, i).type, "thing") != 0)
        return SIZE_MAX;
    bool is_named = clause_name(c, k - 2) || (k > 2 && clause_name(c, k - 3));
    return is_named ? k - 1 : SIZE_MAX;
}

/* What a nameless thing is of ("from melts of pyroxenite"), or the thing. */
static size_t matter_of(const struct pass *p, size_t state, struct sv types)
{
    const struct clause *c = p->clause;
    size_t of = state + 1, what = SIZE_MAX;
    if (clause_is_word(c, of, "of"))
        of += clause_class(c, of + 1) & W_DET ? 2 : 1;
    if (of > state + 1 && clause_name(c, of))
        what = cue_compound(p, of, types);
    return what != SIZE_MAX ? what : state;
}

/* "Lepidolite is a mica found in": what the name at item i is said to be; SIZE_MAX: it stands
 * for itself. */
static size_t predicate_of(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    size_t k = i;
    while (k > 0 && (clause_name(c, k - 1) ||
                     (c->items[k - 1].kind == ITEM_WORD && !clause_class(c, k - 1))))
        k--;
    bool is_a = k > 1 && (clause_is_word(c, k - 1, "a") || clause_is_word(c, k - 1, "an")) &&
                clause_is_word(c, k - 2, "is");
    return is_a && k > 2 && is_eligible(p, k - 3, types) ? k - 3 : SIZE_MAX;
}

size_t cue_left(const struct pass *p, const struct cue *q, struct sv types)
{
    const struct clause *c = p->clause;
    if (is_of_unit(p, q, types))
        return SIZE_MAX;
    struct walk w = { .best = SIZE_MAX, .budget = q->is_loose ? 2 : 8 };
    bool is_adjective = clause_is_word(c, q->from, "overlying") && q->from > 0 &&
                        clause_class(c, q->from - 1) & W_DET;
    if (is_adjective) /* "the mudstone and the overlying sandstone" */
        return SIZE_MAX;
    if (is_attribute(p, q) && is_eligible(p, q->from - 1, types))
        return q->from - 1;
    for (size_t i = q->from; i-- > 0;) {
        size_t state =
            w.best == SIZE_MAX || w.is_hung ? state_to(p, i, q->from, types) : SIZE_MAX;
        size_t prep = state != SIZE_MAX ? thing_hangs(p, i) : SIZE_MAX;
        if (prep != SIZE_MAX && w.budget > 2) { /* "monazite in the matrix shows" */
            w.budget -= 2;
            i = prep;
            continue;
        }
        if (state != SIZE_MAX && q->is_loose && strcmp(q->rule->relation, "Formed By") == 0)
            state = SIZE_MAX; /* "faceted rocks due to erosion" */
        if (state != SIZE_MAX)
            return matter_of(p, state, types);
        if (clause_name(c, i)) {
            if (step_name(p, &w, &i, types))
                break;
            continue;
        }
        if (clause_is_mark(c, i, ')')) {
            i = clause_bracket(c, i);
            if (i == SIZE_MAX)
                break;
            continue;
        }
        if (w.best == SIZE_MAX && i + 4 > q->from) {
            size_t named = antecedent(p, i, types);
            if (named != SIZE_MAX)
                return named;
        }
        if (step_plain(p, q, &w, &i))
            break;
    }
    if (w.best == SIZE_MAX || !may_stand(p, w.best) || is_next_place(p, q, w.best))
        return SIZE_MAX;
    if (sv_is(types, "any,parameter") && is_of_another(p, w.best))
        return SIZE_MAX;
    size_t subject = w.best + 1 == q->from ? predicate_of(p, w.best, types) : SIZE_MAX;
    if (subject != SIZE_MAX)
        return subject;
    /* "titanite U-Pb ages were reset": of titanite */
    bool is_system = strcmp(clause_name(c, w.best)->type, "isotope_system") == 0;
    return is_system && w.best > 0 && is_eligible(p, w.best - 1, types) ? w.best - 1 : w.best;
}

size_t relate_subject(const struct pass *p, size_t i, struct sv types)
{
    struct cue verb = { .from = i, .to = i + 1 };
    return cue_left(p, &verb, types);
}

/* Last name of a compound that starts at item i: "garnet peridotite" is a peridotite. */
size_t cue_compound(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    size_t best =
        relate_is(p, i, "any") && relate_is_name(p, clause_name(c, i), types) ? i : SIZE_MAX;
    for (size_t k = i + 1; clause_name(c, k); k++)
        if (relate_is_name(p, clause_name(c, k), types))
            best = k;
    return best;
}

/* "Derived from melting of greywacke": a process hands on to what it works on, where that may
 * be an end. */
static size_t object_of(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    if (strcmp(clause_name(c, i)->type, "process") == 0 && clause_is_word(c, i + 1, "of"))
        for (size_t k = i + 2; k < c->n && k < i + 6; k++) {
            const struct entity *e = clause_name(c, k);
            if (e && (strcmp(e->type, "rock") == 0 || strcmp(e->type, "setting") == 0)) {
                size_t end = cue_compound(p, k, types);
                if (end != SIZE_MAX && relate_allows(types, "rock"))
                    return end;
            }
            if (e || (clause_class(c, k) && !(clause_class(c, k) & W_DET)))
                break;
        }
    return cue_compound(p, i, types);
}

static bool is_index(const struct pass *p, size_t i)
{
    return sv_is(entity_kind(p->lore->vocab, clause_name(p->clause, i)), "index");
}

/* "A granulite facies assemblage of olivine", "Cretaceous fluvial sandstone": from the name at
 * item i, which only describes what follows, to the item before that; else i. */
static size_t described(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    bool is_time = relate_is(p, i, "geologic_time") && rules_lists(types, SV("rock"));
    if (relate_is_carrier(p, i + 1) && clause_is_word(c, i + 2, "of"))
        return clause_class(c, i + 3) & W_DET ? i + 3 : i + 2;
    for (size_t k = i + 1; is_time && k < i + 8; k++) {
        if (relate_is(p, k, "rock"))
            return k > i + 1 ? k - 1 : i;
        bool is_bearing = clause_name(c, k) && clause_is_mark(c, k + 1, '-');
        if (!is_bearing && !clause_is_mark(c, k, '-') && !clause_is_mark(c, k, ',') &&
            (c->items[k].kind != ITEM_WORD || clause_class(c, k)))
            break;
    }
    return i;
}

size_t cue_right(const struct pass *p, const struct cue *q, struct sv types)
{
    const struct clause *c = p->clause;
    unsigned budget = q->is_loose ? 1 : 4;
    for (size_t i = q->to; i < c->n; i++) {
        unsigned class = clause_class(c, i);
        size_t state = state_from(p, i, types);
        if (state != SIZE_MAX)
            return matter_of(p, state, types);
        if (clause_name(c, i)) {
            bool is_modifier = clause_is_mark(c, i + 1, '-') && clause_name(c, i + 2) == NULL &&
                               c->items[i + 1].start == c->items[i].end;
            bool is_half = clause_is_mark(c, i + 1, '/') && !clause_name(c, i + 2) &&
                           c->items[i + 1].start == c->items[i].end;
            if (is_half) /* "high water/rock ratios" */
                return SIZE_MAX;
            size_t body = described(p, i, types);
            if (body != i) {
                i = body;
                continue;
            }
            if (is_modifier) { /* "olivine-bearing basalt" */
                i += 2;
                continue;
            }
            /* "sensitive to oxygen fugacity": a name of what may vary */
            bool is_parameter = is_index(p, i) && rules_lists(types, SV("parameter"));
            return is_parameter ? i : object_of(p, i, types);
        }
        if (class & (W_BREAK | W_WHICH | W_AND))
            return SIZE_MAX;
        if (class & W_NOT && i == q->to)
            continue; /* "contains no olivine", "contain neither" */
        if (class & W_NOT)
            return SIZE_MAX;
        if (clause_is_mark(c, i, '(')) {
            size_t close = clause_bracket(c, i);
            if (close == SIZE_MAX)
                return SIZE_MAX;
            i = close;
            continue;
        }
        if (class & W_DET || clause_quantity(c, i) || clause_is_mark(c, i, '-'))
            continue;
        bool is_of = clause_is_word(c, i, "of") && i > q->to;
        if (is_of && (!(clause_class(c, i - 1) & ~(W_CONTENT_LINK | (unsigned)W_DET)) ||
                      relate_is_carrier(p, i - 1)))
            continue; /* "contains traces of gold", "surrounded by layers of spinel" */
        bool is_beside = clause_is_word(c, i, "above") || clause_is_word(c, i, "below") ||
                         clause_is_word(c, i, "beneath");
        if (is_beside && relate_allows(types, "location"))
            return SIZE_MAX; /* "occurring in abundance just below the limestone" */
        if (c->items[i].kind == ITEM_MARK || class & (W_PREP | W_AUX) || budget == 0)
            return SIZE_MAX;
        budget--;
    }
    return SIZE_MAX;
}
