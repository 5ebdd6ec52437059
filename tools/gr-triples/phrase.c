// SPDX-License-Identifier: MIT
/*
 * phrase.c — noun phrases without a grammar: what words can be inside one
 */
#include "phrase.h"

#define PHRASE_ITEMS 9
#define SKIP_MAX 24 /* asides between a phrase and what follows it */

static bool ends_in(struct sv word, const char *ending)
{
    return word.n > strlen(ending) + 2 && sv_ends(word, sv_from(ending));
}

/* "measured", "taken": a participle, as far as its form tells. */
static bool is_participle(const struct clause *c, size_t i)
{
    WORDS(words, "built", "drawn", "found", "given", "held", "kept", "known", "made",
          "overlain", "seen", "shown", "taken");
    struct sv word = clause_text(c, i);
    if (!ends_in(word, "ed"))
        return clause_word_in(c, i, &words);
    return !ends_in(word, "eed") && !ends_in(word, "shed") &&
           (!ends_in(word, "bed") || sv_ends(word, SV("sorbed")) || ends_in(word, "ibed")) &&
           !property_units(word);
}

/* Closed classes end a phrase, but for nouns and adjectives among them. */
static bool may_be_inside(const struct clause *c, size_t i)
{
    WORDS(others, "about", "above", "across", "against", "almost", "along", "also",
          "approximately", "around", "as", "below", "beneath", "beyond", "ca", "commonly",
          "generally", "he", "here", "if", "into", "it", "itself", "nearly", "not", "only",
          "onto", "over", "per", "respectively", "roughly", "them", "then", "there", "they",
          "to", "towards", "typically", "until", "up", "upon", "usually", "versus", "via",
          "whereas", "whilst");
    static const unsigned closed = W_AUX | W_DET | W_PREP | W_AND | W_NOT | W_BREAK | W_WHICH |
                                   W_PAIRED | W_SPAN | W_USING;
    if (c->items[i].kind != ITEM_WORD || clause_class(c, i) & closed)
        return clause_is_word(c, i, "interval") || clause_is_word(c, i, "duration");
    return !clause_word_in(c, i, &others);
}

/* "This corresponds to": no noun in -s stands behind it. */
static bool is_pronoun(const struct clause *c, size_t i)
{
    return (clause_is_word(c, i, "this") || clause_is_word(c, i, "that")) &&
           sv_ends(clause_text(c, i + 1), SV("s")) && !sv_ends(clause_text(c, i + 1), SV("ss"));
}

bool phrase_is_verb(const struct pass *p, size_t i)
{
    WORDS(verbs, "acts", "affect", "affects", "agree", "agrees", "allow", "allows", "appear",
          "appeared", "appears", "attain", "attained", "attains", "averages", "became",
          "become", "becomes", "began", "breaks", "carries", "caused", "causes", "comprises",
          "confirm", "confirms", "consist", "consists", "contain", "contained", "contains",
          "converge", "correlate", "correlates", "correspond", "corresponded", "covers",
          "crops", "cuts", "decrease", "decreased", "decreases", "depend", "depends", "differ",
          "differs", "dips", "dropped", "drops", "ended", "enters", "equals", "equilibrated",
          "erupted", "exceed", "exceeded", "exceeds", "experienced", "explain", "explains",
          "extend", "extends", "falls", "fell", "follows", "form", "forms", "gave", "generate",
          "generates", "grew", "grows", "homogenise", "homogenize", "implies", "imply",
          "increased", "increases", "indicate", "indicates", "intrude", "intrudes", "lay",
          "lead", "leads", "leaves", "led", "lie", "lies", "look", "looks", "marks", "means",
          "move", "moved", "moves", "needs", "occur", "occurred", "occurs", "operate",
          "operates", "originate", "originated", "originates", "overlie", "overlies", "predict",
          "predicts", "produce", "produces", "provide", "provided", "provides", "raise",
          "raises", "ranged", "ranges", "reach", "reached", "reaches", "received", "receives",
          "recorded", "records", "remain", "remained", "remains", "represents", "requires",
          "rise", "rises", "rose", "saw", "start", "starts", "suggest", "suggests", "support",
          "supports", "takes", "tend", "tends", "took", "totals", "underlies", "underwent",
          "varied", "varies", "vary", "weighs", "yielded");
    const struct clause *c = p->clause;
    unsigned class = clause_class(c, i);
    if (i >= c->n || c->items[i].kind != ITEM_WORD)
        return false;
    if (class & W_AUX)
        return true;
    /* "the record", "of erupted magma" */
    bool is_noun_too = i > 0 && !is_pronoun(c, i - 1) &&
                       (clause_class(c, i - 1) & W_DET ||
                        (clause_class(c, i - 1) & W_PREP && !clause_is_word(c, i - 1, "to")));
    if (class & W_HAVE && !(class & W_PREP) && !is_noun_too)
        return true;
    return !is_noun_too && clause_word_in(c, i, &verbs);
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
                        clause_is_mark(c, i, '?') || clause_is_mark(c, i, '_') ||
                        clause_is_mark(c, i, '\'');
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
    if (is_participle(c, i) || ends_in(word, "ing"))
        return has_right && is_modifier(c, i);
    return true;
}

/* Left over brackets, adverbs, participles and appositions before item `end`. */
static size_t skip_left(const struct pass *p, size_t end)
{
    const struct clause *c = p->clause;
    size_t k = end;
    for (unsigned n = 0; k > 0 && n < SKIP_MAX; n++) {
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
                 (ends_in(word, "ly") || is_participle(c, k - 1) || ends_in(word, "ing") ||
                  clause_is_word(c, k - 1, "also") || clause_is_word(c, k - 1, "only") ||
                  clause_is_word(c, k - 1, "here") || clause_is_word(c, k - 1, "then")))
            k--;
        else
            return k;
    }
    return k;
}

static bool is_joining(const struct clause *c, size_t i)
{
    WORDS(words, "above", "across", "along", "at", "below", "beneath", "between", "for", "from",
          "in", "near", "of", "on", "through", "under", "with", "within");
    return c->items[i].kind == ITEM_WORD && clause_word_in(c, i, &words);
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
    WORDS(words, "absence", "addition", "agreement", "al", "analyses", "analysis",
          "approximate", "average", "base", "basis", "beaker", "beakers", "both", "bottle",
          "case", "cases", "colour", "comparable", "comparison", "conditions", "consistent",
          "contact", "contrast", "corresponds", "cycle", "data", "day", "days", "difference",
          "differences", "dominance", "dry", "due", "e", "east", "end", "eq", "equal",
          "equation", "equivalent", "error", "errors", "et", "example", "fact", "few", "fig",
          "figure", "figures", "filter", "first", "former", "furnace", "g", "general", "good",
          "half", "here", "higher", "horizontal", "hour", "hours", "i", "inclined",
          "increments", "incubation", "intervals", "kind", "latter", "level", "like", "limit",
          "lower", "many", "maximum", "mean", "mesh", "met", "method", "minimum", "minute",
          "minutes", "mixture", "model", "models", "modern", "north", "northeast", "northwest",
          "now", "number", "one", "ones", "order", "others", "oven", "paper", "particular",
          "period", "precision", "presence", "present", "quarter", "range", "rate", "ratio",
          "reagent", "resin", "respect", "result", "results", "scale", "several", "short",
          "side", "sides", "sieve", "similar", "solvent", "south", "southeast", "southwest",
          "step", "steps", "studies", "study", "syringe", "table", "term", "text", "that",
          "time", "today", "top", "total", "treatment", "treatments", "tube", "tubes", "type",
          "types", "uncertainty", "use", "value", "values", "versus", "vertical", "very",
          "vial", "vials", "vs", "way", "west", "wet", "who", "work", "year", "years", "zero");
    if (c->items[i].kind != ITEM_WORD)
        return false;
    if (ends_in(clause_text(c, i), "ous") ||
        ends_in(clause_text(c, i), "ly")) /* "terrigenous": an adjective without its noun */
        return true;
    return clause_word_in(c, i, &words) || property_is_technical(clause_text(c, i)) ||
           property_of_adjective(clause_text(c, i));
}

/* Adjectives that point and do not name: "the same lake", "their mean". */
bool phrase_is_pointing(const struct clause *c, size_t i)
{
    WORDS(words, "above", "average", "corresponding", "entire", "estimated", "first", "highest",
          "last", "lowest", "maximum", "mean", "measured", "minimum", "other", "present",
          "same", "second", "studied", "such", "total", "typical", "whereas", "whole");
    return c->items[i].kind == ITEM_WORD && clause_word_in(c, i, &words);
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
    bool is_done = to - from == 1 && is_participle(c, to - 1); /* "adsorbed" */
    if (is_done || is_no_thing(c, to - 1) || !has_letters || text.n > 80)
        return none;
    return (struct node){ .type = "thing", .name = text };
}
