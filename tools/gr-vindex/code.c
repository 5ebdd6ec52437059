// SPDX-License-Identifier: MIT
/*
 * code.c — making codes and tables
 */
#include "code.h"

#include <math.h>

#include "half.h"
#include "isa.h"
#include "vec.h"

/* Lloyd–Max levels of four for the normal distribution, and the border between them. */
#define LEVEL_IN 0.4528f
#define LEVEL_OUT 1.510f
#define BORDER 0.9816f

#define LANES 16
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int32_t lanes_i32 __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef uint8_t lanes_u8 __attribute__((vector_size(LANES)));

size_t code_width(size_t dim, unsigned bits)
{
    size_t multiple = bits == 1 ? 8 : 4;
    return (dim + multiple - 1) / multiple * multiple;
}

float code_error(unsigned bits)
{
    /* √(<r,r> |v|² / <v,r>² - 1) for normal r: √(π/2 - 1), and with four levels √(1/.8825 - 1).
     */
    return bits == 1 ? 0.756f : 0.364f;
}

static void put_half(uint8_t *at, size_t slot, half h)
{
    memcpy(at + slot * sizeof h, &h, sizeof h);
}

/* What a code's factors are made of, summed in the order of vec_dot. */
struct sums {
    float along, square, across, both; /* <v,r>, <r,r>, <c,v>, <c,r> */
};

static inline __attribute__((always_inline)) float sum_of(const lanes *v)
{
    float lane[LANES];
    memcpy(lane, v, sizeof lane);
    for (size_t step = LANES / 2; step; step /= 2)
        for (size_t l = 0; l < step; l++)
            lane[l] += lane[l + step];
    return lane[0];
}

static inline __attribute__((always_inline)) void choose(const lanes_i32 *is, float yes,
                                                         float no, lanes *to)
{
    lanes a = (lanes){ 0 } + yes, b = (lanes){ 0 } + no;
    *to = (lanes)(((lanes_i32)a & *is) | ((lanes_i32)b & ~*is));
}

/* The code z of 16 elements, shifted to their places in the bytes, and its levels v. */
static inline __attribute__((always_inline)) void
codes_of(const lanes *r, float unit, unsigned bits, lanes_i32 *z, lanes *v)
{
    const lanes_i32 by_1 = { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7 };
    const lanes_i32 by_2 = { 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6 };
    const lanes zero = { 0 };
    if (bits == 1) {
        lanes_i32 is_more = (lanes_i32)(*r > zero);
        choose(&is_more, 1, -1, v);
        *z = (is_more & 1) << by_1;
        return;
    }
    lanes u = *r * unit, inner, outer;
    lanes_i32 low = (lanes_i32)(u > zero - BORDER), mid = (lanes_i32)(u > zero),
              high = (lanes_i32)(u > zero + BORDER), is_in = low & ~high;
    choose(&mid, LEVEL_IN, -LEVEL_IN, &inner);
    choose(&mid, LEVEL_OUT, -LEVEL_OUT, &outer);
    *v = (lanes)(((lanes_i32)inner & is_in) | ((lanes_i32)outer & ~is_in));
    *z = ((low & 1) + (mid & 1) + (high & 1)) << by_2;
}

/* Codes of a row, two nibbles a byte, and the sums. bits is a constant for the compiler. */
static inline __attribute__((always_inline)) void put_codes(uint8_t *block, size_t slot,
                                                            const float *r, const float *c,
                                                            float unit, size_t width,
                                                            unsigned bits, struct sums *to)
{
    const size_t a_byte = 8 / bits;
    lanes along = { 0 }, square = along, across = along, both = along;
    for (size_t i = 0; i < width; i += LANES) {
        lanes x = { 0 }, y = x, v;
        size_t n = width - i < LANES ? width - i : LANES;
        if (n == LANES) {
            x = *(const lanes *)(r + i);
            y = *(const lanes *)(c + i);
        } else {
            memcpy(&x, r + i, n * sizeof *r);
            memcpy(&y, c + i, n * sizeof *c);
        }
        lanes_i32 z;
        codes_of(&x, unit, bits, &z, &v);
        along += v * x;
        square += x * x;
        across += y * v;
        both += y * x;
        z |=
            __builtin_shufflevector(z, z, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
        z |=
            __builtin_shufflevector(z, z, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        if (bits == 1)
            z |= __builtin_shufflevector(z, z, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10,
                                         11);
        for (size_t j = 0; j < n; j += a_byte)
            block[(i + j) / a_byte * CODE_BLOCK + slot] = (uint8_t)z[j];
    }
    *to = (struct sums){ sum_of(&along), sum_of(&square), sum_of(&across), sum_of(&both) };
}

static inline __attribute__((always_inline)) void put_row(uint8_t *block, size_t slot,
                                                          const float *r, const float *c,
                                                          float unit, size_t width,
                                                          unsigned bits, struct sums *to)
{
    if (bits == 1)
        put_codes(block, slot, r, c, unit, width, 1, to);
    else
        put_codes(block, slot, r, c, unit, width, 2, to);
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void put_avx512(uint8_t *block, size_t slot,
                                                          const float *r, const float *c,
                                                          float unit, size_t width,
                                                          unsigned bits, struct sums *to)
{
    put_row(block, slot, r, c, unit, width, bits, to);
}

__attribute__((target("avx2"))) static void put_avx2(uint8_t *block, size_t slot,
                                                     const float *r, const float *c, float unit,
                                                     size_t width, unsigned bits,
                                                     struct sums *to)
{
    put_row(block, slot, r, c, unit, width, bits, to);
}
#endif

static void put(uint8_t *block, size_t slot, const float *r, const float *c, float unit,
                size_t width, unsigned bits, struct sums *to)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        put_avx512(block, slot, r, c, unit, width, bits, to);
        return;
    }
    if (isa == ISA_AVX2) {
        put_avx2(block, slot, r, c, unit, width, bits, to);
        return;
    }
#endif
    put_row(block, slot, r, c, unit, width, bits, to);
}

float code_put(uint8_t *block, size_t slot, const float *r, const float *c, size_t width,
               unsigned bits)
{
    struct sums s;
    float length = bits == 1 ? 1 : vec_norm(r, width); /* signs do not depend on it */
    put(block, slot, r, c, length > 0 ? sqrtf((float)width) / length : 0, width, bits, &s);
    half f = half_from_float(s.along > 0 ? s.square / s.along : 0);
    float over = half_to_float(f) * s.across;
    uint8_t *tail = block + code_nibbles(width, bits) / 2 * CODE_BLOCK;
    put_half(tail, slot, f);
    put_half(tail, CODE_BLOCK + slot, half_from_float(s.both - over));
    return s.square;
}

/* ---- tables ---- */

/* Sums of levels for each value of a half byte. Products with ±1 are exact. */
static inline __attribute__((always_inline)) void sums_of(const float *q, unsigned bits,
                                                          lanes *to)
{
    const lanes b0 = { -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1 };
    const lanes b1 = { -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1 };
    const lanes b2 = { -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1 };
    const lanes b3 = { -1, -1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const float o = LEVEL_OUT, i = LEVEL_IN;
    const lanes lo = { -o, -i, i, o, -o, -i, i, o, -o, -i, i, o, -o, -i, i, o };
    const lanes hi = { -o, -o, -o, -o, -i, -i, -i, -i, i, i, i, i, o, o, o, o };
    if (bits == 1) {
        lanes s = b0 * q[0], t = b2 * q[2];
        s += b1 * q[1];
        t += b3 * q[3];
        *to = s + t;
        return;
    }
    lanes s = lo * q[0], t = hi * q[1];
    *to = s + t;
}

/* The largest of the sums; the least is its negative. */
static inline __attribute__((always_inline)) float largest_of(const float *q, unsigned bits)
{
    if (bits == 1) {
        float s = fabsf(q[0]) + fabsf(q[1]), t = fabsf(q[2]) + fabsf(q[3]);
        return s + t;
    }
    float s = LEVEL_OUT * fabsf(q[0]), t = LEVEL_OUT * fabsf(q[1]);
    return s + t;
}

static inline __attribute__((always_inline)) void
table_make(struct code_table *t, const float *q, size_t width, unsigned bits)
{
    size_t n = code_nibbles(width, bits), a_nibble = 4 / bits;
    float most = 1e-20f, base = 0;
    for (size_t m = 0; m < n; m++) {
        float x = largest_of(q + m * a_nibble, bits);
        most = x > most ? x : most;
        base -= x;
    }
    t->n_pairs = n / 2;
    t->base = base;
    t->step = 2 * most / 63;
    float inverse = 63 / (2 * most);
    for (size_t m = 0; m < n; m++) {
        lanes s;
        sums_of(q + m * a_nibble, bits, &s);
        s += largest_of(q + m * a_nibble, bits);
        s *= inverse;
        s += 0.5f;
        lanes_u8 bytes =
            __builtin_convertvector(__builtin_convertvector(s, lanes_i32), lanes_u8);
        uint8_t *to = t->lut + code_lut_at(m);
        memcpy(to, &bytes, sizeof bytes);
        memcpy(to + LANES, &bytes, sizeof bytes);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw"))) static void
table_avx512(struct code_table *t, const float *q, size_t width, unsigned bits)
{
    table_make(t, q, width, bits);
}

__attribute__((target("avx2"))) static void table_avx2(struct code_table *t, const float *q,
                                                       size_t width, unsigned bits)
{
    table_make(t, q, width, bits);
}
#endif

void code_table_make(struct code_table *t, const float *q, size_t width, unsigned bits)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        table_avx512(t, q, width, bits);
        return;
    }
    if (isa == ISA_AVX2) {
        table_avx2(t, q, width, bits);
        return;
    }
#endif
    table_make(t, q, width, bits);
}
