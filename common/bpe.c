// SPDX-License-Identifier: MIT
/*
 * bpe.c — merging the bytes of a piece by rank
 */
#include "bpe.h"

#include "alloc.h"
#include "bpe_impl.h"
#include "utf8.h"

#define SHORT_MAX 64 /* longest piece that is merged by scanning its pairs */

/* ---- a short piece ---- */

/* Merge the bytes of s, 1 to SHORT_MAX of them. ids[i]: part i, which begins at byte start[i];
 * rank[i]: of parts i and i+1 together. Returns the number of parts left; ends[i] is where part
 * i ends. */
static size_t merge_short(const struct bpe *b, struct sv s, uint32_t ids[], uint8_t ends[])
{
    uint8_t start[SHORT_MAX + 1];
    uint32_t rank[SHORT_MAX];
    const unsigned char *p = (const unsigned char *)s.p;
    size_t n = s.n;
    for (size_t i = 0; i < n; i++) {
        start[i] = (uint8_t)i;
        ids[i] = b->bytes[p[i]];
        rank[i] = i + 1 < n ? b->pairs[p[i] << 8 | p[i + 1]] : BPE_NO_RANK;
    }
    start[n] = (uint8_t)n;
    while (n > 1) {
        size_t best = 0;
        for (size_t i = 1; i + 1 < n; i++)
            best = rank[i] < rank[best] ? i : best;
        if (rank[best] == BPE_NO_RANK)
            break;
        ids[best] = rank[best];
        n--;
        for (size_t i = best + 1; i < n; i++) {
            ids[i] = ids[i + 1];
            rank[i] = rank[i + 1];
            start[i] = start[i + 1];
        }
        start[n] = (uint8_t)s.n;
        rank[best] = best + 1 < n ? bpe_rank(b, sv_from_to(s, start[best], start[best + 2]))
                                  : BPE_NO_RANK;
        if (best)
            rank[best - 1] = bpe_rank(b, sv_from_to(s, start[best - 1], start[best + 1]));
    }
    memcpy(ends, start + 1, n);
    return n;
}

/* ---- a long piece ---- */

/* A pair that may be merged: parts that begin at `at` and end at `end`. Stale once either part
 * has changed. */
struct pair {
    uint32_t rank;
    size_t at, end;
};

/* A heap of pairs, lowest rank first, leftmost among equals. */
struct heap {
    struct pair *items;
    size_t n, cap;
};

static bool is_before(const struct pair *a, const struct pair *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void heap_push(struct heap *h, struct pair p)
{
    if (h->n == h->cap) {
        h->cap = alloc_grow(h->cap, h->n + 1);
        h->items = alloc_resize(h->items, h->cap, sizeof *h->items);
    }
    size_t i = h->n++;
    for (; i && is_before(&p, &h->items[(i - 1) / 2]); i = (i - 1) / 2)
        h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = p;
}

static struct pair heap_pop(struct heap *h)
{
    struct pair top = h->items[0], last = h->items[--h->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
        child += child + 1 < h->n && is_before(&h->items[child + 1], &h->items[child]);
        if (!is_before(&h->items[child], &last))
            break;
        h->items[i] = h->items[child];
    }
    if (h->n)
        h->items[i] = last;
    return top;
}

static void push_pair(struct heap *h, const struct bpe *b, struct sv s, size_t at, size_t end)
{
    uint32_t rank = bpe_rank(b, sv_from_to(s, at, end));
    if (rank != BPE_NO_RANK)
        heap_push(h, (struct pair){ rank, at, end });
}

/* The same for a piece of any length: a list of parts (to[i]: where the part that begins at i
 * ends, 0: none begins there; back[i]: where the part before it begins) and a heap. ids and
 * ends have room for s.n parts; ids may be NULL. */
static size_t merge_long(const struct bpe *b, struct sv s, uint32_t *ids, size_t *ends)
{
    size_t *to = alloc_array(s.n + 1, sizeof *to), *back = alloc_array(s.n + 1, sizeof *back);
    struct heap h = { 0 };
    for (size_t i = 0; i < s.n; i++) {
        to[i] = i + 1;
        back[i + 1] = i;
        if (i + 2 <= s.n)
            push_pair(&h, b, s, i, i + 2);
    }
    while (h.n) {
        struct pair p = heap_pop(&h);
        size_t mid = to[p.at];
        if (!mid || mid >= s.n || to[mid] != p.end)
            continue;
        to[p.at] = p.end;
        to[mid] = 0;
        back[p.end] = p.at;
        if (p.end < s.n)
            push_pair(&h, b, s, p.at, to[p.end]);
        if (p.at)
            push_pair(&h, b, s, back[p.at], p.end);
    }
    size_t n = 0;
    for (size_t i = 0; i < s.n; i = to[i], n++) {
        if (!ids)
            continue;
        ids[n] = bpe_rank(b, sv_from_to(s, i, to[i]));
        ends[n] = to[i];
    }
    free(h.items);
    free(to);
    free(back);
    return n;
}

/* ---- pieces seen lately ---- */

#define MEMO_BITS 12
#define MEMO_TOKENS 8

/* Words come again and again: one look here spares two into the table, or a merge. */
struct bpe_memo {
    struct memo_entry {
        struct bpe_key key;
        uint8_t length, n; /* bytes; tokens, 0: empty */
        uint8_t ends[MEMO_TOKENS];
        uint32_t ids[MEMO_TOKENS];
    } entries[1 << MEMO_BITS];
};

/* ---- a text ---- */

static inline void reserve(struct bpe_tokens *t, size_t more)
{
    if (t->n + more <= t->cap)
        return;
    t->cap = alloc_grow(t->cap, t->n + more);
    t->ids = alloc_resize(t->ids, t->cap, sizeof *t->ids);
    t->ends = alloc_resize(t->ends, t->cap, sizeof *t->ends);
    t->is_first = alloc_resize(t->is_first, t->cap, sizeof *t->is_first);
}

/* Put the n parts of the piece that begins at byte `from` behind out->n, for which there is
 * room. */
static inline void put_parts(struct bpe_tokens *out, size_t from, const uint32_t ids[],
                             const uint8_t ends[], size_t n)
{
    for (size_t i = 0, k = out->n; i < n; i++, k++) {
        out->ids[k] = ids[i];
        out->ends[k] = from + ends[i];
        out->is_first[k] = i == 0;
    }
    out->n += n;
}

/* A piece of the text, s, that begins at byte `from`; key and hash when it is small. */
struct piece {
    struct sv s;
    size_t from;
    struct bpe_key key;
    uint64_t hash;
};

/* The piece at byte pos, and a hint to the memory that it will be looked up. */
static inline struct piece find_piece(const struct bpe *b, struct sv text, size_t pos,
                                      const struct bpe_memo *memo)
{
    struct piece x = { .s = { text.p + pos, bpe_piece_end(text, pos) - pos }, .from = pos };
    if (x.s.n <= BPE_KEY_MAX) {
        x.key = bpe_key_of(x.s.p, x.s.n);
        x.hash = bpe_hash(x.key, x.s.n);
        __builtin_prefetch(&memo->entries[x.hash >> (64 - MEMO_BITS)]);
        __builtin_prefetch(&b->slots[x.hash & ((1u << b->bits) - 1)]);
    }
    return x;
}

/* A piece of at most BPE_KEY_MAX bytes. */
static void put_small(const struct bpe *b, const struct piece *x, struct bpe_tokens *out)
{
    uint32_t ids[SHORT_MAX];
    uint8_t ends[SHORT_MAX];
    struct sv s = x->s;
    struct bpe_key key = x->key;
    uint64_t hash = x->hash;
    size_t from = x->from;
    struct memo_entry *e = &out->memo->entries[hash >> (64 - MEMO_BITS)];
    if (e->key.lo == key.lo && e->key.hi == key.hi && e->length == s.n) {
        put_parts(out, from, e->ids, e->ends, e->n);
        return;
    }
    size_t n = 1;
    ends[0] = (uint8_t)s.n;
    ids[0] = bpe_find(b, key, s.n, hash);
    if (ids[0] == BPE_NO_RANK)
        n = merge_short(b, s, ids, ends);
    put_parts(out, from, ids, ends, n);
    if (n > MEMO_TOKENS)
        return;
    e->key = key;
    e->length = (uint8_t)s.n;
    e->n = (uint8_t)n;
    memcpy(e->ids, ids, n * sizeof *ids);
    memcpy(e->ends, ends, n);
}

static void put_large(const struct bpe *b, struct sv s, size_t from, struct bpe_tokens *out)
{
    uint32_t ids[SHORT_MAX], whole = bpe_rank(b, s);
    uint8_t ends[SHORT_MAX];
    if (whole != BPE_NO_RANK) {
        out->ids[out->n] = whole;
        out->ends[out->n] = from + s.n;
        out->is_first[out->n++] = true;
    } else if (s.n <= SHORT_MAX) {
        size_t n = merge_short(b, s, ids, ends);
        put_parts(out, from, ids, ends, n);
    } else {
        size_t *to = out->ends + out->n, n = merge_long(b, s, out->ids + out->n, to);
        for (size_t i = 0; i < n; i++) {
            to[i] += from;
            out->is_first[out->n + i] = i == 0;
        }
        out->n += n;
    }
}

void bpe_split(const struct bpe *b, struct sv text, struct bpe_tokens *out)
{
    out->n = 0;
    if (!out->memo)
        out->memo = alloc_zero(1, sizeof *out->memo);
    if (!text.n)
        return;
    struct piece next = find_piece(b, text, 0, out->memo);
    for (bool is_last = false;
         !is_last;) { /* one piece ahead, so that it need not be waited for */
        struct piece x = next;
        is_last = x.from + x.s.n == text.n;
        if (!is_last)
            next = find_piece(b, text, x.from + x.s.n, out->memo);
        reserve(out, x.s.n);
        if (x.s.n <= BPE_KEY_MAX)
            put_small(b, &x, out);
        else
            put_large(b, x.s, x.from, out);
    }
}

static size_t count_piece(const struct bpe *b, struct sv s)
{
    uint32_t ids[SHORT_MAX];
    uint8_t ends[SHORT_MAX];
    if (bpe_rank(b, s) != BPE_NO_RANK)
        return 1;
    return s.n <= SHORT_MAX ? merge_short(b, s, ids, ends) : merge_long(b, s, NULL, NULL);
}

size_t bpe_count(const struct bpe *b, struct sv text)
{
    size_t n = 0;
    for (size_t pos = 0, end; pos < text.n; pos = end) {
        end = bpe_piece_end(text, pos);
        n += count_piece(b, sv_from_to(text, pos, end));
    }
    return n;
}

static size_t begin_of(const struct bpe_tokens *t, size_t i)
{
    return i ? t->ends[i - 1] : 0;
}

/* Does the slice end in white space beyond ASCII or in ASCII? Only that is matched by looking
 * ahead. */
static bool ends_white(struct sv s)
{
    uint32_t cp = utf8_before(s, s.n);
    return utf8_is_space(cp) || cp == 0x85;
}

size_t bpe_count_slice(const struct bpe *b, struct sv text, const struct bpe_tokens *t,
                       size_t first, size_t last, size_t from, size_t to)
{
    struct sv s = sv_from_to(text, 0, to); /* pieces of the slice, at the text's positions */
    if (ends_white(s))
        return bpe_count(b, sv_from_to(text, from, to));
    while (t->ends[first] <= from)
        first++;
    while (begin_of(t, last - 1) >= to)
        last--;
    size_t tail = last; /* the piece that holds the last byte begins with this token */
    bool is_whole = t->ends[last - 1] == to && (last == t->n || t->is_first[last]);
    while (!is_whole && tail > first && !t->is_first[--tail])
        ;
    size_t n = 0, pos = from, i = first;
    while (pos < to) {
        while (i < tail && begin_of(t, i) < pos)
            i++;
        if (i < tail && begin_of(t, i) == pos && t->is_first[i]) { /* in step from here on */
            n += tail - i;
            pos = begin_of(t, tail);
            i = tail;
            continue;
        }
        size_t end = bpe_piece_end(s, pos);
        n += count_piece(b, sv_from_to(s, pos, end));
        pos = end;
    }
    return n;
}

void bpe_tokens_release(struct bpe_tokens *t)
{
    free(t->ids);
    free(t->ends);
    free(t->is_first);
    free(t->memo);
    *t = (struct bpe_tokens){ 0 };
}
