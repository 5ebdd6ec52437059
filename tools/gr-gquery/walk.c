// SPDX-License-Identifier: MIT
/*
 * walk.c — breadth-first subgraph, hub guard, depth, ranking of facts
 */
#include "walk_impl.h"

#include <math.h>

#include "alloc.h"
#include "topk.h"

#define HOP_DECAY 0.5f
#define COMMON_FROM 1000 /* triples */
#define EVIDENCE_SHARE 0.6f

struct walk *walk_new(const struct grg *g)
{
    struct walk *w = alloc_zero(1, sizeof *w);
    w->g = g;
    w->dist = alloc_array(g->n_nodes, 1);
    memset(w->dist, WALK_FAR, g->n_nodes);
    w->near = alloc_array(g->n_nodes, sizeof *w->near);
    w->from = alloc_array(g->n_nodes, sizeof *w->from);
    w->reached = alloc_array(g->n_nodes, sizeof *w->reached);
    w->slot = alloc_array(g->n_nodes, sizeof *w->slot);
    w->overlap = alloc_zero(g->n_triples, sizeof *w->overlap);
    w->agrees = alloc_zero(g->n_triples, 1);
    w->touched = alloc_array(g->n_triples, sizeof *w->touched);
    return w;
}

void walk_free(struct walk *w)
{
    if (!w)
        return;
    free(w->dist);
    free(w->near);
    free(w->from);
    free(w->reached);
    free(w->overlap);
    free(w->agrees);
    free(w->touched);
    free(w->papers);
    free(w->facts);
    free(w->slot);
    free(w->hits);
    free(w->chunks);
    free(w);
}

void walk_again(struct walk *w)
{
    for (size_t i = 0; i < w->n_reached; i++)
        w->dist[w->reached[i]] = WALK_FAR;
    w->n_reached = w->n_facts = w->n_chunks = w->n_hubs = w->n_candidates = w->n_redundant = 0;
    w->depth = 0;
    w->widened = w->narrowed = w->is_cut = false;
}

void walk_reset(struct walk *w)
{
    walk_again(w);
    for (size_t i = 0; i < w->n_touched; i++) {
        w->overlap[w->touched[i]] = 0;
        w->agrees[w->touched[i]] = 0;
    }
    w->n_touched = w->n_papers = w->n_hits = 0;
    w->idf_sum = 0;
}

/* ---- what the question says ---- */

static void touch(struct walk *w, uint32_t triple)
{
    if (w->overlap[triple] == 0 && !w->agrees[triple])
        w->touched[w->n_touched++] = triple;
}

static int cmp_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* In a large graph a term of every other triple says nothing, and costs most of the time. */
static bool is_common(const struct grg *g, double df)
{
    return g->n_triples > COMMON_FROM && df * 2 > (double)g->n_triples;
}

/* A question that asks with the one word is answered by a relation named by the other. */
static struct sv same_asked(struct sv term)
{
    static const char *const pairs[][2] = { { "contain", "compos" },
                                            { "consist", "compos" },
                                            { "compris", "compos" },
                                            { "compos", "contain" } };
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        if (sv_is(term, pairs[i][0]))
            return sv_from(pairs[i][1]);
    return SV_NONE;
}

/* Ascending; 2 × the term's number, plus one for a word that stands for another. */
struct asked {
    uint64_t *ids;
    size_t n, cap;
};

static void ask_term(struct asked *a, const struct grg *g, struct sv text, bool is_other)
{
    uint32_t id = text.n ? grg_find_term(g, text) : GRG_NONE;
    if (id == GRG_NONE)
        return;
    if (a->n == a->cap) {
        a->cap = alloc_grow(a->cap, a->n + 1);
        a->ids = alloc_resize(a->ids, a->cap, sizeof *a->ids);
    }
    a->ids[a->n++] = (uint64_t)id << 1 | is_other;
}

static void add_overlap(struct walk *w, struct grg_range r, float idf)
{
    for (uint32_t k = r.from; k < r.to; k++) {
        uint32_t triple = w->g->posts[k] / 2;
        if (triple >= w->g->n_triples)
            continue;
        touch(w, triple);
        w->overlap[triple] += w->g->posts[k] & 1 ? idf : idf * EVIDENCE_SHARE;
    }
}

void walk_terms(struct walk *w, struct terms *terms, struct sv text)
{
    struct term t;
    struct asked a = { 0 };
    terms_start(terms, text);
    while (terms_next(terms, &t)) {
        ask_term(&a, w->g, t.text, false);
        ask_term(&a, w->g, same_asked(t.text), true);
    }
    /* In order of number: sums of floats do not depend on the order of words. */
    if (a.n)
        qsort(a.ids, a.n, sizeof *a.ids, cmp_u64);
    for (size_t i = 0; i < a.n; i++) {
        struct grg_range r = grg_posts(w->g, (uint32_t)(a.ids[i] >> 1));
        double df = r.to - r.from;
        if (df == 0 || (i && a.ids[i] >> 1 == a.ids[i - 1] >> 1) || is_common(w->g, df))
            continue;
        float idf = (float)log(1 + ((double)w->g->n_triples - df + 0.5) / (df + 0.5));
        if (!(idf > 0)) /* a damaged file may list a term more often than there are triples */
            continue;
        w->idf_sum += a.ids[i] & 1 ? 0 : (double)idf;
        add_overlap(w, r, idf);
    }
    free(a.ids);
}

void walk_hit(struct walk *w, struct sv chunk, struct sv paper, double score)
{
    struct grg_range r = chunk.n ? grg_chunk(w->g, chunk) : (struct grg_range){ 0, 0 };
    if (r.from < r.to) {
        w->hits = alloc_resize(w->hits, w->n_hits + 1, sizeof *w->hits);
        w->hits[w->n_hits++] = (struct walk_hit){ grg_find_str(w->g, chunk), score };
    }
    for (uint32_t i = r.from; i < r.to; i++) {
        uint32_t t = w->g->chunks[i];
        if (t >= w->g->n_triples)
            continue;
        touch(w, t);
        w->agrees[t] = 1;
    }
    uint32_t id = paper.n ? grg_find_str(w->g, paper) : GRG_NONE;
    if (id == GRG_NONE)
        return;
    w->papers = alloc_resize(w->papers, w->n_papers + 1, sizeof *w->papers);
    w->papers[w->n_papers++] = id;
}

/* ---- breadth first ---- */

struct level {
    struct walk *w;
    const struct filter *filter;
    const struct walk_cfg *cfg;
    uint8_t depth;
};

static void reach(struct level *l, uint32_t node, uint32_t edge, uint32_t other)
{
    struct walk *w = l->w;
    if (other >= w->g->n_nodes || !filter_tells(l->filter, w->g, edge) ||
        !filter_walks(l->filter, grg_edge(w->g, edge)->relation) ||
        !filter_reaches(l->filter, w->g->nodes[other].type))
        return;
    float near = w->near[node] * HOP_DECAY;
    if (w->dist[other] == WALK_FAR) {
        w->dist[other] = l->depth;
        w->reached[w->n_reached++] = other;
    } else if (w->dist[other] != l->depth || near <= w->near[other]) {
        return;
    }
    w->near[other] = near;
    w->from[other] = node;
}

static void leave_hub(struct level *l, uint32_t node, uint32_t degree)
{
    struct walk *w = l->w;
    struct topk best;
    if (w->n_hubs < WALK_HUBS)
        w->hubs[w->n_hubs] = node;
    w->n_hubs++;
    topk_init(&best, (size_t)l->cfg->max_degree);
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t other, e = grg_edge_at(w->g, node, i, &other);
        double overlap, agreement;
        if (!filter_tells(l->filter, w->g, e))
            continue;
        walk_best_triple(w, e, &overlap, &agreement);
        topk_push(&best, walk_trust(grg_edge(w->g, e)) * (overlap + agreement), i);
    }
    topk_sort(&best);
    for (size_t i = 0; i < best.n; i++) {
        uint32_t other, e = grg_edge_at(w->g, node, (uint32_t)best.items[i].ord, &other);
        reach(l, node, e, other);
    }
    topk_release(&best);
}

static void leave(struct level *l, uint32_t node)
{
    uint32_t degree = grg_degree(l->w->g, node), other;
    if (!grg_is_thing(l->w->g, node))
        return;
    if (l->cfg->max_degree && degree > (uint64_t)l->cfg->max_degree) {
        leave_hub(l, node, degree);
        return;
    }
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t e = grg_edge_at(l->w->g, node, i, &other);
        reach(l, node, e, other);
    }
}

static void unreach(struct walk *w, size_t keep)
{
    while (w->n_reached > keep)
        w->dist[w->reached[--w->n_reached]] = WALK_FAR;
}

/* Keep the nearest `keep` of the nodes reached since `first`; equals in order of reaching. */
static void keep_nearest(struct walk *w, size_t first, size_t keep)
{
    struct topk best;
    topk_init(&best, keep > first ? keep - first : 0);
    for (size_t i = first; i < w->n_reached; i++)
        topk_push(&best, (double)w->near[w->reached[i]], i);
    topk_sort(&best);
    uint32_t *kept = alloc_array(best.n, sizeof *kept);
    for (size_t i = 0; i < best.n; i++)
        kept[i] = w->reached[best.items[i].ord];
    unreach(w, first);
    for (size_t i = 0; i < best.n; i++) {
        w->dist[kept[i]] = 1;
        w->reached[w->n_reached++] = kept[i];
    }
    w->is_cut = true;
    free(kept);
    topk_release(&best);
}

/* One level more; false when there is nothing new, or it floods and was taken back. */
static bool walk_level(struct level *l, size_t *first)
{
    struct walk *w = l->w;
    size_t from = *first, to = w->n_reached, hubs = w->n_hubs;
    l->depth++;
    for (size_t i = from; i < to; i++)
        leave(l, w->reached[i]);
    if (w->n_reached > (size_t)l->cfg->max_nodes) {
        if (l->depth > 1) {
            unreach(w, to);
            w->n_hubs = hubs;
            w->narrowed = true;
            return false;
        }
        keep_nearest(w, to, (size_t)l->cfg->max_nodes);
    }
    *first = to;
    w->depth = l->depth;
    return w->n_reached > to;
}

/* ---- facts ---- */

static bool has_facts(const struct walk *w, const struct filter *filter, long want)
{
    long n = 0;
    for (size_t i = 0; n < want && i < w->n_reached; i++) {
        struct grg_range r = grg_out(w->g, w->reached[i]);
        for (uint32_t e = r.from; n < want && e < r.to; e++)
            n += walk_is_fact(w, filter, e);
    }
    return n >= want;
}

void walk_run(struct walk *w, const struct links *links, const struct filter *filter,
              const struct walk_cfg *cfg)
{
    struct level l = { w, filter, cfg, 0 };
    size_t first = 0;
    for (size_t i = 0; i < links->n; i++) {
        const struct link *x = &links->items[i];
        if (x->node >= w->g->n_nodes || w->dist[x->node] != WALK_FAR)
            continue;
        w->dist[x->node] = 0;
        w->near[x->node] = x->weight;
        w->from[x->node] = GRG_NONE;
        w->reached[w->n_reached++] = x->node;
    }
    if (w->n_reached == 0)
        return;
    bool more = true;
    while (more && l.depth < cfg->depth)
        more = walk_level(&l, &first);
    while (more && l.depth < WALK_MAX_DEPTH && !has_facts(w, filter, cfg->min_facts)) {
        more = walk_level(&l, &first);
        w->widened |= more;
    }
    walk_rank(w, links, filter, cfg);
}

size_t walk_path(const struct walk *w, uint32_t node, uint32_t *path, size_t max)
{
    size_t n = 0;
    for (; n < max && node < w->g->n_nodes; node = w->from[node])
        path[n++] = node;
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t x = path[i];
        path[i] = path[n - 1 - i];
        path[n - 1 - i] = x;
    }
    return n;
}
