// SPDX-License-Identifier: MIT
/*
 * grg.c — opening a graph file and reading it without trusting it
 */
#include "grg.h"

#include "utf8.h"

static int get(struct grg *g, const char *name, size_t size, const void *at, size_t *count,
               struct err *err)
{
    const void *p;
    if (secfile_get(&g->file, name, size, &p, count, err) < 0)
        return -1;
    memcpy((void *)(uintptr_t)at, &p, sizeof p);
    return 0;
}

static int load_sections(struct grg *g, size_t n[12], struct err *err)
{
    const void *meta;
    size_t n_meta;
    if (get(g, "str.at", sizeof *g->str_at, &g->str_at, &n[0], err) < 0 ||
        get(g, "str", 1, &g->str, &g->str_bytes, err) < 0 ||
        get(g, "node", sizeof *g->nodes, &g->nodes, &g->n_nodes, err) < 0 ||
        get(g, "edge", sizeof *g->edges, &g->edges, &g->n_edges, err) < 0 ||
        get(g, "edge.at", sizeof *g->edge_at, &g->edge_at, &n[1], err) < 0 ||
        get(g, "out.at", sizeof *g->out_at, &g->out_at, &n[2], err) < 0 ||
        get(g, "in.at", sizeof *g->in_at, &g->in_at, &n[3], err) < 0 ||
        get(g, "in", sizeof *g->in, &g->in, &n[4], err) < 0 ||
        get(g, "value", sizeof *g->values, &g->values, &g->n_values, err) < 0 ||
        get(g, "triple", sizeof *g->triples, &g->triples, &g->n_triples, err) < 0 ||
        get(g, "raw.at", sizeof *g->raw_at, &g->raw_at, &n[5], err) < 0 ||
        get(g, "raw", 1, &g->raw, &g->raw_bytes, err) < 0 ||
        get(g, "name", sizeof *g->names, &g->names, &g->n_names, err) < 0 ||
        get(g, "chunk", sizeof *g->chunks, &g->chunks, &n[6], err) < 0 ||
        get(g, "term.at", sizeof *g->term_at, &g->term_at, &n[7], err) < 0 ||
        get(g, "term", sizeof *g->terms, &g->terms, &g->n_terms, err) < 0 ||
        get(g, "post", sizeof *g->posts, &g->posts, &g->n_posts, err) < 0 ||
        get(g, "meta", sizeof g->meta, &meta, &n_meta, err) < 0)
        return -1;
    if (n_meta != 1)
        return err_set(err, EXIT_FATAL, "%s: section meta: damaged: build it anew",
                       g->file.path);
    memcpy(&g->meta, meta, sizeof g->meta);
    return 0;
}

/* Denials must not be read as facts: a graph that has them and lost their marks is damaged. */
static int load_stances(struct grg *g, struct err *err)
{
    size_t n = 0;
    if (!g->meta.has_stances)
        return 0;
    if (get(g, "stance", sizeof *g->stances, &g->stances, &n, err) < 0)
        return -1;
    return n == g->n_edges
               ? 0
               : err_set(err, EXIT_FATAL, "%s: section stance: damaged: build it anew",
                         g->file.path);
}

int grg_open(struct grg *g, const char *path, struct err *err)
{
    size_t n[12] = { 0 };
    *g = (struct grg){ 0 };
    if (secfile_open(&g->file, path, GRG_MAGIC, GRG_VERSION, err) < 0)
        return -1;
    if (load_sections(g, n, err) < 0 || load_stances(g, err) < 0)
        goto fail;
    g->n_strings = n[0] ? n[0] - 1 : 0;
    if (!n[0] || n[1] != g->n_edges + 1 || n[2] != g->n_nodes + 1 || n[3] != g->n_nodes + 1 ||
        n[4] != g->n_edges || n[5] != g->n_triples + 1 || n[6] != g->n_triples ||
        n[7] != g->n_terms + 1 || g->n_nodes >= GRG_NONE || g->n_edges >= GRG_NONE / 2 ||
        g->n_triples >= GRG_NONE || g->n_posts >= GRG_NONE || g->n_strings >= GRG_NONE ||
        g->n_names >= GRG_NONE || g->n_values >= GRG_NONE) {
        err_set(err, EXIT_FATAL, "%s: sections of sizes that do not fit: build it anew", path);
        goto fail;
    }
    return 0;
fail:
    grg_close(g);
    return -1;
}

void grg_close(struct grg *g)
{
    secfile_close(&g->file);
    *g = (struct grg){ 0 };
}

/* ---- strings ---- */

/* Bytes of string s, unchecked but inside the file. */
static struct sv bytes_of(const struct grg *g, uint32_t s)
{
    if (s >= g->n_strings)
        return SV_NONE;
    uint64_t from = g->str_at[s], to = g->str_at[s + 1];
    if (from > to || to > g->str_bytes)
        return SV_NONE;
    return (struct sv){ g->str + from, (size_t)(to - from) };
}

struct sv grg_str(const struct grg *g, uint32_t s)
{
    struct sv v = bytes_of(g, s);
    return utf8_check(v) == SIZE_MAX ? v : SV_NONE;
}

uint32_t grg_find_str(const struct grg *g, struct sv s)
{
    uint32_t lo = 0, hi = (uint32_t)g->n_strings;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        int c = sv_cmp(bytes_of(g, mid), s);
        if (c == 0)
            return mid;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return GRG_NONE;
}

/* ---- arrays ---- */

const struct grg_node *grg_node(const struct grg *g, uint32_t n)
{
    static const struct grg_node none = { GRG_NONE, GRG_NONE, GRG_NONE, GRG_NONE, 0, 0 };
    return n < g->n_nodes ? &g->nodes[n] : &none;
}

const struct grg_edge *grg_edge(const struct grg *g, uint32_t e)
{
    static const struct grg_edge none = { GRG_NONE, GRG_NONE, GRG_NONE, GRG_NONE, 0, 0 };
    return e < g->n_edges ? &g->edges[e] : &none;
}

const struct grg_triple *grg_triple(const struct grg *g, uint32_t t)
{
    static const struct grg_triple none = { GRG_NONE, GRG_NONE, GRG_NONE, GRG_NONE,
                                            GRG_NONE, 0,        0,        0 };
    return t < g->n_triples ? &g->triples[t] : &none;
}

const struct grg_value *grg_value(const struct grg *g, uint32_t v)
{
    static const struct grg_value none = { 0, 0, 0, GRG_NONE, GRG_NONE, 0, 0 };
    return v < g->n_values ? &g->values[v] : &none;
}

/* at[i] … at[i+1], cut to limit. */
static struct grg_range range_of(const uint32_t *at, size_t n, uint32_t i, size_t limit)
{
    if (i >= n || at[i] > at[i + 1] || at[i + 1] > limit)
        return (struct grg_range){ 0, 0 };
    return (struct grg_range){ at[i], at[i + 1] };
}

struct grg_range grg_out(const struct grg *g, uint32_t node)
{
    return range_of(g->out_at, g->n_nodes, node, g->n_edges);
}

struct grg_range grg_in(const struct grg *g, uint32_t node)
{
    return range_of(g->in_at, g->n_nodes, node, g->n_edges);
}

struct grg_range grg_triples_of(const struct grg *g, uint32_t edge)
{
    return range_of(g->edge_at, g->n_edges, edge, g->n_triples);
}

struct grg_range grg_posts(const struct grg *g, uint32_t term)
{
    return range_of(g->term_at, g->n_terms, term, g->n_posts);
}

uint32_t grg_degree(const struct grg *g, uint32_t node)
{
    struct grg_range out = grg_out(g, node), in = grg_in(g, node);
    return out.to - out.from + (in.to - in.from);
}

uint32_t grg_edge_at(const struct grg *g, uint32_t node, uint32_t i, uint32_t *other)
{
    struct grg_range out = grg_out(g, node), in = grg_in(g, node);
    uint32_t n_out = out.to - out.from;
    if (i < n_out) {
        *other = grg_edge(g, out.from + i)->tail;
        return out.from + i;
    }
    i -= n_out;
    uint32_t e = i < in.to - in.from ? g->in[in.from + i] : GRG_NONE;
    *other = grg_edge(g, e)->head;
    return e;
}

/* ---- searching ---- */

/* Number of entries smaller than s (or, with `after`, not greater) in a sorted array whose i-th
 * string is at(g, i); with a prefix only the first s.n bytes of each count. */
static uint32_t rank_of(const struct grg *g, uint32_t (*at)(const struct grg *, uint32_t),
                        size_t n, struct sv s, bool prefix, bool after)
{
    uint32_t lo = 0, hi = (uint32_t)n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        struct sv v = bytes_of(g, at(g, mid));
        int c = sv_cmp(prefix ? sv_from_to(v, 0, s.n) : v, s);
        if (c < 0 || (after && c == 0))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t name_at(const struct grg *g, uint32_t i)
{
    return g->names[i].key;
}

static uint32_t term_at(const struct grg *g, uint32_t i)
{
    return g->terms[i];
}

static uint32_t chunk_at(const struct grg *g, uint32_t i)
{
    return grg_triple(g, g->chunks[i])->chunk;
}

struct grg_range grg_find_names(const struct grg *g, struct sv key)
{
    uint32_t from = rank_of(g, name_at, g->n_names, key, false, false), to = from;
    while (to < g->n_names && sv_eq(bytes_of(g, g->names[to].key), key))
        to++;
    return (struct grg_range){ from, to };
}

bool grg_has_names_from(const struct grg *g, struct sv prefix)
{
    uint32_t i = rank_of(g, name_at, g->n_names, prefix, true, false);
    return i < g->n_names && sv_starts(bytes_of(g, g->names[i].key), prefix);
}

uint32_t grg_find_term(const struct grg *g, struct sv term)
{
    uint32_t i = rank_of(g, term_at, g->n_terms, term, false, false);
    return i < g->n_terms && sv_eq(bytes_of(g, g->terms[i]), term) ? i : GRG_NONE;
}

struct grg_range grg_chunk(const struct grg *g, struct sv chunk)
{
    uint32_t from = rank_of(g, chunk_at, g->n_triples, chunk, false, false);
    uint32_t to = rank_of(g, chunk_at, g->n_triples, chunk, false, true);
    return (struct grg_range){ from, to < from ? from : to };
}

struct sv grg_raw(const struct grg *g, uint32_t triple)
{
    if (triple >= g->n_triples)
        return SV_NONE;
    uint64_t from = g->raw_at[triple], to = g->raw_at[triple + 1];
    if (from > to || to > g->raw_bytes)
        return SV_NONE;
    return (struct sv){ g->raw + from, (size_t)(to - from) };
}
