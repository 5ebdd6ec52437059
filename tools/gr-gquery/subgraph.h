// SPDX-License-Identifier: MIT
/*
 * subgraph.h — all that lies within some hops of a node, as apoc.path.subgraphAll gives it
 *
 * Nodes: reached from the start along edges in both directions, at most `depth` of them; with a
 * filter along its relations, to nodes of its types. Relationships: all edges among these nodes
 * (the cover), those too that the walk did not use, whatever their relation; a strict filter
 * gives those of its relations only. Nothing is ranked, and left out only by a limit.
 */
#ifndef SUBGRAPH_H
#define SUBGRAPH_H

#include "buf.h"
#include "filter.h"
#include "gr.h"
#include "grg.h"
#include "link.h"

struct subgraph_cfg {
    long depth;
    long limit;      /* nodes to reach, the nearest, in the order of edges; 0: all */
    long max_degree; /* nodes of more edges are reached but not left, unless the walk starts
                      * there; 0: all are left */
};

/* Scratch of one thread: 4 bytes a node. */
struct subgraph {
    const struct grg *g;
    uint32_t *stamp; /* (nodes) the walk that reached it last */
    uint32_t walk;   /* number of this walk */
    uint32_t *nodes; /* (n_nodes) reached, by number after subgraph_walk */
    uint32_t *edges; /* (n_edges) by number */
    uint32_t *tmp;   /* (tmp_cap) for sorting */
    size_t n_nodes, nodes_cap, n_edges, edges_cap, tmp_cap;
    bool has_filter; /* else nothing need be asked of it */
    size_t limit;
    bool is_cut; /* there was more than the limit */
};

void subgraph_start(struct subgraph *s, const struct grg *g);
void subgraph_release(struct subgraph *s);

/* Walk; the result is in s until the next walk. O(nodes and edges met). */
void subgraph_walk(struct subgraph *s, const struct links *start, const struct filter *filter,
                   const struct subgraph_cfg *cfg);

/* Append the members "nodes":[{name,type,node}] and "relationships":[facts], and "limited":true
 * when the limit left something out. */
void subgraph_put(const struct subgraph *s, struct buf *out);

#endif
