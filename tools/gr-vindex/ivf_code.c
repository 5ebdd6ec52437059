// SPDX-License-Identifier: MIT
/*
 * ivf_code.c — residuals of a list's rows
 */
#include "ivf_code.h"

#include "alloc.h"
#include "code.h"
#include "i8.h"
#include "vec.h"

void ivf_encoder_init(struct ivf_encoder *e, size_t dim, size_t width, unsigned bits)
{
    *e = (struct ivf_encoder){ .width = width, .bits = bits };
    e->c = alloc_array(width, sizeof *e->c);
    e->r = alloc_array(width, sizeof *e->r);
    e->levels = alloc_array(width, sizeof *e->levels);
    e->row = alloc_array(dim, sizeof *e->row);
    e->rotated = alloc_array(width, sizeof *e->rotated);
    e->bytes = alloc_array(width, sizeof *e->bytes);
}

void ivf_encoder_release(struct ivf_encoder *e)
{
    free(e->c);
    free(e->r);
    free(e->levels);
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

float ivf_encode(struct ivf_encoder *e, const int8_t *bytes, float scale, uint8_t *block,
                 size_t slot)
{
    for (size_t j = 0; j < e->width; j++) {
        float value = (float)bytes[j] * scale;
        e->r[j] = value - e->c[j];
    }
    code_put(block, slot, e->r, e->c, e->width, e->bits, e->levels);
    return vec_dot(e->r, e->r, e->width);
}
