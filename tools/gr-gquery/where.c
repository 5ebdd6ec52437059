// SPDX-License-Identifier: MIT
/*
 * where.c — reading conditions, and looking whether a value meets them
 */
#include "where.h"

#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "measured.h"
#include "schema.h"
#include "text.h"
#include "utf8.h"

#define EXPECTED "expected a condition such as \"Rb < 100 ppm\" or \"age 20-30 Ma\""
/* Conversions of closed ends may be off by the last bits: 0.5 wt% is 5000 ppm. */
#define SLACK 1e-9

struct condition {
    struct buf name, key; /* "": any quantity */
    struct buf unit;      /* "": any */
    double low, high;     /* base units once the unit is known */
    bool is_low_open, is_high_open;
    struct sv dimension; /* "": the unit is compared by spelling */
    unsigned bit;        /* of its quantity */
};

struct where {
    const struct units *u;
    struct condition items[WHERE_MAX];
    size_t n;
    uint32_t all;
};

/* ---- words and numbers ---- */

/* One sign of comparison at the start of s: its bytes, or 0. */
static size_t op_at(struct sv s, char *op)
{
    static const struct {
        const char *text;
        char op;
    } ops[] = { { "<=", 'l' }, { ">=", 'g' }, { "≤", 'l' }, { "≥", 'g' },
                { "==", '=' }, { "<", '<' },  { ">", '>' }, { "=", '=' } };
    for (size_t i = 0; i < ARRAY_LEN(ops); i++)
        if (sv_starts(s, sv_from(ops[i].text))) {
            *op = ops[i].op;
            return strlen(ops[i].text);
        }
    return 0;
}

static struct sv skip_blanks(struct sv s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = sv_from_to(s, 1, s.n);
    return s;
}

/* Take a number off the start of *s; its minus may be the sign U+2212. */
static bool take_number(struct sv *s, double *v)
{
    struct sv at = skip_blanks(*s);
    bool is_minus = sv_starts(at, SV("-")) || sv_starts(at, SV("−"));
    if (is_minus)
        at = sv_from_to(at, sv_starts(at, SV("-")) ? 1 : 3, at.n);
    size_t n = 0, best = 0;
    while (n < at.n && n < 40 && ((at.p[n] >= '0' && at.p[n] <= '9') || at.p[n] == '.')) {
        if (sv_starts(sv_from_to(at, n, at.n), SV("..")))
            break;
        n++;
    }
    best = n;
    if (n && n < at.n && (at.p[n] | 32) == 'e') { /* 1e5, but not "1 eV" */
        size_t k = n + 1;
        k += k < at.n && (at.p[k] == '-' || at.p[k] == '+');
        size_t digits = k;
        while (k < at.n && at.p[k] >= '0' && at.p[k] <= '9')
            k++;
        best = k > digits ? k : n;
    }
    if (!best || !sv_to_double(sv_from_to(at, 0, best), v))
        return false;
    if (is_minus)
        *v = -*v;
    *s = sv_from_to(at, best, at.n);
    return true;
}

static bool take(struct sv *s, const char *word)
{
    struct sv at = skip_blanks(*s), w = sv_from(word);
    if (at.n < w.n || !sv_ieq(sv_from_to(at, 0, w.n), w))
        return false;
    *s = sv_from_to(at, w.n, at.n);
    return true;
}

/* ---- one condition ---- */

static void bound(struct condition *c, char op, double v)
{
    if (op == '<' || op == 'l' || op == '=') {
        c->high = v;
        c->is_high_open = op == '<';
    }
    if (op == '>' || op == 'g' || op == '=') {
        c->low = v;
        c->is_low_open = op == '>';
    }
}

/* "20-30", "20 to 30", "25 ± 2", "25": *rest is what follows. */
static bool read_range(struct condition *c, struct sv *rest)
{
    double a, b;
    bool between = take(rest, "between ");
    if (!take_number(rest, &a))
        return false;
    c->low = c->high = a;
    struct sv after = *rest;
    bool is_error = take(&after, "±") || take(&after, "+-");
    bool is_range = !is_error && (take(&after, "..") || take(&after, "–") ||
                                  take(&after, "—") || take(&after, "-") ||
                                  take(&after, "to ") || (between && take(&after, "and ")));
    if (!is_error && !is_range)
        return !between;
    if (!take_number(&after, &b))
        return false;
    *rest = after;
    c->low = is_error ? a - fabs(b) : a;
    c->high = is_error ? a + fabs(b) : b;
    return true;
}

/* Is what is left a unit, or nothing? */
static bool ends_in_unit(const struct where *w, struct sv rest)
{
    rest = sv_trim(rest);
    return !rest.n || units_named(w->u, rest) != UNIT_NONE;
}

/* No sign of comparison: the name ends where a range begins that only a unit follows. */
static bool read_named_range(const struct where *w, struct condition *c, struct sv text,
                             struct sv *rest)
{
    for (size_t from = 0; from < text.n; from++) {
        if (from && text.p[from - 1] != ' ')
            continue;
        struct condition trial = *c;
        struct sv after = sv_from_to(text, from, text.n);
        if (!read_range(&trial, &after) || !ends_in_unit(w, after))
            continue;
        *c = trial;
        buf_sv(&c->name, sv_trim(sv_from_to(text, 0, from)));
        *rest = after;
        return true;
    }
    return false;
}

/* "Rb < 100 ppm", "45 < SiO2 < 52 wt%". */
static bool read_compared(struct condition *c, struct sv text, size_t at, struct sv *rest)
{
    char op, op2;
    double v;
    size_t n = op_at(sv_from_to(text, at, text.n), &op);
    struct sv name = sv_trim(sv_from_to(text, 0, at)), left = name;
    *rest = sv_from_to(text, at + n, text.n);
    if (take_number(&left, &v) && !sv_trim(left).n) {
        static const char turned[] = "<>lg==";
        bound(c, turned[(size_t)(strchr(turned, op) - turned) ^ 1], v);
        size_t k = 0, n2 = 0;
        while (k < rest->n && !(n2 = op_at(sv_from_to(*rest, k, rest->n), &op2)))
            k++;
        name = sv_trim(sv_from_to(*rest, 0, k));
        buf_sv(&c->name, name);
        if (!n2) {
            *rest = SV("");
            return name.n > 0;
        }
        *rest = sv_from_to(*rest, k + n2, rest->n);
        op = op2;
    } else {
        buf_sv(&c->name, name);
    }
    if (!take_number(rest, &v))
        return false;
    bound(c, op, v);
    return true;
}

/* What a unit of this dimension cannot be: the quantities whose names say their dimension. */
static bool is_measured_in(struct sv name, struct sv dimension)
{
    static const char *const known[][2] = {
        { "age", "age" },           { "half-life", "age" }, { "temperature", "temperature" },
        { "pressure", "pressure" }, { "depth", "length" },
    };
    static const char *const never[] = { "age", "temperature", "pressure", "length" };
    bool is = true, is_thing = true;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (sv_ieq(name, sv_from(known[i][0]))) {
            is = sv_is(dimension, known[i][1]);
            is_thing = false;
        }
    bool is_chemical = is_thing && name.n && measured_is_chemical(name);
    for (size_t i = 0; is_chemical && i < ARRAY_LEN(never); i++)
        is = is && !sv_is(dimension, never[i]);
    return is;
}

static int set_unit(const struct where *w, struct condition *c, struct sv text, struct err *err)
{
    double factor, offset;
    text = sv_trim(text);
    if (!text.n)
        return 0;
    uint32_t unit = w->u ? units_named(w->u, text) : UNIT_NONE;
    if (unit == UNIT_NONE)
        return err_set(err, EXIT_USAGE, "--where: \"%.*s\" is no unit that is known",
                       SV_ARG(text));
    buf_sv(&c->unit, text);
    c->dimension = units_scale(w->u, unit, &factor, &offset);
    if (!is_measured_in(buf_view(&c->name), c->dimension))
        return err_set(err, EXIT_USAGE, "--where: \"%.*s\" is not measured in \"%.*s\"",
                       SV_ARG(buf_view(&c->name)), SV_ARG(text));
    c->low = c->low * factor + offset;
    c->high = c->high * factor + offset;
    return 0;
}

static void set_bit(struct where *w, struct condition *c)
{
    measured_key(buf_view(&c->name), &c->key);
    c->bit = 0;
    for (struct condition *o = w->items; o < c; o++)
        if (sv_eq(buf_view(&o->key), buf_view(&c->key))) {
            c->bit = o->bit;
            return;
        } else if (o->bit >= c->bit) {
            c->bit = o->bit + 1;
        }
}

static struct condition *next_condition(struct where *w, struct err *err)
{
    if (w->n == WHERE_MAX) {
        err_set(err, EXIT_USAGE, "--where: more than %d conditions", WHERE_MAX);
        return NULL;
    }
    struct condition *c = &w->items[w->n++];
    *c = (struct condition){ .low = -INFINITY, .high = INFINITY, .dimension = SV("") };
    return c;
}

static bool has_letter(struct sv s)
{
    bool has = false;
    for (size_t pos = 0; !has && pos < s.n;)
        has = utf8_is_letter(utf8_next(s, &pos));
    return has;
}

static int read_condition(struct where *w, struct sv text, struct err *err)
{
    char op;
    size_t at = 0;
    struct sv rest = SV("");
    struct condition *c = next_condition(w, err);
    if (!c)
        return -1;
    while (at < text.n && !op_at(sv_from_to(text, at, text.n), &op))
        at++;
    bool is_read =
        at < text.n ? read_compared(c, text, at, &rest) : read_named_range(w, c, text, &rest);
    if (!is_read || (c->name.len && !has_letter(buf_view(&c->name))))
        return err_set(err, EXIT_USAGE, "--where: " EXPECTED ", not \"%.*s\"", SV_ARG(text));
    if (c->low > c->high)
        return err_set(err, EXIT_USAGE, "--where: the lower end is above the upper: \"%.*s\"",
                       SV_ARG(text));
    if (set_unit(w, c, rest, err) < 0)
        return -1;
    set_bit(w, c);
    return 0;
}

/* ---- all of them ---- */

bool where_is_plain(const char *text)
{
    struct sv s = sv_trim(sv_from(text));
    return sv_starts(s, SV("unit=")) || sv_starts(s, SV("min=")) || sv_starts(s, SV("max="));
}

static int read_plain(struct where *w, struct sv rest, struct err *err)
{
    struct sv part, key, unit = SV("");
    double factor, offset;
    struct condition *c = next_condition(w, err);
    while (sv_cut(&rest, ',', &part)) {
        struct sv value = sv_trim(part);
        bool is_pair = sv_cut(&value, '=', &key) && value.p;
        value = is_pair ? sv_trim(value) : SV("");
        if (sv_is(key, "unit") && is_pair)
            unit = value;
        else if (!is_pair || !((sv_is(key, "min") && sv_to_double(value, &c->low)) ||
                               (sv_is(key, "max") && sv_to_double(value, &c->high))))
            return err_set(err, EXIT_USAGE,
                           "--where: expected unit=U, min=N or max=N, not \"%.*s\"",
                           SV_ARG(part));
    }
    if (c->low > c->high)
        return err_set(err, EXIT_USAGE, "--where: min is larger than max");
    buf_sv(&c->unit, unit);
    if (w->u) {
        c->dimension = units_scale(w->u, units_named(w->u, unit), &factor, &offset);
        c->low = c->low * factor + offset;
        c->high = c->high * factor + offset;
    }
    return 0;
}

/* Where the next condition begins: after "and", "&&", ",", ";", but not after the "and" of
 * "between". *len: bytes of what stands between them. */
static size_t find_joint(struct sv s, size_t from, size_t *len)
{
    bool is_between = false;
    for (size_t i = from; i < s.n; i++) {
        struct sv at = sv_from_to(s, i, s.n);
        if (s.p[i] == ',' || s.p[i] == ';') {
            *len = 1;
            return i;
        }
        if (sv_starts(at, SV("&&"))) {
            *len = 2;
            return i;
        }
        if (at.n > 8 && sv_ieq(sv_from_to(at, 0, 8), SV("between ")))
            is_between = true;
        if (at.n <= 5 || !sv_ieq(sv_from_to(at, 0, 5), SV(" and ")))
            continue;
        *len = 5;
        if (!is_between)
            return i;
        is_between = false;
    }
    *len = 0;
    return s.n;
}

struct where *where_new(const char *text, const struct units *u, struct err *err)
{
    struct where *w = alloc_zero(1, sizeof *w);
    struct sv s = sv_trim(sv_from(text));
    int rc = 0;
    w->u = u;
    if (where_is_plain(text)) {
        rc = read_plain(w, s, err);
    } else {
        size_t from = 0, len = 0;
        do {
            size_t end = find_joint(s, from, &len);
            rc = read_condition(w, sv_trim(sv_from_to(s, from, end)), err);
            from = end + len;
        } while (rc == 0 && len);
    }
    for (size_t i = 0; i < w->n; i++)
        w->all |= 1u << w->items[i].bit;
    if (rc == 0)
        return w;
    where_free(w);
    return NULL;
}

void where_free(struct where *w)
{
    for (size_t i = 0; w && i < w->n; i++) {
        buf_release(&w->items[i].name);
        buf_release(&w->items[i].key);
        buf_release(&w->items[i].unit);
    }
    free(w);
}

uint32_t where_all(const struct where *w)
{
    return w->all;
}

/* ---- a value ---- */

static bool overlaps(const struct condition *c, double low, double high)
{
    double eps = SLACK * (isfinite(low) ? fabs(low) : isfinite(high) ? fabs(high) : 0);
    return (c->is_high_open ? low < c->high - eps : low <= c->high + eps) &&
           (c->is_low_open ? high > c->low + eps : high >= c->low - eps);
}

/* A change of 3 ‰ is no value of 3 ‰, but "shift > 2 ‰" asks for the change itself. */
static bool asks_for_change(const struct condition *c, const struct measured *m)
{
    return m->of.n && text_has_word(buf_view(&c->key), SV(FACT_CHANGE_WORDS "|rise"));
}

static bool meets(const struct condition *c, const struct measured *m, struct sv relation)
{
    if (c->dimension.n ? !sv_eq(c->dimension, m->dimension)
                       : c->unit.len && !sv_eq(buf_view(&c->unit), m->unit))
        return false;
    double low = m->low, high = m->high;
    double up = isnan(m->error) ? 0 : m->error, down = isnan(m->error_low) ? 0 : m->error_low;
    if (!c->dimension.n) { /* the numbers as printed */
        low = (low - m->offset) / m->factor;
        high = (high - m->offset) / m->factor;
        up /= m->factor;
        down /= m->factor;
    }
    if (m->is_change && !asks_for_change(c, m))
        return false;
    return overlaps(c, low - down, high + up) &&
           (!c->name.len || measured_is(m, relation, buf_view(&c->name), buf_view(&c->key)));
}

/* Without reading records: may the value meet any condition? Its limit ("op") is in the record
 * alone, so values that have one are let through. */
static bool may_meet(const struct where *w, const struct grg *g, uint32_t edge)
{
    const struct grg_value *v = grg_value(g, grg_edge(g, edge)->value);
    struct grg_range r = grg_triples_of(g, edge);
    struct sv unit = grg_str(g, v->unit);
    double factor = 1, offset = 0;
    struct sv dimension =
        w->u ? units_scale(w->u, units_named(w->u, unit), &factor, &offset) : SV("");
    double low = v->number, high = v->flags & GRG_HAS_HIGH ? v->high : v->number;
    bool is_open = !(v->flags & GRG_HAS_NUMBER) || low > high;
    if (v->flags & (GRG_HAS_ERROR | GRG_HAS_LOW)) {
        /* of one sigma, or percent: never more than this */
        double error = fmax(fabs(v->error), fabs((double)v->error_low) * (1 + 1e-6)) *
                       (2 + fabs(v->number) / 100);
        low -= error;
        high += error;
    }
    for (uint32_t t = r.from; t < r.to && !is_open; t++)
        is_open = sv_find(grg_raw(g, t), SV("\"op\""), 0) != SIZE_MAX;
    for (size_t i = 0; i < w->n; i++) {
        const struct condition *c = &w->items[i];
        bool has_unit = c->dimension.n > 0;
        if (has_unit && !sv_eq(c->dimension, dimension))
            continue;
        if (is_open || overlaps(c, has_unit ? low * factor + offset : low,
                                has_unit ? high * factor + offset : high))
            return true;
    }
    return false;
}

uint32_t where_meets(const struct where *w, const struct grg *g, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(g, edge);
    const struct grg_value *v = grg_value(g, e->value);
    struct grg_range r = grg_triples_of(g, edge);
    struct measured m;
    uint32_t met = 0;
    if (e->value >= g->n_values || !(v->flags & (GRG_HAS_NUMBER | GRG_HAS_HIGH)) ||
        !may_meet(w, g, edge))
        return 0;
    for (uint32_t t = r.from; t < r.to && met != w->all; t++) {
        uint32_t has = 0, lacks = 0;
        if (!measured_read(&m, g, w->u, t))
            continue;
        for (size_t i = 0; i < w->n; i++)
            if (meets(&w->items[i], &m, grg_str(g, e->relation)))
                has |= 1u << w->items[i].bit;
            else
                lacks |= 1u << w->items[i].bit;
        met |= has & ~lacks;
        measured_release(&m);
    }
    return met;
}
