// SPDX-License-Identifier: MIT
/*
 * half.h — IEEE 754 half precision floats, as they are stored
 */
#ifndef HALF_H
#define HALF_H

#include "gr.h"

typedef uint16_t half;

static inline float half_to_float(half h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff, bits;
    float f;
    if (rest >= 0x7c00)
        bits = 0x7f800000 | (rest & 0x3ff) << 13; /* infinite, NaN */
    else if (rest >= 0x400)
        bits = (rest << 13) + ((uint32_t)(127 - 15) << 23);
    else {
        f = (float)rest * 0x1p-24f; /* subnormal: exact */
        memcpy(&bits, &f, sizeof bits);
    }
    bits |= sign;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Nearest half, ties to even; what is too large becomes infinite. f: not NaN. */
static inline half half_from_float(float f)
{
    uint32_t bits, sign;
    memcpy(&bits, &f, sizeof bits);
    sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits >= 0x47800000) /* 65536 */
        return (half)(sign | 0x7c00);
    if (bits < 0x38800000) { /* below the least normal: the sum drops what does not fit */
        float sum;
        memcpy(&sum, &bits, sizeof sum);
        sum += 0.5f;
        memcpy(&bits, &sum, sizeof bits);
        return (half)(sign | (bits - 0x3f000000));
    }
    bits += 0xfff + (bits >> 13 & 1);
    return (half)(sign | (bits - ((uint32_t)(127 - 15) << 23)) >> 13);
}

#endif
