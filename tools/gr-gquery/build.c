// SPDX-License-Identifier: MIT
/*
 * build.c — from triples in memory to the sections of a graph file
 */
#include "build.h"

#include "alloc.h"
#include "build_impl.h"
#include "order.h"
#include "secfile.h"

/* ---- numbers of strings: in the order of their bytes ---- */

static bool string_level(const void *strings, uint32_t ord, size_t level, uint64_t *key)
{
    return order_text_level(map_key(strings, ord), level, key);
}

/* rank[ordinal] = number in sorted order; order is the inverse. */
static void rank_strings(const struct map *strings, uint32_t *rank, uint32_t *order)
{
    size_t n = map_count(strings);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    order_by_levels(order, n, string_level, strings);
    for (uint32_t i = 0; i < n; i++)
        rank[order[i]] = i;
}

/* Two numbers as one key. */
static uint64_t pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* ---- nodes in order ---- */

static bool node_level(const void *nodes, uint32_t ord, size_t level, uint64_t *key)
{
    const struct grg_node *n = (const struct grg_node *)nodes + ord;
    *key = level == 0 ? pair(n->type, n->key) : n->id;
    return level == 0;
}

static bool name_level(const void *names, uint32_t ord, size_t level, uint64_t *key)
{
    const struct grg_name *n = (const struct grg_name *)names + ord;
    *key = level == 0 ? pair(n->key, n->node) : n->spelling;
    return level == 0;
}

/* The ordinals 0 … n-1 in the order of a key. To be freed. */
static uint32_t *ordered(size_t n, order_key_fn key_at, const void *ctx)
{
    uint32_t *order = alloc_array(n, sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    order_by_levels(order, n, key_at, ctx);
    return order;
}

/* One entry each; "any spelling" makes the exact ones of the same (key, node) needless. */
static void unique_names(struct build *b)
{
    size_t n = 0;
    uint32_t *order = ordered(b->n_names, name_level, b->names);
    struct grg_name *names = alloc_array(b->n_names, sizeof *names);
    for (size_t i = 0; i < b->n_names; i++) {
        const struct grg_name x = b->names[order[i]];
        while (x.spelling == GRG_NONE && n && names[n - 1].key == x.key &&
               names[n - 1].node == x.node)
            n--;
        if (n == 0 || memcmp(&names[n - 1], &x, sizeof x) != 0)
            names[n++] = x;
    }
    free(order);
    free(b->names);
    b->names = names;
    b->n_names = n;
}

static void order_nodes(struct build *b, const uint32_t *rank)
{
    uint32_t *now = alloc_array(b->n_nodes, sizeof *now);
    struct grg_node *nodes = alloc_array(b->n_nodes, sizeof *nodes);
    for (uint32_t i = 0; i < b->n_nodes; i++) {
        struct grg_node *n = &b->nodes[i];
        n->name = rank[n->name];
        n->key = rank[n->key];
        n->id = rank[n->id];
        n->type = rank[n->type];
    }
    uint32_t *order = ordered(b->n_nodes, node_level, b->nodes);
    for (uint32_t i = 0; i < b->n_nodes; i++) {
        nodes[i] = b->nodes[order[i]];
        now[order[i]] = i;
    }
    free(order);
    free(b->nodes);
    b->nodes = nodes;
    for (size_t i = 0; i < b->fold->n_mentions; i++)
        b->node_of[i] = now[b->node_of[i]];
    for (size_t i = 0; i < b->n_names; i++) {
        struct grg_name *x = &b->names[i];
        x->key = rank[x->key];
        x->node = now[x->node];
        x->spelling = x->spelling == GRG_NONE ? GRG_NONE : rank[x->spelling];
    }
    unique_names(b);
    free(now);
}

/* ---- edges and triples in order ---- */

struct edge_order {
    const struct build *b;
    const uint32_t *rank;
};

/* What makes an edge: head and relation, tail and value, stance. */
#define EDGE_KEYS 3

static uint64_t edge_key(const struct edge_order *o, uint32_t triple, size_t level)
{
    const struct fold_triple *t = &o->b->fold->triples[triple];
    return level == 2   ? t->stance
           : level == 0 ? pair(o->b->node_of[t->head], o->rank[t->relation])
                        : pair(o->b->node_of[t->tail], o->rank[fold_value_key(o->b->fold, t)]);
}

/* Triples of one edge are in the order of their records' bytes. */
static bool edge_level(const void *ctx, uint32_t triple, size_t level, uint64_t *key)
{
    const struct edge_order *o = ctx;
    const struct fold *f = o->b->fold;
    if (level >= EDGE_KEYS)
        return order_text_level(fold_raw(f, &f->triples[triple]), level - EDGE_KEYS, key);
    *key = edge_key(o, triple, level);
    return true;
}

static uint32_t put_value(struct build *b, const struct fold_triple *t, const uint32_t *rank)
{
    if (t->value == GRG_NONE)
        return GRG_NONE;
    struct grg_value v = b->fold->values[t->value].value;
    v.unit = v.unit ? rank[v.unit] : GRG_NONE;
    v.error_kind = v.error_kind ? rank[v.error_kind] : GRG_NONE;
    b->values[b->n_values] = v;
    return (uint32_t)b->n_values++;
}

static void put_triple(struct build *b, uint32_t i, const struct fold_triple *t,
                       const uint32_t *rank)
{
    struct grg_edge *e = &b->edges[b->n_edges - 1];
    b->triples[i] = (struct grg_triple){
        .edge = (uint32_t)b->n_edges - 1,
        .paper = rank[t->paper],
        .chunk = rank[t->chunk],
        .evidence = rank[t->evidence],
        .extractor = rank[t->extractor],
        .start = t->start,
        .end = t->end,
        .confidence = t->confidence,
    };
    if (t->confidence > e->confidence)
        e->confidence = t->confidence;
}

/* Different papers among the triples of an edge. tmp: room for two numbers a triple. */
static uint32_t count_papers(const struct build *b, size_t from, size_t to, uint32_t *tmp)
{
    uint32_t n = 1;
    if (to - from == 1)
        return 1;
    for (size_t i = from; i < to; i++)
        tmp[i - from] = b->triples[i].paper;
    order_numbers(tmp, to - from, tmp + (to - from));
    for (size_t i = 1; i < to - from; i++)
        n += tmp[i] != tmp[i - 1];
    return n;
}

static uint32_t count_all_papers(const struct build *b, size_t n_strings)
{
    uint32_t n = 0;
    unsigned char *seen = alloc_zero(n_strings, 1);
    for (size_t i = 0; i < b->fold->n; i++) {
        n += !seen[b->triples[i].paper];
        seen[b->triples[i].paper] = 1;
    }
    free(seen);
    return n;
}

/* The number of different edges of triples in order. */
static size_t count_edges(const struct edge_order *o, const uint32_t *by, size_t n)
{
    size_t edges = 0;
    for (size_t i = 0; i < n; i++)
        edges += i == 0 || edge_key(o, by[i], 0) != edge_key(o, by[i - 1], 0) ||
                 edge_key(o, by[i], 1) != edge_key(o, by[i - 1], 1) ||
                 edge_key(o, by[i], 2) != edge_key(o, by[i - 1], 2);
    return edges;
}

/* Edges, triples and values; by[i]: the fold triple that is the i-th. */
static uint32_t *order_edges(struct build *b, const uint32_t *rank)
{
    const struct fold *f = b->fold;
    struct edge_order o = { b, rank };
    uint32_t *by = ordered(f->n, edge_level, &o);
    size_t n_edges = count_edges(&o, by, f->n);
    b->edges = alloc_zero(n_edges, sizeof *b->edges);
    b->edge_at = alloc_zero(n_edges + 1, sizeof *b->edge_at);
    b->values = alloc_zero(f->n_values, sizeof *b->values);
    b->triples = alloc_zero(f->n, sizeof *b->triples);
    b->stances = alloc_zero(n_edges, sizeof *b->stances);
    uint64_t last[EDGE_KEYS] = { 0 };
    for (uint32_t i = 0; i < f->n; i++) {
        const struct fold_triple *t = &f->triples[by[i]];
        uint64_t key[EDGE_KEYS];
        for (size_t k = 0; k < EDGE_KEYS; k++)
            key[k] = edge_key(&o, by[i], k);
        if (i == 0 || memcmp(key, last, sizeof key) != 0) {
            b->edge_at[b->n_edges] = i;
            b->stances[b->n_edges] = t->stance;
            b->meta.has_stances |= t->stance != 0;
            b->edges[b->n_edges++] = (struct grg_edge){ .head = b->node_of[t->head],
                                                        .tail = b->node_of[t->tail],
                                                        .relation = rank[t->relation],
                                                        .value = put_value(b, t, rank) };
        }
        memcpy(last, key, sizeof last);
        put_triple(b, i, t, rank);
    }
    b->edge_at[b->n_edges] = (uint32_t)f->n;
    uint32_t *tmp = alloc_array(f->n, 2 * sizeof *tmp);
    for (size_t e = 0; e < b->n_edges; e++)
        b->edges[e].n_papers = count_papers(b, b->edge_at[e], b->edge_at[e + 1], tmp);
    free(tmp);
    return by;
}

static void link_nodes(struct build *b)
{
    b->out_at = alloc_zero(b->n_nodes + 1, sizeof *b->out_at);
    b->in_at = alloc_zero(b->n_nodes + 1, sizeof *b->in_at);
    b->in = alloc_array(b->n_edges, sizeof *b->in);
    for (size_t e = 0; e < b->n_edges; e++) {
        b->out_at[b->edges[e].head + 1]++;
        b->in_at[b->edges[e].tail + 1]++;
    }
    for (size_t n = 0; n < b->n_nodes; n++) {
        b->out_at[n + 1] += b->out_at[n];
        b->in_at[n + 1] += b->in_at[n];
    }
    uint32_t *next = alloc_array(b->n_nodes, sizeof *next);
    memcpy(next, b->in_at, b->n_nodes * sizeof *next);
    for (uint32_t e = 0; e < b->n_edges; e++)
        b->in[next[b->edges[e].tail]++] = e;
    free(next);
}

static bool chunk_level(const void *triples, uint32_t ord, size_t level, uint64_t *key)
{
    (void)level;
    *key = ((const struct grg_triple *)triples + ord)->chunk;
    return false; /* equal ones stay in order */
}

/* ---- writing ---- */

/* Texts one after the other, which are never copied together: `at` says where each ends. */
struct texts {
    const struct build *b;
    const uint32_t *order;
    uint64_t *at; /* (n + 1) */
    size_t n;
    struct sv (*text)(const struct build *b, uint32_t ord);
};

static struct sv string_text(const struct build *b, uint32_t ord)
{
    return map_key(b->strings, ord);
}

static struct sv raw_text(const struct build *b, uint32_t ord)
{
    return fold_raw(b->fold, &b->fold->triples[ord]);
}

static struct texts texts_of(const struct build *b, const uint32_t *order, size_t n,
                             struct sv (*text)(const struct build *b, uint32_t ord))
{
    struct texts t = { b, order, alloc_array(n + 1, sizeof *t.at), n, text };
    t.at[0] = 0;
    for (size_t i = 0; i < n; i++)
        t.at[i + 1] = t.at[i] + text(b, order[i]).n;
    return t;
}

/* The sections str and raw. */
struct text_sections {
    struct texts str, raw;
};

static void give_texts(const void *ctx, const char *name, section_piece_fn piece, void *to)
{
    const struct text_sections *both = ctx;
    const struct texts *t = strcmp(name, "raw") == 0 ? &both->raw : &both->str;
    for (size_t i = 0; i < t->n; i++)
        piece(to, t->text(t->b, t->order[i]));
}

static void write_graph(const struct build *b, const uint32_t *by, const uint32_t *order,
                        struct out *out)
{
    size_t n = b->fold->n;
    struct text_sections texts = { texts_of(b, order, map_count(b->strings), string_text),
                                   texts_of(b, by, n, raw_text) };
    const struct texts str = texts.str, raw = texts.raw;
    const struct section_source source = { give_texts, &texts };
    const struct section sections[] = {
        { "str.at", str.at, (str.n + 1) * sizeof *str.at },
        { "str", NULL, str.at[str.n] },
        { "node", b->nodes, b->n_nodes * sizeof *b->nodes },
        { "edge", b->edges, b->n_edges * sizeof *b->edges },
        { "edge.at", b->edge_at, (b->n_edges + 1) * sizeof *b->edge_at },
        { "out.at", b->out_at, (b->n_nodes + 1) * sizeof *b->out_at },
        { "in.at", b->in_at, (b->n_nodes + 1) * sizeof *b->in_at },
        { "in", b->in, b->n_edges * sizeof *b->in },
        { "value", b->values, b->n_values * sizeof *b->values },
        { "triple", b->triples, n * sizeof *b->triples },
        { "raw.at", raw.at, (n + 1) * sizeof *raw.at },
        { "raw", NULL, raw.at[n] },
        { "name", b->names, b->n_names * sizeof *b->names },
        { "chunk", b->chunks, n * sizeof *b->chunks },
        { "term.at", b->term_at, (b->n_terms + 1) * sizeof *b->term_at },
        { "term", b->terms, b->n_terms * sizeof *b->terms },
        { "post", b->posts, b->n_posts * sizeof *b->posts },
        { "meta", &b->meta, sizeof b->meta },
        { "stance", b->stances, b->n_edges * sizeof *b->stances },
    };
    size_t n_sections = ARRAY_LEN(sections) - !b->meta.has_stances;
    secfile_write_from(out, GRG_MAGIC, GRG_VERSION, sections, n_sections, &source);
    free(str.at);
    free(raw.at);
}

static void build_release(struct build *b)
{
    void *const all[] = { b->nodes,  b->node_of, b->names,   b->lists.at, b->list_of,
                          b->edges,  b->edge_at, b->out_at,  b->in_at,    b->in,
                          b->chunks, b->values,  b->triples, b->terms,    b->term_at,
                          b->posts,  b->stances };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        free(all[i]);
}

int build_write(struct fold *f, const struct vocab *vocab, const struct analyzer *analyzer,
                struct out *out, struct build_stats *stats, struct err *err)
{
    struct build b = { .fold = f, .strings = f->strings };
    fold_close(f);
    build_nodes(&b);
    build_names(&b, vocab);
    build_lists(&b, analyzer);
    uint32_t analyzer_id = (uint32_t)map_put(b.strings, sv_from(analyzer_name(analyzer)), NULL);
    size_t n_strings = map_count(b.strings);
    uint32_t *rank = alloc_array(n_strings, sizeof *rank);
    uint32_t *order = alloc_array(n_strings, sizeof *order);
    rank_strings(b.strings, rank, order);
    order_nodes(&b, rank);
    uint32_t *by = order_edges(&b, rank);
    link_nodes(&b);
    b.chunks = ordered(f->n, chunk_level, b.triples);
    b.meta.analyzer = rank[analyzer_id];
    b.meta.n_papers = count_all_papers(&b, n_strings);
    b.meta.has_synonyms = vocab != NULL;
    int rc = build_index(&b, by, rank, err);
    if (rc == 0)
        write_graph(&b, by, order, out);
    *stats = (struct build_stats){ b.n_nodes, b.n_edges, f->n, b.meta.n_papers, f->repeated };
    free(by);
    free(order);
    free(rank);
    build_release(&b);
    return rc;
}
