// SPDX-License-Identifier: MIT
/*
 * base64.c — base64
 */
#include "base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_put(struct buf *b, struct sv s)
{
    char *to = s.n > SIZE_MAX / 2 ? NULL : buf_reserve(b, (s.n + 2) / 3 * 4);
    if (!to) {
        b->overflow = true;
        return;
    }
    char *start = to;
    const unsigned char *p = (const unsigned char *)s.p;
    for (size_t i = 0; i < s.n; i += 3) {
        size_t left = s.n - i;
        uint32_t v = (uint32_t)p[i] << 16;
        if (left > 1)
            v |= (uint32_t)p[i + 1] << 8;
        if (left > 2)
            v |= p[i + 2];
        *to++ = digits[v >> 18];
        *to++ = digits[v >> 12 & 63];
        *to++ = left > 1 ? digits[v >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[v & 63] : '=';
    }
    buf_commit(b, (size_t)(to - start));
}

/* Value + 1 of each base64 digit, 0 for all other bytes. */
static const unsigned char values[256] = {
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  63,
    0,  0,  0,  64, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 0,  0,  0,  0,  0,  0,  0,  1,
    2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
    24, 25, 26, 0,  0,  0,  0,  0,  0,  27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
    40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 0,  0,  0,  0,  0,
};

bool base64_get(struct buf *b, struct sv s)
{
    if (s.n % 4)
        return false;
    if (!s.n)
        return true;
    const unsigned char *v = values, *p = (const unsigned char *)s.p;
    size_t pad = s.p[s.n - 1] == '=' ? (s.p[s.n - 2] == '=' ? 2 : 1) : 0;
    char *start = buf_reserve(b, s.n / 4 * 3);
    if (!start)
        return false;
    char *to = start;
    for (size_t i = 0; i < s.n; i += 4) {
        size_t skip = i + 4 == s.n ? pad : 0;
        uint32_t a = v[p[i]], c = v[p[i + 1]], d = skip > 1 ? 1 : v[p[i + 2]],
                 e = skip > 0 ? 1 : v[p[i + 3]];
        if (!a || !c || !d || !e)
            return false;
        uint32_t w = (a - 1) << 18 | (c - 1) << 12 | (d - 1) << 6 | (e - 1);
        if ((skip == 2 && (w & 0xFFFF)) || (skip == 1 && (w & 0xFF)))
            return false;
        *to++ = (char)(w >> 16);
        if (skip < 2)
            *to++ = (char)(w >> 8);
        if (skip < 1)
            *to++ = (char)w;
    }
    buf_commit(b, (size_t)(to - start));
    return true;
}
