// SPDX-License-Identifier: MIT
/*
 * compound.c — names side by side, names joined by a preposition, methods and their objects
 */
#include "relate.h"

#define THINGS "rock,mineral,deposit,setting"
#define BORNE MATTER ",mineral" /* what "-bearing" may be said of */

/* The modifier's name at item i and what its last word says of the thing at item k. */
static void add_modifier(struct pass *p, size_t i, size_t k)
{
    const struct clause *c = p->clause;
    bool is_mineral = relate_is(p, i, "mineral");
    bool is_poor = clause_is_word(c, i + 2, "poor") || clause_is_word(c, i + 2, "depleted");
    bool is_rich = clause_is_word(c, i + 2, "rich") || clause_is_word(c, i + 2, "enriched");
    if (!is_poor || is_mineral)
        relate_add(p, k, is_rich && !is_mineral ? "Enriched In" : "Contains", i, LIKELY);
    else /* relate_add takes "Al-poor" for "no Al" */
        relate_add_of(p, k, "Depleted In", i, LIKELY,
                      &(struct saying){ .start = SIZE_MAX, .is_assertion = true });
    /* "garnet- and spinel-bearing" */
    bool is_pair = i >= 3 && clause_class(c, i - 1) & W_AND && clause_is_mark(c, i - 2, '-') &&
                   c->items[i - 2].start == c->items[i - 3].end && relate_is(p, i - 3, BORNE);
    if (is_pair && !is_poor)
        relate_add(p, k, is_rich && !is_mineral ? "Enriched In" : "Contains", i - 3, LIKELY);
}

/* "garnet-bearing peridotite", "Fe-rich garnet": the modifier's name is item i. */
static void add_bearing(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    if (!clause_is_mark(c, i + 1, '-') || !relate_is(p, i, BORNE))
        return;
    bool bears = clause_is_word(c, i + 2, "bearing") || clause_is_word(c, i + 2, "rich") ||
                 clause_is_word(c, i + 2, "dominated") || clause_is_word(c, i + 2, "hosting") ||
                 clause_is_word(c, i + 2, "free") || /* taken back by relate_add */
                 clause_is_word(c, i + 2, "poor") || clause_is_word(c, i + 2, "depleted") ||
                 clause_is_word(c, i + 2, "enriched");
    if (!bears)
        return;
    for (size_t k = i + 3; k < c->n && k <= i + 5; k++) {
        if (relate_is(p, k, THINGS)) {
            while (relate_is(p, k + 1, THINGS))
                k++;
            add_modifier(p, i, k);
            return;
        }
        /* adjectives may stand between, nothing else */
        if (c->items[k].kind != ITEM_WORD || clause_class(c, k))
            return;
    }
}

/* "Chondrite-normalized REE patterns": the scale is item i. */
static void add_normalised(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    bool is_scale =
        clause_is_mark(c, i + 1, '-') &&
        (clause_is_word(c, i + 2, "normalized") || clause_is_word(c, i + 2, "normalised")) &&
        relate_is(p, i, "rock,setting,reference_material");
    for (size_t k = i + 3; is_scale && k < c->n && k <= i + 5; k++) {
        if (relate_is(p, k, "element,element_group,isotope_ratio"))
            relate_add(p, k, "Normalised To", i, LIKELY);
        if (c->items[k].kind != ITEM_WORD || clause_class(c, k))
            return;
    }
}

/* "Rutile with zircon inclusions", "basalt with olivine and augite phenocrysts": what is inside
 * is item i. */
static void add_enclosed(struct pass *p, size_t i)
{
    WORDS(bodies, "inclusions", "phenocrysts", "xenocrysts", "lamellae", "megacrysts",
          "porphyroblasts", "microlites");
    const struct clause *c = p->clause;
    bool is_body = false;
    is_body |= clause_word_in(c, i + 1, &bodies);
    if (!is_body || !relate_is(p, i, "mineral"))
        return;
    size_t members[LIST_MAX];
    size_t n = relate_list(p, i, -1, SV("mineral"), members, LIST_MAX);
    size_t with = members[n - 1];
    while (with > 0 && c->items[with - 1].kind == ITEM_WORD && !clause_class(c, with - 1))
        with--;
    if (with < 2 || !clause_is_word(c, with - 1, "with") ||
        !relate_is(p, with - 2, "rock,mineral"))
        return;
    for (size_t m = 0; m < n; m++)
        relate_add(p, with - 2, "Contains", members[m], LIKELY);
}

/* "Archean granite", "Kerguelen basalts" */
static void add_neighbours(struct pass *p, size_t i)
{
    size_t k = i + 1;
    if (!clause_name(p->clause, k))
        return;
    if (relate_is(p, i, "geologic_time") && relate_is(p, k, "rock,deposit,mineral"))
        relate_add(p, k, "Has Age", i, LIKELY);
    else if (relate_is(p, i, "location") && relate_is(p, k, "rock,deposit"))
        relate_add(p, k, "Located In", i, LIKELY);
}

/* The name behind preposition k, over articles and one adjective; SIZE_MAX: none. */
static size_t object_of(const struct pass *p, size_t k)
{
    const struct clause *c = p->clause;
    unsigned plain = 0;
    for (size_t i = k + 1; i < c->n; i++) {
        if (clause_name(c, i)) {
            size_t last = i;
            while (clause_name(c, last + 1))
                last++;
            /* a place may carry the noun it describes: "in Kerguelen basalts" */
            return clause_is_mark(c, last + 1, '-') ? SIZE_MAX : last;
        }
        if (clause_class(c, i) & W_DET)
            continue;
        if (c->items[i].kind != ITEM_WORD || clause_class(c, i) || ++plain > 1)
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* "Granite with biotite and garnet": the rock is item i. Not "we mixed basalt with olivine". */
static void add_with(struct pass *p, size_t i)
{
    static const char *const acts[] = { "mix",  "react", "compar", "replac", "blend",
                                        "spik", "fill",  "dop",    "match",  "overgr" };
    const struct clause *c = p->clause;
    if (!clause_is_word(c, i + 1, "with") || !relate_is(p, i, "rock"))
        return;
    for (size_t k = i; k-- > 0 && k + 6 > i;)
        for (size_t a = 0; a < ARRAY_LEN(acts); a++)
            if (sv_starts(clause_text(c, k), sv_from(acts[a])))
                return;
    size_t object = object_of(p, i + 1);
    if (object == SIZE_MAX || !relate_is(p, object, "mineral"))
        return;
    size_t members[LIST_MAX];
    size_t n = relate_list(p, object, 1, SV("mineral"), members, LIST_MAX);
    for (size_t m = 0; m < n; m++)
        relate_add(p, i, "Contains", members[m], FAIR);
}

static void add_prepositions(struct pass *p, size_t i)
{
    WORDS(preps, "in", "within", "from", "of", "at");
    const struct clause *c = p->clause;
    size_t k = i + 1;
    if (!clause_word_in(c, k, &preps) && !clause_word_in(c, k + 1, &preps))
        return;
    if (relate_is_carrier(p, k) &&
        !clause_is_word(c, k, "of")) /* "olivine crystals in", "basalt samples from" */
        k++;
    if (!clause_word_in(c, k, &preps))
        return;
    size_t object = object_of(p, k);
    if (object == SIZE_MAX)
        return;
    bool of = clause_is_word(c, k, "of") || clause_is_word(c, k, "at");
    if (relate_is(p, i, "rock,deposit,mineral") && relate_is(p, object, "location")) {
        size_t places[LIST_MAX];
        size_t n = relate_list(p, object, 1, SV("location"), places, LIST_MAX);
        for (size_t m = 0; m < n; m++) /* "from Norway and China" */
            relate_add(p, i, "Located In", places[m], LIKELY);
    } else if (!clause_is_word(c, k, "at") && relate_is(p, i, "mineral") &&
               relate_is(p, object, "rock,deposit"))
        relate_add(p, i, "Occurs In", object, FAIR + 0.05);
    else if (!of && relate_is(p, i, "rock,deposit") && relate_is(p, object, "setting"))
        relate_add(p, i, "Occurs In", object, FAIR);
}

/* "U contents of zircon", "concentrations of Sr in plagioclase" */
static void add_contents(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = SIZE_MAX;
    bool is_amount = clause_class(c, i + 1) & W_CONTENT;
    if (is_amount)
        k = i + 2;
    else if (i >= 2 && clause_is_word(c, i - 1, "of") && clause_class(c, i - 2) & W_CONTENT)
        k = i + 1;
    if (k == SIZE_MAX || !relate_is(p, i, MATTER) ||
        !(clause_is_word(c, k, "of") || clause_is_word(c, k, "in") ||
          clause_is_word(c, k, "for")))
        return;
    size_t object = object_of(p, k);
    if (object == SIZE_MAX || !relate_is(p, object, "mineral,rock,deposit"))
        return;
    size_t members[LIST_MAX], holders[LIST_MAX];
    size_t n = relate_list(p, i, -1, SV(MATTER), members, LIST_MAX);
    size_t h = relate_list(p, object, 1, SV("mineral,rock,deposit"), holders, LIST_MAX);
    for (size_t o = 0; o < h; o++)
        for (size_t m = 0; m < n; m++)
            relate_add(p, holders[o], "Contains", members[m], FAIR);
}

/* "Fe isotope fractionation during dissolution" */
static void add_fractionation(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i + 1;
    while (clause_is_word(c, k, "isotope") || clause_is_word(c, k, "isotopes") ||
           clause_is_word(c, k, "isotopic"))
        k++;
    /* "fractionation" is a process of the vocabulary itself */
    bool is_named = vocab_word_is(clause_text(c, k), "fractionation") ||
                    vocab_word_is(clause_text(c, k), "isotope fractionation") ||
                    vocab_word_is(clause_text(c, k), "isotopic fractionation");
    if (!is_named || !relate_is(p, i, "element,isotope,isotope_ratio,isotope_delta,oxide"))
        return;
    k++;
    if (!clause_is_word(c, k, "during") && !clause_is_word(c, k, "by") &&
        !(clause_is_word(c, k, "caused") && clause_is_word(c, k + 1, "by") && k++))
        return;
    size_t object = object_of(p, k);
    if (object != SIZE_MAX && relate_is(p, object, "process"))
        relate_add(p, object, "Fractionates", i, LIKELY);
}

void relate_compounds(struct pass *p)
{
    for (size_t k = 0; k < p->clause->n_names; k++) {
        size_t i = p->clause->named[k];
        add_bearing(p, i);
        add_normalised(p, i);
        add_enclosed(p, i);
        add_neighbours(p, i);
        add_prepositions(p, i);
        add_with(p, i);
        add_contents(p, i);
        add_fractionation(p, i);
    }
}

/* ---- methods ---- */

/* Digesting or sieving measures nothing. */
static bool is_preparation(const struct pass *p, size_t i)
{
    return sv_is(entity_kind(p->lore->vocab, clause_name(p->clause, i)), "preparation");
}

/* "measured Fe isotopes in pyrite using MC-ICP-MS": verb at item i. */
static void add_verb_object_method(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t object = SIZE_MAX, method = SIZE_MAX;
    for (size_t k = i + 1; k < c->n && k <= i + 24; k++) {
        if (object == SIZE_MAX && relate_is(p, k, MEASURED))
            object = k;
        if (clause_class(c, k) & (W_BREAK | W_NOT | W_WHICH) || clause_is_mark(c, k, ';'))
            return;
        if (object == SIZE_MAX && k > i + 6)
            return;
        if (object != SIZE_MAX && clause_class(c, k) & W_USING &&
            !clause_is_word(c, k, "means")) {
            for (size_t m = k + 1; m < c->n && m <= k + 6 && method == SIZE_MAX; m++) {
                if (relate_is(p, m, "method"))
                    method = m;
                else if (c->items[m].kind != ITEM_WORD && !clause_is_mark(c, m, '-'))
                    break;
            }
            if (method != SIZE_MAX)
                break;
        }
    }
    if (method == SIZE_MAX || is_preparation(p, method))
        return;
    size_t members[LIST_MAX];
    size_t n = relate_list(p, object, 1, SV(MEASURED), members, LIST_MAX);
    for (size_t m = 0; m < n && members[m] < method; m++)
        relate_add(p, members[m], "Measured By", method, LIKELY);
}

/* "LA-ICP-MS analyses of zircon", "U-Pb dating of zircon": method at item i. */
static void add_method_of(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i + 1;
    if (vocab_word_is(clause_text(c, i), "petrography"))
        return; /* "the petrography of the trachyte": what it is like */
    while (relate_is(p, k, "method,isotope_system"))
        k++;
    if (clause_class(c, k) & (W_MEASURE | W_DATE) || clause_is_word(c, k, "data"))
        k++;
    if (!clause_is_word(c, k, "of") && !clause_is_word(c, k, "on"))
        return;
    size_t object = object_of(p, k);
    if (object == SIZE_MAX || !relate_is(p, object, MEASURED))
        return;
    size_t members[LIST_MAX];
    size_t n = relate_list(p, object, 1, SV(MEASURED), members, LIST_MAX);
    for (size_t m = 0; m < n; m++)
        relate_add(p, members[m], "Measured By", i, FAIR + 0.05);
}

/* "was dated at 404 Ma by SHRIMP": a quantity between the verb and the method at item i. */
static void add_result_by_method(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i;
    while (k > 0 && k + 3 > i && !(clause_class(c, k - 1) & W_USING))
        k--;
    if (k < 2 || !(clause_class(c, k - 1) & W_USING))
        return;
    bool has_quantity = false;
    for (size_t verb = k - 1; verb-- > 0 && verb + 8 > k;) {
        has_quantity |= clause_quantity(c, verb) != NULL;
        if (clause_class(c, verb) & (W_BREAK | W_WHICH) || clause_is_mark(c, verb, ';'))
            return;
        if (!(clause_class(c, verb) & W_MEASURE))
            continue;
        size_t thing = has_quantity ? relate_subject(p, verb, SV(MEASURED)) : SIZE_MAX;
        if (thing != SIZE_MAX)
            relate_add(p, thing, "Measured By", i, LIKELY);
        return;
    }
}

void relate_methods(struct pass *p)
{
    const struct clause *c = p->clause;
    for (size_t i = 0; i < c->n; i++) {
        unsigned class = clause_class(c, i);
        bool is_active = class & W_MEASURE && i > 0 && clause_is_word(c, i - 1, "we");
        if (class & W_MEASURE && (is_active || !(class & W_LINK)))
            add_verb_object_method(p, i);
        if (!relate_is(p, i, "method") || is_preparation(p, i))
            continue;
        add_method_of(p, i);
        add_result_by_method(p, i);
    }
}
