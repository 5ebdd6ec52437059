// SPDX-License-Identifier: MIT
/*
 * path.h — shortest paths between two things
 *
 * Edges are walked in both directions; a measurement may end a path but is never inside one.
 * All shortest paths are looked at (up to a bound), the best are given: the score is the
 * product of the confidence and support of each step (walk.h) and of 1/log2(2 + degree) of each
 * node inside, so that a way through a hub, which connects everything, comes last.
 */
#ifndef PATH_H
#define PATH_H

#include "buf.h"
#include "gr.h"
#include "grg.h"
#include "link.h"

#define PATH_MAX_HOPS 12

struct path_cfg {
    long max_hops; /* 1 … PATH_MAX_HOPS */
    long limit;    /* paths to give */
};

/*
 * Append a record for each path from any node of `from` to any of `to`, best first:
 * {"from","to","hops","score","nodes":[…],"facts":[…]}. Returns how many. O(edges) and the
 * paths looked at (at most 100,000 steps).
 */
size_t path_find(const struct grg *g, const struct links *from, const struct links *to,
                 const struct path_cfg *cfg, struct buf *out);

#endif
