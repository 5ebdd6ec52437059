// SPDX-License-Identifier: MIT
/*
 * path.c — breadth-first distances, then paths of each length, depth first
 */
#include "path.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "query.h"

#define FAR 255

struct step {
    uint32_t node, edge; /* the edge that leads to the next node of the path */
};

struct path {
    struct step steps[PATH_MAX_HOPS + 1];
    uint8_t hops;
    double score;
    size_t ordinal; /* of finding: the tie-break */
};

struct search {
    const struct grg *g;
    const struct path_cfg *cfg;
    const struct links *from, *to;
    uint8_t *dist;  /* (nodes) hops to the nearest of `to`, FAR: more than max_hops */
    uint32_t *list; /* (n) nodes in order of reaching */
    size_t n;
    uint8_t hops;      /* of the paths looked for now */
    struct path now;   /* steps[d]: the node at distance d from the start */
    struct path *best; /* (n_best) sorted; those before `done` are shorter ones */
    size_t n_best, done, n_found, n_edges;
};

static bool is_among(const struct links *l, uint32_t node)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->items[i].node == node)
            return true;
    return false;
}

/* May a path go on from this node, which is no end of it? */
static bool is_way(const struct search *s, uint32_t node)
{
    return grg_is_thing(s->g, node) &&
           (!s->cfg->max_degree || grg_degree(s->g, node) <= (uint64_t)s->cfg->max_degree);
}

static void reach(struct search *s, uint32_t node, uint8_t dist)
{
    if (node >= s->g->n_nodes || s->dist[node] != FAR)
        return;
    s->dist[node] = dist;
    s->list[s->n++] = node;
}

static void measure(struct search *s)
{
    memset(s->dist, FAR, s->g->n_nodes);
    for (size_t i = 0; i < s->to->n; i++)
        reach(s, s->to->items[i].node, 0);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t node = s->list[i], degree = grg_degree(s->g, node), other;
        if (s->dist[node] >= s->cfg->max_hops || (s->dist[node] && !is_way(s, node)))
            continue;
        for (uint32_t k = 0; k < degree; k++) {
            if (grg_stance(s->g, grg_edge_at(s->g, node, k, &other)))
                continue;
            reach(s, other, (uint8_t)(s->dist[node] + 1));
        }
    }
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
    p.hops = s->hops;
    p.ordinal = s->n_found++;
    for (unsigned i = 0; i < s->hops; i++) {
        p.score *= trust_of(grg_edge(s->g, p.steps[i].edge));
        if (i)
            p.score /= log2(2 + grg_degree(s->g, p.steps[i].node));
    }
    size_t at = s->n_best, limit = (size_t)s->cfg->limit;
    while (at > s->done && s->best[at - 1].score < p.score)
        at--;
    if (at >= limit)
        return;
    s->n_best = s->n_best < limit ? s->n_best + 1 : limit;
    memmove(&s->best[at + 1], &s->best[at], (s->n_best - at - 1) * sizeof p);
    s->best[at] = p;
}

/* A neighbour, with the edge to it that is trusted most. */
struct next {
    uint32_t node, edge;
    double trust;
};

static int cmp_next(const void *a, const void *b)
{
    const struct next *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->trust != y->trust)
        return x->trust > y->trust ? -1 : 1;
    return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* Is the node on the path up to distance d? */
static bool is_on_path(const struct search *s, uint32_t node, uint8_t d)
{
    for (unsigned i = 0; i <= d; i++)
        if (s->now.steps[i].node == node)
            return true;
    return false;
}

/* May the path go from distance d to this node and still arrive after s->hops steps? */
static bool can_go(const struct search *s, uint32_t node, uint8_t d)
{
    uint8_t left = (uint8_t)(s->hops - d - 1);
    if (node >= s->g->n_nodes || s->dist[node] > left || is_on_path(s, node, d))
        return false;
    if (s->dist[node] == 0)
        return left == 0; /* an end: here, or not at all */
    return left > 0 && is_way(s, node) && !is_among(s->from, node);
}

static void go(struct search *s, uint32_t node, uint8_t d)
{
    s->now.steps[d].node = node;
    if (d == s->hops) {
        keep(s);
        return;
    }
    uint32_t degree = grg_degree(s->g, node), other;
    struct next *next = alloc_array(degree, sizeof *next);
    size_t n = 0;
    s->n_edges += degree;
    for (uint32_t k = 0; k < degree; k++) {
        uint32_t e = grg_edge_at(s->g, node, k, &other);
        if (!grg_stance(s->g, e) && can_go(s, other, d))
            next[n++] = (struct next){ other, e, trust_of(grg_edge(s->g, e)) };
    }
    if (n)
        qsort(next, n, sizeof *next, cmp_next);
    for (size_t i = 0; i < n && s->n_edges <= PATH_MAX_EDGES; i++) {
        if (i && next[i].node == next[i - 1].node)
            continue;
        s->now.steps[d].edge = next[i].edge;
        go(s, next[i].node, (uint8_t)(d + 1));
    }
    free(next);
}

/* All paths of s->hops hops. */
static void find(struct search *s)
{
    for (size_t i = 0; i < s->from->n; i++) {
        uint32_t node = s->from->items[i].node;
        /* A thing that is start and end is there without a step. */
        if (s->dist[node] <= s->hops && (s->dist[node] > 0 || s->hops == 0))
            go(s, node, 0);
    }
}

static struct sv name_of(const struct grg *g, uint32_t node)
{
    return grg_str(g, grg_node(g, node)->name);
}

/* "CO Reduces U; uraninite Contains U": what each step says. */
static void put_text(struct buf *out, const struct grg *g, const struct path *p)
{
    struct buf b = BUF_INIT;
    for (unsigned i = 0; i < p->hops; i++) {
        const struct grg_edge *e = grg_edge(g, p->steps[i].edge);
        buf_printf(&b, "%s%.*s %.*s %.*s", i ? "; " : "", SV_ARG(name_of(g, e->head)),
                   SV_ARG(grg_str(g, e->relation)), SV_ARG(name_of(g, e->tail)));
    }
    json_key(out, "text");
    json_put_str(out, buf_view(&b));
    buf_release(&b);
}

static uint32_t surest_triple(const struct grg *g, uint32_t edge)
{
    struct grg_range r = grg_triples_of(g, edge);
    uint32_t best = r.from < r.to ? r.from : GRG_NONE;
    for (uint32_t t = r.from; t < r.to; t++)
        if (grg_triple(g, t)->confidence > grg_triple(g, best)->confidence)
            best = t;
    return best;
}

static void put_path(struct buf *out, const struct grg *g, const struct path *p)
{
    json_open(out, '{');
    json_key(out, "from");
    json_put_str(out, name_of(g, p->steps[0].node));
    json_key(out, "to");
    json_put_str(out, name_of(g, p->steps[p->hops].node));
    json_key(out, "hops");
    json_put_int(out, p->hops);
    json_key(out, "score");
    json_put_num(out, round(p->score * 1e4) / 1e4);
    put_text(out, g, p);
    json_key(out, "nodes");
    json_open(out, '[');
    for (unsigned i = 0; i <= p->hops; i++)
        json_put_str(out, name_of(g, p->steps[i].node));
    json_close(out, ']');
    json_key(out, "facts");
    json_open(out, '[');
    for (unsigned i = 0; i < p->hops; i++) {
        uint32_t edge = p->steps[i].edge;
        query_put_fact(out, g, edge, surest_triple(g, edge), SV_NONE);
    }
    json_close(out, ']');
    buf_str(out, "}\n");
}

size_t path_find(const struct grg *g, const struct links *from, const struct links *to,
                 const struct path_cfg *cfg, bool *is_cut, struct buf *out)
{
    struct search s = { .g = g, .cfg = cfg, .from = from, .to = to };
    s.dist = alloc_array(g->n_nodes, 1);
    s.list = alloc_array(g->n_nodes, sizeof *s.list);
    s.best = alloc_array((size_t)cfg->limit + 1, sizeof *s.best);
    measure(&s);
    for (; s.hops <= cfg->max_hops && s.n_best < (size_t)cfg->limit &&
           s.n_edges <= PATH_MAX_EDGES;
         s.hops++) {
        s.done = s.n_best;
        find(&s);
    }
    if (is_cut)
        *is_cut = s.n_edges > PATH_MAX_EDGES;
    for (size_t i = 0; i < s.n_best; i++)
        put_path(out, g, &s.best[i]);
    free(s.best);
    free(s.list);
    free(s.dist);
    return s.n_best;
}
