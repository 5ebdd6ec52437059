// SPDX-License-Identifier: MIT
/*
 * ids.h — documents in byte order of their ids
 */
#ifndef IDS_H
#define IDS_H

#include "gr.h"
#include "map.h"

/* sorted: (n) documents (ordinals of `ids`) by id; rank: (n) its inverse; both the caller's. n
 * is map_count, below 2^32. O(n log n). */
void ids_order(const struct map *ids, uint32_t *sorted, uint32_t *rank);

#endif
