// SPDX-License-Identifier: MIT
/*
 * order.h — sorting by radix: numbers, and things whose keys go on for more than eight bytes
 *
 * Least significant digit first, a byte at a time, bytes that all keys share left out; short
 * runs by insertion. O(n · differing bytes), stable.
 */
#ifndef ORDER_H
#define ORDER_H

#include "gr.h"
#include "sv.h"

struct order_item {
    uint64_t key;
    uint32_t ord; /* what it is the key of */
};

/* Sort n numbers; tmp: room for as many, caller-owned. */
void order_numbers(uint32_t *v, size_t n, uint32_t *tmp);

/*
 * The key of thing `ord` from level `level` on: *key gets eight bytes of it (most significant
 * first, zeros behind its end) and the result says whether there may be more.
 */
typedef bool (*order_key_fn)(const void *ctx, uint32_t ord, size_t level, uint64_t *key);

/*
 * Sort ordinals by keys of any length: by level 0, those that are alike by level 1, and so on
 * until no key has more; what is alike then keeps its order. ords: (n).
 */
void order_by_levels(uint32_t *ords, size_t n, order_key_fn key_at, const void *ctx);

/* For order_key_fn: level `level` of a text, seven bytes and how many of them there are (8: and
 * more), so that texts come in the order of sv_cmp, zero bytes and all. */
bool order_text_level(struct sv s, size_t level, uint64_t *key);

#endif
