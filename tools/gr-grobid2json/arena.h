// SPDX-License-Identifier: MIT
/*
 * arena.h — memory for many small things that are given up together
 *
 * What a large file takes is taken in blocks that double; nothing is given back one by one.
 * Under AddressSanitizer what was not handed out is poisoned.
 */
#ifndef ARENA_H
#define ARENA_H

#include "gr.h"

struct arena_block;

struct arena {
    struct arena_block *last; /* the block at hand, before it the older ones; NULL: none */
    char *at, *end;           /* what is free in it */
    size_t used;              /* bytes of all blocks */
    size_t max;               /* largest `used`; 0: no limit */
};

/* n bytes, aligned for pointers, not cleared; NULL when that would pass max. */
void *arena_alloc(struct arena *a, size_t n);

/* Make p, of old bytes and the last thing handed out, n bytes long (n >= old): p or, when its
 * block has no room for it, a copy elsewhere. NULL as arena_alloc. O(1) amortised. */
void *arena_extend(struct arena *a, void *p, size_t old, size_t n);

/* Give everything up; the arena is empty and usable again. Safe on a zeroed one. */
void arena_release(struct arena *a);

#endif
