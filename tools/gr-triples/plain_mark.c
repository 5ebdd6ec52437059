// SPDX-License-Identifier: MIT
/*
 * plain_mark.c — what is left of HTML, XML and TeX
 */
#include "plain.h"
#include "scan.h"
#include "utf8.h"

static size_t piece_text(struct plain_piece *piece, const char *text, size_t bytes)
{
    piece->kind = PLAIN_TEXT;
    piece->n = strlen(text);
    memcpy(piece->text, text, piece->n);
    return bytes;
}

static size_t piece_kind(struct plain_piece *piece, enum plain_kind kind, size_t bytes)
{
    piece->kind = kind;
    piece->n = 0;
    return bytes;
}

static bool eat(struct sv s, size_t *pos, const char *what)
{
    size_t n = strlen(what);
    if (s.n - *pos < n || memcmp(s.p + *pos, what, n) != 0)
        return false;
    *pos += n;
    return true;
}

/* ---- entities ---- */

static const char *const entities[][2] = {
    { "lt", "<" },
    { "gt", ">" },
    { "amp", "&" },
    { "nbsp", " " },
    { "thinsp", " " },
    { "ensp", " " },
    { "emsp", " " },
    { "plusmn", "\xc2\xb1" },
    { "pm", "\xc2\xb1" },
    { "minus", "\xe2\x88\x92" },
    { "ndash", "\xe2\x80\x93" },
    { "mdash", "\xe2\x80\x94" },
    { "hyphen", "-" },
    { "times", "\xc3\x97" },
    { "deg", "\xc2\xb0" },
    { "micro", "\xc2\xb5" },
    { "permil", "\xe2\x80\xb0" },
    { "le", "\xe2\x89\xa4" },
    { "leq", "\xe2\x89\xa4" },
    { "ge", "\xe2\x89\xa5" },
    { "geq", "\xe2\x89\xa5" },
    { "sim", "~" },
    { "tilde", "~" },
    { "ap", "\xe2\x89\x88" },
    { "asymp", "\xe2\x89\x88" },
    { "approx", "\xe2\x89\x88" },
    { "middot", "\xc2\xb7" },
    { "quot", "\"" },
    { "apos", "'" },
    { "prime", "\xe2\x80\xb2" },
    { "sup1", "\xc2\xb9" },
    { "sup2", "\xc2\xb2" },
    { "sup3", "\xc2\xb3" },
    { "alpha", "\xce\xb1" },
    { "beta", "\xce\xb2" },
    { "gamma", "\xce\xb3" },
    { "delta", "\xce\xb4" },
    { "Delta", "\xce\x94" },
    { "epsilon", "\xce\xb5" },
    { "epsi", "\xce\xb5" },
    { "lambda", "\xce\xbb" },
    { "mu", "\xce\xbc" },
    { "sigma", "\xcf\x83" },
    { "Omega", "\xce\xa9" },
};

/* "#177;", "#xB1;" at pos: the character, which need not be a good one. */
static size_t read_code(struct sv s, size_t pos, uint32_t *cp)
{
    size_t at = pos + 1;
    bool is_hex = at < s.n && (s.p[at] | 32) == 'x';
    at += is_hex;
    size_t from = at;
    uint32_t v = 0;
    for (; at < s.n && at < from + 6; at++) {
        int c = s.p[at] | 32;
        int digit = c >= '0' && c <= '9'             ? c - '0'
                    : is_hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                     : -1;
        if (scan_is_digit(s.p[at]))
            digit = s.p[at] - '0';
        if (digit < 0)
            break;
        v = v * (is_hex ? 16 : 10) + (uint32_t)digit;
    }
    if (at == from || at >= s.n || s.p[at] != ';')
        return pos;
    *cp = v;
    return at + 1;
}

/* "&lt;" at pos; also "&amp;lt;", escaped twice. */
static size_t read_entity(struct sv s, size_t pos, struct plain_piece *piece)
{
    size_t at = pos + 1;
    while (eat(s, &at, "amp;"))
        if (at - pos > 20)
            return 0;
    bool is_twice = at > pos + 1;
    uint32_t cp;
    size_t end = at < s.n && s.p[at] == '#' ? read_code(s, at, &cp) : at;
    if (end > at) {
        bool is_good = cp >= ' ' && cp < 0x110000 && !(cp >= 0xD800 && cp < 0xE000);
        piece->kind = PLAIN_TEXT;
        if (!is_good)
            return 0;
        plain_code(piece, cp);
        return end - pos;
    }
    while (end < s.n && end < at + 9 &&
           (scan_is_lower(s.p[end]) || scan_is_upper(s.p[end]) || scan_is_digit(s.p[end])))
        end++;
    struct sv name = sv_from_to(s, at, end);
    if (name.n && end < s.n && s.p[end] == ';')
        for (size_t i = 0; i < ARRAY_LEN(entities); i++)
            if (sv_is(name, entities[i][0]))
                return piece_text(piece, entities[i][1], end + 1 - pos);
    return is_twice ? piece_text(piece, "&", at - pos) : 0;
}

/* ---- tags ---- */

static const struct {
    const char *name;
    enum plain_kind kind;
} tags[] = {
    { "sup", PLAIN_SUPER },    { "superscript", PLAIN_SUPER }, { "sub", PLAIN_SUB },
    { "inf", PLAIN_SUB },      { "subscript", PLAIN_SUB },     { "i", PLAIN_GROUP },
    { "b", PLAIN_GROUP },      { "em", PLAIN_GROUP },          { "strong", PLAIN_GROUP },
    { "italic", PLAIN_GROUP }, { "bold", PLAIN_GROUP },        { "sc", PLAIN_GROUP },
    { "span", PLAIN_GROUP },   { "u", PLAIN_GROUP },           { "hi", PLAIN_GROUP },
    { "p", PLAIN_TEXT },       { "br", PLAIN_TEXT },           { "title", PLAIN_TEXT },
    { "sec", PLAIN_TEXT },
};

static enum plain_kind kind_of(struct sv name)
{
    for (size_t i = 0; i < ARRAY_LEN(tags); i++)
        if (sv_ieq(name, sv_from(tags[i].name)))
            return tags[i].kind;
    return PLAIN_CLOSE; /* no tag that is known */
}

/* "<sup>", "</jats:sub>", "<br/>", "&lt;i&gt;" at pos. */
static size_t read_tag(struct sv s, size_t pos, struct plain_piece *piece)
{
    size_t at = pos;
    bool is_escaped = eat(s, &at, "&lt;");
    if (!is_escaped)
        at++;
    bool is_close = eat(s, &at, "/");
    size_t name = at;
    while (at < s.n && at < name + 16 &&
           (scan_is_lower(s.p[at] | 32) || scan_is_digit(s.p[at]) || s.p[at] == ':')) {
        if (s.p[at++] == ':')
            name = at;
    }
    enum plain_kind kind = at > name ? kind_of(sv_from_to(s, name, at)) : PLAIN_CLOSE;
    if (kind == PLAIN_CLOSE)
        return 0;
    if (at < s.n && s.p[at] != ' ' && s.p[at] != '/' && s.p[at] != '>' && s.p[at] != '&')
        return 0;
    size_t from = at;
    bool has_value = false;
    while (at < s.n && at < from + 100 && s.p[at] != '>' && s.p[at] != '<' && s.p[at] != '&')
        has_value |= s.p[at++] == '=';
    if (!has_value && sv_trim(sv_from_to(s, from, at)).n > 1)
        return 0; /* "a <b or c> d" */
    bool is_empty = at > from && s.p[at - 1] == '/';
    if (!(is_escaped ? eat(s, &at, "&gt;") : eat(s, &at, ">")))
        return 0;
    if (kind == PLAIN_TEXT)
        return piece_text(piece, " ", at - pos);
    if (is_empty)
        return piece_kind(piece, PLAIN_CLOSE, at - pos);
    /* "wt%<sup>a</sup>": the letter of a footnote */
    size_t end = at + 1;
    if (!is_close && kind == PLAIN_SUPER && end < s.n && s.p[at] >= 'a' && s.p[at] <= 'h' &&
        (eat(s, &end, "</sup>") || eat(s, &end, "&lt;/sup&gt;")))
        return piece_kind(piece, PLAIN_CLOSE, end - pos);
    return piece_kind(piece, is_close ? PLAIN_POP : kind, at - pos);
}

/* ---- TeX ---- */

static const char *const commands[][2] = {
    { "pm", "\xc2\xb1" },
    { "times", "\xc3\x97" },
    { "cdot", "\xc2\xb7" },
    { "sim", "~" },
    { "approx", "\xe2\x89\x88" },
    { "simeq", "\xe2\x89\x88" },
    { "le", "\xe2\x89\xa4" },
    { "leq", "\xe2\x89\xa4" },
    { "leqslant", "\xe2\x89\xa4" },
    { "lesssim", "\xe2\x89\xb2" },
    { "ge", "\xe2\x89\xa5" },
    { "geq", "\xe2\x89\xa5" },
    { "geqslant", "\xe2\x89\xa5" },
    { "gtrsim", "\xe2\x89\xb3" },
    { "lt", "<" },
    { "gt", ">" },
    { "ll", "\xe2\x89\xaa" },
    { "gg", "\xe2\x89\xab" },
    { "circ", "\xc2\xb0" },
    { "degree", "\xc2\xb0" },
    { "degrees", "\xc2\xb0" },
    { "textdegree", "\xc2\xb0" },
    { "permil", "\xe2\x80\xb0" },
    { "textperthousand", "\xe2\x80\xb0" },
    { "perthousand", "\xe2\x80\xb0" },
    { "alpha", "\xce\xb1" },
    { "beta", "\xce\xb2" },
    { "gamma", "\xce\xb3" },
    { "delta", "\xce\xb4" },
    { "updelta", "\xce\xb4" },
    { "Delta", "\xce\x94" },
    { "Updelta", "\xce\x94" },
    { "epsilon", "\xce\xb5" },
    { "varepsilon", "\xce\xb5" },
    { "upvarepsilon", "\xce\xb5" },
    { "lambda", "\xce\xbb" },
    { "mu", "\xce\xbc" },
    { "upmu", "\xce\xbc" },
    { "textmu", "\xce\xbc" },
    { "sigma", "\xcf\x83" },
    { "Omega", "\xce\xa9" },
    { "prime", "\xe2\x80\xb2" },
    { "rightarrow", "\xe2\x86\x92" },
    { "textendash", "\xe2\x80\x93" },
    { "textminus", "\xe2\x88\x92" },
    { "quad", " " },
};

/* Commands that say how their group looks. */
static bool is_font(struct sv name)
{
    static const char *const names[] = {
        "mathrm",     "text", "textrm", "mathit", "mathbf", "rm",     "textit",
        "it",         "bf",   "mbox",   "ce",     "mathsf", "textbf", "operatorname",
        "ensuremath", "emph", "textsc", "textup", "hbox",
    };
    return sv_in(name, names, ARRAY_LEN(names));
}

static size_t read_command(struct sv s, size_t pos, struct plain_piece *piece)
{
    size_t at = pos + 1;
    if (at >= s.n)
        return 0;
    if (scan_is_among(",;: ", s.p[at]))
        return piece_text(piece, " ", 2);
    if (s.p[at] == '!')
        return piece_kind(piece, PLAIN_CLOSE, 2);
    if (s.p[at] == '%' || s.p[at] == '&' || s.p[at] == '$')
        return piece_text(piece, s.p[at] == '%' ? "%" : s.p[at] == '&' ? "&" : "$", 2);
    if (eat(s, &at, "textsuperscript{"))
        return piece_kind(piece, PLAIN_SUPER, at - pos);
    if (eat(s, &at, "textsubscript{"))
        return piece_kind(piece, PLAIN_SUB, at - pos);
    while (at < s.n && at < pos + 18 && (scan_is_lower(s.p[at] | 32)))
        at++;
    struct sv name = sv_from_to(s, pos + 1, at);
    size_t blank = at < s.n && s.p[at] == ' ';
    if (at < s.n && (unsigned char)s.p[at] >= 0xCC && (unsigned char)s.p[at] < 0xCE)
        return 0; /* a mark makes the last letter another one */
    if (is_font(name)) {
        if (at < s.n && s.p[at] == '{')
            return piece_kind(piece, PLAIN_GROUP, at + 1 - pos);
        return piece_kind(piece, PLAIN_OPEN, at + blank - pos);
    }
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (sv_is(name, commands[i][0])) {
            /* the blank ends the command: "\mu m", but "5 \pm 1" keeps its own */
            bool is_glue =
                blank && (unsigned char)commands[i][1][0] != 0xC3 &&
                (scan_is_lower(scan_byte(s, at + 1)) || scan_is_upper(scan_byte(s, at + 1)));
            if (eat(s, &at, "{}"))
                is_glue = false;
            return piece_text(piece, commands[i][1], at + is_glue - pos);
        }
    return 0;
}

size_t plain_mark(struct sv s, size_t pos, struct plain_piece *piece)
{
    size_t n;
    switch (s.p[pos]) {
    case '<':
        return read_tag(s, pos, piece);
    case '&':
        n = sv_starts(sv_from_to(s, pos, s.n), SV("&lt;")) ? read_tag(s, pos, piece) : 0;
        return n ? n : read_entity(s, pos, piece);
    case '\\':
        return read_command(s, pos, piece);
    case '^':
    case '_':
        if (pos + 1 < s.n && s.p[pos + 1] == '{')
            return piece_kind(piece, s.p[pos] == '^' ? PLAIN_SUPER : PLAIN_SUB, 2);
        return 0;
    case '{': /* "{\\rm Sr}" */
        if (pos + 1 < s.n && s.p[pos + 1] == '\\')
            return piece_kind(piece, PLAIN_GROUP, 1);
        return 0;
    case '$': /* "$<$5": what marks a formula makes the text one of TeX */
        if (pos + 2 < s.n && scan_is_among("<>=", s.p[pos + 1]) && s.p[pos + 2] == '$')
            return piece_text(piece,
                              s.p[pos + 1] == '<'   ? "<"
                              : s.p[pos + 1] == '>' ? ">"
                                                    : "=",
                              3);
        return 0;
    default:
        return 0;
    }
}
