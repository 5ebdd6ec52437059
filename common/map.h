// SPDX-License-Identifier: MIT
/*
 * map.h — byte strings to ordinals: a hash map whose order is the order of insertion
 *
 * Keys are copied and get the ordinals 0, 1, 2, …; callers keep values in arrays indexed by
 * them. Iterating ordinals is deterministic. Hash: XXH3 (64 bits). No deletion.
 */
#ifndef GR_MAP_H
#define GR_MAP_H

#include "gr.h"
#include "sv.h"

#define MAP_NONE SIZE_MAX

struct map; /* opaque; O(1) expected per call; about 32 bytes a key beside the key's bytes */

struct map *map_new(void);
void map_free(struct map *m); /* NULL is fine */

/* Forget all keys; memory is kept, up to that of some thousand keys. */
void map_clear(struct map *m);

/* Ordinal of key, added if new (*is_new says so; may be NULL). */
size_t map_put(struct map *m, struct sv key, bool *is_new);

/* Ordinal of key, or MAP_NONE. */
size_t map_get(const struct map *m, struct sv key);

/* Number of keys. */
size_t map_count(const struct map *m);

/* The key of an ordinal < map_count; NUL-terminated; valid until map_free. */
struct sv map_key(const struct map *m, size_t ordinal);

#endif
