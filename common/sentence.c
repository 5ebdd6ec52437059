// SPDX-License-Identifier: MIT
/*
 * sentence.c — the rules for the ends of sentences
 *
 * A fast scan finds the bytes that can end a sentence; the slow rules look only there. The scan
 * reads each byte once; the rules look a bounded number of bytes around a stop.
 */
#include "sentence.h"

#include "alloc.h"
#include "map.h"
#include "scan.h"
#include "text_list.h"

/* How strong an abbreviation is: see sentence.h. */
enum strength { NOT_ABBREVIATED, BEFORE_DIGIT, WEAK, STRONG };

static const char *const builtin[] = {
    "=e.g",     "=i.e",    "=cf",       "=viz",    "=vs",    "=fig",    "=figs",   "=eq",
    "=eqs",     "=eqn",    "=eqns",     "=tab",    "=tabs",  "=ref",    "=refs",   "=sect",
    "=chap",    "=suppl",  "=supp",     "=vol",    "=vols",  "=pp",     "=nos",    "=nr",
    "=pl",      "=pls",    "=ca",       "=approx", "=resp",  "=esp",    "=dr",     "=prof",
    "=mr",      "=mrs",    "=st",       "=mt",     "=mts",   "=lat",    "=incl",   "=temp",
    "=conc",    "=dept",   "=univ",     "=eds",    "=subsp", "=ssp",    "=spp",    "=var",
    "=wt",      "=pers",   "=unpubl",   "=n.b",    "=c.f",   "=w.r.t",  "=a.k.a",  "=op.cit",
    "=loc.cit", "al",      "etc",       "sp",      "cv",     "gen",     "int",     "comm",
    "obs",      "dev",     "std",       "rel",     "abs",    "avg",     "calc",    "inst",
    "lab",      "fm",      "gp",        "mbr",     "grp",    "ed",      "aff",     "nov",
    "indet",    "proc",    "trans",     "bull",    "geol",   "geophys", "sci",     "lett",
    "res",      "rev",     "nat",       "acad",    "phys",   "chem",    "mineral", "petrol",
    "contrib",  "geochim", "cosmochim", "phil",    "ser",    "anal",    "ann",     "arch",
    "inc",      "ltd",     "co",        "corp",    "jr",     "sr",      "bros",    "u.s",
    "u.k",      "u.s.a",   "a.m",       "p.m",     "b.p",    "a.d",     "b.c",     "ph.d",
    "m.sc",     "b.sc",    "s.l",       "s.s",     "s.str",  "a.s.l",   "b.s.l",   "m.a.s.l",
    "equiv",    "cal",     "yr",        "yrs",     "hr",     "hrs",     "jan",     "feb",
    "apr",      "jun",     "jul",       "aug",     "sept",   "oct",     "dec",     "+no",
    "+p",       "+sec",    "+app",      "+ch",     "+art",   "+max",    "+min",    "+long",
    "+am",      "+mar",    "+sep",      "+n",      "+c",     "+v",      "+s",      "+def",
    "+ms",
};

/* Words that open sentences, in lower case. */
static const char *const opening[] = {
    "the",          "this",         "these",    "those",     "we",          "in",
    "it",           "however",      "an",       "our",       "for",         "as",
    "at",           "to",           "on",       "if",        "here",        "there",
    "thus",         "therefore",    "although", "though",    "when",        "while",
    "both",         "all",          "such",     "by",        "from",        "with",
    "after",        "since",        "because",  "moreover",  "furthermore", "finally",
    "first",        "second",       "third",    "results",   "based",       "using",
    "given",        "they",         "its",      "their",     "some",        "many",
    "most",         "each",         "one",      "two",       "no",          "not",
    "nevertheless", "nonetheless",  "overall",  "similarly", "conversely",  "consequently",
    "hence",        "additionally", "recent",   "recently",  "previous",    "several",
    "another",      "other",        "under",    "within",    "during",      "despite",
    "due",          "according",    "further",  "even",      "also",        "then",
    "where",        "what",         "which",    "why",       "how",         "can",
    "do",           "does",         "is",       "are",
};

struct splitter {
    struct map *words;       /* abbreviations, lower case, without the last stop */
    unsigned char *strength; /* enum strength by ordinal */
    bool *is_capital;        /* by ordinal: only with a capital ("Sediment. Geol.") */
    struct map *openers;
};

#define TOKEN_MAX 24      /* bytes of the longest abbreviation or opening looked up */
#define REFERENCE_MAX 160 /* bytes of a reference after a stop */

/* ---- creation ---- */

/* Lower-case ASCII copy of a short token; false when it is too long. */
static bool lower_token(struct sv s, char out[TOKEN_MAX], struct sv *low)
{
    if (s.n == 0 || s.n > TOKEN_MAX)
        return false;
    for (size_t i = 0; i < s.n; i++)
        out[i] = scan_is_upper((unsigned char)s.p[i]) ? (char)(s.p[i] + 32) : s.p[i];
    *low = (struct sv){ out, s.n };
    return true;
}

/* One line of the list; of "=et al." the last word, "al", is kept. */
static void add_word(struct splitter *s, struct sv line)
{
    char tmp[TOKEN_MAX];
    enum strength strength = line.p[0] == '=' ? STRONG : line.p[0] == '+' ? BEFORE_DIGIT : WEAK;
    struct sv word = sv_trim(sv_from_to(line, strength != WEAK, line.n));
    for (size_t i = word.n; i > 0; i--)
        if (word.p[i - 1] == ' ') {
            word = sv_from_to(word, i, word.n);
            break;
        }
    if (sv_ends(word, SV(".")))
        word.n--;
    bool is_capital = word.n && scan_is_upper((unsigned char)word.p[0]);
    if (!lower_token(word, tmp, &word))
        return;
    bool is_new;
    size_t at = map_put(s->words, word, &is_new);
    s->is_capital[at] = is_capital && (is_new || s->is_capital[at]);
    if (is_new || strength != WEAK)
        s->strength[at] = (unsigned char)strength;
}

struct splitter *splitter_new(const char *path, struct err *err)
{
    struct map *list = path ? text_list_load(path, err) : NULL;
    if (path && !list)
        return NULL;
    size_t n = list ? map_count(list) : 0;
    struct splitter *s = alloc_zero(1, sizeof *s);
    s->words = map_new();
    s->openers = map_new();
    s->strength = alloc_zero(ARRAY_LEN(builtin) + n, 1);
    s->is_capital = alloc_zero(ARRAY_LEN(builtin) + n, sizeof *s->is_capital);
    for (size_t i = 0; i < ARRAY_LEN(builtin); i++)
        add_word(s, sv_from(builtin[i]));
    for (size_t i = 0; i < n; i++)
        add_word(s, map_key(list, i));
    for (size_t i = 0; i < ARRAY_LEN(opening); i++)
        map_put(s->openers, sv_from(opening[i]), NULL);
    map_free(list);
    return s;
}

void splitter_free(struct splitter *s)
{
    if (!s)
        return;
    map_free(s->words);
    map_free(s->openers);
    free(s->strength);
    free(s->is_capital);
    free(s);
}

/* ---- what stands around a stop ---- */

static enum scan_class class_at(struct sv t, size_t i)
{
    return i < t.n ? scan_next(t, &i) : SCAN_SPACE;
}

/* First byte at or after i that is no white space; *lines: line ends passed. */
static size_t skip_space(struct sv t, size_t i, unsigned *lines)
{
    *lines = 0;
    while (i < t.n) {
        size_t next = i;
        if (scan_next(t, &next) != SCAN_SPACE)
            break;
        *lines += t.p[i] == '\n';
        i = next;
    }
    return i;
}

/* Length of the stop at byte i (. ! ? … and the full-width ones), or 0. *wide: needs no blank
 * after it. */
static size_t stop_at(struct sv t, size_t i, bool *wide)
{
    struct sv s = sv_from_to(t, i, i + 3);
    *wide = false;
    if (s.n && (s.p[0] == '.' || s.p[0] == '!' || s.p[0] == '?'))
        return 1;
    if (sv_is(s, "\xE2\x80\xA6"))
        return 3;
    *wide = sv_is(s, "\xE3\x80\x82") || sv_is(s, "\xEF\xBC\x81") || sv_is(s, "\xEF\xBC\x9F");
    return *wide ? 3 : 0;
}

/* Length of the closing quote or bracket at byte i, or 0. */
static size_t closer_at(struct sv t, size_t i)
{
    static const char *const closers[] = { "\xE2\x80\x9D", "\xE2\x80\x99", "\xC2\xBB",
                                           "\xE3\x80\x8D", "\xEF\xBC\x89" };
    unsigned char c = scan_byte(t, i);
    if (c && c < 0x80)
        return strchr(")]}\"'", c) != NULL;
    for (size_t k = 0; c && k < ARRAY_LEN(closers); k++)
        if (sv_starts(sv_from_to(t, i, t.n), sv_from(closers[k])))
            return strlen(closers[k]);
    return 0;
}

static size_t skip_closers(struct sv t, size_t i)
{
    for (size_t n; (n = closer_at(t, i)) != 0;)
        i += n;
    return i;
}

/* Reference numbers glued to the stop: "values.12,13" or "values.¹²". Returns their end. */
static size_t skip_numbers(struct sv t, size_t i, size_t stop)
{
    bool after_letter = stop && !scan_is_digit((unsigned char)t.p[stop - 1]);
    size_t from = i;
    while (i < t.n && i - from < 24) {
        size_t next = i;
        uint32_t cp = utf8_next(t, &next);
        bool separator = i > from && (cp == ',' || cp == '-' || cp == 0x2013 || cp == 0x207B);
        if (!(utf8_digit_value(cp) >= 0 && (cp > 0x7F || after_letter)) && !separator)
            break;
        i = next;
    }
    return i;
}

/* "[12]" or "[3, 4-6]" at byte i: its end, or i. */
static size_t skip_numbered(struct sv t, size_t i)
{
    size_t k = i + 1;
    if (scan_byte(t, i) != '[' || !scan_is_digit(scan_byte(t, k)))
        return i;
    while (k < t.n && k - i < REFERENCE_MAX &&
           (memchr("0123456789,;- ", t.p[k], 14) || (unsigned char)t.p[k] >= 0x80))
        k++;
    return scan_byte(t, k) == ']' ? k + 1 : i;
}

/* "(Smith, 2001)." at byte i, stop included: its end, or i. */
static size_t skip_named(struct sv t, size_t i)
{
    unsigned digits = 0;
    bool year = false;
    if (scan_byte(t, i) != '(')
        return i;
    for (size_t k = i + 1; k < t.n && k - i < REFERENCE_MAX; k++) {
        if (t.p[k] == ')')
            return year && scan_byte(t, k + 1) == '.' ? k + 2 : i;
        if (t.p[k] == '(' || t.p[k] == '\n')
            break;
        digits = scan_is_digit((unsigned char)t.p[k]) ? digits + 1 : 0;
        year |= digits == 4;
    }
    return i;
}

/* A reference that stands alone after the stop that ended at `end`: "values. [12] The". */
static size_t skip_reference(struct sv t, size_t end)
{
    unsigned lines;
    size_t at = skip_space(t, end, &lines), to = skip_numbered(t, at);
    if (lines > 1 || at == end)
        return end;
    if (to == at)
        to = skip_named(t, at);
    if (to == at)
        return end;
    to += scan_byte(t, to) == '.' && t.p[to - 1] == ']';
    enum scan_class next = class_at(t, skip_space(t, to, &lines));
    return class_at(t, to) == SCAN_SPACE && next != SCAN_LOWER ? to : end;
}

/* ---- decisions ---- */

/* Is the word at byte i one that opens sentences, with a capital? */
static bool opens(const struct splitter *s, struct sv t, size_t i)
{
    char tmp[TOKEN_MAX];
    struct sv word;
    size_t k = i;
    if (!scan_is_upper(scan_byte(t, i)))
        return false;
    while (k < t.n && k - i <= TOKEN_MAX &&
           (scan_is_lower((unsigned char)t.p[k]) || scan_is_upper((unsigned char)t.p[k])))
        k++;
    return scan_byte(t, k) != '.' && lower_token(sv_from_to(t, i, k), tmp, &word) &&
           map_get(s->openers, word) != MAP_NONE;
}

/* May a sentence begin at byte i? Capitals, digits, opening marks, Greek letters; pH and d18O,
 * but no lower-case word. */
static bool can_begin(struct sv t, size_t i)
{
    unsigned char c = scan_byte(t, i);
    enum scan_class cls = class_at(t, i);
    if (cls == SCAN_LOWER && c < 0x80)
        return scan_is_upper(scan_byte(t, i + 1)) || scan_is_digit(scan_byte(t, i + 1));
    if (cls != SCAN_PUNCT)
        return cls != SCAN_LOWER || c == 0xCE || c == 0xCF;
    return (c && strchr("([{\"'<$\\~#*+-", c)) || c >= 0x80;
}

/* The letters and stops before the stop at byte i: "e.g", "Fig", "J". */
static struct sv token_before(struct sv t, size_t from, size_t i)
{
    size_t k = i;
    while (k > from && i - k <= TOKEN_MAX) {
        unsigned char c = (unsigned char)t.p[k - 1];
        if (!scan_is_lower(c) && !scan_is_upper(c) && c != '.' && c < 0x80)
            break;
        k--;
    }
    while (k < i && t.p[k] == '.')
        k++;
    return sv_from_to(t, k, i);
}

/* Is everything from the start to the stop only a number or letter: "2.1", "A", "iv"? */
static bool is_enumeration(struct sv t, size_t from, size_t i)
{
    struct sv s = sv_from_to(t, from, i);
    if (s.n == 0 || s.n > 6)
        return false;
    if (s.n == 1)
        return true;
    for (size_t k = 0; k < s.n; k++)
        if (!memchr("0123456789.(ivxIVX", s.p[k], 18))
            return false;
    return true;
}

/* Is a capital at byte i the last of a formula or label ("H2O", "H 2 O", "GX-1A"), and
 * so no initial? */
static bool ends_formula(struct sv t, size_t from, size_t i)
{
    if (i > from && t.p[i - 1] != ' ')
        return scan_is_digit((unsigned char)t.p[i - 1]);
    return i >= from + 2 && t.p[i] == 'O' && scan_is_digit((unsigned char)t.p[i - 2]);
}

static enum strength strength_of(const struct splitter *s, struct sv token)
{
    char tmp[TOKEN_MAX];
    struct sv low;
    if (sv_is(token, "Al") || !lower_token(token, tmp, &low)) /* aluminium is not "et al." */
        return NOT_ABBREVIATED;
    size_t at = map_get(s->words, low);
    if (at != MAP_NONE && s->is_capital[at] && !scan_is_upper((unsigned char)token.p[0]))
        return NOT_ABBREVIATED;
    if (at != MAP_NONE)
        return (enum strength)s->strength[at];
    if (memchr(token.p, '.', token.n))
        return token.n <= 8 && token.p[1] == '.' ? WEAK : NOT_ABBREVIATED;
    return token.n == 1 && scan_is_upper((unsigned char)token.p[0]) ? WEAK : NOT_ABBREVIATED;
}

/* Does the full stop at byte i belong to an abbreviation, given that text goes on at next? */
static bool is_abbreviation(const struct splitter *s, struct sv t, size_t from, size_t i,
                            size_t next)
{
    struct sv token = token_before(t, from, i);
    if (token.n == 1 && ends_formula(t, from, i - 1))
        return false;
    switch (token.n ? strength_of(s, token) : NOT_ABBREVIATED) {
    case STRONG:
        return true;
    case WEAK:
        return !opens(s, t, next);
    case BEFORE_DIGIT:
        return class_at(t, next) == SCAN_DIGIT;
    default:
        return is_enumeration(t, from, i);
    }
}

/* "measured.The": a lost blank. */
static bool is_glued_end(const struct splitter *s, struct sv t, size_t i, size_t end)
{
    return i >= 3 && scan_is_lower((unsigned char)t.p[i - 1]) &&
           scan_is_lower((unsigned char)t.p[i - 2]) &&
           scan_is_lower((unsigned char)t.p[i - 3]) && opens(s, t, end);
}

/*
 * The stop at byte *at, of a sentence that began at `from`: the end of the sentence, or 0; then
 * the scan goes on at *at.
 */
static size_t end_at(const struct splitter *s, struct sv t, size_t from, size_t *at)
{
    bool wide, w, single = t.p[*at] == '.';
    size_t i = *at, end = i + stop_at(t, i, &wide);
    unsigned lines;
    for (size_t n; (n = stop_at(t, end, &w)) != 0; end += n) {
        single = false;
        wide |= w;
    }
    *at = end;
    size_t closed = skip_closers(t, end), glued = skip_numbers(t, closed, i);
    size_t next = skip_space(t, glued, &lines);
    if (next >= t.n || lines > 1)
        return glued;
    if (wide)
        return closed;
    if (single && next == end && is_glued_end(s, t, i, end))
        return end;
    if (next == glued || !can_begin(t, next) ||
        (single && is_abbreviation(s, t, from, i, next)) ||
        (glued > closed && class_at(t, next) != SCAN_UPPER))
        return 0;
    return skip_reference(t, glued);
}

/* Is there an empty line at the line end at byte i? */
static bool is_paragraph(struct sv t, size_t i)
{
    do
        i++;
    while (i < t.n && (t.p[i] == ' ' || t.p[i] == '\t' || t.p[i] == '\r'));
    return scan_byte(t, i) == '\n';
}

/* Bytes at which something may end: stops, line ends, first bytes of … 。 ！ ？. */
static const unsigned char may_end[256] = {
    ['.'] = 1, ['!'] = 1, ['?'] = 1, ['\n'] = 1, [0xE2] = 1, [0xE3] = 1, [0xEF] = 1,
};

/* End of the sentence that begins at `from`; blanks before an empty line may be in it. */
static size_t find_end(const struct splitter *s, struct sv t, size_t from)
{
    size_t i = from;
    const unsigned char *p = (const unsigned char *)t.p;
    while (i < t.n) {
        bool wide;
        size_t end;
        while (i + 4 <= t.n &&
               !(may_end[p[i]] | may_end[p[i + 1]] | may_end[p[i + 2]] | may_end[p[i + 3]]))
            i += 4;
        if (i == t.n)
            break;
        if (!may_end[p[i]]) {
            i++;
        } else if (t.p[i] == '\n') {
            if (is_paragraph(t, i))
                return i;
            i++;
        } else if (!stop_at(t, i, &wide)) {
            i++;
        } else if ((end = end_at(s, t, from, &i)) != 0) {
            return end;
        }
    }
    return t.n;
}

bool sentence_next(const struct splitter *s, struct sv text, size_t *pos, struct sentence *out)
{
    unsigned lines;
    size_t start = skip_space(text, *pos, &lines);
    if (start >= text.n) {
        *pos = text.n;
        return false;
    }
    size_t end = find_end(s, text, start);
    *pos = skip_space(text, end, &lines);
    while (end > start) {
        size_t last = utf8_floor(text, end - 1);
        if (last < start || class_at(text, last) != SCAN_SPACE)
            break;
        end = last;
    }
    *out = (struct sentence){ start, end };
    return true;
}

size_t sentence_count(const struct splitter *s, struct sv text)
{
    struct sentence one;
    size_t n = 0;
    for (size_t pos = 0; sentence_next(s, text, &pos, &one);)
        n++;
    return n;
}
