// SPDX-License-Identifier: MIT
/*
 * quantity_number.c — one number: digits, thousands, decimals, fractions, powers, its own error
 */
#include <math.h>

#include "quantity_impl.h"
#include "utf8.h"

#define MINUS "\xe2\x88\x92"
#define EN_DASH "\xe2\x80\x93"

bool quantity_is_digit(struct sv s, size_t pos)
{
    return pos < s.n && s.p[pos] >= '0' && s.p[pos] <= '9';
}

bool quantity_is_fraction(struct sv s, size_t pos)
{
    return quantity_is_digit(s, pos + 1) && s.p[pos] == '.' &&
           (pos == 0 || strchr(" =<>(~", s.p[pos - 1]) || (unsigned char)s.p[pos - 1] >= 0x80);
}

/* Dashes and signs, and what fonts of papers leave of a minus: "À", "Ϫ", "ÿ", U+F02D. */
static const char *const minus_signs[] = {
    MINUS,      "-",        EN_DASH,    "\xe2\x80\x90", "\xe2\x80\x91",
    "\xc3\x80", "\xcf\xaa", "\xc3\xbf", "\xef\x80\xad"
};

bool quantity_eat_minus(struct sv s, size_t *pos)
{
    unsigned char c = *pos < s.n ? (unsigned char)s.p[*pos] : 0;
    return (c == '-' || c == 0xE2 || c == 0xC3 || c == 0xCF || c == 0xEF) &&
           eat_any(s, pos, minus_signs, ARRAY_LEN(minus_signs));
}

/* ---- one number ---- */

/* Superscript digits with a sign: the exponent in "10⁻³". */
static bool read_superscript(struct sv s, size_t *pos, int *value)
{
    size_t at = *pos;
    bool negative = eat(s, &at, "\xe2\x81\xbb");
    int v = 0, n = 0;
    while (at < s.n && n < 3) {
        size_t next = at;
        uint32_t cp = utf8_next(s, &next);
        int digit = cp < 0x80 ? -1 : utf8_digit_value(cp);
        if (digit < 0)
            break;
        v = v * 10 + digit;
        at = next;
        n++;
    }
    if (!n)
        return false;
    *value = negative ? -v : v;
    *pos = at;
    return true;
}

/* The exponent after "10": superscript, "^-5", "−5", " 12", " −5". loose: a plain number with a
 * gap counts, as after "×". */
static bool read_exponent(struct sv s, size_t *pos, bool loose, int *value)
{
    if (read_superscript(s, pos, value))
        return true;
    size_t at = *pos;
    bool caret = eat(s, &at, "^");
    bool brace = caret && eat(s, &at, "{");
    if (loose)
        eat(s, &at, " ");
    bool negative = loose || caret ? quantity_eat_minus(s, &at) : eat(s, &at, MINUS);
    if (!caret && !loose && !negative)
        return false;
    if (loose && negative)
        eat(s, &at, " ");
    int v = 0, n = 0;
    for (; quantity_is_digit(s, at) && n < 3; at++, n++)
        v = v * 10 + (s.p[at] - '0');
    if (!n || n > 2 || (quantity_is_digit(s, at)))
        return false;
    if (brace)
        eat(s, &at, "}");
    *value = negative ? -v : v;
    *pos = at;
    return true;
}

bool quantity_times_ten(struct sv s, size_t *pos, int *power)
{
    static const char *const times[] = {
        "\xc3\x97", "\xc2\xb7", "\xe2\x8b\x85", "x", "*", "X", "\xc3\x82" /* a lost × */
    };
    size_t at = *pos;
    eat_blanks(s, &at);
    unsigned char c = at < s.n ? (unsigned char)s.p[at] : ' ';
    if ((c < 0x80 && (c | 32) != 'x' && c != '*') || !eat_any(s, &at, times, ARRAY_LEN(times)))
        return false;
    eat_blanks(s, &at);
    if (!eat(s, &at, "10") || !read_exponent(s, &at, true, power))
        return false;
    *pos = at;
    return true;
}

/* "0,05" and "88,3 %": a comma for the point, where it cannot part thousands. loose: "1,5". */
static bool is_comma_decimal(struct sv s, size_t start, size_t comma, bool loose)
{
    size_t end = comma + 1;
    while (quantity_is_digit(s, end))
        end++;
    size_t n = end - comma - 1;
    bool is_zero = comma == start + 1 && s.p[start] == '0';
    if (!n || comma > start + 3 ||
        (end + 1 < s.n && s.p[end] == ',' && quantity_is_digit(s, end + 1)))
        return false;
    if (is_zero || (loose && n <= 2))
        return true;
    if (end < s.n && s.p[end] == ' ')
        end++;
    return n <= 2 && end < s.n && s.p[end] == '%';
}

/* A blank of "12 500" at pos, three digits and no more behind it: its bytes, else 0. */
static size_t group_gap(struct sv s, size_t pos)
{
    size_t at = pos;
    static const char *const gaps[] = { " ", "\xe2\x80\xaf", "\xe2\x80\x89", "\xc2\xa0" };
    if (at >= s.n || (s.p[at] != ' ' && (unsigned char)s.p[at] < 0x80) ||
        !eat_any(s, &at, gaps, ARRAY_LEN(gaps)))
        return 0;
    size_t n = 0;
    while (n < 4 && quantity_is_digit(s, at + n))
        n++;
    return n == 3 ? at - pos : 0;
}

/* Is the group behind the gap at pos the last, and no other number behind it? */
static bool ends_groups(struct sv s, size_t pos)
{
    for (size_t gap; (gap = group_gap(s, pos));)
        pos += gap + 3;
    return !(pos + 1 < s.n && s.p[pos] == ' ' && quantity_is_digit(s, pos + 1)) &&
           !(pos < s.n && s.p[pos] == '-' && quantity_is_digit(s, pos + 1) && pos > 6);
}

/* Digits with thousands ("1,234,567", loose: "12 500") and decimals; *text gets them without
 * what parts them. *is_loose: it needs a unit to be a number of that form. */
static bool read_digits(struct sv s, size_t *pos, char text[64], size_t *n, size_t *decimals,
                        bool *is_loose)
{
    size_t at = *pos;
    bool loose = *is_loose;
    *is_loose = false;
    *n = *decimals = 0;
    if (at < s.n && s.p[at] == '.' && quantity_is_fraction(s, at))
        text[(*n)++] = '0';
    while (quantity_is_digit(s, at) && *n < 40) {
        text[(*n)++] = s.p[at++];
        bool is_group = at < s.n && s.p[at] == ',' && *n <= 3 + 3 &&
                        quantity_is_digit(s, at + 1) && quantity_is_digit(s, at + 2) &&
                        quantity_is_digit(s, at + 3) && !quantity_is_digit(s, at + 4) &&
                        text[0] != '0';
        if (is_group)
            at++;
    }
    size_t gap;
    if (loose && at - *pos == *n && *n <= 3 && text[0] != '0' && group_gap(s, at) &&
        ends_groups(s, at)) {
        while ((gap = group_gap(s, at)) && *n <= 12) {
            memcpy(text + *n, s.p + at + gap, 3);
            *n += 3;
            at += gap + 3;
        }
        *is_loose = true;
    }
    bool has_point = at < s.n && s.p[at] == '.' && quantity_is_digit(s, at + 1);
    if (!has_point && at < s.n && s.p[at] == ',') {
        has_point = is_comma_decimal(s, *pos, at, false);
        if (!has_point && loose)
            has_point = *is_loose = is_comma_decimal(s, *pos, at, true);
    }
    if (has_point) {
        text[(*n)++] = '.';
        for (at++; quantity_is_digit(s, at) && *n < 40; at++, (*decimals)++)
            text[(*n)++] = s.p[at];
    }
    if (!*n || quantity_is_digit(s, at))
        return false;
    text[*n] = '\0';
    *pos = at;
    return true;
}

/* "½", "1/2", behind a whole number as well ("1 1/2", "1½"): *part. */
static bool read_fraction(struct sv s, size_t *pos, double *part)
{
    static const struct {
        uint32_t cp;
        double value;
    } signs[] = { { 0xBC, 0.25 },      { 0xBD, 0.5 },       { 0xBE, 0.75 },
                  { 0x2153, 1.0 / 3 }, { 0x2154, 2.0 / 3 }, { 0x215B, 0.125 },
                  { 0x215C, 0.375 },   { 0x215D, 0.625 },   { 0x215E, 0.875 } };
    size_t at = *pos;
    if (at >= s.n || s.p[at] == '0')
        return false;
    if (!quantity_is_digit(s, at)) {
        uint32_t cp = (unsigned char)s.p[at] >= 0x80 ? utf8_next(s, &at) : 0;
        for (size_t i = 0; cp && i < ARRAY_LEN(signs); i++) {
            if (signs[i].cp == cp) {
                *part = signs[i].value;
                *pos = at;
                return true;
            }
        }
        return false;
    }
    int top = s.p[at++] - '0', bottom = 0;
    if (!eat(s, &at, "/") && !eat(s, &at, "\xe2\x81\x84"))
        return false;
    size_t from = at;
    while (quantity_is_digit(s, at) && at < from + 3)
        bottom = bottom * 10 + (s.p[at++] - '0');
    bool is_part = bottom != top && bottom > 1 &&
                   (bottom <= 10 || bottom == 12 || bottom == 16) && s.p[from] != '0' &&
                   !(at < s.n && strchr("/.-", s.p[at])) && !quantity_is_digit(s, at);
    if (!is_part)
        return false;
    *part = round(1e4 * top / bottom) / 1e4; /* a third is 0.3333, in words as well */
    *pos = at;
    return true;
}

/* Digits with an optional point, times ten to `power`. Up to 15 digits are a whole number of
 * exact value, and so are powers of ten up to 22: their quotient is rounded once, as by strtod.
 */
static bool to_value(const char *text, size_t n, size_t decimals, int power, double *value)
{
    static const double tens[] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
    if (n <= 15 && power == 0) {
        double v = 0;
        for (size_t i = 0; i < n; i++)
            v = text[i] == '.' ? v : v * 10 + (text[i] - '0');
        *value = v / tens[decimals];
        return true;
    }
    char all[80];
    snprintf(all, sizeof all, "%se%d", text, power);
    bool is_nought = strspn(text, "0.") == n; /* "1e-999" is no nought */
    return sv_to_double(sv_from(all), value) && isfinite(*value) &&
           (is_nought || fpclassify(*value) != FP_ZERO);
}

/* "(12)" behind decimals: the error of their last digits; loose: "(1.2)" too. */
static void read_compact_error(struct sv s, size_t *pos, bool loose, struct number *out)
{
    size_t in = *pos + 1;
    int last = 0;
    bool is_whole = !out->decimals && !out->has_power; /* "1050(25) °C", not "1050(25)" */
    if (in >= s.n || s.p[*pos] != '(' || !quantity_is_digit(s, in))
        return;
    size_t from = in;
    while (quantity_is_digit(s, in) && in < *pos + 4)
        last = last * 10 + (s.p[in++] - '0');
    struct number whole;
    if (loose && in < s.n && s.p[in] == '.' &&
        quantity_number_unsigned(s, &from, false, &whole) && whole.decimals == out->decimals &&
        eat(s, &from, ")")) { /* "14.1(1.2) Ma" */
        out->compact_error = whole.value;
        out->is_loose = true;
        *pos = from;
    } else if (eat(s, &in, ")")) {
        out->compact_error = last * pow(10, -(double)out->decimals);
        out->is_loose |= is_whole;
        *pos = in;
    }
}

/* ".5" of "10−8.5", whose exponent so far is `power`: the value, to four digits. */
static bool read_part_power(struct sv s, size_t *pos, int power, double *value)
{
    size_t at = *pos + 1;
    double part = 0, unit = 0.1;
    if (*pos >= s.n || s.p[*pos] != '.' || !quantity_is_digit(s, at) || !power)
        return false;
    for (; quantity_is_digit(s, at) && unit > 1e-4; at++, unit /= 10)
        part += unit * (s.p[at] - '0');
    char digits[40];
    snprintf(digits, sizeof digits, "%.4g", pow(10, power < 0 ? power - part : power + part));
    if (quantity_is_digit(s, at) || !sv_to_double(sv_from(digits), value))
        return false;
    *pos = at;
    return true;
}

/* "e-5": *power, which stays in reach of a double or far out of it. */
static bool read_e(struct sv s, size_t *pos, int *power)
{
    if (*pos + 1 >= s.n || (s.p[*pos] | 32) != 'e')
        return false;
    size_t exp = *pos + 1;
    bool negative = quantity_eat_minus(s, &exp) || (eat(s, &exp, "+"), false);
    if (!quantity_is_digit(s, exp))
        return false;
    int value = 0;
    for (; quantity_is_digit(s, exp); exp++)
        value = value < 1000 ? value * 10 + (s.p[exp] - '0') : value;
    *power = negative ? -value : value;
    *pos = exp;
    return true;
}

/* Whole numbers with a fraction, or a fraction alone. */
static bool read_mixed(struct sv s, size_t *pos, struct number *out)
{
    size_t at = *pos;
    double whole = 0, part;
    if (!read_fraction(s, &at, &part)) {
        size_t n = 0;
        for (; n < 3 && quantity_is_digit(s, at); at++, n++)
            whole = whole * 10 + (s.p[at] - '0');
        eat(s, &at, " ");
        if (!n || !read_fraction(s, &at, &part))
            return false;
    }
    *out = (struct number){
        .value = whole + part, .compact_error = NAN, .decimals = 1, .is_loose = true
    };
    *pos = at;
    return true;
}

bool quantity_number_unsigned(struct sv s, size_t *pos, bool loose, struct number *out)
{
    char text[64];
    size_t n, at = *pos;
    if (loose && read_mixed(s, pos, out))
        return true;
    *out = (struct number){ .compact_error = NAN, .is_loose = loose };
    if (!read_digits(s, &at, text, &n, &out->decimals, &out->is_loose))
        return false;
    int power = 0;
    bool is_ten = n == 2 && text[0] == '1' && text[1] == '0';
    if (is_ten && read_exponent(s, &at, false, &power)) {
        memcpy(text, "1", 2);
        n = 1;
        out->has_power = true;
        if (read_part_power(s, &at, power, &out->value)) {
            *pos = at;
            return true;
        }
    } else {
        out->has_e = out->has_power = read_e(s, &at, &power);
    }
    if (loose || out->decimals)
        read_compact_error(s, &at, loose, out);
    if (!out->has_power && quantity_times_ten(s, &at, &power)) {
        out->has_power = true;
        out->compact_error *= pow(10, power);
    }
    if (!to_value(text, n, out->decimals, power, &out->value))
        return false;
    out->power = power;
    *pos = at;
    return true;
}

bool quantity_number(struct sv s, size_t *pos, bool loose, struct number *out)
{
    size_t at = *pos;
    bool negative = quantity_eat_minus(s, &at);
    bool plus = !negative && eat(s, &at, "+");
    if ((negative || plus) && at < s.n && s.p[at] == ' ' && quantity_is_digit(s, at + 1))
        at++;
    if (!quantity_number_unsigned(s, &at, loose, out))
        return false;
    out->has_sign = negative || plus;
    if (negative)
        out->value = -out->value;
    *pos = at;
    return true;
}
