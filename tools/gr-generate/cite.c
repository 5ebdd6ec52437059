// SPDX-License-Identifier: MIT
/*
 * cite.c — finding and removing bracketed numbers
 */
#include "cite.h"

static void skip_blanks(struct sv s, size_t *i)
{
    while (*i < s.n && s.p[*i] == ' ')
        (*i)++;
}

static bool read_number(struct sv s, size_t *i, size_t *n)
{
    size_t from = *i;
    for (*n = 0; *i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9'; (*i)++) {
        *n = *n * 10 + (size_t)(s.p[*i] - '0');
        if (*n > 9999)
            return false;
    }
    return *i > from && *n > 0;
}

/* "-" or a dash between two numbers. */
static bool read_dash(struct sv s, size_t *i)
{
    struct sv rest = sv_from_to(s, *i, s.n);
    static const char *const dashes[] = { "-", "–", "—", "‑" };
    for (size_t d = 0; d < ARRAY_LEN(dashes); d++)
        if (sv_starts(rest, sv_from(dashes[d]))) {
            *i += strlen(dashes[d]);
            return true;
        }
    return false;
}

static bool add_range(struct cite *c, size_t lo, size_t hi)
{
    if (hi < lo || hi - lo >= CITE_MAX - c->n_numbers)
        return false;
    for (size_t n = lo; n <= hi; n++)
        c->n[c->n_numbers++] = n;
    return true;
}

/* Read one at its "[". */
static bool read_cite(struct sv s, size_t at, struct cite *c)
{
    size_t i = at + 1, lo, hi;
    c->from = at;
    c->n_numbers = 0;
    for (;;) {
        skip_blanks(s, &i);
        if (!read_number(s, &i, &lo))
            return false;
        hi = lo;
        skip_blanks(s, &i);
        if (read_dash(s, &i)) {
            skip_blanks(s, &i);
            if (!read_number(s, &i, &hi))
                return false;
            skip_blanks(s, &i);
        }
        if (!add_range(c, lo, hi) || i >= s.n)
            return false;
        c->to = i + 1;
        if (s.p[i] == ']')
            return true;
        if (s.p[i] != ',' && s.p[i] != ';')
            return false;
        i++;
    }
}

bool cite_next(struct sv text, size_t *pos, struct cite *c)
{
    for (size_t i = *pos; i < text.n; i++)
        if (text.p[i] == '[' && read_cite(text, i, c)) {
            *pos = c->to;
            return true;
        }
    *pos = text.n;
    return false;
}

void cite_strip(struct buf *out, struct sv text)
{
    size_t from = 0, pos = 0;
    for (struct cite c; cite_next(text, &pos, &c); from = c.to) {
        size_t to = c.from;
        while (to > from && text.p[to - 1] == ' ')
            to--;
        buf_sv(out, sv_from_to(text, from, to));
    }
    buf_sv(out, sv_from_to(text, from, text.n));
}
