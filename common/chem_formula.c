// SPDX-License-Identifier: MIT
/*
 * chem_formula.c — element symbols, formulas with counts, ions
 *
 * One pass over symbols, counts and brackets. At every place where a formula could end, what
 * has been read so far is judged; the last good end wins.
 */
#include "chem_impl.h"
#include "scan.h"

/* More one-letter symbols without a count between them are a word in capitals. */
#define RUN_MAX 6

struct parse {
    struct glyphs *w;
    unsigned i;          /* next glyph */
    struct form form;    /* display form so far */
    unsigned n_symbols;  /* all of them, */
    unsigned n_long;     /* and those of two letters */
    unsigned n_counts;   /* counts read, */
    unsigned last_count; /* the last of them */
    unsigned run;        /* one-letter symbols in a row without a count, */
    unsigned longest_run;
    int first_z, last_z;
    bool has_o_or_h, gapped, bad_count;
    bool is_cited;       /* the last count is, in part, a reference's number */
    bool open, brackets; /* inside a bracket; had one */
    struct found best;
};

struct charge {
    unsigned to; /* glyph after it; 0: none */
    int n;       /* 0: only a sign */
    int sign;    /* '+' or '-' */
    bool raised; /* superscript or roman: no doubt */
    bool gapped;
};

int chem_read_symbol(struct glyphs *w, unsigned i, unsigned letters)
{
    const struct glyph *a = glyphs_get(w, i);
    char s[2] = { (char)a->c, 0 };
    if (!scan_is_upper(a->c))
        return 0;
    if (letters == 2) {
        const struct glyph *b = glyphs_get(w, i + 1);
        if (!scan_is_lower(b->c) || b->style != a->style)
            return 0;
        s[1] = (char)b->c;
    }
    return chem_symbol((struct sv){ s, letters });
}

int chem_read_number(struct glyphs *w, unsigned i, unsigned most, unsigned *to)
{
    int v = 0;
    unsigned style = glyphs_get(w, i)->style, n = 0;
    while (n <= most && scan_is_digit(glyph_at(w, i + n)) &&
           glyphs_get(w, i + n)->style == style) {
        v = v * 10 + glyph_at(w, i + n) - '0';
        n++;
    }
    *to = i + n;
    return n >= 1 && n <= most ? v : -1;
}

bool chem_at_end(struct glyphs *w, unsigned i)
{
    const struct glyph *g = glyphs_get(w, i);
    if (g->end && w->text.p[g->start] == '\\') /* a TeX command begins another word */
        return true;
    return !glyph_in_word(g->c) || (g->style == GLYPH_SUPER && scan_is_digit(g->c));
}

static bool is_sign(int c)
{
    return c == '+' || c == '-';
}

static bool form_is(const struct form *f, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(f->text, list[i]))
            return true;
    return false;
}

/* "(III)" at glyph i. */
static struct charge read_roman(struct glyphs *w, unsigned i)
{
    static const char *const roman[] = { "I", "II", "III", "IV", "V", "VI", "VII" };
    for (unsigned r = 0; r < ARRAY_LEN(roman); r++) {
        unsigned n = (unsigned)strlen(roman[r]), k = 0;
        while (k < n && glyph_at(w, i + 1 + k) == roman[r][k])
            k++;
        if (k == n && glyph_at(w, i + 1 + n) == ')')
            return (
                struct charge){ .to = i + n + 2, .n = (int)r + 1, .sign = '+', .raised = true };
    }
    return (struct charge){ 0 };
}

/* "HCO3 −,", "Na + in", but no sum ("Na + K") and no dash: may a sign before glyph i, with a
 * blank before it, end an ion? */
static bool ends_ion(struct glyphs *w, unsigned i)
{
    int c = glyph_at(w, i), next = glyph_at(w, i + 1);
    if (c == G_END || c == ',' || c == ')' || c == '.')
        return true;
    const struct glyph *sign = glyphs_get(w, i - 1);
    bool is_dash = w->text.p[sign->start] == '\xe2' && w->text.p[sign->start + 1] == '\x80';
    return c == ' ' && !is_dash && scan_is_lower(next) && scan_is_lower(glyph_at(w, i + 2));
}

/* 3+ or + or +3, superscript, plain or after a gap, at glyph i. */
static struct charge read_charge(struct glyphs *w, unsigned i)
{
    struct charge c = { 0 };
    if (glyph_at(w, i) == '(')
        return read_roman(w, i);
    if (glyph_at(w, i) == ' ') {
        c.gapped = true;
        i++;
    }
    unsigned style = glyphs_get(w, i)->style, to = i;
    if (scan_is_digit(glyph_at(w, i)))
        c.n = glyph_at(w, to++) - '0';
    if (c.n && style == GLYPH_PLAIN && glyph_at(w, to) == ' ' && is_sign(glyph_at(w, to + 1)) &&
        ends_ion(w, to + 2))
        to++; /* "Ca2 +", "SO4 2 −" */
    if (!is_sign(glyph_at(w, to)) || glyphs_get(w, to)->style != style || style == GLYPH_SUB ||
        (c.gapped && c.n == 0 && !ends_ion(w, to + 1)))
        return (struct charge){ 0 };
    c.sign = glyph_at(w, to++);
    if (c.n == 0 && scan_is_digit(glyph_at(w, to)) && glyphs_get(w, to)->style == style &&
        (style == GLYPH_SUPER || c.sign == '+'))
        c.n = glyph_at(w, to++) - '0';
    c.raised = style == GLYPH_SUPER;
    if (!c.raised && (!chem_at_end(w, to) || glyph_at(w, to) == c.sign))
        return (struct charge){ 0 };
    c.to = to;
    return c;
}

/* Would a chemist write this charge on what has been read? */
static bool charge_fits(const struct parse *p, const struct charge *c)
{
    static const char *const cations[] = {
        "Na", "K", "H", "Li", "Ag", "Cs", "Rb", "NH4", "H3O"
    };
    static const char *const anions[] = {
        "Cl",  "Br",   "F",    "I",     "OH", "HS",   "NO3",
        "NO2", "HCO3", "HSO4", "H2PO4", "CN", "ClO4", "MnO4"
    };
    bool lone = p->n_symbols == 1 && p->n_counts == 0;
    if (c->n > 8 || (p->gapped && lone))
        return false;
    if (c->raised)
        return lone || p->n_symbols > 1 || chem_formula_known(p->form.text, p->form.n);
    if (c->n == 0)
        return c->sign == '+' ? form_is(&p->form, cations, ARRAY_LEN(cations))
                              : form_is(&p->form, anions, ARRAY_LEN(anions));
    if (c->sign == '+' && lone)
        return p->n_long == 1 || (!c->gapped && p->last_z != 1) || p->last_z == 92;
    if (lone)
        return !c->gapped && (p->last_z == 8 || p->last_z == 16);
    return chem_formula_known(p->form.text, p->form.n) && p->has_o_or_h && !(p->n_symbols == 1);
}

/* No count at all: a compound like PbS or NiAs, not an acronym or its plural. */
static bool plain_compound(const struct parse *p)
{
    static const unsigned char anions[] = { 1, 6, 7, 8, 9, 16, 17, 33, 34, 35, 52, 53 };
    const char *first = p->form.text;
    return memchr(anions, p->last_z, sizeof anions) && scan_is_lower(first[1]) &&
           (p->n_symbols == 2 || (p->n_symbols == 3 && p->n_long >= 2));
}

/* Only capitals and counts: a compound like H2SO4, not a sample label like BHVO2. */
static bool capital_compound(const struct parse *p)
{
    bool starts_well = p->first_z == 1 || p->first_z == 19;
    if (!p->has_o_or_h || p->first_z == 8 || (p->longest_run >= 3 && !starts_well))
        return false;
    return p->first_z == 6 || p->last_count <= (p->n_symbols == 2 ? 8 : 24);
}

/* Is what has been read a formula? */
static bool formula_fits(const struct parse *p)
{
    bool known = chem_formula_known(p->form.text, p->form.n);
    if (known)
        return !(p->gapped && p->n_symbols == 1);
    if (p->gapped || p->bad_count || p->n_symbols < 2)
        return false;
    if (p->brackets)
        return p->n_counts > 0;
    if (p->n_counts == 0)
        return plain_compound(p);
    return p->n_long > 0 || capital_compound(p);
}

static void keep(struct parse *p, unsigned to, enum chem_kind kind, const struct form *form)
{
    p->best = (struct found){ .to = to,
                              .z = p->last_z,
                              .gapped = p->gapped,
                              .one_letter = p->n_symbols == 1 && p->n_long == 0 &&
                                            p->n_counts == 0 && kind == CHEM_ELEMENT,
                              .kind = kind,
                              .form = *form };
}

/* FeOt, FeO*, FeOtot, Fe2O3T: total iron. Returns the glyph after the label, or 0. */
static unsigned total_iron(struct parse *p)
{
    static const char *const iron[] = { "FeO", "Fe2O3" };
    if (p->first_z != 26 || !form_is(&p->form, iron, ARRAY_LEN(iron)))
        return 0;
    int c = glyph_at(p->w, p->i);
    if (c == 't' && glyph_at(p->w, p->i + 1) == 'o' && glyph_at(p->w, p->i + 2) == 't')
        return chem_at_end(p->w, p->i + 3) ? p->i + 3 : 0;
    return (c == 't' || c == 'T' || c == '*') && chem_at_end(p->w, p->i + 1) ? p->i + 1 : 0;
}

/* "(SiO2)": the bracket belongs to the sentence. */
static bool is_bracketed(const struct form *f)
{
    return f->text[0] == '(' && strchr(f->text, ')') == f->text + f->n - 1;
}

/* Judge what has been read as ending at p->i. */
static void consider(struct parse *p)
{
    if (p->open || p->form.bad)
        return;
    unsigned total = total_iron(p);
    if (!total && !chem_at_end(p->w, p->i))
        return;
    bool is_torn = glyph_at(p->w, p->i) == ' ' && scan_is_digit(glyph_at(p->w, p->i + 1)) &&
                   glyphs_get(p->w, p->i + 1)->style == GLYPH_SUB; /* "NaH ₂ PO ₄" */
    if (is_torn || is_bracketed(&p->form))
        return;
    if (total) {
        struct form form = p->form;
        form_char(&form, 'T');
        keep(p, total, CHEM_FORMULA, &form);
    } else if (p->n_symbols == 1 && p->n_counts == 0 && !p->brackets) {
        keep(p, p->i, CHEM_ELEMENT, &p->form);
    } else if (formula_fits(p)) {
        keep(p, p->i, CHEM_FORMULA, &p->form);
    }
}

/* A charge at glyph i ends the formula. */
static bool consider_charge(struct parse *p, unsigned i)
{
    struct charge c = read_charge(p->w, i);
    if (!c.to || p->open || !charge_fits(p, &c))
        return false;
    struct form form = p->form;
    if (c.n)
        form_number(&form, (unsigned)c.n);
    form_char(&form, c.sign);
    if (form.bad)
        return false;
    keep(p, c.to, CHEM_ION, &form);
    return true;
}

/* "42-" after SO: the count 4 and the charge 2-. Plain digits only. */
static bool count_with_charge(struct parse *p)
{
    unsigned to;
    if (p->n_symbols < 2 || glyphs_get(p->w, p->i)->style != GLYPH_PLAIN ||
        chem_read_number(p->w, p->i, 2, &to) < 10 || !is_sign(glyph_at(p->w, to)))
        return false;
    struct parse whole = *p;
    form_char(&p->form, glyph_at(p->w, p->i));
    p->n_counts++;
    if (consider_charge(p, p->i + 1))
        return true;
    *p = whole;
    return false;
}

/* H2O at glyph i, of a hydrate. */
static bool is_water(struct glyphs *w, unsigned i)
{
    return glyph_at(w, i) == 'H' && glyph_at(w, i + 1) == '2' && glyph_at(w, i + 2) == 'O';
}

/* "SiO24", "Al2O312", "H2O5": a usual formula with a reference's number behind it. `to`: behind
 * the digits, the first of them at glyph i. */
static void consider_reference(struct parse *p, unsigned i, unsigned to)
{
    static const char *const full[] = { "H2O", "K2O", "Na2O", "Li2O" };
    const struct glyph *g = glyphs_get(p->w, i);
    struct form form = p->form;
    if (p->open || p->gapped || p->n_symbols < 2 || g->style != GLYPH_PLAIN ||
        !chem_at_end(p->w, to))
        return;
    if ((g->c > '2' || to > i + 1) && form_is(&form, full, ARRAY_LEN(full)))
        keep(p, i, CHEM_FORMULA, &form);
    if (to == i + 1)
        return;
    form_char(&form, g->c);
    struct form whole = form;
    for (unsigned k = i + 1; k < to; k++)
        form_char(&whole, glyph_at(p->w, k));
    if (!form.bad && chem_formula_known(form.text, form.n) &&
        !chem_formula_known(whole.text, whole.n))
        keep(p, i + 1, CHEM_FORMULA, &form);
}

/* The count after a symbol or bracket, decimals too. False: none. */
static bool read_count(struct parse *p)
{
    unsigned i = p->i + (glyph_at(p->w, p->i) == ' '), to, more;
    const struct glyph *g = glyphs_get(p->w, i);
    if (g->style == GLYPH_SUPER || (i > p->i && g->style != GLYPH_PLAIN))
        i = p->i;
    int v = chem_read_number(p->w, i, 3, &to);
    if (v < 0 || glyphs_get(p->w, i)->style == GLYPH_SUPER)
        return false;
    bool zero = glyph_at(p->w, i) == '0', decimal = false;
    if (i == p->i)
        consider_reference(p, i, to);
    p->is_cited = p->best.to && p->best.to < to && p->best.to >= i;
    form_number(&p->form, (unsigned)v);
    if (glyph_at(p->w, to) == '.' && i == p->i) {
        int fraction = chem_read_number(p->w, to + 1, 3, &more);
        decimal = fraction >= 0 && !is_water(p->w, more);
        for (unsigned k = to; decimal && k < more; k++)
            form_char(&p->form, glyph_at(p->w, k));
        to = decimal ? more : to;
    }
    p->gapped |= i > p->i;
    p->bad_count |= !decimal && (zero || v == 1);
    p->last_count = (unsigned)v;
    p->n_counts++;
    p->run = 0;
    p->i = to;
    return true;
}

static bool read_one_symbol(struct parse *p)
{
    unsigned letters = 2;
    int z = chem_read_symbol(p->w, p->i, 2);
    if (!z) {
        letters = 1;
        z = chem_read_symbol(p->w, p->i, 1);
    }
    if (!z)
        return false;
    form_str(&p->form, chem_symbol_of(z));
    p->i += letters;
    p->run = letters == 1 ? p->run + 1 : 0;
    p->longest_run = p->run > p->longest_run ? p->run : p->longest_run;
    p->first_z = p->n_symbols ? p->first_z : z;
    p->last_z = z;
    p->n_symbols++;
    p->n_long += letters == 2;
    p->has_o_or_h |= z == 1 || z == 8;
    return true;
}

/* "·2H2O" or ".2H2O": joins another formula. */
static bool read_hydrate(struct parse *p)
{
    unsigned i = p->i + (glyph_at(p->w, p->i) == ' '), to;
    int c = glyph_at(p->w, i);
    if ((c != G_DOT && c != '.') || p->open || p->n_symbols < 2)
        return false;
    i += glyph_at(p->w, i + 1) == ' ' ? 2 : 1;
    int v = chem_read_number(p->w, i, 2, &to);
    i = v < 0 ? i : to;
    if ((c == '.' && v < 0) || !is_water(p->w, i))
        return false;
    form_str(&p->form, "\xC2\xB7");
    if (v >= 0)
        form_number(&p->form, (unsigned)v);
    form_str(&p->form, "H2O");
    p->n_counts++;
    p->i = i + 3;
    return true;
}

/* Brackets, commas inside them, gaps between units: true when one was passed. */
static bool read_between(struct parse *p)
{
    int c = glyph_at(p->w, p->i), next = glyph_at(p->w, p->i + 1);
    if (c == '(' && !p->open && scan_is_upper(next)) {
        p->open = p->brackets = true;
    } else if (c == ',' && p->open && scan_is_upper(next)) {
        p->run = 0;
    } else if (c == ' ' && !p->open && p->gapped && scan_is_upper(next)) {
        p->i++;
        return true;
    } else {
        return false;
    }
    form_char(&p->form, c);
    p->i++;
    return true;
}

static struct found read_formula(struct glyphs *w, unsigned i)
{
    struct parse p = { .w = w, .i = i };
    while (!p.form.bad && p.longest_run <= RUN_MAX) {
        if (p.open && glyph_at(w, p.i) == ')') {
            p.open = false;
            form_char(&p.form, ')');
            p.i++;
        } else if (!read_one_symbol(&p)) {
            if (read_between(&p))
                continue;
            break;
        }
        consider(&p);
        if (p.n_symbols && (consider_charge(&p, p.i) || count_with_charge(&p)))
            break;
        if (read_count(&p)) {
            if (p.is_cited)
                break;
            consider(&p);
            if (consider_charge(&p, p.i))
                break;
        }
        if (p.best.to == p.i && read_hydrate(&p))
            consider(&p);
    }
    return p.best;
}

/* What stands at glyph 0 is asked for twice: as a member of a chain, and alone. */
struct found chem_read_formula(struct glyphs *w, unsigned i)
{
    if (i > 0)
        return read_formula(w, i);
    if (!w->has_first)
        w->first = read_formula(w, 0);
    w->has_first = true;
    return w->first;
}

/* "0.4% K20", "2 wt% C02": a usual formula with a nought for its O, behind a unit. */
static struct found read_nought_formula(struct glyphs *w)
{
    static const char *const seen[][2] = {
        { "K20", "K2O" },   { "H20", "H2O" }, { "C02", "CO2" },
        { "P205", "P2O5" }, { "S02", "SO2" }, { "S03", "SO3" },
    };
    struct found f = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(seen) && !f.to; i++) {
        unsigned n = 0;
        while (seen[i][0][n] && glyph_at(w, n) == seen[i][0][n])
            n++;
        if (seen[i][0][n] || !chem_at_end(w, n))
            continue;
        f = (struct found){ .to = n, .kind = CHEM_FORMULA };
        form_str(&f.form, seen[i][1]);
    }
    return f;
}

/* "2400 ppm Ni3": a reference's number at the element behind a unit. */
struct found chem_read_cited(struct glyphs *w, size_t pos)
{
    static const char *const units[] = { "ppm ", "ppb ", "% ", "g/g ", "g/kg " };
    struct sv before = { w->text.p, pos };
    struct found f = { 0 };
    unsigned letters = chem_read_symbol(w, 0, 2) ? 2 : 1, to;
    int z = chem_read_symbol(w, 0, letters);
    bool is_behind = false;
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        is_behind |= sv_ends(before, sv_from(units[i]));
    if (is_behind)
        f = read_nought_formula(w);
    if (f.to || !is_behind || !z || chem_read_number(w, letters, 2, &to) <= 0 ||
        !chem_at_end(w, to))
        return f;
    f = (struct found){ .to = letters, .z = z, .kind = CHEM_ELEMENT };
    form_str(&f.form, chem_symbol_of(z));
    return f;
}
