// SPDX-License-Identifier: MIT
/*
 * chem_isotope.c — isotopes in all their spellings
 */
#include "chem_impl.h"
#include "scan.h"

/* Labels that may be glued to an isotope of plain digits: 87Sr/86Sri, 18Osw. */
static bool usual_label(struct glyphs *w, unsigned i, unsigned n)
{
    int c = glyph_at(w, i);
    return (n == 1 && strchr("imotp", c)) || (n == 2 && c == 's' && glyph_at(w, i + 1) == 'w');
}

/* May the isotope end before glyph k: at the end of the word, or at a label glued to it? */
static bool ends_here(struct glyphs *w, unsigned k, bool relaxed)
{
    unsigned n = 0;
    if (chem_at_end(w, k))
        return true;
    while (n <= 6 && (scan_is_lower(glyph_at(w, k + n)) || scan_is_upper(glyph_at(w, k + n))))
        n++;
    return n && n <= 6 && chem_at_end(w, k + n) && (relaxed || usual_label(w, k, n));
}

/* "40 K", "12 V": a quantity, unless context says otherwise. */
static bool gap_is_safe(int z, int mass)
{
    static const unsigned char units[] = { 1, 19, 23, 39, 74 };
    return !memchr(units, z, sizeof units) && (mass >= 10 || z == 2) &&
           chem_isotope_known(z, mass);
}

/* Digits, then the symbol. */
static struct found mass_first(struct glyphs *w, unsigned i, bool relaxed)
{
    struct found f = { 0 };
    unsigned to;
    int mass = chem_read_number(w, i, 3, &to);
    if (mass <= 0 || glyph_at(w, i) == '0')
        return f;
    bool raised = glyphs_get(w, i)->style == GLYPH_SUPER, gap = glyph_at(w, to) == ' ';
    to += gap ? 1 : 0;
    for (unsigned letters = 2; letters >= 1; letters--) {
        int z = chem_read_symbol(w, to, letters);
        if (!z || !chem_mass_fits(z, mass) || !ends_here(w, to + letters, relaxed || raised))
            continue;
        if (!relaxed && !raised && gap &&
            !(gap_is_safe(z, mass) && chem_at_end(w, to + letters)))
            continue;
        if (!relaxed && !raised && letters == 1 && !chem_isotope_known(z, mass))
            continue;
        f.to = to + letters;
        f.z = z;
        f.gapped = gap && !raised;
        f.kind = CHEM_ISOTOPE;
        form_number(&f.form, (unsigned)mass);
        form_str(&f.form, chem_symbol_of(z));
        return f;
    }
    return f;
}

/* The mass after a symbol or name, glyph i being what joins them. */
static struct found mass_last(struct glyphs *w, unsigned i, int z, bool named)
{
    struct found f = { 0 };
    unsigned to;
    int join = glyph_at(w, i), mass = chem_read_number(w, i + 1, 3, &to);
    if (mass <= 0 || !chem_mass_fits(z, mass) || !chem_at_end(w, to) ||
        glyph_at(w, i + 1) == '0' || glyphs_get(w, i + 1)->style != GLYPH_PLAIN ||
        (glyph_at(w, to) == '.' && scan_is_digit(glyph_at(w, to + 1))))
        return f;
    if (!chem_isotope_known(z, mass) && (join != '-' || (!named && mass < 30)))
        return f;
    f.to = to;
    f.z = z;
    f.kind = CHEM_ISOTOPE;
    form_number(&f.form, (unsigned)mass);
    form_str(&f.form, chem_symbol_of(z));
    return f;
}

struct found chem_read_isotope(struct glyphs *w, unsigned i, bool relaxed)
{
    if (scan_is_digit(glyph_at(w, i)))
        return mass_first(w, i, relaxed);
    for (unsigned letters = 2; letters >= 1; letters--) {
        int z = glyph_at(w, i + letters) == '-' ? chem_read_symbol(w, i, letters) : 0;
        if (z)
            return mass_last(w, i + letters, z, false);
    }
    return (struct found){ 0 };
}

struct found chem_read_named_isotope(struct glyphs *w, unsigned i)
{
    char name[16];
    unsigned n = 0;
    while (n < sizeof name &&
           (scan_is_lower(glyph_at(w, i + n)) || (n == 0 && scan_is_upper(glyph_at(w, i))))) {
        name[n] = (char)glyph_at(w, i + n);
        n++;
    }
    int join = glyph_at(w, i + n);
    if ((join != '-' && join != ' ') || !scan_is_digit(glyph_at(w, i + n + 1)))
        return (struct found){ 0 };
    int z = chem_name((struct sv){ name, n });
    return z ? mass_last(w, i + n, z, true) : (struct found){ 0 };
}
