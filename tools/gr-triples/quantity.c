// SPDX-License-Identifier: MIT
/*
 * quantity.c — reading numbers with signs, powers, errors, ranges and units
 */
#include "quantity.h"

#include <math.h>

#include "json.h"
#include "quantity_impl.h"
#include "scan.h"
#include "utf8.h"

#define PLUS_MINUS "\xc2\xb1"
#define EN_DASH "\xe2\x80\x93"
#define MINUS "\xe2\x88\x92"

/* ---- what surrounds it ---- */

/* " per year" behind a unit. */
static bool read_per(const struct units *u, struct sv s, size_t *pos)
{
    size_t at = *pos, end;
    if (!eat(s, &at, " per "))
        return false;
    if (units_match(u, s, at, &end) == UNIT_NONE && (end = units_compose(s, at)) == at)
        return false;
    *pos = end;
    return true;
}

/* "114 J. Smith et al.": the capital before `end` is a name's. */
static bool is_initial(struct sv s, size_t end)
{
    static const char *const behind[] = { " et al", ", ", " and ", " & " };
    if (end < 2 || end + 3 >= s.n || s.p[end] != '.' || s.p[end + 1] != ' ' ||
        s.p[end - 2] != ' ' || !scan_is_upper(s.p[end - 1]) || !scan_is_upper(s.p[end + 2]))
        return false;
    size_t to = end + 3;
    while (to < s.n && (scan_is_lower(s.p[to]) || (unsigned char)s.p[to] >= 0x80))
        to++;
    return to > end + 3 && eat_any(s, &to, behind, ARRAY_LEN(behind));
}

/* "1.42 × 10−11/yr": the byte behind it, or pos. */
static size_t past_rate(const struct units *u, struct sv s, size_t pos)
{
    size_t end;
    if (pos + 1 >= s.n || s.p[pos] != '/' || !scan_is_lower(s.p[pos + 1]))
        return pos;
    uint32_t unit = units_match(u, s, pos + 1, &end);
    return unit != UNIT_NONE && units_is_time(u, unit) ? end : pos;
}

/* "100x chondritic", "10 × MORB": the byte behind the sign, or pos. */
static size_t past_fold(struct sv s, size_t pos)
{
    size_t at = pos;
    bool is_sign = eat(s, &at, "\xc3\x97") || eat(s, &at, " \xc3\x97");
    if (at + 4 > s.n || (!is_sign && !eat(s, &at, "x ")))
        return pos;
    size_t end = is_sign ? at : at - 1;
    at += s.p[at] == ' ';
    for (size_t i = at; i < at + 3; i++)
        if (i >= s.n || (!scan_is_lower(s.p[i]) && !scan_is_upper(s.p[i])))
            return pos;
    return end;
}

/* "−5.2& (VPDB)": a font's ampersand for ‰, glued to decimals. */
static bool is_lost_permil(struct sv s, size_t pos)
{
    size_t at = pos;
    while (at > 0 && quantity_is_digit(s, at - 1))
        at--;
    return pos < s.n && s.p[pos] == '&' && at > 1 && at < pos && s.p[at - 1] == '.' &&
           (pos + 1 == s.n || strchr(" ,.;)", s.p[pos + 1]));
}

/* "μg per g" as "μg/g". */
static uint32_t slashed(const struct units *u, struct sv text)
{
    char key[32];
    size_t per = sv_find(text, SV(" per "), 0);
    if (per == SIZE_MAX || text.n > sizeof key)
        return UNIT_TEXT;
    memcpy(key, text.p, per);
    key[per] = '/';
    memcpy(key + per + 1, text.p + per + 5, text.n - per - 5);
    uint32_t unit = units_named(u, (struct sv){ key, text.n - 4 });
    return unit == UNIT_NONE ? UNIT_TEXT : unit;
}

uint32_t quantity_read_unit(const struct units *u, struct sv s, size_t *pos, struct sv *text)
{
    size_t at = *pos, end;
    eat_blanks(s, &at);
    uint32_t unit = units_match(u, s, at, &end);
    if (unit == UNIT_NONE && eat(s, &at, "-")) /* "60-Ma-old" */
        unit = units_match(u, s, at, &end);
    size_t composed = units_compose(s, at);
    if (composed > at && (unit == UNIT_NONE || composed > end)) {
        end = composed;
        *text = sv_from_to(s, at, end);
        unit = slashed(u, *text);
    }
    if (unit == UNIT_NONE && is_lost_permil(s, *pos)) {
        ++*pos;
        return units_named(u, SV("\xe2\x80\xb0"));
    }
    if (unit == UNIT_NONE && (end = past_rate(u, s, *pos)) > *pos) {
        *text = sv_from_to(s, *pos, end);
        *pos = end;
        return UNIT_TEXT;
    }
    if (unit == UNIT_NONE && (end = past_fold(s, *pos)) > *pos) {
        *pos = end;
        return units_named(u, SV("times"));
    }
    if (unit == UNIT_NONE || is_initial(s, end))
        return UNIT_NONE;
    *pos = end;
    if (read_per(u, s, pos)) {
        unit = slashed(u, sv_from_to(s, at, *pos));
        *text = sv_from_to(s, at, *pos);
    }
    return unit;
}

/* "- to 15-km": the hyphen waits for the unit of the second number. */
static bool eat_joint(struct sv s, size_t *pos, bool between)
{
    size_t at = *pos;
    if (eat(s, &at, "- to ") || eat(s, &at, "-to ") || eat(s, &at, "- and ")) {
        bool is_to = s.p[at - 2] == 'o';
        if (!is_to && !between)
            return false;
        *pos = at;
        return true;
    }
    return eat(s, pos, "to ") || eat(s, pos, "up to ") || eat(s, pos, "through ") ||
           eat(s, pos, "bis ") || eat(s, pos, "\xc3\xa0 ") || (between && eat(s, pos, "and "));
}

/* "to about 40%", "to >1000 m": the limit of a second number is stepped over. */
static void skip_limit(struct sv s, size_t *pos)
{
    static const char *const words[] = { "about ",  "approximately ", "around ", "nearly ",
                                         "almost ", "roughly ",       "ca. ",    "ca " };
    struct quantity ignored;
    eat_any(s, pos, words, ARRAY_LEN(words));
    quantity_read_op(s, pos, &ignored);
}

/* The second number of a range; *between: "and" joins, too. */
static bool read_high(struct sv s, size_t *pos, bool between, bool loose, struct number *out)
{
    size_t at = *pos;
    static const char *const dashes[] = {
        EN_DASH, "-", "\xe2\x80\x94", MINUS, "\xe2\x80\x90", "\xe2\x80\x91", "~"
    };
    eat_blanks(s, &at);
    bool spaced = at > *pos;
    if (eat_joint(s, &at, between)) {
        skip_limit(s, &at);
        if (!quantity_number(s, &at, loose, out))
            return false;
    } else {
        if (!eat_any(s, &at, dashes, ARRAY_LEN(dashes)))
            return false;
        size_t gap = at;
        eat_blanks(s, &at);
        if (spaced != (at > gap)) /* "5 -3" is no range */
            return false;
        if (!quantity_number(s, &at, loose, out))
            return false;
    }
    *pos = at;
    return true;
}

/* ---- whole quantities ---- */

struct quantity quantity_none(size_t pos)
{
    return (struct quantity){
        .start = pos,
        .end = pos,
        .low = NAN,
        .high = NAN,
        .error = NAN,
        .error_low = NAN,
        .unit = UNIT_NONE,
    };
}

static const struct {
    const char *text;
    enum quantity_op op;
} op_signs[] = {
    { "~", Q_ABOUT },
    { "\xe2\x88\xbc", Q_ABOUT }, /* ∼ */
    { "\xe2\x89\x88", Q_ABOUT }, /* ≈ */
    { "\xe2\x89\x83", Q_ABOUT }, /* ≃ */
    { "\xe2\x89\x8a", Q_ABOUT }, /* ≊ */
    { "<<", Q_LESS },
    { ">>", Q_MORE },
    { "\xe2\x89\xaa", Q_LESS },     /* ≪ */
    { "\xe2\x89\xab", Q_MORE },     /* ≫ */
    { "\xe2\x89\xb2", Q_AT_MOST },  /* ≲ */
    { "\xe2\x89\xb3", Q_AT_LEAST }, /* ≳ */
    { "<=", Q_AT_MOST },
    { ">=", Q_AT_LEAST },
    { "\xe2\x89\xa4", Q_AT_MOST }, /* ≤ */
    { "\xe2\xa9\xbd", Q_AT_MOST },
    { "\xe2\x89\xa5", Q_AT_LEAST }, /* ≥ */
    { "<", Q_LESS },
    { ">", Q_MORE },
};

void quantity_read_op(struct sv s, size_t *pos, struct quantity *q)
{
    unsigned char c = *pos < s.n ? (unsigned char)s.p[*pos] : 0;
    if (c < 0x80 && c != '~' && c != '<' && c != '>')
        return;
    for (size_t i = 0; i < ARRAY_LEN(op_signs); i++) {
        if (eat(s, pos, op_signs[i].text)) {
            q->op = op_signs[i].op;
            eat_blanks(s, pos);
            return;
        }
    }
}

/* A unit behind the bracket of a value with an error, or of a range: "(350 ± 20) °C". */
static bool read_bracket_unit(const struct units *u, struct sv s, size_t *pos,
                              struct quantity *q)
{
    if (isnan(q->error) && isnan(q->high))
        return false;
    q->unit = quantity_read_unit(u, s, pos, &q->unit_text);
    return q->unit != UNIT_NONE;
}

/* "(1.35 ± 0.05) × 10^12": the bracket's numbers share the power, or the unit. */
static bool read_bracket(const struct units *u, struct sv s, size_t *pos, struct quantity *q)
{
    size_t at = *pos;
    struct number n;
    int power;
    if (!eat(s, &at, "("))
        return false;
    eat_blanks(s, &at);
    if (!quantity_number(s, &at, false, &n))
        return false;
    q->low = n.value;
    quantity_read_error(u, s, &at, &n, q);
    struct number high;
    if (read_high(s, &at, false, false, &high))
        q->high = high.value;
    eat_blanks(s, &at);
    bool is_closed = eat(s, &at, ")");
    if (is_closed && read_bracket_unit(u, s, &at, q)) {
        *pos = at;
        return true;
    }
    if (!is_closed || !quantity_times_ten(s, &at, &power)) {
        *q = quantity_none(q->start);
        return false;
    }
    double factor = pow(10, power);
    q->low *= factor;
    q->high *= factor;
    q->error *= factor;
    q->error_low *= factor;
    *pos = at;
    return true;
}

/* One number goes where its limit says. */
void quantity_place(struct quantity *q)
{
    bool is_upper = q->op == Q_LESS || q->op == Q_AT_MOST;
    if (is_upper && isnan(q->high)) {
        q->high = q->low;
        q->low = NAN;
    }
    if (!isnan(q->low) && !isnan(q->high) && q->low > q->high) {
        double low = q->low;
        q->low = q->high;
        q->high = low;
    }
}

bool quantity_factor(const struct units *u, uint32_t from, uint32_t to, double *factor)
{
    double a, b, ignored;
    if (from >= UNIT_TEXT || to >= UNIT_TEXT)
        return false;
    struct sv one = units_scale(u, from, &a, &ignored),
              other = units_scale(u, to, &b, &ignored);
    if (!one.n || !sv_eq(one, other))
        return false;
    *factor = a / b;
    return true;
}

/* The unit behind the second number of a range is that of both; where the first has another of
 * the same dimension ("5 kbar to 1.2 GPa"), its number is put in that. False: it is no range.
 */
static bool share_unit(const struct units *u, struct sv s, size_t *pos, struct quantity *q)
{
    struct sv text = SV_NONE;
    double factor;
    uint32_t unit = quantity_read_unit(u, s, pos, &text);
    if (unit == UNIT_NONE)
        return q->unit == UNIT_NONE; /* "5 ppm to 3": the second is something else */
    if (q->unit != UNIT_NONE && q->unit != unit) {
        struct sv first = units_name(u, q->unit);
        if (sv_is(first, "%") || sv_is(first, "\xc2\xb0")) /* "1200°–1250°C" */
            q->unit = unit;
        else if (quantity_factor(u, q->unit, unit, &factor) &&
                 units_kind(u, unit) != UNIT_TEMPERATURE)
            q->low *= factor;
        else if (q->unit != UNIT_TEXT && unit != UNIT_TEXT)
            return false; /* "44 ml to 50 mg" */
    }
    q->unit = unit;
    q->unit_text = text;
    return true;
}

/* Is the low end written without the power of the high one? It is then of its size. */
static bool shares_power(const struct quantity *q, const struct number *high)
{
    double own = fabs(high->value * pow(10, -high->power)), low = fabs(q->low);
    bool is_far =
        high->power > 0 ? fabs(high->value) > 1e4 * low : fabs(high->value) < 1e-4 * low;
    return low > 1e-3 * own && (low <= own || is_far);
}

/* "10", "% to 20", "–20 ppm", "kbar to 1.2 GPa" behind the first number n. */
static void read_range(const struct units *u, struct sv s, size_t *pos, bool between,
                       bool loose, const struct number *n, struct quantity *q)
{
    struct number high;
    struct quantity one = *q;
    size_t at = *pos;
    if (!read_high(s, &at, between, loose, &high))
        return;
    bool is_up_to = sv_starts(sv_from_to(s, *pos, at), SV(" up to "));
    if (is_up_to && (high.value <= q->low || (q->is_year && q->unit == UNIT_NONE)))
        return;
    q->high = high.value;
    q->is_loose |= high.is_loose;
    if (high.has_power && !n->has_power && !high.has_e && shares_power(q, &high))
        q->low *= pow(10, high.power);         /* "1.2–3.4 × 10⁵" */
    q->op = q->op == Q_ABOUT ? Q_ABOUT : Q_IS; /* "<1 m to >10 m" */
    quantity_read_error(u, s, &at, &high, q);
    q->error = q->error_low = NAN;
    double factor = q->unit == UNIT_NONE ? quantity_scale(s, &at) : 1; /* "15 to 20 million" */
    q->low *= factor;
    q->high *= factor;
    size_t behind = at;
    eat_blanks(s, &behind);
    bool is_sum = sv_starts(sv_from_to(s, *pos, at), SV(" ")) && eat(s, &behind, "(") &&
                  quantity_is_variable(s, behind); /* "16.9 − 4.2(δc − δw)" */
    if (!is_sum && share_unit(u, s, &at, q))
        *pos = at;
    else
        *q = one;
}

/* The sign of a currency: its unit. */
static uint32_t read_currency(const struct units *u, struct sv s, size_t *pos)
{
    static const char *const signs[][2] = {
        { "US$", "USD" }, { "$", "USD" }, { "\xc2\xa3", "GBP" }, { "\xe2\x82\xac", "EUR" }
    };
    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (eat(s, pos, signs[i][0]))
            return units_named(u, sv_from(signs[i][1]));
    return UNIT_NONE;
}

static bool read_plain(const struct units *u, struct sv s, size_t *pos, bool between,
                       bool loose, struct quantity *q)
{
    size_t at = *pos;
    double factor;
    struct number n;
    uint32_t currency = read_currency(u, s, &at);
    if (!quantity_number(s, &at, loose, &n))
        return false;
    q->low = n.value;
    q->error = n.compact_error;
    q->is_loose = n.is_loose;
    q->is_year =
        !n.decimals && !n.has_sign && !n.has_power && n.value >= 1500 && n.value <= 2100;
    q->is_bare = q->is_whole = !n.decimals && !n.has_power && !n.has_sign;
    q->has_minus = n.has_sign && n.value <= 0;
    size_t after = at;
    q->unit = quantity_read_unit(u, s, &after, &q->unit_text);
    if (q->is_year && q->unit != UNIT_NONE && after == at + 1 && s.p[at] == 's')
        q->unit = UNIT_NONE; /* "1990s" */
    if (q->unit == UNIT_NONE && (factor = quantity_scale(s, &after)) > 1) {
        q->low *= factor;
        q->is_year = q->is_bare = false;
        at = after;
        q->unit = quantity_read_unit(u, s, &after, &q->unit_text);
    }
    if (currency != UNIT_NONE && q->unit != UNIT_NONE) {
        q->op = Q_ABOUT;                /* "$20 km": what a font leaves of ~ */
    } else if (currency != UNIT_NONE) { /* not "$10^5$", a formula */
        q->unit = at < s.n && s.p[at] == '$' ? UNIT_NONE : currency;
        after = at;
    }
    q->has_letter = q->unit != UNIT_NONE && after == at + 1 && s.p[at] != '%';
    if (q->unit != UNIT_NONE)
        at = after;
    quantity_read_error(u, s, &at, &n, q);
    if (isnan(q->error))
        read_range(u, s, &at, between, loose, &n, q);
    *pos = at;
    return true;
}

/* Does a word or a number go on at pos: "or moreover", "or below −50 °C"? */
static bool starts_more(struct sv s, size_t pos)
{
    if (pos < s.n && (unsigned char)((s.p[pos] | 32) - 'a') < 26)
        return true;
    eat_blanks(s, &pos);
    quantity_eat_minus(s, &pos);
    return quantity_is_digit(s, pos);
}

/* " or more", " or so" behind a quantity. */
static void read_tail(struct sv s, size_t *pos, struct quantity *q)
{
    static const struct {
        const char *text;
        enum quantity_op op;
    } tails[] = {
        { " or more", Q_AT_LEAST },    { " or less", Q_AT_MOST },
        { " or fewer", Q_AT_MOST },    { " or older", Q_AT_LEAST },
        { " or lower", Q_AT_MOST },    { " or below", Q_AT_MOST },
        { " or greater", Q_AT_LEAST }, { " or above", Q_AT_LEAST },
        { " or higher", Q_AT_LEAST },  { " or so", Q_ABOUT },
    };
    if (s.n - *pos < 6 || memcmp(s.p + *pos, " or ", 4) != 0 || q->op != Q_IS ||
        !isnan(q->high))
        return;
    for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
        size_t n = strlen(tails[i].text);
        if (s.n - *pos >= n && memcmp(s.p + *pos, tails[i].text, n) == 0 &&
            !starts_more(s, *pos + n)) {
            q->op = tails[i].op;
            *pos += n;
            return;
        }
    }
}

static bool read_as(const struct units *u, struct sv s, size_t pos, bool between, bool loose,
                    struct quantity *q)
{
    *q = quantity_none(pos);
    quantity_read_op(s, &pos, q);
    if (!read_bracket(u, s, &pos, q) && !read_plain(u, s, &pos, between, loose, q))
        return false;
    if (q->unit == UNIT_NONE) {
        size_t after = pos;
        q->unit = quantity_read_unit(u, s, &after, &q->unit_text);
        bool is_decade = q->is_year && after == pos + 1 && s.p[pos] == 's';
        if (is_decade)
            q->unit = UNIT_NONE;
        if (q->unit != UNIT_NONE)
            pos = after;
    }
    if (!isnan(q->error)) {
        quantity_read_error_unit(u, s, &pos, q); /* "2.70 Ga ± 20 Ma" */
        if (q->error_kind == NULL)
            quantity_read_error_kind(s, &pos, q);
        if (q->unit == UNIT_NONE && q->error_kind && s.p[pos - 1] == ')') /* "± 1 (2σ) Ma" */
            q->unit = quantity_read_unit(u, s, &pos, &q->unit_text);
    }
    read_tail(s, &pos, q);
    q->end = pos;
    q->is_bare &= q->unit == UNIT_NONE && q->op == Q_IS && isnan(q->error);
    if (!isfinite(q->low) || isinf(q->high) || isinf(q->error))
        return false;
    quantity_place(q);
    return true;
}

bool quantity_read(const struct units *u, struct sv s, size_t pos, bool between,
                   struct quantity *q)
{
    if (!read_as(u, s, pos, between, true, q))
        return false;
    bool is_share = q->end < s.n && sv_starts(sv_from_to(s, q->end, s.n), SV(" of "));
    bool is_equal =
        pos > 1 && (s.p[pos - 1] == '=' || (s.p[pos - 1] == ' ' && s.p[pos - 2] == '='));
    bool has_slash = memchr(s.p + pos, '/', q->end - pos) != NULL;
    if (!q->is_loose || q->unit != UNIT_NONE ||
        (has_slash && (is_equal || (is_share && q->low < 1))))
        return true; /* "1/3 of it", "I = 3/2" */
    return read_as(u, s, pos, between, false, q);
}

bool quantity_at(const struct units *u, struct sv text, size_t pos, struct quantity *q)
{
    eat_blanks(text, &pos);
    return pos < text.n && quantity_read(u, text, pos, false, q);
}

/* ---- printing ---- */

/* Very large and very small numbers as "1.35e+12". */
static void put_number(struct buf *out, double v)
{
    struct buf b = BUF_INIT;
    if ((fabs(v) >= 1e7 || fabs(v) < 1e-4) && fabs(v) > 0)
        buf_printf(out, "%.10g", v);
    else
        json_put_num(&b, v);
    buf_sv(out, buf_view(&b));
    buf_release(&b);
}

void quantity_text(const struct units *u, const struct quantity *q, struct buf *out)
{
    static const char *const signs[] = { "", "<", "\xe2\x89\xa4", ">", "\xe2\x89\xa5", "~" };
    buf_str(out, signs[q->op]);
    if (!isnan(q->low))
        put_number(out, q->low);
    if (!isnan(q->high)) {
        if (!isnan(q->low))
            buf_str(out, EN_DASH);
        put_number(out, q->high);
    }
    if (!isnan(q->error)) {
        bool is_alone = isnan(q->low) && isnan(q->high);
        buf_str(out, is_alone ? "" : " ");
        buf_str(out, isnan(q->error_low) ? PLUS_MINUS " " : "+");
        put_number(out, q->error);
        if (!isnan(q->error_low)) {
            buf_str(out, "/-");
            put_number(out, q->error_low);
        }
        if (q->error_kind && strcmp(q->error_kind, "%") == 0)
            buf_char(out, '%');
    }
    struct sv unit = q->unit == UNIT_TEXT ? q->unit_text : units_name(u, q->unit);
    if (unit.n) {
        if (!sv_is(unit, "%") && !sv_is(unit, "\xe2\x80\xb0"))
            buf_char(out, ' ');
        buf_sv(out, unit);
    }
}
