// SPDX-License-Identifier: MIT
/*
 * utf8.h — UTF-8: checking, walking, counting, normal forms
 *
 * Offsets in records count code points; offsets in memory count bytes. Functions that turn one
 * into the other say so.
 */
#ifndef GR_UTF8_H
#define GR_UTF8_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

/* Byte position of the first byte that is not valid UTF-8 (RFC 3629: no surrogates, no overlong
 * forms, at most U+10FFFF), or SIZE_MAX when all is valid. */
size_t utf8_check(struct sv s);

/* Decode the code point at byte *pos of valid UTF-8 and step past it. At an invalid byte:
 * U+FFFD and one byte further. Call only with *pos < s.n. */
uint32_t utf8_next(struct sv s, size_t *pos);

/* The code point that ends just before byte pos (pos > 0). */
uint32_t utf8_before(struct sv s, size_t pos);

/* Append cp (a valid scalar value) to b. */
void utf8_put(struct buf *b, uint32_t cp);

/* Number of code points in s. */
size_t utf8_count(struct sv s);

/* Byte offset of the nth code point (n may equal the count: s.n); past the end gives s.n. */
size_t utf8_offset(struct sv s, size_t n);

/* Largest byte position <= pos that starts a character. */
size_t utf8_floor(struct sv s, size_t pos);

/* Append s in normal form C. Valid UTF-8 in; unchanged bytes when already NFC (fast for ASCII).
 */
void utf8_nfc(struct buf *b, struct sv s);

/* Append s case-folded (full folding, NFC, NFD-insensitive); no compatibility mapping. */
void utf8_fold(struct buf *b, struct sv s);

/* Character classes by Unicode general category. */
bool utf8_is_letter(uint32_t cp); /* L* */
bool utf8_is_mark(uint32_t cp);   /* M* */
bool utf8_is_digit(uint32_t cp);  /* Nd, and superscript or subscript digits */
bool utf8_is_number(uint32_t cp); /* N* */
bool utf8_is_upper(uint32_t cp);  /* Lu, Lt */
bool utf8_is_space(uint32_t cp);  /* Z*, and ASCII white space */
bool utf8_is_punct(uint32_t cp);  /* P* and S* */
uint32_t utf8_lower(uint32_t cp); /* simple lower case */

/* Does it draw on a terminal, or turn the direction of writing? Controls (C0 but white space,
 * DEL, C1), U+202A–202E, U+2066–2069. */
bool utf8_is_trick(uint32_t cp);
/* Append s with a blank for each of those. */
void utf8_put_tame(struct buf *b, struct sv s);

/* Value 0–9 of an ASCII, superscript or subscript digit, or -1. */
int utf8_digit_value(uint32_t cp);

#endif
