// SPDX-License-Identifier: MIT
/*
 * similar.c — Levenshtein distance, 64 rows at a time
 */
#include "similar.h"

#include "alloc.h"
#include "utf8.h"

struct text {
    uint32_t *cp; /* (n) */
    size_t n, cap;
};

/* Most words of masks: (different characters) × (pattern / 64); 64 MB. */
#define MASKS_MAX ((size_t)1 << 23)

/* Where a code point stands in the pattern: row `row` of masks. Open addressing. */
struct slot {
    uint32_t cp;
    uint32_t row; /* from 1; 0: free */
};

struct similar {
    struct text a, b;
    struct slot *slots;
    size_t n_slots;
    uint64_t *masks; /* (rows, blocks) */
    size_t masks_cap;
    uint64_t *vp, *vn; /* (blocks) vertical differences +1 and -1 */
    size_t blocks_cap;
};

struct similar *similar_new(void)
{
    return alloc_zero(1, sizeof(struct similar));
}

void similar_free(struct similar *s)
{
    if (!s)
        return;
    free(s->a.cp);
    free(s->b.cp);
    free(s->slots);
    free(s->masks);
    free(s->vp);
    free(s->vn);
    free(s);
}

static void decode(struct text *t, struct sv s)
{
    if (s.n > t->cap) {
        t->cap = alloc_grow(t->cap, s.n);
        t->cp = alloc_resize(t->cp, t->cap, sizeof *t->cp);
    }
    t->n = 0;
    for (size_t i = 0; i < s.n;)
        t->cp[t->n++] = utf8_next(s, &i);
}

static struct slot *find_slot(struct similar *s, uint32_t cp)
{
    size_t mask = s->n_slots - 1;
    for (size_t i = (cp * 0x9E3779B1U >> 7) & mask;; i = (i + 1) & mask)
        if (!s->slots[i].row || s->slots[i].cp == cp)
            return &s->slots[i];
}

/* Bit i of row r: the pattern's character i is that of row r. Row 0 stays empty: characters
 * that the pattern lacks. */
static bool load_pattern(struct similar *s, const struct text *p, size_t blocks)
{
    size_t want = 64, rows = 1;
    while (want < 2 * p->n)
        want *= 2;
    if (want > s->n_slots || want * 4 < s->n_slots) {
        free(s->slots);
        s->slots = alloc_array(want, sizeof *s->slots);
        s->n_slots = want;
    }
    memset(s->slots, 0, s->n_slots * sizeof *s->slots);
    for (size_t i = 0; i < p->n; i++) {
        struct slot *slot = find_slot(s, p->cp[i]);
        if (!slot->row)
            *slot = (struct slot){ p->cp[i], (uint32_t)rows++ };
    }
    if (rows * blocks > MASKS_MAX)
        return false;
    if (rows * blocks > s->masks_cap) {
        s->masks_cap = rows * blocks;
        s->masks = alloc_resize(s->masks, s->masks_cap, sizeof *s->masks);
    }
    memset(s->masks, 0, rows * blocks * sizeof *s->masks);
    for (size_t i = 0; i < p->n; i++)
        s->masks[find_slot(s, p->cp[i])->row * blocks + i / 64] |= (uint64_t)1 << (i % 64);
    if (blocks > s->blocks_cap) {
        s->blocks_cap = blocks;
        s->vp = alloc_resize(s->vp, blocks, sizeof *s->vp);
        s->vn = alloc_resize(s->vn, blocks, sizeof *s->vn);
    }
    return true;
}

/* Distance of pattern p (n > 0) and t, SIZE_MAX when too dear. Each column hands the horizontal
 * difference of its last row down from block to block; the top row of the table counts up, so
 * +1 enters. */
static size_t distance(struct similar *s, const struct text *p, const struct text *t)
{
    size_t blocks = (p->n + 63) / 64, score = p->n;
    if (!load_pattern(s, p, blocks))
        return SIZE_MAX;
    memset(s->vp, 0xFF, blocks * sizeof *s->vp);
    memset(s->vn, 0, blocks * sizeof *s->vn);
    uint64_t last = (uint64_t)1 << ((p->n - 1) % 64);
    for (size_t j = 0; j < t->n; j++) {
        const uint64_t *row = s->masks + find_slot(s, t->cp[j])->row * blocks;
        uint64_t plus_in = 1, minus_in = 0;
        for (size_t k = 0; k < blocks; k++) {
            uint64_t vp = s->vp[k], vn = s->vn[k], x = row[k] | minus_in;
            uint64_t d0 = (((x & vp) + vp) ^ vp) | x | vn;
            uint64_t hp = vn | ~(d0 | vp), hn = d0 & vp;
            if (k == blocks - 1) {
                score += (hp & last) != 0;
                score -= (hn & last) != 0;
            }
            uint64_t plus_out = hp >> 63, minus_out = hn >> 63;
            hp = hp << 1 | plus_in;
            hn = hn << 1 | minus_in;
            s->vp[k] = hn | ~(d0 | hp);
            s->vn[k] = hp & d0;
            plus_in = plus_out;
            minus_in = minus_out;
        }
    }
    return score;
}

double similar_ratio(struct similar *s, struct sv a, struct sv b)
{
    if (a.n == b.n && memcmp(a.p, b.p, a.n) == 0)
        return 1;
    decode(&s->a, a);
    decode(&s->b, b);
    const struct text *p = s->a.n <= s->b.n ? &s->a : &s->b, *t = p == &s->a ? &s->b : &s->a;
    if (!p->n)
        return 0;
    if ((double)p->n * (double)t->n > SIMILAR_MAX_CELLS)
        return -1;
    size_t d = distance(s, p, t);
    return d == SIZE_MAX ? -1 : 1 - (double)d / (double)t->n;
}
