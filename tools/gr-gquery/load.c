// SPDX-License-Identifier: MIT
/*
 * load.c — nodes, edges, names and chunks, batch by batch
 */
#include "load.h"

#include <math.h>

#include "alloc.h"
#include "hash.h"
#include "json.h"
#include "map.h"
#include "progress.h"
#include "query.h"
#include "render.h"

#define BATCH_BYTES ((size_t)8 << 20) /* a request is sent when it is that large */

enum step { STEP_NODES, STEP_EDGES, STEP_NAMES, STEP_CHUNKS, STEPS };
static const char *const step_names[] = { "nodes", "edges", "names", "chunks", "done" };

struct load {
    struct neo4j *n;
    const struct grg *g;
    const struct load_cfg *cfg;
    char graph[65];    /* SHA-256 of the graph's records */
    uint32_t *by_kind; /* (edges) edge numbers by relation, then as in the file */
    struct buf rows, params;
    size_t n_rows, sent; /* rows in hand, rows the server has */
    struct err *err;
};

/* ---- rows ---- */

static struct sv str(const struct load *l, uint32_t s)
{
    return grg_str(l->g, s);
}

void load_uid(struct buf *b, const struct grg *g, uint32_t node)
{
    const struct grg_node *x = grg_node(g, node);
    struct sv type = grg_str(g, x->type);
    for (size_t i = 0; i < type.n; i++) {
        if (type.p[i] == '%' || type.p[i] == '|')
            buf_printf(b, "%%%02X", (unsigned)(unsigned char)type.p[i]);
        else
            buf_char(b, type.p[i]);
    }
    buf_char(b, '|');
    buf_sv(b, grg_str(g, x->id));
}

static void add_uid(struct load *l, const char *key, uint32_t node)
{
    struct buf uid = BUF_INIT;
    load_uid(&uid, l->g, node);
    if (key)
        json_key(&l->rows, key);
    json_put_str(&l->rows, buf_view(&uid));
    buf_release(&uid);
}

/* The name of a type or relation as the server has it, without quotes, for the procedures. */
static void add_kind(struct load *l, const char *key, uint32_t s, bool is_relation)
{
    struct buf name = BUF_INIT;
    cypher_bare_name(&name, str(l, s), is_relation);
    json_key(&l->rows, key);
    json_put_str(&l->rows, buf_view(&name));
    buf_release(&name);
}

static void node_row(struct load *l, size_t i)
{
    const struct grg_node *x = grg_node(l->g, (uint32_t)i);
    json_open(&l->rows, '{');
    add_kind(l, "kind", x->type, false);
    json_key(&l->rows, "p");
    json_open(&l->rows, '{');
    add_uid(l, "uid", (uint32_t)i);
    json_add_str(&l->rows, "node", str(l, x->id));
    json_add_str(&l->rows, "name", str(l, x->name));
    json_add_str(&l->rows, "type", str(l, x->type));
    json_close(&l->rows, '}');
    json_close(&l->rows, '}');
}

void load_edge_key(struct buf *b, const struct grg *g, uint32_t edge)
{
    const struct grg_edge *e = grg_edge(g, edge);
    const struct grg_value *v = grg_value(g, e->value);
    buf_sv(b, grg_str(g, e->relation));
    /* What is denied is an edge of its own beside the plain one. */
    buf_str(b, grg_stance(g, edge) & GRG_DENIED ? "|negative" : "");
    buf_str(b, grg_stance(g, edge) & GRG_UNSUPPORTED ? "|unsupported" : "");
    if (e->value == GRG_NONE)
        return;
    buf_printf(b, "|%u|%.17g|%.17g|%.17g|", v->flags, v->number, v->high, v->error);
    buf_sv(b, grg_str(g, v->unit));
    buf_char(b, '|');
    buf_sv(b, grg_str(g, v->error_kind));
    if (v->flags & GRG_HAS_LOW)
        buf_printf(b, "|%.9g", (double)v->error_low);
}

static void add_value(struct load *l, const struct grg_edge *e)
{
    struct buf text = BUF_INIT;
    const struct grg_value *v = grg_value(l->g, e->value);
    query_value_text(&text, l->g, e);
    json_add_str(&l->rows, "value", buf_view(&text));
    buf_release(&text);
    if (e->value == GRG_NONE)
        return;
    json_add_num(&l->rows, "number", v->flags & GRG_HAS_NUMBER ? v->number : NAN);
    json_add_num(&l->rows, "high", v->flags & GRG_HAS_HIGH ? v->high : NAN);
    json_add_num(&l->rows, "error", v->flags & GRG_HAS_ERROR ? v->error : NAN);
    json_add_str(&l->rows, "error_kind", str(l, v->error_kind));
    json_add_str(&l->rows, "unit", str(l, v->unit));
    json_add_num(&l->rows, "error_low", v->flags & GRG_HAS_LOW ? (double)v->error_low : NAN);
    if (v->flags & GRG_IS_CHANGE) {
        json_key(&l->rows, "change");
        json_put_bool(&l->rows, true);
    }
}

static void add_sources(struct load *l, uint32_t edge)
{
    struct grg_range r = grg_triples_of(l->g, edge);
    uint32_t last = GRG_NONE;
    json_key(&l->rows, "papers");
    json_open(&l->rows, '[');
    struct map *seen = map_new();
    for (uint32_t t = r.from; t < r.to; t++) {
        struct sv paper = str(l, grg_triple(l->g, t)->paper);
        bool is_new = false;
        if (grg_triple(l->g, t)->paper == last || !paper.n)
            continue;
        last = grg_triple(l->g, t)->paper;
        map_put(seen, paper, &is_new);
        if (is_new)
            json_put_str(&l->rows, paper);
    }
    map_free(seen);
    json_close(&l->rows, ']');
    json_key(&l->rows, "triples");
    json_open(&l->rows, '[');
    for (uint32_t t = r.from; t < r.to; t++)
        json_put_str(&l->rows, grg_raw(l->g, t));
    json_close(&l->rows, ']');
}

static void edge_row(struct load *l, size_t i)
{
    uint32_t edge = l->by_kind[i];
    const struct grg_edge *e = grg_edge(l->g, edge);
    const struct grg_triple *t = grg_triple(l->g, grg_triples_of(l->g, edge).from);
    struct buf key = BUF_INIT;
    json_open(&l->rows, '{');
    add_kind(l, "kind", e->relation, true);
    add_uid(l, "h", e->head);
    add_uid(l, "t", e->tail);
    json_key(&l->rows, "p");
    json_open(&l->rows, '{');
    json_add_str(&l->rows, "relation", str(l, e->relation));
    add_value(l, e);
    render_stance(&l->rows, l->g, edge);
    json_add_num(&l->rows, "confidence", (double)e->confidence);
    json_add_size(&l->rows, "support", e->n_papers);
    json_add_str(&l->rows, "chunk", str(l, t->chunk));
    json_add_str(&l->rows, "evidence", str(l, t->evidence));
    add_sources(l, edge);
    json_close(&l->rows, '}');
    load_edge_key(&key, l->g, edge);
    json_add_str(&l->rows, "key", buf_view(&key));
    json_close(&l->rows, '}');
    buf_release(&key);
}

/* Rows of names are groups of one key, rows of chunks groups of one chunk: the number of a row
 * is that of its first member. */
static size_t name_row(struct load *l, size_t i)
{
    const struct grg_name *x = l->g->names;
    size_t end = i;
    while (end < l->g->n_names && x[end].key == x[i].key)
        end++;
    json_open(&l->rows, '{');
    json_add_str(&l->rows, "key", str(l, x[i].key));
    json_key(&l->rows, "uids");
    json_open(&l->rows, '[');
    for (size_t k = i; k < end; k++)
        add_uid(l, NULL, x[k].node);
    json_close(&l->rows, ']');
    json_key(&l->rows, "spellings");
    json_open(&l->rows, '[');
    for (size_t k = i; k < end; k++)
        json_put_str(&l->rows, str(l, x[k].spelling));
    json_close(&l->rows, ']');
    json_close(&l->rows, '}');
    return end;
}

static size_t chunk_row(struct load *l, size_t i)
{
    const struct grg *g = l->g;
    uint32_t chunk = grg_triple(g, g->chunks[i])->chunk;
    struct map *seen = map_new();
    size_t end = i;
    json_open(&l->rows, '{');
    json_add_str(&l->rows, "id", str(l, chunk));
    json_key(&l->rows, "uids");
    json_open(&l->rows, '[');
    for (; end < g->n_triples && grg_triple(g, g->chunks[end])->chunk == chunk; end++) {
        const struct grg_edge *e = grg_edge(g, grg_triple(g, g->chunks[end])->edge);
        const uint32_t ends[] = { e->head, e->tail };
        for (size_t k = 0; k < ARRAY_LEN(ends); k++) {
            bool is_new = false;
            map_put(seen, (struct sv){ (const char *)&ends[k], sizeof ends[k] }, &is_new);
            if (is_new && grg_is_thing(g, ends[k]))
                add_uid(l, NULL, ends[k]);
        }
    }
    map_free(seen);
    json_close(&l->rows, ']');
    json_close(&l->rows, '}');
    return end;
}

/* ---- sending ---- */

/* Without the procedures a statement has one label or relation in its text: its rows are nodes
 * of one type or edges of one relation. */
static uint32_t group_of(const struct load *l, enum step step, size_t i)
{
    if (!l->cfg->has_no_apoc)
        return 0;
    if (step == STEP_NODES)
        return grg_node(l->g, (uint32_t)i)->type;
    return step == STEP_EDGES ? grg_edge(l->g, l->by_kind[i])->relation : 0;
}

/* The server plans each new text anew, which takes it longer than a batch: so one text for all
 * types and one for all relations, by the procedures. */
static const char *const statements[] = {
    [STEP_NODES] =
        "UNWIND $rows AS r MERGE (n:Entity {uid: r.p.uid}) SET n = r.p WITH n, r "
        "CALL apoc.create.addLabels(n, CASE r.kind WHEN '' THEN [] ELSE [r.kind] END) "
        "YIELD node RETURN count(*)",
    [STEP_EDGES] =
        "UNWIND $rows AS r MATCH (h:Entity {uid: r.h}) MATCH (t:Entity {uid: r.t}) "
        "CALL apoc.merge.relationship(h, r.kind, {key: r.key}, r.p, t, {}) YIELD rel "
        "SET rel = r.p, rel.key = r.key RETURN count(*)",
    [STEP_NAMES] = "UNWIND $rows AS r MERGE (n:GrName {key: r.key}) SET n = r RETURN count(*)",
    [STEP_CHUNKS] = "UNWIND $rows AS r MERGE (n:GrChunk {id: r.id}) SET n = r RETURN count(*)",
};

static void statement_of(const struct load *l, enum step step, uint32_t group, struct buf *b)
{
    if (!l->cfg->has_no_apoc || step > STEP_EDGES) {
        buf_str(b, statements[step]);
    } else if (step == STEP_NODES) {
        buf_str(b, "UNWIND $rows AS r MERGE (n:Entity {uid: r.p.uid}) SET n = r.p");
        if (str(l, group).n) {
            buf_str(b, ", n:");
            cypher_name(b, str(l, group), false);
        }
        buf_str(b, " RETURN count(*)");
    } else {
        buf_str(b, "UNWIND $rows AS r MATCH (h:Entity {uid: r.h}) MATCH (t:Entity {uid: r.t}) "
                   "MERGE (h)-[x:");
        cypher_name(b, str(l, group), true);
        buf_str(b, " {key: r.key}]->(t) SET x = r.p, x.key = r.key RETURN count(*)");
    }
}

/* The rows in hand, and the mark of how far the load is, as one transaction. */
static int send_rows(struct load *l, enum step step, uint32_t group, size_t done)
{
    struct buf statement = BUF_INIT;
    size_t n = l->n_rows;
    jv results;
    if (!n)
        return 0;
    statement_of(l, step, group, &statement);
    buf_reset(&l->params);
    buf_str(&l->params, "{\"rows\":[");
    buf_sv(&l->params, buf_view(&l->rows));
    buf_str(&l->params, "]}");
    neo4j_add(l->n, buf_view(&statement), buf_view(&l->params));
    buf_reset(&l->params);
    buf_printf(&l->params, "{\"p\":{\"graph\":\"%s\",\"step\":\"%s\",\"done\":%zu}}", l->graph,
               step_names[step], done);
    neo4j_add(l->n, SV("MERGE (l:GrLoad {id: 'load'}) SET l += $p"), buf_view(&l->params));
    l->n_rows = 0;
    buf_reset(&l->rows);
    buf_release(&statement);
    if (neo4j_commit(l->n, &results, l->err) < 0)
        return -1;
    jv row = json_get(json_at(json_get(json_at(results, 0), "data"), 0), "row");
    double count = json_num(json_at(row, 0));
    json_free(results);
    progress_show(l->sent += n, 0);
    if (count == (double)n)
        return 0;
    return err_set(l->err, EXIT_FATAL,
                   "the server took %.0f of %zu %s: somebody changed what an earlier load put "
                   "there: load with --replace",
                   count, n, step_names[step]);
}

static size_t n_items(const struct grg *g, enum step step)
{
    const size_t n[] = { g->n_nodes, g->n_edges, g->n_names, g->n_triples };
    return n[step];
}

/* Append the row of item i; returns the item that the next row begins with. */
static size_t put_row(struct load *l, enum step step, size_t i)
{
    if (step == STEP_NAMES)
        return name_row(l, i);
    if (step == STEP_CHUNKS)
        return chunk_row(l, i);
    if (step == STEP_NODES)
        node_row(l, i);
    else
        edge_row(l, i);
    return i + 1;
}

static int run_step(struct load *l, enum step step, size_t i)
{
    size_t n = n_items(l->g, step);
    uint32_t group = 0;
    for (; i < n;) {
        uint32_t next = group_of(l, step, i);
        bool is_full = l->n_rows >= (size_t)l->cfg->batch || l->rows.len > BATCH_BYTES;
        if ((is_full || next != group) && send_rows(l, step, group, i) < 0)
            return -1;
        group = next;
        if (step == STEP_CHUNKS && !str(l, grg_triple(l->g, l->g->chunks[i])->chunk).n) {
            i++; /* of no chunk */
            continue;
        }
        i = put_row(l, step, i);
        l->n_rows++;
    }
    return send_rows(l, step, group, n);
}

/* ---- before and after ---- */

static int set_up(struct load *l)
{
    static const char *const schema[] = {
        "CREATE CONSTRAINT gr_entity IF NOT EXISTS FOR (n:Entity) REQUIRE n.uid IS UNIQUE",
        "CREATE INDEX gr_entity_name IF NOT EXISTS FOR (n:Entity) ON (n.name)",
        "CREATE CONSTRAINT gr_name IF NOT EXISTS FOR (n:GrName) REQUIRE n.key IS UNIQUE",
        "CREATE CONSTRAINT gr_chunk IF NOT EXISTS FOR (n:GrChunk) REQUIRE n.id IS UNIQUE",
        "CREATE CONSTRAINT gr_load IF NOT EXISTS FOR (n:GrLoad) REQUIRE n.id IS UNIQUE",
    };
    for (size_t i = 0; i < ARRAY_LEN(schema); i++)
        neo4j_add(l->n, sv_from(schema[i]), SV_NONE);
    return neo4j_commit(l->n, NULL, l->err);
}

static int wipe(struct load *l)
{
    static const char *const labels[] = { "GrLoad", "GrName", "GrChunk", "Entity" };
    for (size_t i = 0; i < ARRAY_LEN(labels);) {
        struct buf s = BUF_INIT;
        jv rows;
        buf_printf(&s, "MATCH (n:%s) WITH n LIMIT %ld DETACH DELETE n RETURN count(*)",
                   labels[i], l->cfg->batch);
        int rc = neo4j_ask(l->n, buf_view(&s), SV_NONE, &rows, l->err);
        buf_release(&s);
        if (rc < 0)
            return -1;
        if (!(json_num(json_at(json_get(json_at(rows, 0), "row"), 0)) > 0))
            i++;
        json_free(rows);
    }
    return 0;
}

/* Where an earlier load of this graph stopped. */
static int find_mark(struct load *l, size_t *step, size_t *done)
{
    jv rows;
    *step = *done = 0;
    if (neo4j_ask(l->n, SV("MATCH (l:GrLoad {id: 'load'}) RETURN l.graph, l.step, l.done"),
                  SV_NONE, &rows, l->err) < 0)
        return -1;
    jv row = json_get(json_at(rows, 0), "row");
    double n = json_num(json_at(row, 2));
    if (sv_is(json_sv(json_at(row, 0)), l->graph)) {
        while (*step < STEPS && !sv_is(json_sv(json_at(row, 1)), step_names[*step]))
            ++*step;
        *done = n > 0 && n < 1e15 ? (size_t)n : 0;
    }
    json_free(rows);
    return 0;
}

/* Edge numbers by relation: a counting sort, so equal relations keep the file's order. */
static void sort_edges(struct load *l)
{
    const struct grg *g = l->g;
    size_t *at = alloc_zero(g->n_strings + 1, sizeof *at);
    l->by_kind = alloc_array(g->n_edges ? g->n_edges : 1, sizeof *l->by_kind);
    for (size_t e = 0; e < g->n_edges; e++)
        if (g->edges[e].relation < g->n_strings)
            at[g->edges[e].relation + 1]++;
    for (size_t i = 0; i < g->n_strings; i++)
        at[i + 1] += at[i];
    for (size_t e = 0; e < g->n_edges; e++)
        if (g->edges[e].relation < g->n_strings)
            l->by_kind[at[g->edges[e].relation]++] = (uint32_t)e;
    free(at);
}

static int load_steps(struct load *l, struct load_stats *stats)
{
    size_t step, done;
    if (l->cfg->is_replacing && wipe(l) < 0)
        return -1;
    if (set_up(l) < 0 || find_mark(l, &step, &done) < 0)
        return -1;
    stats->was_there = step == STEPS;
    stats->went_on = !stats->was_there && (step || done);
    if (stats->went_on && done > n_items(l->g, (enum step)step))
        done = 0;
    for (; step < STEPS; step++, done = 0)
        if (run_step(l, (enum step)step, done) < 0)
            return -1;
    if (stats->was_there)
        return 0;
    buf_reset(&l->params);
    buf_printf(&l->params, "{\"p\":{\"graph\":\"%s\",\"step\":\"done\",\"done\":0}}", l->graph);
    neo4j_add(l->n, SV("MERGE (l:GrLoad {id: 'load'}) SET l += $p"), buf_view(&l->params));
    return neo4j_commit(l->n, NULL, l->err);
}

int load_graph(struct neo4j *n, const struct grg *g, const struct load_cfg *cfg,
               struct load_stats *stats, struct err *err)
{
    struct load l = { .n = n, .g = g, .cfg = cfg, .err = err };
    *stats = (struct load_stats){ .nodes = g->n_nodes, .edges = g->n_edges };
    hash_sha256((struct sv){ g->raw, g->raw_bytes }, l.graph);
    sort_edges(&l);
    int rc = load_steps(&l, stats);
    free(l.by_kind);
    buf_release(&l.rows);
    buf_release(&l.params);
    return rc;
}
