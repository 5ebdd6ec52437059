// SPDX-License-Identifier: MIT
/*
 * chem.c — which notation stands at a place of the text: δ, ε, ratios, systems, single members
 */
#include "chem.h"

#include "chem_impl.h"
#include "scan.h"

#define DELTA "\xCE\xB4"
#define BIG_DELTA "\xCE\x94"
#define EPSILON "\xCE\xB5"
#define GAMMA "\xCE\xB3"
#define MU "\xCE\xBC"

bool chem_finish(struct match *m, enum chem_kind kind)
{
    struct chem *out = m->out;
    if (m->form.bad || m->to == 0)
        return false;
    out->kind = kind;
    out->end = glyphs_get(m->w, m->to - 1)->end;
    memcpy(out->text, m->form.text, m->form.n + 1);
    out->n = m->form.n;
    return true;
}

void chem_add_member(struct match *m, const struct found *f, bool is_part)
{
    struct chem_part part = { (unsigned char)m->form.n, 0 };
    form_str(&m->form, f->form.text);
    part.to = (unsigned char)m->form.n;
    if (is_part && m->out->n_parts < CHEM_PARTS)
        m->out->parts[m->out->n_parts++] = part;
    m->to = f->to;
}

/* The ASCII word at glyph i, case of the first letter free: the glyph after it, or 0. */
static unsigned read_word(struct glyphs *w, unsigned i, const char *word)
{
    for (unsigned k = 0; word[k]; k++)
        if (glyph_at(w, i + k) != word[k] && !(k == 0 && glyph_at(w, i) == word[0] - 32))
            return 0;
    return i + (unsigned)strlen(word);
}

/* A label of a few letters, or the end of the word, at glyph i. */
static bool label_or_end(struct glyphs *w, unsigned i, unsigned most)
{
    unsigned n = 0;
    while (n < most && (scan_is_lower(glyph_at(w, i + n)) || scan_is_upper(glyph_at(w, i + n))))
        n++;
    return chem_at_end(w, i + n);
}

/* ---- δ and Δ ---- */

enum head { HEAD_NONE, HEAD_GREEK, HEAD_WORD, HEAD_ASCII };

/* δ, "delta", or d before digits or D; *big tells Δ. *to: the glyph after it and its gap. */
static enum head read_delta_head(struct glyphs *w, unsigned *to, bool *big)
{
    int c = glyph_at(w, 0);
    enum head head = HEAD_NONE;
    *big = c == G_BIG_DELTA || c == 'D';
    if (c == G_SMALL_DELTA || c == G_BIG_DELTA) {
        head = HEAD_GREEK;
        *to = 1;
    } else if ((*to = read_word(w, 0, "delta")) != 0) {
        head = HEAD_WORD;
        *big = false;
    } else if (c == 'd' || c == 'D') {
        head = HEAD_ASCII;
        *to = 1;
    }
    int gap = glyph_at(w, *to);
    *to += head && (gap == ' ' || (gap == '-' && head == HEAD_WORD)) ? 1 : 0;
    return head;
}

/* δ44/40Ca: two masses. */
static bool match_double_delta(struct match *m, unsigned i)
{
    unsigned slash, to;
    int mass = chem_read_number(m->w, i, 3, &slash);
    if (mass <= 0 || glyph_at(m->w, slash) != '/')
        return false;
    struct found f = chem_read_isotope(m->w, slash + 1, true);
    if (!f.to || !chem_mass_fits(f.z, mass) || chem_read_number(m->w, slash + 1, 3, &to) < 0)
        return false;
    form_number(&m->form, (unsigned)mass);
    form_char(&m->form, '/');
    chem_add_member(m, &f, false);
    return chem_finish(m, CHEM_DELTA);
}

/* Does a value follow at glyph i, as of something measured: " of 0.65", " = −3", " values"? */
static bool is_valued(struct glyphs *w, unsigned i)
{
    static const char *const words[] = {
        "of ", "is ", "was ", "are ", "were ", "from ", "at "
    };
    unsigned after;
    if (glyph_at(w, i) == '(') /* "(t)" */
        while (i < 60 && glyph_at(w, i) && glyph_at(w, i++) != ')')
            ;
    i += glyph_at(w, i) == ' ';
    if (read_word(w, i, "value"))
        return true;
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if ((after = read_word(w, i, words[k])) != 0) {
            i = after;
            break;
        }
    int c;
    while ((c = glyph_at(w, i)) == ' ' || c == '+' || c == '-' || (c == G_OTHER && i < 60))
        i++;
    return scan_is_digit(c);
}

/* What follows δ when it is no isotope: D, an element, 47. */
static bool match_bare_delta(struct match *m, unsigned i, enum head head, bool big)
{
    struct glyphs *w = m->w;
    unsigned to;
    if (glyph_at(w, i) == 'D' && !big && label_or_end(w, i + 1, head == HEAD_ASCII ? 0 : 5) &&
        !(head == HEAD_ASCII && i != 1)) {
        form_char(&m->form, 'D');
        m->to = i + 1;
        return chem_finish(m, CHEM_DELTA);
    }
    int mass = chem_read_number(w, i, 2, &to), z = chem_read_symbol(w, i, 2);
    bool is_clumped = head == HEAD_GREEK || (head == HEAD_ASCII && is_valued(w, to));
    if (is_clumped && big && i == 1 && mass >= 47 && mass <= 49 && chem_at_end(w, to)) {
        form_number(&m->form, (unsigned)mass);
        m->to = to;
        return chem_finish(m, CHEM_DELTA);
    }
    if (head == HEAD_GREEK && !big && i == 1 && z && chem_at_end(w, i + 2)) {
        form_str(&m->form, chem_symbol_of(z));
        m->to = i + 2;
        return chem_finish(m, CHEM_DELTA);
    }
    return false;
}

static bool match_delta(struct match *m)
{
    unsigned i = 0, to;
    bool big;
    enum head head = read_delta_head(m->w, &i, &big);
    if (!head ||
        (head == HEAD_ASCII && !scan_is_digit(glyph_at(m->w, i)) && glyph_at(m->w, i) != 'D'))
        return false;
    form_str(&m->form, big ? BIG_DELTA : DELTA);
    struct found f = chem_read_isotope(m->w, i, true);
    if (!f.to)
        return match_double_delta(m, i) || match_bare_delta(m, i, head, big);
    int mass = chem_read_number(m->w, i, 3, &to);
    bool doubtful = head == HEAD_ASCII && (i != 1 || big || f.gapped);
    if (head == HEAD_ASCII && (!chem_isotope_known(f.z, mass) || (doubtful && mass < 10)))
        return false;
    m->out->weak = doubtful;
    chem_add_member(m, &f, true);
    return chem_finish(m, CHEM_DELTA);
}

/* ---- ε, γ, μ ---- */

/* "e Nd of +8.1": the letter of an old font, apart from its element. */
static bool is_torn_epsilon(struct glyphs *w)
{
    int a = glyph_at(w, 2), b = glyph_at(w, 3);
    return glyph_at(w, 1) == ' ' && ((a == 'N' && b == 'd') || (a == 'H' && b == 'f')) &&
           is_valued(w, 4);
}

/* ε or "epsilon", γ, μ, or e before a capital: the Greek letter; *to: the glyph after it. */
static const char *read_epsilon_head(struct glyphs *w, unsigned *to)
{
    *to = 1;
    switch (glyph_at(w, 0)) {
    case G_EPSILON:
        return EPSILON;
    case G_GAMMA:
        return GAMMA;
    case G_MU:
        return MU;
    case 'e':
    case 'E':
        if (scan_is_upper(glyph_at(w, 1)) || is_torn_epsilon(w))
            return glyph_at(w, 0) == 'e' ? EPSILON : NULL;
        *to = read_word(w, 0, "epsilon");
        *to += *to && glyph_at(w, *to) == '-' ? 1 : 0;
        return *to ? EPSILON : NULL;
    default:
        return NULL;
    }
}

static bool match_epsilon(struct match *m)
{
    static const unsigned char usual[] = { 38, 60, 72, 76 }; /* Sr Nd Hf Os */
    struct glyphs *w = m->w;
    unsigned i;
    const char *greek = read_epsilon_head(w, &i);
    if (!greek)
        return false;
    bool ascii = glyph_at(w, 0) == 'e' && i == 1, gap = glyph_at(w, i) == ' ';
    i += gap ? 1 : 0;
    form_str(&m->form, greek);
    struct found f =
        scan_is_digit(glyph_at(w, i)) ? chem_read_isotope(w, i, true) : (struct found){ 0 };
    if (f.to && !ascii) {
        chem_add_member(m, &f, true);
        return chem_finish(m, CHEM_EPSILON);
    }
    unsigned letters = chem_read_symbol(w, i, 2) ? 2 : 1;
    int z = chem_read_symbol(w, i, letters);
    bool is_usual = z && memchr(usual, z, sizeof usual);
    if (!z || glyph_at(w, 0) == G_MU || ((ascii || gap) && !is_usual) ||
        (glyph_at(w, 0) == G_GAMMA && z != 76) || (letters == 1 && z != 74) ||
        !label_or_end(w, i + letters, 3))
        return false;
    form_str(&m->form, chem_symbol_of(z));
    m->to = i + letters;
    return chem_finish(m, CHEM_EPSILON);
}

/* ---- single members ---- */

/* Does a sentence, title or bracket begin at byte pos? */
static bool begins(struct sv text, size_t pos)
{
    while (pos && scan_ascii[(unsigned char)text.p[pos - 1]] == SCAN_SPACE) {
        if (text.p[pos - 1] == '\n')
            return true;
        pos--;
    }
    return pos == 0 || strchr(".!?:(\"'", text.p[pos - 1]) != NULL ||
           (pos >= 3 && !memcmp(text.p + pos - 3, "\xE2\x80\x9C", 3));
}

/* Is there a number, maybe with a gap, or a degree sign, before byte pos? */
static bool follows_number(struct sv text, size_t pos)
{
    while (pos && text.p[pos - 1] == ' ')
        pos--;
    if (pos >= 2 && !memcmp(text.p + pos - 2, "\xC2\xB0", 2))
        return true;
    if (pos >= 2 && !memcmp(text.p + pos - 2, "\xC2\xA0", 2))
        pos -= 2;
    return pos && scan_is_digit((unsigned char)text.p[pos - 1]);
}

/* Is it in a list of symbols: "Ga, In, Tl"? */
static bool in_list(struct glyphs *w, unsigned to, struct sv text, size_t pos)
{
    if (glyph_at(w, to) == ',' && glyph_at(w, to + 1) == ' ') {
        unsigned letters = chem_read_symbol(w, to + 2, 2) ? 2 : 1;
        if (chem_read_symbol(w, to + 2, letters) && chem_at_end(w, to + 2 + letters))
            return true;
    }
    unsigned and = glyph_at(w, to) == ' ' ? read_word(w, to + 1, "and ") : 0;
    if (and&&chem_read_symbol(w, and, 2) && chem_at_end(w, and+2))
        return true; /* "He and Ne" */
    if (pos < 4 || text.p[pos - 1] != ' ' || text.p[pos - 2] != ',')
        return false;
    size_t from = scan_is_lower((unsigned char)text.p[pos - 3]) ? pos - 4 : pos - 3;
    int z = chem_symbol(sv_from_to(text, from, pos - 2));
    return z > 0 && z < 100 && (from == 0 || !scan_in_word(scan_before(text, from)));
}

/* "N-S", "S-type", "I/O": a direction, a kind of granite, half of something else. */
static bool is_label(struct glyphs *w, const struct found *f, struct sv text, size_t pos)
{
    if (!f->one_letter)
        return false;
    if (glyph_at(w, f->to) == '/' || (pos && text.p[pos - 1] == '/'))
        return true;
    if (glyph_at(w, f->to) == '-')
        return read_word(w, f->to + 1, "type") != 0 ||
               (glyph_at(w, f->to + 1) && strchr("NSEW", glyph_at(w, f->to + 1)) &&
                chem_at_end(w, f->to + 2));
    return pos >= 2 && text.p[pos - 1] == '-' && scan_is_upper((unsigned char)text.p[pos - 2]);
}

/* Is there a word at glyph i that opens sentences and is no surname? */
static bool begins_sentence(struct glyphs *w, unsigned i)
{
    static const char *const words[] = {
        "the ", "this ",   "these ", "in ", "our ",   "we ",
        "it ",  "however", "for ",   "at ", "there ", "such "
    };
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (read_word(w, i, words[k]))
            return true;
    return false;
}

/* "C. Ho and": an initial before byte pos. */
static bool is_behind_initial(struct sv text, size_t pos)
{
    return pos > 2 && text.p[pos - 1] == ' ' && text.p[pos - 2] == '.' &&
           scan_is_upper(text.p[pos - 3]) && (pos == 3 || strchr(" .-,;\n", text.p[pos - 4]));
}

/* Initials ("S. Smith") and names ("La Palma", "Li et al.") that look like a symbol. */
static bool is_name(struct glyphs *w, const struct found *f)
{
    int c = glyph_at(w, f->to), d = glyph_at(w, f->to + 1);
    if (c == ' ' && read_word(w, f->to + 1, "et") && glyph_at(w, f->to + 3) == ' ')
        return true;
    if (f->one_letter && c == '.')
        return scan_is_upper(d) || (d == ' ' && scan_is_upper(glyph_at(w, f->to + 2)) &&
                                    !begins_sentence(w, f->to + 2));
    if (is_behind_initial(w->text, w->g[0].start) && (c == ',' || read_word(w, f->to, " and ")))
        return true;
    return f->z == 57 && c == ' ' && scan_is_upper(d) &&
           scan_is_lower(glyph_at(w, f->to + 2)) && scan_is_lower(glyph_at(w, f->to + 3));
}

/* "In contents", "I concentration": behind the symbol at glyph `to`. */
static bool is_content(struct glyphs *w, unsigned to)
{
    static const char *const words[] = { " content", " concentration", " abundance" };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (read_word(w, to, words[i]))
            return true;
    return false;
}

/* May the symbol stand for the element here? Sets weak. */
static bool element_fits(struct match *m, const struct found *f)
{
    static const unsigned char units[] = { 1, 6, 7, 9, 16, 19, 23, 31, 74, 91 };
    static const unsigned char words[] = { 2, 4, 33, 95 };                 /* He Be As Am */
    static const unsigned char prefixes[] = { 2, 4, 27, 33, 49, 75, 102 }; /* Co- Re- In- … */
    struct sv text = m->w->text;
    size_t pos = m->out->start;
    bool beginning = begins(text, pos), in_words = memchr(words, f->z, sizeof words) != NULL;
    m->out->weak = f->one_letter || in_words || f->z == 49 || f->z == 53;
    if (f->z >= 100 || is_name(m->w, f) || is_label(m->w, f, text, pos))
        return false;
    if (f->z == 49 || f->z == 53 || f->z == 85)
        return in_list(m->w, f->to, text, pos) || (!beginning && is_content(m->w, f->to));
    bool is_isotopic = f->z != 33 && read_word(m->w, f->to, " isotop");
    if (in_words && beginning && !is_isotopic && !in_list(m->w, f->to, text, pos))
        return false;
    m->out->weak &= !is_isotopic;
    if (memchr(prefixes, f->z, sizeof prefixes) && glyph_at(m->w, f->to) == '-' &&
        scan_is_lower(glyph_at(m->w, f->to + 1))) {
        if (beginning)
            return false;
        m->out->weak = true; /* "ChemCam Co-investigator" */
    }
    return !(memchr(units, f->z, sizeof units) && follows_number(text, pos));
}

/* "Fig. 12 C": a panel, not carbon. */
static bool follows_figure(struct sv text, size_t pos)
{
    struct sv before = sv_trim(sv_from_to(text, pos > 12 ? pos - 12 : 0, pos));
    return sv_ends(before, SV("Fig.")) || sv_ends(before, SV("Figs.")) ||
           sv_ends(before, SV("Figure")) || sv_ends(before, SV("Table"));
}

/* 13CO2, ¹⁴CH₄: a molecule with a marked carbon. */
static bool match_marked_molecule(struct match *m)
{
    unsigned to;
    int mass = chem_read_number(m->w, 0, 2, &to);
    if (mass < 11 || mass > 14 || glyph_at(m->w, to) != 'C')
        return false;
    struct found f = chem_read_formula(m->w, to);
    if (!f.to || f.kind != CHEM_FORMULA || f.gapped)
        return false;
    form_number(&m->form, (unsigned)mass);
    chem_add_member(m, &f, false);
    return chem_finish(m, CHEM_FORMULA);
}

static bool match_single(struct match *m)
{
    struct found f = chem_read_isotope(m->w, 0, false);
    if (f.to && f.gapped && follows_figure(m->w->text, m->out->start))
        return false;
    if (!f.to)
        f = chem_read_named_isotope(m->w, 0);
    if (!f.to && scan_is_digit(glyph_at(m->w, 0)))
        return match_marked_molecule(m);
    if (!f.to)
        f = chem_read_formula(m->w, 0);
    if (!f.to)
        f = chem_read_cited(m->w, m->out->start);
    if (!f.to)
        return false;
    m->out->weak = f.gapped && f.kind == CHEM_ISOTOPE;
    if (f.kind == CHEM_ELEMENT && !element_fits(m, &f))
        return false;
    chem_add_member(m, &f, false);
    return chem_finish(m, f.kind);
}

/* ---- entry points ---- */

/* A word of lower-case letters (the first may be a capital) can only be
 * "delta", "epsilon", or the name of an element before a number. */
static bool word_may_start(struct sv text, size_t pos)
{
    size_t i = pos + 1;
    while (i < text.n && i - pos < 14 && scan_is_lower((unsigned char)text.p[i]))
        i++;
    unsigned char after = scan_byte(text, i);
    struct sv rest = sv_from_to(text, pos + 1, i);
    if (after >= 0x80 || scan_is_digit(scan_byte(text, i + 1)))
        return after == '-' || after == ' ' || after >= 0x80 || sv_is(rest, "elta");
    return sv_is(rest, "elta") || sv_is(rest, "psilon");
}

/* Is it a character that glyphs show as it is? TeX and letters beyond ASCII may be others. */
static bool is_plain(unsigned char c)
{
    return c < 0x80 && c != '$' && c != '\\' && c != '^' && c != '_' && c != '{' && c != '}';
}

/* A symbol ("U", "Sr"), "D" of deltas, or such a word: most other capitals open words in plain
 * English ("We", "MORB"). */
static bool upper_may_start(struct sv text, size_t pos)
{
    unsigned char b = scan_byte(text, pos + 1), c = scan_byte(text, pos + 2);
    bool has_lower = scan_is_lower(b);
    if (has_lower && scan_is_lower(c))
        return word_may_start(text, pos);
    if (!is_plain(b) || (has_lower && !is_plain(c)) || text.p[pos] == 'D')
        return true;
    return chem_symbol(sv_from_to(text, pos, pos + 1 + has_lower)) ||
           (has_lower && word_may_start(text, pos));
}

/* dD, d18O, "d 18 O", eNd, or such a word. */
static bool lower_may_start(struct sv text, size_t pos)
{
    unsigned char a = scan_byte(text, pos), b = scan_byte(text, pos + 1);
    if (a == 'd' && (scan_is_digit(b) || b == 'D' || b == ' ' || b >= 0x80 || b == '^'))
        return true;
    unsigned char c = b == ' ' ? scan_byte(text, pos + 2) : b;
    return (a == 'e' && (b == ' ' ? c == 'N' || c == 'H' : scan_is_upper(c))) ||
           word_may_start(text, pos);
}

/* 87Sr, "87 Sr", but no other number. */
static bool digit_may_start(struct sv text, size_t pos)
{
    unsigned char before = pos ? (unsigned char)text.p[pos - 1] : ' ';
    if ((before == '.' || before == ',') && pos >= 2 &&
        scan_is_digit((unsigned char)text.p[pos - 2]))
        return false;
    size_t i = pos + 1;
    while (i < pos + 4 && scan_is_digit(scan_byte(text, i)))
        i++;
    unsigned char c = scan_byte(text, i), d = scan_byte(text, i + 1);
    if (c == '/' && scan_is_digit(d)) { /* "87/86Sr" */
        for (i += 2; i < pos + 8 && scan_is_digit(scan_byte(text, i)); i++)
            ;
        i += scan_byte(text, i) == ' ';
        return scan_is_upper(scan_byte(text, i));
    }
    if (scan_is_upper(c) || c >= 0x80 || c == '^' || c == '$')
        return true;
    return c && scan_ascii[c] == SCAN_SPACE &&
           (scan_ascii[d] == SCAN_SPACE || scan_is_upper(d) || d >= 0x80);
}

/* First bytes of Greek letters and raised digits. */
static bool beyond_may_start(struct sv text, size_t pos)
{
    unsigned char c = scan_byte(text, pos), d = scan_byte(text, pos + 1);
    switch (c) {
    case 0xC2:
        return d == 0xB2 || d == 0xB3 || d == 0xB5 || d == 0xB9;
    case 0xE2:
        return d == 0x81 || d == 0x82 || d == 0x88;
    default:
        return c == 0xC9 || c == 0xCE || c == 0xCF || c == 0xD1 || c == 0xF0;
    }
}

/* (Mg,Fe)2SiO4, ^{87}Sr, $^{87}$Sr, \\delta: mark c before byte d. */
static bool mark_may_start(unsigned char c, unsigned char d)
{
    switch (c) {
    case '(':
        return scan_is_upper(d);
    case '^':
        return d == '{' || scan_is_digit(d);
    case '$':
        return d == '^' || d == '\\' || scan_is_upper(d) || scan_is_digit(d) || d >= 0x80;
    case '\\':
        return d && strchr("dDegmrtv", d) != NULL;
    default:
        return false;
    }
}

/* Cheap look at the bytes around pos: may notation start here at all? */
static bool may_start(struct sv text, size_t pos)
{
    unsigned char c = scan_byte(text, pos);
    bool may;
    switch (scan_ascii[c]) {
    case SCAN_LOWER:
        may = lower_may_start(text, pos);
        break;
    case SCAN_UPPER:
        may = upper_may_start(text, pos);
        break;
    case SCAN_DIGIT:
        may = digit_may_start(text, pos);
        break;
    case SCAN_BEYOND:
        may = beyond_may_start(text, pos);
        break;
    default:
        return mark_may_start(c, scan_byte(text, pos + 1));
    }
    return may && !scan_in_word(scan_before(text, pos));
}

bool chem_match(struct sv text, size_t pos, struct chem *out)
{
    static bool (*const matchers[])(struct match *) = {
        match_delta,      match_epsilon, chem_match_bracket_system, chem_match_normalised_ratio,
        chem_match_chain, match_single,
    };
    struct glyphs w;
    out->kind = CHEM_NONE;
    if (!may_start(text, pos))
        return false;
    int c = (unsigned char)text.p[pos];
    bool plain = scan_is_digit(c) || (scan_is_upper(c) && c != 'D' && c != 'E');
    glyphs_start(&w, text, pos);
    for (size_t i = plain ? 4 : 0; i < ARRAY_LEN(matchers); i++) {
        struct match m;
        m.w = &w;
        m.out = out;
        m.to = 0;
        m.form.n = 0;
        m.form.text[0] = '\0';
        m.form.bad = false;
        out->start = pos;
        out->n_parts = 0;
        out->weak = false;
        if (matchers[i](&m))
            return true;
    }
    return false;
}

bool chem_next(struct sv text, size_t *pos, struct chem *out)
{
    while (*pos < text.n) {
        if (chem_match(text, *pos, out)) {
            *pos = out->end;
            return true;
        }
        bool letters = false;
        if (scan_in_word(scan_next(text, pos)))
            *pos = scan_run(text, *pos, &letters);
    }
    out->kind = CHEM_NONE;
    return false;
}
