// SPDX-License-Identifier: MIT
/*
 * export_tables.c — rows and statements
 */
#include "export_tables.h"

#include "load.h"
#include "neo4j.h"
#include "query.h"

static struct sv str(const struct grg *g, uint32_t s)
{
    return grg_str(g, s);
}

/* ---- CSV ---- */

static void put_field(struct buf *b, struct sv s, char after)
{
    buf_char(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            buf_char(b, '"');
        buf_char(b, s.p[i] == '\n' || s.p[i] == '\r' || !s.p[i] ? ' ' : s.p[i]);
    }
    buf_char(b, '"');
    buf_char(b, after);
}

static void put_uid(struct buf *b, const struct grg *g, uint32_t node)
{
    struct buf uid = BUF_INIT;
    load_uid(&uid, g, node);
    put_field(b, buf_view(&uid), ',');
    buf_release(&uid);
}

void csv_node(struct buf *b, const struct grg *g, uint32_t node)
{
    const struct grg_node *n = grg_node(g, node);
    struct buf label = BUF_INIT;
    put_uid(b, g, node);
    put_field(b, str(g, n->id), ',');
    put_field(b, str(g, n->name), ',');
    put_field(b, str(g, n->type), ',');
    buf_str(&label, "Entity");
    if (str(g, n->type).n) {
        buf_char(&label, ';');
        cypher_bare_name(&label, str(g, n->type), false);
    }
    put_field(b, buf_view(&label), '\n');
    buf_release(&label);
}

void csv_edge(struct buf *b, const struct grg *g, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(g, edge);
    const struct grg_triple *t = grg_triple(g, grg_triples_of(g, edge).from);
    struct buf text = BUF_INIT;
    put_uid(b, g, e->head);
    put_uid(b, g, e->tail);
    cypher_bare_name(&text, str(g, e->relation), true);
    put_field(b, buf_view(&text), ',');
    buf_reset(&text);
    load_edge_key(&text, g, edge);
    put_field(b, buf_view(&text), ',');
    put_field(b, str(g, e->relation), ',');
    buf_reset(&text);
    query_value_text(&text, g, e);
    put_field(b, buf_view(&text), ',');
    buf_printf(b, "%.4g,%u,", (double)e->confidence, e->n_papers);
    put_field(b, str(g, t->paper), ',');
    put_field(b, str(g, t->chunk), ',');
    put_field(b, str(g, t->evidence), ',');
    put_field(b, grg_stance(g, edge) & GRG_DENIED ? SV("negative") : SV_NONE, ',');
    put_field(b, grg_stance(g, edge) & GRG_UNSUPPORTED ? SV("true") : SV("false"), ',');
    put_field(b, grg_value(g, e->value)->flags & GRG_IS_CHANGE ? SV("true") : SV("false"),
              '\n');
    buf_release(&text);
}

/* ---- N-Triples ---- */

/* <urn:gr:KIND:name>: unreserved characters of RFC 3986 as they are, the rest by its bytes. */
static void put_urn(struct buf *b, const char *kind, struct sv name)
{
    buf_printf(b, "<urn:gr:%s:", kind);
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || strchr("-._~:", c);
        if (c && is_plain)
            buf_char(b, (char)c);
        else
            buf_printf(b, "%%%02X", c);
    }
    buf_char(b, '>');
}

static void put_node(struct buf *b, const struct grg *g, uint32_t node)
{
    struct buf uid = BUF_INIT;
    load_uid(&uid, g, node);
    put_urn(b, "node", buf_view(&uid));
    buf_release(&uid);
}

static void put_literal(struct buf *b, struct sv s)
{
    buf_char(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\')
            buf_printf(b, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            buf_printf(b, "\\u%04X", c);
        else
            buf_char(b, (char)c);
    }
    buf_char(b, '"');
}

void ntriples_node(struct buf *b, const struct grg *g, uint32_t node)
{
    const struct grg_node *n = grg_node(g, node);
    put_node(b, g, node);
    buf_str(b, " <http://www.w3.org/2000/01/rdf-schema#label> ");
    put_literal(b, str(g, n->name));
    buf_str(b, " .\n");
    if (!str(g, n->type).n)
        return;
    put_node(b, g, node);
    buf_str(b, " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ");
    put_urn(b, "type", str(g, n->type));
    buf_str(b, " .\n");
}

void ntriples_edge(struct buf *b, const struct grg *g, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(g, edge);
    if (grg_stance(g, edge) || grg_value(g, e->value)->flags & GRG_IS_CHANGE)
        /* a statement has no place for what is said of it */
        return;
    put_node(b, g, e->head);
    buf_char(b, ' ');
    put_urn(b, "relation", str(g, e->relation));
    buf_char(b, ' ');
    put_node(b, g, e->tail);
    buf_str(b, " .\n");
}
