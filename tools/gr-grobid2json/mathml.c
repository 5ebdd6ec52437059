// SPDX-License-Identifier: MIT
/*
 * mathml.c — a depth-first walk over MathML that prints each construct as it is read aloud
 *
 * W3C MathML 3, chapter 3. Parts that need brackets, or a form of their own, are printed into a
 * text of their own first; elements nest at most 256 deep, so that stays linear in practice.
 */
#include "mathml.h"

#include "flow.h"
#include "utf8.h"

struct out {
    struct flow f;
    bool was_word; /* the last token was an identifier of several letters ("ln") */
};

static void node(struct out *o, const xmlNode *n);

static void children(struct out *o, const xmlNode *n)
{
    for (const xmlNode *c = xml_child(n, NULL); c; c = xml_next(c, NULL))
        node(o, c);
}

static const xmlNode *nth(const xmlNode *n, int i)
{
    const xmlNode *c = xml_child(n, NULL);
    while (c && i-- > 0)
        c = xml_next(c, NULL);
    return c;
}

/* A part as text of its own; released by the caller. NULL prints nothing. */
static struct out part(const xmlNode *n)
{
    struct out o = { .f = { .gap = FLOW_NONE } };
    if (n)
        node(&o, n);
    return o;
}

static struct sv text_of(const struct out *o)
{
    return buf_view(&o->f.text);
}

/* ---- tokens ---- */

static void token_text(const xmlNode *n, struct buf *to)
{
    for (const xmlNode *c = n->children; c; c = c->next) {
        if (c->type == XML_TEXT_NODE)
            buf_str(to, (const char *)c->content);
        else if (xml_is(c, "mglyph"))
            buf_sv(to, xml_attr(c, "alt"));
        else if (c->type == XML_ELEMENT_NODE)
            token_text(c, to);
    }
}

/* Function application, times, separator and plus that are not seen: U+2061 to U+2064. */
static bool is_invisible(struct sv s)
{
    return s.n == 3 && s.p[0] == '\xE2' && s.p[1] == '\x81' && s.p[2] >= '\xA1' &&
           s.p[2] <= '\xA4';
}

static void token(struct out *o, const xmlNode *n)
{
    struct buf b = BUF_INIT;
    token_text(n, &b);
    struct sv s = xml_is(n, "mtext") ? buf_view(&b) : sv_trim(buf_view(&b));
    struct sv before = text_of(o);
    size_t pos = 0;
    bool is_word = xml_is(n, "mi") && utf8_count(s) > 1;
    if (s.n && before.n && o->f.gap == FLOW_NONE) {
        bool is_after_letter = utf8_is_letter(utf8_before(before, before.n));
        bool is_letter = utf8_is_letter(utf8_next(s, &pos));
        if ((is_word && is_letter && is_after_letter) ||
            (o->was_word && (is_letter || xml_is(n, "mn"))))
            flow_gap(&o->f, FLOW_SPACE);
    }
    if (!is_invisible(s)) {
        flow_text(&o->f, s);
        o->was_word = is_word;
    }
    buf_release(&b);
}

/* ---- brackets and scripts ---- */

/* One letter, number or word, or something in brackets already. */
static bool is_simple(struct sv s)
{
    if (s.n > 2 && s.p[0] == '(' && s.p[s.n - 1] == ')' && sv_find(s, SV(")"), 0) == s.n - 1)
        return true;
    for (size_t pos = 0; pos < s.n;) {
        uint32_t cp = utf8_next(s, &pos);
        if (cp != '.' && !utf8_is_letter(cp) && !utf8_is_mark(cp) && !utf8_is_digit(cp))
            return false;
    }
    return s.n > 0;
}

static void put_in_brackets(struct out *o, struct sv s)
{
    bool is_bare = is_simple(s);
    flow_text(&o->f, is_bare ? SV_NONE : SV("("));
    flow_text(&o->f, s);
    flow_text(&o->f, is_bare ? SV_NONE : SV(")"));
    o->was_word = false;
}

/* Primes, degrees and stars stand raised by themselves. */
static bool is_raised(struct sv s)
{
    for (size_t pos = 0; pos < s.n;) {
        uint32_t cp = utf8_next(s, &pos);
        if (!(cp >= 0x2032 && cp <= 0x2037) && cp != 0xB0 && cp != '*' && cp != '\'' &&
            cp != 0x2217)
            return false;
    }
    return s.n > 0;
}

static void raise(struct out *o, const xmlNode *n)
{
    struct out p = part(n);
    if (is_raised(text_of(&p)))
        flow_text(&o->f, text_of(&p));
    else if (text_of(&p).n)
        flow_script(&o->f, text_of(&p), FLOW_SUPER);
    o->was_word = false;
    flow_release(&p.f);
}

static void put_limit(struct out *o, const char *open, struct sv s)
{
    if (!s.n)
        return;
    flow_text(&o->f, sv_from(open));
    flow_text(&o->f, s);
    flow_text(&o->f, SV(")"));
}

static void lower(struct out *o, const xmlNode *n)
{
    struct out p = part(n), form = { .f = { .gap = FLOW_NONE } };
    struct sv s = text_of(&p);
    flow_script(&form.f, s, FLOW_SUB);
    if (sv_eq(s, text_of(&form)) && !is_simple(s))
        put_limit(o, "_(", s);
    else
        flow_text(&o->f, text_of(&form));
    o->was_word = is_simple(s) && sv_eq(s, text_of(&form)); /* "xmax" */
    flow_release(&p.f);
    flow_release(&form.f);
}

static void limit(struct out *o, const char *open, const xmlNode *n)
{
    struct out p = part(n);
    put_limit(o, open, text_of(&p));
    flow_release(&p.f);
}

/* The mark that combines with the letter before it; 0: not an accent. */
static uint32_t accent(const xmlNode *n)
{
    static const struct {
        const char *mark;
        uint32_t combining;
    } accents[] = { { "¯", 0x304 }, { "‾", 0x304 }, { "―", 0x304 },  { "^", 0x302 },
                    { "ˆ", 0x302 }, { "~", 0x303 }, { "˜", 0x303 },  { "˙", 0x307 },
                    { ".", 0x307 }, { "¨", 0x308 }, { "→", 0x20D7 }, { "⃗", 0x20D7 },
                    { "̅", 0x304 },  { "̄", 0x304 },  { "̂", 0x302 },   { "̃", 0x303 } };
    struct out p = part(n);
    uint32_t found = 0;
    for (size_t i = 0; i < ARRAY_LEN(accents); i++)
        if (sv_is(text_of(&p), accents[i].mark))
            found = accents[i].combining;
    flow_release(&p.f);
    return found;
}

/* A part that was printed apart; words keep their distance. */
static void put_base(struct out *o, struct sv s)
{
    struct sv before = text_of(o);
    size_t pos = 0;
    bool is_letter = s.n && utf8_is_letter(utf8_next(s, &pos));
    if (is_letter && before.n && (o->was_word || pos < s.n) &&
        utf8_is_letter(utf8_before(before, before.n)))
        flow_gap(&o->f, FLOW_SPACE);
    flow_text(&o->f, s);
}

/* mover, munder, munderover: over is NULL for munder. */
static void over_and_under(struct out *o, const xmlNode *base, const xmlNode *under,
                           const xmlNode *over)
{
    struct out p = part(base);
    uint32_t mark = over ? accent(over) : 0;
    if (mark) {
        struct buf b = BUF_INIT;
        utf8_put(&b, mark);
        bool is_letter = utf8_count(text_of(&p)) == 1;
        if (is_letter)
            put_base(o, text_of(&p));
        else
            put_in_brackets(o, text_of(&p));
        flow_text(&o->f, buf_view(&b));
        buf_release(&b);
    } else {
        put_base(o, text_of(&p));
    }
    o->was_word = false;
    if (under)
        limit(o, "_(", under);
    if (over && !mark)
        limit(o, "^(", over);
    flow_release(&p.f);
}

/* base (sub sup)* [mprescripts (sub sup)*]; "none" is an empty place. */
static void multiscripts(struct out *o, const xmlNode *n)
{
    const xmlNode *base = xml_child(n, NULL), *first = xml_child(n, "mprescripts");
    for (const xmlNode *c = xml_next(first, NULL); c;) {
        const xmlNode *sup = xml_next(c, NULL);
        raise(o, sup);
        lower(o, c);
        c = xml_next(sup, NULL);
    }
    if (base && base != first)
        node(o, base);
    for (const xmlNode *c = xml_next(base, NULL); c && c != first;) {
        const xmlNode *sup = xml_next(c, NULL);
        lower(o, c);
        if (sup == first)
            break;
        raise(o, sup);
        c = xml_next(sup, NULL);
    }
}

/* ---- layout ---- */

static void fraction(struct out *o, const xmlNode *n)
{
    struct out up = part(nth(n, 0)), down = part(nth(n, 1));
    put_in_brackets(o, text_of(&up));
    flow_text(&o->f, SV("/"));
    put_in_brackets(o, text_of(&down));
    flow_release(&up.f);
    flow_release(&down.f);
}

static void root(struct out *o, const xmlNode *n)
{
    struct out p = { .f = { .gap = FLOW_NONE } };
    if (xml_is(n, "mroot")) {
        raise(o, nth(n, 1));
        p = part(nth(n, 0));
    } else {
        children(&p, n);
    }
    flow_text(&o->f, SV("√"));
    put_in_brackets(o, text_of(&p));
    flow_release(&p.f);
}

/* An attribute that may be there and empty. */
static struct sv attr_or(const xmlNode *n, const char *name, struct sv otherwise)
{
    return xmlHasProp(n, BAD_CAST name) ? xml_attr(n, name) : otherwise;
}

static void fenced(struct out *o, const xmlNode *n)
{
    struct sv marks = attr_or(n, "separators", SV(","));
    size_t at = 0;
    flow_text(&o->f, attr_or(n, "open", SV("(")));
    for (const xmlNode *c = xml_child(n, NULL); c; c = xml_next(c, NULL)) {
        node(o, c);
        if (!xml_next(c, NULL) || !marks.n)
            continue;
        size_t from = at; /* the last mark serves all further gaps */
        (void)utf8_next(marks, &at);
        flow_text(&o->f, sv_from_to(marks, from, at));
        at = at < marks.n ? at : from;
    }
    flow_text(&o->f, attr_or(n, "close", SV(")")));
    o->was_word = false;
}

static void rows(struct out *o, const xmlNode *n)
{
    bool is_first = true;
    for (const xmlNode *r = xml_child(n, NULL); r; r = xml_next(r, NULL)) {
        if (!is_first)
            flow_text(&o->f, SV(";"));
        is_first = false;
        const xmlNode *c = xml_child(r, NULL);
        if (xml_is(r, "mlabeledtr"))
            c = xml_next(c, NULL);
        for (; c; c = xml_next(c, NULL)) {
            flow_gap(&o->f, FLOW_SPACE);
            children(o, c);
        }
    }
}

static void scripts(struct out *o, const xmlNode *n)
{
    bool has_sub = !xml_is(n, "msup");
    if (nth(n, 0))
        node(o, nth(n, 0));
    if (has_sub)
        lower(o, nth(n, 1));
    if (!xml_is(n, "msub"))
        raise(o, nth(n, has_sub ? 2 : 1));
}

static bool is_any(const xmlNode *n, const char *const names[])
{
    while (*names && !xml_is(n, *names))
        names++;
    return *names != NULL;
}

static void node(struct out *o, const xmlNode *n)
{
    static const char *const tokens[] = { "mi", "mn", "mo", "mtext", "ms", NULL };
    static const char *const nothing[] = { "mphantom",   "none",           "mprescripts",
                                           "annotation", "annotation-xml", NULL };
    static const char *const scripted[] = { "msub", "msup", "msubsup", NULL };
    if (is_any(n, tokens))
        token(o, n);
    else if (is_any(n, nothing))
        return;
    else if (xml_is(n, "mspace"))
        flow_gap(&o->f, xml_attr(n, "width").n && xml_attr(n, "width").p[0] != '-' &&
                                xml_attr(n, "width").p[0] != '0'
                            ? FLOW_SPACE
                            : FLOW_NONE);
    else if (is_any(n, scripted))
        scripts(o, n);
    else if (xml_is(n, "mfrac"))
        fraction(o, n);
    else if (xml_is(n, "msqrt") || xml_is(n, "mroot"))
        root(o, n);
    else if (xml_is(n, "mover"))
        over_and_under(o, nth(n, 0), NULL, nth(n, 1));
    else if (xml_is(n, "munder") || xml_is(n, "munderover"))
        over_and_under(o, nth(n, 0), nth(n, 1), nth(n, 2));
    else if (xml_is(n, "mmultiscripts"))
        multiscripts(o, n);
    else if (xml_is(n, "mfenced"))
        fenced(o, n);
    else if (xml_is(n, "mtable"))
        rows(o, n);
    else if (xml_is(n, "maction") && nth(n, 0))
        node(o, nth(n, 0));
    else
        children(o, n);
}

void mathml_text(const xmlNode *math, struct buf *to)
{
    struct out o = part(math);
    flow_finish(&o.f);
    buf_sv(to, text_of(&o));
    flow_release(&o.f);
}

const xmlNode *mathml_annotation(const xmlNode *math)
{
    const xmlNode *n = xml_path(math, "semantics/annotation");
    while (n && sv_find(xml_attr(n, "encoding"), SV("tex"), 0) == SIZE_MAX &&
           sv_find(xml_attr(n, "encoding"), SV("TeX"), 0) == SIZE_MAX)
        n = xml_next(n, "annotation");
    return n;
}

void mathml_tex(struct sv tex, struct buf *to)
{
    static const char *const wraps[][2] = {
        { "$$", "$$" }, { "$", "$" }, { "\\[", "\\]" }, { "\\(", "\\)" }
    };
    size_t from = sv_find(tex, SV("\\begin{document}"), 0);
    size_t end = from == SIZE_MAX ? from : sv_find(tex, SV("\\end{document}"), from);
    if (from != SIZE_MAX)
        tex = sv_from_to(tex, from + strlen("\\begin{document}"), end);
    tex = sv_trim(tex);
    for (size_t i = 0; i < ARRAY_LEN(wraps); i++) {
        size_t n = strlen(wraps[i][0]);
        if (tex.n >= 2 * n && sv_starts(tex, sv_from(wraps[i][0])) &&
            sv_ends(tex, sv_from(wraps[i][1])))
            tex = sv_trim(sv_from_to(tex, n, tex.n - n));
    }
    buf_sv(to, tex);
}
