// SPDX-License-Identifier: MIT
/*
 * words.h — lists of words that patterns look for, and the keys they are compared by
 *
 * Patterns ask of every word of a text whether it is this one or one of those, some hundred
 * times; nearly always it is not. So a word carries a key, made once: its first eight letters
 * as a number. A word of the code has its key from the compiler, and the two are compared in
 * one step. A list keeps a bit for each number a key is folded to: what has no bit there is
 * not in the list, and only the rest is compared word by word.
 *
 * Words are of letters and digits, of any case; those of the code are in lower case. Nothing
 * here fails.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdatomic.h>

#include "gr.h"
#include "sv.h"

#define WORDS_KEY 8 /* letters in a key; longer words are compared beyond it as well */

/* Letter i of n as its place in a key. */
static inline uint64_t words_letter(const char *word, size_t n, size_t i)
{
    return i < n ? (uint64_t)((unsigned char)word[i] | 32) << (8 * i) : 0;
}

/* The key of a word of n letters; 0 of none. Of a literal the compiler makes a number. */
static inline __attribute__((always_inline)) uint64_t words_key(const char *word, size_t n)
{
    return words_letter(word, n, 0) | words_letter(word, n, 1) | words_letter(word, n, 2) |
           words_letter(word, n, 3) | words_letter(word, n, 4) | words_letter(word, n, 5) |
           words_letter(word, n, 6) | words_letter(word, n, 7);
}

/* The same of the word in bytes [start, end) of a text, eight at a time where it goes on. */
static inline uint64_t words_key_in(struct sv text, size_t start, size_t end)
{
    uint64_t x;
    size_t n = end - start;
    if (start + WORDS_KEY > text.n || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return words_key(text.p + start, n);
    memcpy(&x, text.p + start, WORDS_KEY);
    x |= UINT64_C(0x2020202020202020);
    return n < WORDS_KEY ? x & ((UINT64_C(1) << (8 * n)) - 1) : x;
}

#define WORDS_FOLD_BITS 10

/* A key folded to 1 … 1023; 0 is no word's. */
static inline unsigned short words_fold(uint64_t key)
{
    uint64_t fold = key * UINT64_C(0x9fb21c651e98df25) >> (64 - WORDS_FOLD_BITS);
    return (unsigned short)(fold + !fold);
}

/* The folded keys of some words; all zeros: of none. */
struct words_bits {
    uint64_t at[(1 << WORDS_FOLD_BITS) / 64];
};

static inline void words_note(struct words_bits *bits, unsigned short fold)
{
    bits->at[fold >> 6] |= UINT64_C(1) << (fold & 63);
}

/* A list. `bits` are made when it is first asked, by whichever thread that is. */
struct words {
    const char *const *list; /* (n) */
    size_t n;
    atomic_bool is_ready;
    struct words_bits bits;
};

/* The list `name` of a function or file: WORDS(verbs, "has", "have"). */
#define WORDS(name, ...)                                                                       \
    static const char *const name##_list[] = { __VA_ARGS__ };                                  \
    static struct words name = { .list = name##_list, .n = ARRAY_LEN(name##_list) }

void words_make(struct words *w);

/* A list made from a file: empty, and words added before it is first asked. The caller frees
 * it; NULL is fine. */
struct words *words_new(void);
void words_add(struct words *w, struct sv word);
void words_free(struct words *w);

static inline const struct words_bits *words_bits_of(struct words *w)
{
    if (!atomic_load_explicit(&w->is_ready, memory_order_acquire))
        words_make(w);
    return &w->bits;
}

/* May the list hold a word whose key is folded to this? False of 0. */
static inline bool words_may_have(struct words *w, unsigned short fold)
{
    return words_bits_of(w)->at[fold >> 6] >> (fold & 63) & 1;
}

/* May it hold one of those noted? */
static inline bool words_may_meet(struct words *w, const struct words_bits *noted)
{
    const struct words_bits *bits = words_bits_of(w);
    uint64_t both = 0;
    for (size_t i = 0; i < ARRAY_LEN(bits->at); i++)
        both |= bits->at[i] & noted->at[i];
    return both != 0;
}

/* Does the list hold the word? words_find: of one that it may have. */
bool words_have(struct words *w, struct sv word);
bool words_find(const struct words *w, struct sv word);

#endif
