// SPDX-License-Identifier: MIT
/*
 * vocab_first.c — the set of words that begin a name
 */
#include "scan.h"
#include "vocab_first.h"

#include "vocab_impl.h"

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))
#define LONGEST 64 /* letters of a word that is looked up; longer ones may all begin a name */

/* ---- runs of letters ---- */

/* The eight bytes at `at` of s, or what there is of them: zeros, no letters, behind its end. */
static inline uint64_t eight_at(struct sv s, size_t at)
{
    uint64_t x = 0;
    size_t rest = s.n - at;
    if (rest >= 8) {
        memcpy(&x, s.p + at, 8);
    } else if (s.n >= 8) {
        memcpy(&x, s.p + s.n - 8, 8);
        x = rest ? x >> 8 * (8 - rest) : 0;
    } else {
        memcpy(&x, s.p + at, rest);
    }
    return x;
}

struct vocab_run vocab_run_long(struct sv s, size_t pos)
{
    size_t n = 0;
    uint64_t small = EACH_BYTE(0x20), first = 0x20; /* the first capital does not count */
    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        uint64_t x = eight_at(s, pos + n) | first, other = vocab_no_letters(x);
        first = 0;
        if (other) {
            unsigned last = (unsigned)__builtin_ctzll(other) / 8;
            small &= x | UINT64_MAX << (8 * last);
            return (struct vocab_run){ n + last, small != EACH_BYTE(0x20) };
        }
        small &= x;
        n += 8;
    }
    bool has_capital = false;
    for (; pos + n < s.n && scan_is_letter(s.p[pos + n]); n++)
        has_capital |= n > 0 && !(s.p[pos + n] & 32);
    return (struct vocab_run){ n, has_capital };
}

/* ---- the set ---- */

/* Up to eight bytes at p in lower case; `has`: so many may be read there. */
static inline uint64_t eight(const char *p, size_t n, size_t has)
{
    uint64_t x = 0;
    if (has >= 8)
        memcpy(&x, p, 8);
    else
        memcpy(&x, p, n);
    x |= EACH_BYTE(0x20);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return n < 8 ? x & ((UINT64_C(1) << (8 * n)) - 1) : x;
#else
    return n < 8 ? x & ~(UINT64_MAX >> (8 * n)) : x;
#endif
}

/* Of a word: of its first and its last eight letters and its length. Words that differ only
 * between those share it; a name is looked up for itself afterwards. */
static inline uint64_t hash_of(const char *p, size_t n, size_t has)
{
    uint64_t first = eight(p, n < 8 ? n : 8, has);
    uint64_t last = n > 8 ? eight(p + n - 8, 8, 8) : 0;
    uint64_t h = (first ^ (last << 29 | last >> 35) ^ n << 56) * UINT64_C(0x9fb21c651e98df25);
    return (h ^ h >> 35 ^ last) * UINT64_C(0x9e3779b97f4a7c15);
}

/* What is noted of a name: its only word, the first of several, the first two. */
static uint64_t key_more(uint64_t first)
{
    return (first ^ first >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint64_t key_pair(uint64_t first, uint64_t second)
{
    return (first ^ (second << 17 | second >> 47)) * UINT64_C(0x94d049bb133111eb);
}

/* ... the first and the mark right behind it, or behind a gap. */
static uint64_t key_mark(uint64_t first, unsigned char mark, bool is_gap)
{
    return (first ^ (uint64_t)(mark + 256u * is_gap) << 32) * UINT64_C(0xa0761d6478bd642f);
}

/* Two bits of one word: both must be there, which chance seldom gives. */
static uint64_t bits_of(uint64_t key)
{
    return UINT64_C(1) << (key >> 20 & 63) | UINT64_C(1) << (key >> 32 & 63);
}

/* Of names that no letter begins: the first two characters, letters in lower case. */
static uint64_t key_char(uint32_t first, unsigned char second)
{
    bool is_letter = scan_is_letter(second);
    return key_mark(UINT64_C(0x589965cc75374cc3), second | (is_letter ? 32 : 0), false) +
           key_more(first + 1);
}

static void put(struct vocab_first *f, uint64_t key)
{
    f->bits[key >> (64 - VOCAB_FIRST_BITS + 6)] |= bits_of(key);
}

static bool has(const struct vocab_first *f, uint64_t key)
{
    uint64_t bits = bits_of(key);
    return (f->bits[key >> (64 - VOCAB_FIRST_BITS + 6)] & bits) == bits;
}

/* Over blanks and hyphens. */
static size_t skip_gap(struct sv s, size_t pos)
{
    for (size_t after; pos < s.n; pos = after) {
        enum vocab_class class = vocab_class_of(vocab_cp_at(s, pos, &after));
        if (class != VC_BLANK && class != VC_HYPHEN)
            break;
    }
    return pos;
}

/* The letters and digits at *pos of a name, digits of any form as those of ASCII; how many, 0:
 * none, or others are among them. */
static size_t read_word(struct sv name, size_t *pos, char word[LONGEST])
{
    size_t n = 0;
    bool is_plain = true;
    for (size_t after; *pos < name.n; *pos = after) {
        uint32_t cp = vocab_cp_at(name, *pos, &after);
        int digit = cp < 0x80 ? -1 : utf8_digit_value(cp);
        if (vocab_class_of(cp) != VC_WORD)
            break;
        is_plain &= n < LONGEST && (cp < 0x80 || digit >= 0);
        if (is_plain)
            word[n++] = digit >= 0 ? (char)('0' + digit) : (char)cp;
    }
    return is_plain ? n : 0;
}

/* The character of ASCII that texts may have for the one at pos of a name, or 0. */
static unsigned char char_at(struct sv name, size_t pos)
{
    uint32_t cp = vocab_cp_at(name, pos, &pos);
    if (cp < 0x80)
        return (unsigned char)cp;
    int digit = utf8_digit_value(cp);
    if (digit >= 0)
        return (unsigned char)('0' + digit);
    if (cp == 0x2018 || cp == 0x2019)
        return '\'';
    if (cp == 0x2215 || cp == 0x2044)
        return '/';
    return 0;
}

/* Note the first character; others than itself may stand for it. */
static void add_char(struct vocab_first *f, struct sv name, size_t pos)
{
    uint32_t cp = pos < name.n ? utf8_next(name, &pos) : ' ';
    int digit = utf8_digit_value(cp);
    cp = digit >= 0 ? '0' + (uint32_t)digit : cp;
    if (cp < 0x80)
        f->begins[cp >> 6] |= UINT64_C(1) << (cp & 63);
    if (cp < 0x80 && pos < name.n)
        put(f, key_char(cp, char_at(name, pos)));
    f->begins[0] |= UINT64_C(1) << '\'' | UINT64_C(1) << '/';
}

/* Names of one or more words of ASCII letters, a blank apart, the first of n letters: nearly
 * all. False: look closely. */
static bool add_plain(struct vocab_first *f, struct sv name, size_t n)
{
    size_t next = n + 1;
    if (n == 0 || n > LONGEST)
        return false;
    uint64_t first = hash_of(name.p, n, name.n);
    if (n == name.n) {
        put(f, first);
        return true;
    }
    size_t more = name.p[n] == ' ' ? vocab_run_at(name, next).n : 0, end = next + more;
    if (more == 0 || more > LONGEST || (end < name.n && name.p[end] != ' '))
        return false;
    put(f, key_more(first));
    put(f, key_pair(first, hash_of(name.p + next, more, name.n - next)));
    return true;
}

void vocab_first_add(struct vocab_first *f, struct sv name, struct vocab_run run)
{
    if (add_plain(f, name, run.n))
        return;
    char word[LONGEST] = "";
    size_t pos = skip_gap(name, 0), n;
    add_char(f, name, pos);
    n = read_word(name, &pos, word);
    if (n == 0)
        return;
    uint64_t first = hash_of(word, n, sizeof word);
    size_t next = skip_gap(name, pos);
    if (next == name.n) {
        put(f, first);
        return;
    }
    put(f, key_more(first));
    bool is_gap = next > pos;
    put(f, key_mark(first, char_at(name, next), is_gap));
    n = is_gap ? read_word(name, &next, word) : 0;
    if (n)
        put(f, key_pair(first, hash_of(word, n, sizeof word)));
}

/* The hashes of a word of n letters that ends in s and of what it may be the plural of. */
static size_t plural_readings(const char *p, size_t n, size_t has, uint64_t hashes[4])
{
    hashes[0] = hash_of(p, n, has);
    if (n < 3)
        return 1;
    hashes[1] = hash_of(p, n - 1, has);
    if ((p[n - 2] | 32) != 'e')
        return 2;
    hashes[2] = hash_of(p, n - 2, has);
    if ((p[n - 3] | 32) != 'i')
        return 3;
    char singular[LONGEST] = "";
    memcpy(singular, p, n - 3);
    singular[n - 3] = 'y';
    hashes[3] = hash_of(singular, n - 2, sizeof singular);
    return 4;
}

/* The hashes of a word of n letters and of what it may be the plural of; few are plurals: those
 * cost no more. */
static inline size_t readings(const char *p, size_t n, size_t has, uint64_t hashes[4])
{
    if ((p[n - 1] | 32) == 's')
        return plural_readings(p, n, has, hashes);
    hashes[0] = hash_of(p, n, has);
    return 1;
}

static bool is_plain_end(struct sv s, size_t pos)
{
    unsigned char c = pos < s.n ? (unsigned char)s.p[pos] : ' ';
    return c < 0x80 && c != '-' && (unsigned)(c - '0') > 9;
}

/* May a name go on behind a blank with what begins at pos of s? */
static bool may_have_second(const struct vocab_first *f, uint64_t first, struct sv s,
                            size_t pos)
{
    uint64_t second[4];
    unsigned char c = (unsigned char)s.p[pos];
    size_t n = vocab_run_at(s, pos).n;
    while (n == 0 && pos + n < s.n && n < LONGEST && scan_is_digit(s.p[pos + n]))
        n++;
    if (n == 0 && c < 0x80 && vocab_class_of(c) == VC_OTHER)
        return has(f, key_mark(first, c, true));
    bool is_whole = n && n <= LONGEST && is_plain_end(s, pos + n) &&
                    (pos + n == s.n || !scan_is_letter(s.p[pos + n]));
    size_t k = is_whole ? readings(s.p + pos, n, s.n - pos, second) : 0;
    for (size_t i = 0; i < k; i++)
        if (has(f, key_pair(first, second[i])))
            return true;
    return !is_whole;
}

/* May a name of several words go on at byte `at` of s, behind its first? A character of ASCII
 * that is no letter, digit or hyphen stands there, or the text ends. */
static bool may_go_on(const struct vocab_first *f, uint64_t first, struct sv s, size_t at)
{
    unsigned char c = at < s.n ? (unsigned char)s.p[at] : ' ';
    if (vocab_class_of(c) != VC_BLANK)
        return has(f, key_mark(first, c, false));
    return at + 1 < s.n && may_have_second(f, first, s, at + 1);
}

bool vocab_first_has(const struct vocab_first *f, struct sv s, size_t pos, size_t n)
{
    uint64_t first[4];
    if (n > LONGEST)
        return true;
    size_t k = readings(s.p + pos, n, s.n - pos, first);
    for (size_t i = 0; i < k; i++)
        if (has(f, first[i]))
            return true;
    return has(f, key_more(first[0])) && may_go_on(f, first[0], s, pos + n);
}

bool vocab_first_has_torn(const struct vocab_first *f, struct sv s, size_t pos, size_t n)
{
    size_t next = pos + n + 1, more = vocab_run_at(s, next).n;
    if (more == 0 || n + more > LONGEST || !is_plain_end(s, next + more))
        return true;
    uint64_t hashes[4];
    char whole[LONGEST] = "";
    hashes[0] = hash_of(s.p + pos, n, s.n - pos);
    if (has(f, hashes[0]) || has(f, key_more(hashes[0])))
        return true;
    memcpy(whole, s.p + pos, n);
    memcpy(whole + n, s.p + next, more);
    size_t k = readings(whole, n + more, sizeof whole, hashes);
    for (size_t i = 0; i < k; i++)
        if (has(f, hashes[i]))
            return true;
    k = readings(s.p + pos, n, s.n - pos, hashes);
    for (size_t i = 1; i < k; i++)
        if (has(f, hashes[i]))
            return true;
    hashes[0] = hash_of(whole, n + more, sizeof whole);
    return has(f, key_more(hashes[0]));
}

bool vocab_first_has_mark(const struct vocab_first *f, struct sv s, size_t pos)
{
    unsigned char c = (unsigned char)s.p[pos];
    unsigned char next = pos + 1 < s.n ? (unsigned char)s.p[pos + 1] : ' ';
    enum vocab_class class = next < 0x80 ? vocab_class_of(next) : VC_HYPHEN;
    if (!vocab_first_has_char(f, c))
        return false;
    return class == VC_BLANK || class == VC_HYPHEN || has(f, key_char(c, next));
}

bool vocab_first_has_number(const struct vocab_first *f, struct sv s, size_t pos, size_t n)
{
    if (n > LONGEST)
        return true;
    uint64_t first = hash_of(s.p + pos, n, s.n - pos);
    return has(f, first) || (has(f, key_more(first)) && may_go_on(f, first, s, pos + n));
}
