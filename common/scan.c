// SPDX-License-Identifier: MIT
/*
 * scan.c — the table of ASCII classes and the Unicode rest
 */
#include "scan.h"

#define SP SCAN_SPACE
#define LO SCAN_LOWER
#define UP SCAN_UPPER
#define DI SCAN_DIGIT
#define PU SCAN_PUNCT
#define BY SCAN_BEYOND
#define X4(c) c, c, c, c
#define X8(c) X4(c), X4(c)
#define X16(c) X8(c), X8(c)
#define X26(c) X16(c), X8(c), c, c

const unsigned char scan_ascii[256] = {
    X16(SP), X16(SP),                                /* controls */
    SP,      X8(PU),  X4(PU),  PU,      PU,      PU, /* blank to / */
    X8(DI),  DI,      DI,                            /* 0-9 */
    X4(PU),  PU,      PU,      PU,                   /* : to @ */
    X26(UP), X4(PU),  PU,      PU,                   /* A-Z, [ to ` */
    X26(LO), X4(PU),  SP,                            /* a-z, { to ~, delete */
    X16(BY), X16(BY), X16(BY), X16(BY), X16(BY), X16(BY), X16(BY), X16(BY), /* beyond */
};

/* Han, kana, Hangul is not: Korean has blanks between words. */
static bool stands_alone(uint32_t cp)
{
    return (cp >= 0x3040 && cp <= 0x30FF && cp != 0x30FC && cp != 0x3099 && cp != 0x309A) ||
           (cp >= 0x3400 && cp <= 0x4DBF) || (cp >= 0x4E00 && cp <= 0x9FFF) ||
           (cp >= 0xF900 && cp <= 0xFAFF) || (cp >= 0x20000 && cp <= 0x323AF);
}

/* Soft hyphen, (non-)joiners and word joiner: invisible inside a word. */
static bool is_joiner(uint32_t cp)
{
    return cp == 0x00AD || cp == 0x200C || cp == 0x200D || cp == 0x2060;
}

enum scan_class scan_class_of(uint32_t cp)
{
    if (cp < 0x80)
        return (enum scan_class)scan_ascii[cp];
    if (cp >= 0x3040 && stands_alone(cp))
        return SCAN_ALONE;
    if (utf8_is_letter(cp))
        return utf8_is_upper(cp) ? SCAN_UPPER : SCAN_LOWER;
    if (utf8_is_mark(cp) || is_joiner(cp))
        return SCAN_MARK;
    if (utf8_is_number(cp))
        return SCAN_DIGIT;
    return utf8_is_punct(cp) ? SCAN_PUNCT : SCAN_SPACE;
}

enum scan_class scan_next(struct sv s, size_t *pos)
{
    enum scan_class c = (enum scan_class)scan_ascii[(unsigned char)s.p[*pos]];
    if (c != SCAN_BEYOND) {
        ++*pos;
        return c;
    }
    return scan_class_of(utf8_next(s, pos));
}

enum scan_class scan_before(struct sv s, size_t pos)
{
    enum scan_class last = SCAN_SPACE;
    for (bool is_first = true; pos; is_first = false) {
        pos = utf8_floor(s, pos - 1);
        size_t next = pos;
        enum scan_class c = scan_next(s, &next);
        if (is_first)
            last = c;
        if (c != SCAN_MARK)
            return c == SCAN_PUNCT || c == SCAN_ALONE ? c : last;
    }
    return last;
}

size_t scan_run(struct sv s, size_t pos, bool *letters)
{
    bool has_letter = false;
    for (;;) {
        enum scan_class c = SCAN_SPACE;
        while (pos < s.n &&
               scan_in_word(c = (enum scan_class)scan_ascii[(unsigned char)s.p[pos]])) {
            has_letter |= c != SCAN_DIGIT;
            pos++;
        }
        size_t next = pos;
        if (pos >= s.n || c != SCAN_BEYOND || !scan_in_word(c = scan_next(s, &next)))
            break;
        has_letter |= c != SCAN_DIGIT && c != SCAN_MARK;
        pos = next;
    }
    *letters |= has_letter;
    return pos;
}

size_t scan_marks(struct sv s, size_t pos)
{
    while (pos < s.n && (unsigned char)s.p[pos] >= 0x80) {
        size_t next = pos;
        if (scan_next(s, &next) != SCAN_MARK)
            break;
        pos = next;
    }
    return pos;
}

/* ---- over much text ---- */

/* The top bit of each of eight bytes that is a digit. */
static uint64_t digits_of(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t low = x & ones * 0x7f;
    return (low + ones * (0x80 - '0')) & ~(low + ones * (0x7f - '9')) & ~x & ones * 0x80;
}

static bool is_digit_or(unsigned char c, bool is_beyond)
{
    return scan_is_digit(c) || (is_beyond && c >= 0x80);
}

static inline size_t to_digit(struct sv s, size_t pos, bool is_beyond)
{
    const uint64_t tops = UINT64_C(0x8080808080808080);
    for (uint64_t x; pos + 8 <= s.n; pos += 8) {
        memcpy(&x, s.p + pos, 8);
        if (digits_of(x) | (is_beyond ? x & tops : 0))
            break;
    }
    while (pos < s.n && !is_digit_or((unsigned char)s.p[pos], is_beyond))
        pos++;
    return pos;
}

size_t scan_to_digit(struct sv s, size_t pos)
{
    return to_digit(s, pos, false);
}

size_t scan_to_digit_or_beyond(struct sv s, size_t pos)
{
    return to_digit(s, pos, true);
}
