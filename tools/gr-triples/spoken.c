// SPDX-License-Identifier: MIT
/*
 * spoken.c — facts that papers tell in words of their own, which no single phrase binds
 *
 * Each reader starts from one word or name and takes both ends from the places that its form
 * of words gives them; where an end is missing it says nothing.
 */
#include "spoken.h"

size_t spoken_subjects(const struct pass *p, size_t verb, const char *types, size_t *members)
{
    const struct clause *c = p->clause;
    size_t k = verb;
    while (k > 0 && (clause_class(c, k - 1) & (W_AUX | W_NOT) || spoken_is_plain(c, k - 1)))
        k--;
    /* "are composed of calcite, and contain": whose verb is it? */
    if (k > 0 && (clause_class(c, k - 1) & W_AND || clause_is_mark(c, k - 1, ',')))
        return 0;
    size_t i = relate_subject(p, verb, sv_from(types));
    return i == SIZE_MAX ? 0 : relate_list(p, i, -1, sv_from(types), members, LIST_MAX);
}

size_t spoken_object(const struct pass *p, size_t k, const char *types)
{
    const struct clause *c = p->clause;
    unsigned plain = 0;
    for (size_t i = k + 1; i < c->n; i++) {
        if (clause_name(c, i)) {
            while (clause_name(c, i + 1))
                i++;
            return relate_is(p, i, types) && !clause_is_mark(c, i + 1, '-') ? i : SIZE_MAX;
        }
        bool is_carrier = relate_is_carrier(p, i) && clause_is_word(c, i + 1, "of");
        if (is_carrier) {
            i++;
            continue;
        }
        if (clause_class(c, i) & W_DET || clause_quantity(c, i))
            continue;
        if (!spoken_is_plain(c, i) || ++plain > 3)
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* ---- what is in it ---- */

/* "Dacite typically has plagioclase and hornblende phenocrysts": the last mineral is item i. */
static void add_grown(struct pass *p, size_t i)
{
    WORDS(bodies, "inclusions", "phenocrysts", "xenocrysts", "lamellae", "megacrysts",
          "porphyroblasts", "microlites", "inclusion", "microphenocrysts", "poikiloblasts");
    WORDS(verbs, "has", "have", "had", "show", "shows", "display", "displays");
    const struct clause *c = p->clause;
    if (!clause_word_in(c, i + 1, &bodies) || !relate_is(p, i, "mineral"))
        return;
    size_t members[LIST_MAX], heads[LIST_MAX];
    size_t n = relate_list(p, i, -1, SV("mineral"), members, LIST_MAX);
    size_t verb = members[n - 1];
    while (verb > 0 && (spoken_is_plain(c, verb - 1) || clause_class(c, verb - 1) == W_DET))
        verb--;
    if (verb == 0 || !clause_word_in(c, verb - 1, &verbs))
        return;
    size_t h = spoken_subjects(p, verb - 1, BODIES, heads);
    for (size_t k = 0; k < h; k++)
        for (size_t m = 0; m < n; m++)
            relate_add(p, heads[k], "Contains", members[m], LIKELY);
}

/* Minerals joined by plus signs ("diopside + plagioclase ± amphibole") from item i on, over
 * words like "melt". At most max; returns how many. */
static size_t assemblage(const struct pass *p, size_t i, size_t *members, size_t max)
{
    const struct clause *c = p->clause;
    size_t n = 0;
    while (n < max) {
        if (relate_is(p, i, "mineral"))
            members[n++] = i;
        else if (n == 0 || !spoken_is_plain(c, i))
            break;
        bool is_apart = i + 1 < c->n && c->items[i + 1].start > c->items[i].end;
        bool is_plus =
            (clause_is_mark(c, i + 1, '+') && is_apart) || /* "(illite+chlorite)" is a sum */
            sv_is(clause_text(c, i + 1), "\xc2\xb1");      /* plus or minus */
        if (!is_plus)
            break;
        i += 2;
    }
    return n;
}

/* "Garnet + omphacite ± quartz": what stands together, from item i on. */
static void add_assemblage(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    bool is_first = relate_is(p, i, "mineral") && (i == 0 || !clause_is_mark(c, i - 1, '+'));
    if (i > 1 && clause_is_mark(c, i - 1, '(') && clause_is_mark(c, i - 2, '/'))
        return; /* "smectite/(illite + chlorite)" */
    if (!is_first || (i > 0 && sv_is(clause_text(c, i - 1), "\xc2\xb1")))
        return;
    size_t members[LIST_MAX], n = assemblage(p, i, members, LIST_MAX);
    if (n && (clause_is_mark(c, members[n - 1] + 1, '/') ||
              (clause_is_mark(c, members[n - 1] + 1, ')') &&
               clause_is_mark(c, members[n - 1] + 2, '/'))))
        return;
    if (n && clause_is_mark(c, members[n - 1] + 1, '-'))
        n--; /* "grossite ± hibonite-rich" */
    for (size_t m = 1; m < n; m++)
        relate_add(p, members[m - 1], "Associated With", members[m], LIKELY);
}

static bool has_stem(struct sv said, const char *stem)
{
    size_t n = strlen(stem);
    return said.n >= n && sv_ieq(sv_from_to(said, 0, n), sv_from(stem));
}

/* "A symplectite of diopside + plagioclase": a texture that is a name, at item i. */
static void add_texture(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    struct sv said = clause_text(c, i);
    if (!clause_is_word(c, i + 1, "of") ||
        !(has_stem(said, "symplectit") || has_stem(said, "myrmekit") ||
          has_stem(said, "kelyphit")))
        return;
    size_t k = i + 2;
    while (spoken_is_plain(c, k) || clause_class(c, k) == W_DET)
        k++;
    size_t members[LIST_MAX], n = assemblage(p, k, members, LIST_MAX);
    if (n < 2 && relate_is(p, k, "mineral"))
        n = relate_list(p, k, 1, SV("mineral"), members, LIST_MAX);
    for (size_t m = 0; m < n; m++)
        relate_add(p, i, "Composed Of", members[m], LIKELY);
}

WORDS(roles, "host", "hosts", "carrier", "carriers", "sink", "sinks", "reservoir", "reservoirs",
      "form", "forms", "repository", "phase", "phases", "mineral", "minerals", "container");

/* "The main host of gold is pyrite", "the primary forms of Fe were hematite and goethite": the
 * noun is item i. */
static void add_role(struct pass *p, size_t i)
{
    WORDS(ranks, "main", "major", "primary", "principal", "dominant", "predominant", "chief",
          "common", "important", "the");
    const struct clause *c = p->clause;
    bool is_role = i > 0 && clause_word_in(c, i, &roles) && clause_word_in(c, i - 1, &ranks);
    if (!is_role || !(clause_is_word(c, i + 1, "of") || clause_is_word(c, i + 1, "for")))
        return;
    size_t k = i + 2;
    while (spoken_is_plain(c, k) || clause_class(c, k) == W_DET)
        k++;
    if (!relate_is(p, k, MATTER))
        return;
    size_t held[LIST_MAX], n = relate_list(p, k, 1, SV(MATTER), held, LIST_MAX);
    k = held[n - 1] + 1;
    if (!(clause_is_word(c, k, "is") || clause_is_word(c, k, "are") ||
          clause_is_word(c, k, "was") || clause_is_word(c, k, "were")))
        return;
    for (k++; spoken_is_plain(c, k) || clause_class(c, k) & (W_DET | W_NOT); k++)
        ;
    if (!relate_is(p, k, "mineral,oxide"))
        return;
    size_t holders[LIST_MAX];
    size_t m = relate_list(p, k, 1, SV("mineral,oxide"), holders, LIST_MAX);
    for (size_t h = 0; h < m; h++)
        for (size_t e = 0; e < n; e++)
            relate_add(p, holders[h], "Contains", held[e], LIKELY);
}

WORDS(frequent, "abundant", "common", "dominant", "main", "predominant", "principal", "major",
      "essential", "accessory", "chief", "primary");

/* "Quartz is the most abundant mineral in the granite": the noun is item i. */
static void add_rank(struct pass *p, size_t i)
{
    WORDS(nouns, "mineral", "minerals", "phase", "phases", "sulfide", "sulfides", "constituent",
          "constituents", "oxide", "oxides", "component", "components", "phenocryst",
          "phenocrysts");
    const struct clause *c = p->clause;
    bool is_noun = clause_word_in(c, i, &nouns) || relate_is(p, i, "mineral");
    if (!is_noun || !(clause_is_word(c, i + 1, "in") || clause_is_word(c, i + 1, "of")))
        return;
    bool is_ranked = false;
    size_t k = i;
    while (k > 0 && k + 6 > i &&
           (spoken_is_plain(c, k - 1) || clause_class(c, k - 1) == W_DET ||
            clause_is_word(c, k - 1, "most") || relate_is(p, k - 1, "mineral,process"))) {
        k--;
        is_ranked |= clause_word_in(c, k, &frequent);
    }
    bool is_verb =
        k > 0 && (clause_is_word(c, k - 1, "is") || clause_is_word(c, k - 1, "are") ||
                  clause_is_word(c, k - 1, "was") || clause_is_word(c, k - 1, "were"));
    if (!is_ranked || !is_verb)
        return;
    size_t object = spoken_object(p, i + 1, "rock,deposit"), members[LIST_MAX];
    if (object == SIZE_MAX)
        return;
    size_t n = spoken_subjects(p, k - 1, "mineral", members);
    for (size_t m = 0; m < n; m++)
        relate_add(p, object, "Contains", members[m], LIKELY);
}

/* "Pyrochlore is the primary Nb ore mineral": the element is item i. */
static void add_ore_of(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    bool is_ore = clause_name(c, i + 1) && relate_is(p, i, MATTER) &&
                  (vocab_word_is(clause_text(c, i + 1), "ore mineral") ||
                   vocab_word_is(clause_text(c, i + 1), "ore minerals"));
    size_t k = i, members[LIST_MAX];
    if (!is_ore)
        return;
    while (k > 0 && (spoken_is_plain(c, k - 1) || clause_class(c, k - 1) == W_DET))
        k--;
    if (k == 0 || !(clause_is_word(c, k - 1, "is") || clause_is_word(c, k - 1, "are")))
        return;
    size_t n = spoken_subjects(p, k - 1, "mineral", members);
    for (size_t m = 0; m < n; m++)
        relate_add(p, members[m], "Contains", i, LIKELY);
}

WORDS(occurs, "occur", "occurs", "occurred", "occurring", "present", "presents", "found",
      "exists", "exist", "appears", "appear");

/* "Monazite occurs as the primary mineral in carbonatite": "as" is item i. */
static void add_occurs_as(struct pass *p, size_t i)
{
    WORDS(nouns, "mineral", "minerals", "phase", "phases", "inclusion", "inclusions",
          "phenocrysts", "grains", "crystals", "veinlets", "veins", "constituent", "component",
          "aggregates", "xenocrysts", "lamellae");
    const struct clause *c = p->clause;
    if (i == 0 || !clause_word_in(c, i - 1, &occurs))
        return;
    size_t k = i + 1;
    while (k < i + 6 && (spoken_is_plain(c, k) || clause_class(c, k) == W_DET) &&
           !(clause_word_in(c, k, &nouns) && !clause_word_in(c, k + 1, &nouns)))
        k++;
    bool is_in = clause_is_word(c, k + 1, "in") || clause_is_word(c, k + 1, "within");
    if (!clause_word_in(c, k, &nouns) || !is_in)
        return;
    size_t object = spoken_object(p, k + 1, "rock,mineral,deposit"), members[LIST_MAX];
    size_t n = object == SIZE_MAX ? 0 : spoken_subjects(p, i - 1, "mineral", members);
    for (size_t m = 0; m < n; m++)
        relate_add(p, members[m], "Occurs In", object, LIKELY);
}

/* ---- more and less ---- */

WORDS(more, "higher", "greater", "highest", "more");
WORDS(less, "lower", "lowest", "less");

/* +1, -1: the word at item i says more, or less; else 0. */
static int degree(const struct clause *c, size_t i)
{
    return clause_word_in(c, i, &more) ? 1 : clause_word_in(c, i, &less) ? -1 : 0;
}

/* The list of matter behind the word of degree at item i, each as fact of the heads; the item
 * behind the list and its noun ("Hf contents"), or SIZE_MAX when no such list follows. */
static size_t add_compared(struct pass *p, size_t i, const size_t *heads, size_t n)
{
    const struct clause *c = p->clause;
    const char *relation = degree(c, i) > 0 ? "Enriched In" : "Depleted In";
    size_t k = i + 1, members[LIST_MAX];
    /* "higher contents of Hf", "higher mean Hf" */
    while (clause_class(c, k) & W_CONTENT || clause_is_word(c, k, "of") ||
           spoken_is_plain(c, k) || clause_is_word(c, k, "mean") ||
           clause_is_word(c, k, "bulk") || clause_is_word(c, k, "average"))
        k++;
    if (!relate_is(p, k, MATTER))
        return SIZE_MAX;
    size_t m = relate_list(p, k, 1, SV(MATTER), members, LIST_MAX);
    size_t end = members[m - 1] + 1;
    bool is_half = clause_is_mark(c, end, '/') || clause_is_mark(c, end, '-') ||
                   clause_is_word(c, end, "ratio") || clause_is_word(c, end, "ratios");
    if (is_half || clause_name(c, end) || clause_quantity(c, end))
        return SIZE_MAX;
    bool is_content = clause_class(c, end) & W_CONTENT || k > i + 1 || m > 1 ||
                      !spoken_is_plain(c, end); /* not "higher U zircon", "higher Mg values" */
    if (!is_content)
        return SIZE_MAX;
    for (size_t h = 0; h < n; h++)
        for (size_t e = 0; e < m && relate_is_matter(p, members[e]); e++)
            relate_add_of(p, heads[h], relation, members[e], LIKELY - 0.05,
                          &(struct saying){ .start = i });
    return end + (clause_class(c, end) & W_CONTENT ? 1 : 0);
}

/* "Zircon is characterized by much higher Hf contents and lower Zr": the first word of degree
 * is item i. */
static void add_comparison(struct pass *p, size_t i)
{
    WORDS(marks, "characterized", "characterised", "marked");
    WORDS(verbs, "has", "have", "had", "show", "shows", "showed", "contain", "contains",
          "display", "displays", "exhibit", "exhibits", "retained", "contained", "displayed");
    const struct clause *c = p->clause;
    if (!degree(c, i))
        return;
    size_t k = i;
    while (k > 0 && (spoken_is_plain(c, k - 1) || clause_class(c, k - 1) == W_DET))
        k--;
    bool is_by = k > 1 && clause_is_word(c, k - 1, "by") && clause_word_in(c, k - 2, &marks);
    if (k == 0 || (!is_by && !clause_word_in(c, k - 1, &verbs)))
        return;
    size_t verb = is_by ? k - 2 : k - 1, heads[LIST_MAX];
    size_t n = spoken_subjects(p, verb, BODIES, heads);
    if (n == 0 || relate_weigh(p, verb, i, SURE) < 0)
        return;
    for (size_t at = i; n && at < c->n && degree(c, at);) {
        at = add_compared(p, at, heads, n);
        if (at == SIZE_MAX)
            return;
        at += clause_is_mark(c, at, ',');
        at += (clause_class(c, at) & W_AND) || clause_is_word(c, at, "but") ? 1 : 0;
        while (spoken_is_plain(c, at) && degree(c, at + 1))
            at++; /* "and much lower" */
    }
}

void relate_spoken(struct pass *p)
{
    const struct clause *c = p->clause;
    bool has_role = clause_may_have(c, &roles), has_rank = clause_may_have(c, &frequent);
    bool has_degree = clause_may_have(c, &more) || clause_may_have(c, &less);
    bool has_occurs = clause_may_have(c, &occurs);
    bool has_any = has_role || has_degree || has_occurs;
    for (size_t i = 0; i < c->n; i++) {
        if (has_rank && (clause_is_word(c, i + 1, "in") || clause_is_word(c, i + 1, "of")))
            add_rank(p, i);
        if (has_any && c->items[i].kind == ITEM_WORD) {
            if (has_role)
                add_role(p, i);
            if (has_occurs && clause_is_word(c, i, "as"))
                add_occurs_as(p, i);
            if (has_degree)
                add_comparison(p, i);
        }
        if (!clause_name(c, i))
            continue;
        add_grown(p, i);
        add_ore_of(p, i);
        add_assemblage(p, i);
        add_texture(p, i);
        told_names(p, i);
        told_methods(p, i);
    }
}
