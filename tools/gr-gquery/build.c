// SPDX-License-Identifier: MIT
/*
 * build.c — from triples in memory to the sections of a graph file
 */
#include "build.h"

#include "alloc.h"
#include "build_impl.h"
#include "secfile.h"

/* ---- numbers of strings: in the order of their bytes ---- */

static _Thread_local const struct map *sorting; /* qsort has no context */

static int cmp_string(const void *a, const void *b)
{
    return sv_cmp(map_key(sorting, *(const uint32_t *)a),
                  map_key(sorting, *(const uint32_t *)b));
}

/* rank[ordinal] = number in sorted order; order is the inverse. */
static void rank_strings(const struct map *strings, uint32_t *rank, uint32_t *order)
{
    size_t n = map_count(strings);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    sorting = strings;
    qsort(order, n, sizeof *order, cmp_string);
    for (uint32_t i = 0; i < n; i++)
        rank[order[i]] = i;
}

/* ---- nodes in order ---- */

struct ranked_node {
    struct grg_node node;
    uint32_t old;
};

static int cmp3(uint32_t a1, uint32_t b1, uint32_t a2, uint32_t b2, uint32_t a3, uint32_t b3)
{
    if (a1 != b1)
        return a1 < b1 ? -1 : 1;
    if (a2 != b2)
        return a2 < b2 ? -1 : 1;
    return a3 < b3 ? -1 : a3 > b3;
}

static int cmp_node(const void *a, const void *b)
{
    const struct grg_node *x = &((const struct ranked_node *)a)->node;
    const struct grg_node *y = &((const struct ranked_node *)b)->node;
    return cmp3(x->type, y->type, x->key, y->key, x->id, y->id);
}

static int cmp_name(const void *a, const void *b)
{
    const struct grg_name *x = a, *y = b;
    return cmp3(x->key, y->key, x->node, y->node, x->spelling, y->spelling);
}

/* One entry each; "any spelling" makes the exact ones of the same (key, node) needless. */
static void unique_names(struct build *b)
{
    size_t n = 0;
    if (b->n_names)
        qsort(b->names, b->n_names, sizeof *b->names, cmp_name);
    for (size_t i = 0; i < b->n_names; i++) {
        const struct grg_name x = b->names[i];
        while (x.spelling == GRG_NONE && n && b->names[n - 1].key == x.key &&
               b->names[n - 1].node == x.node)
            n--;
        if (n == 0 || cmp_name(&b->names[n - 1], &x) != 0)
            b->names[n++] = x;
    }
    b->n_names = n;
}

static void order_nodes(struct build *b, const uint32_t *rank)
{
    struct ranked_node *r = alloc_array(b->n_nodes, sizeof *r);
    uint32_t *now = alloc_array(b->n_nodes, sizeof *now);
    for (uint32_t i = 0; i < b->n_nodes; i++) {
        struct grg_node n = b->nodes[i];
        n.name = rank[n.name];
        n.key = rank[n.key];
        n.id = rank[n.id];
        n.type = rank[n.type];
        r[i] = (struct ranked_node){ n, i };
    }
    qsort(r, b->n_nodes, sizeof *r, cmp_node);
    for (uint32_t i = 0; i < b->n_nodes; i++) {
        b->nodes[i] = r[i].node;
        now[r[i].old] = i;
    }
    for (size_t i = 0; i < b->fold->n; i++) {
        b->heads[i] = now[b->heads[i]];
        b->tails[i] = now[b->tails[i]];
    }
    for (size_t i = 0; i < b->n_names; i++) {
        struct grg_name *x = &b->names[i];
        x->key = rank[x->key];
        x->node = now[x->node];
        x->spelling = x->spelling == GRG_NONE ? GRG_NONE : rank[x->spelling];
    }
    unique_names(b);
    free(now);
    free(r);
}

/* ---- edges and triples in order ---- */

struct edge_key {
    uint32_t head, relation, tail, value, triple;
};

static int cmp_edge(const struct edge_key *x, const struct edge_key *y)
{
    int c = cmp3(x->head, y->head, x->relation, y->relation, x->tail, y->tail);
    return c ? c : x->value < y->value ? -1 : x->value > y->value;
}

static int cmp_edge_key(const void *a, const void *b)
{
    const struct edge_key *x = a, *y = b;
    int c = cmp_edge(x, y);
    return c ? c : x->triple < y->triple ? -1 : x->triple > y->triple;
}

static uint32_t put_value(struct build *b, const struct fold_triple *t, const uint32_t *rank)
{
    if (!t->value_key)
        return GRG_NONE;
    struct grg_value v = t->value;
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

static int cmp_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Different papers among the triples [from, to). */
static uint32_t count_papers(const struct build *b, size_t from, size_t to, uint32_t *tmp)
{
    uint32_t n = 0;
    for (size_t i = from; i < to; i++)
        tmp[i - from] = b->triples[i].paper;
    qsort(tmp, to - from, sizeof *tmp, cmp_u32);
    for (size_t i = 0; i < to - from; i++)
        n += i == 0 || tmp[i] != tmp[i - 1];
    return n;
}

/* Edges, triples and values; by[i]: the fold triple that is the i-th. */
static void order_edges(struct build *b, const uint32_t *rank, uint32_t *by)
{
    const struct fold *f = b->fold;
    struct edge_key *keys = alloc_array(f->n, sizeof *keys);
    for (uint32_t i = 0; i < f->n; i++) {
        const struct fold_triple *t = &f->triples[i];
        keys[i] = (struct edge_key){ b->heads[i], rank[t->relation], b->tails[i],
                                     rank[t->value_key], i };
    }
    qsort(keys, f->n, sizeof *keys, cmp_edge_key);
    b->edges = alloc_zero(f->n, sizeof *b->edges);
    b->edge_at = alloc_zero(f->n + 1, sizeof *b->edge_at);
    b->values = alloc_zero(f->n, sizeof *b->values);
    b->triples = alloc_zero(f->n, sizeof *b->triples);
    for (uint32_t i = 0; i < f->n; i++) {
        const struct fold_triple *t = &f->triples[keys[i].triple];
        by[i] = keys[i].triple;
        if (i == 0 || cmp_edge(&keys[i], &keys[i - 1]) != 0) {
            b->edge_at[b->n_edges] = i;
            b->edges[b->n_edges++] = (struct grg_edge){ .head = keys[i].head,
                                                        .tail = keys[i].tail,
                                                        .relation = keys[i].relation,
                                                        .value = put_value(b, t, rank) };
        }
        put_triple(b, i, t, rank);
    }
    b->edge_at[b->n_edges] = (uint32_t)f->n;
    uint32_t *tmp = alloc_array(f->n, sizeof *tmp);
    for (size_t e = 0; e < b->n_edges; e++)
        b->edges[e].n_papers = count_papers(b, b->edge_at[e], b->edge_at[e + 1], tmp);
    b->meta.n_papers = count_papers(b, 0, f->n, tmp);
    free(tmp);
    free(keys);
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

struct chunk_key {
    uint32_t chunk, triple;
};

static int cmp_chunk(const void *a, const void *b)
{
    const struct chunk_key *x = a, *y = b;
    return cmp3(x->chunk, y->chunk, x->triple, y->triple, 0, 0);
}

static void order_chunks(struct build *b, size_t n)
{
    struct chunk_key *keys = alloc_array(n, sizeof *keys);
    b->chunks = alloc_array(n, sizeof *b->chunks);
    for (uint32_t i = 0; i < n; i++)
        keys[i] = (struct chunk_key){ b->triples[i].chunk, i };
    qsort(keys, n, sizeof *keys, cmp_chunk);
    for (size_t i = 0; i < n; i++)
        b->chunks[i] = keys[i].triple;
    free(keys);
}

/* ---- writing ---- */

struct blob {
    uint64_t *at;
    struct buf bytes;
    size_t n;
};

static void blob_add(struct blob *b, struct sv s)
{
    buf_sv(&b->bytes, s);
    b->at[++b->n] = b->bytes.len;
}

static int write_sections(const struct build *b, const struct blob *str, const struct blob *raw,
                          struct out *out, struct err *err)
{
    size_t n = b->fold->n;
    if (str->bytes.overflow || raw->bytes.overflow)
        return err_set(err, EXIT_FATAL, "more than 4 GiB of text for one graph: split it");
    const struct section sections[] = {
        { "str.at", str->at, (str->n + 1) * sizeof *str->at },
        { "str", str->bytes.data, str->bytes.len },
        { "node", b->nodes, b->n_nodes * sizeof *b->nodes },
        { "edge", b->edges, b->n_edges * sizeof *b->edges },
        { "edge.at", b->edge_at, (b->n_edges + 1) * sizeof *b->edge_at },
        { "out.at", b->out_at, (b->n_nodes + 1) * sizeof *b->out_at },
        { "in.at", b->in_at, (b->n_nodes + 1) * sizeof *b->in_at },
        { "in", b->in, b->n_edges * sizeof *b->in },
        { "value", b->values, b->n_values * sizeof *b->values },
        { "triple", b->triples, n * sizeof *b->triples },
        { "raw.at", raw->at, (n + 1) * sizeof *raw->at },
        { "raw", raw->bytes.data, raw->bytes.len },
        { "name", b->names, b->n_names * sizeof *b->names },
        { "chunk", b->chunks, n * sizeof *b->chunks },
        { "term.at", b->term_at, (b->n_terms + 1) * sizeof *b->term_at },
        { "term", b->terms, b->n_terms * sizeof *b->terms },
        { "post", b->posts, b->n_posts * sizeof *b->posts },
        { "meta", &b->meta, sizeof b->meta },
    };
    secfile_write(out, GRG_MAGIC, GRG_VERSION, sections, ARRAY_LEN(sections));
    return 0;
}

static int write_graph(struct build *b, const uint32_t *by, const uint32_t *order,
                       struct out *out, struct err *err)
{
    size_t n_strings = map_count(b->strings);
    struct blob str = { alloc_zero(n_strings + 1, sizeof *str.at), BUF_INIT, 0 };
    struct blob raw = { alloc_zero(b->fold->n + 1, sizeof *raw.at), BUF_INIT, 0 };
    for (size_t i = 0; i < n_strings; i++)
        blob_add(&str, map_key(b->strings, order[i]));
    for (size_t i = 0; i < b->fold->n; i++)
        blob_add(&raw, fold_raw(b->fold, &b->fold->triples[by[i]]));
    int rc = write_sections(b, &str, &raw, out, err);
    buf_release(&str.bytes);
    buf_release(&raw.bytes);
    free(str.at);
    free(raw.at);
    return rc;
}

static void build_release(struct build *b)
{
    void *const all[] = { b->nodes,  b->heads,   b->tails,  b->names,   b->lists.at, b->list_of,
                          b->edges,  b->edge_at, b->out_at, b->in_at,   b->in,       b->chunks,
                          b->values, b->triples, b->terms,  b->term_at, b->posts };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        free(all[i]);
}

int build_write(struct fold *f, const struct vocab *vocab, const struct analyzer *analyzer,
                struct out *out, struct build_stats *stats, struct err *err)
{
    struct build b = { .fold = f, .strings = f->strings };
    *stats = (struct build_stats){ .repeated = fold_unique(f) };
    build_nodes(&b);
    build_names(&b, vocab);
    build_lists(&b, analyzer);
    uint32_t analyzer_id = (uint32_t)map_put(b.strings, sv_from(analyzer_name(analyzer)), NULL);
    size_t n_strings = map_count(b.strings);
    uint32_t *rank = alloc_array(n_strings, sizeof *rank);
    uint32_t *order = alloc_array(n_strings, sizeof *order);
    uint32_t *by = alloc_array(f->n, sizeof *by);
    rank_strings(b.strings, rank, order);
    order_nodes(&b, rank);
    order_edges(&b, rank, by);
    link_nodes(&b);
    order_chunks(&b, f->n);
    b.meta.analyzer = rank[analyzer_id];
    b.meta.has_synonyms = vocab != NULL;
    int rc = build_index(&b, by, rank, err);
    if (rc == 0)
        rc = write_graph(&b, by, order, out, err);
    stats->nodes = b.n_nodes;
    stats->edges = b.n_edges;
    stats->triples = f->n;
    stats->papers = b.meta.n_papers;
    free(by);
    free(order);
    free(rank);
    build_release(&b);
    return rc;
}
