// SPDX-License-Identifier: MIT
/*
 * hash.h — content hashes: SHA-256 for ids that people keep, XXH3 for tables and checksums
 */
#ifndef GR_HASH_H
#define GR_HASH_H

#include "gr.h"
#include "sv.h"

/* XXH3, 64 bits, seed 0. Same value on every machine. Not for hostile collisions. */
uint64_t hash64(struct sv s);

/* The same of bytes that come in pieces. hash_end frees. */
struct hash;
struct hash *hash_new(void);
void hash_add(struct hash *h, struct sv piece);
uint64_t hash_end(struct hash *h);

/* SHA-256 (FIPS 180-4) of s as 64 lower-case hex digits and a NUL. */
void hash_sha256(struct sv s, char hex[65]);

#endif
