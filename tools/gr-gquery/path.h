// SPDX-License-Identifier: MIT
/*
 * path.h — the k shortest paths between two things
 *
 * Edges are walked in both directions; a measurement may end a path but is never inside one. A
 * path meets no node twice, none of the other starts, and ends at the first end it meets. Fewer
 * hops come first; of as many, those of the higher score: the product of the confidence and
 * support of each step (walk.h) and of 1/log2(2 + degree) of each node inside, so that a way
 * through a hub, which connects everything, comes last. Between two nodes the edge that is
 * trusted most is the step.
 *
 * Method: distances to the ends (breadth first), then for each length, from the shortest on,
 * all ways forward that can still arrive in time (depth first), until a length is done and
 * there are `limit` paths. The result is that of Yen (Management Science 17, 1971) with unit
 * weights, without his k · hops searches of the whole graph.
 */
#ifndef PATH_H
#define PATH_H

#include "buf.h"
#include "gr.h"
#include "grg.h"
#include "link.h"

#define PATH_MAX_HOPS 12

struct path_cfg {
    long max_hops;   /* 1 … PATH_MAX_HOPS */
    long limit;      /* paths to give */
    long max_degree; /* of the nodes inside, 0: any */
};

/*
 * Append a record for each path from any node of `from` to any of `to`:
 * {"from","to","hops","score","text","nodes":[…],"facts":[…]}. Returns how many. *is_cut (may
 * be NULL): edges were so many (PATH_MAX_EDGES) that longer paths were not looked for to the
 * end. O(edges) and those looked at.
 */
#define PATH_MAX_EDGES 5000000
size_t path_find(const struct grg *g, const struct links *from, const struct links *to,
                 const struct path_cfg *cfg, bool *is_cut, struct buf *out);

#endif
