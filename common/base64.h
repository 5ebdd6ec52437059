// SPDX-License-Identifier: MIT
/*
 * base64.h — RFC 4648 base64 with padding
 */
#ifndef GR_BASE64_H
#define GR_BASE64_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

/* Append the encoding of the bytes. */
void base64_put(struct buf *b, struct sv bytes);

/* Append the decoded bytes; false (b as before) when text is not canonical base64: wrong
 * length, a foreign character, or bits set in the padding. */
bool base64_get(struct buf *b, struct sv text);

#endif
