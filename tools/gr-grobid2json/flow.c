// SPDX-License-Identifier: MIT
/*
 * flow.c — collapsing white space and keeping spans right while the text changes under them
 */
#include "flow.h"

#include "alloc.h"
#include "utf8.h"

void flow_release(struct flow *f)
{
    buf_release(&f->text);
    free(f->spans);
    *f = (struct flow){ 0 };
}

void flow_reset(struct flow *f)
{
    buf_reset(&f->text);
    f->n_spans = f->n_waiting = 0;
    f->gap = FLOW_NONE;
}

void flow_gap(struct flow *f, enum flow_gap gap)
{
    if (gap > f->gap)
        f->gap = gap;
}

/* ---- appending ---- */

static bool is_lower(struct sv s)
{
    size_t pos = 0;
    uint32_t cp = utf8_next(s, &pos);
    return utf8_is_letter(cp) && !utf8_is_upper(cp) && utf8_lower(cp) == cp;
}

/* Something visible follows (s starts with it): write the gap, start the waiting spans. */
static void begin_visible(struct flow *f, struct sv s)
{
    if (f->gap != FLOW_NONE && f->text.len) {
        bool is_line = f->gap == FLOW_LINE || (f->gap == FLOW_SOFT && is_lower(s));
        buf_str(&f->text, f->gap == FLOW_SPACE ? " " : is_line ? "\n" : "\n\n");
    }
    f->gap = FLOW_NONE;
    for (size_t i = f->n_spans; f->n_waiting && i-- > 0;)
        if (f->spans[i].is_waiting) {
            f->spans[i].is_waiting = false;
            f->spans[i].start = f->text.len;
            f->n_waiting--;
        }
}

/* Length of the white space that starts s, 0 when there is none. */
static size_t space_at(struct sv s)
{
    unsigned char c = (unsigned char)s.p[0];
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r');
    if (c != 0xC2 && c != 0xE1 && c != 0xE2 && c != 0xE3) /* lead bytes of Unicode's spaces */
        return 0;
    size_t pos = 0;
    return utf8_is_space(utf8_next(s, &pos)) ? pos : 0;
}

static bool is_plain_ascii(char c)
{
    return c > ' ' && c < 0x7F;
}

static void add_visible(struct flow *f, struct sv s)
{
    if (!s.n)
        return;
    begin_visible(f, s);
    buf_sv(&f->text, s);
}

/* From i on, eight bytes at a time: past words of ASCII with single blanks between them. What
 * begins at `from` is visible up to i; the blank that may end a group is looked at again. */
static size_t skip_words(struct sv s, size_t from, size_t i)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    while (i + 8 <= s.n) {
        uint64_t w;
        memcpy(&w, s.p + i, 8);
        if ((w | (w - ones * ' ')) & tops) /* not ASCII, or below the blank */
            break;
        uint64_t blanks = ~((w ^ ones * ' ') + ones * 0x7F) & tops;
        if ((blanks & blanks << 8) || (i == from && s.p[i] == ' '))
            break;
        i += s.p[i + 7] == ' ' ? 7 : 8;
    }
    return i;
}

void flow_text(struct flow *f, struct sv s)
{
    size_t from = 0, i = 0;
    while ((i = skip_words(s, from, i)) < s.n) {
        /* Most blanks stand alone between two words: nothing to change, go on. */
        bool is_single = s.p[i] == ' ' && i > from && i + 1 < s.n && is_plain_ascii(s.p[i + 1]);
        if (is_single || is_plain_ascii(s.p[i])) {
            i++;
            continue;
        }
        size_t n_space = space_at((struct sv){ s.p + i, s.n - i });
        if (n_space) {
            add_visible(f, sv_from_to(s, from, i));
            flow_gap(f, FLOW_SPACE);
            from = i + n_space;
        }
        i += n_space ? n_space : 1;
    }
    add_visible(f, sv_from_to(s, from, s.n));
}

/* ---- raised and lowered text ---- */

static uint32_t script_form(uint32_t cp, enum flow_script script)
{
    static const struct {
        uint32_t plain, super, sub;
    } forms[] = {
        { '+', 0x207A, 0x208A },    { '-', 0x207B, 0x208B },
        { 0x2212, 0x207B, 0x208B }, /* minus */
        { 0x2013, 0x207B, 0x208B }, /* en dash, as typeset for minus */
        { '=', 0x207C, 0x208C },    { '(', 0x207D, 0x208D },
        { ')', 0x207E, 0x208E },    { 'n', 0x207F, 0x2099 },
        { 'i', 0x2071, 0x1D62 },    { 'x', 0, 0x2093 },
        { '1', 0x00B9, 0x2081 },    { '2', 0x00B2, 0x2082 },
        { '3', 0x00B3, 0x2083 },
    };
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (forms[i].plain == cp)
            return script == FLOW_SUPER ? forms[i].super : forms[i].sub;
    if (cp >= '0' && cp <= '9')
        return (script == FLOW_SUPER ? 0x2070 : 0x2080) + cp - '0';
    return 0;
}

bool flow_is_ordinal(struct sv s)
{
    return sv_is(s, "st") || sv_is(s, "nd") || sv_is(s, "rd") || sv_is(s, "th");
}

bool flow_has_forms(struct sv s, enum flow_script script)
{
    struct sv core = sv_trim(s);
    for (size_t pos = 0; pos < core.n;)
        if (!script_form(utf8_next(core, &pos), script))
            return false;
    return core.n > 0;
}

void flow_script(struct flow *f, struct sv s, enum flow_script script)
{
    struct sv core = sv_trim(s);
    struct buf form = BUF_INIT;
    if (core.n && core.p != s.p)
        flow_gap(f, FLOW_SPACE);
    if (flow_has_forms(core, script)) {
        for (size_t pos = 0; pos < core.n;)
            utf8_put(&form, script_form(utf8_next(core, &pos), script));
        flow_text(f, buf_view(&form));
    } else if (script == FLOW_SUB || flow_is_ordinal(core) || core.n == 0) {
        flow_text(f, core);
    } else {
        flow_text(f, FLOW_RAISED_OPEN);
        flow_text(f, core);
        flow_text(f, FLOW_RAISED_CLOSE);
    }
    if (core.p + core.n != s.p + s.n)
        flow_gap(f, FLOW_SPACE);
    buf_release(&form);
}

/* ---- spans ---- */

size_t flow_open(struct flow *f, struct flow_span span)
{
    if (f->n_spans == f->cap_spans) {
        f->cap_spans = alloc_grow(f->cap_spans, f->n_spans + 1);
        f->spans = alloc_resize(f->spans, f->cap_spans, sizeof *f->spans);
    }
    span.is_waiting = true;
    f->spans[f->n_spans] = span;
    f->n_waiting++;
    return f->n_spans++;
}

void flow_close(struct flow *f, size_t span)
{
    struct flow_span *r = &f->spans[span];
    if (r->is_waiting) { /* a marker without text keeps its place */
        r->is_waiting = false;
        r->start = f->text.len;
        f->n_waiting--;
    }
    r->end = f->text.len;
}

/* ---- normal form C ---- */

/* Neither changed by NFC nor able to combine with what is before: the usual characters of
 * papers; everything else takes the slow way. (Unicode's NFC_Quick_Check=Yes and ccc=0.) */
static bool is_inert(uint32_t cp)
{
    return cp < 0x300 || (cp >= 0x388 && cp <= 0x482) || (cp >= 0x2010 && cp <= 0x20CF) ||
           (cp >= 0x2100 && cp <= 0x2125) || (cp >= 0x2190 && cp <= 0x2328) ||
           (cp >= 0x2500 && cp <= 0x2ADB) || (cp >= 0x4E00 && cp <= 0x9FFF) ||
           (cp >= 0xE000 && cp <= 0xF8FF) || (cp >= 0xFB00 && cp <= 0xFB06) ||
           (cp >= 0x1D400 && cp <= 0x1D7FF);
}

static bool is_all_inert(struct sv s)
{
    for (size_t i = 0; i < s.n;) {
        uint64_t w = 0;
        if (i + 8 <= s.n)
            memcpy(&w, s.p + i, 8);
        if (i + 8 <= s.n && !(w & 0x8080808080808080u))
            i += 8;
        else if ((unsigned char)s.p[i] < 0xCC)
            i++; /* below U+0300, or inside such a character */
        else if (!is_inert(utf8_next(s, &i)))
            return false;
    }
    return true;
}

/* May combine with the character before it: marks, and vowels and finals of Hangul. */
static bool is_joining(uint32_t cp)
{
    return utf8_is_mark(cp) || (cp >= 0x1160 && cp <= 0x11FF);
}

/* A run of characters that may combine, in bytes, the last one looked at. */
struct run {
    size_t from, to;
};

static size_t past_joining(struct sv s, size_t at, struct run *last)
{
    if (at >= last->from && at < last->to)
        return last->to;
    last->from = at;
    for (size_t pos = at; pos < s.n; at = pos)
        if (!is_joining(utf8_next(s, &pos)))
            break;
    last->to = at;
    return at;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* New byte position of each border of a span: the text is normalised from border to border, no
 * border splitting what combines, so the pieces are the normal form of the whole. */
static void normalise(struct flow *f)
{
    struct sv text = buf_view(&f->text);
    size_t n = 2 * f->n_spans, *old = alloc_array(n + 1, sizeof *old);
    size_t *new = alloc_array(n + 1, sizeof *new);
    struct run last = { 0, 0 };
    for (size_t i = 0; i < f->n_spans; i++) {
        old[2 * i] = f->spans[i].start = past_joining(text, f->spans[i].start, &last);
        old[2 * i + 1] = f->spans[i].end = past_joining(text, f->spans[i].end, &last);
    }
    old[n] = text.n;
    qsort(old, n + 1, sizeof *old, compare_sizes);
    struct buf to = BUF_INIT;
    size_t at = 0;
    for (size_t i = 0; i <= n; i++) {
        if (old[i] > at)
            utf8_nfc(&to, sv_from_to(text, at, old[i]));
        at = old[i];
        new[i] = to.len;
    }
    for (size_t i = 0; i < f->n_spans; i++) {
        struct flow_span *r = &f->spans[i];
        size_t *start = bsearch(&r->start, old, n + 1, sizeof *old, compare_sizes);
        size_t *end = bsearch(&r->end, old, n + 1, sizeof *old, compare_sizes);
        r->start = start ? new[start - old] : 0;
        r->end = end ? new[end - old] : 0;
    }
    free(old);
    free(new);
    buf_release(&f->text);
    f->text = to;
}

void flow_finish(struct flow *f)
{
    if (!is_all_inert(buf_view(&f->text)))
        normalise(f);
    struct sv text = buf_view(&f->text);
    size_t at = 0, n_at = 0; /* n_at characters before byte `at` */
    for (size_t i = 0; i < f->n_spans; i++) {
        struct flow_span *r = &f->spans[i];
        if (r->start < at) /* spans open in order of their start; around empty ones, nearly */
            n_at -= utf8_count(sv_from_to(text, r->start, at));
        else
            n_at += utf8_count(sv_from_to(text, at, r->start));
        at = r->start;
        size_t n = utf8_count(sv_from_to(text, r->start, r->end));
        r->start = n_at;
        r->end = n_at + n;
    }
}
