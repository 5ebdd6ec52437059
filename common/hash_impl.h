// SPDX-License-Identifier: MIT
/*
 * hash_impl.h — shared by the files of hash only
 */
#ifndef GR_HASH_IMPL_H
#define GR_HASH_IMPL_H

#include "gr.h"
#include "sv.h"

/* SHA-256 of text where the processor has instructions for it (32 bytes, the same on every
 * machine). False, and nothing written: it has none. */
bool hash_internal_sha256(struct sv text, uint8_t digest[32]);

#endif
