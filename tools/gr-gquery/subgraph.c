// SPDX-License-Identifier: MIT
/*
 * subgraph.c — breadth first, then the cover
 */
#include "subgraph.h"

#include "alloc.h"
#include "json.h"
#include "order.h"
#include "render.h"

void subgraph_start(struct subgraph *s, const struct grg *g)
{
    if (s->g)
        return;
    s->g = g;
    s->stamp = alloc_zero(g->n_nodes + 1, sizeof *s->stamp); /* one that is never reached */
}

void subgraph_release(struct subgraph *s)
{
    free(s->stamp);
    free(s->nodes);
    free(s->edges);
    free(s->tmp);
    *s = (struct subgraph){ 0 };
}

static bool is_reached(const struct subgraph *s, uint32_t node)
{
    return s->stamp[node < s->g->n_nodes ? node : s->g->n_nodes] == s->walk;
}

static void reach(struct subgraph *s, uint32_t node)
{
    if (node >= s->g->n_nodes || s->stamp[node] == s->walk)
        return;
    if (s->n_nodes == s->limit) {
        s->is_cut = true;
        return;
    }
    s->stamp[node] = s->walk;
    if (s->n_nodes == s->nodes_cap) {
        s->nodes_cap = alloc_grow(s->nodes_cap, s->n_nodes + 1);
        s->nodes = alloc_resize(s->nodes, s->nodes_cap, sizeof *s->nodes);
    }
    s->nodes[s->n_nodes++] = node;
}

static void reach_over(struct subgraph *s, const struct grg_edge *e, uint32_t other,
                       const struct filter *filter)
{
    if (s->has_filter && (!filter_tells(filter, s->g, (uint32_t)(e - s->g->edges)) ||
                          !filter_walks(filter, e->relation) ||
                          !filter_reaches(filter, grg_node(s->g, other)->type)))
        return;
    reach(s, other);
}

static void reach_around(struct subgraph *s, uint32_t node, const struct filter *filter)
{
    struct grg_range r = grg_out(s->g, node);
    for (uint32_t i = r.from; i < r.to; i++)
        reach_over(s, &s->g->edges[i], s->g->edges[i].tail, filter);
    r = grg_in(s->g, node);
    for (uint32_t i = r.from; i < r.to; i++) /* they are all over the file */
        __builtin_prefetch(grg_edge(s->g, s->g->in[i]));
    for (uint32_t i = r.from; i < r.to; i++) {
        const struct grg_edge *e = grg_edge(s->g, s->g->in[i]);
        reach_over(s, e, e->head, filter);
    }
}

/* Edges are numbered by their heads: nodes in order give edges in order. */
static void cover(struct subgraph *s, const struct filter *filter)
{
    enum { AHEAD = 6, LINE = 64 };
    for (size_t i = 0; i < s->n_nodes; i++) {
        struct grg_range r = grg_out(s->g, s->nodes[i]);
        if (i + AHEAD < s->n_nodes) { /* they are all over the file */
            struct grg_range next = grg_out(s->g, s->nodes[i + AHEAD]);
            const char *p = (const char *)(s->g->edges + next.from);
            for (size_t k = 0; k < 3; k++)
                __builtin_prefetch(p + k * LINE);
        }
        if (s->edges_cap - s->n_edges < r.to - r.from) {
            s->edges_cap = alloc_grow(s->edges_cap, s->n_edges + (r.to - r.from));
            s->edges = alloc_resize(s->edges, s->edges_cap, sizeof *s->edges);
        }
        size_t n = s->n_edges; /* written first and counted then: no jump to guess */
        for (uint32_t e = r.from; e < r.to; e++) {
            const struct grg_edge *edge = &s->g->edges[e];
            s->edges[n] = e;
            n += is_reached(s, edge->tail) &&
                 (!s->has_filter || filter_gives(filter, s->g, edge));
        }
        s->n_edges = n;
    }
}

void subgraph_walk(struct subgraph *s, const struct links *start, const struct filter *filter,
                   const struct subgraph_cfg *cfg)
{
    s->n_nodes = s->n_edges = 0;
    s->limit = cfg->limit ? (size_t)cfg->limit : SIZE_MAX;
    s->is_cut = false;
    s->has_filter = filter->relations.is_given || filter->types.is_given ||
                    filter->not_types.n || filter->where || s->g->stances;
    if (++s->walk == 0) { /* the stamps have come round */
        memset(s->stamp, 0, s->g->n_nodes * sizeof *s->stamp);
        s->walk = 1;
    }
    for (size_t i = 0; i < start->n; i++)
        reach(s, start->items[i].node);
    size_t from = 0;
    for (long hop = 0; hop < cfg->depth && from < s->n_nodes; hop++)
        for (size_t end = s->n_nodes; from < end; from++)
            if (hop == 0 || !cfg->max_degree ||
                grg_degree(s->g, s->nodes[from]) <= (uint64_t)cfg->max_degree)
                reach_around(s, s->nodes[from], filter);
    if (s->n_nodes > s->tmp_cap) {
        free(s->tmp);
        s->tmp_cap = s->nodes_cap;
        s->tmp = alloc_array(s->tmp_cap, sizeof *s->tmp);
    }
    order_numbers(s->nodes, s->n_nodes, s->tmp);
    cover(s, filter);
}

void subgraph_put(const struct subgraph *s, struct buf *out)
{
    json_key(out, "nodes");
    json_open(out, '[');
    render_nodes(out, s->g, s->nodes, s->n_nodes);
    json_close(out, ']');
    json_key(out, "relationships");
    json_open(out, '[');
    render_facts(out, s->g, s->edges, s->n_edges);
    json_close(out, ']');
    if (s->is_cut) {
        json_key(out, "limited");
        json_put_bool(out, true);
    }
}
