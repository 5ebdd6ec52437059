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

static inline unsigned code_of(float u, unsigned bits)
{
    if (bits == 1)
        return u > 0;
    return (unsigned)(u > -BORDER) + (u > 0) + (u > BORDER);
}

static inline float level_of(unsigned code, unsigned bits)
{
    static const float four[4] = { -LEVEL_OUT, -LEVEL_IN, LEVEL_IN, LEVEL_OUT };
    return bits == 2 ? four[code] : code ? 1.0f : -1.0f;
}

static void put_half(uint8_t *at, size_t slot, half h)
{
    memcpy(at + slot * sizeof h, &h, sizeof h);
}

/* Codes of a row, two nibbles a byte, and their levels. bits is a constant for the compiler. */
static inline __attribute__((always_inline)) void put_codes(uint8_t *block, size_t slot,
                                                            const float *r, float unit,
                                                            size_t width, unsigned bits,
                                                            float *levels)
{
    const size_t a_byte = 8 / bits;
    for (size_t p = 0; p < width / a_byte; p++) {
        unsigned byte = 0;
        for (size_t e = 0; e < a_byte; e++) {
            unsigned code = code_of(r[p * a_byte + e] * unit, bits);
            levels[p * a_byte + e] = level_of(code, bits);
            byte |= code << (e * bits);
        }
        block[p * CODE_BLOCK + slot] = (uint8_t)byte;
    }
}

void code_put(uint8_t *block, size_t slot, const float *r, const float *c, size_t width,
              unsigned bits, float *scratch)
{
    float length = vec_norm(r, width);
    float unit = length > 0 ? sqrtf((float)width) / length : 0;
    if (bits == 1)
        put_codes(block, slot, r, unit, width, 1, scratch);
    else
        put_codes(block, slot, r, unit, width, 2, scratch);
    float along = vec_dot(scratch, r, width);
    half f = half_from_float(along > 0 ? vec_dot(r, r, width) / along : 0);
    float over = half_to_float(f) * vec_dot(c, scratch, width);
    uint8_t *tail = block + code_nibbles(width, bits) / 2 * CODE_BLOCK;
    put_half(tail, slot, f);
    put_half(tail, CODE_BLOCK + slot, half_from_float(vec_dot(c, r, width) - over));
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
