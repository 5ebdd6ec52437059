// SPDX-License-Identifier: MIT
/*
 * bpe.c — the pattern of cl100k_base by hand, and merging by rank
 */
#include "bpe.h"

#include "alloc.h"
#include "base64.h"
#include "file.h"
#include "map.h"
#include "scan.h"

#define TABLE_MAX ((size_t)64 << 20)
#define SHORT_MAX 64 /* longest piece that is merged by scanning its pairs */
#define NO_RANK UINT32_MAX

struct bpe {
    struct map *tokens; /* the ordinal of a token is its rank */
};

/* ---- the table ---- */

static int add_line(struct bpe *b, struct sv line, struct buf *bytes)
{
    struct sv rest = line, text;
    bool is_new;
    buf_reset(bytes);
    if (!sv_cut(&rest, ' ', &text) || !base64_get(bytes, text) || !bytes->len)
        return -1;
    size_t rank = map_put(b->tokens, buf_view(bytes), &is_new);
    char want[24];
    snprintf(want, sizeof want, "%zu", rank);
    return is_new && sv_is(sv_trim(rest), want) ? 0 : -1;
}

struct bpe *bpe_load(const char *path, struct err *err)
{
    struct buf file = BUF_INIT, bytes = BUF_INIT;
    struct bpe *b = NULL;
    if (file_read(&file, path, TABLE_MAX, err) < 0)
        goto out;
    b = alloc_zero(1, sizeof *b);
    b->tokens = map_new();
    struct sv rest = buf_view(&file), line;
    for (size_t n = 1; sv_cut(&rest, '\n', &line); n++) {
        if (sv_trim(line).n && add_line(b, line, &bytes) < 0) {
            err_set(err, EXIT_FATAL, "%s: line %zu is no \"base64 rank\" in order", path, n);
            goto bad;
        }
    }
    for (int c = 0; c < 256; c++) { /* merging begins with single bytes */
        char byte = (char)c;
        if (map_get(b->tokens, (struct sv){ &byte, 1 }) == MAP_NONE) {
            err_set(err, EXIT_FATAL, "%s: no token for byte %d", path, c);
            goto bad;
        }
    }
    goto out;
bad:
    bpe_free(b);
    b = NULL;
out:
    buf_release(&file);
    buf_release(&bytes);
    return b;
}

void bpe_free(struct bpe *b)
{
    if (!b)
        return;
    map_free(b->tokens);
    free(b);
}

size_t bpe_size(const struct bpe *b)
{
    return map_count(b->tokens);
}

/* ---- the pattern ---- */

enum kind { LETTER, NUMBER, SPACE, BREAK, OTHER };

static bool is_white(uint32_t cp)
{
    return cp == 0x85 || cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) ||
           cp == 0x2028 || cp == 0x2029 || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

/* Kind of the character at *pos < s.n; steps past it. */
static enum kind next_kind(struct sv s, size_t *pos)
{
    unsigned char b = (unsigned char)s.p[*pos];
    if (b < 0x80) {
        ++*pos;
        if (scan_is_lower(b | 32))
            return LETTER;
        if (scan_is_digit(b))
            return NUMBER;
        return b == '\n' || b == '\r' ? BREAK : b == ' ' || (b >= 9 && b <= 12) ? SPACE : OTHER;
    }
    uint32_t cp = utf8_next(s, pos);
    if (is_white(cp))
        return SPACE;
    return utf8_is_letter(cp) ? LETTER : utf8_is_number(cp) ? NUMBER : OTHER;
}

/* Byte after the run of one kind that goes on at pos, at most `most` characters. */
static size_t run_of(struct sv s, size_t pos, enum kind kind, size_t most)
{
    while (pos < s.n && most--) {
        size_t next = pos;
        if (next_kind(s, &next) != kind)
            break;
        pos = next;
    }
    return pos;
}

/* 's 'd 'm 't 'll 've 're behind the apostrophe at pos: byte after it, or pos. */
static size_t contraction(struct sv s, size_t pos)
{
    int a = scan_byte(s, pos + 1) | 32, b = scan_byte(s, pos + 2) | 32;
    if (a == 's' || a == 'd' || a == 'm' || a == 't')
        return pos + 2;
    if ((a == 'l' && b == 'l') || (a == 'v' && b == 'e') || (a == 'r' && b == 'e'))
        return pos + 3;
    bool is_long_s = scan_byte(s, pos + 1) == 0xC5 && scan_byte(s, pos + 2) == 0xBF;
    return is_long_s ? pos + 3 : pos; /* ſ is a form of s */
}

/* White space from pos on. */
static size_t white_piece(struct sv s, size_t pos)
{
    size_t end = pos, last = pos, broken = 0;
    while (end < s.n) {
        size_t next = end;
        enum kind k = next_kind(s, &next);
        if (k != SPACE && k != BREAK)
            break;
        broken = k == BREAK ? next : broken;
        last = end;
        end = next;
    }
    if (end == s.n)
        return end;
    if (broken)
        return broken;
    return last > pos ? last : end; /* the last blank goes with what follows */
}

/* End of the piece that begins at pos. */
static size_t piece_end(struct sv s, size_t pos)
{
    size_t next = pos, after;
    enum kind k = next_kind(s, &next), k2 = OTHER;
    if (k == LETTER)
        return run_of(s, next, LETTER, SIZE_MAX);
    if (k == NUMBER)
        return run_of(s, next, NUMBER, 2);
    if (s.p[pos] == '\'' && (after = contraction(s, pos)) > pos)
        return after;
    after = next;
    if (next < s.n)
        k2 = next_kind(s, &after);
    if (k != BREAK && next < s.n && k2 == LETTER)
        return run_of(s, after, LETTER, SIZE_MAX);
    if (k == OTHER || (s.p[pos] == ' ' && next < s.n && k2 == OTHER))
        return run_of(s, run_of(s, next, OTHER, SIZE_MAX), BREAK, SIZE_MAX);
    return white_piece(s, pos);
}

/* ---- merging ---- */

/* Where tokens go; out NULL: they are counted only. */
struct sink {
    const struct bpe *b;
    struct bpe_tokens *out;
    size_t n;
};

static void put(struct sink *k, uint32_t id, size_t end)
{
    struct bpe_tokens *t = k->out;
    k->n++;
    if (!t)
        return;
    if (t->n == t->cap) {
        t->cap = alloc_grow(t->cap, t->n + 1);
        t->ids = alloc_resize(t->ids, t->cap, sizeof *t->ids);
        t->ends = alloc_resize(t->ends, t->cap, sizeof *t->ends);
    }
    t->ids[t->n] = id;
    t->ends[t->n++] = end;
}

static uint32_t rank_of(const struct bpe *b, struct sv s, size_t from, size_t to)
{
    size_t at = map_get(b->tokens, sv_from_to(s, from, to));
    return at == MAP_NONE ? NO_RANK : (uint32_t)at;
}

/* Bytes [from, to) of text, a short piece. start[i]: where part i begins; rank[i]: of parts i
 * and i+1 together. */
static void merge_short(struct sink *k, struct sv s, size_t from, size_t to)
{
    size_t start[SHORT_MAX + 1], n = to - from;
    uint32_t rank[SHORT_MAX + 1];
    for (size_t i = 0; i <= n; i++)
        start[i] = from + i;
    for (size_t i = 0; i < n; i++)
        rank[i] = i + 2 <= n ? rank_of(k->b, s, start[i], start[i + 2]) : NO_RANK;
    for (;;) {
        size_t best = 0;
        for (size_t i = 1; i + 1 < n; i++)
            best = rank[i] < rank[best] ? i : best;
        if (n < 2 || rank[best] == NO_RANK)
            break;
        memmove(start + best + 1, start + best + 2, (n - best - 1) * sizeof *start);
        memmove(rank + best + 1, rank + best + 2, (n - best - 2) * sizeof *rank);
        n--;
        rank[best] = best + 2 <= n ? rank_of(k->b, s, start[best], start[best + 2]) : NO_RANK;
        if (best)
            rank[best - 1] = rank_of(k->b, s, start[best - 1], start[best + 1]);
    }
    for (size_t i = 0; i < n; i++)
        put(k, k->out ? rank_of(k->b, s, start[i], start[i + 1]) : 0, start[i + 1]);
}

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
    uint32_t rank = rank_of(b, s, at, end);
    if (rank != NO_RANK)
        heap_push(h, (struct pair){ rank, at, end });
}

/* The same for a long piece: a list of parts (to[i]: where the part that begins at i ends, 0:
 * none begins there; back[i]: where the part before it begins) and a heap. */
static void merge_long(struct sink *k, struct sv text, size_t from, size_t end)
{
    struct sv s = sv_from_to(text, from, end);
    size_t *to = alloc_array(s.n + 1, sizeof *to), *back = alloc_array(s.n + 1, sizeof *back);
    struct heap h = { 0 };
    for (size_t i = 0; i < s.n; i++) {
        to[i] = i + 1;
        back[i + 1] = i;
        if (i + 2 <= s.n)
            push_pair(&h, k->b, s, i, i + 2);
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
            push_pair(&h, k->b, s, p.at, to[p.end]);
        if (p.at)
            push_pair(&h, k->b, s, back[p.at], p.end);
    }
    for (size_t i = 0; i < s.n; i = to[i])
        put(k, k->out ? rank_of(k->b, s, i, to[i]) : 0, from + to[i]);
    free(h.items);
    free(to);
    free(back);
}

static void split(struct sink *k, struct sv text)
{
    for (size_t pos = 0, end; pos < text.n; pos = end) {
        end = piece_end(text, pos);
        uint32_t whole = rank_of(k->b, text, pos, end);
        if (whole != NO_RANK)
            put(k, whole, end);
        else if (end - pos <= SHORT_MAX)
            merge_short(k, text, pos, end);
        else
            merge_long(k, text, pos, end);
    }
}

void bpe_split(const struct bpe *b, struct sv text, struct bpe_tokens *out)
{
    out->n = 0;
    split(&(struct sink){ .b = b, .out = out }, text);
}

size_t bpe_count(const struct bpe *b, struct sv text)
{
    struct sink k = { .b = b };
    split(&k, text);
    return k.n;
}

void bpe_tokens_release(struct bpe_tokens *t)
{
    free(t->ids);
    free(t->ends);
    *t = (struct bpe_tokens){ 0 };
}
