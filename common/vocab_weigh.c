// SPDX-License-Identifier: MIT
/*
 * vocab_weigh.c — what a name means where it stands: everyday words and bare symbols, ions that
 * share the name of minerals, parts of time units, elements inside other names
 */
#include "utf8.h"
#include "vocab.h"
#include "vocab_impl.h"

/* ---- weighing ---- */

static bool is_chemical(const struct entity *e)
{
    return vocab_is_notation(e->type) || strncmp(e->type, "element", 7) == 0;
}

bool vocab_is_list_gap(struct sv gap)
{
    if (gap.n > 8)
        return false;
    for (size_t i = 0; i < gap.n;) {
        struct sv rest = { gap.p + i, gap.n - i };
        if (sv_starts(rest, SV("and ")))
            i += 4;
        else if (sv_starts(rest, SV("or ")))
            i += 3;
        else if (strchr(" ,/&+-", gap.p[i]))
            i++;
        else if (sv_starts(rest, SV("\xe2\x80\x93")))
            i += 3;
        else
            return false;
    }
    return gap.n > 0;
}

static const char *const words_behind[] = {
    "isotope",
    "isotopes",
    "isotopic",
    "concentration",
    "concentrations",
    "content",
    "contents",
    "abundance",
    "abundances",
    "ion",
    "ions",
    "ppm",
    "ppb",
    "wt%",
    "enrichment",
    "depletion",
    "bearing",
    "rich",
    "ores",
    "ore",
    "sulfide",
    "sulfides",
    "mineralization",
    "deposit",
    "deposits",
    "anomaly",
    "anomalies",
    "oxide",
    "oxides",
    "ages",
    "speciation",
    "mobility",
    "partitioning",
    "metal",
    "diffusion",
    "systematics",
    "atoms",
    "species",
    "loss",
    "poor",
    "depleted",
    "enriched",
    "levels",
    "reduction",
    "oxidation",
    "fractionation",
    "isotopically",
    "fluxes",
    "emission",
    "emissions",
    "line",
    "lines",
    "peak",
    "peaks",
    "signal",
    "signals",
    "intensity",
    "intensities",
    "atom",
    "budget",
    "cycling",
    "uptake",
    "availability",
    "solubility",
    "cations",
    "cation",
    "anions",
    "metasomatism",
    "contamination",
    "mole",
    "gas",
    "vacancies",
};

/* The word behind byte pos, after one blank or hyphen. */
static struct sv word_behind(struct sv text, size_t pos)
{
    if (pos < text.n && (text.p[pos] == ' ' || text.p[pos] == '-'))
        pos++;
    return sv_from_to(text, pos, vocab_skip_word(text, pos));
}

/* The word of ASCII letters before byte pos and one blank or hyphen; empty: none. */
static struct sv word_before(struct sv text, size_t pos)
{
    if (pos == 0 ||
        (text.p[pos - 1] != ' ' && text.p[pos - 1] != '-' && text.p[pos - 1] != '\n'))
        return SV_NONE;
    size_t end = pos - 1, start = end;
    while (start > 0 && (unsigned char)((text.p[start - 1] | 32) - 'a') < 26)
        start--;
    return sv_from_to(text, start, end);
}

static bool has_word_behind(struct sv text, size_t pos)
{
    return VOCAB_AMONG(word_behind(text, pos), words_behind);
}

/* "total S", "dissolved P", "enriched in K". */
static bool has_word_before(struct sv text, size_t pos)
{
    static const char *const words[] = {
        "total",  "organic", "inorganic", "dissolved", "elemental", "reactive", "labile",
        "native", "excess",  "increased", "decreased", "elevated",  "bulk",     "strong",
    };
    static const char *const in_words[] = {
        "enriched",   "depleted",  "rich",     "richer",    "poor",      "poorer",
        "increase",   "increases", "decrease", "decreases", "variation", "variations",
        "enrichment", "depletion", "higher",   "lower",
    };
    struct sv word = word_before(text, pos);
    if (!vocab_word_is(word, "in"))
        return VOCAB_AMONG(word, words);
    return VOCAB_AMONG(word_before(text, (size_t)(word.p - text.p)), in_words);
}

/* A unit of concentration before: "35 ppm U", "4 wt% of K", "11 μg g−1 B". */
static bool has_unit_before(struct sv text, size_t pos)
{
    static const char *const units[] = { "ppm",
                                         "ppb",
                                         "ppt",
                                         "%",
                                         "/g",
                                         "/kg",
                                         "/L",
                                         "/l",
                                         "g\342\210\2221",
                                         "\xe2\x81\xbb\xc2\xb9",
                                         "g-1",
                                         "p.p.m.",
                                         "p.p.b.",
                                         " mL",
                                         " ml",
                                         "\xc2\xb5L" };
    struct sv left = { text.p, pos };
    left = sv_trim(left);
    if (left.n > 3 && sv_ends(left, SV(" of")))
        left.n -= 3;
    if (left.n == 0 || left.n == pos || !strchr("mbt%gLl1\xb9.", left.p[left.n - 1]))
        return false; /* no unit ends so */
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (sv_ends(left, sv_from(units[i])))
            return true;
    return false;
}

/* "As n.d.", "B b.d.l.": it was looked for. */
static bool has_no_value_behind(struct sv text, size_t pos)
{
    static const char *const none[] = { " n.d.", " nd,", " b.d.l", " bdl", " b.d." };
    struct sv rest = sv_from_to(text, pos, text.n);
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        if (sv_starts(rest, sv_from(none[i])))
            return true;
    return false;
}

/* "As, 0.3–2.1 ppm", "V 120 ppm", "F up to 2000 ppm": a content behind byte pos. */
static bool has_content_behind(struct sv text, size_t pos)
{
    static const char *const units[] = { "ppm", "ppb",       "ppt",      "wt",
                                         "%",   "\xc2\xb5g", "\xce\xbcg" };
    static const char *const leads[] = { ", ", " of up to ", " up to ", " of ", " = ", " " };
    struct sv rest = sv_from_to(text, pos, text.n);
    size_t at = 0;
    for (size_t i = 0; i < ARRAY_LEN(leads) && !at; i++)
        at = sv_starts(rest, sv_from(leads[i])) ? strlen(leads[i]) : 0;
    size_t from = at;
    while (at < rest.n && at < from + 20 && rest.p[at] &&
           strchr("0123456789. -~<>\xe2\x80\x93\x89\xa4\xa5", rest.p[at]))
        at++;
    rest = sv_from_to(rest, at, rest.n);
    for (size_t i = 0; at > from && from && i < ARRAY_LEN(units); i++)
        if (sv_starts(rest, sv_from(units[i])))
            return true;
    return false;
}

/* "12 for Rb, 0.3 for Cs, and 5 for U": a list of its like. */
static bool is_listed_for(struct sv text, const struct entities *list, size_t i)
{
    const struct entity *e = &list->items[i], *last = e - 1;
    return i > 0 && e->chem == CHEM_ELEMENT && last->chem == CHEM_ELEMENT && !last->weak &&
           e->start - last->end < 60 && vocab_word_is(word_before(text, e->start), "for") &&
           vocab_word_is(word_before(text, last->start), "for");
}

/* "of early Wenlock age": what tells a time from a place of that name. */
static bool has_time_word(struct sv text, const struct entity *e)
{
    static const char *const before[] = { "early",     "late",     "middle", "lower",
                                          "upper",     "earliest", "latest", "mid",
                                          "lowermost", "uppermost" };
    static const char *const behind[] = { "age",      "times",      "time",      "epoch",
                                          "stage",    "series",     "strata",    "rocks",
                                          "sequence", "succession", "sediments", "limestones",
                                          "faunas",   "interval",   "period" };
    return VOCAB_AMONG(word_before(text, e->start), before) ||
           VOCAB_AMONG(word_behind(text, e->end), behind);
}

/* "a sheared ultramafic contact", "the mafic unit": the adjective names the rock. */
static bool has_body_behind(struct sv text, const struct entity *e)
{
    static const char *const bodies[] = {
        "unit",         "units",      "contact",    "contacts", "body",       "bodies",
        "sequence",     "sequences",  "sill",       "sills",    "dykes",      "dyke",
        "dike",         "dikes",      "flow",       "flows",    "lens",       "lenses",
        "suite",        "suites",     "succession", "horizon",  "horizons",   "lithologies",
        "stratigraphy", "intrusion",  "package",    "pile",     "intrusions", "intrusives",
        "protolith",    "protoliths", "complex"
    };
    return vocab_type_is(e->type, "rock") && VOCAB_AMONG(word_behind(text, e->end), bodies);
}

static bool has_support(struct sv text, const struct entities *list, size_t i)
{
    const struct entity *e = &list->items[i];
    if (e->chem == CHEM_ELEMENT && e->end < text.n && text.p[e->end] == ':')
        return false; /* "A: FeO, B: K2O": panels */
    for (int side = -1; side <= 1; side += 2) {
        if ((side < 0 && i == 0) || (side > 0 && i + 1 == list->n))
            continue;
        const struct entity *o = side < 0 ? e - 1 : e + 1;
        const struct entity *left = side < 0 ? o : e, *right = side < 0 ? e : o;
        struct sv gap = sv_from_to(text, left->end, right->start);
        bool is_alike = is_chemical(e) ? is_chemical(o) : strcmp(e->type, o->type) == 0;
        bool is_series = e->type[0] == 'r' && sv_is(gap, " to "); /* "mafic to felsic" */
        if (!o->weak && is_alike && (is_series || vocab_is_list_gap(gap)))
            return true;
    }
    if (e->type[0] == 'g')
        return has_time_word(text, e);
    if (e->type[0] == 'r')
        return has_body_behind(text, e);
    /* "K-jarosite" */
    if (e->chem == CHEM_ELEMENT && i + 1 < list->n && e[1].start == e->end + 1 &&
        text.p[e->end] == '-' && vocab_type_is(e[1].type, "mineral"))
        return true;
    return is_chemical(e) &&
           (has_word_behind(text, e->end) || has_unit_before(text, e->start) ||
            has_word_before(text, e->start) || has_no_value_behind(text, e->end) ||
            (e->chem == CHEM_ELEMENT && has_content_behind(text, e->end)) ||
            is_listed_for(text, list, i));
}

/* ---- elements: one sense in one text ---- */

/* Atomic number of an element's symbol or name, 0 for anything else. */
static int z_of(const struct vocab *v, const struct entity *e)
{
    if (e->chem == CHEM_ELEMENT)
        return chem_symbol(sv_from(e->notation));
    if (!vocab_type_is(e->type, "element") || e->entry == VOCAB_NONE)
        return 0;
    for (int z = 1; z < (int)ARRAY_LEN(v->by_z); z++)
        if (v->by_z[z] == e->entry)
            return z;
    return 0;
}

/* Is a symbol that means an element elsewhere in the text something else here: an initial, a
 * variable, a panel, a wave? */
static bool is_other_sense(struct sv text, const struct entity *e)
{
    static const char *const labels[] = { "fig",     "figs",   "figure", "panel",    "panels",
                                          "site",    "sample", "group",  "type",     "zone",
                                          "profile", "well",   "core",   "unit",     "section",
                                          "station", "table",  "hole",   "appendix", "parts",
                                          "part" };
    static const char *const waves[] = { "wave", "waves", "type", "types", "T" };
    struct sv rest = sv_trim(sv_from_to(text, e->end, text.n)),
              before = word_before(text, e->start);
    bool is_enclosed =
        e->start > 0 && text.p[e->start - 1] == '(' && e->end < text.n && text.p[e->end] == ')';
    bool is_code = e->end + 1 < text.n && text.p[e->end] == '-' && text.p[e->end + 1] >= '0' &&
                   text.p[e->end + 1] <= '9';
    if (is_code || (e->start > 0 && text.p[e->start - 1] == '.'))
        return true; /* "F-31400", "M.S. 150" */
    if (is_enclosed || (e->end < text.n && text.p[e->end] == '.' && rest.n > 2 &&
                        rest.p[1] != ' ' && rest.p[1] != '\n'))
        return true;
    static const char *const maths[] = {
        "\xCE", "\xCF", "\xC3\x97", "\xE2\x86", "\xE2\x88", "\xE2\x89"
    }; /* Greek, ×, →, ∈, ≤ */
    for (size_t i = 0; e->end - e->start == 1 && i < ARRAY_LEN(maths); i++)
        if (sv_starts(rest, sv_from(maths[i])))
            return true;
    if (rest.n && (strchr("=<>", rest.p[0]) || (e->end < text.n && text.p[e->end] == ':')))
        return true;
    return VOCAB_AMONG(before, labels) || VOCAB_AMONG(word_behind(text, e->end), waves);
}

/* "phosphorus (P)" */
static bool is_defined(const struct vocab *v, struct sv text, const struct entities *list,
                       size_t i)
{
    const struct entity *e = &list->items[i], *name = e - 1;
    return i > 0 && e->start == name->end + 2 && text.p[e->start - 1] == '(' &&
           z_of(v, name) == z_of(v, e);
}

static void weigh_neighbours(struct sv text, struct entities *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].weak && has_support(text, list, i))
            list->items[i].weak = false;
    for (size_t i = list->n; i-- > 0;)
        if (list->items[i].weak && has_support(text, list, i))
            list->items[i].weak = false;
}

static void weigh_symbols(const struct vocab *v, struct sv text, struct entities *list)
{
    bool seen[ARRAY_LEN(v->by_z)] = { false }, has_weak = false;
    for (size_t i = 0; i < list->n; i++) {
        struct entity *e = &list->items[i];
        if (e->weak && e->chem == CHEM_ELEMENT && is_defined(v, text, list, i))
            e->weak = false;
        has_weak |= e->weak && e->chem == CHEM_ELEMENT;
    }
    if (!has_weak)
        return;
    for (size_t i = 0; i < list->n; i++)
        if (!list->items[i].weak && vocab_type_is(list->items[i].type, "element"))
            seen[z_of(v, &list->items[i])] = true;
    for (size_t i = 0; i < list->n; i++) {
        struct entity *e = &list->items[i];
        if (e->weak && e->chem == CHEM_ELEMENT && seen[z_of(v, e)] && !is_other_sense(text, e))
            e->weak = false;
    }
    weigh_neighbours(text, list);
}

/* ---- minerals' symbols ---- */

/* "Grt + Pl + Qz", "Ol-Cpx-Pl", "plagioclase (Pl)": symbols in a row speak for each other. */
static void weigh_mineral_symbols(struct sv text, struct entities *list)
{
    for (size_t i = 0, end; i < list->n; i = end) {
        struct entity *e = &list->items[i];
        end = i + 1;
        if (!vocab_type_is(e->type, "mineral"))
            continue;
        if (!e->weak || e->end - e->start > 3) {
            struct entity *next = e + 1;
            if (end < list->n && next->weak && next->entry == e->entry &&
                next->start == e->end + 2 && text.p[e->end + 1] == '(')
                next->weak = false;
            continue;
        }
        while (end < list->n && vocab_type_is(list->items[end].type, "mineral") &&
               list->items[end].end - list->items[end].start <= 3 &&
               vocab_is_list_gap(
                   sv_from_to(text, list->items[end - 1].end, list->items[end].start)))
            end++;
        for (size_t k = i; k < end && end - i >= 3; k++)
            list->items[k].weak = false;
    }
}

/* ---- ions ---- */

/* "sulfate" is a mineral beside veins and an ion beside concentrations. */
static bool is_ionic(struct sv text, const struct entity *e)
{
    static const char *const behind[] = {
        "concentration", "concentrations", "reduction", "reducing", "reducers", "ion",
        "ions",          "profile",        "profiles",  "flux",     "fluxes",   "levels",
        "pool",          "reservoir",      "methane",   "isotope",  "isotopes", "oxygen",
        "consumption",   "alkalinity",     "complexes", "complex",  "supply",   "gradient",
        "depletion",     "aerosols",
    };
    static const char *const before[] = { "dissolved", "aqueous",    "seawater", "porewater",
                                          "water",     "marine",     "oceanic",  "riverine",
                                          "microbial", "residual",   "waters",   "inorganic",
                                          "rainwater", "groundwater" };
    return VOCAB_AMONG(word_behind(text, e->end), behind) ||
           VOCAB_AMONG(word_before(text, e->start), before) || has_unit_before(text, e->start);
}

static void tell_ions(const struct vocab *v, struct sv text, struct entities *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct entity *e = &list->items[i];
        size_t n = e->end - e->start;
        struct sv ion;
        if (n < 7 || n > 9 || e->entry == VOCAB_NONE || e->type[0] != 'm' || e->chem ||
            !vocab_attr(v, e->entry, "ion", &ion) || !is_ionic(text, e))
            continue;
        uint32_t entry = vocab_find(v, ion, "oxide");
        if (entry == VOCAB_NONE)
            continue;
        e->entry = entry;
        e->type = vocab_type(v, entry);
        e->match = VOCAB_NONE;
    }
}

void vocab_weigh(const struct vocab *v, struct sv text, struct entities *list)
{
    weigh_neighbours(text, list);
    weigh_symbols(v, text, list);
    weigh_mineral_symbols(text, list);
    tell_ions(v, text, list);
    vocab_weigh_sense(v, text, list);
    vocab_weigh_field(v, text, list);
}

/* ---- inside of names ---- */

/* Pairs of elements whose hyphen names a method of dating or a family of isotopes. */
bool vocab_is_system(struct sv notation)
{
    static const char *const systems[] = {
        "U-Pb",    "Th-Pb", "U-Th",  "Th-U",     "U-Th-Pb",  "U-Th-He", "Pb-Pb",
        "Rb-Sr",   "Sm-Nd", "Lu-Hf", "Re-Os",    "Pt-Os",    "K-Ar",    "Ar-Ar",
        "K-Ca",    "La-Ce", "La-Ba", "Al-Mg",    "Mn-Cr",    "Hf-W",    "Pd-Ag",
        "I-Xe",    "Nb-Zr", "Be-B",  "U-Ra",     "Th-Ra",    "U-He",    "U-Th-Ra",
        "Th-U-Pb", "U-Xe",  "Pu-Xe", "Re-Pt-Os", "Pt-Re-Os", "U-Pa",
    };
    if (sv_in(notation, systems, ARRAY_LEN(systems)))
        return true;
    return memchr(notation.p, '(', notation.n) || (notation.n && notation.p[0] <= '9');
}

bool vocab_set_element(const struct vocab *v, struct sv text, size_t start, size_t end,
                       struct entity *inner)
{
    struct sv word = sv_from_to(text, start, end);
    int z = end - start <= 2 ? chem_symbol(word) : chem_name(word);
    if (!z || v->by_z[z] == VOCAB_NONE)
        return false;
    *inner = (struct entity){ .start = start,
                              .end = end,
                              .type = "element",
                              .entry = v->by_z[z],
                              .match = VOCAB_NONE,
                              .chem = CHEM_ELEMENT };
    memcpy(inner->notation, chem_symbol_of(z), strlen(chem_symbol_of(z)));
    return true;
}

size_t vocab_inner(const struct vocab *v, struct sv text, const struct entity *e,
                   struct entity *inner, size_t max)
{
    size_t n = 0;
    struct sv kind = SV_NONE; /* "zircon U-Pb dating", but not "diamond drilling" */
    if (vocab_type_is(e->type, "method") && e->entry != VOCAB_NONE)
        vocab_attr(v, e->entry, "kind", &kind);
    bool is_of_mineral = vocab_type_is(e->type, "rock") || sv_is(kind, "dating");
    if (max && !e->chem && is_of_mineral)
        return vocab_inner_rock(v, text, e, inner, max);
    bool is_mineral = vocab_type_is(e->type, "mineral");
    bool is_chain = e->chem == CHEM_ELEMENT_RATIO || e->chem == CHEM_SYSTEM;
    if (!is_chain &&
        (e->chem || (!vocab_type_is(e->type, "mineral") && !vocab_type_is(e->type, "oxide"))))
        return 0;
    bool is_normalised = e->chem == CHEM_ELEMENT_RATIO && text.p[e->start] == '(';
    for (size_t pos = e->start; pos < e->end && n < max;) {
        size_t end = pos;
        if (is_normalised && text.p[pos] == ')')
            break; /* the N of (La/Yb)N is none */
        while (end < e->end && (unsigned char)((text.p[end] | 32) - 'a') < 26)
            end++;
        bool is_whole = end >= e->end || !(text.p[end] >= '0' && text.p[end] <= '9');
        size_t next = end; /* "K- feldspar", but not "P 2 O 5" */
        while (next < e->end && strchr(is_mineral ? " -/" : " -", text.p[next]))
            next++;
        bool is_alone =
            next > end && next < e->end && (unsigned char)((text.p[next] | 32) - 'a') < 26;
        if (end > pos && is_whole && (is_chain || is_alone) &&
            (pos == e->start || !(text.p[pos - 1] >= '0' && text.p[pos - 1] <= '9')))
            n += vocab_set_element(v, text, pos, end, &inner[n]);
        if (!is_chain && !(is_mineral && is_alone && end - pos <= 2))
            break; /* all symbols of "Fe/Mg-smectite" */
        pos = is_chain ? end + (end == pos) : next;
    }
    return n;
}
