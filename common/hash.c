// SPDX-License-Identifier: MIT
/*
 * hash.c — over libxxhash, and libmd where the processor does not know SHA-256
 */
#include "hash.h"

#include <sys/types.h>
#include <sha2.h>
#include <xxhash.h>

#include "alloc.h"
#include "hash_impl.h"

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
    SHA2_CTX ctx;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    if (!hash_internal_sha256(s, digest)) {
        SHA256Init(&ctx);
        SHA256Update(&ctx, (const uint8_t *)s.p, s.n);
        SHA256Final(digest, &ctx);
    }
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[64] = '\0';
}
