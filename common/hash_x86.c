// SPDX-License-Identifier: MIT
/*
 * hash_x86.c — the rounds of SHA-256 by the processor's own instructions
 *
 * Some eight times as fast as libmd's: ids of facts are digests of a few hundred bytes, and a
 * tenth of the work on a table of numbers. FIPS 180-4, 6.2.2; the instructions and the order of
 * the words in their registers: Gulley et al., Intel SHA Extensions (2013).
 */
#include "hash_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "cpu.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

#define SHA __attribute__((target("sha,sse4.1")))

/* Eight words of state as the instructions want them: {f, e, b, a} and {h, g, d, c}. */
struct state {
    __m128i abef, cdgh;
};

/* Four rounds, with the words w of the schedule; k: the first of their constants. */
SHA static inline void four_rounds(struct state *s, __m128i w, const uint32_t *k)
{
    __m128i wk = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)k));
    s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, wk);
    s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(wk, 0x0E));
}

/* The next four words of the schedule, from the sixteen before them; into *a, the oldest. */
SHA static inline void next_words(__m128i *a, __m128i b, __m128i c, __m128i d)
{
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(*a, b), _mm_alignr_epi8(d, c, 4));
    *a = _mm_sha256msg2_epu32(sum, d);
}

SHA static void one_block(struct state *state, const uint8_t *p)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    struct state s = *state;
    __m128i w[4];
    for (int i = 0; i < 4; i++) {
        w[i] = _mm_loadu_si128((const __m128i *)(p + 16 * i));
        w[i] = _mm_shuffle_epi8(w[i], big_endian);
        four_rounds(&s, w[i], constants + 4 * i);
    }
    for (const uint32_t *k = constants + 16; k < constants + 64; k += 16) {
        next_words(&w[0], w[1], w[2], w[3]);
        four_rounds(&s, w[0], k);
        next_words(&w[1], w[2], w[3], w[0]);
        four_rounds(&s, w[1], k + 4);
        next_words(&w[2], w[3], w[0], w[1]);
        four_rounds(&s, w[2], k + 8);
        next_words(&w[3], w[0], w[1], w[2]);
        four_rounds(&s, w[3], k + 12);
    }
    state->abef = _mm_add_epi32(state->abef, s.abef);
    state->cdgh = _mm_add_epi32(state->cdgh, s.cdgh);
}

SHA static void digest_of(struct sv text, uint8_t digest[32])
{
    struct state s = { _mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c),
                       _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19) };
    const uint8_t *p = (const uint8_t *)text.p;
    size_t rest = text.n;
    for (; rest >= 64; rest -= 64, p += 64)
        one_block(&s, p);
    /* what is left, a one bit, zeros, and the length in bits at the end of a block */
    uint8_t last[128] = { 0 };
    size_t end = rest < 56 ? 64 : 128;
    if (rest)
        memcpy(last, p, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[end - 1 - i] = (uint8_t)((uint64_t)text.n * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += 64)
        one_block(&s, last + at);
    uint32_t words[8]; /* f e b a h g d c */
    static const uint8_t order[8] = { 3, 2, 7, 6, 1, 0, 5, 4 };
    _mm_storeu_si128((__m128i *)words, s.abef);
    _mm_storeu_si128((__m128i *)(words + 4), s.cdgh);
    for (size_t i = 0; i < 32; i++)
        digest[i] = (uint8_t)(words[order[i / 4]] >> (24 - 8 * (i % 4)));
}

bool hash_internal_sha256(struct sv text, uint8_t digest[32])
{
    if (!cpu_get()->has_sha)
        return false;
    digest_of(text, digest);
    return true;
}

#else

bool hash_internal_sha256(struct sv text, uint8_t digest[32])
{
    (void)text;
    (void)digest;
    return false;
}

#endif
