// SPDX-License-Identifier: MIT
/*
 * kernels.c — which sets this processor runs; packing, the same bytes on every processor
 */
#include "kernels_impl.h"

#include <math.h>

#include "alloc.h"
#include "cpu.h"

/* ---- the processor ---- */

#if defined(__x86_64__)

static bool can_run(const struct kernels *k)
{
    const struct cpu *cpu = cpu_get();
    if (k == &kernels_bf16_amx || k == &kernels_int8_amx)
        return cpu->has_amx;
    if (k == &kernels_bf16_avx512)
        return cpu->has_bf16;
    if (k == &kernels_int8_vnni)
        return cpu->has_vnni;
    if (k == &kernels_int8_avxvnni)
        return cpu->has_avx_vnni;
    if (k == &kernels_f32_avx512)
        return cpu->has_avx512;
    if (k == &kernels_f32_avx2 || k == &kernels_int8_avx2)
        return cpu->has_avx2;
    return true;
}

/* Of each precision the fastest first. */
static const struct kernels *const sets[] = {
    &kernels_bf16_amx,  &kernels_bf16_avx512, &kernels_f32_avx512, &kernels_f32_avx2,
    &kernels_f32_plain, &kernels_int8_amx,    &kernels_int8_vnni,  &kernels_int8_avxvnni,
    &kernels_int8_avx2, &kernels_int8_plain,
};

#else
static bool can_run(const struct kernels *k)
{
    (void)k;
    return true;
}

static const struct kernels *const sets[] = { &kernels_f32_plain, &kernels_int8_plain };
#endif

const struct kernels *kernels_at(size_t i)
{
    for (size_t k = 0; k < ARRAY_LEN(sets); k++)
        if (can_run(sets[k]) && i-- == 0)
            return sets[k];
    return NULL;
}

const struct kernels *kernels_best(enum precision precision)
{
    const struct kernels *k = kernels_at(0);
#if defined(__x86_64__)
    if (precision == PRECISION_AUTO && k == &kernels_bf16_amx)
        return k;
#endif
    if (precision == PRECISION_AUTO)
        precision = PRECISION_F32;
    for (size_t i = 0; (k = kernels_at(i)) && k->precision != precision; i++)
        ;
    return k;
}

const char *precision_name(enum precision precision)
{
    static const char *const names[] = { "auto", "f32", "bf16", "int8" };
    return names[precision];
}

/* ---- sizes ---- */

size_t kernel_stride(enum form form, size_t n)
{
    size_t bytes = 4 * row_units(form, n) + (form == FORM_INT8 ? sizeof(struct row_scale) : 0);
    return ((bytes + 63) / 64 | 1) * 64;
}

size_t kernel_packed(enum form form, size_t n, size_t k)
{
    size_t bytes = 4 * n * row_units(form, k) + (form == FORM_INT8 ? 8 * n : 0);
    return (bytes + 63) / 64 * 64;
}

size_t kernel_attend_work(size_t n, size_t d)
{
    /* float32: ATTEND_ROWS rows of scores; AMX: half as many bytes for keys and as many for
     * values, 16 rows of scores and 16 shorter ones of shares. */
    return sizeof(float) * attend_keys(n) * d + 32 * kernel_stride(FORM_F32, attend_keys(n));
}

/* ---- packing ---- */

/* A row of W to int8 in [-127, 127]; what is no number stays none. Adding 1.5 * 2^23 rounds:
 * the low bits of the sum are the number. */
static void quantise(const float *w, size_t k, int8_t *to, float *scale, int32_t *sum)
{
    const float magic = 12582912.0F;
    float largest = 0, none = 0, by;
    int32_t q[KERNEL_PAD], total = 0;
    for (size_t i = 0; i < k; i++) {
        float size = fabsf(w[i]);
        largest = size > largest ? size : largest;
        none += w[i] * 0;
    }
    *scale = largest > 1e-30F ? largest / 127 : 1e-30F;
    by = 1 / *scale;
    memset(to, 0, 4 * row_units(FORM_INT8, k));
    for (size_t i = 0; i < k; i += KERNEL_PAD) {
        for (size_t j = 0; j < KERNEL_PAD; j++) {
            float shifted = w[i + j] * by + magic;
            memcpy(q + j, &shifted, sizeof shifted);
        }
        for (size_t j = 0; j < KERNEL_PAD; j++)
            to[i + j] = (int8_t)(uint8_t)((uint32_t)q[j] & 0xFF);
        for (size_t j = 0; j < KERNEL_PAD; j++)
            total += to[i + j];
    }
    *scale += none;
    *sum = total;
}

void kernel_pack(const struct kernels *set, const float *w, size_t n, size_t k, size_t from,
                 size_t rows, void *to)
{
    size_t units = row_units(set->input, k);
    char *scales = (char *)to + 4 * n * units, *sums = scales + 4 * n;
    char *panel = set->encode ? alloc_array(PANEL * units, 4) : NULL;
    for (size_t i = from; i < from + rows; i += PANEL, w += PANEL * k) {
        for (size_t r = 0; panel && r < PANEL; r++)
            if (set->input == FORM_INT8)
                quantise(w + r * k, k, (int8_t *)panel + 4 * r * units,
                         (float *)(void *)scales + i + r, (int32_t *)(void *)sums + i + r);
            else
                set->encode(w + r * k, k, panel + 4 * r * units);
        set->turn(panel ? panel : (const char *)w, PANEL, 4 * units, units,
                  (char *)to + 4 * i * units);
    }
    free(panel);
}
