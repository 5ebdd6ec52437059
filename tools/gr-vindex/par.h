// SPDX-License-Identifier: MIT
/*
 * par.h — a loop whose ranges are done by several threads
 */
#ifndef PAR_H
#define PAR_H

#include "gr.h"

/* Call fn for [from, to) that together are [0, n), at most `grain` (> 0) each. worker: 0 …
 * jobs-1, for scratch. What fn writes for a range must not depend on the others. */
void par_ranges(size_t n, size_t grain, unsigned jobs,
                void (*fn)(void *ctx, unsigned worker, size_t from, size_t to), void *ctx);

#endif
