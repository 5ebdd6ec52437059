// SPDX-License-Identifier: MIT
/*
 * quantity_word.c — numbers in words: "three", "twenty-five", "a few million years"
 */
#include <math.h>

#include "quantity_impl.h"

enum word_kind { ONES, TENS, SCALE, MANY, FEW, HALF, PART };

static const struct number_word {
    const char *text;
    enum word_kind kind;
    double value;
} number_words[] = {
    { "zero", ONES, 0 },         { "one", ONES, 1 },         { "two", ONES, 2 },
    { "three", ONES, 3 },        { "four", ONES, 4 },        { "five", ONES, 5 },
    { "six", ONES, 6 },          { "seven", ONES, 7 },       { "eight", ONES, 8 },
    { "nine", ONES, 9 },         { "ten", ONES, 10 },        { "eleven", ONES, 11 },
    { "twelve", ONES, 12 },      { "thirteen", ONES, 13 },   { "fourteen", ONES, 14 },
    { "fifteen", ONES, 15 },     { "sixteen", ONES, 16 },    { "seventeen", ONES, 17 },
    { "eighteen", ONES, 18 },    { "nineteen", ONES, 19 },   { "twenty", TENS, 20 },
    { "thirty", TENS, 30 },      { "forty", TENS, 40 },      { "fifty", TENS, 50 },
    { "sixty", TENS, 60 },       { "seventy", TENS, 70 },    { "eighty", TENS, 80 },
    { "ninety", TENS, 90 },      { "dozen", SCALE, 12 },     { "hundred", SCALE, 100 },
    { "thousand", SCALE, 1e3 },  { "million", SCALE, 1e6 },  { "billion", SCALE, 1e9 },
    { "trillion", SCALE, 1e12 }, { "tens", MANY, 10 },       { "dozens", MANY, 12 },
    { "hundreds", MANY, 100 },   { "thousands", MANY, 1e3 }, { "millions", MANY, 1e6 },
    { "billions", MANY, 1e9 },   { "tenths", MANY, 0.1 },    { "few", FEW, 0 },
    { "several", FEW, 0 },       { "half", HALF, 0.5 },      { "third", PART, 3 },
    { "thirds", PART, 3 },       { "quarter", PART, 4 },     { "quarters", PART, 4 },
    { "fifth", PART, 5 },        { "fifths", PART, 5 },
};

static size_t letters_end(struct sv s, size_t pos)
{
    while (pos < s.n && (s.p[pos] | 32) >= 'a' && (s.p[pos] | 32) <= 'z')
        pos++;
    return pos;
}

/* The number word at pos, or NULL; *end: after it. */
static const struct number_word *word_at(struct sv s, size_t pos, size_t *end)
{
    *end = letters_end(s, pos);
    size_t n = *end - pos;
    if (n < 3 || n > 9)
        return NULL;
    struct sv word = sv_from_to(s, pos, *end);
    for (size_t i = 0; i < ARRAY_LEN(number_words); i++)
        if ((word.p[0] | 32) == number_words[i].text[0] &&
            (word.p[1] | 32) == number_words[i].text[1] &&
            vocab_word_is(word, number_words[i].text))
            return &number_words[i];
    return NULL;
}

static bool is_gap(char c)
{
    return c == ' ' || c == '-' || c == '\n';
}

/* Words that go on with a number: "hundred" of "two hundred", "five" of "twenty-five". */
static const struct number_word *next_word(struct sv s, size_t pos, size_t *end)
{
    if (pos >= s.n || !is_gap(s.p[pos]))
        return NULL;
    pos++;
    if (sv_starts(sv_from_to(s, pos, s.n), SV("and ")))
        pos += 4;
    return word_at(s, pos, end);
}

double quantity_scale(struct sv s, size_t *pos)
{
    size_t end;
    const struct number_word *w = next_word(s, *pos, &end);
    if (!w || w->kind != SCALE)
        return 1;
    *pos = end;
    return w->value;
}

/* "two hundred and five", "twenty-five", "a third": its value; *pos: after it. */
static double read_value(const struct units *u, struct sv s, size_t *pos,
                         const struct number_word *w)
{
    double total = 0, part = w->kind == SCALE ? w->value : 0;
    size_t end = *pos;
    if (w->kind == ONES || w->kind == TENS)
        part = w->value;
    for (const struct number_word *last = w, *next; (next = next_word(s, *pos, &end));
         last = next) {
        bool is_and = end - *pos > strlen(next->text) + 1;
        size_t probe = *pos;
        struct sv unit;
        if (next->kind == SCALE && quantity_read_unit(u, s, &probe, &unit) != UNIT_NONE)
            break; /* "million years" is a unit */
        if (next->kind == SCALE && !is_and) {
            part *= next->value;
            if (next->value >= 1000) {
                total += part;
                part = 0;
            }
        } else if (next->kind == HALF && !is_and && last->value > 0.5 && last->value < 1.5) {
            part *= 0.5; /* "one-half" */
        } else if (next->kind == PART && !is_and && last->kind == ONES) {
            part /= next->value;
        } else if (next->kind == ONES && ((last->kind == TENS && next->value < 10 && !is_and) ||
                                          (last->kind == SCALE && is_and))) {
            part += next->value;
        } else if (next->kind == TENS && last->kind == SCALE && is_and) {
            part += next->value;
        } else {
            break;
        }
        *pos = end;
    }
    return total + part;
}

/* " to thousands" behind hundreds. */
static bool starts_many(struct sv s, size_t pos, const char *join)
{
    size_t end;
    if (!sv_starts(sv_from_to(s, pos, s.n), sv_from(join)))
        return false;
    const struct number_word *w = word_at(s, pos + strlen(join), &end);
    return w && w->kind == MANY;
}

/* "several tens of ppm", "hundreds of metres": no number, only a size. */
static bool read_vague(const struct units *u, struct sv s, size_t pos, bool has_size,
                       struct quantity *q)
{
    size_t end, direct = pos;
    q->is_vague = true;
    if (has_size && starts_many(s, pos, " to "))
        pos += 3; /* "hundreds to thousands of years" */
    q->unit = quantity_read_unit(u, s, &direct, &q->unit_text);
    if (q->unit != UNIT_NONE) { /* "a few million years": the unit has its own size */
        q->end = direct;
        return has_size || !sv_is(units_name(u, q->unit), "times"); /* not "several times" */
    }
    for (const struct number_word *w;
         (w = next_word(s, pos, &end)) && (w->kind == MANY || w->kind == SCALE);) {
        pos = end;
        has_size = true;
        struct sv rest = sv_from_to(s, pos, s.n);
        if (sv_starts(rest, SV(" of thousands")) || sv_starts(rest, SV(" of millions")) ||
            starts_many(s, pos, " to ") || starts_many(s, pos, " or "))
            pos += 3;
    }
    size_t after = pos;
    if (sv_starts(sv_from_to(s, pos, s.n), SV(" of ")))
        after = pos + 3;
    if (sv_starts(sv_from_to(s, after, s.n), SV(" a ")))
        after += 2;
    q->unit = quantity_read_unit(u, s, &after, &q->unit_text);
    q->end = q->unit == UNIT_NONE ? pos : after;
    return has_size || q->unit != UNIT_NONE;
}

static bool follows(struct sv s, size_t pos, const char *const list[], size_t n)
{
    struct sv word = sv_from_to(s, pos, letters_end(s, pos));
    return vocab_word_in(word, list, n);
}

/* "half of", "half an hour", "half a million years", but no "half-life". */
static bool read_half(const struct units *u, struct sv s, size_t end, struct quantity *q)
{
    static const char *const nexts[] = { "of", "a", "an", "the", "that", "this", "its" };
    q->low = 0.5;
    q->end = end;
    if (end + 1 >= s.n || s.p[end] != ' ' || !follows(s, end + 1, nexts, ARRAY_LEN(nexts)))
        return false;
    size_t at = letters_end(s, end + 1), unit = at;
    if (s.p[end + 1] != 'a')
        return true;
    q->unit = quantity_read_unit(u, s, &unit, &q->unit_text);
    if (q->unit == UNIT_NONE) {
        double scale = quantity_scale(s, &at);
        q->low *= scale;
        unit = at;
        q->unit = quantity_read_unit(u, s, &unit, &q->unit_text);
        q->end = q->unit != UNIT_NONE ? unit : scale > 1 ? at : end;
    } else {
        q->end = unit;
    }
    return true;
}

/* "an order of magnitude" */
static bool read_order(const struct units *u, struct sv s, size_t pos, struct quantity *q)
{
    struct sv before = quantity_word_before(s, pos);
    bool is_one = before.p + before.n + 1 == s.p + pos &&
                  (vocab_word_is(before, "an") || vocab_word_is(before, "one"));
    if (!is_one || !sv_starts(sv_from_to(s, pos, s.n), SV("order of magnitude")))
        return false;
    q->start = (size_t)(before.p - s.p);
    q->low = 1;
    q->unit = quantity_read_unit(u, s, &pos, &q->unit_text);
    q->end = pos;
    return q->unit != UNIT_NONE;
}

/* "twice", "threefold": how many times. 0: neither. */
static double read_times(struct sv s, size_t pos, size_t *end)
{
    *end = letters_end(s, pos);
    struct sv word = sv_from_to(s, pos, *end);
    if (vocab_word_is(word, "twice"))
        return 2;
    if (word.n < 7 || !vocab_word_is(sv_from_to(word, word.n - 4, word.n), "fold"))
        return 0;
    struct sv stem = sv_from_to(word, 0, word.n - 4);
    for (size_t i = 0; i < ARRAY_LEN(number_words); i++)
        if (number_words[i].kind <= SCALE && vocab_word_is(stem, number_words[i].text))
            return number_words[i].value;
    return 0;
}

/* "to five", "or four", "-four" behind a number in words. */
static void read_end(const struct units *u, struct sv s, size_t *pos, struct quantity *q)
{
    static const char *const joins[] = { " to ", " or ", "-to-", "\xe2\x80\x93", " and " };
    for (size_t i = 0; i < ARRAY_LEN(joins) - (q->is_bare ? 0 : 1); i++) {
        size_t at = *pos, end;
        if (!sv_starts(sv_from_to(s, at, s.n), sv_from(joins[i])))
            continue;
        at += strlen(joins[i]);
        const struct number_word *w = word_at(s, at, &end);
        if (!w || (w->kind != ONES && w->kind != TENS))
            continue;
        double high = read_value(u, s, &end, w);
        if (high <= q->low)
            continue;
        q->high = high;
        *pos = end;
        return;
    }
}

/* Room temperature, ambient pressure: a value everybody knows. */
static bool read_ambient(struct sv s, size_t pos, struct quantity *q)
{
    static const char *const names[] = { "room temperature", "ambient temperature",
                                         "ambient pressure", "atmospheric pressure" };
    struct sv rest = sv_from_to(s, pos, s.n);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t n = strlen(names[i]);
        if (rest.n >= n && vocab_word_is(sv_from_to(rest, 0, n), names[i]) &&
            letters_end(s, pos + n) == pos + n) {
            q->end = pos + n;
            q->is_vague = true;
            return true;
        }
    }
    return false;
}

/* "and a half" behind a number. */
static double half_more(struct sv s, size_t *pos)
{
    if (!sv_starts(sv_from_to(s, *pos, s.n), SV(" and a half")))
        return 0;
    *pos += strlen(" and a half");
    return 0.5;
}

/* A number of words whose first, w, ends at byte `end`. before: the word in front. */
static bool read_number_words(const struct units *u, struct sv s, size_t pos, size_t end,
                              const struct number_word *w, struct sv before, struct quantity *q)
{
    q->low = w->kind == PART ? 1 / w->value : read_value(u, s, &end, w);
    double half = half_more(s, &end);
    q->low = half > 0 ? (q->low + half) * quantity_scale(s, &end) : q->low;
    if (q->low < 1)
        q->low = round(1e4 * q->low) / 1e4; /* a third is 0.3333 */
    q->is_bare = vocab_word_is(before, "between");
    read_end(u, s, &end, q);
    q->end = end;
    q->unit = quantity_read_unit(u, s, &end, &q->unit_text);
    if (q->unit != UNIT_NONE)
        q->end = end;
    bool is_limited = vocab_word_is(before, "least") || vocab_word_is(before, "than");
    bool is_one =
        w->kind == ONES && w->value == 1 && isnan(q->high) && q->end == pos + 3 && !is_limited;
    q->is_bare = false;
    return !is_one && (w->kind != PART || sv_starts(sv_from_to(s, q->end, s.n), SV(" of ")));
}

/* Do the words above begin with these two letters? By far the most words do not. */
static bool may_begin(unsigned char first, unsigned char second)
{
    static const char *const seconds[26] = {
        ['b' - 'a'] = "i",  ['d' - 'a'] = "o",  ['e' - 'a'] = "il",   ['f' - 'a'] = "oie",
        ['h' - 'a'] = "ua", ['m' - 'a'] = "i",  ['n' - 'a'] = "i",    ['o' - 'a'] = "nr",
        ['q' - 'a'] = "u",  ['s' - 'a'] = "ie", ['t' - 'a'] = "wher", ['z' - 'a'] = "e",
    };
    unsigned row = (unsigned)first - 'a';
    return row < 26 && seconds[row] && second && strchr(seconds[row], second);
}

bool quantity_read_word(const struct units *u, struct sv s, size_t pos, struct quantity *q)
{
    size_t end;
    *q = quantity_none(pos);
    unsigned char first = (unsigned char)s.p[pos] | 32;
    if (first == 'r' || first == 'a')
        return read_ambient(s, pos, q);
    if (!may_begin(first, pos + 1 < s.n ? (unsigned char)s.p[pos + 1] | 32 : 0))
        return false;
    const struct number_word *w = word_at(s, pos, &end);
    if (!w && first == 'o')
        return read_order(u, s, pos, q);
    if (!w) {
        q->low = read_times(s, pos, &q->end);
        q->unit = q->low > 0 ? units_named(u, SV("times")) : UNIT_NONE;
        return q->low > 0;
    }
    struct sv before = quantity_word_before(s, pos);
    bool is_near = before.n && before.p + before.n + 1 == s.p + pos;
    bool takes_article =
        w->kind == FEW || w->kind == MANY || w->kind == SCALE || w->kind == PART;
    bool has_article =
        takes_article && is_near && (vocab_word_is(before, "a") || vocab_word_is(before, "an"));
    if (has_article)
        q->start = (size_t)(before.p - s.p);
    if (w->kind == FEW || w->kind == MANY)
        return read_vague(u, s, end, w->kind == MANY, q);
    if (w->kind == HALF)
        return read_half(u, s, end, q);
    if ((w->kind == SCALE || w->kind == PART) && !has_article)
        return false;
    return read_number_words(u, s, pos, end, w, is_near ? before : SV_NONE, q);
}
