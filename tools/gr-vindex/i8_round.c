// SPDX-License-Identifier: MIT
/*
 * i8_round.c — floats to bytes and back, one source for every instruction set
 */
#include <math.h>

#include "i8.h"
#include "isa.h"

#define LANES 16
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int32_t lanes_i32 __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef int8_t lanes_i8 __attribute__((vector_size(LANES), aligned(1), may_alias));

/* Adding and taking away 1.5 · 2^23 rounds to the nearest whole number, ties to even. */
#define WHOLE 0x1.8p23f

/* ---- kernels ---- */

static inline __attribute__((always_inline)) float largest(const float *x, size_t width)
{
    lanes most = { 0 };
    size_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        lanes_i32 v = (lanes_i32) * (const lanes *)(x + i) & 0x7fffffff;
        lanes_i32 is_more = (lanes_i32)((lanes)v > most);
        most = (lanes)((v & is_more) | ((lanes_i32)most & ~is_more));
    }
    float all = 0;
    for (size_t l = 0; l < LANES; l++)
        all = most[l] > all ? most[l] : all;
    for (; i < width; i++)
        all = fabsf(x[i]) > all ? fabsf(x[i]) : all;
    return all;
}

static inline __attribute__((always_inline)) void from_float(const float *x, size_t width,
                                                             float scale, int8_t *to)
{
    const float inverse = scale > 0 ? 1 / scale : 0;
    const lanes most = (lanes){ 0 } + 127, least = -most;
    size_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        lanes y = *(const lanes *)(x + i) * inverse;
        y = y + WHOLE;
        y = y - WHOLE;
        lanes_i32 is_in = (lanes_i32)(y < most);
        y = (lanes)(((lanes_i32)y & is_in) | ((lanes_i32)most & ~is_in));
        is_in = (lanes_i32)(y > least);
        y = (lanes)(((lanes_i32)y & is_in) | ((lanes_i32)least & ~is_in));
        lanes_i8 bytes =
            __builtin_convertvector(__builtin_convertvector(y, lanes_i32), lanes_i8);
        memcpy(to + i, &bytes, sizeof bytes);
    }
    for (; i < width; i++) {
        float y = x[i] * inverse;
        y = y + WHOLE;
        y = y - WHOLE;
        y = y < 127 ? y : 127; /* what is no number, too */
        y = y > -127 ? y : -127;
        to[i] = (int8_t)y;
    }
}

static inline __attribute__((always_inline)) float unit_scale(const int8_t *x, size_t width)
{
    lanes_i32 sums = { 0 };
    int64_t sum = 0;
    size_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        lanes_i8 bytes;
        memcpy(&bytes, x + i, sizeof bytes);
        lanes_i32 v = __builtin_convertvector(bytes, lanes_i32);
        sums += v * v;
    }
    for (size_t l = 0; l < LANES; l++)
        sum += sums[l];
    for (; i < width; i++)
        sum += x[i] * x[i];
    return sum ? 1 / sqrtf((float)sum) : 0;
}

static inline __attribute__((always_inline)) void scaled(const int8_t *x, size_t width,
                                                         float scale, float *to)
{
    size_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        lanes_i8 bytes;
        memcpy(&bytes, x + i, sizeof bytes);
        lanes v = __builtin_convertvector(__builtin_convertvector(bytes, lanes_i32), lanes);
        *(lanes *)(to + i) = v * scale;
    }
    for (; i < width; i++)
        to[i] = (float)x[i] * scale;
}

static inline __attribute__((always_inline)) struct i8_rounded
round_row(const float *x, size_t width, int8_t *to)
{
    struct i8_rounded r = { .scale = largest(x, width) / 127 };
    lanes offs = { 0 }, squares = { 0 };
    float off = 0, square = 0;
    size_t i = 0;
    from_float(x, width, r.scale, to);
    for (; i + LANES <= width; i += LANES) {
        lanes_i8 bytes;
        memcpy(&bytes, to + i, sizeof bytes);
        lanes v = __builtin_convertvector(__builtin_convertvector(bytes, lanes_i32), lanes);
        lanes a = *(const lanes *)(x + i);
        v = a - v * r.scale;
        offs += v * v;
        squares += a * a;
    }
    for (size_t l = 0; l < LANES; l++) {
        off += offs[l];
        square += squares[l];
    }
    for (; i < width; i++) {
        float v = x[i] - (float)to[i] * r.scale;
        off += v * v;
        square += x[i] * x[i];
    }
    r.off = sqrtf(off);
    r.length = sqrtf(square);
    return r;
}

/* ---- by instruction set ---- */

static inline __attribute__((always_inline)) float from_unit(const float *x, size_t width,
                                                             int8_t *to)
{
    from_float(x, width, largest(x, width) / 127, to);
    return unit_scale(to, width);
}

static inline __attribute__((always_inline)) void to_unit(const int8_t *x, size_t width,
                                                          float *to)
{
    scaled(x, width, unit_scale(x, width), to);
}

#if defined(__x86_64__)
#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define AVX2 __attribute__((target("avx2")))

AVX512 static float from_unit_avx512(const float *x, size_t width, int8_t *to)
{
    return from_unit(x, width, to);
}

AVX2 static float from_unit_avx2(const float *x, size_t width, int8_t *to)
{
    return from_unit(x, width, to);
}

AVX512 static void to_unit_avx512(const int8_t *x, size_t width, float *to)
{
    to_unit(x, width, to);
}

AVX2 static void to_unit_avx2(const int8_t *x, size_t width, float *to)
{
    to_unit(x, width, to);
}

AVX512 static struct i8_rounded round_row_avx512(const float *x, size_t width, int8_t *to)
{
    return round_row(x, width, to);
}

AVX2 static struct i8_rounded round_row_avx2(const float *x, size_t width, int8_t *to)
{
    return round_row(x, width, to);
}

AVX512 static void from_float_avx512(const float *x, size_t width, float scale, int8_t *to)
{
    from_float(x, width, scale, to);
}

AVX2 static void from_float_avx2(const float *x, size_t width, float scale, int8_t *to)
{
    from_float(x, width, scale, to);
}
#endif

float i8_from_unit(const float *x, size_t width, int8_t *to)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512)
        return from_unit_avx512(x, width, to);
    if (isa == ISA_AVX2)
        return from_unit_avx2(x, width, to);
#endif
    return from_unit(x, width, to);
}

void i8_to_unit(const int8_t *x, size_t width, float *to)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        to_unit_avx512(x, width, to);
        return;
    }
    if (isa == ISA_AVX2) {
        to_unit_avx2(x, width, to);
        return;
    }
#endif
    to_unit(x, width, to);
}

void i8_from_float(const float *x, size_t width, float scale, int8_t *to)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        from_float_avx512(x, width, scale, to);
        return;
    }
    if (isa == ISA_AVX2) {
        from_float_avx2(x, width, scale, to);
        return;
    }
#endif
    from_float(x, width, scale, to);
}

struct i8_rounded i8_round_row(const float *x, size_t width, int8_t *to)
{
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512)
        return round_row_avx512(x, width, to);
    if (isa == ISA_AVX2)
        return round_row_avx2(x, width, to);
#endif
    return round_row(x, width, to);
}

float i8_largest(const float *x, size_t width)
{
    return largest(x, width);
}

float i8_unit_scale(const int8_t *x, size_t width)
{
    return unit_scale(x, width);
}
