// SPDX-License-Identifier: MIT
/*
 * sample_label.c — labels that the text uses as samples without the word: "Basalt GX-01 has"
 *
 * A label is a token of capitals and digits. What makes a sample of it is what stands beside
 * it:
 *
 *   a rock before it                      "basalt GX-01", "lavas (GX-01 and GX-02)"
 *   a place of sampling before it         "Site U1439", "Hole 735B", "dredge D12"
 *   a verb of having behind it            "GX-01 has", "GX-01 and GX-02 yielded"
 *   a list with others, all of a series   "(GX-01, GX-02)"
 *
 * and then all labels of its series (the same letters and joint) are. Not labels: formulas,
 * names of the vocabulary (standards), long numbers (grants), figures, sections, instruments.
 */
#include "alloc.h"
#include "chem.h"
#include "scan.h"
#include "sample.h"
#include "utf8.h"

#define LABEL_BYTES 20
#define LABELS_MAX 2000 /* of a text */

struct label {
    size_t start, end;
    size_t stem;        /* bytes of its letters and the joint behind them */
    bool is_strong;     /* looks like a label wherever it stands */
    bool is_out, is_in; /* the place says what it is */
    bool has_noun;      /* ... a noun before it, or before its list */
};

struct labels {
    struct label *items;
    size_t n, cap;
};

/* ---- shapes ---- */

static bool is_joint(char c)
{
    return c == '-' || c == '_' || c == '/' || c == '.';
}

static size_t token_end(struct sv text, size_t pos)
{
    while (pos < text.n &&
           (scan_is_alnum(text.p[pos]) ||
            (is_joint(text.p[pos]) && pos + 1 < text.n && scan_is_alnum(text.p[pos + 1]))))
        pos++;
    return pos;
}

/* Letters that open names of instruments, norms, funds, programmes and stages. */
static bool is_other_stem(struct sv letters)
{
    static const char *const others[] = {
        "IMS",  "SX",    "JXA",  "NWR", "SEM",  "XRF",   "EPMA", "LA",  "ICP", "TIMS",
        "SRM",  "NIST",  "USGS", "ISO", "ASTM", "IRMM",  "IAEA", "NBS", "NSF", "NSFC",
        "EAR",  "OCE",   "ANR",  "ERC", "DOI",  "ISBN",  "ISSN", "CAS", "PDF", "ICDD",
        "MIS",  "OIS",   "IODP", "ODP", "DSDP", "ICDP",  "PM",   "UV",  "CT",  "QGIS",
        "IPCC", "JSM",   "EVO",  "RF",  "PMMA", "PTFE",  "AXS",  "DFG", "GRF", "ARC",
        "NERC", "COVID", "HR",   "XR",  "FEG",  "GUM",   "PCR",  "RNA", "DNA", "EU",
        "UN",   "US",    "UK",   "RCP", "SSP",  "CMIP",  "ERA",  "GPS", "UTM", "WGS",
        "EPSG", "MODIS", "TM",   "ETM", "OLI",  "ASTER", "VG",
    };
    return sv_in(letters, others, ARRAY_LEN(others));
}

/* "GX-01", "BH12", "DV-14-02", "06KA12": capitals and digits, a joint between or two of each.
 */
static void set_shape(struct sv s, struct label *l)
{
    size_t letters = 0, digits = 0, at, longest = 0, run = 0;
    while (letters < s.n && scan_is_upper(s.p[letters]))
        letters++;
    l->stem = letters;
    if (letters < s.n && is_joint(s.p[letters]) && letters)
        l->stem++;
    for (at = l->stem; at < s.n && scan_is_digit(s.p[at]); at++)
        digits++;
    for (size_t i = 0, tail = 0; i < s.n; i++) {
        run = scan_is_digit(s.p[i]) ? run + 1 : 0;
        longest = run > longest ? run : longest;
        tail = is_joint(s.p[i]) ? 0 : tail + (scan_is_alnum(s.p[i]) && !scan_is_digit(s.p[i]));
        if (i >= at && tail > 2) /* "-rich", "-type" */
            return;
    }
    bool has_joint = l->stem > letters;
    if (longest > 5 || letters > 5 || is_other_stem(sv_from_to(s, 0, letters)))
        return;
    if (letters)
        l->is_strong = digits && (has_joint ? s.p[letters] != '.' && s.p[letters] != '/'
                                            : letters >= 2 && digits >= 2);
    else /* "06KA12" */
        l->is_strong = digits >= 2 && s.n - at >= 3 && scan_is_upper(s.p[at]) &&
                       scan_is_upper(s.p[at + 1]) && scan_is_digit(s.p[s.n - 1]);
}

/* Chemistry over its first digits: "CO2-H2O", "U-238", "K-40". */
static bool is_chemistry(struct sv text, const struct label *l)
{
    struct chem c;
    struct sv s = sv_from_to(text, l->start, l->end);
    if (l->stem == 2 && !scan_is_alnum(s.p[1]) && chem_symbol(sv_from_to(s, 0, 1)) && s.n <= 5)
        return true;
    return chem_match(text, l->start, &c) && c.end > l->start + l->stem;
}

/* Is there a name that counts over a part of [start, end)? "BCR-2" */
static bool is_named(const struct entities *names, size_t start, size_t end)
{
    for (size_t i = entities_behind(names, start); i < names->n && names->items[i].start < end;
         i++) {
        const struct entity *e = &names->items[i];
        /* the "K" of "K-12", "Ab-23" */
        bool is_part = e->end - e->start < end - start && (e->chem || e->end - e->start < 4);
        if (!e->weak && !is_part)
            return true;
    }
    return false;
}

/* ---- what stands around ---- */

/* The word before byte pos over blanks, a full stop and an opening bracket. */
static struct sv word_before(struct sv text, size_t pos, size_t *from)
{
    while (pos > 0 && strchr(" (.\n", text.p[pos - 1]))
        pos--;
    size_t end = pos;
    while (pos > 0 &&
           (scan_is_alnum(text.p[pos - 1]) || (unsigned char)text.p[pos - 1] >= 0x80))
        pos--;
    *from = pos;
    return sv_from_to(text, pos, end);
}

/* Words behind which a label is none of a sample. */
static bool is_kept_out(struct sv word)
{
    static const char *const words[] = {
        "fig",        "figs",      "figure",   "figures",  "table",     "tables",     "section",
        "sections",   "sect",      "appendix", "eq",       "eqs",       "equation",   "chapter",
        "stage",      "stages",    "type",     "types",    "phase",     "phases",     "plate",
        "grant",      "grants",    "no",       "nos",      "nr",        "award",      "awards",
        "contract",   "project",   "number",   "standard", "standards", "srm",        "nist",
        "material",   "materials", "model",    "version",  "ref",       "step",       "cameca",
        "jeol",       "thermo",    "agilent",  "bruker",   "leg",       "expedition", "cruise",
        "apollo",     "luna",      "group",    "class",    "route",     "line",       "profile",
        "zone",       "unit",      "panel",    "scheme",   "program",   "reference",  "box",
        "supplement", "annex",     "panels",   "event",    "schedule",  "column",     "row",
    };
    return VOCAB_AMONG(word, words);
}

/* Places of sampling: what follows is a label, whatever its shape. */
static bool is_place_noun(struct sv word)
{
    static const char *const nouns[] = { "site",      "sites",      "hole",      "holes",
                                         "core",      "cores",      "borehole",  "boreholes",
                                         "drillhole", "drillholes", "well",      "dredge",
                                         "dredges",   "specimen",   "xenolith",  "xenoliths",
                                         "boulder",   "outcrop",    "drillcore", "aliquot" };
    return VOCAB_AMONG(word, nouns);
}

static bool is_verb(struct sv word)
{
    static const char *const verbs[] = {
        "has",     "have",     "had",     "contains",  "contain", "yields",
        "yielded", "yield",    "gave",    "gives",     "shows",   "showed",
        "show",    "displays", "display", "consists",  "consist", "exhibits",
        "exhibit", "plots",    "plot",    "comprises", "is",      "are",
        "was",     "were",     "records", "preserves", "hosts",   "contained"
    };
    return VOCAB_AMONG(word, verbs);
}

/* A rock that ends right before the label or its bracket. */
static bool is_behind_rock(struct sv text, const struct entities *names, const struct label *l)
{
    size_t at = l->start;
    at -= at > 0 && text.p[at - 1] == '(';
    at -= at > 0 && text.p[at - 1] == ' ';
    size_t i = at > 0 ? entities_behind(names, at - 1) : names->n;
    return at < l->start && i < names->n && names->items[i].end == at &&
           !names->items[i].weak && strcmp(names->items[i].type, "rock") == 0;
}

/* Over what joins two labels, or pos: ", ", " and ", "–", " to ". */
static size_t over_joint(struct sv text, size_t pos)
{
    static const char *const joints[] = {
        ", and ", " and ", ", ", "; ", " or ", " & ", " to ", "\xe2\x80\x93", ",", " through "
    };
    struct sv rest = sv_from_to(text, pos, text.n);
    for (size_t i = 0; i < ARRAY_LEN(joints); i++)
        if (sv_starts(rest, sv_from(joints[i])))
            return pos + strlen(joints[i]);
    return pos;
}

static bool is_listed(struct sv text, const struct label *a, const struct label *b)
{
    return over_joint(text, a->end) == b->start && b->start > a->end;
}

static bool same_series(struct sv text, const struct label *a, const struct label *b)
{
    return a->stem && a->stem == b->stem &&
           memcmp(text.p + a->start, text.p + b->start, a->stem) == 0;
}

static bool same_label(struct sv text, const struct label *a, const struct label *b)
{
    return sv_eq(sv_from_to(text, a->start, a->end), sv_from_to(text, b->start, b->end));
}

static void place_says(struct sv text, const struct entities *names, struct label *l)
{
    size_t from;
    struct sv before = word_before(text, l->start, &from);
    bool is_open = l->start == 0 || strchr(" (\n", text.p[l->start - 1]);
    l->is_out = is_kept_out(before) || !is_open;
    if (l->is_out)
        return;
    l->has_noun = is_place_noun(before) && from + before.n + 1 == l->start;
    l->is_in = l->has_noun || (l->is_strong && is_behind_rock(text, names, l));
    size_t next = l->end;
    next += next < text.n && text.p[next] == ' ';
    size_t end = next;
    while (end < text.n && text.p[end] >= 'a' && text.p[end] <= 'z')
        end++;
    bool has_article = vocab_word_is(before, "the") || vocab_word_is(before, "a") ||
                       vocab_word_is(before, "an"); /* "the A-12 was flown" */
    if (l->is_strong && !l->is_in && !has_article && next > l->end)
        l->is_in = is_verb(sv_from_to(text, next, end)) && !is_chemistry(text, l);
}

/* ---- lists and series ---- */

static void spread(struct sv text, struct labels *list)
{
    for (size_t i = 1; i < list->n; i++) {
        struct label *a = &list->items[i - 1], *b = &list->items[i];
        if (!is_listed(text, a, b))
            continue;
        b->is_out |= a->is_out; /* "Figs. 4B and 5C" */
        bool alike = same_series(text, a, b) || (a->is_strong && b->is_strong);
        b->is_in |= a->is_in && (alike || a->has_noun);
        b->has_noun |= a->has_noun;
    }
    for (size_t i = list->n; i-- > 1;) {
        struct label *a = &list->items[i - 1], *b = &list->items[i];
        if (is_listed(text, a, b) && b->is_in && !b->is_out &&
            (same_series(text, a, b) || (a->is_strong && b->is_strong)))
            a->is_in = true;
    }
    /* "(GX-01, GX-02)": nothing but labels of one series */
    for (size_t i = 1; i < list->n; i++) {
        struct label *a = &list->items[i - 1], *b = &list->items[i];
        bool is_bracket = a->start > 0 && text.p[a->start - 1] == '(' && a->is_strong;
        if (is_bracket && b->is_strong && is_listed(text, a, b) && same_series(text, a, b))
            a->is_in = b->is_in = true;
    }
}

static bool is_sample(const struct label *l)
{
    return l->is_in && !l->is_out;
}

static void mark_series(struct sv text, struct labels *list)
{
    size_t first = list->n;
    for (size_t i = 0; i < list->n && first == list->n; i++)
        if (is_sample(&list->items[i]))
            first = i;
    for (size_t i = first; i < list->n; i++) {
        struct label *l = &list->items[i];
        bool is_done =
            i > first && (l->is_strong ? same_series(text, l, l - 1) && is_sample(l - 1)
                                       : same_label(text, l, l - 1));
        for (size_t k = 0; is_sample(l) && !is_done && k < list->n; k++) {
            struct label *m = &list->items[k];
            m->is_in |=
                l->is_strong && m->is_strong ? same_series(text, l, m) : same_label(text, l, m);
        }
    }
}

/* ---- the text ---- */

/* Meteorites are numbered behind a blank: "NWA 7034", "ALH 84001". Start of the letters before
 * the number [start, end), or start. */
static size_t meteorite_start(struct sv text, size_t start, size_t end)
{
    static const char *const finds[] = { "NWA", "ALH", "ALHA", "EET", "LEW", "MIL",
                                         "QUE", "GRA", "GRV",  "PCA", "RBT", "LAP",
                                         "MAC", "MET", "LAR",  "DOM", "DaG", "SaU",
                                         "Dho", "NEA", "CMS",  "PAT", "GRO", "TIL" };
    size_t at = start > 0 && text.p[start - 1] == ' ' ? start - 1 : 0, from = at;
    while (from > 0 && at - from < 5 && scan_is_alnum(text.p[from - 1]))
        from--;
    bool is_number = end - start > 1 && end - start < 7;
    for (size_t i = start; i < end; i++)
        is_number &= scan_is_digit(text.p[i]);
    bool is_find = is_number && sv_in(sv_from_to(text, from, at), finds, ARRAY_LEN(finds));
    return is_find ? from : start;
}

static void push(struct labels *list, const struct label *l)
{
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    list->items[list->n++] = *l;
}

/* Does a letter that is not ASCII touch the token? "ä12" */
static bool is_torn(struct sv text, size_t start, size_t end)
{
    return (start > 0 && utf8_is_letter(utf8_before(text, start))) ||
           (end < text.n && utf8_is_letter(utf8_next(text, &end)));
}

/* The token around the digit at byte pos, which starts at byte `from` at the earliest, when a
 * capital or a digit opens it; else its end twice. */
static struct label token_at(struct sv text, size_t from, size_t pos)
{
    size_t start = pos, end = token_end(text, pos);
    while (start > from && (scan_is_alnum(text.p[start - 1]) ||
                            (is_joint(text.p[start - 1]) && start > from + 1 &&
                             scan_is_alnum(text.p[start - 2]))))
        start--;
    bool opens = scan_is_upper(text.p[start]) || scan_is_digit(text.p[start]);
    return (struct label){ .start = opens ? start : end, .end = end };
}

static void collect(struct sv text, const struct entities *names, struct labels *list)
{
    size_t from = 0; /* the end of the token before */
    for (size_t pos = 0; (pos = scan_to_digit(text, pos)) < text.n && list->n < LABELS_MAX;) {
        struct label l = token_at(text, from, pos);
        size_t find = meteorite_start(text, l.start, l.end);
        bool has_capital = false;
        for (size_t i = l.start; i < l.end; i++)
            has_capital |= scan_is_upper(text.p[i]);
        if (find < l.start && find >= from && !is_named(names, find, l.end)) {
            l.start = find;
            l.is_in = true;
            push(list, &l);
        } else if (has_capital && l.end - l.start > 1 && l.end - l.start <= LABEL_BYTES &&
                   !is_torn(text, l.start, l.end) && !is_named(names, l.start, l.end)) {
            set_shape(sv_from_to(text, l.start, l.end), &l);
            l.is_strong &= !is_chemistry(text, &l);
            place_says(text, names, &l);
            push(list, &l);
        }
        from = pos = l.end;
    }
}

void samples_find_labels(struct sv text, struct entities *names)
{
    struct labels list = { 0 };
    struct entities found = { 0 };
    collect(text, names, &list);
    spread(text, &list);
    mark_series(text, &list);
    for (size_t i = 0; i < list.n; i++) {
        const struct label *l = &list.items[i];
        if (is_sample(l))
            sample_push(&found, l->start, l->end, sv_from_to(text, l->start, l->end));
    }
    samples_merge(names, &found);
    entities_release(&found);
    free(list.items);
}
