// SPDX-License-Identifier: MIT
/*
 * quantity.c — reading numbers with signs, powers, errors, ranges and units
 */
#include "quantity.h"

#include <math.h>

#include "json.h"
#include "quantity_impl.h"
#include "utf8.h"

#define PLUS_MINUS "\xc2\xb1"
#define EN_DASH "\xe2\x80\x93"
#define MINUS "\xe2\x88\x92"

bool quantity_is_digit(struct sv s, size_t pos)
{
    return pos < s.n && s.p[pos] >= '0' && s.p[pos] <= '9';
}

bool quantity_is_fraction(struct sv s, size_t pos)
{
    return quantity_is_digit(s, pos + 1) && s.p[pos] == '.' &&
           (pos == 0 || strchr(" =<>(~", s.p[pos - 1]) || (unsigned char)s.p[pos - 1] >= 0x80);
}

static bool eat(struct sv s, size_t *pos, const char *what)
{
    size_t n = strlen(what);
    if (s.n - *pos < n || memcmp(s.p + *pos, what, n) != 0)
        return false;
    *pos += n;
    return true;
}

static bool eat_any(struct sv s, size_t *pos, const char *const what[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (eat(s, pos, what[i]))
            return true;
    return false;
}

static void eat_blanks(struct sv s, size_t *pos)
{
    static const char *const blanks[] = { " ",        "\n",           "\t",          "\r",
                                          "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89" };
    for (unsigned i = 0; i < 3 && *pos < s.n; i++) {
        unsigned char c = (unsigned char)s.p[*pos];
        if (c == ' ')
            ++*pos;
        else if ((c > ' ' && c < 0x80) || !eat_any(s, pos, blanks, ARRAY_LEN(blanks)))
            return;
    }
}

static const char *const minus_signs[] = { MINUS, "-", EN_DASH, "\xe2\x80\x90",
                                           "\xe2\x80\x91" };

bool quantity_eat_minus(struct sv s, size_t *pos)
{
    unsigned char c = *pos < s.n ? (unsigned char)s.p[*pos] : 0;
    return (c == '-' || c == 0xE2) && eat_any(s, pos, minus_signs, ARRAY_LEN(minus_signs));
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

/* "× 10^n" after a number; *power gets n. */
static bool read_times_ten(struct sv s, size_t *pos, int *power)
{
    static const char *const times[] = {
        "\xc3\x97", "\xc2\xb7", "\xe2\x8b\x85", "x", "*", "X"
    };
    size_t at = *pos;
    eat_blanks(s, &at);
    if (!eat_any(s, &at, times, ARRAY_LEN(times)))
        return false;
    eat_blanks(s, &at);
    if (!eat(s, &at, "10") || !read_exponent(s, &at, true, power))
        return false;
    *pos = at;
    return true;
}

/* "0,05" and "88,3": a comma for the point, where it cannot part thousands. */
static bool is_comma_decimal(struct sv s, size_t start, size_t comma)
{
    size_t end = comma + 1;
    while (quantity_is_digit(s, end))
        end++;
    size_t n = end - comma - 1;
    bool is_zero = comma == start + 1 && s.p[start] == '0';
    if (!n || comma > start + 3 ||
        (end + 1 < s.n && s.p[end] == ',' && quantity_is_digit(s, end + 1)))
        return false;
    if (is_zero)
        return true;
    if (end < s.n && s.p[end] == ' ')
        end++;
    return n <= 2 && end < s.n && s.p[end] == '%';
}

/* Digits with thousands ("1,234,567") and decimals; *text gets them without commas. */
static bool read_digits(struct sv s, size_t *pos, char text[64], size_t *n, size_t *decimals)
{
    size_t at = *pos;
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
    bool has_point = at < s.n && s.p[at] == '.' && quantity_is_digit(s, at + 1);
    if (has_point || (at < s.n && s.p[at] == ',' && is_comma_decimal(s, *pos, at))) {
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

struct number {
    double value;
    double compact_error; /* "0.512638(12)"; NAN: none */
    size_t decimals;
    bool has_sign, has_power;
};

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
    return sv_to_double(sv_from(all), value);
}

/* A number without its sign. */
static bool read_unsigned(struct sv s, size_t *pos, struct number *out)
{
    char text[64];
    size_t n, at = *pos;
    *out = (struct number){ .compact_error = NAN };
    if (!read_digits(s, &at, text, &n, &out->decimals))
        return false;
    int power = 0;
    bool is_ten = n == 2 && text[0] == '1' && text[1] == '0';
    if (is_ten && read_exponent(s, &at, false, &power)) {
        memcpy(text, "1", 2);
        n = 1;
        out->has_power = true;
    } else if (at + 1 < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
        size_t exp = at + 1;
        bool negative = quantity_eat_minus(s, &exp) || (eat(s, &exp, "+"), false);
        if (quantity_is_digit(s, exp)) {
            for (; quantity_is_digit(s, exp) && power < 1000; exp++)
                power = power * 10 + (s.p[exp] - '0');
            power = negative ? -power : power;
            at = exp;
            out->has_power = true;
        }
    }
    if (out->decimals && at + 1 < s.n && s.p[at] == '(' && quantity_is_digit(s, at + 1)) {
        size_t in = at + 1;
        int last = 0;
        while (quantity_is_digit(s, in) && in < at + 4)
            last = last * 10 + (s.p[in++] - '0');
        if (eat(s, &in, ")")) {
            out->compact_error = last * pow(10, -(double)out->decimals);
            at = in;
        }
    }
    if (!out->has_power && read_times_ten(s, &at, &power))
        out->has_power = true;
    if (!to_value(text, n, out->decimals, power, &out->value))
        return false;
    *pos = at;
    return true;
}

static bool read_number(struct sv s, size_t *pos, struct number *out)
{
    size_t at = *pos;
    bool negative = quantity_eat_minus(s, &at);
    bool plus = !negative && eat(s, &at, "+");
    if ((negative || plus) && at < s.n && s.p[at] == ' ' && quantity_is_digit(s, at + 1))
        at++;
    if (!read_unsigned(s, &at, out))
        return false;
    out->has_sign = negative || plus;
    if (negative)
        out->value = -out->value;
    *pos = at;
    return true;
}

/* ---- what surrounds it ---- */

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
        { "95%", "95%" },        { "rsd", "%" },
    };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        size_t k = strlen(kinds[i][0]);
        bool is_short = kinds[i][0][0] == 's' || kinds[i][0][0] == '~';
        if (strncmp(key, kinds[i][0], k) == 0 && (!is_short || key[k] == '\0'))
            return kinds[i][1];
    }
    return NULL;
}

/* "(2σ)", "(2SE, n = 5)", " 2σ" behind an error. */
static void read_error_kind(struct sv s, size_t *pos, struct quantity *q)
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
    if (!bracket)
        return;
    size_t close = end;
    while (close < s.n && close < end + 24 && !strchr(")]", s.p[close]))
        close++;
    if (close < s.n && strchr(")]", s.p[close]))
        *pos = close + 1;
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
        unit = UNIT_TEXT;
        end = composed;
        *text = sv_from_to(s, at, end);
    }
    if (unit != UNIT_NONE)
        *pos = end;
    return unit;
}

/* "± 0.4", "+/- 5%" */
static void read_error(const struct units *u, struct sv s, size_t *pos, struct quantity *q)
{
    static const char *const signs[] = { PLUS_MINUS, "+/-", "+/\xe2\x88\x92", "+-" };
    size_t at = *pos;
    struct number n;
    eat_blanks(s, &at);
    if (at >= s.n || (s.p[at] != '+' && (unsigned char)s.p[at] != 0xC2) ||
        !eat_any(s, &at, signs, ARRAY_LEN(signs)))
        return;
    eat_blanks(s, &at);
    if (!read_unsigned(s, &at, &n))
        return;
    q->error = n.value;
    *pos = at;
    if (eat(s, pos, "%") || eat(s, pos, " %")) {
        bool is_unit = q->unit != UNIT_NONE && sv_is(units_name(u, q->unit), "%");
        if (!is_unit)
            q->error_kind = "%";
    }
}

/* The second number of a range; *between: "and" joins, too. */
static bool read_high(struct sv s, size_t *pos, bool between, struct number *out)
{
    size_t at = *pos;
    static const char *const dashes[] = {
        EN_DASH, "-", "\xe2\x80\x94", MINUS, "\xe2\x80\x90", "\xe2\x80\x91", "~"
    };
    eat_blanks(s, &at);
    bool spaced = at > *pos;
    if (eat(s, &at, "to ") || eat(s, &at, "through ") || eat(s, &at, "bis ") ||
        eat(s, &at, "\xc3\xa0 ") || (between && eat(s, &at, "and "))) {
        if (!read_number(s, &at, out))
            return false;
    } else {
        if (!eat_any(s, &at, dashes, ARRAY_LEN(dashes)))
            return false;
        size_t gap = at;
        eat_blanks(s, &at);
        if (spaced != (at > gap)) /* "5 -3" is no range */
            return false;
        if (!read_number(s, &at, out))
            return false;
    }
    *pos = at;
    return true;
}

/* ---- whole quantities ---- */

struct quantity quantity_none(size_t pos)
{
    return (struct quantity){
        .start = pos, .end = pos, .low = NAN, .high = NAN, .error = NAN, .unit = UNIT_NONE
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

/* "(1.35 ± 0.05) × 10^12": the bracket's numbers share the power. */
static bool read_bracket(const struct units *u, struct sv s, size_t *pos, struct quantity *q)
{
    size_t at = *pos;
    struct number n;
    int power;
    if (!eat(s, &at, "("))
        return false;
    eat_blanks(s, &at);
    if (!read_number(s, &at, &n))
        return false;
    q->low = n.value;
    read_error(u, s, &at, q);
    struct number high;
    if (read_high(s, &at, false, &high))
        q->high = high.value;
    eat_blanks(s, &at);
    if (!eat(s, &at, ")") || !read_times_ten(s, &at, &power)) {
        *q = quantity_none(q->start);
        return false;
    }
    double factor = pow(10, power);
    q->low *= factor;
    q->high *= factor;
    q->error *= factor;
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

static bool read_plain(const struct units *u, struct sv s, size_t *pos, bool between,
                       struct quantity *q)
{
    size_t at = *pos;
    double factor;
    struct number n, high;
    if (!read_number(s, &at, &n))
        return false;
    q->low = n.value;
    q->error = n.compact_error;
    q->is_year =
        !n.decimals && !n.has_sign && !n.has_power && n.value >= 1500 && n.value <= 2100;
    q->is_bare = !n.decimals && !n.has_power && !n.has_sign;
    q->has_minus = n.has_sign && n.value <= 0;
    size_t after = at;
    q->unit = quantity_read_unit(u, s, &after, &q->unit_text);
    if (q->unit == UNIT_NONE && (factor = quantity_scale(s, &after)) > 1) {
        q->low *= factor;
        q->is_year = q->is_bare = false;
        at = after;
        q->unit = quantity_read_unit(u, s, &after, &q->unit_text);
    }
    if (q->unit != UNIT_NONE)
        at = after;
    read_error(u, s, &at, q);
    if (isnan(q->error) && read_high(s, &at, between, &high)) {
        q->high = high.value;
        if (high.has_power && !n.has_power && q->low >= 1 && fabs(q->high / q->low) > 1e4)
            q->low *= pow(10, floor(log10(fabs(q->high)))); /* "1.2–3.4 × 10⁵" */
        read_error(u, s, &at, q);
        if (q->unit == UNIT_NONE || !isnan(q->error))
            q->error = NAN;
        after = at;
        struct sv text = SV_NONE;
        uint32_t unit = quantity_read_unit(u, s, &after, &text);
        if (unit != UNIT_NONE) {
            q->unit = unit;
            q->unit_text = text;
            at = after;
        } else if (q->unit != UNIT_NONE) {
            q->high = NAN; /* "5 ppm to 3": the second is something else */
            at = *pos;
            read_number(s, &at, &n);
            quantity_read_unit(u, s, &at, &q->unit_text);
        }
    }
    *pos = at;
    return true;
}

bool quantity_read(const struct units *u, struct sv s, size_t pos, bool between,
                   struct quantity *q)
{
    *q = quantity_none(pos);
    quantity_read_op(s, &pos, q);
    if (!read_bracket(u, s, &pos, q) && !read_plain(u, s, &pos, between, q))
        return false;
    if (q->unit == UNIT_NONE) {
        size_t after = pos;
        q->unit = quantity_read_unit(u, s, &after, &q->unit_text);
        if (q->unit != UNIT_NONE)
            pos = after;
    }
    if (!isnan(q->error)) {
        size_t after = pos;
        struct sv text = SV_NONE;
        if (quantity_read_unit(u, s, &after, &text) == q->unit) /* "21.3 Ma ± 0.4 Ma" */
            pos = after;
        after = pos;
        if (q->error_kind == NULL)
            read_error_kind(s, &after, q);
        pos = after;
    }
    q->end = pos;
    q->is_bare &= q->unit == UNIT_NONE && q->op == Q_IS && isnan(q->error);
    if (!isfinite(q->low))
        return false;
    quantity_place(q);
    return true;
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
        buf_str(out, " " PLUS_MINUS " ");
        put_number(out, q->error);
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
