// SPDX-License-Identifier: MIT
/*
 * subgraph.c — breadth first, then the cover
 */
#include "subgraph.h"

#include "alloc.h"
#include "json.h"
#include "query.h"

void subgraph_start(struct subgraph *s, const struct grg *g)
{
    if (s->g)
        return;
    s->g = g;
    s->stamp = alloc_zero(g->n_nodes ? g->n_nodes : 1, sizeof *s->stamp);
}

void subgraph_release(struct subgraph *s)
{
    free(s->stamp);
    free(s->nodes);
    free(s->edges);
    *s = (struct subgraph){ 0 };
}

static bool is_reached(const struct subgraph *s, uint32_t node)
{
    return node < s->g->n_nodes && s->stamp[node] == s->walk;
}

static void reach(struct subgraph *s, uint32_t node)
{
    if (node >= s->g->n_nodes || s->stamp[node] == s->walk)
        return;
    s->stamp[node] = s->walk;
    if (s->n_nodes == s->nodes_cap) {
        s->nodes_cap = alloc_grow(s->nodes_cap, s->n_nodes + 1);
        s->nodes = alloc_resize(s->nodes, s->nodes_cap, sizeof *s->nodes);
    }
    s->nodes[s->n_nodes++] = node;
}

static void reach_around(struct subgraph *s, uint32_t node, const struct filter *filter)
{
    uint32_t degree = grg_degree(s->g, node), other;
    for (uint32_t i = 0; i < degree; i++) {
        const struct grg_edge *e = grg_edge(s->g, grg_edge_at(s->g, node, i, &other));
        if (filter_walks(filter, e->relation) &&
            filter_reaches(filter, grg_node(s->g, other)->type))
            reach(s, other);
    }
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Edges are numbered by their heads: nodes in order give edges in order. */
static void cover(struct subgraph *s, const struct filter *filter)
{
    for (size_t i = 0; i < s->n_nodes; i++) {
        struct grg_range r = grg_out(s->g, s->nodes[i]);
        for (uint32_t e = r.from; e < r.to; e++) {
            if (!is_reached(s, grg_edge(s->g, e)->tail) ||
                !filter_gives(filter, s->g, grg_edge(s->g, e)))
                continue;
            if (s->n_edges == s->edges_cap) {
                s->edges_cap = alloc_grow(s->edges_cap, s->n_edges + 1);
                s->edges = alloc_resize(s->edges, s->edges_cap, sizeof *s->edges);
            }
            s->edges[s->n_edges++] = e;
        }
    }
}

void subgraph_walk(struct subgraph *s, const struct links *start, const struct filter *filter,
                   long depth)
{
    s->n_nodes = s->n_edges = 0;
    if (++s->walk == 0) { /* the stamps have come round */
        memset(s->stamp, 0, s->g->n_nodes * sizeof *s->stamp);
        s->walk = 1;
    }
    for (size_t i = 0; i < start->n; i++)
        reach(s, start->items[i].node);
    size_t from = 0;
    for (long hop = 0; hop < depth && from < s->n_nodes; hop++)
        for (size_t end = s->n_nodes; from < end; from++)
            reach_around(s, s->nodes[from], filter);
    qsort(s->nodes, s->n_nodes, sizeof *s->nodes, compare);
    cover(s, filter);
}

void subgraph_put(const struct subgraph *s, struct buf *out)
{
    const struct grg *g = s->g;
    json_key(out, "nodes");
    json_open(out, '[');
    for (size_t i = 0; i < s->n_nodes; i++) {
        const struct grg_node *n = grg_node(g, s->nodes[i]);
        json_open(out, '{');
        json_add_str(out, "name", grg_str(g, n->name));
        json_add_str(out, "type", grg_str(g, n->type));
        json_add_str(out, "node", grg_str(g, n->id));
        json_close(out, '}');
    }
    json_close(out, ']');
    json_key(out, "relationships");
    json_open(out, '[');
    for (size_t i = 0; i < s->n_edges; i++)
        query_put_fact(out, g, s->edges[i], grg_triples_of(g, s->edges[i]).from, SV_NONE);
    json_close(out, ']');
}
