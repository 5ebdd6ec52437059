// SPDX-License-Identifier: MIT
/*
 * phrase.c — noun phrases without a grammar: what words can be inside one
 */
#include "phrase.h"

#define PHRASE_ITEMS 9

static bool ends_in(struct sv word, const char *ending)
{
    return word.n > strlen(ending) + 2 && sv_ends(word, sv_from(ending));
}

/* "measured", "taken": a participle, as far as its form tells. */
static bool is_participle(struct sv word)
{
    static const char *const words[] = { "taken", "found",    "shown", "given",
                                         "made",  "drawn",    "seen",  "known",
                                         "held",  "overlain", "built", "kept" };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (vocab_word_is(word, words[i]))
            return true;
    bool is_noun = ends_in(word, "eed") || ends_in(word, "shed") || ends_in(word, "bed") ||
                   property_units(word);
    return ends_in(word, "ed") && !is_noun;
}

/* Closed classes end a phrase, but for nouns and adjectives among them. */
static bool may_be_inside(const struct clause *c, size_t i)
{
    static const char *const others[] = {
        "it",      "they",         "he",      "there",     "here",      "then",
        "them",    "itself",       "as",      "up",        "per",       "until",
        "upon",    "onto",         "into",    "along",     "via",       "ca",
        "about",   "around",       "only",    "also",      "not",       "if",
        "beneath", "below",        "above",   "across",    "against",   "approximately",
        "nearly",  "almost",       "roughly", "typically", "generally", "commonly",
        "usually", "respectively", "over",    "beyond",    "towards"
    };
    static const unsigned closed = W_AUX | W_DET | W_PREP | W_AND | W_NOT | W_BREAK | W_WHICH |
                                   W_PAIRED | W_SPAN | W_USING;
    if (c->items[i].kind != ITEM_WORD || clause_class(c, i) & closed)
        return clause_is_word(c, i, "interval") || clause_is_word(c, i, "duration");
    for (size_t k = 0; k < ARRAY_LEN(others); k++)
        if (clause_is_word(c, i, others[k]))
            return false;
    return true;
}

bool phrase_is_verb(const struct pass *p, size_t i)
{
    static const char *const verbs[] = {
        "exceed",     "exceeds",      "exceeded",    "reach",      "reaches",      "reached",
        "lies",       "lie",          "lay",         "occurs",     "occur",        "occurred",
        "erupted",    "became",       "becomes",     "become",     "remained",     "remains",
        "remain",     "rose",         "rises",       "rise",       "fell",         "falls",
        "dropped",    "drops",        "grew",        "grows",      "overlies",     "overlie",
        "underlies",  "cuts",         "intrudes",    "intrude",    "consists",     "consist",
        "comprises",  "forms",        "form",        "indicates",  "indicate",     "suggest",
        "suggests",   "implies",      "imply",       "varies",     "vary",         "varied",
        "extends",    "extend",       "appears",     "appear",     "appeared",     "began",
        "ended",      "took",         "marks",       "represents", "receives",     "received",
        "weighs",     "dips",         "covers",      "equals",     "ranges",       "ranged",
        "totals",     "averages",     "attains",     "attained",   "follows",      "decreases",
        "decreased",  "increased",    "increases",   "converge",   "crops",        "homogenise",
        "homogenize", "equilibrated", "yielded",     "gave",       "records",      "recorded",
        "underwent",  "experienced",  "contains",    "contain",    "contained",    "causes",
        "caused",     "requires",     "corresponds", "correspond", "corresponded", "breaks",
        "look",       "looks",        "leads",       "lead",       "led",          "takes",
        "raises",     "raise",        "carries",     "agree",      "agrees",       "differ",
        "differs",    "allows",       "allow",       "tends",      "tend",         "means",
        "acts",       "start",        "starts",      "needs",      "depends",      "depend",
        "leaves",     "enters",       "provides",    "provide",    "provided",     "affects",
        "affect",     "explain",      "explains",    "predict",    "predicts",     "confirm",
        "confirms",   "support",      "supports",    "produce",    "produces",     "generate",
        "generates",  "move",         "moves",       "moved",      "attain",       "decrease",
    };
    const struct clause *c = p->clause;
    unsigned class = clause_class(c, i);
    if (i >= c->n || c->items[i].kind != ITEM_WORD)
        return false;
    if (class & W_AUX)
        return true;
    bool is_noun_too = i > 0 && clause_class(c, i - 1) & W_DET;
    if (class & W_HAVE && !(class & W_PREP) && !is_noun_too)
        return true;
    for (size_t k = 0; k < ARRAY_LEN(verbs); k++)
        if (clause_is_word(c, i, verbs[k]))
            return !is_noun_too;
    return false;
}

/* "laminated claystone" but not "cores recovered": is the participle at item i before a noun a
 * part of the phrase? */
static bool is_modifier(const struct clause *c, size_t i)
{
    if (i == 0)
        return true;
    unsigned before = clause_class(c, i - 1);
    if (before & (unsigned)(W_DET | W_PREP | W_AND) || c->items[i - 1].kind == ITEM_MARK)
        return true;
    struct sv word = clause_text(c, i - 1);
    return c->items[i - 1].kind == ITEM_WORD &&
           (ends_in(word, "ly") || ends_in(word, "ed") || ends_in(word, "al") ||
            ends_in(word, "ic") || ends_in(word, "ous"));
}

/* May item i stand inside a phrase, right of which the phrase goes on? */
static bool is_inside(const struct pass *p, size_t i, bool has_right)
{
    const struct clause *c = p->clause;
    if (clause_name(c, i))
        return true;
    if (c->items[i].kind == ITEM_MARK) {
        bool is_joint = clause_is_mark(c, i, '-') || clause_is_mark(c, i, '/') ||
                        clause_is_mark(c, i, '?') || clause_is_mark(c, i, '_');
        return is_joint && has_right && i > 0 && i + 1 < c->n &&
               c->items[i - 1].end == c->items[i].start &&
               c->items[i + 1].start == c->items[i].end;
    }
    if (!may_be_inside(c, i) || phrase_is_verb(p, i))
        return false;
    struct sv word = clause_text(c, i);
    if (ends_in(word, "ly"))
        return has_right;
    if (ends_in(word, "ing") && !has_right)
        return i > 0 && clause_class(c, i - 1) & W_DET; /* "the mooring" */
    if (is_participle(word) || ends_in(word, "ing"))
        return has_right && is_modifier(c, i);
    return true;
}

/* Left over brackets, adverbs, participles and appositions before item `end`. */
static size_t skip_left(const struct pass *p, size_t end)
{
    const struct clause *c = p->clause;
    for (size_t k = end; k > 0;) {
        struct sv word = clause_text(c, k - 1);
        bool is_word = c->items[k - 1].kind == ITEM_WORD &&
                       !(k > 1 && clause_class(c, k - 2) & W_DET); /* "the mooring" */
        size_t opening = clause_apposition(c, k - 1);
        bool is_letter = k > 3 && clause_is_mark(c, k - 1, ',') &&
                         clause_is_mark(c, k - 3, ',') &&
                         clause_text(c, k - 2).n < 4; /* "the factor, q, is" */
        if (is_letter) {
            k -= 3;
            continue;
        }
        bool is_aside = clause_quantity(c, k - 1) && k > 2 &&
                        (clause_is_word(c, k - 2, "at") || clause_is_word(c, k - 2, "of"));
        if (is_aside) /* "the solubility at 25 °C is" */
            k -= 2;
        else if (clause_is_mark(c, k - 1, ')') && clause_bracket(c, k - 1) != SIZE_MAX)
            k = clause_bracket(c, k - 1);
        else if (opening != k - 1)
            k = opening;
        else if (is_word && clause_class(c, k - 1) & W_WHICH)
            k -= k > 1 && clause_is_mark(c, k - 2, ',') ? 2 : 1;
        else if (is_word && !phrase_is_verb(p, k - 1) &&
                 (ends_in(word, "ly") || is_participle(word) || ends_in(word, "ing") ||
                  clause_is_word(c, k - 1, "also") || clause_is_word(c, k - 1, "only") ||
                  clause_is_word(c, k - 1, "here") || clause_is_word(c, k - 1, "then")))
            k--;
        else
            return k;
    }
    return 0;
}

static bool is_joining(const struct clause *c, size_t i)
{
    static const char *const words[] = { "of",    "in",     "from",    "for",   "on",
                                         "at",    "within", "beneath", "above", "near",
                                         "with",  "below",  "across",  "along", "through",
                                         "under", "between" };
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (clause_is_word(c, i, words[k]))
            return true;
    return false;
}

bool phrases_left(const struct pass *p, size_t end, struct phrases *out)
{
    const struct clause *c = p->clause;
    *out = (struct phrases){ .start = end };
    for (size_t k = end; out->n < PHRASES;) {
        size_t to = skip_left(p, k);
        bool is_behind = to < k && out->n > 0;
        k = to;
        while (k > 0 && to - k < PHRASE_ITEMS && is_inside(p, k - 1, k < to))
            k--;
        while (k < to && c->items[k].kind == ITEM_MARK)
            k++;
        if (k == to)
            break;
        struct phrase *f = &out->at[out->n++];
        *f = (struct phrase){ k, to, SIZE_MAX, is_behind };
        out->has_article = false;
        const struct quantity *q = k > 0 ? clause_quantity(c, k - 1) : NULL;
        if (q) /* "with 5 wt% water", "of 12 sites" */
            k--;
        while (k > 0 && clause_class(c, k - 1) & (W_DET | W_GROUP)) {
            out->has_article = true;
            k--;
        }
        out->start = k;
        if (k == 0 || !is_joining(c, k - 1))
            break;
        f->prep = --k;
    }
    return out->n > 0;
}

bool phrase_right(const struct pass *p, size_t from, struct phrase *out)
{
    const struct clause *c = p->clause;
    size_t k = from;
    while (k < c->n && clause_class(c, k) & (W_DET | W_GROUP))
        k++;
    size_t start = k;
    for (; k < c->n && k - start < PHRASE_ITEMS; k++) {
        bool goes_on = k + 1 < c->n && (clause_name(c, k + 1) || may_be_inside(c, k + 1));
        if (!is_inside(p, k, goes_on))
            break;
    }
    *out = (struct phrase){ start, k, SIZE_MAX, false };
    return k > start;
}

/* What cannot have a value of its own. */
static bool is_no_thing(const struct clause *c, size_t i)
{
    static const char *const words[] = {
        "analyses", "analysis", "case",    "cases",      "data",        "equation",
        "example",  "fig",      "figure",  "figures",    "method",      "model",
        "models",   "paper",    "result",  "results",    "studies",     "study",
        "table",    "text",     "time",    "value",      "values",      "work",
        "year",     "years",    "day",     "days",       "hour",        "hours",
        "others",   "one",      "ones",    "who",        "way",         "fact",
        "eq",       "et",       "al",      "that",       "range",       "mean",
        "average",  "limit",    "maximum", "minimum",    "ratio",       "number",
        "order",    "rate",     "level",   "precision",  "uncertainty", "conditions",
        "addition", "contrast", "general", "particular", "total",       "both",
        "end",      "use",      "error",   "errors",     "i",           "e",
        "g",        "vs",       "respect", "method",
    };
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (clause_is_word(c, i, words[k]))
            return true;
    return property_is_technical(clause_text(c, i)) || property_of_adjective(clause_text(c, i));
}

/* Adjectives that point and do not name: "the same lake", "their mean". */
bool phrase_is_pointing(const struct clause *c, size_t i)
{
    static const char *const words[] = { "same",          "such",      "other",   "first",
                                         "second",        "last",      "mean",    "average",
                                         "total",         "typical",   "entire",  "whole",
                                         "studied",       "present",   "above",   "whereas",
                                         "corresponding", "maximum",   "minimum", "lowest",
                                         "highest",       "estimated", "measured" };
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (clause_is_word(c, i, words[k]))
            return true;
    return false;
}

struct node phrase_node(const struct pass *p, const struct phrase *f)
{
    const struct clause *c = p->clause;
    struct node none = { 0 };
    size_t from = f->from, to = f->to;
    if (from >= to)
        return none;
    if (relate_is(p, to - 1, "method,isotope_system,geologic_time,reference_material") &&
        !relate_is(p, to - 1, "geologic_time"))
        return none;
    /* "bottom water" is no water at large */
    bool is_species = relate_is(p, to - 1, "element,oxide,isotope,element_group") &&
                      to - from > 1 && c->items[to - 2].kind == ITEM_WORD &&
                      !phrase_is_pointing(c, to - 2);
    if (clause_name(c, to - 1) && !is_species)
        return relate_node(p, to - 1);
    if (to - from > 1 && clause_name(c, to - 2) && relate_is_carrier(p, to - 1) &&
        relate_is(p, to - 2, "rock,mineral"))
        return relate_node(p, to - 2);
    while (from + 1 < to && phrase_is_pointing(c, from))
        from++;
    struct sv text = sv_from_to(c->text, c->items[from].start, c->items[to - 1].end);
    bool has_letters = false;
    for (size_t i = 0; i + 2 < text.n && !has_letters; i++)
        has_letters = (text.p[i] | 32) >= 'a' && (text.p[i] | 32) <= 'z' &&
                      (text.p[i + 1] | 32) >= 'a' && (text.p[i + 1] | 32) <= 'z';
    if (is_no_thing(c, to - 1) || !has_letters || text.n > 80)
        return none;
    return (struct node){ .type = "thing", .name = text };
}
