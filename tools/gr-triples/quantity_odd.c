// SPDX-License-Identifier: MIT
/*
 * quantity_odd.c — ratios ("10:1") and numbers with letters for digits ("1O ppm", "l0 ppm")
 */
#include <math.h>

#include "quantity_impl.h"
#include "utf8.h"

/* Digits with an optional point at *pos: their value, or NAN. */
static double read_side(struct sv s, size_t *pos)
{
    struct number n;
    size_t at = *pos;
    if (!quantity_is_digit(s, at) || !quantity_number_unsigned(s, &at, false, &n) ||
        n.has_power || !isnan(n.compact_error))
        return NAN;
    *pos = at;
    return n.value;
}

/* "ratio", "mixed", "diluted" … among the letters of the line before byte pos? */
static bool is_told(struct sv s, size_t pos)
{
    static const char *const words[] = { "ratio",       "ratios",    "mixed", "mixture",
                                         "diluted",     "dilution",  "scale", "slope",
                                         "proportions", "proportion" };
    for (unsigned n = 0; n < 4; n++) {
        struct sv word = quantity_word_before(s, pos);
        if (!word.n)
            return false;
        if (VOCAB_AMONG(word, words))
            return true;
        pos = (size_t)(word.p - s.p);
    }
    return false;
}

bool quantity_read_ratio(struct sv s, size_t pos, struct quantity *q)
{
    size_t at = pos;
    uint32_t cp = pos ? utf8_before(s, pos) : ' ';
    if (utf8_is_letter(cp) || utf8_is_digit(cp) || strchr(":./-_[", cp < 0x80 ? (int)cp : ' '))
        return false;
    double a = read_side(s, &at);
    if (isnan(a) || at >= s.n || s.p[at] != ':')
        return false;
    at++;
    double b = read_side(s, &at);
    bool is_more =
        at < s.n && (strchr(":-/", s.p[at]) || utf8_is_letter(utf8_next(s, &(size_t){ at })));
    if (isnan(b) || !(b > 0) || is_more)
        return false;
    bool has_one = (a < 1.5 && a > 0.5) || (b < 1.5 && b > 0.5);
    if (!is_told(s, pos) && !(has_one && s.p[at - 1] != ':'))
        return false;
    *q = quantity_none(pos);
    q->low = a / b;
    q->end = at;
    return isfinite(q->low);
}

static bool is_smudge(char c)
{
    return c == 'l' || c == 'I' || c == 'O' || c == 'o';
}

/* A letter of a number that was read by a machine; the unit behind tells that it is one. */
bool quantity_read_smudged(const struct units *u, struct sv s, size_t pos, struct quantity *q)
{
    size_t start = pos, end = pos;
    while (start > 0 && pos - start < 3 && (s.p[start - 1] == 'l' || s.p[start - 1] == 'I'))
        start--;
    size_t letters = pos - start;
    while (end < s.n && end < start + 6 && (quantity_is_digit(s, end) || is_smudge(s.p[end])))
        letters += !quantity_is_digit(s, end++);
    uint32_t before = start ? utf8_before(s, start) : ' ';
    if (!letters || letters > 2 || end >= s.n || s.p[end] != ' ' ||
        (before != ' ' && before != '\n' && before != '('))
        return false;
    size_t after = end + 1;
    *q = quantity_none(start);
    q->unit = units_match(u, s, end + 1, &after);
    if (q->unit == UNIT_NONE || after < end + 3)
        return false; /* one letter is no proof */
    q->end = after;
    q->is_vague = true;
    q->warn = "a letter stands for a digit";
    return true;
}
