// SPDX-License-Identifier: MIT
/*
 * scan.c — code_scan: tables looked up by byte shuffles (André, Kermarrec & Le Scouarnec 2015)
 *
 * Four entries of at most 63 fit a byte. Sums of bytes go to words: `even` takes whole words,
 * in which the odd byte counts 256-fold, `odd` the odd bytes alone; what `even` has too much is
 * taken off at the end. A sum fits a word for up to 1040 nibbles.
 */
#include "code.h"
#include "half.h"
#include "isa.h"

static size_t block_size(const struct code_table *t)
{
    return t->n_pairs * CODE_BLOCK + 2 * CODE_BLOCK * sizeof(half);
}

/* Bring memory that is used soon into the second cache. */
static inline void fetch(const uint8_t *p, size_t n)
{
    size_t i = 0;
    for (; i + 256 <= n; i += 256) {
        __builtin_prefetch(p + i, 0, 2);
        __builtin_prefetch(p + i + 64, 0, 2);
        __builtin_prefetch(p + i + 128, 0, 2);
        __builtin_prefetch(p + i + 192, 0, 2);
    }
    for (; i < n; i += 64)
        __builtin_prefetch(p + i, 0, 2);
}

/* The last step, by 1 row: two rounded operations each for product and sum. */
static uint32_t block_plain(const struct code_table *t, const uint8_t *block, float cq,
                            float thr, float *est)
{
    const uint8_t *tail = block + t->n_pairs * CODE_BLOCK;
    half f[CODE_BLOCK], b[CODE_BLOCK];
    uint32_t above = 0;
    memcpy(f, tail, sizeof f);
    memcpy(b, tail + sizeof f, sizeof b);
    for (size_t i = 0; i < CODE_BLOCK; i++) {
        uint32_t sum = 0;
        for (size_t p = 0; p < t->n_pairs; p++) {
            unsigned byte = block[p * CODE_BLOCK + i];
            sum += t->lut[code_lut_at(2 * p) + (byte & 15)];
            sum += t->lut[code_lut_at(2 * p + 1) + (byte >> 4)];
        }
        float x = (float)sum * t->step, c = cq + half_to_float(b[i]);
        x = x + t->base;
        x = x * half_to_float(f[i]);
        est[i] = x + c;
        above |= (uint32_t)(est[i] > thr) << i;
    }
    return above;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,f16c")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx2,f16c")))

#define SSSE3 __attribute__((target("ssse3")))

/* Entries of one pair for 16 rows. */
SSSE3 static inline __m128i look_up_16(const uint8_t *codes, const uint8_t *lut)
{
    const __m128i low = _mm_set1_epi8(15);
    __m128i c = _mm_loadu_si128((const __m128i *)codes);
    __m128i even = _mm_load_si128((const __m128i *)lut);
    __m128i odd = _mm_load_si128((const __m128i *)(lut + 64));
    return _mm_add_epi8(_mm_shuffle_epi8(even, _mm_and_si128(c, low)),
                        _mm_shuffle_epi8(odd, _mm_and_si128(_mm_srli_epi16(c, 4), low)));
}

/* Sums of 16 rows, the first of which `block` begins with. */
SSSE3 static inline void sum_ssse3(const struct code_table *t, const uint8_t *block,
                                   __m128i words[2])
{
    __m128i even = _mm_setzero_si128(), odd = even;
    size_t p = 0;
    for (; p + 2 <= t->n_pairs; p += 2) {
        const uint8_t *codes = block + p * CODE_BLOCK, *lut = t->lut + p * 64;
        __m128i v =
            _mm_add_epi8(look_up_16(codes, lut), look_up_16(codes + CODE_BLOCK, lut + 32));
        even = _mm_add_epi16(even, v);
        odd = _mm_add_epi16(odd, _mm_srli_epi16(v, 8));
    }
    if (p < t->n_pairs) {
        __m128i v = look_up_16(block + p * CODE_BLOCK, t->lut + p * 64);
        even = _mm_add_epi16(even, v);
        odd = _mm_add_epi16(odd, _mm_srli_epi16(v, 8));
    }
    even = _mm_sub_epi16(even, _mm_slli_epi16(odd, 8));
    words[0] = _mm_unpacklo_epi16(even, odd);
    words[1] = _mm_unpackhi_epi16(even, odd);
}

SSSE3 static inline uint32_t block_ssse3(const struct code_table *t, const uint8_t *block,
                                         float cq, float thr, float *est)
{
    const uint8_t *tail = block + t->n_pairs * CODE_BLOCK;
    half f[CODE_BLOCK], b[CODE_BLOCK];
    float ff[CODE_BLOCK], bf[CODE_BLOCK];
    __m128i words[4];
    uint32_t above = 0;
    memcpy(f, tail, sizeof f);
    memcpy(b, tail + sizeof f, sizeof b);
    for (size_t i = 0; i < CODE_BLOCK; i++) {
        ff[i] = half_to_float(f[i]);
        bf[i] = half_to_float(b[i]);
    }
    sum_ssse3(t, block, words);
    sum_ssse3(t, block + CODE_BLOCK / 2, words + 2);
    for (size_t i = 0; i < CODE_BLOCK; i += 4) {
        __m128i w = words[i / 8], zero = _mm_setzero_si128();
        __m128 x =
            _mm_cvtepi32_ps(i & 4 ? _mm_unpackhi_epi16(w, zero) : _mm_unpacklo_epi16(w, zero));
        x = _mm_mul_ps(x, _mm_set1_ps(t->step));
        x = _mm_add_ps(x, _mm_set1_ps(t->base));
        x = _mm_mul_ps(x, _mm_loadu_ps(ff + i));
        x = _mm_add_ps(x, _mm_add_ps(_mm_set1_ps(cq), _mm_loadu_ps(bf + i)));
        _mm_storeu_ps(est + i, x);
        above |= (uint32_t)_mm_movemask_ps(_mm_cmpgt_ps(x, _mm_set1_ps(thr))) << i;
    }
    return above;
}

SSSE3 static void scan_ssse3(const struct code_table *t, const uint8_t *blocks, size_t n_blocks,
                             const uint8_t *next, float cq, float thr, float *est,
                             uint32_t *above)
{
    const size_t size = block_size(t);
    for (size_t n = 0; n < n_blocks; n++) {
        fetch(next + n * size, size);
        above[n] = block_ssse3(t, blocks + n * size, cq, thr, est + n * CODE_BLOCK);
    }
}

/* Words of even and of odd rows, both of all 32, to sums of rows 0 … 15 and 16 … 31. */
AVX2 static inline void in_order(__m256i even, __m256i odd, __m256i *first, __m256i *second)
{
    __m256i lo = _mm256_unpacklo_epi16(even, odd), hi = _mm256_unpackhi_epi16(even, odd);
    *first = _mm256_permute2x128_si256(lo, hi, 0x20);
    *second = _mm256_permute2x128_si256(lo, hi, 0x31);
}

/* Entries of one pair: low halves from lut, high ones from lut + 64. */
AVX2 static inline __m256i look_up(const uint8_t *codes, const uint8_t *lut)
{
    const __m256i low = _mm256_set1_epi8(15);
    __m256i c = _mm256_loadu_si256((const __m256i *)codes);
    __m256i even = _mm256_load_si256((const __m256i *)lut);
    __m256i odd = _mm256_load_si256((const __m256i *)(lut + 64));
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(even, _mm256_and_si256(c, low)),
        _mm256_shuffle_epi8(odd, _mm256_and_si256(_mm256_srli_epi16(c, 4), low)));
}

AVX2 static inline uint32_t block_avx2(const struct code_table *t, const uint8_t *block,
                                       float cq, float thr, float *est)
{
    __m256i even = _mm256_setzero_si256(), odd = even, sums[2];
    size_t p = 0;
    for (; p + 2 <= t->n_pairs; p += 2) {
        const uint8_t *codes = block + p * CODE_BLOCK, *lut = t->lut + p * 64;
        __m256i v = _mm256_add_epi8(look_up(codes, lut), look_up(codes + CODE_BLOCK, lut + 32));
        even = _mm256_add_epi16(even, v);
        odd = _mm256_add_epi16(odd, _mm256_srli_epi16(v, 8));
    }
    if (p < t->n_pairs) {
        __m256i v = look_up(block + p * CODE_BLOCK, t->lut + p * 64);
        even = _mm256_add_epi16(even, v);
        odd = _mm256_add_epi16(odd, _mm256_srli_epi16(v, 8));
    }
    in_order(_mm256_sub_epi16(even, _mm256_slli_epi16(odd, 8)), odd, &sums[0], &sums[1]);
    const uint8_t *tail = block + t->n_pairs * CODE_BLOCK;
    uint32_t above = 0;
    for (size_t i = 0; i < 4; i++) {
        __m128i words = i & 1 ? _mm256_extracti128_si256(sums[i / 2], 1)
                              : _mm256_castsi256_si128(sums[i / 2]);
        __m256 x = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words));
        __m256 f = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)tail + i));
        __m256 b = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)tail + 4 + i));
        x = _mm256_mul_ps(x, _mm256_set1_ps(t->step));
        x = _mm256_add_ps(x, _mm256_set1_ps(t->base));
        x = _mm256_mul_ps(x, f);
        x = _mm256_add_ps(x, _mm256_add_ps(_mm256_set1_ps(cq), b));
        _mm256_storeu_ps(est + 8 * i, x);
        uint32_t m =
            (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(x, _mm256_set1_ps(thr), _CMP_GT_OQ));
        above |= m << 8 * i;
    }
    return above;
}

AVX2 static void scan_avx2(const struct code_table *t, const uint8_t *blocks, size_t n_blocks,
                           const uint8_t *next, float cq, float thr, float *est,
                           uint32_t *above)
{
    const size_t size = block_size(t);
    for (size_t n = 0; n < n_blocks; n++) {
        fetch(next + n * size, size);
        above[n] = block_avx2(t, blocks + n * size, cq, thr, est + n * CODE_BLOCK);
    }
}

/* Entries of two pairs. */
AVX512 static inline __m512i look_up_2(const uint8_t *codes, const uint8_t *lut)
{
    const __m512i low = _mm512_set1_epi8(15);
    __m512i c = _mm512_loadu_si512(codes);
    return _mm512_add_epi8(
        _mm512_shuffle_epi8(_mm512_load_si512(lut), _mm512_and_si512(c, low)),
        _mm512_shuffle_epi8(_mm512_load_si512(lut + 64),
                            _mm512_and_si512(_mm512_srli_epi16(c, 4), low)));
}

/* Sums of rows 0 … 15 and 16 … 31. */
AVX512 static inline void sum_avx512(const struct code_table *t, const uint8_t *block,
                                     __m256i *first, __m256i *second)
{
    __m512i even = _mm512_setzero_si512(), odd = even;
    size_t p = 0;
    for (; p + 4 <= t->n_pairs; p += 4) {
        const uint8_t *codes = block + p * CODE_BLOCK, *lut = t->lut + p * 64;
        __m512i v = _mm512_add_epi8(look_up_2(codes, lut), look_up_2(codes + 64, lut + 128));
        even = _mm512_add_epi16(even, v);
        odd = _mm512_add_epi16(odd, _mm512_srli_epi16(v, 8));
    }
    if (p + 2 <= t->n_pairs) {
        __m512i v = look_up_2(block + p * CODE_BLOCK, t->lut + p * 64);
        even = _mm512_add_epi16(even, v);
        odd = _mm512_add_epi16(odd, _mm512_srli_epi16(v, 8));
        p += 2;
    }
    even = _mm512_sub_epi16(even, _mm512_slli_epi16(odd, 8));
    __m256i e =
        _mm256_add_epi16(_mm512_castsi512_si256(even), _mm512_extracti64x4_epi64(even, 1));
    __m256i o =
        _mm256_add_epi16(_mm512_castsi512_si256(odd), _mm512_extracti64x4_epi64(odd, 1));
    if (p < t->n_pairs) {
        __m256i v = look_up(block + p * CODE_BLOCK, t->lut + p * 64);
        __m256i high = _mm256_srli_epi16(v, 8);
        o = _mm256_add_epi16(o, high);
        e = _mm256_add_epi16(e, _mm256_sub_epi16(v, _mm256_slli_epi16(high, 8)));
    }
    in_order(e, o, first, second);
}

AVX512 static inline uint32_t block_avx512(const struct code_table *t, const uint8_t *block,
                                           float cq, float thr, float *est)
{
    __m256i sums[2];
    const uint8_t *tail = block + t->n_pairs * CODE_BLOCK;
    uint32_t above = 0;
    sum_avx512(t, block, &sums[0], &sums[1]);
#pragma GCC unroll 2
    for (size_t i = 0; i < 2; i++) {
        __m512 x = _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(sums[i]));
        __m512 f = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)tail + i));
        __m512 b = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)tail + 2 + i));
        x = _mm512_mul_ps(x, _mm512_set1_ps(t->step));
        x = _mm512_add_ps(x, _mm512_set1_ps(t->base));
        x = _mm512_mul_ps(x, f);
        x = _mm512_add_ps(x, _mm512_add_ps(_mm512_set1_ps(cq), b));
        _mm512_storeu_ps(est + 16 * i, x);
        uint32_t m = _mm512_cmp_ps_mask(x, _mm512_set1_ps(thr), _CMP_GT_OQ);
        above |= m << 16 * i;
    }
    return above;
}

AVX512 static void scan_avx512(const struct code_table *t, const uint8_t *blocks,
                               size_t n_blocks, const uint8_t *next, float cq, float thr,
                               float *est, uint32_t *above)
{
    const size_t size = block_size(t);
    for (size_t n = 0; n < n_blocks; n++) {
        fetch(next + n * size, size);
        above[n] = block_avx512(t, blocks + n * size, cq, thr, est + n * CODE_BLOCK);
    }
}
#endif

void code_scan(const struct code_table *t, const uint8_t *blocks, size_t n_blocks,
               const uint8_t *next, float cq, float thr, float *est, uint32_t *above)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        scan_avx512(t, blocks, n_blocks, next, cq, thr, est, above);
        return;
    }
    if (isa == ISA_AVX2) {
        scan_avx2(t, blocks, n_blocks, next, cq, thr, est, above);
        return;
    }
    if (isa == ISA_SSSE3) {
        scan_ssse3(t, blocks, n_blocks, next, cq, thr, est, above);
        return;
    }
#endif
    const size_t size = block_size(t);
    for (size_t n = 0; n < n_blocks; n++) {
        fetch(next + n * size, size);
        above[n] = block_plain(t, blocks + n * size, cq, thr, est + n * CODE_BLOCK);
    }
}
