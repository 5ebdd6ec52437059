// SPDX-License-Identifier: MIT
/*
 * chem_ratio.c — ratios and systems: members joined by "/" or "-", with brackets around
 */
#include "chem_impl.h"
#include "scan.h"

/* An isotope, element, formula or ion; Eu* too. */
static struct found read_member(struct glyphs *w, unsigned i)
{
    struct found f = chem_read_isotope(w, i, true);
    f.to += f.to && glyph_at(w, f.to) == '*' && glyph_at(w, f.to + 1) == '/'; /* radiogenic */
    if (f.to || scan_is_digit(glyph_at(w, i)))
        return f;
    f = chem_read_formula(w, i);
    if (f.to && f.kind == CHEM_ELEMENT && glyph_at(w, f.to) == '*') {
        form_char(&f.form, '*');
        f.to++;
    }
    return f;
}

/* "/" or "-" after glyph i, with gaps where isotopes excuse them; *to: the glyph after it. */
static int read_join(struct glyphs *w, unsigned i, bool isotope, unsigned *to)
{
    unsigned k = i + (isotope && glyph_at(w, i) == ' ' && glyph_at(w, i + 1) == '/');
    int c = glyph_at(w, k);
    if (isotope && c == ':' && scan_is_digit(glyph_at(w, k + 1)))
        c = '/'; /* "87Sr:86Sr" */
    if (c != '/' && c != '-')
        return 0;
    k++;
    *to = k + (isotope && c == '/' && glyph_at(w, k) == ' ');
    return c;
}

/* Compass points, numerals and currents (I-V), a thing over itself: not chemistry. */
static bool chain_fits(const struct form *form, bool letters_only)
{
    static const char *const not [] = { "V/V", "W/W", "N/N", "H/H", "P/P" };
    if (!letters_only)
        return true;
    if (strspn(form->text, "NSW-/") == form->n || strchr(form->text, 'I'))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(not ); i++)
        if (!strcmp(form->text, not [i]))
            return false;
    return true;
}

static bool may_join(const struct found *f, int join)
{
    if (f->kind == CHEM_ISOTOPE)
        return true;
    if (f->gapped || f->z == 85 || f->z >= 100)
        return false;
    return join == '/' || f->kind == CHEM_ELEMENT;
}

/* Two or more members from glyph i on. kind: what the chain is. False: fewer than two. */
static bool read_chain(struct match *m, unsigned i, enum chem_kind *kind)
{
    struct found f = read_member(m->w, i);
    int joined = 0;
    bool isotopes = true, letters = true;
    while (f.to && (!joined || may_join(&f, joined)) && m->out->n_parts < CHEM_PARTS) {
        unsigned next = 0;
        int join = read_join(m->w, f.to, f.kind == CHEM_ISOTOPE, &next);
        if (!joined && (!join || !may_join(&f, join)))
            return false;
        if (joined)
            form_char(&m->form, joined);
        isotopes &= f.kind == CHEM_ISOTOPE;
        letters &= f.one_letter;
        chem_add_member(m, &f, true);
        if (joined && join != joined)
            break;
        joined = join;
        f = read_member(m->w, next);
    }
    if (m->out->n_parts < 2 || !chain_fits(&m->form, letters))
        return false;
    m->out->weak = letters;
    bool is_system = memchr(m->form.text, '/', m->form.n) == NULL;
    *kind = is_system ? CHEM_SYSTEM : isotopes ? CHEM_RATIO : CHEM_ELEMENT_RATIO;
    return true;
}

/* "Sr87" of "Sr87/Sr86" at glyph i: its mass, *z and the glyph after it; 0: none. */
static unsigned read_swapped(struct glyphs *w, unsigned i, int *z, unsigned *to)
{
    unsigned letters = chem_read_symbol(w, i, 2) ? 2 : 1;
    *z = chem_read_symbol(w, i, letters);
    int mass = *z > 1 ? chem_read_number(w, i + letters, 3, to) : 0;
    return mass > 0 && chem_isotope_known(*z, mass) ? (unsigned)mass : 0;
}

static void add_isotope(struct match *m, unsigned mass, int z, unsigned to)
{
    struct found f = { .to = to, .z = z, .kind = CHEM_ISOTOPE };
    form_number(&f.form, mass);
    form_str(&f.form, chem_symbol_of(z));
    chem_add_member(m, &f, true);
}

static bool finish_pair(struct match *m, unsigned a, int za, unsigned b, int zb, unsigned to)
{
    add_isotope(m, a, za, to);
    form_char(&m->form, '/');
    add_isotope(m, b, zb, to);
    return chem_finish(m, CHEM_RATIO);
}

/* "Sr87/Sr86", "Sr87/86": masses behind their symbols. */
static bool match_swapped(struct match *m)
{
    int za, zb;
    unsigned slash = 0, to = 0;
    unsigned a = read_swapped(m->w, 0, &za, &slash);
    if (!a || glyph_at(m->w, slash) != '/')
        return false;
    unsigned b = read_swapped(m->w, slash + 1, &zb, &to);
    if (!b) {
        int mass = chem_read_number(m->w, slash + 1, 3, &to);
        zb = za;
        b = mass > 0 && chem_isotope_known(za, mass) ? (unsigned)mass : 0;
    }
    return b && chem_at_end(m->w, to) && finish_pair(m, a, za, b, zb, to);
}

/* "87/86Sr", "40/39 Ar": two masses before one symbol. */
static bool match_mass_pair(struct match *m)
{
    unsigned slash = 0, to = 0;
    int a = chem_read_number(m->w, 0, 3, &slash);
    if (a <= 0 || glyph_at(m->w, slash) != '/')
        return false;
    int b = chem_read_number(m->w, slash + 1, 3, &to);
    unsigned gap = glyph_at(m->w, to) == ' ';
    to += gap;
    unsigned letters = chem_read_symbol(m->w, to, 2) ? 2 : 1;
    int z = chem_read_symbol(m->w, to, letters);
    if (b <= 0 || z <= 1 || a == b || !chem_isotope_known(z, a) || !chem_isotope_known(z, b) ||
        (gap && b < 30) || !chem_at_end(m->w, to + letters))
        return false;
    return finish_pair(m, (unsigned)a, z, (unsigned)b, z, to + letters);
}

bool chem_match_chain(struct match *m)
{
    enum chem_kind kind;
    bool is_digit = scan_is_digit(glyph_at(m->w, 0));
    if (is_digit ? match_mass_pair(m) : match_swapped(m))
        return true;
    return read_chain(m, 0, &kind) && chem_finish(m, kind);
}

/* "(U-Th)/He". */
bool chem_match_bracket_system(struct match *m)
{
    enum chem_kind kind;
    form_char(&m->form, '(');
    if (glyph_at(m->w, 0) != '(' || !read_chain(m, 1, &kind) || kind != CHEM_SYSTEM ||
        glyph_at(m->w, m->to) != ')' || glyph_at(m->w, m->to + 1) != '/')
        return false;
    unsigned gap = glyph_at(m->w, m->to + 2) == ' ' ? 1 : 0;
    struct found f = read_member(m->w, m->to + 2 + gap);
    if (!f.to || (f.kind != CHEM_ELEMENT && f.kind != CHEM_ISOTOPE))
        return false;
    form_str(&m->form, ")/");
    chem_add_member(m, &f, true);
    return chem_finish(m, CHEM_SYSTEM);
}

/* What ratios are normalised to, behind the bracket at glyph i, maybe with a gap: "(La/Yb)N".
 * *to: the glyph after it. */
static const char *read_normaliser(struct glyphs *w, unsigned i, unsigned *to)
{
    static const char *const marks[] = { "CN", "cn", "PM", "MN", "N", "n" };
    unsigned from = i + (glyph_at(w, i) == ' ');
    for (size_t k = 0; k < ARRAY_LEN(marks); k++) {
        unsigned n = 0;
        while (marks[k][n] && glyph_at(w, from + n) == marks[k][n])
            n++;
        *to = from + n;
        if (!marks[k][n] && chem_at_end(w, *to))
            return strchr("cn", marks[k][0]) ? (n == 2 ? "CN" : "N") : marks[k];
    }
    return NULL;
}

/* "(La/Yb)N": not the ratio itself, but that over the ratio of chondrites. */
bool chem_match_normalised_ratio(struct match *m)
{
    enum chem_kind kind;
    unsigned to = 0;
    form_char(&m->form, '(');
    if (glyph_at(m->w, 0) != '(' || !read_chain(m, 1, &kind) || kind != CHEM_ELEMENT_RATIO ||
        glyph_at(m->w, m->to) != ')')
        return false;
    const char *mark = read_normaliser(m->w, m->to + 1, &to);
    if (!mark)
        return false;
    form_char(&m->form, ')');
    form_str(&m->form, mark);
    m->to = to;
    return chem_finish(m, kind);
}
