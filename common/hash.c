// SPDX-License-Identifier: MIT
/*
 * hash.c — thin wrappers over libxxhash and nettle, which uses the processor's SHA instructions
 */
#include "hash.h"

#include <nettle/sha2.h>
#include <xxhash.h>

#include "alloc.h"

uint64_t hash64(struct sv s)
{
    return XXH3_64bits(s.p, s.n);
}

struct hash *hash_new(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        alloc_die(NULL);
    XXH3_64bits_reset(state);
    return (struct hash *)state;
}

void hash_add(struct hash *h, struct sv piece)
{
    XXH3_64bits_update((XXH3_state_t *)h, piece.p, piece.n);
}

uint64_t hash_end(struct hash *h)
{
    uint64_t v = XXH3_64bits_digest((XXH3_state_t *)h);
    XXH3_freeState((XXH3_state_t *)h);
    return v;
}

void hash_sha256(struct sv s, char hex[65])
{
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&ctx);
    sha256_update(&ctx, s.n, (const uint8_t *)s.p);
    sha256_digest(&ctx, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[64] = '\0';
}
