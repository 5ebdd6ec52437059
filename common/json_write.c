// SPDX-License-Identifier: MIT
/*
 * json_write.c — JSON text appended to a buffer
 */
#include "json_internal.h"

#include <math.h>

#include "utf8.h"

/* Is what comes next behind another value? */
static inline bool wants_comma(const struct buf *b)
{
    char last = b->len ? b->data[b->len - 1] : '{';
    return last != '{' && last != '[' && last != ':' && last != '\n';
}

static void comma(struct buf *b)
{
    if (wants_comma(b))
        buf_char(b, ',');
}

void json_open(struct buf *b, char bracket)
{
    comma(b);
    buf_char(b, bracket);
}

void json_close(struct buf *b, char bracket)
{
    buf_char(b, bracket);
}

static void put_escaped(struct buf *b, unsigned char c)
{
    switch (c) {
    case '"':
        buf_str(b, "\\\"");
        break;
    case '\\':
        buf_str(b, "\\\\");
        break;
    case '\n':
        buf_str(b, "\\n");
        break;
    case '\t':
        buf_str(b, "\\t");
        break;
    case '\r':
        buf_str(b, "\\r");
        break;
    default:
        buf_printf(b, "\\u%04x", c);
    }
}

/* Text that is no UTF-8 (a file's name may be that) would make the line no JSON. */
static void put_repaired(struct buf *b, struct sv s);

/* The bytes of w that are c have their top bits set; so may such that follow one. */
static uint64_t bytes_that_are(uint64_t w, unsigned char c)
{
    const uint64_t ones = 0x0101010101010101u;
    w ^= ones * c;
    return (w - ones) & ~w;
}

/* From i on, eight bytes at a time: past what needs no escape. */
static size_t skip_plain(struct sv s, size_t i)
{
    for (; i + 8 <= s.n; i += 8) {
        uint64_t w;
        memcpy(&w, s.p + i, 8);
        uint64_t below = (w - 0x2020202020202020u) & ~w;
        uint64_t found =
            below | bytes_that_are(w, '"') | bytes_that_are(w, '\\') | bytes_that_are(w, 0x7F);
        if (found & 0x8080808080808080u)
            break;
    }
    return i;
}

static void put_quoted(struct buf *b, struct sv s)
{
    if (utf8_check(s) != SIZE_MAX) {
        put_repaired(b, s);
        return;
    }
    buf_char(b, '"');
    size_t from = 0;
    for (size_t i = 0; (i = skip_plain(s, i)) < s.n;) {
        for (size_t end = i + 8; i < s.n && i < end; i++) {
            unsigned char c = (unsigned char)s.p[i];
            if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
                continue;
            buf_add(b, s.p + from, i - from);
            put_escaped(b, c);
            from = i + 1;
        }
    }
    buf_add(b, s.p + from, s.n - from);
    buf_char(b, '"');
}

static void put_repaired(struct buf *b, struct sv s)
{
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < s.n;)
        utf8_put(&text, utf8_next(s, &i)); /* U+FFFD for what is none */
    put_quoted(b, buf_view(&text));
    buf_release(&text);
}

/* The comma if needed, s in quotes, and a colon behind a key; in one go where s holds nothing
 * that is escaped or not ASCII, which is nearly always. */
static inline void put_text(struct buf *b, struct sv s, bool is_key)
{
    bool has_comma = wants_comma(b);
    size_t n = has_comma + s.n + 2 + is_key;
    char *to = buf_reserve(b, n);
    if (to && json_copy_plain(to + has_comma + 1, s)) {
        if (has_comma)
            *to++ = ',';
        to[0] = to[s.n + 1] = '"';
        if (is_key)
            to[s.n + 2] = ':';
        buf_commit(b, n);
        return;
    }
    comma(b);
    put_quoted(b, s);
    if (is_key)
        buf_char(b, ':');
}

void json_key_sv(struct buf *b, struct sv key)
{
    put_text(b, key, true);
}

void json_put_str(struct buf *b, struct sv s)
{
    put_text(b, s, false);
}

/*
 * A value of few decimals, m/10^k, without printf: both are exact as doubles, so the division
 * is rounded once and its result being v means that the text reads back as v. The smallest k is
 * the shortest text, which is what %.15g writes too.
 */
static bool put_decimal(struct buf *b, double v)
{
    static const double ten[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
    double a = fabs(v);
    if (!(a >= 1e-4 && a < 1e9))
        return false;
    for (size_t k = 0; k < ARRAY_LEN(ten); k++) {
        double m = rint(a * ten[k]);
        if (m / ten[k] != a)
            continue;
        char text[32];
        size_t at = sizeof text, n_decimals = k;
        for (uint64_t rest = (uint64_t)m, n = 0; rest || n <= n_decimals; rest /= 10, n++) {
            if (n == n_decimals && n)
                text[--at] = '.';
            text[--at] = (char)('0' + rest % 10);
        }
        if (v < 0)
            text[--at] = '-';
        buf_add(b, text + at, sizeof text - at);
        return true;
    }
    return false;
}

/* The shortest of the given precisions that reads back as the same value. */
void json_put_num(struct buf *b, double v)
{
    comma(b);
    if (!isfinite(v)) {
        buf_str(b, "null");
        return;
    }
    if (v == 0) { /* no "-0" */
        buf_char(b, '0');
        return;
    }
    if (put_decimal(b, v))
        return;
    char tmp[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(tmp, sizeof tmp, "%.*g", digits, v);
        if (strtod(tmp, NULL) == v)
            break;
    }
    buf_str(b, tmp);
}

void json_put_float(struct buf *b, float v)
{
    comma(b);
    if (!isfinite(v)) {
        buf_str(b, "null");
        return;
    }
    if (v == 0) {
        buf_char(b, '0');
        return;
    }
    char tmp[40];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(tmp, sizeof tmp, "%.*g", digits, (double)v);
        if (strtof(tmp, NULL) == v)
            break;
    }
    buf_str(b, tmp);
}

void json_put_int(struct buf *b, int64_t v)
{
    comma(b);
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (v < 0)
        digits[--at] = '-';
    buf_add(b, digits + at, sizeof digits - at);
}

void json_put_bool(struct buf *b, bool v)
{
    comma(b);
    buf_str(b, v ? "true" : "false");
}

void json_put_null(struct buf *b)
{
    comma(b);
    buf_str(b, "null");
}

/* What json_put_str and json_put_int write as libjq does: strings without \b and \f, integers
 * that need no exponent. */
static bool is_simple(jv v)
{
    if (json_is_num(v)) {
        double n = json_num(v);
        return n == floor(n) && fabs(n) < 1e15 && (n != 0 || !signbit(n));
    }
    struct sv s = json_sv(v);
    return json_is_str(v) && !memchr(s.p, '\b', s.n) && !memchr(s.p, '\f', s.n);
}

void json_put_jv(struct buf *b, jv v)
{
    if (json_is_array(v)) {
        json_open(b, '[');
        for (size_t i = 0, n = json_len(v); i < n; i++)
            json_put_jv(b, json_at(v, i));
        json_close(b, ']');
        return;
    }
    if (is_simple(v)) {
        if (json_is_str(v))
            json_put_str(b, json_sv(v));
        else
            json_put_int(b, (int64_t)json_num(v));
        return;
    }
    comma(b);
    jv text = jv_dump_string(jv_copy(v), 0);
    buf_sv(b, json_sv(text));
    jv_free(text);
}

void json_put_raw(struct buf *b, struct sv text)
{
    comma(b);
    buf_sv(b, text);
}

/* ---- whole members ---- */

void json_add_str(struct buf *b, const char *key, struct sv s)
{
    if (!s.n)
        return;
    put_text(b, sv_from(key), true);
    put_text(b, s, false);
}

void json_add_num(struct buf *b, const char *key, double v)
{
    if (!isfinite(v))
        return;
    json_key(b, key);
    json_put_num(b, v);
}

void json_add_size(struct buf *b, const char *key, size_t n)
{
    json_key(b, key);
    json_put_int(b, (int64_t)n);
}
