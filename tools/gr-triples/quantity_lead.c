// SPDX-License-Identifier: MIT
/*
 * quantity_lead.c — the words before a number that belong to it: "up to", "no more than", "ca."
 */
#include <math.h>

#include "quantity_impl.h"
#include "utf8.h"

#define ANY (-1) /* says nothing of the number */

/* Longer ones before those that they end with. */
#define LEAD(text, op)                                                                         \
    {                                                                                          \
        text, sizeof text - 1, op                                                              \
    }
static const struct lead {
    const char *text;
    size_t n;
    int op; /* enum quantity_op or ANY */
} leads[] = {
    LEAD("approximately", Q_ABOUT),
    LEAD("about", Q_ABOUT),
    LEAD("around", Q_ABOUT),
    LEAD("roughly", Q_ABOUT),
    LEAD("nearly", Q_ABOUT),
    LEAD("almost", Q_ABOUT),
    LEAD("circa", Q_ABOUT),
    LEAD("approx", Q_ABOUT),
    LEAD("ca", Q_ABOUT),
    LEAD("c", Q_ABOUT),
    LEAD("near", Q_ABOUT),
    LEAD("in excess of", Q_MORE),
    LEAD("well over", Q_MORE),
    LEAD("over", Q_MORE),
    LEAD("exceeding", Q_MORE),
    LEAD("exceeds", Q_MORE),
    LEAD("exceed", Q_MORE),
    LEAD("exceeded", Q_MORE),
    LEAD("well above", Q_MORE),
    LEAD("above", Q_MORE),
    LEAD("well below", Q_LESS),
    LEAD("below", Q_LESS),
    LEAD("under", Q_LESS),
    LEAD("within", ANY),
    LEAD("only", ANY),
    LEAD("exactly", ANY),
    LEAD("up to", Q_AT_MOST),
    LEAD("upto", Q_AT_MOST),
    LEAD("down to", Q_AT_LEAST),
    LEAD("at least", Q_AT_LEAST),
    LEAD("at most", Q_AT_MOST),
    LEAD("no less than", Q_AT_LEAST),
    LEAD("not less than", Q_AT_LEAST),
    LEAD("no fewer than", Q_AT_LEAST),
    LEAD("not fewer than", Q_AT_LEAST),
    LEAD("no lower than", Q_AT_LEAST),
    LEAD("not lower than", Q_AT_LEAST),
    LEAD("no more than", Q_AT_MOST),
    LEAD("not more than", Q_AT_MOST),
    LEAD("no higher than", Q_AT_MOST),
    LEAD("not higher than", Q_AT_MOST),
    LEAD("no greater than", Q_AT_MOST),
    LEAD("not greater than", Q_AT_MOST),
    LEAD("no larger than", Q_AT_MOST),
    LEAD("no longer than", Q_AT_MOST),
    LEAD("not longer than", Q_AT_MOST),
    LEAD("no deeper than", Q_AT_MOST),
    LEAD("no older than", Q_AT_MOST),
    LEAD("not older than", Q_AT_MOST),
    LEAD("no younger than", Q_AT_LEAST),
    LEAD("not younger than", Q_AT_LEAST),
    LEAD("less than", Q_LESS),
    LEAD("fewer than", Q_LESS),
    LEAD("lower than", Q_LESS),
    LEAD("smaller than", Q_LESS),
    LEAD("younger than", Q_LESS),
    LEAD("more than", Q_MORE),
    LEAD("greater than", Q_MORE),
    LEAD("higher than", Q_MORE),
    LEAD("larger than", Q_MORE),
    LEAD("older than", Q_MORE),
    LEAD("deeper than", Q_MORE),
    LEAD("longer than", Q_MORE),
    LEAD("as much as", Q_AT_MOST),
    LEAD("as many as", Q_AT_MOST),
    LEAD("as high as", Q_AT_MOST),
    LEAD("as low as", Q_AT_LEAST),
    LEAD("as little as", Q_AT_LEAST),
    LEAD("as few as", Q_AT_LEAST),
    LEAD("a factor of", ANY),
    LEAD("factors of", ANY),
};

/* "±50 °C" is an error by itself. */
static size_t plus_minus_before(struct sv s, size_t start)
{
    size_t at = start;
    if (at > 0 && s.p[at - 1] == ' ')
        at--;
    return at > 1 && utf8_before(s, at) == 0xB1 ? at - 2 : start;
}

/* Does `lead`, n bytes, stand right before byte `end`, as words? */
static bool stands_before(struct sv s, size_t end, const char *lead, size_t n)
{
    return n <= end && (s.p[end - 1] | 32) == lead[n - 1] && (s.p[end - n] | 32) == lead[0] &&
           vocab_word_is(sv_from_to(s, end - n, end), lead) &&
           !(end > n && (utf8_is_letter(utf8_before(s, end - n)) || s.p[end - n - 1] == '-'));
}

/* What a lead says of the number. "over 5 years" lasts as long, "over two orders of magnitude"
 * spans them: no limits. */
static int op_of(const struct units *u, const struct lead *lead, const struct quantity *q)
{
    if (strcmp(lead->text, "over") == 0 &&
        (units_is_time(u, q->unit) || sv_is(units_name(u, q->unit), "orders of magnitude")))
        return ANY;
    return lead->op;
}

/* "under 2 GPa" is at it: no lead. */
static bool is_lead(const struct units *u, const struct lead *lead, const struct quantity *q)
{
    return strcmp(lead->text, "under") != 0 || units_kind(u, q->unit) != UNIT_PRESSURE;
}

/* May the word before byte `end` be the last of a lead, by its first letter and its length?
 * Most are not. */
static bool may_end(struct sv s, size_t end)
{
#define N(n) (1u << (n))
    static const unsigned lengths[26] = {
        ['a' - 'a'] = N(2) | N(5) | N(6) | N(13),
        ['b' - 'a'] = N(5),
        ['c' - 'a'] = N(1) | N(2) | N(5),
        ['e' - 'a'] = N(6) | N(7) | N(8) | N(9),
        ['l' - 'a'] = N(5),
        ['m' - 'a'] = N(4),
        ['n' - 'a'] = N(4) | N(6),
        ['o' - 'a'] = N(2) | N(4),
        ['r' - 'a'] = N(7),
        ['t' - 'a'] = N(2) | N(4),
        ['u' - 'a'] = N(4) | N(5),
        ['w' - 'a'] = N(6),
        ['f' - 'a'] = N(4), /* from */
    };
#undef N
    size_t at = end;
    while (at > 0 && (unsigned char)((s.p[at - 1] | 32) - 'a') < 26)
        at--;
    size_t n = end - at;
    return (n > 0 && n < 14 && lengths[(s.p[at] | 32) - 'a'] >> n & 1) ||
           (n == 7 && (s.p[at] | 32) == 'b'); /* between */
}

/* The lead that ends at byte `end`, or NULL. A dot stood behind it: has_dot. */
static const struct lead *lead_before(const struct units *u, struct sv s, size_t end,
                                      bool has_dot, const struct quantity *q)
{
    for (size_t i = 0; i < ARRAY_LEN(leads); i++) {
        if (!stands_before(s, end, leads[i].text, leads[i].n))
            continue;
        size_t k = leads[i].n;
        bool is_short = k <= 2 || strcmp(leads[i].text, "approx") == 0;
        if ((has_dot && !is_short) || (k == 1 && (!has_dot || s.p[end - 1] != 'c')))
            continue;
        if (is_lead(u, &leads[i], q))
            return &leads[i];
    }
    return NULL;
}

/* "from" and "between" of a range: the byte where it begins, or `end`. */
static size_t range_word(struct sv s, size_t end, const struct quantity *q)
{
    static const char *const words[] = { "from", "between" };
    bool is_range = !isnan(q->low) && !isnan(q->high);
    for (size_t i = 0; is_range && i < ARRAY_LEN(words); i++)
        if (stands_before(s, end, words[i], strlen(words[i])))
            return end - strlen(words[i]);
    return end;
}

size_t quantity_lead(const struct units *u, struct sv s, struct quantity *q)
{
    size_t start = plus_minus_before(s, q->start);
    for (unsigned n = 0; n < 3; n++) {
        size_t end = start;
        while (end > 0 && (s.p[end - 1] == ' ' || s.p[end - 1] == '.' || s.p[end - 1] == '\n'))
            end--;
        if (end == start || end == 0 || !may_end(s, end))
            break;
        const struct lead *lead = lead_before(u, s, end, s.p[end] == '.', q);
        size_t first = lead ? end - lead->n : range_word(s, end, q);
        if (first == end)
            break;
        int op = lead ? op_of(u, lead, q) : ANY;
        if (q->op == Q_IS && op != ANY)
            q->op = (enum quantity_op)op;
        if (lead && q->unit == UNIT_NONE && strstr(lead->text, "factor"))
            q->unit = units_named(u, SV("times"));
        start = first;
    }
    return start;
}
