// SPDX-License-Identifier: MIT
/*
 * abbrev_form.c — aligning short forms with long ones
 *
 * A. S. Schwartz, M. A. Hearst: A simple algorithm for identifying abbreviation definitions in
 * biomedical text, PSB 2003; with word-initial alignments before it.
 */
#include "scan.h"
#include "abbrev.h"
#include "utf8.h"

#define WORDS_MAX 16  /* of a long form; Schwartz and Hearst: twice the letters at most */
#define BYTES_MAX 160 /* of a long form */

/* ---- letters and words ---- */

/* The letter of a code point as a short form may have it: Greek ones by their Latin names'. */
static uint32_t letter_of(uint32_t cp)
{
    static const char greek[] = "abgdezhtiklmnxoprsstupcpo"; /* α … ω */
    cp = utf8_lower(cp);
    if (cp >= 0x3b1 && cp <= 0x3c9)
        return (uint32_t)greek[cp - 0x3b1];
    if (cp == 0xb5)
        return 'm';
    return cp;
}

static bool same_letter(uint32_t a, uint32_t b)
{
    return letter_of(a) == letter_of(b);
}

static bool is_sign(uint32_t cp)
{
    return cp == '-' || cp == '/' || cp == '&' || cp == '.' || cp == '+' || cp == '_' ||
           cp == 0x2010 || cp == 0x2011 || cp == 0x2013;
}

struct words {
    struct sv items[WORDS_MAX];
    size_t n;
};

static bool is_word_cp(uint32_t cp)
{
    return utf8_is_letter(cp) || utf8_is_number(cp) || utf8_is_mark(cp) || cp == '\'' ||
           cp == 0x2019;
}

/* The words before byte pos, the last first, over blanks and hyphens; any other sign ends them.
 */
static void words_before(struct sv text, size_t pos, size_t max, struct words *w)
{
    size_t stop = pos > BYTES_MAX ? utf8_floor(text, pos - BYTES_MAX) : 0;
    size_t end = pos;
    w->n = 0;
    while (w->n < max) {
        size_t gap = end;
        while (end > stop) { /* at most one blank or hyphen, or a torn line */
            uint32_t cp = utf8_before(text, end);
            if (!utf8_is_space(cp) && cp != '-' && cp != 0x2010 && cp != 0x2013 && cp != '/')
                break;
            end -= cp < 0x80 ? 1 : cp < 0x800 ? 2 : 3;
        }
        if (gap - end > 4)
            return;
        size_t start = end;
        while (start > stop && is_word_cp(utf8_before(text, start)))
            start = utf8_floor(text, start - 1);
        if (start == end)
            return;
        w->items[w->n++] = sv_from_to(text, start, end);
        end = start;
    }
}

/* "of", "the": a short form may leave them out. */
static bool is_small(struct sv word)
{
    static const char *const small[] = { "of",  "the",  "and", "in", "on", "for", "to", "de",
                                         "del", "with", "by",  "a",  "at", "la",  "or", "du" };
    return VOCAB_AMONG(word, small);
}

/* "first", "II", "two" for a digit. */
static bool is_number_word(struct sv word, char digit)
{
    static const char *const numbers[][3] = {
        { "one", "first", "I" },    { "two", "second", "II" }, { "three", "third", "III" },
        { "four", "fourth", "IV" }, { "five", "fifth", "V" },
    };
    if (digit < '1' || digit > '5')
        return false;
    const char *const *n = numbers[digit - '1'];
    return vocab_word_is(word, n[0]) || vocab_word_is(word, n[1]) || sv_is(word, n[2]);
}

/* ---- word by word ---- */

/* Does form, from byte `at`, take its letters from the starts of words n-1 … 0? The first word
 * must give one; others may not only when they are small. */
static bool takes(struct sv form, size_t at, const struct words *w, size_t n, bool is_first)
{
    while (at < form.n) {
        size_t next = at;
        if (!is_sign(utf8_next(form, &next)))
            break;
        at = next;
    }
    if (n == 0)
        return at == form.n;
    struct sv word = w->items[n - 1];
    if (!is_first && is_small(word) && takes(form, at, w, n - 1, false))
        return true;
    if (at < form.n && is_number_word(word, form.p[at]) && takes(form, at + 1, w, n - 1, false))
        return true;
    for (size_t i = 0; i < word.n && at < form.n;) {
        if (!same_letter(utf8_next(form, &at), utf8_next(word, &i)))
            return false;
        if (takes(form, at, w, n - 1, false))
            return true;
    }
    return false;
}

/* How many words, from the last back, give the form their first letters; 0: none do. "Second-
 * generation pyrite (Py2)": a digit at the end may be one of the words before. */
static size_t align_words(struct sv form, const struct words *w)
{
    for (size_t n = 1; n <= w->n; n++)
        if (!is_small(w->items[n - 1]) && takes(form, 0, w, n, true))
            return n;
    char last = form.p[form.n - 1];
    form.n--;
    for (size_t n = 1; last >= '1' && last <= '5' && n < w->n; n++)
        for (size_t k = n; k < w->n && takes(form, 0, w, n, true); k++)
            if (is_number_word(w->items[k], last))
                return k + 1;
    return 0;
}

/* ---- letter by letter ---- */

/* Start of the shortest long form in text[from, end), or SIZE_MAX. */
static size_t align_letters(struct sv form, struct sv text, size_t from, size_t end)
{
    size_t at = end;
    for (size_t s = form.n; s > 0;) {
        uint32_t want = utf8_before(form, s);
        s = utf8_floor(form, s - 1);
        if (is_sign(want))
            continue;
        for (;;) {
            if (at <= from)
                return SIZE_MAX;
            uint32_t here = utf8_before(text, at);
            at = utf8_floor(text, at - 1);
            bool opens = at == 0 || !is_word_cp(utf8_before(text, at));
            if (same_letter(want, here) && (s > 0 || opens))
                break;
        }
    }
    return at;
}

/* ---- what stands in a bracket ---- */

/* Two to ten letters, digits and joints, opened by a capital, a digit or a Greek letter, one
 * capital at least. */
static bool is_form(struct sv s)
{
    unsigned n = 0, capitals = 0;
    for (size_t i = 0; i < s.n;) {
        uint32_t cp = utf8_next(s, &i);
        bool is_greek = cp >= 0x391 && cp <= 0x3c9;
        bool fits =
            (cp < 0x80 && scan_is_alnum((char)cp)) || is_greek || (is_sign(cp) && n > 0);
        if (!fits || (n == 0 && cp >= 'a' && cp <= 'z'))
            return false;
        n++;
        capitals += cp >= 'A' && cp <= 'Z';
    }
    return s.n < ABBREV_MAX && n >= 2 && n <= 10 && capitals > 0 && scan_is_alnum(s.p[s.n - 1]);
}

/* Units in brackets say what a number is, "age (Ma)"; numerals count. */
static bool is_unit_or_number(struct sv s)
{
    static const char *const units[] = { "Ma",  "Ga",   "Myr", "Gyr", "Pa",  "MPa", "GPa",
                                         "Hz",  "II",   "III", "IV",  "VI",  "VII", "Bq",
                                         "Fig", "Figs", "Eq",  "Ref", "Tab", "Mt",  "Gt",
                                         "Tg",  "Pg",   "Gg",  "MHz", "GHz", "keV", "MeV",
                                         "kV",  "Ka",   "Kyr" };
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (s.p[0] == units[i][0] && sv_is(s, units[i]))
            return true;
    return false;
}

/* "MORBs": behind a capital. */
static struct sv without_s(struct sv form)
{
    if (form.n > 2 && form.p[form.n - 1] == 's' && scan_is_upper(form.p[form.n - 2]))
        form.n--;
    return form;
}

static bool skip_word(struct sv *s, const char *word)
{
    if (!s->n || (s->p[0] | 32) != (word[0] | 32))
        return false;
    struct sv w = sv_from(word);
    if (s->n < w.n || !sv_ieq(sv_from_to(*s, 0, w.n), w))
        return false;
    size_t at = w.n;
    if (at < s->n && s->p[at] != ' ' && s->p[at] != ',' && s->p[at] != ':')
        return false;
    while (at < s->n && (s->p[at] == ' ' || s->p[at] == ',' || s->p[at] == ':'))
        at++;
    *s = sv_from_to(*s, at, s->n);
    return true;
}

/* Over "hereafter referred to as the"; were there such words? */
static bool skip_openers(struct sv *s)
{
    static const char *const openers[] = {
        "hereafter", "hereinafter", "henceforth",  "herein", "here", "abbreviated", "abbr.",
        "termed",    "called",      "referred to", "as",     "to",   "denoted",     "named",
        "further",   "below",       "thereafter",  "the",    "\"",   "'",
    };
    bool has_any = false, goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (size_t i = 0; i < ARRAY_LEN(openers); i++)
            goes_on |= skip_word(s, openers[i]);
        has_any |= goes_on;
    }
    return has_any;
}

static const char *const quotes[] = { "\"",           "'",
                                      "\xe2\x80\x9c", "\xe2\x80\x9d",
                                      "\xe2\x80\x98", "\xe2\x80\x99" };

/* Bytes of a quote that ends at pos. */
static size_t quote_before(struct sv text, size_t pos)
{
    for (size_t i = 0; i < ARRAY_LEN(quotes); i++)
        if (sv_ends(sv_from_to(text, 0, pos), sv_from(quotes[i])))
            return strlen(quotes[i]);
    return 0;
}

static struct sv without_quotes(struct sv s)
{
    for (size_t i = 0; i < ARRAY_LEN(quotes); i++) {
        struct sv q = sv_from(quotes[i]);
        if (sv_starts(s, q))
            s = sv_from_to(s, q.n, s.n);
        if (sv_ends(s, q))
            s.n -= q.n;
    }
    return s;
}

/* The bracket's content up to its first comma or semicolon; "" when there is no end near. */
static struct sv content_of(struct sv text, size_t pos)
{
    size_t end = pos + 1;
    while (
        end < text.n && end - pos < BYTES_MAX &&
        (scan_is_alnum(text.p[end]) || text.p[end] == ' ' || !strchr("(),;[]\n", text.p[end])))
        end++;
    bool is_closed = end < text.n && strchr("),;[", text.p[end]) != NULL;
    return is_closed ? sv_trim(sv_from_to(text, pos + 1, end)) : SV_NONE;
}

/* ---- definitions ---- */

static size_t words_max(struct sv form)
{
    size_t n = form.n + 5 < 2 * form.n ? form.n + 5 : 2 * form.n;
    return n < WORDS_MAX ? n : WORDS_MAX;
}

/* "long form (SF)" */
static bool is_behind(struct sv text, size_t pos, struct definition *d)
{
    struct sv s = content_of(text, pos);
    bool is_said = s.n && !scan_is_upper(s.p[0]) && skip_openers(&s);
    static const char *const said[] = { " hereafter", " henceforth" };
    for (size_t i = 0; i < ARRAY_LEN(said); i++)
        if (sv_ends(s, sv_from(said[i]))) {
            s.n -= strlen(said[i]);
            is_said = true;
        }
    d->form = without_s(without_quotes(sv_trim(s)));
    if (!is_form(d->form) || is_unit_or_number(d->form) || pos < 3 || text.p[pos - 1] != ' ')
        return false;
    struct words w;
    size_t end = pos - 1, max = words_max(d->form), n;
    end -= quote_before(text, end); /* "oceanic arc basalt" (OAB) */
    words_before(text, end, max, &w);
    if (w.n == 0)
        return false;
    size_t last = (size_t)(w.items[0].p - text.p) + w.items[0].n;
    d->is_strict = (n = align_words(d->form, &w)) > 0;
    size_t start =
        n ? (size_t)(w.items[n - 1].p - text.p)
          : align_letters(d->form, text, (size_t)(w.items[w.n - 1].p - text.p), last);
    d->name = start == SIZE_MAX ? SV_NONE : sv_from_to(text, start, last);
    if (!d->name.n && is_said) /* the one word is the head of what is meant */
        d->name = sv_from_to(text, (size_t)(w.items[0].p - text.p), last);
    return d->name.n > d->form.n || is_said;
}

/* "SF (long form)" */
static bool is_before(struct sv text, size_t pos, struct definition *d)
{
    struct words w;
    if (pos < 3 || text.p[pos - 1] != ' ')
        return false;
    size_t end = pos - 1, start = end;
    while (start > 0 && end - start < ABBREV_MAX && text.p[start - 1] != ' ' &&
           !strchr("(\n;,", text.p[start - 1]))
        start--;
    d->form = without_s(sv_from_to(text, start, end));
    if (!is_form(d->form) || is_unit_or_number(d->form))
        return false;
    struct sv s = content_of(text, pos);
    if (s.n < 4 || s.n <= d->form.n)
        return false;
    if (skip_word(&s, "the") || skip_word(&s, "i.e."))
        s = sv_trim(s);
    words_before(s, s.n, WORDS_MAX, &w);
    bool is_whole = w.n && w.items[w.n - 1].p == s.p;
    d->name = s;
    d->is_strict = is_whole && align_words(d->form, &w) == w.n;
    return d->is_strict;
}

/* "SF = long form", "SF: long form", "SF—long form" */
static bool is_legend(struct sv text, size_t pos, struct definition *d)
{
    size_t width = (unsigned char)text.p[pos] < 0x80 ? 1 : 3, end = pos, from = pos + width;
    if (end > 0 && text.p[end - 1] == ' ')
        end--;
    if (from < text.n && text.p[from] == ' ')
        from++;
    size_t start = end;
    while (start > 0 && end - start < ABBREV_MAX && scan_is_alnum(text.p[start - 1]))
        start--;
    d->form = sv_from_to(text, start, end);
    bool opens = start == 0 || strchr(" (\n,;:", text.p[start - 1]);
    if (!opens || !is_form(d->form) || is_unit_or_number(d->form))
        return false;
    size_t stop = from;
    while (stop < text.n && stop - from < BYTES_MAX / 2 && !strchr(",;.:()=\n", text.p[stop]) &&
           (unsigned char)text.p[stop] != 0xe2)
        stop++;
    d->name = sv_trim(sv_from_to(text, from, stop));
    d->is_legend = true;
    d->is_strict = true;
    return d->name.n > d->form.n && align_letters(d->form, d->name, 0, d->name.n) == 0;
}

bool definition_at(struct sv text, size_t pos, struct definition *d)
{
    *d = (struct definition){ 0 };
    if (text.p[pos] != '(')
        return is_legend(text, pos, d);
    if (is_behind(text, pos, d))
        return true;
    *d = (struct definition){ 0 };
    return is_before(text, pos, d);
}

bool definition_is_place(struct sv name)
{
    /* which in a running text do not tell a place: "Volcanic Rise", "Study Area" */
    static const char *const heads[] = { "area",     "domain", "fan",   "highlands",
                                         "lowlands", "margin", "plain", "platform",
                                         "region",   "rise",   "suture" };
    size_t at = name.n;
    while (at > 0 && name.p[at - 1] != ' ' && name.p[at - 1] != '-')
        at--;
    struct sv head = sv_from_to(name, at, name.n);
    if (at == 0 || !scan_is_upper(name.p[0]))
        return false;
    return vocab_is_place_noun(head) || VOCAB_AMONG(head, heads);
}
