// SPDX-License-Identifier: MIT
/*
 * kernels_avx2.c — sets for AVX2 with FMA, and for AVX-VNNI
 */
#include "kernels_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

typedef int32_t ivec8 __attribute__((vector_size(32)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

#define ISA avx2
#define TURN turn_plain
#define TARGET __attribute__((target("avx2,fma")))
#define VEC __m256
#define IVEC ivec8
#define BYTES bytes8
#define LANES 8
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define SPLAT _mm256_set1_ps
#define FMA _mm256_fmadd_ps
#define MAX _mm256_max_ps
#define MIN _mm256_min_ps
#define ROWS 6
#define EACH_ROW(F) F(0U) F(1U) F(2U) F(3U) F(4U) F(5U)
#include "vector.inc"
#include "gemm.inc"
#include "rows.inc"

const struct kernels kernels_f32_avx2 = { "f32 avx2", PRECISION_F32, FORM_F32,    FORM_F32,
                                          FORM_F32,   multiply_avx2, attend_avx2, NULL,
                                          turn_plain, add_norm_avx2 };

/* AVX2 multiplies bytes in pairs that saturate. Even and odd bytes apart, as 16-bit numbers,
 * the sums are exact: the same as every other set's, at about the speed of float32. */
TARGET INLINE ivec8 dot_avx2(ivec8 sum, __m256i x, __m256i w)
{
    __m256i even = _mm256_and_si256(x, _mm256_set1_epi16(0xFF)), odd = _mm256_srli_epi16(x, 8);
    __m256i w_even = _mm256_srai_epi16(_mm256_slli_epi16(w, 8), 8);
    __m256i w_odd = _mm256_srai_epi16(w, 8);
    return sum + (ivec8)_mm256_madd_epi16(even, w_even) + (ivec8)_mm256_madd_epi16(odd, w_odd);
}

TARGET INLINE __m256i unit_avx2(const char *p)
{
    int u;
    memcpy(&u, p, sizeof u);
    return _mm256_set1_epi32(u);
}

#undef ISA
#define ISA avx2_8
#define SET avx2
#define SUM ivec8
#define PART_W __m256i
#define PART_X __m256i
#define UNIT unit_avx2
#define DOT dot_avx2
#define DOT_FORM 8
#undef ROWS
#undef EACH_ROW
#define ROWS 4
#define EACH_ROW(F) F(0U) F(1U) F(2U) F(3U)
#include "dot.inc"

const struct kernels kernels_int8_avx2 = { "int8 avx2",  PRECISION_INT8, FORM_INT8,
                                           FORM_F32,     FORM_F32,       multiply_avx2_8,
                                           attend_avx2,  quantise_avx2,  turn_plain,
                                           add_norm_avx2 };

#undef ISA
#undef TARGET
#undef DOT
#undef ROWS
#undef EACH_ROW
#define ISA avxvnni
#define TARGET __attribute__((target("avx2,fma,avxvnni")))
#define DOT(sum, x, w) ((ivec8)_mm256_dpbusd_avx_epi32((__m256i)(sum), x, w))
#define ROWS 6
#define EACH_ROW(F) F(0U) F(1U) F(2U) F(3U) F(4U) F(5U)
#include "dot.inc"

const struct kernels kernels_int8_avxvnni = { "int8 avx-vnni", PRECISION_INT8, FORM_INT8,
                                              FORM_F32,        FORM_F32,       multiply_avxvnni,
                                              attend_avx2,     quantise_avx2,  turn_plain,
                                              add_norm_avx2 };
#endif
