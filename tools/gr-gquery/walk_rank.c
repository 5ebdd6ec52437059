// SPDX-License-Identifier: MIT
/*
 * walk_rank.c — worth of facts and chunks: a random walk that begins anew at the linked nodes
 */
#include "walk_impl.h"

#include <math.h>

#include "alloc.h"
#include "ppr.h"
#include "same_fact.h"
#include "topk.h"

/* Constants of the formula in walk.h. None is fitted: they are chosen so that no single factor
 * can drown the others; damping and the share of chunks are those of HippoRAG 2. */
#define OVERLAP_FLOOR 0.15
#define SUPPORT_WEIGHT 0.25
#define PLAIN_WEIGHT 0.5
#define AGREE_CHUNK 0.1
#define AGREE_PAPER 0.03
#define DAMPING 0.5
#define CHUNK_SHARE 0.05
#define SPARE_FACTS 20 /* looked at beyond twice those to give: some say the same */
#define MAX_SOURCES 64 /* triples of one edge that tie chunks to its ends */

/* ---- worth of an edge ---- */

static double overlap_of(const struct walk *w, uint32_t triple)
{
    double share = w->idf_sum > 0 ? (double)w->overlap[triple] / w->idf_sum : 0;
    return OVERLAP_FLOOR + (1 - OVERLAP_FLOOR) * (share > 1 ? 1 : share);
}

/* 0, AGREE_PAPER or AGREE_CHUNK. */
static double agreement_of(const struct walk *w, uint32_t triple)
{
    if (w->agrees[triple])
        return AGREE_CHUNK;
    uint32_t paper = grg_triple(w->g, triple)->paper;
    for (size_t i = 0; i < w->n_papers; i++)
        if (w->papers[i] == paper)
            return AGREE_PAPER;
    return 0;
}

uint32_t walk_best_triple(const struct walk *w, uint32_t edge, double *overlap,
                          double *agreement)
{
    struct grg_range r = grg_triples_of(w->g, edge);
    uint32_t best = GRG_NONE;
    double best_fit = -1;
    *overlap = OVERLAP_FLOOR;
    *agreement = 0;
    for (uint32_t t = r.from; t < r.to; t++) {
        double o = overlap_of(w, t), a = agreement_of(w, t);
        double fit = o * (1 + a) + 1e-3 * (double)grg_triple(w->g, t)->confidence;
        if (fit > best_fit) {
            best_fit = fit;
            best = t;
            *overlap = o;
            *agreement = a;
        }
    }
    return best;
}

double walk_trust(const struct grg_edge *e)
{
    double c = (double)e->confidence;
    if (!(c >= 0 && c <= 1))
        return 0;
    return e->n_papers > 1 ? c * (1 + SUPPORT_WEIGHT * log(e->n_papers)) : c;
}

static double specificity_of(const struct grg *g, const struct grg_edge *e)
{
    double h = grg_degree(g, e->head), t = grg_degree(g, e->tail);
    return log2(3) / log2(2 + sqrt(h * t));
}

bool walk_is_fact(const struct walk *w, const struct filter *filter, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(w->g, edge);
    return e->head < w->g->n_nodes && e->tail < w->g->n_nodes && w->dist[e->head] != WALK_FAR &&
           w->dist[e->tail] != WALK_FAR && filter_gives(filter, w->g, e);
}

/* "strontium Has Isotope 87Sr/86Sr": the names say it already. */
static bool is_plain(const struct grg *g, const struct grg_edge *e)
{
    return sv_is(grg_str(g, e->relation), "Has Isotope");
}

/* ---- the random walk ---- */

/* The part of the graph that was reached: nodes 0 … n_reached-1 as in w->reached, then chunks.
 */
struct local {
    struct walk *w;
    uint32_t *facts; /* (n_facts) edges that are facts */
    size_t n_facts, facts_cap;
    uint32_t *chunks; /* (n_chunks) strings, ascending */
    size_t n_chunks, chunks_cap;
    struct ppr_edge *edges;
    size_t n_edges, edges_cap;
    double *rank; /* (n_reached + n_chunks) */
};

static void find_facts(struct local *l, const struct filter *filter)
{
    struct walk *w = l->w;
    for (size_t i = 0; i < w->n_reached; i++) {
        struct grg_range r = grg_out(w->g, w->reached[i]);
        w->slot[w->reached[i]] = (uint32_t)i;
        for (uint32_t e = r.from; e < r.to; e++) {
            if (!walk_is_fact(w, filter, e))
                continue;
            if (l->n_facts == l->facts_cap) {
                l->facts_cap = alloc_grow(l->facts_cap, l->n_facts + 1);
                l->facts = alloc_resize(l->facts, l->facts_cap, sizeof *l->facts);
            }
            l->facts[l->n_facts++] = e;
        }
    }
    w->n_candidates = l->n_facts;
}

static int cmp_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The triples of a fact that tie chunks to it. */
static struct grg_range sources_of(const struct grg *g, uint32_t edge)
{
    struct grg_range r = grg_triples_of(g, edge);
    if (r.to - r.from > MAX_SOURCES)
        r.to = r.from + MAX_SOURCES;
    return r;
}

static void find_chunks(struct local *l)
{
    const struct grg *g = l->w->g;
    size_t n = 0;
    for (size_t i = 0; i < l->n_facts; i++) {
        struct grg_range r = sources_of(g, l->facts[i]);
        for (uint32_t t = r.from; t < r.to; t++) {
            if (l->n_chunks == l->chunks_cap) {
                l->chunks_cap = alloc_grow(l->chunks_cap, l->n_chunks + 1);
                l->chunks = alloc_resize(l->chunks, l->chunks_cap, sizeof *l->chunks);
            }
            if (grg_str(g, grg_triple(g, t)->chunk).n)
                l->chunks[l->n_chunks++] = grg_triple(g, t)->chunk;
        }
    }
    if (l->n_chunks)
        qsort(l->chunks, l->n_chunks, sizeof *l->chunks, cmp_u32);
    for (size_t i = 0; i < l->n_chunks; i++)
        if (i == 0 || l->chunks[i] != l->chunks[i - 1])
            l->chunks[n++] = l->chunks[i];
    l->n_chunks = n;
}

/* Place of a chunk among the nodes of the walk, or GRG_NONE. */
static uint32_t chunk_slot(const struct local *l, uint32_t chunk)
{
    const uint32_t *at =
        l->n_chunks ? bsearch(&chunk, l->chunks, l->n_chunks, sizeof *l->chunks, cmp_u32)
                    : NULL;
    return at ? (uint32_t)(l->w->n_reached + (size_t)(at - l->chunks)) : GRG_NONE;
}

static void add_edge(struct local *l, uint32_t a, uint32_t b, double weight)
{
    if (l->n_edges == l->edges_cap) {
        l->edges_cap = alloc_grow(l->edges_cap, l->n_edges + 1);
        l->edges = alloc_resize(l->edges, l->edges_cap, sizeof *l->edges);
    }
    l->edges[l->n_edges++] = (struct ppr_edge){ a, b, weight };
}

/* A fact leads from end to end as far as it is trusted and fits the question; each of its
 * sources ties its chunk to both ends. */
static void tie(struct local *l, uint32_t edge)
{
    const struct walk *w = l->w;
    const struct grg_edge *e = grg_edge(w->g, edge);
    struct grg_range r = sources_of(w->g, edge);
    bool is_thing = grg_is_thing(w->g, e->tail);
    uint32_t head = w->slot[e->head], tail = w->slot[e->tail];
    double best = 0, trust = walk_trust(e);
    if (is_plain(w->g, e))
        trust *= PLAIN_WEIGHT;
    for (uint32_t t = r.from; t < r.to; t++) {
        double weight = overlap_of(w, t) * trust;
        uint32_t chunk = chunk_slot(l, grg_triple(w->g, t)->chunk);
        best = weight > best ? weight : best;
        if (chunk == GRG_NONE)
            continue;
        add_edge(l, chunk, head, weight);
        if (is_thing && head != tail)
            add_edge(l, chunk, tail, weight);
    }
    if (is_thing && head != tail)
        add_edge(l, head, tail, best);
}

/* The walk begins at linked nodes, at those of few edges rather, and a little at the chunks
 * that the vector search found. */
static void set_reset(const struct local *l, const struct links *links, double *reset)
{
    const struct walk *w = l->w;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < links->n; i++) {
        uint32_t node = links->items[i].node;
        if (node < w->g->n_nodes && w->dist[node] == 0)
            reset[w->slot[node]] =
                (double)links->items[i].weight / log2(2 + grg_degree(w->g, node));
    }
    for (size_t i = 0; i < w->n_hits; i++) {
        low = w->hits[i].score < low ? w->hits[i].score : low;
        high = w->hits[i].score > high ? w->hits[i].score : high;
    }
    for (size_t i = 0; i < w->n_hits; i++) {
        uint32_t chunk = chunk_slot(l, w->hits[i].chunk);
        double score = w->hits[i].score;
        score =
            high > low && score >= low ? (score - low) / (high - low) : 1.0 / (double)(i + 1);
        if (chunk != GRG_NONE)
            reset[chunk] = fmax(reset[chunk], CHUNK_SHARE * score);
    }
}

static void walk_randomly(struct local *l, const struct links *links)
{
    size_t n = l->w->n_reached + l->n_chunks;
    double *reset = alloc_zero(n, sizeof *reset);
    l->rank = alloc_array(n, sizeof *l->rank);
    for (size_t i = 0; i < l->n_facts; i++)
        tie(l, l->facts[i]);
    set_reset(l, links, reset);
    ppr_run(n, l->edges, l->n_edges, reset, DAMPING, l->rank);
    free(reset);
}

/* ---- facts ---- */

/* By hops, and by the random walk; `most`: the largest rank of a node. */
static double near_of(const struct local *l, uint32_t node, double most)
{
    double rank = l->rank[l->w->slot[node]];
    return ((double)l->w->near[node] + (most > 0 ? sqrt(rank / most) : 0)) / 2;
}

static struct fact score_fact(const struct local *l, uint32_t edge, double most)
{
    const struct walk *w = l->w;
    const struct grg_edge *e = grg_edge(w->g, edge);
    double overlap, agreement;
    struct fact f = { .edge = edge, .triple = walk_best_triple(w, edge, &overlap, &agreement) };
    double near = near_of(l, e->head, most), far = near_of(l, e->tail, most);
    /* A measurement is as near as what it is of. */
    double closeness = grg_is_thing(w->g, e->tail) ? (near + far) / 2 : near;
    if (is_plain(w->g, e))
        closeness *= PLAIN_WEIGHT;
    uint8_t h = w->dist[e->head], t = w->dist[e->tail];
    f.hops = 1u + (h < t ? h : t);
    f.score = closeness * overlap * (walk_trust(e) * specificity_of(w->g, e) + agreement);
    return f;
}

/* Give a fact, unless one that is given says the same. */
static void give(struct walk *w, struct fact f)
{
    for (size_t i = 0; i < w->n_facts; i++) {
        struct fact *o = &w->facts[i];
        enum same_fact same = same_fact(w->g, o->edge, o->triple, f.edge, f.triple);
        if (same == FACTS_DIFFER)
            continue;
        w->n_redundant++;
        if (same == FACTS_SECOND_MORE) {
            f.score = o->score; /* it stands where the other stood */
            *o = f;
        }
        return;
    }
    w->facts[w->n_facts++] = f;
}

static void rank_facts(struct local *l, const struct walk_cfg *cfg)
{
    struct walk *w = l->w;
    struct topk best;
    size_t limit = (size_t)cfg->limit;
    double most = 0;
    for (size_t i = 0; i < w->n_reached; i++)
        most = l->rank[i] > most ? l->rank[i] : most;
    topk_init(&best, cfg->keeps_redundant ? limit : 2 * limit + SPARE_FACTS);
    for (size_t i = 0; i < l->n_facts; i++)
        topk_push(&best, score_fact(l, l->facts[i], most).score, l->facts[i]);
    topk_sort(&best);
    if (best.n > w->facts_cap) {
        w->facts_cap = best.n;
        w->facts = alloc_resize(w->facts, w->facts_cap, sizeof *w->facts);
    }
    for (size_t i = 0; i < best.n && w->n_facts < limit; i++) {
        struct fact f = score_fact(l, (uint32_t)best.items[i].ord, most);
        if (cfg->keeps_redundant)
            w->facts[w->n_facts++] = f;
        else
            give(w, f);
    }
    topk_release(&best);
}

/* ---- chunks ---- */

static void rank_chunks(struct local *l, size_t limit)
{
    struct walk *w = l->w;
    struct topk best;
    topk_init(&best, limit);
    for (size_t i = 0; i < l->n_chunks; i++)
        topk_push(&best, l->rank[w->n_reached + i], i);
    topk_sort(&best);
    w->chunks = alloc_resize(w->chunks, best.n ? best.n : 1, sizeof *w->chunks);
    for (size_t i = 0; i < best.n; i++) {
        uint32_t chunk = l->chunks[best.items[i].ord];
        struct grg_range r = grg_chunk(w->g, grg_str(w->g, chunk));
        w->chunks[w->n_chunks++] = (struct walk_chunk){
            chunk, r.from < r.to ? grg_triple(w->g, w->g->chunks[r.from])->paper : GRG_NONE,
            best.items[0].score > 0 ? best.items[i].score / best.items[0].score : 0
        };
    }
    topk_release(&best);
}

void walk_rank(struct walk *w, const struct links *links, const struct filter *filter,
               const struct walk_cfg *cfg)
{
    struct local l = { .w = w };
    find_facts(&l, filter);
    find_chunks(&l);
    walk_randomly(&l, links);
    rank_facts(&l, cfg);
    rank_chunks(&l, (size_t)cfg->chunks);
    free(l.facts);
    free(l.chunks);
    free(l.edges);
    free(l.rank);
}
