// SPDX-License-Identifier: MIT
/*
 * path.c — breadth-first distances, then the shortest paths backwards, depth first
 */
#include "path.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "query.h"

#define FAR 255
#define MAX_STEPS 100000

struct step {
    uint32_t node, edge; /* the edge that leads to the next node of the path */
};

struct path {
    struct step steps[PATH_MAX_HOPS + 1];
    double score;
    size_t ordinal; /* of finding: the tie-break */
};

struct search {
    const struct grg *g;
    const struct path_cfg *cfg;
    uint8_t *dist;  /* (nodes) hops from `from` */
    uint32_t *list; /* (n) nodes in order of reaching */
    size_t n;
    uint8_t hops;      /* of the shortest path */
    struct path now;   /* steps[d]: the node at distance d */
    struct path *best; /* (n_best) sorted */
    size_t n_best, n_found, n_steps;
};

/* Distances until a target is reached; false when none is within max_hops. */
static bool measure(struct search *s, const struct links *from, const struct links *to)
{
    const struct grg *g = s->g;
    memset(s->dist, FAR, g->n_nodes);
    for (size_t i = 0; i < from->n; i++)
        if (s->dist[from->items[i].node] == FAR) {
            s->dist[from->items[i].node] = 0;
            s->list[s->n++] = from->items[i].node;
        }
    for (size_t i = 0, end = s->n; s->hops <= s->cfg->max_hops; s->hops++, end = s->n) {
        for (size_t k = 0; k < to->n; k++)
            if (s->dist[to->items[k].node] == s->hops)
                return true;
        for (; i < end; i++) {
            uint32_t node = s->list[i], degree = grg_degree(g, node), other;
            for (uint32_t k = 0; grg_is_thing(g, node) && k < degree; k++) {
                grg_edge_at(g, node, k, &other);
                if (other >= g->n_nodes || s->dist[other] != FAR)
                    continue;
                s->dist[other] = (uint8_t)(s->hops + 1);
                s->list[s->n++] = other;
            }
        }
    }
    return false;
}

static double trust_of(const struct grg_edge *e)
{
    double c = (double)e->confidence;
    return c >= 0 && c <= 1 ? c * (1 + log(e->n_papers ? e->n_papers : 1) / 4) : 0;
}

static void keep(struct search *s)
{
    struct path p = s->now;
    p.score = 1;
    p.ordinal = s->n_found++;
    for (unsigned i = 0; i < s->hops; i++) {
        p.score *= trust_of(grg_edge(s->g, p.steps[i].edge));
        if (i)
            p.score /= log2(2 + grg_degree(s->g, p.steps[i].node));
    }
    size_t at = s->n_best, limit = (size_t)s->cfg->limit;
    while (at > 0 && s->best[at - 1].score < p.score)
        at--;
    if (at >= limit)
        return;
    s->n_best = s->n_best < limit ? s->n_best + 1 : limit;
    memmove(&s->best[at + 1], &s->best[at], (s->n_best - at - 1) * sizeof p);
    s->best[at] = p;
}

/* A neighbour one hop nearer to the start, with the edge to it that is trusted most. */
struct back {
    uint32_t node, edge;
    double trust;
};

static int cmp_back(const void *a, const void *b)
{
    const struct back *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->trust != y->trust)
        return x->trust > y->trust ? -1 : 1;
    return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static void go_back(struct search *s, uint32_t node, uint8_t dist)
{
    s->now.steps[dist].node = node;
    if (dist == 0) {
        keep(s);
        return;
    }
    uint32_t degree = grg_degree(s->g, node), other;
    struct back *back = alloc_array(degree, sizeof *back);
    size_t n = 0;
    for (uint32_t k = 0; k < degree; k++) {
        uint32_t e = grg_edge_at(s->g, node, k, &other);
        /* A measurement reaches others at the same distance, but is on no way. */
        if (other < s->g->n_nodes && s->dist[other] == dist - 1 && grg_is_thing(s->g, other))
            back[n++] = (struct back){ other, e, trust_of(grg_edge(s->g, e)) };
    }
    if (n)
        qsort(back, n, sizeof *back, cmp_back);
    for (size_t i = 0; i < n && s->n_steps < MAX_STEPS; i++) {
        if (i && back[i].node == back[i - 1].node)
            continue;
        s->n_steps++;
        s->now.steps[dist - 1].edge = back[i].edge;
        go_back(s, back[i].node, (uint8_t)(dist - 1));
    }
    free(back);
}

static struct sv name_of(const struct grg *g, uint32_t node)
{
    return grg_str(g, grg_node(g, node)->name);
}

static void put_path(struct buf *out, const struct search *s, const struct path *p)
{
    json_open(out, '{');
    json_key(out, "from");
    json_put_str(out, name_of(s->g, p->steps[0].node));
    json_key(out, "to");
    json_put_str(out, name_of(s->g, p->steps[s->hops].node));
    json_key(out, "hops");
    json_put_int(out, s->hops);
    json_key(out, "score");
    json_put_num(out, round(p->score * 1e4) / 1e4);
    json_key(out, "nodes");
    json_open(out, '[');
    for (unsigned i = 0; i <= s->hops; i++)
        json_put_str(out, name_of(s->g, p->steps[i].node));
    json_close(out, ']');
    json_key(out, "facts");
    json_open(out, '[');
    for (unsigned i = 0; i < s->hops; i++) {
        struct grg_range r = grg_triples_of(s->g, p->steps[i].edge);
        query_put_fact(out, s->g, p->steps[i].edge, r.from < r.to ? r.from : GRG_NONE, SV_NONE);
    }
    json_close(out, ']');
    buf_str(out, "}\n");
}

size_t path_find(const struct grg *g, const struct links *from, const struct links *to,
                 const struct path_cfg *cfg, struct buf *out)
{
    struct search s = { .g = g, .cfg = cfg };
    s.dist = alloc_array(g->n_nodes, 1);
    s.list = alloc_array(g->n_nodes, sizeof *s.list);
    s.best = alloc_array((size_t)cfg->limit + 1, sizeof *s.best);
    if (measure(&s, from, to))
        for (size_t k = 0; k < to->n; k++)
            if (s.dist[to->items[k].node] == s.hops)
                go_back(&s, to->items[k].node, s.hops);
    for (size_t i = 0; i < s.n_best; i++)
        put_path(out, &s, &s.best[i]);
    free(s.best);
    free(s.list);
    free(s.dist);
    return s.n_best;
}
