// SPDX-License-Identifier: MIT
/*
 * i8.c — products of bytes by AMX (many rows), VNNI, AVX2, or in C
 */
#include "i8.h"

#include "i8_amx.h"
#include "isa.h"

#define BLOCK_STEP (4 * (size_t)I8_BLOCK) /* bytes of a block for four elements */

void i8_block_put(uint8_t *block, size_t lane, const int8_t *x, size_t width)
{
    for (size_t j = 0; j < width; j++)
        block[j / 4 * BLOCK_STEP + lane * 4 + j % 4] = (uint8_t)(x[j] + I8_FLIP);
}

/* ---- C ---- */

static void dots_plain(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                       size_t n_rows, int32_t *out)
{
    for (size_t r = 0; r < n_rows; r++)
        for (size_t b = 0; b < n_blocks; b++) {
            const uint8_t *block = blocks + b * I8_BLOCK * width;
            int32_t *sums = out + (r * n_blocks + b) * I8_BLOCK;
            memset(sums, 0, I8_BLOCK * sizeof *sums);
            for (size_t j = 0; j < width; j++)
                for (size_t lane = 0; lane < I8_BLOCK; lane++)
                    sums[lane] += rows[r * width + j] * i8_block_at(block, lane, j);
        }
}

static int32_t dot_plain(const uint8_t *row, const int8_t *q, size_t width)
{
    int32_t sum = 0;
    for (size_t j = 0; j < width; j++)
        sum += (row[j] - I8_FLIP) * q[j];
    return sum;
}

#if defined(__x86_64__)
#include <immintrin.h>

static inline int32_t four(const int8_t *p)
{
    int32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* ---- VNNI: unsigned times signed, so a stored byte counts 128 too much for each of q ---- */

#define VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

VNNI static __m512i flip_sum(const int8_t *row, size_t width)
{
    int32_t sum = 0;
    for (size_t j = 0; j < width; j++)
        sum += row[j];
    return _mm512_set1_epi32(-I8_FLIP * sum);
}

/* One row with four blocks. */
VNNI static void dots_1x4(const uint8_t *block, size_t width, const int8_t *row, __m512i bias,
                          int32_t *out)
{
    const size_t next = I8_BLOCK * width;
    __m512i a = bias, b = bias, c = bias, d = bias;
    for (size_t j = 0; j < width; j += 4) {
        const uint8_t *p = block + j * I8_BLOCK;
        __m512i x = _mm512_set1_epi32(four(row + j));
        a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(p), x);
        b = _mm512_dpbusd_epi32(b, _mm512_loadu_si512(p + next), x);
        c = _mm512_dpbusd_epi32(c, _mm512_loadu_si512(p + 2 * next), x);
        d = _mm512_dpbusd_epi32(d, _mm512_loadu_si512(p + 3 * next), x);
    }
    _mm512_storeu_si512(out, a);
    _mm512_storeu_si512(out + I8_BLOCK, b);
    _mm512_storeu_si512(out + 2 * (size_t)I8_BLOCK, c);
    _mm512_storeu_si512(out + 3 * (size_t)I8_BLOCK, d);
}

/* n rows (1 … 8) with one block; the constant n of the callers unrolls the inner loop. */
VNNI static inline __attribute__((always_inline)) void
dots_nx1(const uint8_t *block, size_t width, const int8_t *rows, const __m512i *bias, size_t n,
         int32_t *out, size_t stride)
{
    __m512i sum[8];
#pragma GCC unroll 8
    for (size_t r = 0; r < n; r++)
        sum[r] = bias[r];
    for (size_t j = 0; j < width; j += 4) {
        __m512i c = _mm512_loadu_si512(block + j * I8_BLOCK);
#pragma GCC unroll 8
        for (size_t r = 0; r < n; r++)
            sum[r] =
                _mm512_dpbusd_epi32(sum[r], c, _mm512_set1_epi32(four(rows + r * width + j)));
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < n; r++)
        _mm512_storeu_si512(out + r * stride, sum[r]);
}

VNNI static void dots_vnni(const uint8_t *blocks, size_t n_blocks, size_t width,
                           const int8_t *rows, size_t n_rows, int32_t *out)
{
    const size_t stride = n_blocks * I8_BLOCK, size = I8_BLOCK * width;
    __m512i bias[8];
    size_t r = 0;
    for (; r + 8 <= n_rows; r += 8) {
        for (size_t i = 0; i < 8; i++)
            bias[i] = flip_sum(rows + (r + i) * width, width);
        for (size_t b = 0; b < n_blocks; b++)
            dots_nx1(blocks + b * size, width, rows + r * width, bias, 8,
                     out + r * stride + b * I8_BLOCK, stride);
    }
    for (; r < n_rows; r++) {
        size_t b = 0;
        bias[0] = flip_sum(rows + r * width, width);
        for (; b + 4 <= n_blocks; b += 4)
            dots_1x4(blocks + b * size, width, rows + r * width, bias[0],
                     out + r * stride + b * I8_BLOCK);
        for (; b < n_blocks; b++)
            dots_nx1(blocks + b * size, width, rows + r * width, bias, 1,
                     out + r * stride + b * I8_BLOCK, stride);
    }
}

VNNI static int32_t dot_vnni(const uint8_t *row, const int8_t *q, size_t width)
{
    __m512i sum = _mm512_setzero_si512(), over = sum;
    const __m512i flip = _mm512_set1_epi8((char)I8_FLIP);
    for (size_t j = 0; j < width; j += 64) {
        __mmask64 m = width - j >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << (width - j)) - 1;
        __m512i x = _mm512_maskz_loadu_epi8(m, q + j);
        sum = _mm512_dpbusd_epi32(sum, _mm512_maskz_loadu_epi8(m, row + j), x);
        over = _mm512_dpbusd_epi32(over, flip, x);
    }
    return _mm512_reduce_add_epi32(_mm512_sub_epi32(sum, over));
}

/* ---- AVX2: |a| · (q with the sign of a); two products fit 16 bits, as no byte is -128 ---- */

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i add_products(__m256i sum, __m256i a, __m256i x)
{
    __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(x, a));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

AVX2 static inline __m256i load_flipped(const uint8_t *p)
{
    return _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)p),
                            _mm256_set1_epi8((char)I8_FLIP));
}

AVX2 static void dots_avx2(const uint8_t *blocks, size_t n_blocks, size_t width,
                           const int8_t *rows, size_t n_rows, int32_t *out)
{
    const size_t stride = n_blocks * I8_BLOCK;
    for (size_t r = 0; r < n_rows; r += 4)
        for (size_t b = 0; b < n_blocks; b++) {
            size_t n = n_rows - r < 4 ? n_rows - r : 4;
            const uint8_t *block = blocks + b * I8_BLOCK * width;
            __m256i lo[4], hi[4];
            for (size_t i = 0; i < 4; i++)
                lo[i] = hi[i] = _mm256_setzero_si256();
            for (size_t j = 0; j < width; j += 4) {
                __m256i c = load_flipped(block + j * I8_BLOCK);
                __m256i d = load_flipped(block + j * I8_BLOCK + 32);
#pragma GCC unroll 4
                for (size_t i = 0; i < 4; i++) {
                    size_t row = r + (i < n ? i : 0);
                    __m256i x = _mm256_set1_epi32(four(rows + row * width + j));
                    lo[i] = add_products(lo[i], c, x);
                    hi[i] = add_products(hi[i], d, x);
                }
            }
            for (size_t i = 0; i < n; i++) {
                int32_t *to = out + (r + i) * stride + b * I8_BLOCK;
                _mm256_storeu_si256((__m256i *)to, lo[i]);
                _mm256_storeu_si256((__m256i *)(to + 8), hi[i]);
            }
        }
}

AVX2 static int32_t dot_avx2(const uint8_t *row, const int8_t *q, size_t width)
{
    __m256i sum = _mm256_setzero_si256();
    size_t j = 0;
    for (; j + 32 <= width; j += 32)
        sum = add_products(sum, load_flipped(row + j),
                           _mm256_loadu_si256((const __m256i *)(q + j)));
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s) + dot_plain(row + j, q + j, width - j);
}
#endif

/* ---- choice ---- */

void i8_block_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                   size_t n_rows, int32_t *out)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa == ISA_AMX) {
        const size_t stride = n_blocks * I8_BLOCK;
        size_t n = n_rows / I8_AMX_ROWS * I8_AMX_ROWS;
        if (n)
            i8_amx_dots(blocks, n_blocks, width, rows, n, out, stride);
        rows += n * width;
        out += n * stride;
        n_rows -= n;
    }
    if (isa >= ISA_AVX512) {
        dots_vnni(blocks, n_blocks, width, rows, n_rows, out);
        return;
    }
    if (isa == ISA_AVX2) {
        dots_avx2(blocks, n_blocks, width, rows, n_rows, out);
        return;
    }
#endif
    dots_plain(blocks, n_blocks, width, rows, n_rows, out);
}

int32_t i8_dot(const uint8_t *row, const int8_t *q, size_t width)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512)
        return dot_vnni(row, q, width);
    if (isa == ISA_AVX2)
        return dot_avx2(row, q, width);
#endif
    return dot_plain(row, q, width);
}
