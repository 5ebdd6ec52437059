// SPDX-License-Identifier: MIT
/*
 * vocab_first.h — which words begin a name: most words of a text do not, and are passed over
 * eight letters at a time without being hashed byte by byte
 *
 * A set of words and of pairs of words, kept as bits: it may hold one that was never noted (one
 * in fifty or so), but never lacks one that was. Made while vocabularies are loaded, only
 * read afterwards; owned by its vocabulary. Nothing here fails or allocates.
 */
#ifndef GR_VOCAB_FIRST_H
#define GR_VOCAB_FIRST_H

#include "gr.h"
#include "sv.h"

/* The set has 2 to this many bits: small enough for the cache beside a text, large enough for
 * the twenty thousand first words of the installed names. */
#define VOCAB_FIRST_BITS 18

/* The set itself; all zero bits is an empty one. Two bits stand for the hash of a word alone,
 * of a word that more follow, or of a word with the next or with the mark behind it. */
struct vocab_first {
    uint64_t bits[1 << (VOCAB_FIRST_BITS - 6)]; /* 32 KiB */
    uint64_t begins[2]; /* which characters of ASCII begin a name, letters aside */
};

/* A run of ASCII letters. */
struct vocab_run {
    size_t n;
    bool has_capital; /* behind its first letter */
};

/* What vocab_run_at gives, letter by letter: for long runs, ends of texts, other byte orders.
 */
struct vocab_run vocab_run_long(struct sv s, size_t pos);

/* The top bit of each of eight bytes that is no ASCII letter. */
static inline uint64_t vocab_no_letters(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t low = (x | ones * 0x20) & ones * 0x7f;
    return (~(low + ones * 0x1f) | (low + ones * 0x05) | x) & ones * 0x80;
}

/* The letters that begin at byte pos of s (at most its length); n 0: none. Nearly all runs end
 * within eight letters and are read as one number; longer ones by vocab_run_long. */
static inline struct vocab_run vocab_run_at(struct sv s, size_t pos)
{
    uint64_t x, ones = UINT64_C(0x0101010101010101);
    if (pos + 8 > s.n || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return vocab_run_long(s, pos);
    memcpy(&x, s.p + pos, 8);
    uint64_t other = vocab_no_letters(x);
    if (!other)
        return vocab_run_long(s, pos);
    unsigned n = (unsigned)__builtin_ctzll(other) / 8;
    uint64_t inside = ((UINT64_C(1) << (8 * n)) - 1) & ~UINT64_C(0xff);
    return (struct vocab_run){ n, (~x & ones * 0x20 & inside) != 0 };
}

/* Note how a name begins. What begins with anything but ASCII letters or digits alone need not
 * be noted and is not. run: the letters at byte 0 of name. */
void vocab_first_add(struct vocab_first *f, struct sv name, struct vocab_run run);

/*
 * May a name begin with the n letters at byte pos of s, or its English plural? They are a whole
 * word: no letter, digit, hyphen or character beyond ASCII follows. Where a name goes on, the
 * next word is looked at, too.
 */
bool vocab_first_has(const struct vocab_first *f, struct sv s, size_t pos, size_t n);

/* The same of n letters before a hyphen, which may be that of a line's end: "clinopyrox-ene".
 */
bool vocab_first_has_torn(const struct vocab_first *f, struct sv s, size_t pos, size_t n);

/* May a name begin with this character of ASCII, which is no letter? */
static inline bool vocab_first_has_char(const struct vocab_first *f, unsigned char c)
{
    return f->begins[c >> 6 & 1] >> (c & 63) & 1;
}

/* The same of a mark of ASCII at byte pos of s and of what follows it. */
bool vocab_first_has_mark(const struct vocab_first *f, struct sv s, size_t pos);

/* The same of a number in digits. */
bool vocab_first_has_number(const struct vocab_first *f, struct sv s, size_t pos, size_t n);

#endif
