// SPDX-License-Identifier: MIT
/*
 * kernels_plain.c — the sets that any processor runs: vectors of 4, lowered by the compiler
 */
#include <math.h>

#include "kernels_impl.h"

typedef float vec4 __attribute__((vector_size(16)));
typedef int32_t ivec4 __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));

INLINE vec4 load4(const float *p)
{
    vec4 v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store4(float *p, vec4 v)
{
    memcpy(p, &v, sizeof v);
}

/* y where x > y is false, so also where one is no number. */
INLINE vec4 max4(vec4 x, vec4 y)
{
    ivec4 first = x > y;
    return (vec4)(((ivec4)x & first) | ((ivec4)y & ~first));
}

INLINE vec4 min4(vec4 x, vec4 y)
{
    ivec4 first = x < y;
    return (vec4)(((ivec4)x & first) | ((ivec4)y & ~first));
}

void turn_plain(const char *rows, size_t n, size_t ld, size_t units, char *to)
{
    if (n < PANEL)
        memset(to, 0, 4 * PANEL * units);
    for (size_t u = 0; u < units; u += PANEL) /* blocks: lines are written whole */
        for (size_t r = 0; r < PANEL && r < n; r++)
            for (size_t i = u; i < u + PANEL; i++)
                memcpy(to + 4 * (i * PANEL + r), rows + r * ld + 4 * i, 4);
}

#define ISA plain
#define TURN turn_plain
#define TARGET
#define VEC vec4
#define IVEC ivec4
#define BYTES bytes4
#define LANES 4
#define LOAD load4
#define STORE store4
#define SPLAT(x) ((x) - (vec4){ 0 })
#define FMA(x, y, z) ((x) * (y) + (z))
#define MAX max4
#define MIN min4
#define ROWS 6
#define EACH_ROW(F) F(0U) F(1U) F(2U) F(3U) F(4U) F(5U)
#include "vector.inc"
#include "gemm.inc"
#include "rows.inc"

const struct kernels kernels_f32_plain = { "f32 plain", PRECISION_F32,  FORM_F32,     FORM_F32,
                                           FORM_F32,    multiply_plain, attend_plain, NULL,
                                           turn_plain,  add_norm_plain };

/* Four products of bytes in each lane, in the order of memory. */
INLINE ivec4 dot4(ivec4 sum, uint32_t x, ivec4 w)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const ivec4 first = w << 24 >> 24, second = w << 16 >> 24, third = w << 8 >> 24;
    const ivec4 fourth = w >> 24;
#else
    const ivec4 fourth = w << 24 >> 24, third = w << 16 >> 24, second = w << 8 >> 24;
    const ivec4 first = w >> 24;
#endif
    uint8_t q[4];
    memcpy(q, &x, sizeof q);
    return sum + first * q[0] + second * q[1] + third * q[2] + fourth * q[3];
}

INLINE uint32_t unit4(const char *p)
{
    uint32_t u;
    memcpy(&u, p, sizeof u);
    return u;
}

#undef ISA
#undef ROWS
#undef EACH_ROW
#define ISA plain8
#define SET plain
#define SUM ivec4
#define PART_W ivec4
#define PART_X uint32_t
#define UNIT unit4
#define DOT dot4
#define DOT_FORM 8
#define ROWS 2
#define EACH_ROW(F) F(0U) F(1U)
#include "dot.inc"

const struct kernels kernels_int8_plain = { "int8 plain",  PRECISION_INT8, FORM_INT8,
                                            FORM_F32,      FORM_F32,       multiply_plain8,
                                            attend_plain,  quantise_plain, turn_plain,
                                            add_norm_plain };
