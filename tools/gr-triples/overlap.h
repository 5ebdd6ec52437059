// SPDX-License-Identifier: MIT
/*
 * overlap.h — sentences that two chunks of a paper share
 */
#ifndef OVERLAP_H
#define OVERLAP_H

#include "sentence.h"
#include "triple.h"

/*
 * Is this sentence of a chunk's text read with the chunk before, or whole with the one after?
 * Each sentence of overlapping chunks counts once: where it ends first, if its end is plain
 * there. One that no chunk has whole is read in its pieces. Both chunks judge by the bytes they
 * share. O(1), but for sentences at the edge of the overlap.
 */
bool overlap_reads(const struct splitter *splitter, const struct source *source,
                   const struct sentence *s);

#endif
