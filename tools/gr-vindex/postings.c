// SPDX-License-Identifier: MIT
/*
 * postings.c — reading lists
 */
#include "postings.h"

/* Four lanes: the same in registers of every processor. */
typedef uint32_t lanes __attribute__((vector_size(16)));

#define ROWS (POST_BLOCK / 4)

static uint32_t get_u32(const unsigned char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* One variable-length integer of at most 32 bits; false when there is none. */
static bool get_varint(const unsigned char **p, const unsigned char *end, uint64_t *out)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 35 && *p < end; shift += 7) {
        unsigned char byte = *(*p)++;
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = v;
            return v <= UINT32_MAX;
        }
    }
    return false;
}

bool postings_open(struct postings *l, const unsigned char *from, const unsigned char *end,
                   size_t n_docs)
{
    *l = (struct postings){ .data = from, .end = end, .n_docs = n_docs };
    if (from == end || *from)
        return true;
    uint64_t n;
    l->heads = from + 1;
    if (!get_varint(&l->heads, end, &n) || !n || n > n_docs)
        return false;
    l->n = (size_t)n;
    l->n_blocks = (l->n + POST_BLOCK - 1) / POST_BLOCK;
    if ((size_t)(end - l->heads) / POST_HEAD < l->n_blocks)
        return false;
    l->data = l->heads + l->n_blocks * POST_HEAD;
    return true;
}

void postings_head(const struct postings *l, size_t i, struct post_head *h)
{
    const unsigned char *p = l->heads + i * POST_HEAD;
    h->last = get_u32(p);
    for (size_t t = 0; t < POST_TOPS; t++) {
        const unsigned char *q = p + 8 + 3 * t;
        h->tops[t].tf = q[0] < 255 ? q[0] : UINT32_MAX;
        h->tops[t].len = (uint32_t)(q[1] | q[2] << 8);
    }
}

/* ---- packed numbers ---- */

static lanes get_lanes(const unsigned char *p)
{
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void unpack(const unsigned char *p, unsigned bits, uint32_t *out)
{
    const uint32_t mask = bits < 32 ? (1U << bits) - 1 : UINT32_MAX;
    if (!bits) {
        memset(out, 0, POST_BLOCK * sizeof *out);
        return;
    }
    for (unsigned row = 0, at = 0; row < ROWS; row++, at += bits) {
        const unsigned char *word = p + sizeof(lanes) * (at / 32);
        unsigned shift = at % 32;
        lanes v = get_lanes(word) >> shift;
        if (shift + bits > 32)
            v |= get_lanes(word + sizeof(lanes)) << (32 - shift);
        v &= mask;
        memcpy(out + 4 * row, &v, sizeof v);
    }
}

/* POST_BLOCK numbers; false when they do not lie before the end. */
static bool get_numbers(const unsigned char **p, const unsigned char *end, uint32_t *out)
{
    if (end - *p < 2)
        return false;
    unsigned bits = (*p)[0], n_exceptions = (*p)[1];
    size_t size = POST_BLOCK / 8 * (size_t)bits;
    *p += 2;
    if (bits > 32 || (size_t)(end - *p) < size)
        return false;
    unpack(*p, bits, out);
    *p += size;
    for (unsigned i = 0; i < n_exceptions; i++) {
        uint64_t high;
        if (*p == end)
            return false;
        unsigned place = *(*p)++;
        if (place >= POST_BLOCK || !get_varint(p, end, &high) || bits > 31 ||
            high > UINT32_MAX >> bits)
            return false;
        out[place] |= (uint32_t)high << bits;
    }
    return true;
}

/* ---- blocks ---- */

/* Up to n pairs after document `doc` (+ 1); false when they are none. *doc goes on. */
static bool get_pairs(const struct postings *l, const unsigned char **p, size_t n,
                      uint64_t *doc, struct post_block *b)
{
    for (b->n = 0; b->n < n && *p < l->end; b->n++) {
        uint64_t gap, tf;
        if (!get_varint(p, l->end, &gap) || !get_varint(p, l->end, &tf) || !gap || !tf)
            return false;
        *doc += gap;
        if (*doc > l->n_docs)
            return false;
        b->doc[b->n] = (uint32_t)(*doc - 1);
        b->tf[b->n] = (uint32_t)tf;
    }
    return true;
}

/* Distances less 1 to the documents after `doc`; false when they do not end at `last`. */
static bool add_up(uint32_t *v, uint32_t doc, uint32_t last)
{
    lanes before = { doc, doc, doc, doc }, wrong = { 0 };
    for (size_t row = 0; row < ROWS; row++) {
        const lanes zero = { 0 };
        lanes x;
        memcpy(&x, v + 4 * row, sizeof x);
        x += 1;
        x += __builtin_shufflevector(zero, x, 0, 4, 5, 6);
        x += __builtin_shufflevector(zero, x, 0, 1, 4, 5);
        x += __builtin_shufflevector(before, before, 3, 3, 3, 3);
        /* Sums past 32 bits come out smaller than the one before or end elsewhere. The first
         * block begins after document -1, which is larger than any. */
        lanes left = __builtin_shufflevector(before, x, 3, 4, 5, 6);
        wrong |= (lanes)(x > last) | ((lanes)(x <= left) & (lanes)(left != UINT32_MAX));
        memcpy(v + 4 * row, &x, sizeof x);
        before = x;
    }
    return before[3] == last && !(wrong[0] | wrong[1] | wrong[2] | wrong[3]);
}

bool postings_docs(const struct postings *l, size_t i, struct post_block *b)
{
    const unsigned char *head = l->heads + i * POST_HEAD;
    uint32_t before = i ? get_u32(head - POST_HEAD) : UINT32_MAX, last = get_u32(head);
    size_t n = i + 1 < l->n_blocks ? POST_BLOCK : l->n - i * POST_BLOCK, at = get_u32(head + 4);
    b->tfs = NULL;
    if (at > (size_t)(l->end - l->data) || last >= l->n_docs)
        return false;
    const unsigned char *p = l->data + at;
    if (n < POST_BLOCK) {
        uint64_t doc = i ? (uint64_t)before + 1 : 0;
        return get_pairs(l, &p, n, &doc, b) && b->n == n && doc == (uint64_t)last + 1;
    }
    if (!get_numbers(&p, l->end, b->doc) || !add_up(b->doc, before, last))
        return false;
    b->n = n;
    b->tfs = p;
    return true;
}

bool postings_tfs(const struct postings *l, struct post_block *b)
{
    const unsigned char *p = b->tfs;
    uint32_t most = 0;
    b->tfs = NULL;
    if (!p)
        return true;
    if (!get_numbers(&p, l->end, b->tf))
        return false;
    for (size_t j = 0; j < POST_BLOCK; j++) {
        most |= b->tf[j] == UINT32_MAX;
        b->tf[j]++;
    }
    return !most;
}

void post_walk_start(struct post_walk *w, const struct postings *l)
{
    w->list = *l;
    w->at = l->data;
    w->next = 0;
    w->doc = 0;
    w->block.n = 0;
}

int post_walk_next(struct post_walk *w)
{
    const struct postings *l = &w->list;
    if (l->heads) {
        if (w->next == l->n_blocks)
            return 0;
        return postings_docs(l, w->next++, &w->block) && postings_tfs(l, &w->block) ? 1 : -1;
    }
    if (w->at == l->end)
        return 0;
    return get_pairs(l, &w->at, POST_BLOCK, &w->doc, &w->block) ? 1 : -1;
}
