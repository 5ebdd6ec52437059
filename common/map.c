// SPDX-License-Identifier: MIT
/*
 * map.c — open addressing over an array of keys; key bytes live in blocks that never move
 */
#include "map.h"

#include "alloc.h"
#include "hash.h"

#define BLOCK_BYTES ((size_t)64 << 10)
#define CLEAR_MAX 4096 /* slots of a map that is cleared in place */

struct block {
    struct block *next;
    char bytes[];
};

struct map {
    size_t *slots; /* (n_slots), ordinal + 1, 0 = free */
    size_t n_slots;
    struct sv *keys; /* (n) in order of insertion */
    uint64_t *hashes;
    size_t n, cap;
    struct block *blocks; /* newest first; `used` bytes of it taken */
    size_t used, size;
};

struct map *map_new(void)
{
    struct map *m = alloc_zero(1, sizeof *m);
    m->n_slots = 64;
    m->slots = alloc_zero(m->n_slots, sizeof *m->slots);
    return m;
}

void map_free(struct map *m)
{
    if (!m)
        return;
    for (struct block *b = m->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(m->slots);
    free(m->keys);
    free(m->hashes);
    free(m);
}

void map_clear(struct map *m)
{
    if (m->n_slots > CLEAR_MAX || (m->blocks && m->blocks->next)) {
        /* one that was large once is not swept each time */
        struct map *fresh = map_new(), was = *m;
        *m = *fresh;
        *fresh = was;
        map_free(fresh);
        return;
    }
    if (m->n)
        memset(m->slots, 0, m->n_slots * sizeof *m->slots);
    m->n = m->used = 0;
}

static struct sv keep(struct map *m, struct sv key)
{
    if (!m->blocks || key.n + 1 > m->size - m->used) {
        m->size = key.n + 1 > BLOCK_BYTES ? key.n + 1 : BLOCK_BYTES;
        struct block *b = alloc(sizeof *b + m->size);
        b->next = m->blocks;
        m->blocks = b;
        m->used = 0;
    }
    char *p = m->blocks->bytes + m->used;
    if (key.n)
        memcpy(p, key.p, key.n);
    p[key.n] = '\0';
    m->used += key.n + 1;
    return (struct sv){ p, key.n };
}

/* The slot that holds key, or the free one where it belongs. */
static size_t *find(const struct map *m, struct sv key, uint64_t h)
{
    for (size_t i = h & (m->n_slots - 1);; i = (i + 1) & (m->n_slots - 1)) {
        size_t s = m->slots[i];
        if (!s || (m->hashes[s - 1] == h && sv_eq(m->keys[s - 1], key)))
            return &m->slots[i];
    }
}

static void rehash(struct map *m)
{
    free(m->slots);
    m->n_slots *= 2;
    m->slots = alloc_zero(m->n_slots, sizeof *m->slots);
    for (size_t k = 0; k < m->n; k++) {
        size_t i = m->hashes[k] & (m->n_slots - 1);
        while (m->slots[i])
            i = (i + 1) & (m->n_slots - 1);
        m->slots[i] = k + 1;
    }
}

size_t map_put(struct map *m, struct sv key, bool *is_new)
{
    uint64_t h = hash64(key);
    size_t *slot = find(m, key, h);
    if (is_new)
        *is_new = !*slot;
    if (*slot)
        return *slot - 1;
    if (m->n == m->cap) {
        m->cap = alloc_grow(m->cap, m->n + 1);
        m->keys = alloc_resize(m->keys, m->cap, sizeof *m->keys);
        m->hashes = alloc_resize(m->hashes, m->cap, sizeof *m->hashes);
    }
    m->keys[m->n] = keep(m, key);
    m->hashes[m->n] = h;
    *slot = ++m->n;
    size_t ordinal = m->n - 1;
    if (m->n * 4 > m->n_slots * 3)
        rehash(m);
    return ordinal;
}

size_t map_get(const struct map *m, struct sv key)
{
    size_t s = *find(m, key, hash64(key));
    return s ? s - 1 : MAP_NONE;
}

size_t map_count(const struct map *m)
{
    return m->n;
}

struct sv map_key(const struct map *m, size_t ordinal)
{
    return m->keys[ordinal];
}
