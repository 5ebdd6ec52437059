// SPDX-License-Identifier: MIT
/*
 * vocab_hash.c — what counts as the same spelling, as a hash
 */
#include "utf8.h"
#include "vocab_impl.h"

enum vocab_class vocab_class_wide(uint32_t cp)
{
    if ((cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212 || cp == 0xAD || cp == 0x2043)
        return VC_HYPHEN;
    if (cp == 0xA0 || (cp >= 0x2000 && cp <= 0x200B) || cp == 0x202F || cp == 0x3000)
        return VC_BLANK;
    if (utf8_is_letter(cp) || utf8_is_mark(cp) || utf8_is_digit(cp) || cp == 0x2206 ||
        cp == 0x2202 || cp == 0x2208) /* ∆, ∂, ∈: stand for Δ, δ, ε */
        return VC_WORD;
    return VC_OTHER;
}

static void hash_utf8(uint64_t *h, uint32_t cp)
{
    for (int shift = 0; shift < 24; shift += 8)
        *h = vocab_mix(*h, (unsigned char)(cp >> shift));
}

void vocab_hash_cp(struct vocab_hash *h, uint32_t cp)
{
    int digit = utf8_digit_value(cp);
    if (digit >= 0) {
        vocab_hash_byte(h, (unsigned char)('0' + digit));
        return;
    }
    switch (cp) {
    case 0xB5:
        cp = 0x3BC;
        break; /* micro sign, mu */
    case 0x2206:
        cp = 0x394;
        break; /* increment, Delta */
    case 0x2018:
    case 0x2019:
        vocab_hash_byte(h, '\'');
        return;
    case 0x2215:
    case 0x2044:
        vocab_hash_byte(h, '/');
        return;
    default:
        break;
    }
    uint32_t lower = utf8_lower(cp);
    vocab_hash_case(h, lower != cp);
    hash_utf8(&h->fold, lower);
}

/* Past the small letters of ASCII at pos, by far the most of a text: their bits of `exact` are
 * put in at once. */
static inline size_t hash_small(struct vocab_hash *h, struct sv s, size_t pos)
{
    uint64_t fold = h->fold;
    size_t at = pos;
    for (; at < s.n && (unsigned)(s.p[at] - 'a') < 26; at++)
        fold = vocab_mix(fold, (unsigned char)s.p[at]);
    unsigned turn = (unsigned)(at - pos) & 63;
    h->exact = h->exact << turn | h->exact >> (-turn & 63);
    h->fold = fold;
    return at;
}

void vocab_hash_token(struct vocab_hash *h, struct sv s, size_t *pos)
{
    struct vocab_hash now = *h;
    size_t at = *pos;
    while ((at = hash_small(&now, s, at)) < s.n) {
        unsigned char c = (unsigned char)s.p[at];
        size_t next;
        uint32_t cp = vocab_cp_at(s, at, &next);
        bool is_word = vocab_class_of(cp) == VC_WORD;
        if (!is_word && at > *pos)
            break;
        at = next;
        if (c < 0x80)
            vocab_hash_byte(&now, c);
        else
            vocab_hash_cp(&now, cp);
        if (!is_word)
            break;
    }
    *pos = at;
    *h = now;
}

bool vocab_ends_in_minus(struct sv text)
{
    return sv_ends(text, SV("-")) || sv_ends(text, SV("\xe2\x88\x92")) ||
           sv_ends(text, SV("\xe2\x81\xbb"));
}

struct vocab_hash vocab_hash_whole(struct sv name)
{
    struct vocab_hash h = VOCAB_HASH_INIT;
    bool is_gap = false, is_first = true;
    for (size_t pos = 0; pos < name.n;) {
        size_t at = pos;
        enum vocab_class class = vocab_class_of(utf8_next(name, &at));
        if (class == VC_BLANK || class == VC_HYPHEN) {
            is_gap = !is_first;
            pos = at;
            continue;
        }
        if (is_gap)
            vocab_hash_byte(&h, ' ');
        is_gap = is_first = false;
        vocab_hash_token(&h, name, &pos);
    }
    if (vocab_ends_in_minus(name))
        vocab_hash_byte(&h, '-');
    return h;
}
