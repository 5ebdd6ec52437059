// SPDX-License-Identifier: MIT
/*
 * quantity_error.c — errors behind a number: "± 0.4 Ma (2σ)", "+0.3/−0.2", "± 11" of the last
 * digits
 */
#include <math.h>

#include "quantity_impl.h"
#include "utf8.h"

#define PLUS_MINUS "\xc2\xb1"

const char *quantity_error_kind(struct sv text)
{
    char key[16];
    size_t n = 0;
    for (size_t pos = 0; pos < text.n && n < sizeof key - 1;) {
        uint32_t cp = utf8_next(text, &pos);
        if (cp == 0x3C3)
            key[n++] = '~'; /* sigma */
        else if (cp < 0x80 && ((cp | 32) >= 'a' && (cp | 32) <= 'z'))
            key[n++] = (char)(cp | 32);
        else if ((cp >= '0' && cp <= '9') || cp == '%')
            key[n++] = (char)cp;
        else if (cp != ' ' && cp != '.' && cp != 0xB1 && cp != '(' && cp != ')')
            break;
    }
    key[n] = '\0';
    static const char *const kinds[][2] = {
        { "2~", "2\xcf\x83" },   { "2sig", "2\xcf\x83" }, { "1~", "1\xcf\x83" },
        { "1sig", "1\xcf\x83" }, { "2se", "2SE" },        { "2sd", "2SD" },
        { "1se", "1SE" },        { "1sd", "1SD" },        { "se", "1SE" },
        { "sd", "1SD" },         { "stdev", "1SD" },      { "~", "1\xcf\x83" },
        { "95%", "95%" },        { "rsd", "%" },          { "2s", "2\xcf\x83" },
        { "1s", "1\xcf\x83" },   { "2r", "2\xcf\x83" }, /* a lost σ */
        { "1r", "1\xcf\x83" },
    };
    if (!n || !strchr("129rs~", key[0]))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        size_t k = strlen(kinds[i][0]);
        bool is_short =
            kinds[i][0][0] == 's' || kinds[i][0][0] == '~' || (k == 2 && kinds[i][0][1] != '~');
        if (strncmp(key, kinds[i][0], k) == 0 && (!is_short || key[k] == '\0'))
            return kinds[i][1];
    }
    return NULL;
}

/* Is there nothing but the kind's own words up to the bracket's end at `end`? */
static bool is_whole(struct sv s, size_t at, size_t end)
{
    return end < s.n && strchr(")]", s.p[end]) && end > at;
}

void quantity_read_error_kind(struct sv s, size_t *pos, struct quantity *q)
{
    size_t at = *pos;
    eat_blanks(s, &at);
    bool bracket = eat(s, &at, "(") || eat(s, &at, "[");
    size_t end = at;
    while (end < s.n && end < at + 24 && !strchr(",;)]", s.p[end]))
        end++;
    const char *kind = quantity_error_kind(sv_from_to(s, at, end));
    if (!kind)
        return;
    q->error_kind = kind;
    q->past = end;
    if (bracket && is_whole(s, at, end))
        *pos = end + 1;
}

/* "± 0.000012": as it is; "0.710248 ± 11": of the last digits, for it is larger than the value;
 * "12 ± 4 × 10⁻⁶": a power that both share. */
static double fit_error(struct quantity *q, const struct number *value,
                        const struct number *error)
{
    double e = error->value, v = fabs(value->value);
    if (value->decimals >= 4 && !error->decimals && !error->has_power && e > v)
        return e * pow(10, -(double)value->decimals);
    bool is_far = error->power < 0 ? v > 1e3 * e : e > 10 * v;
    if (error->has_power && !value->has_power && is_far && q->unit == UNIT_NONE)
        q->low *= pow(10, error->power);
    return e;
}

/* "+0.3" or "−0.2" at *pos, the sign parted by a blank at most: which of the two in *is_up. */
static bool read_signed_error(struct sv s, size_t *pos, bool *is_up, struct number *n)
{
    size_t at = *pos;
    *is_up = eat(s, &at, "+");
    if (!*is_up && !quantity_eat_minus(s, &at))
        return false;
    eat(s, &at, " ");
    if (!quantity_number_unsigned(s, &at, false, n))
        return false;
    *pos = at;
    return true;
}

/* "+0.3/−0.2", "+0.3 −0.2", "(−0.2, +0.3)", "+ 0.3 − 0.2" behind a number. */
static bool read_two_errors(struct sv s, size_t *pos, struct quantity *q)
{
    size_t at = *pos;
    struct number one, other;
    bool bracket = eat(s, &at, "("), is_up, is_other_up;
    if (!read_signed_error(s, &at, &is_up, &one))
        return false;
    eat_blanks(s, &at);
    if (eat(s, &at, "/") || (bracket && eat(s, &at, ",")))
        eat_blanks(s, &at);
    if (!read_signed_error(s, &at, &is_other_up, &other) || is_up == is_other_up ||
        (!is_up && !bracket) || (bracket && !eat(s, &at, ")")))
        return false;
    q->error = is_up ? one.value : other.value;
    q->error_low = is_up ? other.value : one.value;
    *pos = at;
    return true;
}

/* "± 0.5 / 1.2 Ma", "± 0.033/0.041/0.072 Ma": the others take in the decay constant and more.
 */
static void skip_others(struct sv s, size_t *pos)
{
    struct number n;
    for (unsigned i = 0; i < 3; i++) {
        size_t at = *pos;
        eat_blanks(s, &at);
        if (!eat(s, &at, "/"))
            return;
        eat_blanks(s, &at);
        if (!quantity_number_unsigned(s, &at, false, &n) || !n.decimals)
            return;
        *pos = at;
    }
}

/* "2.70 6 0.02 Ga": a font's 6 for ±. */
static bool read_six(const struct units *u, struct sv s, size_t *pos,
                     const struct number *value, struct quantity *q)
{
    size_t at = *pos;
    struct number n;
    if (!value->decimals || at == 0 || s.p[at - 1] != ' ' || !eat(s, &at, "6 ") ||
        !quantity_number_unsigned(s, &at, false, &n) || n.decimals != value->decimals ||
        !(n.value < fabs(value->value)))
        return false;
    size_t after = at;
    struct sv text;
    if (quantity_read_unit(u, s, &after, &text) == UNIT_NONE)
        return false;
    q->error = n.value;
    q->warn = "the sign \xc2\xb1 may have become a 6";
    *pos = at;
    return true;
}

/* "(± 0.1)", "(± 0.1, 2σ)" behind a number. */
static bool read_bracket_error(struct sv s, size_t *pos, const struct number *value,
                               struct quantity *q)
{
    size_t at = *pos;
    struct number n;
    if (!eat(s, &at, "(" PLUS_MINUS))
        return false;
    eat_blanks(s, &at);
    if (!quantity_number_unsigned(s, &at, false, &n))
        return false;
    size_t end = at;
    if (eat(s, &at, ","))
        for (end = at; end < s.n && end < at + 12 && s.p[end] != ')';)
            end++;
    const char *kind = end > at ? quantity_error_kind(sv_trim(sv_from_to(s, at, end))) : NULL;
    if (end >= s.n || s.p[end] != ')' || (end > at && !kind))
        return false;
    q->error = fit_error(q, value, &n);
    q->error_kind = kind;
    *pos = end + 1;
    return true;
}

void quantity_read_error(const struct units *u, struct sv s, size_t *pos,
                         const struct number *value, struct quantity *q)
{
    /* Ϯ and Æ: what fonts leave of ± */
    static const char *const signs[] = { PLUS_MINUS,       "+/-",   "+/\xe2\x88\x92",
                                         "+/\xe2\x80\x93", "+-",    "+ /-",
                                         "+/ -",           "+ / -", "\xcf\xae",
                                         "\xc3\x86" };
    size_t at = *pos;
    struct number n;
    eat_blanks(s, &at);
    if (at >= s.n || (!strchr("+(6", s.p[at]) && (unsigned char)s.p[at] < 0xC2))
        return;
    if (s.p[at] == '6' && read_six(u, s, &at, value, q))
        *pos = at;
    if (s.p[at] == '6')
        return;
    if (!eat_any(s, &at, signs, ARRAY_LEN(signs))) {
        if (read_two_errors(s, &at, q) || read_bracket_error(s, &at, value, q))
            *pos = at;
        return;
    }
    eat_blanks(s, &at);
    if (!quantity_number_unsigned(s, &at, false, &n))
        return;
    q->error = fit_error(q, value, &n);
    skip_others(s, &at);
    *pos = at;
    if (eat(s, pos, "%") || eat(s, pos, " %")) {
        bool is_unit = q->unit != UNIT_NONE && sv_is(units_name(u, q->unit), "%");
        if (!is_unit)
            q->error_kind = "%";
    }
}

void quantity_read_error_unit(const struct units *u, struct sv s, size_t *pos,
                              struct quantity *q)
{
    size_t after = *pos;
    struct sv text = SV_NONE;
    uint32_t unit = quantity_read_unit(u, s, &after, &text);
    double factor = 1;
    if (unit == UNIT_NONE || (q->error_kind && strcmp(q->error_kind, "%") == 0))
        return;
    if (unit != q->unit && !quantity_factor(u, unit, q->unit, &factor))
        return;
    q->error *= factor;
    q->error_low *= factor;
    *pos = after;
}
