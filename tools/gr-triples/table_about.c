// SPDX-License-Identifier: MIT
/*
 * table_about.c — what caption and notes say: units, methods, standards, what and where from
 *
 * A clause tells what a unit or a method is of: "major elements (wt%) by XRF, trace elements
 * (ppm) by ICP-MS", "wt% for oxides". What is said of nothing is of all that it can be of.
 * Two that fit are as good as none.
 */
#include "scan.h"
#include "table_impl.h"

#include "utf8.h"

void about_release(struct about *a)
{
    buf_release(&a->text);
    buf_release(&a->sample);
    buf_release(&a->table);
}

/* ---- clauses ---- */

static const struct {
    const char *word;
    unsigned classes;
} class_words[] = {
    { "major", CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_SPECIES) },
    { "minor", CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_SPECIES) },
    { "oxide", CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_SPECIES) },
    { "oxides", CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_SPECIES) },
    { "majors", CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_SPECIES) },
    { "trace", CLASS_BIT(CLASS_ELEMENT) },
    { "traces", CLASS_BIT(CLASS_ELEMENT) },
    { "earth", CLASS_BIT(CLASS_ELEMENT) },
    { "ree", CLASS_BIT(CLASS_ELEMENT) },
    { "pge", CLASS_BIT(CLASS_ELEMENT) },
    { "hfse", CLASS_BIT(CLASS_ELEMENT) },
    { "metals", CLASS_BIT(CLASS_ELEMENT) },
    { "ion", CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_ELEMENT) | CLASS_BIT(CLASS_SPECIES) },
    { "ions", CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_ELEMENT) | CLASS_BIT(CLASS_SPECIES) },
    { "dissolved",
      CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_ELEMENT) | CLASS_BIT(CLASS_SPECIES) },
    { "concentration",
      CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_ELEMENT) | CLASS_BIT(CLASS_SPECIES) },
    { "concentrations",
      CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_ELEMENT) | CLASS_BIT(CLASS_SPECIES) },
    { "isotope", CLASS_BIT(CLASS_RATIO) | CLASS_BIT(CLASS_DELTA) },
    { "isotopes", CLASS_BIT(CLASS_RATIO) | CLASS_BIT(CLASS_DELTA) },
    { "isotopic", CLASS_BIT(CLASS_RATIO) | CLASS_BIT(CLASS_DELTA) },
    { "ratios", CLASS_BIT(CLASS_RATIO) },
    { "age", CLASS_BIT(CLASS_AGE) | CLASS_BIT(CLASS_RATIO) },
    { "ages", CLASS_BIT(CLASS_AGE) | CLASS_BIT(CLASS_RATIO) },
    { "dating", CLASS_BIT(CLASS_AGE) | CLASS_BIT(CLASS_RATIO) },
    { "geochronology", CLASS_BIT(CLASS_AGE) | CLASS_BIT(CLASS_RATIO) },
    { "minerals", CLASS_BIT(CLASS_MINERAL) },
    { "mineralogy", CLASS_BIT(CLASS_MINERAL) },
};

/* What the words of a clause are about. "elements" alone are traces. */
static unsigned classes_of(struct sv clause)
{
    unsigned found = 0;
    bool has_elements = false;
    for (size_t pos = 0; pos < clause.n;) {
        size_t start = pos;
        while (pos < clause.n && scan_is_letter(clause.p[pos]))
            pos++;
        struct sv word = sv_from_to(clause, start, pos);
        for (size_t i = 0; word.n && i < ARRAY_LEN(class_words); i++)
            if (vocab_word_is(word, class_words[i].word))
                found |= class_words[i].classes;
        has_elements |= vocab_word_is(word, "elements");
        pos += word.n ? 0 : 1;
    }
    return found ? found : has_elements ? CLASS_BIT(CLASS_ELEMENT) : 0;
}

/* "REE in ppb" is said of no other trace elements. */
enum { GROUP_REE = 1, GROUP_PGE = 2 };

static unsigned groups_of(struct sv clause)
{
    static const char *const all[] = { "trace", "elements", "metals", "concentrations" };
    static const char *const rees[] = { "ree", "rees", "earth", "lanthanides" };
    static const char *const pges[] = { "pge", "pges", "platinum" };
    bool is_rare = has_word(clause, rees, ARRAY_LEN(rees));
    bool is_platinum = has_word(clause, pges, ARRAY_LEN(pges));
    if (!is_rare && !is_platinum && has_word(clause, all, ARRAY_LEN(all)))
        return 0;
    if (has_word(clause, all, 1))
        return 0;
    return (is_rare ? GROUP_REE : 0) | (is_platinum ? GROUP_PGE : 0);
}

static unsigned group_of(const struct column *col)
{
    static const char *const rees[] = { "lanthanum",  "cerium",   "praseodymium", "neodymium",
                                        "samarium",   "europium", "gadolinium",   "terbium",
                                        "dysprosium", "holmium",  "erbium",       "thulium",
                                        "ytterbium",  "lutetium" };
    static const char *const pges[] = { "osmium",  "iridium",  "ruthenium",
                                        "rhodium", "platinum", "palladium" };
    if (sv_in(col->what.name, rees, ARRAY_LEN(rees)))
        return GROUP_REE;
    if (sv_in(col->what.name, pges, ARRAY_LEN(pges)))
        return GROUP_PGE;
    return 0;
}

/* The clause before byte at: back to the sentence's beginning or `from`. */
static struct sv clause_before(struct sv text, size_t from, size_t at)
{
    size_t start = at;
    while (start > from && text.p[start - 1] != ';' &&
           !(text.p[start - 1] == ' ' && start > 1 && text.p[start - 2] == '.' && start > 3 &&
             text.p[start - 4] != '.'))
        start--;
    return sv_from_to(text, start, at);
}

/* "wt% for oxides, …": the clause behind byte at, where it begins with "for". */
static struct sv clause_behind(struct sv text, size_t at)
{
    size_t end = at;
    if (!sv_starts(sv_from_to(text, at, text.n), SV(" for ")))
        return SV_NONE;
    while (end < text.n && !strchr(",;.)", text.p[end]))
        end++;
    return sv_from_to(text, at, end);
}

/* ---- units ---- */

/* Where a unit may stand: in brackets, behind "in" and the like. */
static bool may_be_unit(struct sv text, size_t at)
{
    static const char *const before[] = { "in", "and", "as", "or", "are", "is" };
    if (at == 0)
        return false;
    if (strchr("([", text.p[at - 1]))
        return true;
    if (text.p[at - 1] != ' ' || at < 3)
        return false;
    if (strchr(":=,", text.p[at - 2]))
        return true;
    size_t start = at - 1;
    while (start > 0 && scan_is_letter(text.p[start - 1]))
        start--;
    struct sv word = sv_from_to(text, start, at - 1);
    return VOCAB_AMONG(word, before);
}

static void read_units(struct grid *g)
{
    static const char *const others[] = { "error",     "uncertaint", "sigma",      "\xcf\x83",
                                          "precision", "rsd",        "deviation",  "discordan",
                                          "recover",   "accura",     "reproducib", "modal",
                                          "normative", "detection",  "relative" };
    static const char *const all[] = { "all", "both", "each", "every" };
    static const char *const made[] = { "analys", "composition", "chemi", "microprobe" };
    struct about *a = &g->about;
    struct sv text = buf_view(&a->text);
    size_t last = 0;
    for (size_t i = 1; i < text.n && a->n_units < ABOUT_MAX; i++) {
        size_t end;
        if (!may_be_unit(text, i))
            continue;
        uint32_t unit = units_match(g->x->units, text, i, &end);
        if (units_kind(g->x->units, unit) != UNIT_FRACTION)
            continue;
        struct sv clause = clause_before(text, last, i);
        last = end;
        if (has_text(clause, others, ARRAY_LEN(others)))
            continue;
        struct sv behind = clause_behind(text, end);
        bool is_conditional =
            behind.n && !classes_of(behind) && !has_word(behind, all, ARRAY_LEN(all));
        if (classes_of(behind))
            clause = behind;
        unsigned classes = classes_of(clause);
        if (classes == CLASS_BIT(CLASS_MINERAL) && has_text(clause, made, ARRAY_LEN(made)))
            classes = 0; /* "analyses of minerals (wt%)" are no shares */
        a->units[a->n_units++] =
            (struct about_unit){ unit, classes, groups_of(clause), is_conditional };
        i = end - 1;
    }
}

bool grid_is_percent(const struct grid *g, uint32_t unit)
{
    struct sv name = units_name(g->x->units, unit);
    return sv_is(name, "wt%") || sv_is(name, "%");
}

/* May a unit that is said of `classes` be that of a column? */
static bool unit_fits(const struct grid *g, const struct about_unit *u,
                      enum measure_class class, bool has_oxides)
{
    bool percent = grid_is_percent(g, u->unit);
    bool per_volume = memchr(units_name(g->x->units, u->unit).p, 'L',
                             units_name(g->x->units, u->unit).n) != NULL;
    bool is_said = u->classes & CLASS_BIT(class);
    switch (class) {
    case CLASS_OXIDE:
        return percent || per_volume;
    case CLASS_SPECIES:
        return percent || !has_oxides || is_said;
    case CLASS_ELEMENT:
        return !percent || !has_oxides;
    default:
        return false;
    }
}

uint32_t about_unit(const struct grid *g, const struct column *col, bool has_oxides)
{
    const struct about *a = &g->about;
    uint32_t found[3] = { UNIT_NONE, UNIT_NONE, UNIT_NONE }; /* of nothing, this, its group */
    bool is_open[3] = { false };
    unsigned group = group_of(col);
    if (col->role != ROLE_MEASURE || col->is_ratio || a->has_no_contents)
        return UNIT_NONE;
    for (size_t i = 0; i < a->n_units; i++) {
        const struct about_unit *u = &a->units[i];
        bool is_said = u->classes & CLASS_BIT(col->class);
        bool says_other = (u->classes && !is_said) || (u->groups && !(u->groups & group));
        if (says_other || !unit_fits(g, u, col->class, has_oxides))
            continue;
        if (u->is_conditional)
            return UNIT_NONE; /* "in pmol/kg for fluids and in ppm for rocks" */
        int k = u->groups ? 2 : is_said;
        is_open[k] |= found[k] != UNIT_NONE && found[k] != u->unit;
        found[k] = u->unit;
    }
    if (found[2] != UNIT_NONE)
        return is_open[2] || is_open[0] ? UNIT_NONE : found[2];
    if (is_open[0] || is_open[1] ||
        (found[0] != UNIT_NONE && found[1] != UNIT_NONE && found[0] != found[1]))
        return UNIT_NONE;
    return found[1] != UNIT_NONE ? found[1] : found[0];
}

/* ---- methods ---- */

static bool name_has(struct sv name, const char *part)
{
    return sv_find(name, sv_from(part), 0) != SIZE_MAX;
}

/* What a method gives. */
static unsigned classes_of_method(struct sv name, struct sv kind)
{
    unsigned contents = CLASS_BIT(CLASS_OXIDE) | CLASS_BIT(CLASS_ELEMENT) |
                        CLASS_BIT(CLASS_SPECIES) | CLASS_BIT(CLASS_INDEX);
    unsigned ratios = CLASS_BIT(CLASS_RATIO) | CLASS_BIT(CLASS_DELTA);
    if (sv_is(kind, "dating"))
        return CLASS_BIT(CLASS_AGE);
    if (sv_is(kind, "x_ray"))
        return name_has(name, "XRF") || name_has(name, "PIXE")       ? contents
               : name_has(name, "XRD") || name_has(name, "Rietveld") ? CLASS_BIT(CLASS_MINERAL)
                                                                     : 0;
    if (sv_is(kind, "electron_beam"))
        return name_has(name, "QEMSCAN") ? CLASS_BIT(CLASS_MINERAL) : contents;
    if (sv_is(kind, "spectroscopy"))
        return name_has(name, "CRDS") || name_has(name, "ICOS") ? ratios : contents;
    if (sv_is(kind, "spectrometry") || sv_is(kind, "nuclear") || sv_is(kind, "bulk") ||
        sv_is(kind, "chromatography"))
        return contents;
    if (!sv_is(kind, "mass_spectrometry"))
        return 0;
    if (name_has(name, "IRMS") || name_has(name, "GasBench") || name_has(name, "TC/EA"))
        return ratios;
    if (name_has(name, "TIMS"))
        return ratios | CLASS_BIT(CLASS_AGE) | (name_has(name, "ID") ? contents : 0);
    if (name_has(name, "MC-ICP-MS"))
        return ratios | CLASS_BIT(CLASS_AGE);
    if (name_has(name, "AMS"))
        return ratios | CLASS_BIT(CLASS_AGE);
    return contents | ratios | CLASS_BIT(CLASS_AGE);
}

/* "XRF and ICP-MS", "XRF/ICP-MS": nothing but a joint between two names. */
static bool is_joint(struct sv gap)
{
    gap = sv_trim(gap);
    return gap.n == 0 || sv_is(gap, "and") || sv_is(gap, "or") || sv_is(gap, ",") ||
           sv_is(gap, "/") || sv_is(gap, ", and") || sv_is(gap, "&") || sv_is(gap, "+");
}

static void read_methods(struct grid *g)
{
    struct about *a = &g->about;
    struct sv text = buf_view(&a->text);
    struct entities *names = &g->w->names;
    size_t last = 0;
    unsigned classes = 0;
    vocab_scan(g->x->vocab, text, names);
    for (size_t i = 0; i < names->n && a->n_methods < ABOUT_MAX; i++) {
        const struct entity *e = &names->items[i];
        if (e->weak || strcmp(e->type, "method") != 0 || e->entry == VOCAB_NONE)
            continue;
        struct sv name = vocab_name(g->x->vocab, e->entry), kind = entity_kind(g->x->vocab, e);
        if (!classes_of_method(name, kind))
            continue;
        if (!last || !is_joint(sv_from_to(text, last, e->start))) {
            classes = classes_of(clause_behind(text, e->end));
            if (!classes)
                classes = classes_of(clause_before(text, last, e->start));
        }
        last = e->end;
        a->methods[a->n_methods++] = (struct about_method){ name, kind, classes };
    }
}

struct sv about_method(const struct grid *g, const struct column *col)
{
    const struct about *a = &g->about;
    struct sv found[2] = { SV_NONE, SV_NONE };
    bool is_open[2] = { false, false };
    unsigned bit = CLASS_BIT(col->class);
    for (size_t i = 0; i < a->n_methods; i++) {
        const struct about_method *m = &a->methods[i];
        if ((m->classes && !(m->classes & bit)) || !(classes_of_method(m->name, m->kind) & bit))
            continue;
        int k = m->classes != 0;
        is_open[k] |= found[k].n && !sv_eq(found[k], m->name);
        found[k] = m->name;
    }
    for (int k = 1; k >= 0; k--)
        if (found[k].n)
            return is_open[k] ? SV_NONE : found[k];
    return SV_NONE;
}

/* ---- standards ---- */

static void read_standards(struct grid *g)
{
    struct about *a = &g->about;
    struct entities *names = &g->w->names; /* of the same text, see read_methods */
    for (size_t i = 0; i < names->n && a->n_standards < ABOUT_MAX; i++) {
        const struct entity *e = &names->items[i];
        struct sv system = SV_NONE;
        if (e->weak || e->entry == VOCAB_NONE || strcmp(e->type, "reference_material") != 0 ||
            !vocab_attr(g->x->vocab, e->entry, "system", &system))
            continue;
        a->standards[a->n_standards] = vocab_name(g->x->vocab, e->entry);
        a->systems[a->n_standards++] = system;
    }
}

/* The one reference material among the first `end` bytes. */
static struct node only_reference(struct grid *g, size_t end)
{
    struct entities *names = &g->w->names; /* see read_standards */
    struct node found = { 0 };
    for (size_t i = 0; i < names->n && names->items[i].start < end; i++) {
        const struct entity *e = &names->items[i];
        if (e->weak || e->entry == VOCAB_NONE || strcmp(e->type, "reference_material") != 0)
            continue;
        struct sv name = vocab_name(g->x->vocab, e->entry);
        if (found.type && !sv_eq(found.name, name))
            return (struct node){ 0 };
        found = (struct node){ .type = e->type, .name = name };
    }
    return found;
}

/* The element of δ18O, δD, δ98Mo. */
static struct sv element_of(struct sv name)
{
    size_t i = 0;
    while (i < name.n && !(name.p[i] >= 'A' && name.p[i] <= 'Z'))
        i++;
    struct sv symbol = sv_from_to(name, i, name.n);
    return sv_is(symbol, "D") ? SV("H") : symbol;
}

struct sv about_standard(const struct grid *g, const struct column *col)
{
    struct sv found = SV_NONE, element = element_of(col->what.name);
    for (size_t i = 0; i < g->about.n_standards && element.n; i++) {
        struct sv rest = g->about.systems[i], one;
        bool serves = false;
        while (rest.n && sv_cut(&rest, ',', &one))
            serves |= sv_eq(sv_trim(one), element);
        if (!serves || sv_eq(found, g->about.standards[i]))
            continue;
        if (found.n)
            return SV_NONE;
        found = g->about.standards[i];
    }
    return found;
}

/* ---- the whole ---- */

/* The kind of error that a sentence names: "1σ", "two standard deviations", or NULL. */
static const char *kind_in(struct sv sentence)
{
    static const char *const two[] = { "2 standard dev", "two standard dev", "2 std" };
    static const char *const one[] = { "standard deviation", "std dev", "std. dev" };
    static const char *const se[] = { "standard error" };
    for (size_t i = 0; i < sentence.n; i++) {
        char c = sentence.p[i];
        bool is_start = i == 0 || strchr(" (\xb1", sentence.p[i - 1]);
        size_t stop = i + 5 < sentence.n ? i + 5 : sentence.n;
        if (!is_start || !(c == '1' || c == '2' || c == '9' || (unsigned char)c == 0xCF))
            continue;
        const char *kind =
            quantity_error_kind(sv_from_to(sentence, i, utf8_floor(sentence, stop)));
        if (kind)
            return kind;
    }
    return has_text(sentence, two, ARRAY_LEN(two))   ? "2SD"
           : has_text(sentence, one, ARRAY_LEN(one)) ? "1SD"
           : has_text(sentence, se, 1)               ? "1SE"
                                                     : NULL;
}

/* "Numbers in parentheses are 1σ in the last digits", "Uncertainties are 2SE": into about. */
static void read_errors(struct about *a)
{
    static const char *const brackets[] = { "parenthes", "brackets" };
    static const char *const errors[] = { "error", "uncertaint", "last digit", "least unit",
                                          "last decimal" };
    struct sv text = buf_view(&a->text);
    bool is_several = false;
    for (size_t start = 0; start < text.n;) {
        size_t end = sv_find(text, SV(". "), start);
        end = end == SIZE_MAX ? text.n : end + 2;
        struct sv sentence = sv_from_to(text, start, end);
        start = end;
        const char *kind = kind_in(sentence);
        bool says_error = has_text(sentence, errors, ARRAY_LEN(errors));
        bool is_sign = sv_find(sentence, SV("(\xc2\xb1"), 0) != SIZE_MAX; /* "(± 2SD)" */
        if (has_text(sentence, brackets, ARRAY_LEN(brackets))) {
            if (kind || says_error)
                a->bracket_error = kind ? kind : "";
        } else if (kind && (is_sign || (says_error && !classes_of(sentence)))) {
            is_several |= a->error_kind && strcmp(a->error_kind, kind) != 0;
            a->error_kind = kind;
        }
    }
    if (is_several)
        a->error_kind = NULL;
}

/* "Mineral abundances (vol%)", "Modal mineralogy in wt%". */
static uint32_t mineral_unit(const struct grid *g, struct sv caption)
{
    static const char *const parts[] = { "modal",           "mineral abundance",
                                         "mineralog",       "mineral proportion",
                                         "mineral content", "modes" };
    uint32_t found = UNIT_NONE;
    for (size_t i = 1; has_text(caption, parts, ARRAY_LEN(parts)) && i < caption.n; i++) {
        size_t end;
        if (!may_be_unit(caption, i))
            continue;
        uint32_t unit = units_match(g->x->units, caption, i, &end);
        struct sv name = units_name(g->x->units, unit);
        if (!sv_ends(name, SV("%")))
            continue;
        if (found != UNIT_NONE && found != unit)
            return UNIT_NONE;
        found = unit;
    }
    return found;
}

static bool says_no_contents(struct sv caption)
{
    static const char *const parts[] = {
        "partition coefficient",
        "distribution coefficient",
        "correlation",
        "loading",
        "eigenvector",
        "principal component",
        "enrichment factor",
        "mass balance",
        "gains and losses",
        "normative",
        "recover",
        "chondrite-normali",
        "chondrite normali",
        "mantle-normali",
        "mantle normali",
        "morb-normali",
        "shale-normali",
        "paas-normali",
        "crust-normali",
        "ucc-normali",
        "regression",
        "normalized concentration",
        "normalised concentration",
        "anova",
        "t-test",
        "normalized rare",
        "normalised rare",
        "normalized ree",
    };
    return has_text(caption, parts, ARRAY_LEN(parts));
}

void about_read(struct grid *g, struct sv caption, jv table)
{
    static const char *const general[] = {
        "standard",           "compar",     "model",   "experiment", "synthetic",
        "calculated",         "average",    "compil",  "end-member", "endmember",
        "reference material", "literature", "starting"
    };
    static const char *const others[] = { "inclusion", "fluid", "water", "weathering", "brine",
                                          "hosted",    "gas",   "leach", "mixing",     "soil" };
    static const char *const models[] = { "model parameter",    "mixing model",
                                          "mixing calc",        "model input",
                                          "used in the model",  "parameters used",
                                          "parameters for",     "modelling parameter",
                                          "modeling parameter", "mixing parameter" };
    static const char *const per_mil[] = { "\xe2\x80\xb0", "per mil", "permil" };
    struct about *a = &g->about;
    struct sv notes = json_sv(json_get(table, "notes"));
    utf8_nfc(&a->text, caption);
    a->caption = a->text.len;
    if (notes.n) {
        buf_str(&a->text, ". ");
        utf8_nfc(&a->text, notes);
    }
    struct sv text = buf_view(&a->text), head = sv_from_to(text, 0, a->caption);
    a->has_no_contents = says_no_contents(head);
    read_errors(a);
    a->is_per_mil = has_text(text, per_mil, ARRAY_LEN(per_mil));
    a->mineral_unit = mineral_unit(g, head);
    read_units(g);
    read_methods(g);
    read_standards(g);
    a->is_model = has_text(head, models, ARRAY_LEN(models));
    a->reference = only_reference(g, head.n);
    caption_read(g, head, table);
    if (!a->has_no_contents && !has_text(head, general, ARRAY_LEN(general)))
        about_things(g, head, true, &a->kind, &a->place);
    if (has_text(head, others, ARRAY_LEN(others)))
        a->kind = (struct node){ 0 };
}
