// SPDX-License-Identifier: MIT
/*
 * utf8.c — UTF-8 walking by hand, Unicode properties by utf8proc
 */
#include "utf8.h"

#include <utf8proc.h>

#include "alloc.h"

/* Length of the valid sequence at p (n bytes left), or 0. */
static size_t sequence(const unsigned char *p, size_t n)
{
    unsigned char c = p[0];
    if (c < 0x80)
        return 1;
    size_t len = c >= 0xC2 && c <= 0xDF   ? 2
                 : c >= 0xE0 && c <= 0xEF ? 3
                 : c >= 0xF0 && c <= 0xF4 ? 4
                                          : 0;
    if (!len || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F) ||
        (c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F))
        return 0;
    return len;
}

/* Bytes of plain ASCII from position i on, eight at a time. */
static size_t skip_ascii(struct sv s, size_t i)
{
    for (; i + 8 <= s.n; i += 8) {
        uint64_t w;
        memcpy(&w, s.p + i, 8);
        if (w & 0x8080808080808080u)
            break;
    }
    while (i < s.n && (unsigned char)s.p[i] < 0x80)
        i++;
    return i;
}

size_t utf8_check(struct sv s)
{
    size_t i = 0;
    while ((i = skip_ascii(s, i)) < s.n) {
        size_t len = sequence((const unsigned char *)s.p + i, s.n - i);
        if (!len)
            return i;
        i += len;
    }
    return SIZE_MAX;
}

uint32_t utf8_next(struct sv s, size_t *pos)
{
    const unsigned char *p = (const unsigned char *)s.p + *pos;
    size_t len = sequence(p, s.n - *pos);
    *pos += len ? len : 1;
    switch (len) {
    case 1:
        return p[0];
    case 2:
        return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
    case 3:
        return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    case 4:
        return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 |
               (p[3] & 0x3Fu);
    default:
        return 0xFFFD;
    }
}

uint32_t utf8_before(struct sv s, size_t pos)
{
    size_t at = utf8_floor(s, pos - 1);
    return utf8_next(s, &at);
}

void utf8_put(struct buf *b, uint32_t cp)
{
    if (cp < 0x80) {
        buf_char(b, (char)cp);
        return;
    }
    utf8proc_uint8_t tmp[4];
    utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)cp, tmp);
    if (n > 0)
        buf_add(b, (const char *)tmp, (size_t)n);
}

size_t utf8_count(struct sv s)
{
    size_t n = 0, i = 0;
    for (; i + 8 <= s.n; i += 8) { /* bytes that go on: the top bit is set, the next is not */
        uint64_t w;
        memcpy(&w, s.p + i, 8);
        w = (w & ~(w << 1) & 0x8080808080808080u) >> 7;
        n += 8 - (size_t)((w * 0x0101010101010101u) >> 56);
    }
    for (; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
    return n;
}

size_t utf8_offset(struct sv s, size_t n)
{
    for (size_t i = 0; i < s.n; i++)
        if (((unsigned char)s.p[i] & 0xC0) != 0x80 && n-- == 0)
            return i;
    return s.n;
}

size_t utf8_floor(struct sv s, size_t pos)
{
    if (pos >= s.n)
        return s.n;
    while (pos && ((unsigned char)s.p[pos] & 0xC0) == 0x80)
        pos--;
    return pos;
}

static void map_piece(struct buf *b, struct sv s, utf8proc_option_t options)
{
    utf8proc_uint8_t *out = NULL;
    utf8proc_ssize_t n =
        utf8proc_map((const utf8proc_uint8_t *)s.p, (utf8proc_ssize_t)s.n, &out, options);
    if (n == UTF8PROC_ERROR_NOMEM)
        alloc_die(NULL);
    if (n < 0) /* not valid UTF-8: callers check first; keep the bytes */
        buf_sv(b, s);
    else
        buf_add(b, (const char *)out, (size_t)n);
    free(out);
}

/* A character that is NFC beside any other of its kind: a starter that neither decomposes nor
 * composes with one before it. A few ranges that hold nearly all of scientific text. */
static bool is_stable(uint32_t cp)
{
    static const struct {
        uint32_t from, to; /* one past the last */
    } ranges[] = {
        { 0, 0x300 },        { 0x388, 0x483 },     { 0x2002, 0x20D0 },   { 0x2100, 0x2126 },
        { 0x212C, 0x2329 },  { 0x232B, 0x2ADC },   { 0x1E00, 0x1F71 },   { 0x3400, 0xA000 },
        { 0xAC00, 0xD7A4 },  { 0xE000, 0xF900 },   { 0xFB00, 0xFB1D },   { 0xFE00, 0xFE20 },
        { 0xFE30, 0x101FD }, { 0x1D400, 0x1DA00 }, { 0x1F000, 0x1FC00 }, { 0x48A, 0x591 },
    };
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
        if (cp >= ranges[i].from && cp < ranges[i].to)
            return true;
    return false;
}

#define PIECE 1024 /* bytes given to utf8proc at a time */

/* Where a piece that begins at `from` may end: before a character that does not meet what is
 * before it in any form; amid a run of marks of hundreds of bytes, before any. */
static size_t piece_end(struct sv s, size_t from)
{
    if (s.n - from <= PIECE)
        return s.n;
    size_t most = utf8_floor(s, from + PIECE);
    for (size_t i = most; i > from + PIECE / 2; i = utf8_floor(s, i - 1)) {
        size_t next = i;
        uint32_t cp = utf8_next(s, &next);
        if (is_stable(cp) && cp != 0xFF9E && cp != 0xFF9F) /* sound marks, in NFKC */
            return i;
    }
    return most;
}

/* utf8proc sorts the marks of a character by insertion: a million of them would take hours, so
 * it gets pieces. */
static void map_text(struct buf *b, struct sv s, utf8proc_option_t options)
{
    for (size_t from = 0, to; from < s.n; from = to) {
        to = piece_end(s, from);
        map_piece(b, sv_from_to(s, from, to), options);
    }
}

/* Position of the first character at or after i that is not stable, or s.n. */
static size_t skip_stable(struct sv s, size_t i)
{
    while ((i = skip_ascii(s, i)) < s.n) {
        size_t next = i;
        if (!is_stable(utf8_next(s, &next)))
            break;
        i = next;
    }
    return i;
}

/* A stable character begins anew: what is before it and what follows do not meet. So only the
 * runs of others are mapped, each with the character before it, which its marks may join. */
void utf8_nfc(struct buf *b, struct sv s)
{
    size_t done = 0;
    for (size_t i; (i = skip_stable(s, done)) < s.n;) {
        size_t from = i > done ? utf8_floor(s, i - 1) : i, end = i;
        for (size_t next = i; next < s.n && !is_stable(utf8_next(s, &next));)
            end = next;
        buf_sv(b, sv_from_to(s, done, from));
        map_text(b, sv_from_to(s, from, end), UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        done = end;
    }
    buf_sv(b, sv_from_to(s, done, s.n));
}

void utf8_fold(struct buf *b, struct sv s)
{
    if (skip_ascii(s, 0) < s.n) {
        map_text(b, s, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
        return;
    }
    char *to = buf_reserve(b, s.n);
    if (!to)
        return;
    for (size_t i = 0; i < s.n; i++)
        to[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + 32) : s.p[i];
    buf_commit(b, s.n);
}

static utf8proc_category_t category(uint32_t cp)
{
    return utf8proc_category((utf8proc_int32_t)cp);
}

bool utf8_is_letter(uint32_t cp)
{
    if (cp < 0x80)
        return (cp | 32) >= 'a' && (cp | 32) <= 'z';
    utf8proc_category_t c = category(cp);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

bool utf8_is_mark(uint32_t cp)
{
    if (cp < 0x300)
        return false;
    utf8proc_category_t c = category(cp);
    return c >= UTF8PROC_CATEGORY_MN && c <= UTF8PROC_CATEGORY_ME;
}

bool utf8_is_digit(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= '0' && cp <= '9';
    return utf8_digit_value(cp) >= 0 || category(cp) == UTF8PROC_CATEGORY_ND;
}

bool utf8_is_number(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= '0' && cp <= '9';
    utf8proc_category_t c = category(cp);
    return c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO;
}

bool utf8_is_upper(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= 'A' && cp <= 'Z';
    utf8proc_category_t c = category(cp);
    return c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LT;
}

bool utf8_is_space(uint32_t cp)
{
    if (cp < 0x80)
        return cp == ' ' || (cp >= '\t' && cp <= '\r');
    utf8proc_category_t c = category(cp);
    return c >= UTF8PROC_CATEGORY_ZS && c <= UTF8PROC_CATEGORY_ZP;
}

bool utf8_is_punct(uint32_t cp)
{
    utf8proc_category_t c = category(cp);
    return c >= UTF8PROC_CATEGORY_PC && c <= UTF8PROC_CATEGORY_SO;
}

uint32_t utf8_lower(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
}

int utf8_digit_value(uint32_t cp)
{
    if (cp >= '0' && cp <= '9')
        return (int)(cp - '0');
    if (cp == 0x00B9)
        return 1;
    if (cp == 0x00B2 || cp == 0x00B3)
        return (int)(cp - 0x00B0);
    if (cp == 0x2070 || (cp >= 0x2074 && cp <= 0x2079))
        return (int)(cp - 0x2070);
    if (cp >= 0x2080 && cp <= 0x2089)
        return (int)(cp - 0x2080);
    return -1;
}

bool utf8_is_trick(uint32_t cp)
{
    bool is_white = cp == ' ' || (cp >= '\t' && cp <= '\r');
    return (cp < 0x20 && !is_white) || (cp >= 0x7f && cp < 0xa0) ||
           (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

void utf8_put_tame(struct buf *b, struct sv s)
{
    for (size_t from = 0, pos = 0; pos < s.n;) {
        size_t at = pos;
        bool is_trick = utf8_is_trick(utf8_next(s, &pos));
        if (is_trick || pos == s.n)
            buf_sv(b, sv_from_to(s, from, is_trick ? at : pos));
        if (is_trick)
            buf_char(b, ' ');
        from = is_trick ? pos : from;
    }
}
