// SPDX-License-Identifier: MIT
/*
 * told.c — methods, places and times that papers tell in words of their own
 */
#include "spoken.h"

/* ---- how it is known ---- */

static bool is_method(const struct pass *p, size_t i)
{
    return relate_is(p, i, "method") &&
           !sv_is(entity_kind(p->lore->vocab, clause_name(p->clause, i)), "preparation");
}

/* "analyses", "imaging": a noun of what methods do, or its name */
static bool is_analysis(const struct clause *c, size_t i)
{
    WORDS(nouns, "analysis", "analyses", "study", "studies", "measurement", "measurements",
          "imaging", "mapping", "determination", "determinations", "dating", "investigation",
          "investigations", "geochronology", "images", "spectra", "patterns", "maps", "map",
          "data");
    return clause_word_in(c, i, &nouns);
}

static void add_measured(struct pass *p, size_t thing, size_t method, double confidence)
{
    size_t members[LIST_MAX];
    size_t n = relate_list(p, thing, 1, SV(MEASURED), members, LIST_MAX);
    for (size_t m = 0; m < n; m++)
        if (members[m] != method)
            relate_add(p, members[m], "Measured By", method, confidence);
}

static bool is_about(const struct clause *c, size_t i)
{
    WORDS(words, "of", "on", "from", "in");
    return clause_word_in(c, i, &words);
}

/* What the noun of analysis at item i is about: "analyses of rutile", "zircon U-Pb dating". */
static size_t analysed(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    if (is_about(c, i + 1))
        return spoken_object(p, i + 1, MEASURED);
    size_t k = i;
    while (k > 0 && (spoken_is_plain(c, k - 1) || clause_is_mark(c, k - 1, '-') ||
                     relate_is(p, k - 1, "isotope_system,element")))
        k--;
    return k > 0 && i - k < 5 && relate_is(p, k - 1, "mineral,rock") ? k - 1 : SIZE_MAX;
}

/* "LA-ICP-MS spot analyses of the types of pyrite", "SEM imaging of zircon": the method is
 * item i. */
static void add_analyses_by(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i + 1;
    while (k < i + 4 &&
           (spoken_is_plain(c, k) || relate_is(p, k, "method,isotope_system,element")) &&
           !is_analysis(c, k))
        k++;
    if (!is_analysis(c, k) || !is_about(c, k + 1))
        return;
    size_t object = spoken_object(p, k + 1, MEASURED);
    if (object != SIZE_MAX)
        add_measured(p, object, i, FAIR + 0.05);
}

/* The word "using" or "by" that the method at item i hangs on, over other methods of its list
 * and words of the instrument ("using a Cameca 1280 ion microprobe"); SIZE_MAX: none. */
static size_t using_of(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    for (size_t k = i, budget = 9; k-- > 0 && budget > 0; budget--) {
        unsigned class = clause_class(c, k);
        if (class & W_USING || clause_is_word(c, k, "through"))
            return clause_is_word(c, k, "with") && class & W_HAVE ? SIZE_MAX : k;
        bool is_other = clause_name(c, k) && !relate_is(p, k, "method");
        bool is_open = c->items[k].kind == ITEM_WORD && class && !(class & (W_DET | W_AND)) &&
                       !clause_is_word(c, k, "of");
        if (is_other || is_open || clause_is_mark(c, k, ';') || clause_is_mark(c, k, ':'))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* "Oxygen isotopes were measured in situ using an ion microprobe", "the study of these pyrites
 * was conducted using EPMA": the method is item i. */
static void add_measured_by(struct pass *p, size_t i)
{
    WORDS(done, "conducted", "performed", "undertaken", "made", "carried", "obtained",
          "acquired", "collected", "determined", "done");
    const struct clause *c = p->clause;
    size_t by = using_of(p, i);
    if (by == SIZE_MAX || clause_has(c, i, c->n, W_PAIRED))
        return; /* "by XRF and ICP-MS, respectively" */
    bool is_passive = false;
    for (size_t k = by; k-- > 0 && k + 12 > by;) {
        unsigned class = clause_class(c, k);
        if (class & (W_BREAK | W_WHICH | W_NOT) || clause_is_mark(c, k, ';') ||
            (class & W_USING && !clause_is_word(c, k, "with")))
            return;
        if (is_analysis(c, k)) {
            size_t thing = analysed(p, k);
            if (thing != SIZE_MAX && thing < by)
                add_measured(p, thing, i, LIKELY - 0.05);
            return;
        }
        if (clause_word_in(c, k, &done)) {
            is_passive = true;
            if (!(class & W_MEASURE))
                continue;
        }
        if (class & W_MEASURE) {
            size_t heads[LIST_MAX], n = spoken_subjects(p, k, MEASURED, heads);
            for (size_t h = 0; h < n; h++)
                relate_add(p, heads[h], "Measured By", i, LIKELY - 0.05);
            return;
        }
        if (class & W_HAVE && !is_passive)
            return;
    }
}

/* "Zircon U-Pb ages", "garnet Lu-Hf geochronology": the mineral is item i. */
static void add_dated(struct pass *p, size_t i)
{
    WORDS(nouns, "age", "ages", "dating", "dates", "date", "dated", "geochronology",
          "isochron");
    const struct clause *c = p->clause;
    if (!relate_is(p, i, "mineral"))
        return;
    size_t k = i + 1;
    while (spoken_is_plain(c, k) && k < i + 3)
        k++;
    bool is_dating =
        clause_word_in(c, k + 1, &nouns) ||
        (clause_is_word(c, k + 1, "analyses") && relate_is(p, k, "isotope_system") &&
         sv_is(relate_node(p, k).name, "U-Pb"));
    if (is_dating && relate_is(p, k, "isotope_system"))
        relate_add(p, i, "Dated By", k, LIKELY);
}

/* ---- places ---- */

static bool is_direction(const struct clause *c, size_t i)
{
    WORDS(words, "north", "south", "east", "west", "northern", "southern", "eastern", "western",
          "central", "northeast", "northwest", "southeast", "southwest", "northeastern",
          "northwestern", "southeastern", "southwestern", "nw", "ne", "sw", "se", "n", "s", "e",
          "w");
    return clause_word_in(c, i, &words);
}

/* Is the name at item i a wide region: a country, or one behind a direction? */
static bool is_wide(const struct pass *p, size_t i)
{
    struct sv kind = entity_kind(p->lore->vocab, clause_name(p->clause, i));
    return sv_is(kind, "country") || sv_is(kind, "region") || sv_is(kind, "craton");
}

/* "The Tarim Basin, northwest China": a place and the one it lies in, the first at item i. */
static void add_within(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    if (!relate_is(p, i, "location") || !clause_is_mark(c, i + 1, ','))
        return;
    size_t k = i + 2;
    while (is_direction(c, k) || clause_is_mark(c, k, '-'))
        k++;
    bool is_directed = k > i + 2;
    if (!relate_is(p, k, "location") || !is_wide(p, k) || (!is_directed && is_wide(p, i)))
        return;
    /* no list of places: "Kiruna, Sweden, and Norway" */
    size_t last = k;
    for (size_t next = k; relate_is(p, next, "location");) {
        last = next;
        next += clause_is_mark(c, next + 1, ',') ? 2 : 1;
        while (is_direction(c, next))
            next++;
    }
    size_t joint = last + 1 + (clause_is_mark(c, last + 1, ',') ? 1 : 0);
    if (!(clause_class(c, joint) & W_AND && relate_is(p, joint + 1, "location")))
        relate_add(p, i, "Located In", k, LIKELY);
}

/* "Granulites from various terrains of the Khondalite Belt", "schist in the northern part of
 * Japan": the rock is item i. */
static void add_part_of_place(struct pass *p, size_t i)
{
    WORDS(parts, "part", "parts", "margin", "margins", "area", "areas", "region", "regions",
          "terrains", "terranes", "localities", "sections", "section", "flank", "side", "edge",
          "segment", "portion", "sector", "domain", "outcrops", "locality", "outcrop",
          "domains");
    const struct clause *c = p->clause;
    size_t k = i + 1;
    bool is_in = clause_is_word(c, k, "from") || clause_is_word(c, k, "in") ||
                 clause_is_word(c, k, "at") || clause_is_word(c, k, "along");
    if (!is_in || !relate_is(p, i, "rock,deposit,mineral"))
        return;
    for (k++; k < i + 7 && !clause_word_in(c, k, &parts); k++)
        if (!spoken_is_plain(c, k) && clause_class(c, k) != W_DET && !clause_quantity(c, k))
            return;
    if (!clause_word_in(c, k, &parts) || !clause_is_word(c, k + 1, "of"))
        return;
    for (k += 2; clause_class(c, k) == W_DET || spoken_is_plain(c, k); k++)
        ;
    if (relate_is(p, k, "location"))
        relate_add(p, i, "Located In", k, LIKELY);
}

/* ---- time ---- */

/* "Cretaceous fluvial, carbon-bearing sandstone": the time is item i, the rock further off than
 * its neighbour. "Granites of Jurassic age": the rock before. */
static void add_period(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    if (!relate_is(p, i, "geologic_time"))
        return;
    if (clause_is_word(c, i + 1, "age") && i > 1 && clause_is_word(c, i - 1, "of") &&
        relate_is(p, i - 2, "rock,deposit"))
        relate_add(p, i - 2, "Has Age", i, LIKELY);
    size_t k = i + 1, plain = 0;
    bool is_when = i > 0 && clause_class(c, i - 1) & (W_SPAN | W_BREAK);
    for (; plain < 3 && !is_when; plain++) {
        if (spoken_is_plain(c, k) && clause_is_mark(c, k + 1, '-'))
            k += 2;
        /* "Holocene timescales" is no rock's */
        if (!spoken_is_plain(c, k) || sv_ends(clause_text(c, k), SV("s")) ||
            sv_ends(clause_text(c, k), SV("ing")))
            break;
        k++;
    }
    if (plain == 0 || !relate_is(p, k, "rock"))
        return;
    while (relate_is(p, k + 1, "rock"))
        k++;
    if (!clause_is_mark(c, k + 1, '-') && !clause_is_mark(c, k - 1, '-'))
        relate_add(p, k, "Has Age", i, FAIR);
}

void told_methods(struct pass *p, size_t i)
{
    if (!is_method(p, i))
        return;
    add_analyses_by(p, i);
    add_measured_by(p, i);
}

void told_names(struct pass *p, size_t i)
{
    add_dated(p, i);
    add_within(p, i);
    add_part_of_place(p, i);
    add_period(p, i);
}
