// SPDX-License-Identifier: MIT
/*
 * quantity_lead.c — the words before a number that belong to it: "up to", "no more than", "ca."
 */
#include <math.h>

#include "quantity_impl.h"
#include "utf8.h"

#define ANY (-1) /* says nothing of the number */

/* Longer ones before those that they end with. */
static const struct lead {
    const char *text;
    int op; /* enum quantity_op or ANY */
} leads[] = {
    { "approximately", Q_ABOUT },
    { "about", Q_ABOUT },
    { "around", Q_ABOUT },
    { "roughly", Q_ABOUT },
    { "nearly", Q_ABOUT },
    { "almost", Q_ABOUT },
    { "circa", Q_ABOUT },
    { "approx", Q_ABOUT },
    { "ca", Q_ABOUT },
    { "c", Q_ABOUT },
    { "near", Q_ABOUT },
    { "in excess of", Q_MORE },
    { "well over", Q_MORE },
    { "over", Q_MORE },
    { "exceeding", Q_MORE },
    { "exceeds", Q_MORE },
    { "exceed", Q_MORE },
    { "exceeded", Q_MORE },
    { "well above", Q_MORE },
    { "above", Q_MORE },
    { "well below", Q_LESS },
    { "below", Q_LESS },
    { "under", Q_LESS },
    { "within", ANY },
    { "only", ANY },
    { "exactly", ANY },
    { "up to", Q_AT_MOST },
    { "upto", Q_AT_MOST },
    { "down to", Q_AT_LEAST },
    { "at least", Q_AT_LEAST },
    { "at most", Q_AT_MOST },
    { "no less than", Q_AT_LEAST },
    { "not less than", Q_AT_LEAST },
    { "no fewer than", Q_AT_LEAST },
    { "not fewer than", Q_AT_LEAST },
    { "no lower than", Q_AT_LEAST },
    { "not lower than", Q_AT_LEAST },
    { "no more than", Q_AT_MOST },
    { "not more than", Q_AT_MOST },
    { "no higher than", Q_AT_MOST },
    { "not higher than", Q_AT_MOST },
    { "no greater than", Q_AT_MOST },
    { "not greater than", Q_AT_MOST },
    { "no larger than", Q_AT_MOST },
    { "no longer than", Q_AT_MOST },
    { "not longer than", Q_AT_MOST },
    { "no deeper than", Q_AT_MOST },
    { "no older than", Q_AT_MOST },
    { "not older than", Q_AT_MOST },
    { "no younger than", Q_AT_LEAST },
    { "not younger than", Q_AT_LEAST },
    { "less than", Q_LESS },
    { "fewer than", Q_LESS },
    { "lower than", Q_LESS },
    { "smaller than", Q_LESS },
    { "younger than", Q_LESS },
    { "more than", Q_MORE },
    { "greater than", Q_MORE },
    { "higher than", Q_MORE },
    { "larger than", Q_MORE },
    { "older than", Q_MORE },
    { "deeper than", Q_MORE },
    { "longer than", Q_MORE },
    { "as much as", Q_AT_MOST },
    { "as many as", Q_AT_MOST },
    { "as high as", Q_AT_MOST },
    { "as low as", Q_AT_LEAST },
    { "as little as", Q_AT_LEAST },
    { "as few as", Q_AT_LEAST },
    { "a factor of", ANY },
    { "factors of", ANY },
};

/* "±50 °C" is an error by itself. */
static size_t plus_minus_before(struct sv s, size_t start)
{
    size_t at = start;
    if (at > 0 && s.p[at - 1] == ' ')
        at--;
    return at > 1 && utf8_before(s, at) == 0xB1 ? at - 2 : start;
}

/* Does `lead` stand right before byte `end`, as words? */
static bool stands_before(struct sv s, size_t end, const char *lead)
{
    size_t k = strlen(lead);
    return k <= end && (s.p[end - 1] | 32) == lead[k - 1] &&
           vocab_word_is(sv_from_to(s, end - k, end), lead) &&
           !(end > k && (utf8_is_letter(utf8_before(s, end - k)) || s.p[end - k - 1] == '-'));
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

/* The lead that ends at byte `end`, or NULL. A dot stood behind it: has_dot. */
static const struct lead *lead_before(const struct units *u, struct sv s, size_t end,
                                      bool has_dot, const struct quantity *q)
{
    for (size_t i = 0; i < ARRAY_LEN(leads); i++) {
        if (!stands_before(s, end, leads[i].text))
            continue;
        size_t k = strlen(leads[i].text);
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
        if (stands_before(s, end, words[i]))
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
        if (end == start || end == 0)
            break;
        const struct lead *lead = lead_before(u, s, end, s.p[end] == '.', q);
        size_t first = lead ? end - strlen(lead->text) : range_word(s, end, q);
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
