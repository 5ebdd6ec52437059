// SPDX-License-Identifier: MIT
/*
 * bpe_impl.h — the table of ranks and the pattern, shared by bpe*.c alone
 */
#ifndef GR_BPE_IMPL_H
#define GR_BPE_IMPL_H

#include "bpe.h"
#include "map.h"

#define BPE_NO_RANK UINT32_MAX
#define BPE_KEY_MAX 16 /* bytes of the longest token held in two words; few are longer */

/* A token of n <= BPE_KEY_MAX bytes as two words, which with n tell it from all others: its
 * first and its last eight bytes, which may overlap. */
struct bpe_key {
    uint64_t lo, hi;
};

struct bpe {
    size_t n;               /* tokens; the rank of one is its ordinal */
    uint32_t *slots;        /* (1 << bits) open addressing: 0, or tag and rank + 1 */
    unsigned bits;          /* of the number of slots */
    uint8_t *filter;        /* (1 << BPE_FILTER_BITS) bits: set for the hash of each token */
    struct bpe_key *keys;   /* (n) by rank */
    uint8_t *lengths;       /* (n) bytes by rank; 0: in `longer` */
    struct map *longer;     /* tokens of more bytes */
    uint32_t *longer_ranks; /* by ordinal in `longer` */
    size_t longest;         /* bytes of the longest token */
    uint32_t bytes[256];    /* rank of each byte */
    uint32_t *pairs;        /* (65536) rank of each two bytes, first one high */
};

static inline struct bpe_key bpe_key_of(const char *p, size_t n)
{
    struct bpe_key k = { 0, 0 };
    if (n >= 8) {
        memcpy(&k.lo, p, 8);
        memcpy(&k.hi, p + n - 8, 8);
    } else if (n >= 4) {
        uint32_t a, z;
        memcpy(&a, p, 4);
        memcpy(&z, p + n - 4, 4);
        k.lo = a | (uint64_t)z << 32;
    } else if (n) {
        k.lo = (unsigned char)p[0] | (uint64_t)(unsigned char)p[n / 2] << 8 |
               (uint64_t)(unsigned char)p[n - 1] << 16;
    }
    return k;
}

static inline uint64_t bpe_hash(struct bpe_key k, size_t n)
{
    uint64_t h = (k.lo ^ n << 56) * 0x9E3779B97F4A7C15u ^ k.hi * 0xC2B2AE3D27D4EB4Fu;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

/* Most pairs looked up while merging are no token; one bit says so of nine in ten. */
#define BPE_FILTER_BITS 20
static inline uint32_t bpe_filter_bit(uint64_t hash)
{
    return (uint32_t)(hash >> 16) & ((1u << BPE_FILTER_BITS) - 1);
}

/* Ranks take 18 bits of a slot, the tag the rest: most look-ups of what is no token end at the
 * slot. */
#define BPE_RANK_BITS 18
#define BPE_RANK_MASK ((1u << BPE_RANK_BITS) - 1)

/* Rank of a token of n <= BPE_KEY_MAX bytes, or BPE_NO_RANK. hash: of k and n. */
static inline uint32_t bpe_find(const struct bpe *b, struct bpe_key k, size_t n, uint64_t hash)
{
    uint32_t mask = (1u << b->bits) - 1, tag = (uint32_t)(hash >> 40) & ~BPE_RANK_MASK;
    for (uint32_t i = (uint32_t)hash & mask; b->slots[i]; i = (i + 1) & mask) {
        uint32_t rank = (b->slots[i] & BPE_RANK_MASK) - 1;
        if ((b->slots[i] & ~BPE_RANK_MASK) == tag && b->keys[rank].lo == k.lo &&
            b->keys[rank].hi == k.hi && b->lengths[rank] == n)
            return rank;
    }
    return BPE_NO_RANK;
}

/* Rank of a token of any length, or BPE_NO_RANK. */
uint32_t bpe_rank(const struct bpe *b, struct sv token);

/* End of the piece of the pattern that begins at byte pos < s.n. */
size_t bpe_piece_end(struct sv s, size_t pos);

#endif
