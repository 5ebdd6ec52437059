// SPDX-License-Identifier: MIT
/*
 * table_head.c — what a head says: its measure, unit, error
 *
 * What a head leaves open is left out: powers of ten, "100 Ti/Al", chondrite-normalised values,
 * one-letter symbols with a bare "%".
 */
#include "table_impl.h"

#include "alloc.h"
#include "utf8.h"

/* ---- what a head says ---- */

uint32_t unit_of_head(const struct grid *g, struct sv head)
{
    size_t behind;
    uint32_t first = units_match(g->x->units, head, 0, &behind);
    if (first != UNIT_NONE && behind < head.n && head.p[behind] == ' ' &&
        units_kind(g->x->units, first) == UNIT_FRACTION)
        return first; /* "ppm U" */
    for (size_t i = head.n; i-- > 0;) {
        if (head.p[i] != '(' && head.p[i] != '[' && head.p[i] != ',')
            continue;
        uint32_t unit = units_find(g->x->units, sv_from_to(head, i + 1, head.n));
        if (unit != UNIT_NONE)
            return unit;
    }
    size_t space = sv_find(head, SV(" "), 0);
    return space == SIZE_MAX ? UNIT_NONE
                             : units_find(g->x->units, sv_from_to(head, space + 1, head.n));
}

static bool type_in(const char *types, const char *type)
{
    return relate_allows(sv_from(types), type);
}

/* "100 Ti/Al": a number before the name multiplies it. */
static bool is_scaled(struct sv head, size_t start)
{
    while (start > 0 && strchr(" *(x", head.p[start - 1]))
        start--;
    if (start > 1 && sv_is(sv_from_to(head, start - 2, start), "\xc3\x97"))
        start -= 2;
    return start > 0 && head.p[start - 1] >= '0' && head.p[start - 1] <= '9';
}

/* "(La/Yb)N", "LaCN", "Sm normalised": a value without the unit it seems to have. */
static bool is_normalised(struct sv head, size_t end)
{
    static const char *const words[] = { "normalized", "normalised", "norm", "chondrite" };
    static const char *const marks[] = { "N", "n", "CN", "cn", "PM", "MN", "UCC", "PAAS" };
    if (has_word(head, words, ARRAY_LEN(words)))
        return true;
    while (end < head.n && strchr(")]_ ", head.p[end]))
        end++;
    size_t stop = end;
    while (stop < head.n && (head.p[stop] | 32) >= 'a' && (head.p[stop] | 32) <= 'z')
        stop++;
    if (sv_in(sv_from_to(head, end, stop), marks, ARRAY_LEN(marks)))
        return true;
    /* "3He/4He (RA)": in units of air's */
    static const char *const airs[] = { "(RA)", "(Ra)", "R/RA", "R/Ra", "[RA]" };
    for (size_t i = 0; i < ARRAY_LEN(airs); i++)
        if (sv_find(head, sv_from(airs[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

static bool take_entry(struct column *col, const struct vocab *v, uint32_t entry)
{
    col->what = (struct node){ .type = vocab_type(v, entry), .name = vocab_name(v, entry) };
    return true;
}

/* A symbol that chem.h leaves alone in prose: "In", "As". */
static bool symbol_of_head(struct grid *g, struct column *col, struct sv head)
{
    size_t end = 0;
    while (end < head.n && ((head.p[end] | 32) >= 'a' && (head.p[end] | 32) <= 'z'))
        end++;
    bool is_alone = end == head.n || strchr(" ([,", head.p[end]); /* not "S1" */
    struct sv symbol = sv_from_to(head, 0, end);
    int z = is_alone && end <= 2 ? chem_symbol(symbol) : 0;
    uint32_t entry = z ? vocab_find(g->x->vocab, symbol, "element") : VOCAB_NONE;
    if (entry == VOCAB_NONE || sv_is(symbol, "No"))
        return false;
    col->is_symbol = end == 1;
    col->class = CLASS_ELEMENT;
    return take_entry(col, g->x->vocab, entry);
}

/* "Kaolinite (%)", or "Kaolinite" where the caption says in what: a share of a mineral. */
static bool mineral_of_head(struct grid *g, struct column *col, struct sv head)
{
    struct sv unit = units_name(g->x->units, col->unit);
    size_t end = sv_find(head, SV(" ("), 0);
    bool has_own =
        end != SIZE_MAX && (sv_is(unit, "%") || sv_is(unit, "wt%") || sv_is(unit, "vol%"));
    if (!has_own && (col->unit != UNIT_NONE || g->about.mineral_unit == UNIT_NONE))
        return false;
    uint32_t entry =
        vocab_find(g->x->vocab, sv_from_to(head, 0, has_own ? end : head.n), "mineral");
    if (entry == VOCAB_NONE)
        return false;
    if (!has_own)
        col->unit = g->about.mineral_unit;
    col->class = CLASS_MINERAL;
    return take_entry(col, g->x->vocab, entry);
}

/* "ΔSiO2", "log Sr", "Sr recovery", "Al2O3+Fe2O3": something made of it. */
static bool is_changed(struct sv head, size_t start, size_t end)
{
    static const char *const words[] = { "log",      "ln",     "flux",       "fluxes",
                                         "recovery", "gain",   "loss",       "bias",
                                         "ef",       "igeo",   "kd",         "rate",
                                         "cps",      "counts", "intensity",  "enrichment",
                                         "excess",   "common", "difference", "partition" };
    bool is_delta = start >= 2 && sv_is(sv_from_to(head, start - 2, start), "\xce\x94");
    is_delta |= start >= 3 && sv_is(sv_from_to(head, start - 3, start), "\xe2\x88\x86");
    bool is_sum = start > 0 && head.p[start - 1] == '+';
    is_sum |= end + 1 < head.n && head.p[end] == '+' && head.p[end + 1] >= 'A' &&
              head.p[end + 1] <= 'Z';
    is_sum |= end + 2 < head.n && sv_is(sv_from_to(head, end, end + 3), " + ");
    return is_delta || is_sum || has_word(head, words, ARRAY_LEN(words));
}

/* "(87Sr/86Sr)i", "εNd(t)", "143Nd/144Nd initial", "(t = 120 Ma)": at the time of formation.
 * start: of the ratio; end: where its name ends. */
static bool is_initial(struct sv head, size_t start, size_t end)
{
    static const char *const words[] = { "initial", "corrected" };
    if (has_word(head, words, ARRAY_LEN(words)) || sv_starts(head, SV("ISr")) ||
        sv_starts(head, SV("Sri")))
        return true;
    for (size_t i = start; i < head.n; i++) {
        bool is_mark = i >= end || (i > start && strchr("()_[", head.p[i - 1]));
        char next = i + 1 < head.n ? head.p[i + 1] : ' ';
        if (is_mark && strchr("itTI", head.p[i]) && strchr(" )(],=", next) &&
            (i == end || strchr("()_[ ", head.p[i - 1])))
            return true;
    }
    /* "(143Nd/144Nd)120", "εNd(120)" */
    while (end < head.n && strchr(")(", head.p[end]))
        end++;
    return end > start && end + 1 < head.n && strchr(")(", head.p[end - 1]) &&
           head.p[end] >= '1' && head.p[end] <= '9' && head.p[end + 1] >= '0' &&
           head.p[end + 1] <= '9';
}

static enum measure_class class_of(const struct grid *g, const struct entity *e)
{
    struct sv kind = SV_NONE;
    if (strcmp(e->type, "isotope_ratio") == 0)
        return CLASS_RATIO;
    if (strcmp(e->type, "isotope_delta") == 0)
        return CLASS_DELTA;
    if (strcmp(e->type, "element_ratio") == 0)
        return CLASS_INDEX;
    if (strcmp(e->type, "oxide") != 0)
        return CLASS_ELEMENT;
    if (e->entry == VOCAB_NONE || !vocab_attr(g->x->vocab, e->entry, "kind", &kind))
        return CLASS_OXIDE;
    if (sv_is(kind, "index"))
        return CLASS_INDEX;
    if (sv_is(kind, "oxide") || sv_is(kind, "loss"))
        return CLASS_OXIDE;
    return sv_is(kind, "ion") ? CLASS_ELEMENT : CLASS_SPECIES;
}

/* "FeO (total)", "Fe2O3 tot" */
static void take_total_iron(const struct grid *g, struct column *col, struct sv rest)
{
    static const char *const words[] = { "tot", "total" };
    bool is_ferrous = sv_is(col->what.name, "FeO");
    if ((!is_ferrous && !sv_is(col->what.name, "Fe2O3")) ||
        !has_word(rest, words, ARRAY_LEN(words)))
        return;
    uint32_t entry = vocab_find(g->x->vocab, is_ferrous ? SV("FeOT") : SV("Fe2O3T"), "oxide");
    if (entry != VOCAB_NONE)
        col->what.name = vocab_name(g->x->vocab, entry);
}

/* "SiO2a (wt%)": a head without the letter of a footnote; false: it has none. */
static bool cut_footnote(struct sv head, struct buf *out)
{
    size_t end = 0;
    while (end < head.n && !strchr(" ([,", head.p[end]))
        end++;
    if (end < 3 || head.p[end - 1] < 'a' || head.p[end - 1] > 'f' ||
        !(strchr("0123456789)", head.p[end - 2])))
        return false;
    buf_sv(out, sv_from_to(head, 0, end - 1));
    buf_sv(out, sv_from_to(head, end, head.n));
    return true;
}

/* "OH-57", "Sr-12b": what a symbol begins is the name of a sample. */
static bool is_code(struct sv head, const struct entity *e)
{
    size_t end = e->end;
    bool may_have_label =
        strcmp(e->type, "isotope_ratio") == 0 || strcmp(e->type, "isotope_delta") == 0;
    if (end > 0 && end < head.n && head.p[end] == '-')
        end++;
    return !may_have_label && end > 0 && end < head.n &&
           (head.p[end - 1] == '-' || end == e->end) && head.p[end] >= '0' &&
           head.p[end] <= '9';
}

/* The first measure a text names. *is_open: it names one that cannot be read. */
static bool measure_of(struct grid *g, struct column *col, struct sv head, bool *is_open)
{
    struct entities *names = &g->w->names;
    scan_memo_find(&g->w->scans, g->x->vocab, head, names);
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        /* "C-3" is a sample, "C (wt.%)" is carbon */
        bool is_label =
            (e->weak && e->end < head.n && !strchr(" ([,", head.p[e->end])) || is_code(head, e);
        if (!type_in(MEASURES, e->type) || (e->weak && e->start > 0) || is_label ||
            strcmp(e->type, "element_group") == 0)
            continue;
        if (is_scaled(head, e->start) || is_normalised(head, e->end) ||
            is_changed(head, e->start, e->end)) {
            *is_open = true;
            return false;
        }
        memcpy(col->notation.text, e->notation, sizeof e->notation);
        col->what.type = e->type;
        col->what.name = e->entry == VOCAB_NONE ? sv_from(col->notation.text)
                                                : vocab_name(g->x->vocab, e->entry);
        col->is_symbol = strcmp(e->type, "element") == 0 && e->end - e->start == 1;
        col->class = class_of(g, e);
        col->is_ratio = col->class >= CLASS_INDEX;
        take_total_iron(g, col, sv_from_to(head, e->end, head.n));
        if (col->is_ratio && is_initial(head, e->start, e->end))
            col->conditions = "initial";
        return true;
    }
    return symbol_of_head(g, col, head) || mineral_of_head(g, col, head);
}

/* Radiogenic lead has a star, in ratios as well; contents may be "[U]". */
static void put_starless(struct buf *out, struct sv head)
{
    size_t close = head.n && head.p[0] == '[' ? sv_find(head, SV("]"), 0) : SIZE_MAX;
    for (size_t i = close != SIZE_MAX ? 1 : 0; i < head.n; i++)
        if (i != close &&
            (head.p[i] != '*' || i < 2 || head.p[i - 1] != 'b' || head.p[i - 2] != 'P'))
            buf_char(out, head.p[i]);
}

/* "Fo", "An (mol%)": shares of end members, beside the oxides of a mineral. */
bool end_member_of_head(struct column *col)
{
    static const char *const names[] = { "Fo",   "Fa",   "An",   "Ab",   "En",  "Fs",  "Wo",
                                         "Alm",  "Prp",  "Grs",  "Sps",  "Adr", "Jd",  "Usp",
                                         "Xalm", "Xprp", "Xgrs", "Xsps", "XMg", "Fo#", "An#" };
    struct sv head = buf_view(&col->head);
    size_t end = 0;
    while (end < head.n && !strchr(" ([,", head.p[end]))
        end++;
    struct sv name = sv_from_to(head, 0, end), rest = sv_trim(sv_from_to(head, end, head.n));
    bool is_plain = !rest.n || sv_is(rest, "(mol%)") || sv_is(rest, "(mol.%)") ||
                    sv_is(rest, "(mol %)") || sv_is(rest, "(%)");
    if (!is_plain || !sv_in(name, names, ARRAY_LEN(names)))
        return false;
    col->what = (struct node){ .type = "property", .name = name };
    col->class = CLASS_INDEX;
    col->is_ratio = true;
    return true;
}

/* The lowest head row that names a measure: "Major elements (wt.%)" over "SiO2". */
bool measure_of_head(struct grid *g, struct column *col, size_t column)
{
    bool is_open = false;
    struct buf one = BUF_INIT;
    bool found = false;
    for (size_t i = g->is_turned ? 1 : g->n_header; i-- > 0 && !found && !is_open;) {
        buf_reset(&one);
        put_starless(&one, g->is_turned ? buf_view(&col->head) : grid_head_cell(g, i, column));
        col->what_row = i;
        if (one.len && !sv_starts(buf_view(&one), SV("f206")))
            found = measure_of(g, col, buf_view(&one), &is_open);
        struct buf bare = BUF_INIT;
        if (!found && !is_open && cut_footnote(buf_view(&one), &bare))
            found = measure_of(g, col, buf_view(&bare), &is_open);
        buf_release(&bare);
    }
    buf_release(&one);
    return found;
}

/* An error that is all of a text: "2SE", "± 2σ", "1s", "(2σ)". */
static const char *error_kind_of(struct sv text)
{
    while (text.n && strchr("(+/- ", text.p[0]))
        text = sv_from_to(text, 1, text.n);
    if (sv_starts(text, SV("\xc2\xb1")))
        text = sv_trim(sv_from_to(text, 2, text.n));
    while (text.n && strchr("(%) ", text.p[text.n - 1]))
        text.n--;
    if (sv_ends(text, SV("\xcf\x83m"))) /* of the mean */
        return text.p[0] == '2' ? "2SE" : "1SE";
    return quantity_error_kind(text);
}

/* A head that is an error and nothing else, or ends in one: "2SE", "± 2σ", "δ56Fe 2SD". */
const char *error_of_head(struct sv head)
{
    static const char *const words[] = { "error", "err", "uncertainty", "stdev",
                                         "std",   "rsd", "errors",      "uncertainties" };
    size_t power = sv_find(head, SV("\xc3\x97"), 0);
    if (power == SIZE_MAX)
        power = sv_find(head, SV("x10"), 0);
    if (power != SIZE_MAX) /* "±2σ ×10⁻⁶", "2SE (x10-6)" */
        head = sv_trim(sv_from_to(head, 0, power));
    while (power != SIZE_MAX && head.n && strchr("( ", head.p[head.n - 1]))
        head.n--;
    const char *kind = error_kind_of(head);
    if (kind)
        return kind;
    bool has_sign = sv_starts(head, SV("\xc2\xb1")) || sv_starts(head, SV("+/-"));
    struct sv base = head;
    while (base.n && strchr("(%) ", base.p[base.n - 1]) && !sv_ends(base, SV("\xcf\x83)")))
        base.n--;
    size_t space = base.n;
    while (space > 0 && base.p[space - 1] != ' ')
        space--;
    kind = space ? error_kind_of(sv_from_to(base, space, base.n)) : NULL;
    if (kind && base.p[space] != '(')
        return kind;
    return has_sign || has_word(head, words, ARRAY_LEN(words)) ? "" : NULL;
}

bool has_power(struct sv head)
{
    for (size_t at = 0; (at = sv_find(head, SV("10"), at)) != SIZE_MAX; at += 2) {
        size_t next = at + 2;
        uint32_t cp = next < head.n ? utf8_next(head, &next) : ' ';
        bool is_super = cp >= 0x80 && (utf8_digit_value(cp) >= 0 || cp == 0x207B);
        bool is_times = at > 0 && (head.p[at - 1] == 'x' || head.p[at - 1] == '*');
        if (is_super || is_times || cp == 0x2212 || cp == '-' || cp == '^' ||
            sv_find(head, SV("\xc3\x97"), 0) != SIZE_MAX)
            return true;
    }
    return false;
}

/* "2σ (×10⁻⁶)": errors in millionths; other powers may be meant either way: 0. */
double factor_of_error(struct sv head)
{
    size_t at = sv_find(head, SV("10"), 0);
    if (at == SIZE_MAX)
        return 0;
    at += 2;
    if (at < head.n && head.p[at] == '^')
        at++;
    size_t start = at;
    uint32_t cp = at < head.n ? utf8_next(head, &at) : ' ';
    if (cp != '-' && cp != 0x2212 && cp != 0x207B && cp != 0x2013)
        return 0;
    int power = 0;
    for (size_t n = 0; at < head.n && n < 2; n++) {
        start = at;
        int digit = utf8_digit_value(utf8_next(head, &at));
        if (digit < 0) {
            at = start;
            break;
        }
        power = power * 10 + digit;
    }
    static const double powers[] = { 0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9 };
    return power > 0 && power < 10 ? powers[power] : 0;
}

enum table_mode mode_of(struct sv text)
{
    static const char *const formula[] = { "apfu",    "a.p.f.u",   "p.f.u",    "per formula",
                                           "formula", "atoms per", "basis of", "cations per" };
    static const char *const cations[] = { "cation" };
    static const char *const skipped[] = { "norm ",      "cipw",      "normali",
                                           "normative",  "partition", "correlation",
                                           "enrichment", "recovery",  "end-member",
                                           "end member", "endmember" };
    if (has_text(text, formula, ARRAY_LEN(formula)))
        return MODE_FORMULA;
    if (has_text(text, cations, 1))
        return MODE_CATIONS;
    if (has_text(text, skipped, ARRAY_LEN(skipped)) || sv_ieq(text, SV("norm")))
        return MODE_SKIP;
    return MODE_PLAIN;
}
