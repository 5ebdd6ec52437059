// SPDX-License-Identifier: MIT
/*
 * chem_impl.h — what the files of chem_*.c share (internal): a window of simplified characters
 *
 * The matchers do not read the text but glyphs: one a character, in which the many spellings
 * are already one. Superscripts, "^{18}" and "^18" are digits with style GLYPH_SUPER; all
 * dashes are '-'; a run of blanks is ' '; Greek letters, TeX commands for them and mathematical
 * italics are the codes below. Dollar signs and TeX braces are part of their neighbours. Glyphs
 * are made on demand, so that a failed match costs a few of them.
 */
#ifndef GR_CHEM_IMPL_H
#define GR_CHEM_IMPL_H

#include "chem.h"

/* Values of struct glyph's c that are not ASCII text. */
enum {
    G_END = 0, /* end of the text, or of the window */
    G_SMALL_DELTA,
    G_BIG_DELTA,
    G_EPSILON,
    G_GAMMA,
    G_MU,
    G_DOT,   /* the middle dot of hydrates */
    G_WORD,  /* another letter, digit or mark */
    G_OTHER, /* anything else, an empty line too */
};

enum glyph_style { GLYPH_PLAIN, GLYPH_SUPER, GLYPH_SUB };

struct glyph {
    size_t start, end; /* bytes of the text, with the TeX around it */
    unsigned char c;
    unsigned char style; /* enum glyph_style */
};

/* A display form in the making; what does not fit sets `bad`. */
struct form {
    char text[CHEM_MAX];
    size_t n;
    bool bad;
};

/* What a reader found: glyphs [from, to), NULL-like when to == 0. */
struct found {
    unsigned to;         /* first glyph after it; 0: nothing found */
    int z;               /* atomic number of its (only or last) element, or 0 */
    bool gapped;         /* holds a blank that must be explained by context */
    bool one_letter;     /* its symbol is one letter and it is nothing but the symbol */
    enum chem_kind kind; /* element, isotope, formula or ion */
    struct form form;    /* display form */
};

#define GLYPHS_MAX 64
#define GLYPHS_BYTES 256 /* bytes of text looked at, so that a match is O(1) */

struct glyphs {
    struct sv text;
    size_t at;        /* next byte to read */
    size_t limit;     /* no glyph starts at or after this byte */
    size_t pending;   /* start of skipped TeX before the next glyph, or SIZE_MAX */
    unsigned n;       /* glyphs made */
    unsigned braces;  /* open TeX braces without style */
    unsigned style;   /* enum glyph_style of what comes */
    bool style_group; /* it lasts until "}", else while the type of character stays */
    bool done;
    bool has_first; /* the formula at glyph 0 was asked for: `first` */
    struct found first;
    struct glyph g[GLYPHS_MAX];
};

/* Start a window at byte pos. */
void glyphs_start(struct glyphs *w, struct sv text, size_t pos);

/* Glyph i, which may not have been read yet; past the end one with c == G_END. Valid until
 * glyphs_start. */
const struct glyph *glyphs_read(struct glyphs *w, unsigned i);

static inline const struct glyph *glyphs_get(struct glyphs *w, unsigned i)
{
    return i < w->n ? &w->g[i] : glyphs_read(w, i);
}

static inline int glyph_at(struct glyphs *w, unsigned i)
{
    return glyphs_get(w, i)->c;
}

/* Letter or digit: a symbol must not be followed by one. */
bool glyph_in_word(int c);

void form_char(struct form *f, int c);
void form_str(struct form *f, const char *s);
void form_number(struct form *f, unsigned v);

/* An element symbol at glyph i, longest first; `letters` limits its length (2 or 1). */
int chem_read_symbol(struct glyphs *w, unsigned i, unsigned letters);

/* May notation end before glyph i? A raised digit is a footnote mark. */
bool chem_at_end(struct glyphs *w, unsigned i);

/* A whole number of up to `most` digits of one style; *to is the glyph after it; -1: none. */
int chem_read_number(struct glyphs *w, unsigned i, unsigned most, unsigned *to);

/* "uranium-238", "carbon 14" at glyph i, the name in any case. */
struct found chem_read_named_isotope(struct glyphs *w, unsigned i);

/*
 * 18O, U-238 at glyph i. relaxed: context already says that this is an isotope (it
 * follows δ, or is part of a ratio), so gaps are allowed and any label may follow.
 */
struct found chem_read_isotope(struct glyphs *w, unsigned i, bool relaxed);

/* SiO2, Fe3+, or a lone element, at glyph i. */
struct found chem_read_formula(struct glyphs *w, unsigned i);

/* What is damaged behind a unit, at glyph 0 and byte pos: "2400 ppm Ni3" with a reference's
 * number, "0.4% K20" with a nought for its O. */
struct found chem_read_cited(struct glyphs *w, size_t pos);

/* A match in the making: what has been read up to glyph `to`. */
struct match {
    struct glyphs *w;
    struct chem *out;
    struct form form;
    unsigned to; /* glyph after it */
};

/* The match ends where it has been read to, and is of that kind. False: it does not fit. */
bool chem_finish(struct match *m, enum chem_kind kind);

/* Append what was found to the match's form; is_part: it is a part that has a key of its own.
 */
void chem_add_member(struct match *m, const struct found *f, bool is_part);

/* A match at glyph 0: 87Sr/86Sr, Th/U, U-Pb; (U-Th)/He; (La/Yb)N. */
bool chem_match_chain(struct match *m);
bool chem_match_bracket_system(struct match *m);
bool chem_match_normalised_ratio(struct match *m);

/* Could an isotope of element z have this mass number? Wide bounds, no table of nuclides. */
bool chem_mass_fits(int z, int mass);

/* Is it an isotope that geochemists measure ("87Sr")? */
bool chem_isotope_known(int z, int mass);

/* Is the formula one of the usual ones ("SiO2", "FeO", "CO")? */
bool chem_formula_known(const char *formula, size_t n);

#endif
