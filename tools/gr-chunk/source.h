// SPDX-License-Identifier: MIT
/*
 * source.h — offsets into texts that are not in normal form C
 *
 * Cleaning reads a text's normal form; the paper record may hold another one.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "clean.h"

/* Make c->offs, which tell places in c->nfc, tell those in the original it was made of, in code
 * points. O(n). */
void source_follow(struct clean *c, struct sv original);

#endif
