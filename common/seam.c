// SPDX-License-Identifier: MIT
/*
 * seam.c — windows of a text that go on where others end
 */
#include "seam.h"

#include "alloc.h"
#include "utf8.h"

size_t seam_overlap(struct sv a, struct sv b)
{
    size_t max = a.n < b.n ? a.n : b.n;
    if (max < 2)
        return 0;
    max--; /* shorter than both: one inside the other is no window's end */
    struct sv tail = { a.p + (a.n - max), max };
    size_t *fail = alloc_array(max, sizeof *fail), k = 0;
    fail[0] = 0;
    for (size_t i = 1; i < max; i++) {
        while (k && b.p[i] != b.p[k])
            k = fail[k - 1];
        k += b.p[i] == b.p[k];
        fail[i] = k;
    }
    k = 0; /* longest prefix of b that ends at tail[i] */
    for (size_t i = 0; i < max; i++) {
        while (k && (k == max || tail.p[i] != b.p[k]))
            k = fail[k - 1];
        k += tail.p[i] == b.p[k];
    }
    free(fail);
    return utf8_floor(b, k) == k ? k : 0;
}

size_t seam_goes_on(const struct seam *a, const struct seam *b, size_t *place)
{
    struct sv ta = a->text, tb = b->text;
    if (a->has_span && b->has_span) {
        if (b->start < a->start || b->start > a->end + 1)
            return SIZE_MAX;
        *place = b->start > a->end ? ta.n + 1 : utf8_offset(ta, b->start - a->start);
        if (b->start >= a->end)
            return 0;
        size_t n = utf8_offset(tb, a->end - b->start);
        size_t m = ta.n - *place < n ? ta.n - *place : n;
        return memcmp(ta.p + *place, tb.p, m) == 0 ? n : SIZE_MAX;
    }
    size_t n = seam_overlap(ta, tb);
    *place = ta.n - n;
    return n >= SEAM_MIN_BYTES ? n : SIZE_MAX;
}
