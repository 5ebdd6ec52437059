// SPDX-License-Identifier: MIT
/*
 * arena.c — a chain of blocks, each twice the one before, up to a limit
 */
#include "arena.h"

#include "alloc.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_POISON 1
#endif
#endif
#ifdef HAS_POISON
#include <sanitizer/asan_interface.h>
#define POISON(p, n) __asan_poison_memory_region(p, n)
#define UNPOISON(p, n) __asan_unpoison_memory_region(p, n)
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

#define FIRST_BYTES ((size_t)64 << 10)
#define LAST_BYTES ((size_t)4 << 20)
#define ALIGN 8

struct arena_block {
    struct arena_block *before;
    size_t bytes; /* with this head */
};

static size_t aligned(size_t n)
{
    return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static bool add_block(struct arena *a, size_t need)
{
    size_t bytes = a->last ? 2 * a->last->bytes : FIRST_BYTES;
    if (bytes > LAST_BYTES)
        bytes = LAST_BYTES;
    if (bytes < need + sizeof(struct arena_block))
        bytes = need + sizeof(struct arena_block);
    if (a->max && (bytes > a->max || a->used > a->max - bytes))
        return false;
    struct arena_block *b = alloc(bytes);
    *b = (struct arena_block){ a->last, bytes };
    a->last = b;
    a->at = (char *)(b + 1);
    a->end = (char *)b + bytes;
    a->used += bytes;
    POISON(a->at, (size_t)(a->end - a->at));
    return true;
}

void *arena_alloc(struct arena *a, size_t n)
{
    n = aligned(n);
    if (n > (size_t)(a->end - a->at) && !add_block(a, n))
        return NULL;
    void *p = a->at;
    a->at += n;
    UNPOISON(p, n);
    return p;
}

void *arena_extend(struct arena *a, void *p, size_t old, size_t n)
{
    size_t room = (size_t)(a->end - (char *)p);
    if (aligned(n) <= room) {
        a->at = (char *)p + aligned(n);
        UNPOISON(p, aligned(n));
        return p;
    }
    if (!add_block(a, 2 * aligned(n)))
        return NULL;
    void *q = arena_alloc(a, n);
    if (q)
        memcpy(q, p, old);
    return q;
}

void arena_release(struct arena *a)
{
    while (a->last) {
        struct arena_block *b = a->last;
        a->last = b->before;
        UNPOISON(b, b->bytes);
        free(b);
    }
    *a = (struct arena){ .max = a->max };
}
