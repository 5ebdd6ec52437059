// SPDX-License-Identifier: MIT
/*
 * plain.h — a text as it was meant: what markup, fonts and encodings leave of it put right
 *
 *   markup      "<sup>87</sup>Sr", "&lt;5 ppm", "$^{87}$Sr", "\pm" of HTML, XML and TeX
 *   fonts       ligatures ("ﬂuorite", "speciﬁ c"), "ﬀ", full-width and mathematical letters,
 *               "℃", soft hyphens and joiners, control codes that stand for signs
 *   encodings   "Â±", "â€“", U+0096: UTF-8 and Windows-1252 read as Latin-1
 *
 * Only what stands for one thing alone is changed; signs that may stand for others ("2" for a
 * minus) are left to those who read numbers. Names and numbers are found in the plain text;
 * where they stand is told in the text as given.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

/* All zero: empty. plain_release frees what it holds; one may serve text after text. */
struct plain_text {
    struct buf text;
    uint32_t *from, *to; /* (text.len) bytes [from, to) of the given text that byte i is of */
    size_t cap;
};

/* Make the plain text of `given`, valid UTF-8, in *p. False: it is plain as it is, and *p holds
 * nothing. O(bytes), without memory where nothing is to be changed. */
bool plain_read(struct plain_text *p, struct sv given);
void plain_release(struct plain_text *p);

/* `raw` in normal form C, in *normal, and then plain: where it was not, in *p, and *used is p;
 * else *used is NULL. Valid until either changes. */
struct sv plain_normal(struct plain_text *p, struct buf *normal, struct sv raw,
                       const struct plain_text **used);

/* Where in the given text a name that begins, or ends, at byte `byte` of the plain one does. */
size_t plain_start(const struct plain_text *p, size_t byte);
size_t plain_end(const struct plain_text *p, size_t byte);

/* The first byte of the plain text that is not of the given one's first `byte`. */
size_t plain_find(const struct plain_text *p, size_t byte);

/* ---- for plain.c: one odd thing (plain_mark.c, plain_glyph.c) ---- */

enum plain_kind {
    PLAIN_TEXT,  /* `text` stands for it */
    PLAIN_OPEN,  /* nothing: it belongs to what follows */
    PLAIN_CLOSE, /* nothing: it belongs to what stands before */
    PLAIN_SUPER, /* it opens superscripts … */
    PLAIN_SUB,
    PLAIN_GROUP, /* … a group without style … */
    PLAIN_POP,   /* … or closes the last of these */
};

struct plain_piece {
    enum plain_kind kind;
    char text[8];
    size_t n;
};

/* The markup, or the glyphs, at byte pos: bytes it takes, or 0 when there is nothing to change.
 */
size_t plain_mark(struct sv s, size_t pos, struct plain_piece *piece);
size_t plain_glyph(struct sv s, size_t pos, struct plain_piece *piece);

/* Make the piece one character. */
void plain_code(struct plain_piece *piece, uint32_t cp);

#endif
