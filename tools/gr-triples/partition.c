// SPDX-License-Identifier: MIT
/*
 * partition.c — partition coefficients and their numbers
 *
 * "The partition coefficient of Ni between olivine and melt is 12", "Kd(Ni, ol/melt) of 12",
 * "D_Nb = 30", "clinopyroxene/melt partition coefficients for Sr and Yb are 0.09 and 0.42,
 * respectively". The fact is of the element; the phases stand in the property, so that numbers
 * of the same two phases come together: "olivine/melt partition coefficient". A number whose
 * element is not said gives nothing.
 */
#include "relate.h"

#include <math.h>

#define VALUE_ITEMS 16 /* between a coefficient and its number */
#define NAME_MAX 96

/* A coefficient that the sentence names. */
struct coefficient {
    struct node species[LIST_MAX];
    size_t n;
    size_t from, to;        /* its items */
    struct sv phase, other; /* "": not said */
};

/* ---- phases ---- */

/* The phase at item i: a mineral or rock, or a word for a liquid; "" : none. */
static struct sv phase_at(const struct pass *p, size_t i)
{
    static const struct {
        const char *said, *name;
    } words[] = {
        { "melt", "melt" },         { "melts", "melt" },        { "liquid", "melt" },
        { "fluid", "fluid" },       { "fluids", "fluid" },      { "vapour", "vapour" },
        { "vapor", "vapour" },      { "glass", "glass" },       { "groundmass", "groundmass" },
        { "matrix", "matrix" },     { "solution", "fluid" },    { "seawater", "seawater" },
        { "metal", "metal" },       { "silicate", "silicate" }, { "ol", "olivine" },
        { "opx", "orthopyroxene" }, { "cpx", "clinopyroxene" }, { "gt", "garnet" },
        { "grt", "garnet" },        { "plag", "plagioclase" },  { "ap", "apatite" },
        { "mt", "magnetite" },      { "amph", "amphibole" },    { "sp", "spinel" }
    };
    const struct clause *c = p->clause;
    if (relate_is(p, i, "mineral,rock,setting"))
        return relate_node(p, i).name;
    struct sv text = clause_text(c, i);
    for (size_t w = 0; w < ARRAY_LEN(words); w++)
        if (vocab_word_is(text, words[w].said))
            return sv_from(words[w].name);
    return SV("");
}

static bool is_slash(const struct clause *c, size_t i)
{
    return clause_is_mark(c, i, '/') || clause_is_mark(c, i, '-');
}

/* "olivine/melt" from item i on: both phases; the item behind, or i. */
static size_t phases_right(const struct pass *p, size_t i, struct coefficient *f)
{
    size_t k = i;
    struct sv phase = phase_at(p, k);
    if (!phase.n || !is_slash(p->clause, k + 1))
        return i;
    struct sv other = phase_at(p, k + 2);
    if (!other.n)
        return i;
    f->phase = phase;
    f->other = other;
    return k + 3;
}

/* "rutile and basaltic melt", "olivine in equilibrium with melt" behind item i, the "between".
 */
static size_t phases_between(const struct pass *p, size_t i, struct coefficient *f)
{
    const struct clause *c = p->clause;
    struct sv found[2] = { SV(""), SV("") };
    size_t n = 0, k = i + 1, end = i + 1;
    for (; k < c->n && k < i + 10 && n < 2; k++) {
        struct sv phase = phase_at(p, k);
        while (phase.n && phase_at(p, k + 1).n) /* "silicate melt", "basalt glass" */
            phase = phase_at(p, ++k);
        if (phase.n) {
            found[n++] = phase;
            end = k + 1;
        } else if (clause_class(c, k) & (W_AUX | W_BREAK | W_WHICH) || clause_quantity(c, k)) {
            break;
        }
    }
    if (n < 2)
        return i;
    f->phase = found[0];
    f->other = found[1];
    return end;
}

/* ---- what is partitioned ---- */

static void add_species(struct coefficient *f, struct node n)
{
    if (f->n < LIST_MAX)
        f->species[f->n++] = n;
}

/* Names of a list from item i on; the item behind the last, or i. */
static size_t species_right(const struct pass *p, size_t i, struct coefficient *f)
{
    size_t members[LIST_MAX], n;
    while (clause_class(p->clause, i) & W_DET)
        i++;
    if (!relate_is(p, i, MATTER))
        return i;
    n = relate_list(p, i, 1, SV(MATTER), members, LIST_MAX);
    for (size_t m = 0; m < n; m++)
        add_species(f, relate_node(p, members[m]));
    return members[n - 1] + 1;
}

/* "Ni", the end of "DNi" and "KdNi": its element; type NULL: none. */
static struct node element_of(const struct pass *p, struct sv symbol)
{
    bool is_symbol = symbol.n > 0 && symbol.n < 3 && symbol.p[0] >= 'A' && symbol.p[0] <= 'Z' &&
                     (symbol.n == 1 || (symbol.p[1] >= 'a' && symbol.p[1] <= 'z'));
    uint32_t entry = is_symbol ? vocab_find(p->lore->vocab, symbol, "element") : VOCAB_NONE;
    if (entry == VOCAB_NONE)
        return (struct node){ 0 };
    return (struct node){ .type = "element", .name = vocab_name(p->lore->vocab, entry) };
}

/* Bytes of the "D" or "Kd" that the word begins with; 0: none. */
static size_t sign_of(struct sv word)
{
    if (sv_starts(word, SV("Kd")) || sv_starts(word, SV("KD")))
        return 2;
    return sv_starts(word, SV("D")) ? 1 : 0;
}

/* "D_Nb", "DNi", "Kd(Ni, ol/melt)", "D for Ni" at item i. */
static bool read_symbol(const struct pass *p, size_t i, struct coefficient *f)
{
    const struct clause *c = p->clause;
    struct sv word = clause_text(c, i);
    size_t sign = c->items[i].kind == ITEM_WORD ? sign_of(word) : 0, k = i + 1;
    if (!sign)
        return false;
    *f = (struct coefficient){ .from = i, .to = i + 1 };
    if (word.n > sign) {
        struct node n = element_of(p, sv_from_to(word, sign, word.n));
        if (!n.type)
            return false;
        add_species(f, n);
    } else if (clause_is_mark(c, k, '_') && relate_is(p, k + 1, MATTER)) {
        add_species(f, relate_node(p, k + 1));
        k += 2;
    } else if (clause_is_mark(c, k, '(') && clause_bracket(c, k) != SIZE_MAX) {
        size_t close = clause_bracket(c, k), end = species_right(p, k + 1, f);
        if (relate_is(p, k + 1, MATTER) && is_slash(c, k + 2) && relate_is(p, k + 3, MATTER))
            return false; /* "KD(Fe–Mg)": of both, of neither */
        end += clause_is_mark(c, end, ',') || clause_is_mark(c, end, ';');
        phases_right(p, end, f);
        k = close + 1;
    } else if ((clause_is_word(c, k, "values") || clause_is_word(c, k, "value")) &&
               (clause_is_word(c, k + 1, "of") || clause_is_word(c, k + 1, "for"))) {
        k = species_right(p, k + 2, f); /* "D values for Li of" */
    } else if (relate_is(p, k, MATTER) && c->items[k].start == c->items[i].end) {
        add_species(f, relate_node(p, k));
        k++;
    }
    bool is_bare = clause_is_word(c, i + 1, "values") || clause_is_word(c, i + 1, "value");
    if (is_bare && !f->n && word.n == sign)
        return true; /* its numbers are of nobody knows what */
    f->to = phases_right(p, k, f);
    /* "DI" and "DO" are an index and dissolved oxygen */
    bool is_short = word.n == 2 && sign == 1 && memchr("CFIOS", word.p[1], 5);
    bool is_said = (word.n > sign && !is_short) || f->to > i + 2 || f->phase.n;
    return f->n > 0 && is_said;
}

/* Names left of the words "partition coefficient", whose first is item i: "olivine/melt", "Ni".
 */
static void read_left(const struct pass *p, size_t i, struct coefficient *f)
{
    const struct clause *c = p->clause;
    bool is_exchange = i > 2 && is_slash(c, i - 2) && relate_is(p, i - 3, MATTER);
    if (i > 0 && relate_is(p, i - 1, MATTER) && !phase_at(p, i - 1).n && !is_exchange) {
        size_t members[LIST_MAX];
        size_t n = relate_list(p, i - 1, -1, SV(MATTER), members, LIST_MAX);
        while (n-- > 0)
            add_species(f, relate_node(p, members[n]));
        i--;
    }
    bool is_pair = i > 2 && phase_at(p, i - 1).n && is_slash(c, i - 2);
    if (is_pair && phases_right(p, i - 3, f) == i)
        f->from = i - 3;
}

/* "partition coefficients": the item i is the noun. */
static bool read_noun(const struct pass *p, size_t i, struct coefficient *f)
{
    WORDS(kinds, "partition", "distribution", "partitioning");
    const struct clause *c = p->clause;
    bool is_noun = clause_is_word(c, i, "coefficient") || clause_is_word(c, i, "coefficients");
    if (!is_noun || i == 0 || !words_have(&kinds, clause_text(c, i - 1)))
        return false;
    *f = (struct coefficient){ .from = i - 1, .to = i + 1 };
    read_left(p, i - 1, f);
    size_t k = i + 1;
    if (clause_is_mark(c, k, '(') && clause_bracket(c, k) == k + 2)
        k += 3; /* "(D)" */
    for (unsigned n = 0; n < 2; n++) {
        bool is_of = clause_is_word(c, k, "of") || clause_is_word(c, k, "for");
        size_t end = is_of && !f->n ? species_right(p, k + 1, f) : k;
        if (clause_is_word(c, k, "between"))
            end = phases_between(p, k, f);
        if (clause_is_word(c, k, "in") && phase_at(p, k + 1).n) {
            f->phase = phase_at(p, k + 1);
            end = k + 2;
        }
        f->to = k = end;
    }
    return true;
}

/* ---- numbers ---- */

static void add_number(struct pass *p, const struct coefficient *f, struct node species,
                       size_t i)
{
    char name[NAME_MAX];
    size_t n = 0;
    struct sv tail = SV("partition coefficient");
    double confidence = relate_weigh(p, f->from, i, LIKELY);
    relate_tie(p, i);
    if (confidence <= 0 || f->phase.n + f->other.n + tail.n + 3 > NAME_MAX)
        return;
    struct sv parts[] = { f->phase, f->other.n ? SV("/") : SV(""), f->other,
                          f->phase.n ? SV(" ") : SV(""), tail };
    for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
        if (parts[k].n)
            memcpy(name + n, parts[k].p, parts[k].n);
        n += parts[k].n;
    }
    struct fact fact = relate_value(p, confidence);
    fact.head = species;
    fact.relation = "Has Value";
    fact.value = clause_quantity(p->clause, i);
    fact.of = (struct node){ .type = "property", .name = { name, n } };
    sink_add(p->sink, &fact);
}

static bool is_number(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    const struct quantity *q = clause_quantity(c, i);
    bool is_count = q && q->is_bare && i + 1 < c->n && c->items[i + 1].kind == ITEM_WORD &&
                    !clause_class(c, i + 1); /* "in 12 experiments" */
    return q && q->unit == UNIT_NONE && !q->is_vague && !is_count &&
           !(q->is_year && isnan(q->error)) && !relate_is_tied(p, i);
}

/* The next number behind item i, over words that join it to its coefficient; SIZE_MAX: none. */
static size_t number_behind(const struct pass *p, size_t i)
{
    WORDS(others, "taken", "assumed", "set", "estimated", "calculated", "determined", "fixed",
          "close", "found", "reported", "published", "experimental");
    WORDS(verbs, "decrease", "decreases", "increase", "increases", "vary", "drop", "drops",
          "fall", "falls", "rise", "rises", "value", "is", "are", "was", "were", "of", "equals",
          "reach", "reaches", "values", "average", "range", "ranges", "from", "varies");
    const struct clause *c = p->clause;
    bool has_verb = false;
    for (size_t k = i; k < c->n && k < i + VALUE_ITEMS; k++) {
        bool is_next = clause_quantity(c, k) && clause_quantity(c, k)->unit == UNIT_NONE;
        if (is_next)
            return has_verb && is_number(p, k) ? k : SIZE_MAX;
        bool is_verb = clause_word_in(c, k, &verbs) || clause_is_mark(c, k, '=') ||
                       clause_is_mark(c, k, ':') || clause_is_mark(c, k, '~') ||
                       clause_is_mark(c, k, '?');
        has_verb |= is_verb;
        bool is_aside =
            clause_quantity(c, k) || clause_word_in(c, k, &others) ||
            clause_is_mark(c, k, ')') || clause_is_mark(c, k, '(') ||
            clause_class(c, k) & (W_LINK | W_DET | W_PREP) ||
            (!has_verb && (clause_is_mark(c, k, '/') || clause_is_mark(c, k, '-'))) ||
            (!has_verb && clause_name(c, k) && !relate_is(p, k, MATTER)) ||
            (!has_verb && c->items[k].kind == ITEM_WORD && !clause_class(c, k));
        if (!is_verb && !is_aside)
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* "2.1 for La to 18 for Sm": from the number at item i on. */
static bool read_each(struct pass *p, const struct coefficient *f, size_t i)
{
    const struct clause *c = p->clause;
    bool found = false;
    while (i < c->n && is_number(p, i)) {
        size_t k = i + 1, close = SIZE_MAX;
        if (clause_is_mark(c, k, '('))
            close = clause_bracket(c, k);
        if (close != k + 2 && !clause_is_word(c, k, "for"))
            break;
        if (!relate_is(p, k + 1, MATTER))
            break;
        add_number(p, f, relate_node(p, k + 1), i);
        found = true;
        for (i = close == k + 2 ? k + 3 : k + 2; i < c->n && i < k + 7; i++)
            if (clause_quantity(c, i) ||
                !(clause_class(c, i) & (W_AND | W_LINK) || clause_is_mark(c, i, ',')))
                break;
    }
    return found;
}

/* "0.2 in clinopyroxene and 0.35 in olivine": from the number at item i on. */
static bool read_phases(struct pass *p, const struct coefficient *f, size_t i)
{
    const struct clause *c = p->clause;
    bool found = false;
    while (f->n && i < c->n && is_number(p, i)) {
        bool is_for = clause_is_word(c, i + 1, "in") || clause_is_word(c, i + 1, "for");
        struct coefficient one = *f;
        one.phase = is_for ? phase_at(p, i + 2) : SV("");
        if (!one.phase.n)
            break;
        for (size_t k = 0; k < f->n; k++)
            add_number(p, &one, f->species[k], i);
        found = true;
        for (i += 3; i < c->n && !clause_quantity(c, i); i++)
            if (!(clause_class(c, i) & (W_AND | W_LINK)) && !clause_is_mark(c, i, ','))
                return found;
    }
    return found;
}

/* "0.09 and 0.42, respectively": as many numbers as species. */
static bool read_paired(struct pass *p, const struct coefficient *f, size_t i)
{
    const struct clause *c = p->clause;
    size_t list[LIST_MAX], n = 0;
    for (; i < c->n && !(clause_class(c, i) & W_PAIRED); i++) {
        if (clause_quantity(c, i) && n < LIST_MAX)
            list[n++] = i;
        else if (!(clause_class(c, i) & (W_AND | W_LINK)) && !clause_is_mark(c, i, ','))
            break;
    }
    if (!(clause_class(c, i) & W_PAIRED))
        return false;
    for (size_t k = 0; n == f->n && k < n; k++)
        if (is_number(p, list[k]))
            add_number(p, f, f->species[k], list[k]);
    return true;
}

void measure_partition(struct pass *p)
{
    const struct clause *c = p->clause;
    for (size_t i = 0; i < c->n; i++) {
        struct coefficient f;
        char letter = (char)(c->items[i].key & 0xff); /* "coefficient", "D", "Kd" */
        if (c->items[i].kind != ITEM_WORD || (letter != 'c' && letter != 'd' && letter != 'k'))
            continue;
        if (!read_noun(p, i, &f) && !read_symbol(p, i, &f))
            continue;
        if (!f.phase.n && clause_is_word(c, f.to, "between"))
            f.to = phases_between(p, f.to, &f);
        size_t number = number_behind(p, f.to);
        if (number == SIZE_MAX || read_each(p, &f, number) || read_paired(p, &f, number) ||
            (!f.phase.n && read_phases(p, &f, number)))
            continue;
        for (size_t k = 0; k < f.n; k++)
            add_number(p, &f, f.species[k], number);
        bool is_untold = f.n == 0 && letter != 'c';
        for (size_t k = number;
             is_untold && k < c->n &&
             (clause_quantity(c, k) || clause_class(c, k) & W_AND || clause_is_mark(c, k, ','));
             k++)
            if (clause_quantity(c, k))
                relate_tie(p, k);
    }
}
