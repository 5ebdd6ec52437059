// SPDX-License-Identifier: MIT
/*
 * scan.h — classes of characters for the scanners of the text layer
 *
 * A table for ASCII, Unicode properties beyond. text.c, chem_*.c, sentence.c and analyzer.c use
 * all of it; tools, which see tokens and not characters, need only the classes of ASCII at the
 * end: unlike those of <ctype.h> they know no locale and take any code point.
 *
 * Texts are UTF-8 and valid (records are checked when they are read); positions are bytes.
 * Nothing here allocates or fails.
 */
#ifndef GR_SCAN_H
#define GR_SCAN_H

#include "gr.h"
#include "sv.h"
#include "utf8.h"

/* What a character is to a tokenizer; the order counts: scan_in_word. */
enum scan_class {
    SCAN_SPACE,  /* white space and controls: between tokens */
    SCAN_LOWER,  /* letter that is not upper case */
    SCAN_UPPER,  /* upper or title case */
    SCAN_MARK,   /* combining mark, joiner, soft hyphen: goes on with the run it is in */
    SCAN_DIGIT,  /* Nd, No, Nl: superscript and subscript digits too */
    SCAN_ALONE,  /* ideograph or kana: a token by itself */
    SCAN_PUNCT,  /* punctuation mark or symbol */
    SCAN_BEYOND, /* only in scan_ascii: not ASCII, look further */
};

/* Class of each byte: of ASCII the final one, SCAN_BEYOND for 0x80 and up. */
extern const unsigned char scan_ascii[256];

/* Class of a code point by Unicode's general category; what is neither letter, mark, number,
 * punctuation nor symbol counts as space. */
enum scan_class scan_class_of(uint32_t cp);

/* Class of the character at byte *pos < s.n; steps past it. */
enum scan_class scan_next(struct sv s, size_t *pos);

/* Class of the character before byte pos, SCAN_SPACE at the start of the text. Marks after
 * punctuation or an ideograph belong to it. */
enum scan_class scan_before(struct sv s, size_t pos);

/* End of the run of letters, marks and digits that goes on at byte pos (maybe pos itself).
 * *letters is set when a letter is in it; else left alone. */
size_t scan_run(struct sv s, size_t pos, bool *letters);

/* First byte at or after pos that starts no mark. */
size_t scan_marks(struct sv s, size_t pos);

/* Letter, mark or digit: part of a word or number.
 * By their order in enum scan_class. */
static inline bool scan_in_word(enum scan_class c)
{
    return c >= SCAN_LOWER && c <= SCAN_DIGIT;
}

/* Byte at pos, or 0 past the end. */
static inline unsigned char scan_byte(struct sv s, size_t pos)
{
    return pos < s.n ? (unsigned char)s.p[pos] : 0;
}

/* The first digit of ASCII at or behind pos, or s.n; the first such digit or byte beyond ASCII.
 * Eight bytes at a time. */
size_t scan_to_digit(struct sv s, size_t pos);
size_t scan_to_digit_or_beyond(struct sv s, size_t pos);

/* 0-9; c: a byte, or any code point; likewise below. */
static inline bool scan_is_digit(int c)
{
    return c >= '0' && c <= '9';
}
/* a-z: é and the like are not */
static inline bool scan_is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}
/* A-Z */
static inline bool scan_is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}
/* A-Z, a-z */
static inline bool scan_is_letter(int c)
{
    return scan_is_lower(c) || scan_is_upper(c);
}
/* Is c one of the ASCII characters of set?
 *
 * For NUL, which a text may hold ("\u0000" of JSON) and which ends the set, strchr says yes;
 * this says no. */
static inline bool scan_is_among(const char *set, int c)
{
    return c && strchr(set, c);
}
/* A-Z, a-z, 0-9 */
static inline bool scan_is_alnum(int c)
{
    return scan_is_letter(c) || scan_is_digit(c);
}

#endif
