// SPDX-License-Identifier: MIT
/*
 * ivf_code.c — residuals of a list's rows
 */
#include "ivf_code.h"

#include "alloc.h"
#include "code.h"
#include "i8.h"
#include "isa.h"

typedef float lanes
    __attribute__((vector_size(I8_BLOCK * sizeof(float)), aligned(4), may_alias));
typedef int32_t lanes_i32 __attribute__((vector_size(I8_BLOCK * sizeof(int32_t))));
typedef int8_t lanes_i8 __attribute__((vector_size(I8_BLOCK)));

void ivf_encoder_init(struct ivf_encoder *e, size_t dim, size_t width, unsigned bits)
{
    *e = (struct ivf_encoder){ .width = width, .bits = bits };
    e->c = alloc_array(width, sizeof *e->c);
    e->r = alloc_array(width, sizeof *e->r);
    e->row = alloc_array(dim, sizeof *e->row);
    e->rotated = alloc_array(width, sizeof *e->rotated);
    e->bytes = alloc_array(width, sizeof *e->bytes);
}

void ivf_encoder_release(struct ivf_encoder *e)
{
    free(e->c);
    free(e->r);
    free(e->row);
    free(e->rotated);
    free(e->bytes);
    *e = (struct ivf_encoder){ 0 };
}

void ivf_encoder_set(struct ivf_encoder *e, const uint8_t *cent, const float *scale, size_t k)
{
    const uint8_t *block = cent + k / I8_BLOCK * I8_BLOCK * e->width;
    for (size_t j = 0; j < e->width; j++)
        e->c[j] = (float)i8_block_at(block, k % I8_BLOCK, j) * scale[k];
}

static inline __attribute__((always_inline)) void
residual(const int8_t *bytes, float scale, const float *c, size_t width, float *r)
{
    size_t j = 0;
    for (; j + I8_BLOCK <= width; j += I8_BLOCK) {
        lanes_i8 b;
        memcpy(&b, bytes + j, sizeof b);
        lanes value = __builtin_convertvector(__builtin_convertvector(b, lanes_i32), lanes);
        value = value * scale;
        *(lanes *)(r + j) = value - *(const lanes *)(c + j);
    }
    for (; j < width; j++) {
        float value = (float)bytes[j] * scale;
        r[j] = value - c[j];
    }
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw"))) static void
residual_avx512(const int8_t *bytes, float scale, const float *c, size_t width, float *r)
{
    residual(bytes, scale, c, width, r);
}
#endif

float ivf_encode(struct ivf_encoder *e, const int8_t *bytes, float scale, uint8_t *block,
                 size_t slot)
{
#if defined(__x86_64__)
    if (isa_now() >= ISA_AVX512) {
        residual_avx512(bytes, scale, e->c, e->width, e->r);
        return code_put(block, slot, e->r, e->c, e->width, e->bits);
    }
#endif
    residual(bytes, scale, e->c, e->width, e->r);
    return code_put(block, slot, e->r, e->c, e->width, e->bits);
}
