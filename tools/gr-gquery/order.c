// SPDX-License-Identifier: MIT
/*
 * order.c — radix sort, one byte of the key at a time
 */
#include "order.h"

#include "alloc.h"

#define FEW 24 /* runs that insertion sorts faster */

/* ---- numbers ---- */

static void insert_numbers(uint32_t *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t x = v[i];
        size_t k = i;
        for (; k && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

/* Counts to places. */
static void to_places(size_t count[256])
{
    for (size_t b = 0, sum = 0; b < 256; b++) {
        size_t c = count[b];
        count[b] = sum;
        sum += c;
    }
}

void order_numbers(uint32_t *v, size_t n, uint32_t *tmp)
{
    uint32_t differing = 0;
    if (n <= FEW) {
        insert_numbers(v, n);
        return;
    }
    for (size_t i = 1; i < n; i++)
        differing |= v[i] ^ v[0];
    uint32_t *from = v, *to = tmp;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t at[256] = { 0 };
        if (!(differing >> shift & 0xFF))
            continue;
        for (size_t i = 0; i < n; i++)
            at[from[i] >> shift & 0xFF]++;
        to_places(at);
        for (size_t i = 0; i < n; i++)
            to[at[from[i] >> shift & 0xFF]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
}

/* ---- items ---- */

static void insert_items(struct order_item *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct order_item x = v[i];
        size_t k = i;
        for (; k && v[k - 1].key > x.key; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

static void order_items(struct order_item *v, size_t n, struct order_item *tmp)
{
    uint64_t differing = 0;
    if (n <= FEW) {
        insert_items(v, n);
        return;
    }
    for (size_t i = 1; i < n; i++)
        differing |= v[i].key ^ v[0].key;
    struct order_item *from = v, *to = tmp;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t at[256] = { 0 };
        if (!(differing >> shift & 0xFF))
            continue;
        for (size_t i = 0; i < n; i++)
            at[from[i].key >> shift & 0xFF]++;
        to_places(at);
        for (size_t i = 0; i < n; i++)
            to[at[from[i].key >> shift & 0xFF]++] = from[i];
        struct order_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
}

/* ---- keys of many levels ---- */

struct levels {
    struct order_item *items, *tmp;
    order_key_fn key_at;
    const void *ctx;
};

static void sort_level(const struct levels *l, size_t from, size_t to, size_t level)
{
    /* A loop for the levels that all of a run share: keys of megabytes need no deep stack. */
    bool more = true, shared = true;
    struct order_item *v = l->items + from;
    size_t n = to - from;
    for (; more && shared; level++) {
        more = false;
        for (size_t i = 0; i < n; i++)
            more |= l->key_at(l->ctx, v[i].ord, level, &v[i].key);
        for (size_t i = 1; shared && i < n; i++)
            shared = v[i].key == v[0].key;
    }
    if (shared)
        return;
    order_items(v, n, l->tmp);
    for (size_t i = 0, end; more && i < n; i = end) {
        for (end = i + 1; end < n && v[end].key == v[i].key; end++)
            ;
        if (end - i > 1)
            sort_level(l, from + i, from + end, level);
    }
}

void order_by_levels(uint32_t *ords, size_t n, order_key_fn key_at, const void *ctx)
{
    struct levels l = { .items = alloc_array(n, sizeof *l.items),
                        .tmp = alloc_array(n, sizeof *l.tmp),
                        .key_at = key_at,
                        .ctx = ctx };
    for (size_t i = 0; i < n; i++)
        l.items[i].ord = ords[i];
    if (n)
        sort_level(&l, 0, n, 0);
    for (size_t i = 0; i < n; i++)
        ords[i] = l.items[i].ord;
    free(l.items);
    free(l.tmp);
}

bool order_text_level(struct sv s, size_t level, uint64_t *key)
{
    size_t at = 7 * level, rest = at < s.n ? s.n - at : 0;
    uint64_t w = 0;
    if (rest >= 8) {
        memcpy(&w, s.p + at, 8);
        *key = (__builtin_bswap64(w) & ~(uint64_t)0xFF) | 8;
        return true;
    }
    for (size_t i = 0; i < 7; i++)
        w = w << 8 | (i < rest ? (unsigned char)s.p[at + i] : 0);
    *key = w << 8 | rest;
    return false;
}
