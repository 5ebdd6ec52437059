// SPDX-License-Identifier: MIT
/*
 * info.c — counting what is in a graph
 */
#include "info.h"

#include "alloc.h"
#include "json.h"
#include "topk.h"

static int cmp_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* {"string": count, …} of n string numbers; sorts them. */
static void put_counts(struct buf *out, const struct grg *g, const char *key, uint32_t *s,
                       size_t n)
{
    json_key(out, key);
    json_open(out, '{');
    if (n)
        qsort(s, n, sizeof *s, cmp_u32);
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i; k < n && s[k] == s[i];)
            k++;
        struct sv name = grg_str(g, s[i]);
        json_key_sv(out, name.n ? name : SV("none"));
        json_put_int(out, (int64_t)(k - i));
    }
    json_close(out, '}');
}

static void put_all_counts(struct buf *out, const struct grg *g)
{
    size_t most = g->n_nodes > g->n_triples ? g->n_nodes : g->n_triples;
    uint32_t *s = alloc_array(most > g->n_edges ? most : g->n_edges, sizeof *s);
    for (size_t i = 0; i < g->n_nodes; i++)
        s[i] = g->nodes[i].type;
    put_counts(out, g, "types", s, g->n_nodes);
    for (size_t i = 0; i < g->n_edges; i++)
        s[i] = g->edges[i].relation;
    put_counts(out, g, "relations", s, g->n_edges);
    for (size_t i = 0; i < g->n_triples; i++)
        s[i] = g->triples[i].extractor;
    put_counts(out, g, "extractors", s, g->n_triples);
    free(s);
}

static void put_str(struct buf *out, const char *key, struct sv s)
{
    json_key(out, key);
    json_put_str(out, s);
}

static void put_top(struct buf *out, const struct grg *g, size_t top)
{
    struct topk best;
    topk_init(&best, top);
    for (uint32_t n = 0; n < g->n_nodes; n++)
        if (grg_is_thing(g, n))
            topk_push(&best, grg_degree(g, n), n);
    topk_sort(&best);
    json_key(out, "top");
    json_open(out, '[');
    for (size_t i = 0; i < best.n; i++) {
        const struct grg_node *n = grg_node(g, (uint32_t)best.items[i].ord);
        json_open(out, '{');
        put_str(out, "name", grg_str(g, n->name));
        put_str(out, "type", grg_str(g, n->type));
        put_str(out, "node", grg_str(g, n->id));
        json_key(out, "degree");
        json_put_int(out, (int64_t)best.items[i].score);
        json_close(out, '}');
    }
    json_close(out, ']');
    topk_release(&best);
}

struct typed_key {
    uint32_t key, type;
};

static int cmp_typed(const void *a, const void *b)
{
    const struct typed_key *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->type < y->type ? -1 : x->type > y->type;
}

static void put_conflicts(struct buf *out, const struct grg *g, size_t top)
{
    struct typed_key *k = alloc_array(g->n_nodes, sizeof *k);
    size_t n = 0, conflicts = 0, end;
    struct buf list = BUF_INIT;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (grg_is_thing(g, i))
            k[n++] = (struct typed_key){ g->nodes[i].key, g->nodes[i].type };
    if (n)
        qsort(k, n, sizeof *k, cmp_typed);
    for (size_t i = 0; i < n; i = end) {
        for (end = i; end < n && k[end].key == k[i].key;)
            end++;
        if (k[i].type == k[end - 1].type || ++conflicts > top)
            continue;
        json_open(&list, '{');
        put_str(&list, "key", grg_str(g, k[i].key));
        json_key(&list, "types");
        json_open(&list, '[');
        for (size_t j = i; j < end; j++)
            if (j == i || k[j].type != k[j - 1].type)
                json_put_str(&list, grg_str(g, k[j].type));
        json_close(&list, ']');
        json_close(&list, '}');
    }
    json_key(out, "conflicts");
    json_put_int(out, (int64_t)conflicts);
    json_key(out, "type_conflicts");
    json_open(out, '[');
    if (list.len)
        json_put_raw(out, buf_view(&list));
    json_close(out, ']');
    buf_release(&list);
    free(k);
}

void info_put(const struct grg *g, size_t top, struct buf *out)
{
    const struct {
        const char *key;
        size_t n;
    } counts[] = {
        { "bytes", g->file.map.n },  { "nodes", g->n_nodes },        { "edges", g->n_edges },
        { "triples", g->n_triples }, { "papers", g->meta.n_papers }, { "values", g->n_values },
        { "names", g->n_names },     { "terms", g->n_terms },
    };
    json_open(out, '{');
    put_str(out, "file", sv_from(g->file.path));
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        json_key(out, counts[i].key);
        json_put_int(out, (int64_t)counts[i].n);
    }
    json_key(out, "synonyms");
    json_put_bool(out, g->meta.has_synonyms != 0);
    put_str(out, "analyzer", grg_str(g, g->meta.analyzer));
    put_all_counts(out, g);
    put_top(out, g, top);
    put_conflicts(out, g, top);
    buf_str(out, "}\n");
}
