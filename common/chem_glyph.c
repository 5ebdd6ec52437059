// SPDX-License-Identifier: MIT
/*
 * chem_glyph.c — the window of simplified characters that the chemical matchers read
 */
#include "chem_impl.h"
#include "scan.h"

void glyphs_start(struct glyphs *w, struct sv text, size_t pos)
{
    w->text = text;
    w->at = pos;
    w->limit = text.n - pos > GLYPHS_BYTES ? pos + GLYPHS_BYTES : text.n;
    w->pending = SIZE_MAX;
    w->n = 0;
    w->braces = 0;
    w->style = GLYPH_PLAIN;
    w->style_group = false;
    w->done = false;
    w->has_first = false;
}

static void emit(struct glyphs *w, size_t start, int c, unsigned style)
{
    struct glyph *g = &w->g[w->n++];
    g->start = w->pending != SIZE_MAX ? w->pending : start;
    g->end = w->at;
    g->c = (unsigned char)c;
    g->style = (unsigned char)style;
    w->pending = SIZE_MAX;
}

/* TeX that has no glyph: it belongs to the glyph before it, or to the one that comes. */
static void skip(struct glyphs *w, size_t start, bool closes)
{
    if (closes && w->n && w->pending == SIZE_MAX)
        w->g[w->n - 1].end = w->at;
    else if (w->pending == SIZE_MAX)
        w->pending = start;
}

/* "^" and "_": the style of the group or run after it. */
static void read_script(struct glyphs *w, size_t start, unsigned style)
{
    int next = scan_byte(w->text, w->at);
    size_t after = w->at;
    w->style_group = next == '{';
    if (next == '{') {
        w->at++;
    } else if (next != '+' && next != '-' &&
               (after >= w->text.n || !scan_in_word(scan_next(w->text, &after)))) {
        emit(w, start, G_OTHER, GLYPH_PLAIN);
        return;
    }
    w->style = style;
    skip(w, start, false);
}

static const struct {
    const char *name;
    unsigned char c;
} commands[] = {
    { "delta", G_SMALL_DELTA },  { "Delta", G_BIG_DELTA }, { "epsilon", G_EPSILON },
    { "varepsilon", G_EPSILON }, { "gamma", G_GAMMA },     { "mu", G_MU },
    { "mathrm", G_END },         { "text", G_END },        { "textrm", G_END },
    { "mathit", G_END },         { "rm", G_END },          { "cdot", G_DOT },
};

/* A backslash: one of the commands above, with the brace it opens. */
static void read_command(struct glyphs *w, size_t start)
{
    size_t from = w->at;
    while (scan_is_lower(scan_byte(w->text, w->at)) || scan_is_upper(scan_byte(w->text, w->at)))
        if (w->at++ - from > 12)
            break;
    struct sv name = sv_from_to(w->text, from, w->at);
    size_t next = w->at;
    if (next < w->text.n && scan_next(w->text, &next) == SCAN_MARK)
        name.n = 0; /* the mark makes the last letter another one */
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (!sv_is(name, commands[i].name))
            continue;
        if (commands[i].c != G_END) {
            emit(w, start, commands[i].c, GLYPH_PLAIN);
            return;
        }
        if (scan_byte(w->text, w->at) == '{') {
            w->at++;
            w->braces++;
        }
        skip(w, start, false);
        return;
    }
    emit(w, start, G_OTHER, GLYPH_PLAIN);
}

/* Blanks and at most one line end are a gap; an empty line ends everything. */
static void read_space(struct glyphs *w, size_t start)
{
    unsigned lines = 0;
    for (w->at = start; w->at < w->text.n;) {
        size_t next = w->at;
        lines += w->text.p[next] == '\n';
        if (scan_next(w->text, &next) != SCAN_SPACE)
            break;
        w->at = next;
    }
    emit(w, start, lines > 1 ? G_OTHER : ' ', GLYPH_PLAIN);
}

static void read_close(struct glyphs *w, size_t start)
{
    if (w->style_group) {
        w->style_group = false;
        w->style = GLYPH_PLAIN;
    } else if (w->braces) {
        w->braces--;
    } else {
        emit(w, start, G_OTHER, GLYPH_PLAIN);
        return;
    }
    skip(w, start, true);
}

static void read_ascii(struct glyphs *w, size_t start, int c)
{
    switch (c) {
    case '^':
        read_script(w, start, GLYPH_SUPER);
        return;
    case '_':
        read_script(w, start, GLYPH_SUB);
        return;
    case '\\':
        read_command(w, start);
        return;
    case '}':
        read_close(w, start);
        return;
    case '$':
        skip(w, start, true);
        return;
    default:
        if (scan_ascii[c] == SCAN_SPACE)
            read_space(w, start);
        else
            emit(w, start, strchr("{\"#%&;<=>?@`|~", c) ? G_OTHER : c, w->style);
    }
}

/* Greek, dashes, slashes, dots, signs: one code for all their forms. */
static int simplify(uint32_t cp)
{
    switch (cp) {
    case 0x03B4:
    case 0x2202: /* partial */
    case 0x1D6FF:
    case 0x1D6C5:
    case 0x1D739:
        return G_SMALL_DELTA;
    case 0x0394:
    case 0x2206:
    case 0x1D6E5:
    case 0x1D6AB:
        return G_BIG_DELTA;
    case 0x03B5:
    case 0x03F5:
    case 0x025B:
    case 0x0454: /* Cyrillic */
    case 0x2208: /* element of */
    case 0x1D700:
    case 0x1D716:
    case 0x1D6C6:
        return G_EPSILON;
    case 0x03B3:
    case 0x1D6FE:
        return G_GAMMA;
    case 0x03BC:
    case 0x00B5:
    case 0x1D707:
        return G_MU;
    case 0x00B7:
    case 0x2022:
    case 0x22C5:
    case 0x2219:
    case 0x2027:
        return G_DOT;
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2212:
    case 0x207B:
    case 0x208B:
        return '-';
    case 0x207A:
    case 0x208A:
        return '+';
    case 0x2044:
    case 0x2215:
        return '/';
    case 0x2217:
    case 0x204E:
        return '*';
    default:
        return G_OTHER;
    }
}

static unsigned style_of(uint32_t cp, unsigned now)
{
    if (cp == 0xB2 || cp == 0xB3 || cp == 0xB9 || (cp >= 0x2070 && cp <= 0x207F))
        return GLYPH_SUPER;
    return cp >= 0x2080 && cp <= 0x208E ? GLYPH_SUB : now;
}

static void read_beyond(struct glyphs *w, size_t start)
{
    uint32_t cp = utf8_next(w->text, &w->at);
    int c = simplify(cp), digit = utf8_digit_value(cp);
    enum scan_class cls = c == G_OTHER && digit < 0 ? scan_class_of(cp) : SCAN_PUNCT;
    if (digit >= 0)
        c = '0' + digit;
    if (cls == SCAN_SPACE)
        read_space(w, start);
    else
        emit(w, start, scan_in_word(cls) || cls == SCAN_ALONE ? G_WORD : c,
             style_of(cp, w->style));
}

/* A style without braces lasts over digits and signs, or over letters: one run. */
static void end_style_run(struct glyphs *w)
{
    const struct glyph *last = &w->g[w->n - 1];
    int next = scan_byte(w->text, w->at);
    bool was_letter = scan_is_lower(last->c) || scan_is_upper(last->c);
    bool goes_on =
        was_letter ? scan_is_lower(next) : scan_is_digit(next) || next == '+' || next == '-';
    if (!goes_on)
        w->style = GLYPH_PLAIN;
}

const struct glyph *glyphs_read(struct glyphs *w, unsigned i)
{
    static const struct glyph end = { 0 };
    while (w->n <= i && !w->done) {
        if (w->at >= w->limit || w->n == GLYPHS_MAX) {
            w->done = true;
            break;
        }
        size_t start = w->at;
        unsigned before = w->n;
        int c = (unsigned char)w->text.p[start];
        if (scan_is_alnum(c) && w->style == GLYPH_PLAIN) { /* by far the most */
            w->at++;
            emit(w, start, c, GLYPH_PLAIN);
        } else if (c < 0x80) {
            w->at++;
            read_ascii(w, start, c);
        } else {
            read_beyond(w, start);
        }
        if (w->n > before && w->style != GLYPH_PLAIN && !w->style_group)
            end_style_run(w);
    }
    return i < w->n ? &w->g[i] : &end;
}

bool glyph_in_word(int c)
{
    return c == G_WORD || (c >= G_SMALL_DELTA && c <= G_MU) || scan_is_digit(c) ||
           scan_is_lower(c) || scan_is_upper(c);
}

void form_char(struct form *f, int c)
{
    if (f->n + 1 >= sizeof f->text) {
        f->bad = true;
        return;
    }
    f->text[f->n++] = (char)c;
    f->text[f->n] = '\0';
}

void form_str(struct form *f, const char *s)
{
    while (*s)
        form_char(f, *s++);
}

void form_number(struct form *f, unsigned v)
{
    if (v >= 10)
        form_number(f, v / 10);
    form_char(f, '0' + (int)(v % 10));
}
