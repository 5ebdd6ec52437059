// SPDX-License-Identifier: MIT
/*
 * bpe_pattern.c — the pattern of cl100k_base by hand: a table for ASCII, Unicode beyond
 */
#include "bpe_impl.h"

#include "scan.h"

enum kind { LETTER, NUMBER, SPACE, BREAK, OTHER, BEYOND };

#define X4(k) k, k, k, k
#define X8(k) X4(k), X4(k)
#define X16(k) X8(k), X8(k)
#define X26(k) X16(k), X8(k), k, k

static const unsigned char kinds[256] = {
    X8(OTHER),   OTHER,       SPACE,       BREAK,       SPACE, SPACE, /* to form feed */
    BREAK,       OTHER,       OTHER,       X16(OTHER),                /* controls */
    SPACE,       X8(OTHER),   X4(OTHER),   OTHER,       OTHER, OTHER, /* blank to / */
    X8(NUMBER),  NUMBER,      NUMBER,                                 /* 0-9 */
    X4(OTHER),   OTHER,       OTHER,       OTHER,                     /* : to @ */
    X26(LETTER), X4(OTHER),   OTHER,       OTHER,                     /* A-Z, [ to ` */
    X26(LETTER), X4(OTHER),   OTHER,                                  /* a-z, { on */
    X16(BEYOND), X16(BEYOND), X16(BEYOND), X16(BEYOND),               /* beyond ASCII */
    X16(BEYOND), X16(BEYOND), X16(BEYOND), X16(BEYOND),
};

static bool is_white(uint32_t cp)
{
    return cp == 0x85 || cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) ||
           cp == 0x2028 || cp == 0x2029 || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

/* Kind of the character at *pos < s.n; steps past it. */
static inline enum kind next_kind(struct sv s, size_t *pos)
{
    enum kind k = (enum kind)kinds[(unsigned char)s.p[*pos]];
    if (k != BEYOND) {
        ++*pos;
        return k;
    }
    uint32_t cp = utf8_next(s, pos);
    if (is_white(cp))
        return SPACE;
    return utf8_is_letter(cp) ? LETTER : utf8_is_number(cp) ? NUMBER : OTHER;
}

/* Byte after the run of one kind that goes on at pos. */
static inline size_t run_of(struct sv s, size_t pos, enum kind kind)
{
    while (pos < s.n) {
        size_t next = pos;
        if (next_kind(s, &next) != kind)
            break;
        pos = next;
    }
    return pos;
}

static inline size_t letters(struct sv s, size_t pos)
{
    while (pos < s.n && kinds[(unsigned char)s.p[pos]] == LETTER)
        pos++;
    return scan_byte(s, pos) >= 0x80 ? run_of(s, pos, LETTER) : pos;
}

/* 's 'd 'm 't 'll 've 're behind the apostrophe at pos: byte after it, or pos. */
static size_t contraction(struct sv s, size_t pos)
{
    int a = scan_byte(s, pos + 1) | 32, b = scan_byte(s, pos + 2) | 32;
    if (a == 's' || a == 'd' || a == 'm' || a == 't')
        return pos + 2;
    if ((a == 'l' && b == 'l') || (a == 'v' && b == 'e') || (a == 'r' && b == 'e'))
        return pos + 3;
    bool is_long_s = scan_byte(s, pos + 1) == 0xC5 && scan_byte(s, pos + 2) == 0xBF;
    return is_long_s ? pos + 3 : pos; /* ſ is a form of s */
}

/* White space from pos on. */
static size_t white_piece(struct sv s, size_t pos)
{
    size_t end = pos, last = pos, broken = 0;
    while (end < s.n) {
        size_t next = end;
        enum kind k = next_kind(s, &next);
        if (k != SPACE && k != BREAK)
            break;
        broken = k == BREAK ? next : broken;
        last = end;
        end = next;
    }
    if (end == s.n)
        return end;
    if (broken)
        return broken;
    return last > pos ? last : end; /* the last blank goes with what follows */
}

size_t bpe_piece_end(struct sv s, size_t pos)
{
    size_t next = pos, after;
    enum kind k = next_kind(s, &next), k2 = OTHER;
    if (k == LETTER)
        return letters(s, next);
    if (k == NUMBER) {
        for (int i = 0; i < 2 && next < s.n; i++) {
            after = next;
            if (next_kind(s, &after) != NUMBER)
                break;
            next = after;
        }
        return next;
    }
    if (s.p[pos] == '\'' && (after = contraction(s, pos)) > pos)
        return after;
    after = next;
    if (next < s.n)
        k2 = next_kind(s, &after);
    if (k != BREAK && next < s.n && k2 == LETTER)
        return letters(s, after);
    if (k == OTHER || (s.p[pos] == ' ' && next < s.n && k2 == OTHER))
        return run_of(s, run_of(s, next, OTHER), BREAK);
    return white_piece(s, pos);
}
