// SPDX-License-Identifier: MIT
/*
 * grg_verify.c — every number and every order in a graph file
 */
#include "grg.h"

#include <math.h>

#include "utf8.h"

static int damaged(const struct grg *g, struct err *err, const char *section, size_t i)
{
    return err_set(err, EXIT_FATAL, "%s: section %s: entry %zu is damaged: build it anew",
                   g->file.path, section, i);
}

static bool is_str(const struct grg *g, uint32_t s)
{
    return s == GRG_NONE || s < g->n_strings;
}

/* Offsets that start at 0, never decrease, and end at `end`. */
static int check_offsets(const struct grg *g, const char *name, const uint32_t *at, size_t n,
                         size_t end, struct err *err)
{
    if (at[0] != 0 || at[n] != end)
        return damaged(g, err, name, at[0] ? 0 : n);
    for (size_t i = 0; i < n; i++)
        if (at[i] > at[i + 1])
            return damaged(g, err, name, i);
    return 0;
}

static int check_blob(const struct grg *g, const char *name, const uint64_t *at, size_t n,
                      const char *p, size_t end, struct err *err)
{
    if (at[0] != 0 || at[n] != end)
        return damaged(g, err, name, at[0] ? 0 : n);
    for (size_t i = 0; i < n; i++)
        if (at[i] > at[i + 1] || at[i + 1] > end ||
            utf8_check((struct sv){ p + at[i], (size_t)(at[i + 1] - at[i]) }) != SIZE_MAX)
            return damaged(g, err, name, i);
    return 0;
}

static int check_strings(const struct grg *g, struct err *err)
{
    if (check_blob(g, "str", g->str_at, g->n_strings, g->str, g->str_bytes, err) < 0 ||
        check_blob(g, "raw", g->raw_at, g->n_triples, g->raw, g->raw_bytes, err) < 0)
        return -1;
    for (size_t i = 1; i < g->n_strings; i++)
        if (sv_cmp(grg_str(g, (uint32_t)i - 1), grg_str(g, (uint32_t)i)) >= 0)
            return damaged(g, err, "str", i);
    return is_str(g, g->meta.analyzer) ? 0 : damaged(g, err, "meta", 0);
}

static int cmp_numbers(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int check_nodes(const struct grg *g, struct err *err)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct grg_node *n = &g->nodes[i], *m = n - 1;
        if (n->name >= g->n_strings || n->key >= g->n_strings || n->id >= g->n_strings ||
            n->type >= g->n_strings || n->flags & ~GRG_IS_VALUE)
            return damaged(g, err, "node", i);
        if (i && cmp_numbers((uint32_t[]){ m->type, m->key, m->id },
                             (uint32_t[]){ n->type, n->key, n->id }, 3) >= 0)
            return damaged(g, err, "node", i);
    }
    return 0;
}

static int check_values(const struct grg *g, struct err *err)
{
    for (size_t i = 0; i < g->n_values; i++) {
        const struct grg_value *v = &g->values[i];
        if (!isfinite(v->number) || !isfinite(v->high) || !isfinite(v->error) ||
            !isfinite(v->error_low) || !is_str(g, v->unit) || !is_str(g, v->error_kind))
            return damaged(g, err, "value", i);
    }
    return 0;
}

static int check_edges(const struct grg *g, struct err *err)
{
    if (check_offsets(g, "edge.at", g->edge_at, g->n_edges, g->n_triples, err) < 0 ||
        check_offsets(g, "out.at", g->out_at, g->n_nodes, g->n_edges, err) < 0 ||
        check_offsets(g, "in.at", g->in_at, g->n_nodes, g->n_edges, err) < 0)
        return -1;
    for (size_t i = 0; i < g->n_edges; i++) {
        const struct grg_edge *e = &g->edges[i], *f = e - 1;
        if (e->head >= g->n_nodes || e->tail >= g->n_nodes || e->relation >= g->n_strings ||
            (e->value != GRG_NONE && e->value >= g->n_values) ||
            !(e->confidence >= 0 && e->confidence <= 1) ||
            (g->stances && g->stances[i] & ~GRG_STANCES) || i < g->out_at[e->head] ||
            i >= g->out_at[e->head + 1])
            return damaged(g, err, "edge", i);
        if (i && cmp_numbers((uint32_t[]){ f->head, f->relation, f->tail },
                             (uint32_t[]){ e->head, e->relation, e->tail }, 3) > 0)
            return damaged(g, err, "edge", i);
    }
    for (size_t n = 0; n < g->n_nodes; n++)
        for (uint32_t i = g->in_at[n]; i < g->in_at[n + 1]; i++)
            if (g->in[i] >= g->n_edges || g->edges[g->in[i]].tail != n ||
                (i > g->in_at[n] && g->in[i - 1] >= g->in[i]))
                return damaged(g, err, "in", i);
    return 0;
}

static int check_triples(const struct grg *g, struct err *err)
{
    for (size_t i = 0; i < g->n_triples; i++) {
        const struct grg_triple *t = &g->triples[i];
        if (t->edge >= g->n_edges || i < g->edge_at[t->edge] || i >= g->edge_at[t->edge + 1] ||
            t->paper >= g->n_strings || t->chunk >= g->n_strings ||
            t->evidence >= g->n_strings || t->extractor >= g->n_strings ||
            !(t->confidence >= 0 && t->confidence <= 1))
            return damaged(g, err, "triple", i);
        uint32_t c = g->chunks[i];
        if (c >= g->n_triples)
            return damaged(g, err, "chunk", i);
        if (i == 0)
            continue;
        uint32_t b = g->chunks[i - 1];
        if (cmp_numbers((uint32_t[]){ g->triples[b].chunk, b },
                        (uint32_t[]){ g->triples[c].chunk, c }, 2) >= 0)
            return damaged(g, err, "chunk", i);
    }
    return 0;
}

static int check_index(const struct grg *g, struct err *err)
{
    for (size_t i = 0; i < g->n_names; i++) {
        const struct grg_name *a = &g->names[i];
        if (a->key >= g->n_strings || a->node >= g->n_nodes || !is_str(g, a->spelling))
            return damaged(g, err, "name", i);
        if (i && cmp_numbers((uint32_t[]){ a[-1].key, a[-1].node, a[-1].spelling },
                             (uint32_t[]){ a->key, a->node, a->spelling }, 3) >= 0)
            return damaged(g, err, "name", i);
    }
    if (check_offsets(g, "term.at", g->term_at, g->n_terms, g->n_posts, err) < 0)
        return -1;
    for (size_t t = 0; t < g->n_terms; t++) {
        if (g->terms[t] >= g->n_strings || (t && g->terms[t - 1] >= g->terms[t]))
            return damaged(g, err, "term", t);
        for (uint32_t i = g->term_at[t]; i < g->term_at[t + 1]; i++)
            if (g->posts[i] / 2 >= g->n_triples ||
                (i > g->term_at[t] && g->posts[i - 1] / 2 >= g->posts[i] / 2))
                return damaged(g, err, "post", i);
    }
    return 0;
}

int grg_verify(const struct grg *g, struct err *err)
{
    if (secfile_verify(&g->file, err) < 0 || check_strings(g, err) < 0 ||
        check_nodes(g, err) < 0 || check_values(g, err) < 0 || check_edges(g, err) < 0 ||
        check_triples(g, err) < 0 || check_index(g, err) < 0)
        return -1;
    return 0;
}
