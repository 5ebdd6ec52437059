// SPDX-License-Identifier: MIT
/*
 * json_read.c — a quick reader of JSON text that is in order
 *
 * libjq's parser goes byte by byte. This one takes strings in runs, and leaves whatever is not
 * plain JSON (errors, NaN, lone surrogates, deep nesting, NUL) to libjq, which then says what
 * the value or the error is. So there is one judge of what is accepted, and no second wording.
 */
#include "json_read.h"

#include <math.h>

#include "buf.h"
#include "json_internal.h"
#include "utf8.h"

#define DEPTH_MAX 100

struct reader {
    const char *p, *end;
    struct buf scratch; /* a string with escapes, decoded */
    int depth;
    const char *const *unread; /* members of the outermost object that are only checked */
    bool is_skipping;          /* make null of everything */
    struct sv first;           /* raw value of the first of them */
};

static bool read_value(struct reader *r, jv *out);

static void skip_space(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

/* The next byte is c: step over it. */
static bool take(struct reader *r, char c)
{
    if (r->p >= r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

static bool read_hex4(struct reader *r, uint32_t *cp)
{
    *cp = 0;
    if (r->end - r->p < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = *r->p++;
        uint32_t d = c >= '0' && c <= '9'                 ? (uint32_t)(c - '0')
                     : (c | 32) >= 'a' && (c | 32) <= 'f' ? (uint32_t)((c | 32) - 'a' + 10)
                                                          : 16;
        if (d == 16)
            return false;
        *cp = *cp << 4 | d;
    }
    return true;
}

/* What follows a backslash. */
static bool read_escape(struct reader *r)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (r->p >= r->end)
        return false;
    char c = *r->p++;
    const char *at = c ? strchr(from, c) : NULL;
    if (at) {
        buf_char(&r->scratch, to[at - from]);
        return true;
    }
    uint32_t cp, low;
    if (c != 'u' || !read_hex4(r, &cp) || cp == 0 || (cp >= 0xDC00 && cp < 0xE000))
        return false;
    if (cp >= 0xD800 && cp < 0xDC00) {
        if (!take(r, '\\') || !take(r, 'u') || !read_hex4(r, &low) || low < 0xDC00 ||
            low >= 0xE000)
            return false;
        cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
    }
    utf8_put(&r->scratch, cp);
    return true;
}

/* First byte at or after p that ends a run of a string: a quote, a backslash or a control. */
static const char *run_end(const char *p, const char *end)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    for (; end - p >= 8; p += 8) { /* eight bytes at a time: zero-byte test of three forms */
        uint64_t w;
        memcpy(&w, p, 8);
        uint64_t quote = w ^ (ones * '"'), slash = w ^ (ones * '\\');
        uint64_t hit =
            ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((w - ones * 0x20) & ~w);
        if (hit & tops)
            break;
    }
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        p++;
    return p;
}

/* After the opening quote. *text: a view of the line, or of scratch. */
static bool read_chars(struct reader *r, struct sv *text)
{
    const char *from = r->p, *to = run_end(r->p, r->end);
    if (to < r->end && *to == '"') {
        r->p = to + 1;
        *text = (struct sv){ from, (size_t)(to - from) };
        return true;
    }
    buf_reset(&r->scratch); /* skipping, only escapes are looked at */
    while (to < r->end && *to == '\\') {
        if (!r->is_skipping)
            buf_add(&r->scratch, from, (size_t)(to - from));
        r->p = to + 1;
        if (!read_escape(r))
            return false;
        from = r->p;
        to = run_end(from, r->end);
    }
    if (to >= r->end || *to != '"')
        return false;
    if (!r->is_skipping)
        buf_add(&r->scratch, from, (size_t)(to - from));
    r->p = to + 1;
    *text = buf_view(&r->scratch);
    return true;
}

static jv make_string(struct sv s)
{
    return jv_string_sized(s.p, (int)s.n);
}

/* After the opening quote. */
static bool read_string(struct reader *r, jv *out)
{
    struct sv text;
    if (!read_chars(r, &text))
        return false;
    *out = r->is_skipping ? jv_null() : make_string(text);
    return true;
}

void json_internal_unquote(struct buf *out, struct sv raw)
{
    buf_reserve(out, raw.n); /* decoded, it is no longer */
    struct reader r = { .p = raw.p, .end = raw.p + raw.n, .scratch = *out };
    for (const char *to; (to = run_end(r.p, r.end)) < r.end;) {
        buf_add(&r.scratch, r.p, (size_t)(to - r.p));
        r.p = to + 1;
        if (*to != '\\' || !read_escape(&r))
            break;
    }
    buf_add(&r.scratch, r.p, (size_t)(r.end - r.p));
    *out = r.scratch;
}

static bool read_digits(struct reader *r)
{
    const char *from = r->p;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
        r->p++;
    return r->p > from;
}

/* Integers of up to 15 digits at once, all others by strtod on a copy. */
static bool read_number(struct reader *r, jv *out)
{
    const char *from = r->p;
    bool minus = take(r, '-');
    const char *digits = r->p;
    if (!read_digits(r) || (*digits == '0' && r->p - digits > 1))
        return false;
    if (r->p - digits <= 15 && (r->p >= r->end || (*r->p != '.' && (*r->p | 32) != 'e'))) {
        int64_t n = 0;
        for (const char *d = digits; d < r->p; d++)
            n = n * 10 + (*d - '0');
        if (minus && n == 0)
            return false;
        *out = jv_number((double)(minus ? -n : n));
        return true;
    }
    if (take(r, '.') && !read_digits(r))
        return false;
    if (r->p < r->end && (*r->p | 32) == 'e') {
        r->p++;
        if (!take(r, '-'))
            take(r, '+');
        if (!read_digits(r))
            return false;
    }
    char copy[64];
    size_t n = (size_t)(r->p - from);
    if (n >= sizeof copy)
        return false;
    if (r->is_skipping && !memchr(from, 'e', n) && !memchr(from, 'E', n)) { /* finite */
        *out = jv_null();
        return true;
    }
    memcpy(copy, from, n);
    copy[n] = '\0';
    double v = strtod(copy, NULL);
    if (!isfinite(v))
        return false;
    *out = jv_number(v);
    return true;
}

static bool read_word(struct reader *r, const char *word, jv value, jv *out)
{
    size_t n = strlen(word);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
        return false;
    r->p += n;
    *out = value;
    return true;
}

/* Is it a member that is only checked? *is_first: the first that is named. */
static bool is_unread(const struct reader *r, struct sv key, bool *is_first)
{
    *is_first = false;
    if (r->depth != 1 || !r->unread || !key.n)
        return false;
    for (size_t i = 0; r->unread[i]; i++)
        if (r->unread[i][0] == key.p[0] && sv_is(key, r->unread[i])) {
            *is_first = i == 0;
            return true;
        }
    return false;
}

/* After the opening bracket. */
static bool read_array(struct reader *r, jv *out)
{
    jv array = r->is_skipping ? jv_null() : jv_array(), item;
    skip_space(r);
    if (take(r, ']')) {
        *out = array;
        return true;
    }
    do {
        if (!read_value(r, &item))
            goto bad;
        if (!r->is_skipping)
            array = jv_array_append(array, item);
        skip_space(r);
    } while (take(r, ','));
    if (take(r, ']')) {
        *out = array;
        return true;
    }
bad:
    jv_free(array);
    return false;
}

/* "key":value, into *object. */
static bool read_member(struct reader *r, jv *object)
{
    bool was_skipping = r->is_skipping, is_first;
    struct sv name;
    jv key = jv_null(), value;
    if (!take(r, '"') || !read_chars(r, &name))
        return false;
    r->is_skipping |= is_unread(r, name, &is_first);
    if (!r->is_skipping)
        key = make_string(name); /* the view does not outlast the value */
    skip_space(r);
    bool ok = take(r, ':');
    skip_space(r);
    const char *from = r->p;
    ok = ok && read_value(r, &value);
    if (ok && is_first)
        r->first = (struct sv){ from, (size_t)(r->p - from) };
    if (ok && !r->is_skipping)
        *object = jv_object_set(*object, key, value);
    else
        jv_free(key);
    r->is_skipping = was_skipping;
    return ok;
}

/* After the opening brace. */
static bool read_object(struct reader *r, jv *out)
{
    jv object = r->is_skipping ? jv_null() : jv_object();
    skip_space(r);
    if (take(r, '}')) {
        *out = object;
        return true;
    }
    do {
        skip_space(r);
        if (!read_member(r, &object))
            goto bad;
        skip_space(r);
    } while (take(r, ','));
    if (take(r, '}')) {
        *out = object;
        return true;
    }
bad:
    jv_free(object);
    return false;
}

static bool read_value(struct reader *r, jv *out)
{
    skip_space(r);
    if (r->p >= r->end || r->depth >= DEPTH_MAX)
        return false;
    bool ok;
    switch (*r->p) {
    case '"':
        r->p++;
        return read_string(r, out);
    case '{':
    case '[':
        r->depth++;
        ok = *r->p++ == '{' ? read_object(r, out) : read_array(r, out);
        r->depth--;
        return ok;
    case 't':
        return read_word(r, "true", jv_true(), out);
    case 'f':
        return read_word(r, "false", jv_false(), out);
    case 'n':
        return read_word(r, "null", jv_null(), out);
    default:
        return read_number(r, out);
    }
}

static bool read_text(jv *out, struct sv text, const char *const *unread, bool is_skipping,
                      struct sv *first)
{
    struct reader r = {
        .p = text.p, .end = text.p + text.n, .unread = unread, .is_skipping = is_skipping
    };
    jv v;
    bool ok = text.n < (size_t)1 << 30 && read_value(&r, &v);
    if (ok) {
        skip_space(&r);
        ok = r.p == r.end;
        *first = r.first;
        if (ok)
            *out = v;
        else
            jv_free(v);
    }
    buf_release(&r.scratch);
    return ok;
}

bool json_read(jv *out, struct sv text, const char *const *unread)
{
    struct sv first;
    return read_text(out, text, unread, false, &first);
}

/* ---- with libjq behind it ---- */

/* libjq's message quotes the whole input behind " (while parsing"; the line is named already.
 */
static int parse_error(jv invalid, struct err *err)
{
    jv msg = jv_invalid_get_msg(invalid);
    struct sv text = jv_get_kind(msg) == JV_KIND_STRING ? json_sv(msg) : SV("no value");
    size_t cut = sv_find(text, SV(" (while parsing"), 0);
    text = sv_from_to(text, 0, cut);
    if (text.n > 200)
        text.n = 200;
    err_set(err, EXIT_REJECTED, "not JSON: %.*s", SV_ARG(text));
    jv_free(msg);
    return -1;
}

static int read_any(jv *out, struct sv text, const char *const *unread, bool is_skipping,
                    struct sv *first, struct err *err)
{
    size_t bad = utf8_check(text);
    if (bad != SIZE_MAX)
        return err_set(err, EXIT_REJECTED,
                       "not valid UTF-8 at byte %zu (0x%02x): convert the input to UTF-8",
                       bad + 1, (unsigned char)text.p[bad]);
    if (text.n > INT32_MAX)
        return err_set(err, EXIT_REJECTED, "JSON text of %zu bytes is too long", text.n);
    const char *nul = text.n ? memchr(text.p, '\0', text.n) : NULL;
    if (nul)
        return err_set(err, EXIT_REJECTED, "not JSON: NUL byte at byte %zu",
                       (size_t)(nul - text.p) + 1);
    if (read_text(out, text, unread, is_skipping, first))
        return 0;
    jv v = jv_parse_sized(text.p, (int)text.n);
    if (!jv_is_valid(v))
        return parse_error(v, err);
    struct sv odd;
    if (!json_internal_is_strict(text, &odd)) {
        jv_free(v);
        odd.n = odd.n < 60 ? odd.n : 60;
        return err_set(err, EXIT_REJECTED, "not JSON: \"%.*s\" at byte %zu", SV_ARG(odd),
                       (size_t)(odd.p - text.p) + 1);
    }
    *out = v;
    return 0;
}

int json_read_any(jv *out, struct sv text, const char *const *unread, struct sv *first,
                  struct err *err)
{
    *first = SV_NONE;
    return read_any(out, text, unread, false, first, err);
}

int json_check(struct sv text, struct err *err)
{
    jv v;
    struct sv first;
    if (read_any(&v, text, NULL, true, &first, err) < 0)
        return -1;
    jv_free(v);
    return 0;
}

void json_free(jv v)
{
    jv_free(v);
}
