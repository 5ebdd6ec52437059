// SPDX-License-Identifier: MIT
/*
 * table_label.c — what the names of rows say: samples, reference materials, sums, sections
 */
#include "scan.h"
#include "table_impl.h"

#include "utf8.h"

/* The label without what stands in brackets at its end. */
static struct sv without_bracket(struct sv label)
{
    while (label.n && strchr(")]", label.p[label.n - 1])) {
        size_t open = label.n;
        while (open > 0 && !strchr("([", label.p[open - 1]))
            open--;
        if (open < 2)
            break;
        label = sv_trim(sv_from_to(label, 0, open - 1));
    }
    while (label.n && strchr(":*.", label.p[label.n - 1]))
        label = sv_trim(sv_from_to(label, 0, label.n - 1));
    return label;
}

static struct sv first_word(struct sv s)
{
    size_t end = 0;
    while (end < s.n && s.p[end] != ' ')
        end++;
    return sv_from_to(s, 0, end);
}

static struct sv last_word(struct sv s)
{
    size_t start = s.n;
    while (start > 0 && s.p[start - 1] != ' ')
        start--;
    return sv_from_to(s, start, s.n);
}

/* "SD-12": a label whatever its letters say. */
static bool is_code(struct sv label)
{
    for (size_t i = 1; i + 1 < label.n; i++)
        if ((label.p[i] == '-' || label.p[i] == '_' || label.p[i] == '/') &&
            scan_is_letter(label.p[i - 1]) && scan_is_digit(label.p[i + 1]))
            return true;
    return false;
}

bool label_is_error(struct sv label)
{
    return !is_code(label) && error_of_head(label) != NULL;
}

bool label_is_summary(struct sv label)
{
    static const char *const words[] = {
        "mean",        "average",   "avg",           "ave",
        "total",       "sum",       "min",           "max",
        "n",           "median",    "stdev",         "range",
        "note",        "notes",     "minimum",       "maximum",
        "means",       "averages",  "geomean",       "percentile",
        "references",  "source",    "measured",      "certified",
        "recommended", "published", "concentration", "concentrations",
        "content",     "contents",  "abundance",     "value",
        "values"
    };
    static const char *const more[] = { "rsd",      "sd",       "se",        "std",  "cv",
                                        "skewness", "kurtosis", "deviation", "count" };
    static const char *const left_over[] = { "other", "others", "remainder" };
    static const char *const sources[] = { "this study", "this work", "our data", "et al" };
    static const char *const checks[] = { "diff",     "difference", "bias",
                                          "accuracy", "recovery",   "precision" };
    struct sv base = without_bracket(label);
    if ((label.n && label.p[0] == '%') || has_word(label, checks, ARRAY_LEN(checks)))
        return true;
    if (label_is_error(label) || has_text(base, sources, ARRAY_LEN(sources)))
        return true;
    if (is_code(base))
        return false;
    struct sv first = first_word(base), last = last_word(base);
    if (first.n > 1 && first.p[first.n - 1] == ',')
        first.n--;
    bool is_alone = first.n == base.n;
    return (VOCAB_AMONG(first, words) && (is_alone || first.n > 1)) ||
           (vocab_word_in(last, words, 3) && !is_alone) ||
           VOCAB_AMONG(last, left_over) || /* "Dust and other" */
           has_word(base, more, is_alone ? ARRAY_LEN(more) : 1) || sv_is(base, "\xce\xa3");
}

bool label_is_limit(struct sv label)
{
    static const char *const parts[] = { "detection limit", "limit of detection",
                                         "limits of detection", "quantification" };
    static const char *const words[] = { "DL", "LOD", "MDL", "LLD", "LOQ", "DLs", "LODs" };
    char plain[16];
    size_t n = 0;
    if (has_text(label, parts, ARRAY_LEN(parts)))
        return true;
    struct sv base = without_bracket(label);
    for (size_t i = 0; i < base.n && n < sizeof plain; i++)
        if (base.p[i] != '.' && base.p[i] != ' ')
            plain[n++] = base.p[i];
    return VOCAB_AMONG(((struct sv){ plain, n }), words);
}

bool label_is_zone(struct sv label)
{
    static const char *const words[] = { "core",      "rim",        "mantle",    "center",
                                         "centre",    "margin",     "edge",      "inner",
                                         "outer",     "interior",   "cores",     "rims",
                                         "spot",      "point",      "domain",    "matrix",
                                         "inclusion", "groundmass", "phenocryst" };
    size_t end = 0;
    while (end < label.n && scan_is_letter(label.p[end]))
        end++;
    struct sv rest = sv_trim(sv_from_to(label, end, label.n));
    return rest.n <= 3 && (rest.n == 0 || !scan_is_letter(rest.p[0])) &&
           VOCAB_AMONG(sv_from_to(label, 0, end), words);
}

/* A short form of the paper that is all of a text: "HMG" of a high-Mg gabbro. */
static struct node short_form(struct grid *g, struct sv text)
{
    struct entities *names = &g->w->names;
    if (!g->w->forms->n || text.n < 2 || text.n >= ABBREV_MAX)
        return (struct node){ 0 };
    scan_memo_find(&g->w->scans, g->x->vocab, text, names);
    abbrevs_find(g->w->forms, g->w->nth, text, g->w->section, names);
    const struct entity *e = names->n == 1 ? &names->items[0] : NULL;
    bool is_all = e && e->start == 0 && e->end == text.n && e->entry != VOCAB_NONE;
    return is_all ? (struct node){ .type = e->type, .name = vocab_name(g->x->vocab, e->entry) }
                  : (struct node){ 0 };
}

struct node grid_name(struct grid *g, struct sv text)
{
    static const char *const types[] = { "mineral", "rock",     "reference_material",
                                         "deposit", "location", "setting",
                                         "oxide" };
    struct node form = short_form(g, text);
    for (size_t i = 0; form.type && i < ARRAY_LEN(types); i++)
        if (strcmp(form.type, types[i]) == 0 && strcmp(form.type, "oxide") != 0)
            return form;
    const struct vocab *v = g->x->vocab;
    struct entity e;
    bool is_listed = vocab_find_all(v, sv_trim(text), &e);
    for (size_t i = 0; i < ARRAY_LEN(types) && is_listed; i++) {
        bool is_oxide = strcmp(types[i], "oxide") == 0;
        uint32_t at = 0, entry = vocab_same(v, &e, &at);
        while (entry != VOCAB_NONE && strcmp(vocab_type(v, entry), types[i]) != 0)
            entry = vocab_same(v, &e, &at);
        if (entry != VOCAB_NONE && (!is_oxide || relate_is_phase(v, entry)))
            return (struct node){ .type = vocab_type(v, entry), .name = vocab_name(v, entry) };
    }
    return (struct node){ 0 };
}

/* "(n = 12)" */
static bool has_count(struct sv label)
{
    size_t open = sv_find(label, SV("("), 0);
    if (open == SIZE_MAX)
        return false;
    size_t i = open + 1;
    bool is_n = i < label.n && (label.p[i] | 32) == 'n';
    for (i++; i < label.n && label.p[i] == ' '; i++)
        ;
    return is_n && i < label.n && label.p[i] == '=';
}

/* "BHVO-2 (certified)", "BCR-2 recommended values", "BHVO-2 this study". */
struct node label_name(struct grid *g, struct sv label, const char **conditions)
{
    static const char *const given[] = { "certified", "recommended", "reference",  "ref",
                                         "rec",       "cert",        "literature", "lit",
                                         "published", "georem",      "preferred",  "accepted" };
    static const char *const idle[] = { "measured", "meas",  "value",    "values", "study",
                                        "this",     "mean",  "average",  "avg",    "obs",
                                        "observed", "found", "standard", "std",    "analysed",
                                        "analyzed", "usgs",  "glass",    "our",    "n" };
    static const char *const ours[] = { "this study", "this work", "our data" };
    static const char *const theirs[] = { "et al", "georem" };
    *conditions = "";
    struct node n = label_is_zone(label) ? (struct node){ 0 } : grid_name(g, label);
    if (n.type)
        return n;
    bool is_given = has_word(label, given, ARRAY_LEN(given));
    struct sv base = without_bracket(label);
    bool is_ours = has_text(base, ours, ARRAY_LEN(ours));
    is_given |= has_text(label, theirs, ARRAY_LEN(theirs));
    bool is_column = first_word(base).n == base.n &&
                     (VOCAB_AMONG(base, given) || vocab_word_in(base, idle, 4));
    if (g->about.reference.type &&
        (is_column || is_ours || has_text(label, theirs, ARRAY_LEN(theirs)))) {
        *conditions = is_given ? "reference value" : "";
        return g->about.reference; /* "Measured", "Certified" of a table of one glass */
    }
    for (bool goes_on = true; goes_on && base.n;) {
        struct sv first = first_word(base), last = last_word(base);
        goes_on = first.n < base.n;
        if (!goes_on)
            break;
        if (strchr(".,", last.p[last.n - 1]))
            last.n--;
        if (VOCAB_AMONG(last, given) || VOCAB_AMONG(last, idle))
            base = sv_trim(sv_from_to(base, 0, (size_t)(last.p - base.p)));
        else if (VOCAB_AMONG(first, given) || VOCAB_AMONG(first, idle))
            base = sv_trim(sv_from_to(base, first.n, base.n));
        else
            goes_on = false;
    }
    if (base.n == label.n && !is_given)
        return n;
    if (has_count(label))
        n = grid_name(g, base); /* "Andesite (n = 12)" */
    if (n.type)
        return n;
    uint32_t entry = vocab_find(g->x->vocab, base, "reference_material");
    if (entry == VOCAB_NONE)
        return n;
    if (is_given)
        *conditions = "reference value";
    return (struct node){ .type = vocab_type(g->x->vocab, entry),
                          .name = vocab_name(g->x->vocab, entry) };
}

/* ---- rows that head others ---- */

/* "Sample 12BL-3 (granite)", "12BL-3: biotite granite": the sample whose spots follow. */
static struct sv sample_of_section(struct grid *g, struct sv text)
{
    static const char *const words[] = { "sample", "specimen" };
    static const char *const groups[] = {
        "group", "type",  "series", "unit",  "stage", "phase",
        "zone",  "table", "part",   "suite", "level", "step"
    };
    size_t at = 0;
    struct sv first = first_word(text);
    bool is_said = VOCAB_AMONG(first, words);
    if (is_said)
        at = first.n + 1 < text.n ? first.n + 1 : text.n;
    size_t end = at, digits = 0, letters = 0;
    for (; end < text.n && !strchr(" ,:;([", text.p[end]); end++) {
        digits += scan_is_digit(text.p[end]);
        letters += scan_is_letter(text.p[end]);
    }
    struct sv name = sv_from_to(text, at, end);
    if (!digits || name.n > 24 || (!is_said && (!letters || name.n < 4)))
        return SV_NONE;
    if (!is_said) {
        struct entities *names = &g->w->names;
        scan_memo_find(&g->w->scans, g->x->vocab, text, names);
        if ((names->n && names->items[0].start < end) ||
            has_word(name, groups, ARRAY_LEN(groups)))
            return SV_NONE;
    }
    return name;
}

struct section section_read(struct grid *g, struct sv text)
{
    struct section s = { .sample = SV_NONE, .mode = mode_of(text) };
    if (text.n > 200 || s.mode != MODE_PLAIN)
        return s;
    s.kind = grid_name(g, text);
    if (s.kind.type && is_any_rock(s.kind.name))
        s.kind = (struct node){ 0 };
    if (!s.kind.type)
        about_things(g, text, false, &s.kind, &s.place);
    if (s.kind.type && strcmp(s.kind.type, "location") == 0) {
        s.place = s.kind;
        s.kind = (struct node){ 0 };
    }
    if (s.kind.type && strcmp(s.kind.type, "rock") != 0 && strcmp(s.kind.type, "mineral") != 0)
        s.kind = (struct node){ 0 };
    s.sample = sample_of_section(g, text);
    return s;
}
