// SPDX-License-Identifier: MIT
/*
 * export.c — NDJSON, Cypher, GraphML and DOT; tables and RDF are in export_tables.c
 */
#include "export.h"

#include "alloc.h"
#include "export_tables.h"
#include "json.h"
#include "load.h"
#include "neo4j.h"
#include "query.h"
#include "utf8.h"

/* ---- quoting ---- */

static struct sv str(const struct grg *g, uint32_t s)
{
    return grg_str(g, s);
}

/* U+FFFE and U+FFFF, which XML 1.0 leaves out, at s.p[i]. */
static bool is_noncharacter(struct sv s, size_t i)
{
    return s.n - i >= 3 &&
           (!memcmp(s.p + i, "\xEF\xBF\xBE", 3) || !memcmp(s.p + i, "\xEF\xBF\xBF", 3));
}

static void put_xml(struct buf *b, struct sv s)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (is_noncharacter(s, i)) {
            buf_char(b, ' ');
            i += 2;
        } else if (c == '&')
            buf_str(b, "&amp;");
        else if (c == '<')
            buf_str(b, "&lt;");
        else if (c == '>')
            buf_str(b, "&gt;");
        else if (c == '"')
            buf_str(b, "&quot;");
        else if (c >= 0x20 || c == '\t')
            buf_char(b, (char)c);
        else
            buf_char(b, ' '); /* has no form in XML 1.0 */
    }
}

static void put_dot(struct buf *b, struct sv s)
{
    buf_char(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        bool is_blank = c < 0x20;
        if (is_noncharacter(s, i)) { /* would break the SVG that dot makes of it */
            is_blank = true;
            i += 2;
        }
        if (c == '"' || c == '\\')
            buf_char(b, '\\');
        buf_char(b, is_blank ? ' ' : (char)c);
    }
    buf_char(b, '"');
}

/* ---- pieces ---- */

static void put_papers(struct buf *b, const struct grg *g, uint32_t edge)
{
    struct grg_range r = grg_triples_of(g, edge);
    uint32_t *seen = alloc_array(r.to - r.from, sizeof *seen);
    size_t n = 0;
    buf_char(b, '[');
    for (uint32_t t = r.from; t < r.to; t++) {
        uint32_t paper = g->triples[t].paper;
        size_t i = 0;
        while (i < n && seen[i] != paper)
            i++;
        if (i < n || !str(g, paper).n)
            continue;
        if (n)
            buf_str(b, ", ");
        seen[n++] = paper;
        cypher_string(b, str(g, paper));
    }
    buf_char(b, ']');
    free(seen);
}

static void put_cypher_end(struct buf *b, const struct grg *g, char name, uint32_t node)
{
    struct buf uid = BUF_INIT;
    load_uid(&uid, g, node);
    buf_printf(b, "(%c:Entity {uid: ", name);
    cypher_string(b, buf_view(&uid));
    buf_str(b, "})");
    buf_release(&uid);
}

static void put_setting(struct buf *b, const char *before, struct sv value)
{
    buf_str(b, before);
    cypher_string(b, value);
}

static void cypher_node(struct buf *b, const struct grg *g, uint32_t node)
{
    const struct grg_node *n = grg_node(g, node);
    buf_str(b, "MERGE ");
    put_cypher_end(b, g, 'n', node);
    put_setting(b, " SET n.node = ", str(g, n->id));
    put_setting(b, ", n.name = ", str(g, n->name));
    put_setting(b, ", n.type = ", str(g, n->type));
    if (str(g, n->type).n) {
        buf_str(b, ", n:");
        cypher_name(b, str(g, n->type), false);
    }
    buf_str(b, ";\n");
}

static void cypher_edge(struct buf *b, const struct grg *g, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(g, edge);
    const struct grg_triple *t = grg_triple(g, grg_triples_of(g, edge).from);
    struct buf value = BUF_INIT, key = BUF_INIT;
    query_value_text(&value, g, e);
    load_edge_key(&key, g, edge);
    buf_str(b, "MATCH ");
    put_cypher_end(b, g, 'h', e->head);
    buf_str(b, ", ");
    put_cypher_end(b, g, 't', e->tail);
    buf_str(b, " MERGE (h)-[r:");
    cypher_name(b, str(g, e->relation), true);
    put_setting(b, " {key: ", buf_view(&key));
    put_setting(b, "}]->(t) SET r.relation = ", str(g, e->relation));
    if (value.len)
        put_setting(b, ", r.value = ", buf_view(&value));
    if (grg_value(g, e->value)->flags & GRG_IS_CHANGE)
        buf_str(b, ", r.change = true");
    if (grg_stance(g, edge) & GRG_DENIED)
        buf_str(b, ", r.polarity = 'negative'");
    if (grg_stance(g, edge) & GRG_UNSUPPORTED)
        buf_str(b, ", r.unsupported = true");
    buf_printf(b, ", r.confidence = %.4g, r.support = %u, r.papers = ", (double)e->confidence,
               e->n_papers);
    put_papers(b, g, edge);
    put_setting(b, ", r.chunk = ", str(g, t->chunk));
    put_setting(b, ", r.evidence = ", str(g, t->evidence));
    buf_str(b, ";\n");
    buf_release(&value);
    buf_release(&key);
}

static void xml_data(struct buf *b, const char *key, struct sv s)
{
    buf_printf(b, "<data key=\"%s\">", key);
    put_xml(b, s);
    buf_str(b, "</data>");
}

static void graphml_node(struct buf *b, const struct grg *g, uint32_t node)
{
    const struct grg_node *n = grg_node(g, node);
    buf_printf(b, "<node id=\"n%u\">", node);
    xml_data(b, "name", str(g, n->name));
    xml_data(b, "type", str(g, n->type));
    xml_data(b, "node", str(g, n->id));
    buf_str(b, "</node>\n");
}

static void graphml_edge(struct buf *b, const struct grg *g, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(g, edge);
    const struct grg_triple *t = grg_triple(g, grg_triples_of(g, edge).from);
    struct buf value = BUF_INIT;
    query_value_text(&value, g, e);
    buf_printf(b, "<edge id=\"e%u\" source=\"n%u\" target=\"n%u\">", edge, e->head, e->tail);
    xml_data(b, "relation", str(g, e->relation));
    if (value.len)
        xml_data(b, "value", buf_view(&value));
    if (grg_value(g, e->value)->flags & GRG_IS_CHANGE)
        xml_data(b, "change", SV("true"));
    if (grg_stance(g, edge) & GRG_DENIED)
        xml_data(b, "polarity", SV("negative"));
    if (grg_stance(g, edge) & GRG_UNSUPPORTED)
        xml_data(b, "unsupported", SV("true"));
    buf_printf(b, "<data key=\"confidence\">%.4g</data><data key=\"support\">%u</data>",
               (double)e->confidence, e->n_papers);
    xml_data(b, "paper", str(g, t->paper));
    xml_data(b, "chunk", str(g, t->chunk));
    xml_data(b, "evidence", str(g, t->evidence));
    buf_str(b, "</edge>\n");
    buf_release(&value);
}

static void dot_node(struct buf *b, const struct grg *g, uint32_t node, bool is_marked)
{
    const struct grg_node *n = grg_node(g, node);
    buf_printf(b, "  n%u [label=", node);
    put_dot(b, str(g, n->name));
    buf_str(b, ", tooltip=");
    put_dot(b, str(g, n->type));
    if (n->flags & GRG_IS_VALUE)
        buf_str(b, ", shape=plaintext");
    if (is_marked)
        buf_str(b, ", penwidth=3");
    buf_str(b, "];\n");
}

static void dot_edge(struct buf *b, const struct grg *g, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(g, edge);
    struct buf label = BUF_INIT;
    unsigned stance = grg_stance(g, edge);
    buf_str(&label, stance & GRG_DENIED ? "not: " : "");
    buf_sv(&label, str(g, e->relation));
    buf_str(&label, stance & GRG_UNSUPPORTED ? " (unsupported)" : "");
    if (grg_is_thing(g, e->tail) && e->value != GRG_NONE) {
        buf_str(&label, " ");
        query_value_text(&label, g, e);
    }
    buf_printf(b, "  n%u -> n%u [label=", e->head, e->tail);
    put_dot(b, buf_view(&label));
    buf_str(b, stance ? ", style=dashed];\n" : "];\n");
    buf_release(&label);
}

#define DOT_HEAD                                                                               \
    "digraph graph_of_facts {\n  rankdir=LR;\n  node [shape=box, style=rounded, "              \
    "fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=9];\n"

void export_dot(const struct grg *g, const uint8_t *keep, uint32_t mark, struct buf *out)
{
    buf_str(out, DOT_HEAD);
    for (uint32_t n = 0; n < g->n_nodes; n++)
        if (!keep || keep[n])
            dot_node(out, g, n, n == mark);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        const struct grg_edge *x = grg_edge(g, e);
        if (x->head < g->n_nodes && x->tail < g->n_nodes &&
            (!keep || (keep[x->head] && keep[x->tail])))
            dot_edge(out, g, e);
    }
    buf_str(out, "}\n");
}

/* ---- the whole graph ---- */

#define GRAPHML_HEAD                                                                           \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                             \
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"                              \
    "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"                \
    "<key id=\"type\" for=\"node\" attr.name=\"type\" attr.type=\"string\"/>\n"                \
    "<key id=\"node\" for=\"node\" attr.name=\"node\" attr.type=\"string\"/>\n"                \
    "<key id=\"relation\" for=\"edge\" attr.name=\"relation\" attr.type=\"string\"/>\n"        \
    "<key id=\"value\" for=\"edge\" attr.name=\"value\" attr.type=\"string\"/>\n"              \
    "<key id=\"change\" for=\"edge\" attr.name=\"change\" attr.type=\"boolean\"/>\n"           \
    "<key id=\"polarity\" for=\"edge\" attr.name=\"polarity\" attr.type=\"string\"/>\n"        \
    "<key id=\"unsupported\" for=\"edge\" attr.name=\"unsupported\" "                          \
    "attr.type=\"boolean\"/>\n"                                                                \
    "<key id=\"confidence\" for=\"edge\" attr.name=\"confidence\" attr.type=\"double\"/>\n"    \
    "<key id=\"support\" for=\"edge\" attr.name=\"support\" attr.type=\"int\"/>\n"             \
    "<key id=\"paper\" for=\"edge\" attr.name=\"paper\" attr.type=\"string\"/>\n"              \
    "<key id=\"chunk\" for=\"edge\" attr.name=\"chunk\" attr.type=\"string\"/>\n"              \
    "<key id=\"evidence\" for=\"edge\" attr.name=\"evidence\" attr.type=\"string\"/>\n"        \
    "<graph edgedefault=\"directed\">\n"

static const struct form {
    const char *head, *foot;
    /* NULL: the form has none */
    void (*node)(struct buf *, const struct grg *, uint32_t);
    void (*edge)(struct buf *, const struct grg *, uint32_t);
} forms[] = {
    [EXPORT_CYPHER] = { "CREATE CONSTRAINT gr_entity IF NOT EXISTS FOR (n:Entity) REQUIRE "
                        "n.uid IS UNIQUE;\n",
                        "", cypher_node, cypher_edge },
    [EXPORT_CSV_NODES] = { CSV_NODES_HEAD, "", csv_node, NULL },
    [EXPORT_CSV_EDGES] = { CSV_EDGES_HEAD, "", NULL, csv_edge },
    [EXPORT_NTRIPLES] = { "", "", ntriples_node, ntriples_edge },
    [EXPORT_GRAPHML] = { GRAPHML_HEAD, "</graph>\n</graphml>\n", graphml_node, graphml_edge },
};

/* The records, in the order of their bytes as a build sorts them. */
static int export_raw(const struct grg *g, export_sink sink, void *ctx, struct err *err)
{
    for (uint32_t t = 0; t < g->n_triples; t++) {
        struct sv raw = grg_raw(g, t);
        if (utf8_check(raw) != SIZE_MAX || !raw.n)
            return err_set(err, EXIT_FATAL, "%s: triple %u is damaged: build it anew",
                           g->file.path, t);
        if (!sink(ctx, raw) || !sink(ctx, SV("\n")))
            return err_set(err, EXIT_FATAL, "writing stopped");
    }
    return 0;
}

int export_graph(const struct grg *g, enum export_format format, export_sink sink, void *ctx,
                 struct err *err)
{
    if (format == EXPORT_NDJSON)
        return export_raw(g, sink, ctx, err);
    struct buf b = BUF_INIT;
    bool ok = true;
    if (format == EXPORT_DOT) {
        export_dot(g, NULL, GRG_NONE, &b);
        ok = sink(ctx, buf_view(&b));
    } else {
        const struct form *f = &forms[format];
        ok = sink(ctx, sv_from(f->head));
        for (uint32_t n = 0; ok && f->node && n < g->n_nodes; n++) {
            buf_reset(&b);
            f->node(&b, g, n);
            ok = sink(ctx, buf_view(&b));
        }
        for (uint32_t e = 0; ok && f->edge && e < g->n_edges; e++) {
            buf_reset(&b);
            f->edge(&b, g, e);
            ok = sink(ctx, buf_view(&b));
        }
        ok = ok && sink(ctx, sv_from(f->foot));
    }
    buf_release(&b);
    return ok ? 0 : err_set(err, EXIT_FATAL, "writing stopped");
}
