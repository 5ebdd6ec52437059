// SPDX-License-Identifier: MIT
/*
 * clean.c — the cleaning pass
 */
#include "clean.h"

#include "alloc.h"
#include "chem.h"
#include "scan.h"
#include "source.h"
#include "utf8.h"

int clean_parse(const char *list, unsigned *steps, struct err *err)
{
    *steps = 0;
    if (strcmp(list, "none") == 0)
        return 0;
    struct sv rest = sv_from(list), word;
    while (sv_cut(&rest, ',', &word)) {
        struct sv names = SV(CLEAN_NAMES), name;
        unsigned found = sv_is(word, "all") ? CLEAN_ALL : 0;
        for (unsigned i = 0; sv_cut(&names, '|', &name); i++)
            if (sv_eq(name, word))
                found = 1u << i;
        if (!found)
            return err_set(err, EXIT_USAGE, "--clean: \"%.*s\" is not all, none or one of %s",
                           SV_ARG(word), CLEAN_NAMES);
        *steps |= found;
    }
    return 0;
}

/* Notation longer than this is not mended; more than a display form's bytes, with room for
 * raised digits of three bytes each. */
#define GAP_FAR 400

/* The pass over one text. */
struct pass {
    struct clean *c;
    struct sv s;
    unsigned steps;
    size_t at;    /* byte */
    uint32_t pos; /* the same place in code points */
};

static void count(struct pass *p, enum clean_step step)
{
    p->c->counts[__builtin_ctz(step)]++;
}

/* The next code point of the text comes from this one of the source. */
static void note_source(struct clean *c, uint32_t source)
{
    const struct clean_off *last = c->n_offs ? &c->offs[c->n_offs - 1] : NULL;
    uint32_t at = (uint32_t)c->n_chars;
    if (last && last->source + (at - last->at) == source)
        return;
    if (c->n_offs == c->cap) {
        c->cap = alloc_grow(c->cap, c->n_offs + 1);
        c->offs = alloc_resize(c->offs, c->cap, sizeof *c->offs);
    }
    c->offs[c->n_offs++] = (struct clean_off){ at, source };
}

static void put(struct pass *p, uint32_t cp, uint32_t source)
{
    note_source(p->c, source);
    p->c->n_chars++;
    utf8_put(&p->c->text, cp);
}

/* Bytes [p->at, end), all ASCII, as they are. */
static void put_plain(struct pass *p, size_t end)
{
    size_t n = end - p->at;
    note_source(p->c, p->pos);
    buf_add(&p->c->text, p->s.p + p->at, n);
    p->c->n_chars += n;
    p->pos += (uint32_t)n;
    p->at = end;
}

static void put_text(struct pass *p, struct sv text, uint32_t source)
{
    for (size_t i = 0; i < text.n;)
        put(p, utf8_next(text, &i), source);
}

/* Step over the bytes up to `end`. */
static void skip_to(struct pass *p, size_t end)
{
    p->pos += (uint32_t)utf8_count(sv_from_to(p->s, p->at, end));
    p->at = end;
}

static bool is_invisible(uint32_t cp)
{
    return (cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r' && cp != '\f' && cp != '\v') ||
           (cp >= 0x7F && cp < 0xA0) || cp == 0xAD || (cp >= 0x200B && cp <= 0x200F) ||
           (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2060 && cp <= 0x2064) || cp == 0xFEFF;
}

/* Zero-width joiners are spelling in Arabic and Indic scripts, and make one sign of several
 * pictures: they stay between such characters. */
static bool is_joiner_of(struct sv s, size_t at, size_t after, uint32_t cp)
{
    if ((cp != 0x200C && cp != 0x200D) || at == 0 || after >= s.n)
        return false;
    uint32_t sides[2] = { utf8_before(s, at), utf8_next(s, &after) };
    for (size_t i = 0; i < 2; i++) {
        uint32_t c = sides[i];
        bool is_script = (c >= 0x600 && c < 0x1100) || (c >= 0x1780 && c < 0x1800) ||
                         (c >= 0xFB50 && c < 0xFDD0) || (c >= 0xFE70 && c < 0xFEFD);
        bool is_picture = c >= 0x1F000 || (c >= 0x2600 && c < 0x27C0) || c == 0xFE0F;
        if (!is_script && !is_picture)
            return false;
    }
    return true;
}

static const char *ligature(uint32_t cp)
{
    static const char *const forms[] = { "ff", "fi", "fl", "ffi", "ffl", "ft", "st" };
    return cp >= 0xFB00 && cp <= 0xFB06 ? forms[cp - 0xFB00] : NULL;
}

/* A hyphen at `at` that ends a line: byte where the next line's text begins, or 0. */
static size_t broken_at(struct sv s, size_t after)
{
    size_t i = after;
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\r'))
        i++;
    if (i >= s.n || s.p[i] != '\n')
        return 0;
    i++;
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
        i++;
    return i < s.n && s.p[i] != '\n' ? i : 0;
}

static struct sv letters_at(struct sv s, size_t from)
{
    size_t end = from;
    for (size_t i = from; i < s.n; end = i)
        if (!utf8_is_letter(utf8_next(s, &i)))
            break;
    return sv_from_to(s, from, end);
}

static bool is_one_of(struct sv word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sv_is(word, list[i]))
            return true;
    return false;
}

/* Is the hyphen before this second half lexical? These ends make a compound of any word; those
 * that also end plain words ("consoli-dated", "knowl-edge") only behind a whole word. */
static bool is_compound_end(struct paper *paper, struct sv first, struct sv second)
{
    static const char *const ends[] = {
        "based",      "bearing", "depleted",   "derived", "dimensional", "dominated",
        "enriched",   "floored", "grained",    "hosted",  "induced",     "normalized",
        "normalised", "poor",    "resolution", "shaped",  "temperature", "toned",
    };
    static const char *const either[] = {
        "age",     "aged", "dated", "edge",   "free",  "grade", "like", "order",
        "related", "rich", "scale", "series", "sided", "sized", "type",
    };
    return is_one_of(second, ends, ARRAY_LEN(ends)) ||
           (is_one_of(second, either, ARRAY_LEN(either)) &&
            (!paper || (first.n > 2 && paper_knows(paper, first))));
}

/* First halves that are words by themselves and hardly ever begin a longer one, but for endings
 * ("hardening", "highly"); and adverbs. */
static bool is_compound_start(struct sv first, struct sv second)
{
    static const char *const starts[] = {
        "closed", "coarse", "cross", "deep",  "double", "first", "five", "four",
        "full",   "half",   "hard",  "high",  "hot",    "large", "long", "low",
        "near",   "remote", "self",  "short", "single", "six",   "slow", "small",
        "then",   "three",  "two",   "well",  "whole",
    };
    if (second.n < 5 || sv_starts(second, SV("en")) || sv_starts(second, SV("ing")) ||
        sv_starts(second, SV("light")))
        return false;
    return is_one_of(first, starts, ARRAY_LEN(starts)) ||
           (first.n > 5 && sv_ends(first, SV("ly")));
}

/* A first half that is no torn word: a single letter ("x-ray", "n-alkane"), a symbol ("Mg",
 * "K"), an acronym ("MORB"), anything with digits. */
static bool is_symbol(struct sv s, struct sv first)
{
    size_t start = (size_t)(first.p - s.p), chars = 0;
    if (start && utf8_is_digit(utf8_before(s, start)))
        return true;
    for (size_t i = 0; i < first.n; chars++)
        if (utf8_is_upper(utf8_next(first, &i)) && chars)
            return true;
    size_t i = 0;
    bool is_capital = first.n && utf8_is_upper(utf8_next(first, &i));
    return chars == 1 || (is_capital && chem_symbol(first) != 0);
}

/* Does the word that goes on to byte `end` belong to an address of the net? */
static bool in_address(struct sv s, size_t end)
{
    size_t start = end;
    while (start && end - start < 200 && (unsigned char)s.p[start - 1] > ' ')
        start--;
    struct sv word = sv_from_to(s, start, end);
    return sv_find(word, SV("://"), 0) != SIZE_MAX ||
           sv_find(word, SV("www."), 0) != SIZE_MAX || memchr(word.p, '@', word.n);
}

static struct sv letters_before(struct sv s, size_t end)
{
    size_t start = end;
    while (start && utf8_is_letter(utf8_before(s, start)))
        start = utf8_floor(s, start - 1);
    return sv_from_to(s, start, end);
}

/* Is it known as one word: a name, or a word of the paper? */
static bool is_whole_known(struct paper *paper, struct sv first, struct sv second)
{
    struct buf b = BUF_INIT;
    buf_sv(&b, first);
    buf_sv(&b, second);
    bool is_known = paper && paper_knows(paper, buf_view(&b));
    buf_release(&b);
    return is_known;
}

/* Has the paper the compound elsewhere, or each half as a word? */
static bool are_words(struct paper *paper, struct sv first, struct sv second)
{
    struct buf b = BUF_INIT;
    buf_sv(&b, first);
    buf_char(&b, '-');
    buf_sv(&b, second);
    bool has =
        paper &&
        (paper_has(paper, buf_view(&b)) ||
         (first.n > 2 && second.n > 2 && paper_has(paper, first) && paper_has(paper, second)));
    buf_release(&b);
    return has;
}

/* Do the halves of a torn word join? When the whole is known; or, both in lower case but for
 * the first letter, unless the hyphen is lexical. s: the text, in which they are. */
static bool halves_join(struct pass *p, struct sv first, struct sv second)
{
    struct paper *paper = p->c->paper;
    size_t i = 0, n = utf8_count(second);
    bool is_capital = second.n && utf8_is_upper(utf8_next(second, &i));
    bool shouts = is_capital && i < second.n && utf8_is_upper(utf8_next(second, &i));
    if (!first.n || n < 2 || shouts || in_address(p->s, p->at))
        return false;
    if (utf8_count(first) > 1 && is_whole_known(paper, first, second))
        return true;
    return !is_capital && !is_symbol(p->s, first) && !is_compound_end(paper, first, second) &&
           !is_compound_start(first, second) && !are_words(paper, first, second);
}

/* "pre- and post-collisional", "Nord- und Süd-": the hyphen stands for a part to come. */
static bool is_conjunction(struct sv word)
{
    static const char *const words[] = { "and", "or", "nor", "to",  "und", "oder",
                                         "bis", "et", "ou",  "en",  "y",   "o",
                                         "e",   "i",  "и",   "или", "och", "og" };
    return is_one_of(word, words, ARRAY_LEN(words));
}

/* "…x-⏎y…": joined, or the hyphen stays without the break. */
static bool mend_hyphen(struct pass *p, uint32_t cp, size_t after)
{
    if ((cp != '-' && cp != 0x2010) || !p->c->n_chars || p->at == 0)
        return false;
    size_t next = broken_at(p->s, after);
    uint32_t before = utf8_before(p->s, p->at);
    if (!next || !(utf8_is_letter(before) || utf8_is_digit(before)))
        return false;
    struct sv second = letters_at(p->s, next);
    if (is_conjunction(second) && next + second.n < p->s.n && p->s.p[next + second.n] == ' ') {
        put(p, cp, p->pos);
        skip_to(p, after); /* the line end becomes a blank */
        put(p, ' ', p->pos);
    } else if (!halves_join(p, letters_before(p->s, p->at), second)) {
        put(p, cp, p->pos);
    }
    count(p, CLEAN_HYPHEN);
    skip_to(p, next);
    return true;
}

/* Can notation with a blank in it start at byte i? What stands behind its first blank goes on
 * with the notation, so it is no lower-case letter; a capital with two small letters behind it
 * begins a word; a word does not start in a word. Cheap, and right when it says no. */
static bool may_have_gap(struct sv s, size_t i)
{
    unsigned char b = (unsigned char)s.p[i];
    if (i && scan_in_word((enum scan_class)scan_ascii[(unsigned char)s.p[i - 1]]))
        return false;
    if (scan_is_upper(b) && scan_is_lower(scan_byte(s, i + 1)) &&
        scan_is_lower(scan_byte(s, i + 2)))
        return false;
    if (b == 0xE2 && scan_byte(s, i + 1) == 0x80) /* dashes and quotes */
        return false;
    size_t most = s.n - i < GAP_FAR ? s.n - i : GAP_FAR;
    const char *gap = memchr(s.p + i, ' ', most);
    if (!gap)
        return false;
    unsigned char next = scan_byte(s, (size_t)(gap - s.p) + 1);
    return next > ' ' && !scan_is_lower(next);
}

/* Chemical notation with gaps gets its display form. */
static bool mend_notation(struct pass *p)
{
    unsigned char b = (unsigned char)p->s.p[p->at];
    bool may_start = scan_is_digit(b) || scan_is_upper(b) || b == '(' || b >= 0xC2;
    struct chem chem;
    if (!may_start || !may_have_gap(p->s, p->at) || !chem_match(p->s, p->at, &chem) ||
        chem.weak || chem.kind == CHEM_SYSTEM)
        return false;
    struct sv seen = sv_from_to(p->s, chem.start, chem.end);
    if (!memchr(seen.p, ' ', seen.n) || memchr(seen.p, '\n', seen.n))
        return false;
    put_text(p, (struct sv){ chem.text, chem.n }, p->pos);
    count(p, CLEAN_NOTATION);
    skip_to(p, chem.end);
    return true;
}

/* How many of this byte the text so far ends with. */
static size_t trailing(const struct pass *p, char c)
{
    const struct buf *b = &p->c->text;
    size_t n = 0;
    while (n < b->len && b->data[b->len - 1 - n] == c)
        n++;
    return n;
}

/* One run of white space: a blank, a line end, or a paragraph break; none at either end. */
static void mend_space(struct pass *p)
{
    size_t i = p->at, end = p->at, breaks = 0, chars = 0;
    while (i < p->s.n) {
        uint32_t cp = utf8_next(p->s, &i);
        if (!utf8_is_space(cp) && !((p->steps & CLEAN_CONTROL) && is_invisible(cp)))
            break;
        breaks += cp == '\n' || cp == 0x2029 ? 1 : cp == '\f' ? 2 : 0;
        chars++;
        end = i;
    }
    if (chars > 1 || (p->s.p[p->at] != ' ' && p->s.p[p->at] != '\n'))
        count(p, CLEAN_SPACE);
    if (p->c->n_chars && end < p->s.n) { /* less what stands before a line left out */
        size_t lines = trailing(p, '\n'), want = lines + breaks > 1 ? 2 : breaks;
        want = breaks ? want : lines;
        if (!want && !lines && !trailing(p, ' '))
            put(p, ' ', p->pos);
        for (; lines < want; lines++)
            put(p, '\n', p->pos);
    }
    skip_to(p, end);
}

/* Bytes that plain_end looks at: all but these are visible ASCII that needs no mending. */
enum look { PASS, STOP, BLANK, HYPHEN, NOTATION };
#define X4(k) k, k, k, k
#define X8(k) X4(k), X4(k)
#define X16(k) X8(k), X8(k)
static const unsigned char looks[256] = {
    X16(STOP),    X16(STOP),     BLANK,        X4(PASS),  PASS,      PASS,      PASS, /* to ' */
    NOTATION,     X4(PASS),      HYPHEN,       PASS,      PASS,                 /* ( to / */
    X8(NOTATION), NOTATION,      NOTATION,     X4(PASS),  PASS,      PASS,      /* 0 to ? */
    PASS,         X16(NOTATION), X8(NOTATION), NOTATION,  NOTATION,             /* @ to Z */
    X4(PASS),     PASS,          X16(PASS),    X8(PASS),  PASS,      PASS,      /* [ to z */
    X4(PASS),     STOP,          X16(STOP),    X16(STOP), X16(STOP), X16(STOP), /* { on */
    X16(STOP),    X16(STOP),     X16(STOP),    X16(STOP),
};

/* End of the plain ASCII that begins at p->at, before `most`: nothing in it needs mending. */
static size_t plain_end(const struct pass *p, size_t most)
{
    struct sv s = p->s;
    for (size_t i = p->at; i < most; i++) {
        enum look look = (enum look)looks[(unsigned char)s.p[i]];
        if (look == PASS)
            continue;
        unsigned char next = scan_byte(s, i + 1);
        if (look == BLANK) {
            if ((p->steps & CLEAN_SPACE) && (next <= ' ' || next >= 0x7F || i == p->at))
                return i;
        } else if (look == HYPHEN) {
            if ((p->steps & CLEAN_HYPHEN) && next <= ' ')
                return i;
        } else if (look == STOP || ((p->steps & CLEAN_NOTATION) && may_have_gap(s, i))) {
            return i;
        }
    }
    return most;
}

static void one_step(struct pass *p)
{
    size_t after = p->at;
    uint32_t cp = utf8_next(p->s, &after);
    if ((p->steps & CLEAN_SPACE) && utf8_is_space(cp)) {
        mend_space(p);
        return;
    }
    if ((p->steps & CLEAN_CONTROL) && is_invisible(cp) &&
        !is_joiner_of(p->s, p->at, after, cp)) {
        count(p, CLEAN_CONTROL);
        skip_to(p, after);
        return;
    }
    if ((p->steps & CLEAN_HYPHEN) && mend_hyphen(p, cp, after))
        return;
    if ((p->steps & CLEAN_NOTATION) && mend_notation(p))
        return;
    const char *form = p->steps & CLEAN_LIGATURE ? ligature(cp) : NULL;
    if (form) {
        put_text(p, sv_from(form), p->pos);
        count(p, CLEAN_LIGATURE);
    } else {
        put(p, cp, p->pos);
    }
    skip_to(p, after);
}

/* The raised or lowered form of a digit or sign, or 0. */
static uint32_t raised(unsigned char c, bool is_up)
{
    static const uint32_t up[] = { 0x2070, 0xB9,   0xB2,   0xB3,   0x2074,
                                   0x2075, 0x2076, 0x2077, 0x2078, 0x2079 };
    if (scan_is_digit(c))
        return is_up ? up[c - '0'] : 0x2080u + c - '0';
    return c == '+' ? (is_up ? 0x207Au : 0x208Au) : c == '-' ? (is_up ? 0x207Bu : 0x208Bu) : 0;
}

/* What a <sup> or <sub> at p->at encloses, when it has a form of its own. */
static void put_raised(struct pass *p, struct sv tag)
{
    bool is_up = sv_starts(tag, SV("<sup"));
    if (!is_up && !sv_starts(tag, SV("<sub")))
        return;
    size_t end = p->at;
    while (raised(scan_byte(p->s, end), is_up))
        end++;
    if (scan_byte(p->s, end) != '<')
        return;
    for (size_t i = p->at; i < end; i++)
        put(p, raised((unsigned char)p->s.p[i], is_up), p->pos + (uint32_t)(i - p->at));
    skip_to(p, end);
}

/* Leave out a range that has no text. */
static void drop(struct pass *p, const struct span *x)
{
    struct sv seen = sv_from_to(p->s, x->from, x->to);
    count(p, (enum clean_step)x->step);
    skip_to(p, x->to);
    if (x->step == CLEAN_MARKUP)
        put_raised(p, seen);
}

static void run_pass(struct pass *p)
{
    const struct furniture *f = &p->c->furniture;
    size_t next = 0;
    while (p->at < p->s.n) {
        for (; next < f->n && f->items[next].from <= p->at; next++)
            if (f->items[next].to > p->at)
                drop(p, &f->items[next]);
        size_t end = plain_end(p, next < f->n ? f->items[next].from : p->s.n);
        if (end > p->at)
            put_plain(p, end);
        else if (p->at < p->s.n && (next == f->n || f->items[next].from > p->at))
            one_step(p);
    }
    while (f->n && (p->steps & CLEAN_SPACE) && trailing(p, ' ') + trailing(p, '\n')) {
        buf_cut(&p->c->text, p->c->text.len - 1); /* before what was left out at the end */
        p->c->n_chars--;
    }
    while (p->c->n_offs && p->c->offs[p->c->n_offs - 1].at >= p->c->n_chars)
        p->c->n_offs--; /* the end gets one of its own */
}

void clean_run(struct clean *c, struct sv original, unsigned steps)
{
    buf_reset(&c->nfc);
    buf_reset(&c->text);
    c->n_chars = c->n_offs = 0;
    utf8_nfc(&c->nfc, original);
    struct pass p = { .c = c, .s = buf_view(&c->nfc), .steps = steps };
    c->furniture.n = 0;
    if (steps & (CLEAN_LINES | CLEAN_MARKUP))
        furniture_find(&c->furniture, p.s, steps, c->paper);
    run_pass(&p);
    note_source(c, p.pos);
    if (!sv_eq(original, buf_view(&c->nfc)))
        source_follow(c, original);
}

size_t clean_source(const struct clean *c, size_t i)
{
    size_t low = 0, high = c->n_offs; /* the last entry at or before i is in [low, high) */
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        *(c->offs[mid].at <= i ? &low : &high) = mid;
    }
    return c->offs[low].source + (i - c->offs[low].at);
}

size_t clean_position(const struct clean *c, size_t source)
{
    size_t low = 0, high = c->n_offs; /* the first entry behind `source` is in (low, high] */
    if (!high || c->offs[0].source > source)
        return 0;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        *(c->offs[mid].source <= source ? &low : &high) = mid;
    }
    /* Of several characters from one of the source, the first: maybe the last in step before.
     */
    while (low &&
           c->offs[low - 1].source + (c->offs[low].at - 1 - c->offs[low - 1].at) >= source)
        low--;
    size_t at = c->offs[low].at + (source - c->offs[low].source);
    size_t stop = low + 1 < c->n_offs ? c->offs[low + 1].at : c->n_chars;
    return at < stop ? at : stop;
}

void clean_release(struct clean *c)
{
    buf_release(&c->text);
    buf_release(&c->nfc);
    furniture_release(&c->furniture);
    free(c->offs);
    *c = (struct clean){ 0 };
}
