// SPDX-License-Identifier: MIT
/*
 * postings_put.c — writing lists
 */
#include "alloc.h"
#include "postings.h"
#include "sparse.h"

#define ROWS (POST_BLOCK / 4)

static void put_varint(struct buf *b, uint32_t v)
{
    for (; v > 127; v >>= 7)
        buf_char(b, (char)(v | 128));
    buf_char(b, (char)v);
}

void postings_put_pair(struct buf *b, uint32_t gap, uint32_t tf)
{
    put_varint(b, gap);
    put_varint(b, tf);
}

/* ---- packed numbers ---- */

static unsigned width_of(uint32_t v)
{
    return v ? 32 - (unsigned)__builtin_clz(v) : 0;
}

/* Bits that make the numbers shortest, exceptions counted; of equals the most bits. */
static unsigned best_bits(const uint32_t *v)
{
    unsigned n_of[33] = { 0 }, best = 32;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < POST_BLOCK; i++)
        n_of[width_of(v[i])]++;
    for (unsigned bits = 33; bits-- > 0;) {
        size_t size = POST_BLOCK / 8 * (size_t)bits;
        for (unsigned w = bits + 1; w <= 32; w++)
            size += n_of[w] * (1 + (w - bits + 6) / 7);
        if (size < least) {
            least = size;
            best = bits;
        }
    }
    return best;
}

static void put_numbers(struct buf *b, const uint32_t *v)
{
    uint32_t words[POST_BLOCK + 4] = { 0 };
    unsigned bits = best_bits(v), n_exceptions = 0;
    const uint32_t mask = bits < 32 ? (1U << bits) - 1 : UINT32_MAX;
    for (size_t i = 0; i < POST_BLOCK; i++) {
        size_t at = i / 4 * bits, word = at / 32 * 4 + i % 4, shift = at % 32;
        uint64_t low = (uint64_t)(v[i] & mask) << shift;
        words[word] |= (uint32_t)low;
        words[word + 4] |= (uint32_t)(low >> 32);
        n_exceptions += v[i] > mask;
    }
    buf_char(b, (char)bits);
    buf_char(b, (char)n_exceptions);
    buf_add(b, (const char *)words, POST_BLOCK / 8 * (size_t)bits);
    for (size_t i = 0; i < POST_BLOCK; i++)
        if (v[i] > mask) {
            buf_char(b, (char)i);
            put_varint(b, v[i] >> bits);
        }
}

/* ---- heads ---- */

static int by_tf(const void *a, const void *b)
{
    const struct post_top *x = a, *y = b;
    if (x->tf != y->tf)
        return x->tf > y->tf ? -1 : 1;
    return x->len < y->len ? -1 : x->len > y->len;
}

static double worth(struct post_top t, double mean)
{
    double tf = t.tf;
    return tf / (tf + BM25_K1 * (1 - BM25_B + BM25_B * t.len / mean));
}

/* Replace two neighbours by one that bounds both, those at which least is lost. */
static void drop_one(struct post_top *tops, size_t *n, double mean)
{
    size_t best = 0;
    double least = 2;
    for (size_t i = 0; i + 1 < *n; i++) {
        struct post_top both = { tops[i].tf, tops[i + 1].len };
        double a = worth(tops[i], mean), b = worth(tops[i + 1], mean);
        double lost = worth(both, mean) - (a > b ? a : b);
        if (lost < least) {
            least = lost;
            best = i;
        }
    }
    tops[best].len = tops[best + 1].len;
    memmove(tops + best + 1, tops + best + 2, (*n - best - 2) * sizeof *tops);
    --*n;
}

/* The pairs that no other pair bounds, at most POST_TOPS, tf descending. */
static void put_tops(struct buf *b, const uint32_t *doc, const uint32_t *tf, size_t n,
                     const uint32_t *lens, double mean)
{
    struct post_top tops[POST_BLOCK];
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t len = lens[doc[i]];
        tops[i] = (struct post_top){ tf[i] < 255 ? tf[i] : 255, len < 65535 ? len : 65535 };
    }
    qsort(tops, n, sizeof *tops, by_tf);
    for (size_t i = 0; i < n; i++)
        if (!kept || tops[i].len < tops[kept - 1].len)
            tops[kept++] = tops[i];
    while (kept > POST_TOPS)
        drop_one(tops, &kept, mean);
    for (size_t i = 0; i < POST_TOPS; i++) {
        struct post_top t = tops[i < kept ? i : kept - 1];
        buf_char(b, (char)t.tf);
        buf_char(b, (char)(t.len & 255));
        buf_char(b, (char)(t.len >> 8));
    }
}

static void put_u32(struct buf *b, uint32_t v)
{
    buf_add(b, (const char *)&v, sizeof v);
}

/* ---- lists ---- */

static void put_pairs(struct buf *b, const uint32_t *doc, const uint32_t *tf, size_t n,
                      uint32_t next)
{
    for (size_t i = 0; i < n; i++) {
        postings_put_pair(b, doc[i] + 1 - next, tf[i]);
        next = doc[i] + 1;
    }
}

static void put_block(struct buf *b, const uint32_t *doc, const uint32_t *tf, uint32_t next)
{
    uint32_t v[POST_BLOCK];
    for (size_t i = 0; i < POST_BLOCK; i++) {
        v[i] = doc[i] - next;
        next = doc[i] + 1;
    }
    put_numbers(b, v);
    for (size_t i = 0; i < POST_BLOCK; i++)
        v[i] = tf[i] - 1;
    put_numbers(b, v);
}

void postings_put(struct buf *out, const uint32_t *doc, const uint32_t *tf, size_t n,
                  const uint32_t *lens, double mean)
{
    struct buf data = { .max = UINT32_MAX };
    if (n < POST_BLOCKED) {
        put_pairs(out, doc, tf, n, 0);
        return;
    }
    buf_char(out, 0);
    put_varint(out, (uint32_t)n);
    for (size_t i = 0; i < n; i += POST_BLOCK) {
        size_t m = n - i < POST_BLOCK ? n - i : POST_BLOCK;
        uint32_t next = i ? doc[i - 1] + 1 : 0;
        put_u32(out, doc[i + m - 1]);
        put_u32(out, (uint32_t)data.len);
        put_tops(out, doc + i, tf + i, m, lens, mean);
        if (m == POST_BLOCK)
            put_block(&data, doc + i, tf + i, next);
        else
            put_pairs(&data, doc + i, tf + i, m, next);
    }
    buf_sv(out, buf_view(&data));
    buf_release(&data);
}
