// SPDX-License-Identifier: MIT
/*
 * kernels_avx512.c — sets for AVX-512, with AVX512-BF16, with AVX512-VNNI
 */
#include "kernels_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

typedef int32_t ivec16 __attribute__((vector_size(64)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

#define ISA avx512
#define TURN turn_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define VEC __m512
#define IVEC ivec16
#define BYTES bytes16
#define LANES 16
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps
#define SPLAT _mm512_set1_ps
#define FMA _mm512_fmadd_ps
#define MAX _mm512_max_ps
#define MIN _mm512_min_ps
#define ROWS 12
#define EACH_ROW(F) F(0U) F(1U) F(2U) F(3U) F(4U) F(5U) F(6U) F(7U) F(8U) F(9U) F(10U) F(11U)

/* 16 rows of 16 units become 16 units of 16 rows; rows from n on are 0. */
TARGET static void turn_block(const char *rows, size_t n, size_t ld, char *to)
{
    __m512i r[16], s[16];
    for (size_t i = 0; i < 16; i++)
        r[i] = i < n ? _mm512_loadu_si512(rows + i * ld) : _mm512_setzero_si512();
    for (size_t i = 0; i < 16; i += 2) {
        s[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
        s[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (size_t i = 0; i < 16; i += 4) {
        r[i] = _mm512_unpacklo_epi64(s[i], s[i + 2]);
        r[i + 1] = _mm512_unpackhi_epi64(s[i], s[i + 2]);
        r[i + 2] = _mm512_unpacklo_epi64(s[i + 1], s[i + 3]);
        r[i + 3] = _mm512_unpackhi_epi64(s[i + 1], s[i + 3]);
    }
    for (size_t i = 0; i < 4; i++) {
        s[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
        s[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xDD);
        s[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
        s[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xDD);
    }
    for (size_t i = 0; i < 4; i++) {
        _mm512_storeu_si512(to + 64 * i, _mm512_shuffle_i32x4(s[i], s[i + 8], 0x88));
        _mm512_storeu_si512(to + 64 * (i + 4), _mm512_shuffle_i32x4(s[i + 4], s[i + 12], 0x88));
        _mm512_storeu_si512(to + 64 * (i + 8), _mm512_shuffle_i32x4(s[i], s[i + 8], 0xDD));
        _mm512_storeu_si512(to + 64 * (i + 12),
                            _mm512_shuffle_i32x4(s[i + 4], s[i + 12], 0xDD));
    }
}

TARGET void turn_avx512(const char *rows, size_t n, size_t ld, size_t units, char *to)
{
    for (size_t u = 0; u < units; u += 16)
        turn_block(rows + 4 * u, n, ld, to + 64 * u);
}

#include "vector.inc"
#include "gemm.inc"
#include "rows.inc"

const struct kernels kernels_f32_avx512 = { "f32 avx512",   PRECISION_F32, FORM_F32,
                                            FORM_F32,       FORM_F32,      multiply_avx512,
                                            attend_avx512,  NULL,          turn_avx512,
                                            add_norm_avx512 };

TARGET INLINE __m512i unit_avx512(const char *p)
{
    int u;
    memcpy(&u, p, sizeof u);
    return _mm512_set1_epi32(u);
}

#undef ISA
#undef TARGET
#define ISA vnni
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#define SET avx512
#define SUM ivec16
#define PART_W __m512i
#define PART_X __m512i
#define UNIT unit_avx512
#define DOT(sum, x, w) ((ivec16)_mm512_dpbusd_epi32((__m512i)(sum), x, w))
#define DOT_FORM 8
#include "dot.inc"

const struct kernels kernels_int8_vnni = { "int8 avx512-vnni", PRECISION_INT8,  FORM_INT8,
                                           FORM_F32,           FORM_F32,        multiply_vnni,
                                           attend_avx512,      quantise_avx512, turn_avx512,
                                           add_norm_avx512 };

#undef ISA
#undef TARGET
#undef SUM
#undef DOT
#undef DOT_FORM
#define ISA avx512bf16
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))
#define SUM __m512
#define DOT(sum, x, w) _mm512_dpbf16_ps(sum, (__m512bh)(x), (__m512bh)(w))
#define DOT_FORM 16
#include "dot.inc"

/* Rounded to nearest, ties to even. */
TARGET void encode_bf16(const float *x, size_t n, void *row)
{
    char *to = row;
    for (size_t i = 0; i < n; i += 32) {
        __m512bh v = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + i + 16), _mm512_loadu_ps(x + i));
        _mm512_storeu_si512(to + 2 * i, (__m512i)v);
    }
}

const struct kernels kernels_bf16_avx512 = {
    "bf16 avx512-bf16",  PRECISION_BF16, FORM_BF16,   FORM_F32,    FORM_F32,
    multiply_avx512bf16, attend_avx512,  encode_bf16, turn_avx512, add_norm_avx512
};
#endif
