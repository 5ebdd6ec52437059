// SPDX-License-Identifier: MIT
/*
 * hash_sha.h — SHA-256 (FIPS 180-4) by the instructions some processors have for it; for hash.c
 */
#ifndef GR_HASH_SHA_H
#define GR_HASH_SHA_H

#include "gr.h"
#include "sv.h"

/* The digest of s; false: this processor has none of those instructions. */
bool hash_sha_fast(struct sv s, uint8_t digest[32]);

#endif
