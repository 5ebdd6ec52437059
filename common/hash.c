// SPDX-License-Identifier: MIT
/*
 * hash.c — thin wrappers over libxxhash and libmd
 */
#include "hash.h"

#include <sys/types.h>
#include <sha2.h>
#include <xxhash.h>

uint64_t hash64(struct sv s)
{
    return XXH3_64bits(s.p, s.n);
}

void hash_sha256(struct sv s, char hex[65])
{
    SHA2_CTX ctx;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&ctx);
    SHA256Update(&ctx, (const uint8_t *)s.p, s.n);
    SHA256Final(digest, &ctx);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
