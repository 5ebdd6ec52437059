// SPDX-License-Identifier: MIT
/*
 * rotate.c — signs and butterflies, one source for every instruction set
 */
#include "rotate.h"

#include <math.h>

#include "alloc.h"
#include "isa.h"
#include "rng.h"

#define LANES 16
#define SIGN_SEED 0x67722d7664657869 /* any number; files depend on it */

typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

void rotation_init(struct rotation *r, size_t dim, size_t width)
{
    struct rng rng = { SIGN_SEED };
    *r = (struct rotation){ .dim = dim, .width = width };
    r->signs = alloc_array(ROTATE_ROUNDS * width, sizeof *r->signs);
    for (size_t i = 0; i < ROTATE_ROUNDS * width; i++)
        r->signs[i] = rng_u64(&rng) >> 63 ? 1.0f : -1.0f;
}

void rotation_release(struct rotation *r)
{
    free(r->signs);
    *r = (struct rotation){ 0 };
}

/* Butterflies of lanes 1, 2, 4 and 8 apart: the partner's value plus the own one, which is
 * negative in the upper of the two. */
static inline __attribute__((always_inline)) void butterfly_inside(lanes *v, float scale)
{
    const lanes s1 = { 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1 };
    const lanes s2 = { 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1 };
    const lanes s4 = { 1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1 };
    const lanes s8 = { 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1 };
    lanes x = *v, y;
    y = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    x = x * s1 + y;
    y = __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    x = x * s2 + y;
    y = __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
    x = x * s4 + y;
    y = __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    x = x * s8 + y;
    *v = x * scale;
}

/* Transform n values, a power of two, and scale them to the length they had. */
static inline __attribute__((always_inline)) void transform(float *x, size_t n, float scale)
{
    if (n < LANES) {
        for (size_t h = 1; h < n; h *= 2)
            for (size_t i = 0; i < n; i++)
                if (!(i & h)) {
                    float a = x[i], b = x[i + h];
                    x[i] = a + b;
                    x[i + h] = a - b;
                }
        for (size_t i = 0; i < n; i++)
            x[i] *= scale;
        return;
    }
    for (size_t i = 0; i < n; i += LANES)
        butterfly_inside((lanes *)(x + i), scale);
    for (size_t h = LANES; h < n; h *= 2)
        for (size_t i = 0; i < n; i += 2 * h)
            for (size_t j = i; j < i + h; j += LANES) {
                lanes *u = (lanes *)(x + j), *v = (lanes *)(x + j + h);
                lanes a = *u, b = *v;
                *u = a + b;
                *v = a - b;
            }
}

static inline __attribute__((always_inline)) void apply(const struct rotation *r, float *x)
{
    size_t part = 1;
    while (part * 2 <= r->width)
        part *= 2;
    float scale = 1 / sqrtf((float)part);
    for (size_t round = 0; round < ROTATE_ROUNDS; round++) {
        const float *signs = r->signs + round * r->width;
        for (size_t i = 0; i < r->width; i++)
            x[i] *= signs[i];
        transform(x, part, scale);
        if (part < r->width)
            transform(x + r->width - part, part, scale);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void apply_avx512(const struct rotation *r, float *x)
{
    apply(r, x);
}

__attribute__((target("avx2"))) static void apply_avx2(const struct rotation *r, float *x)
{
    apply(r, x);
}
#endif

void rotation_apply(const struct rotation *r, const float *in, float *out)
{
    memcpy(out, in, r->dim * sizeof *out);
    memset(out + r->dim, 0, (r->width - r->dim) * sizeof *out);
#if defined(__x86_64__)
    enum isa isa = isa_now();
    if (isa >= ISA_AVX512) {
        apply_avx512(r, out);
        return;
    }
    if (isa == ISA_AVX2) {
        apply_avx2(r, out);
        return;
    }
#endif
    apply(r, out);
}
