// SPDX-License-Identifier: MIT
/*
 * query.c — linking, walking and writing for one query record
 */
#include "query.h"

#include <math.h>
#include <time.h>

#include "alloc.h"
#include "near.h"
#include "render.h"
#include "schema.h"
#include "topk.h"
#include "value_put.h"

#define QUERIES_WEIGHT 0.8f
#define KEYWORD_WEIGHT 0.6f
#define HIT_WEIGHT 0.4f
#define WHERE_WEIGHT 0.3f
#define HIT_LINKS 5        /* nodes they may add */
#define CHUNK_SENTENCES 12 /* of a chunk that are given */
#define READ_HITS 3        /* unknown chunks that are read for names */

/* Make the scratch when there is none yet. */
static void query_worker_start(struct query_worker *qw, const struct query *q)
{
    if (qw->walk)
        return;
    qw->walk = walk_new(q->g);
    qw->terms = terms_new(q->analyzer);
}

void query_worker_release(struct query_worker *qw)
{
    walk_free(qw->walk);
    terms_free(qw->terms);
    links_release(&qw->links);
    buf_release(&qw->names);
    *qw = (struct query_worker){ 0 };
}

/* ---- the record ---- */

struct input {
    struct sv query, class_name;
    jv queries, keywords, entities, hits;
    double depth;
    const char *depth_why; /* static */
};

static long depth_of_class(struct sv name)
{
    static const long depths[] = { 1, 2, 2, 3 };
    struct sv rest = SV(CLASS_NAMES), one;
    for (size_t i = 0; i < ARRAY_LEN(depths) && sv_cut(&rest, '|', &one); i++)
        if (sv_eq(one, name))
            return depths[i];
    return 0;
}

static int read_depth(struct input *in, jv record, const struct query_cfg *cfg, struct err *err)
{
    int has = json_opt_num(record, F_DEPTH, &in->depth, err);
    if (has < 0)
        return -1;
    if (has) {
        if (!(in->depth >= 1 && in->depth <= 10 && floor(in->depth) == in->depth))
            return err_set(err, EXIT_REJECTED, "field \"%s\": expected a whole number, 1 to 10",
                           F_DEPTH);
        in->depth_why = "record";
        return 0;
    }
    if (json_opt_str(record, F_CLASS, &in->class_name, err) < 0)
        return -1;
    in->depth = (double)depth_of_class(in->class_name);
    in->depth_why = "class";
    if (in->depth == 0) {
        in->depth = (double)cfg->walk.depth;
        in->depth_why = "default";
    }
    return 0;
}

static int read_input(struct input *in, jv record, const struct query_cfg *cfg, struct err *err)
{
    *in = (struct input){ .query = SV_NONE,
                          .class_name = SV_NONE,
                          .queries = jv_null(),
                          .keywords = jv_null(),
                          .entities = jv_null(),
                          .hits = jv_null() };
    int has = json_opt_str(record, F_QUERY, &in->query, err);
    int queries = json_opt_array(record, F_QUERIES, &in->queries, err);
    if (has < 0 || queries < 0 || json_opt_array(record, F_KEYWORDS, &in->keywords, err) < 0 ||
        json_opt_array(record, F_ENTITIES, &in->entities, err) < 0 ||
        json_opt_array(record, F_VECTOR_HITS, &in->hits, err) < 0)
        return -1;
    if (!has && !json_len(in->queries) && !json_len(in->keywords) && !json_len(in->entities))
        return err_set(err, EXIT_REJECTED, "field \"%s\": expected string", F_QUERY);
    if (!has)
        in->query = json_sv(json_at(in->queries, 0));
    return read_depth(in, record, cfg, err);
}

int query_depth(jv record, const struct query_cfg *cfg, long *depth, struct err *err)
{
    struct input in;
    if (read_input(&in, record, cfg, err) < 0)
        return -1;
    *depth = (long)in.depth;
    return 0;
}

/* ---- linking ---- */

static void link_entities(const struct query *q, struct query_worker *qw,
                          const struct input *in)
{
    for (size_t i = 0; i < json_len(in->entities); i++) {
        jv e = json_at(in->entities, i);
        struct links found = { 0 };
        struct sv name = json_is_str(e) ? json_sv(e) : json_sv(json_get(e, "name"));
        struct sv node = json_is_object(e) ? json_sv(json_get(e, "node")) : SV_NONE;
        /* An entity that this tool took from the hits in an earlier pass stays what it was. */
        bool is_hit = json_is_object(e) && sv_is(json_sv(json_get(e, "via")), "hit");
        if (!(node.n && link_name(q->g, node, &found)) && name.n)
            link_name(q->g, name, &found);
        for (size_t k = 0; k < found.n; k++) {
            found.items[k].weight = is_hit ? HIT_WEIGHT : 1;
            found.items[k].via = is_hit ? "hit" : "entity";
            links_add(&qw->links, &found.items[k]);
        }
        links_release(&found);
    }
}

static void link_list(const struct query *q, struct query_worker *qw, jv list, size_t from,
                      float weight, const char *via)
{
    for (size_t i = from; i < json_len(list); i++) {
        struct sv s = json_sv(json_at(list, i));
        if (s.n)
            link_text(q->g, qw->terms, s, weight, via, &qw->links);
    }
}

static void link_model(const struct query *q, struct query_worker *qw)
{
    struct sv rest = buf_view(&qw->names), name;
    while (rest.n && sv_cut(&rest, '\n', &name)) {
        struct links found = { 0 };
        if (name.n)
            link_name(q->g, name, &found);
        for (size_t k = 0; k < found.n; k++) {
            found.items[k].via = "model";
            links_add(&qw->links, &found.items[k]);
        }
        links_release(&found);
    }
}

/* A node met in the hits, and how much speaks for it. */
struct met {
    uint32_t node;
    double score;
};

struct mets {
    struct met *items;
    size_t n, cap;
};

static void meet(const struct grg *g, struct mets *m, uint32_t node, double score)
{
    if (node >= g->n_nodes || !grg_is_thing(g, node))
        return;
    score /= log2(2 + grg_degree(g, node)) * (link_is_vague(g, node) ? 2 : 1);
    for (size_t i = 0; i < m->n; i++)
        if (m->items[i].node == node) {
            m->items[i].score += score;
            return;
        }
    if (m->n == m->cap) {
        m->cap = alloc_grow(m->cap, m->n + 1);
        m->items = alloc_resize(m->items, m->cap, sizeof *m->items);
    }
    m->items[m->n++] = (struct met){ node, score };
}

static void meet_chunk(const struct grg *g, struct mets *m, struct grg_range r, double score)
{
    for (uint32_t i = r.from; i < r.to && i < r.from + 500; i++) {
        const struct grg_edge *e = grg_edge(g, grg_triple(g, g->chunks[i])->edge);
        meet(g, m, e->head, score);
        meet(g, m, e->tail, score);
    }
}

static void link_hits(const struct query *q, struct query_worker *qw, const struct input *in)
{
    struct mets m = { 0 };
    int n_read = 0;
    for (size_t i = 0; i < json_len(in->hits) && i < QUERY_MAX_HITS; i++) {
        jv hit = json_at(in->hits, i);
        struct sv id = json_sv(json_get(hit, F_ID)), text = json_sv(json_get(hit, F_TEXT));
        struct grg_range r = id.n ? grg_chunk(q->g, id) : (struct grg_range){ 0, 0 };
        double score = 1.0 / (1.0 + (double)i);
        meet_chunk(q->g, &m, r, score);
        if (r.from < r.to || !text.n || n_read++ >= READ_HITS)
            continue;
        struct links found = { 0 };
        link_text(q->g, qw->terms, text, 1, "hit", &found);
        for (size_t k = 0; k < found.n; k++)
            meet(q->g, &m, found.items[k].node, score * (double)found.items[k].weight);
        links_release(&found);
    }
    struct topk best;
    topk_init(&best, HIT_LINKS);
    for (size_t i = 0; i < m.n; i++)
        topk_push(&best, m.items[i].score, i);
    topk_sort(&best);
    for (size_t i = 0; i < best.n; i++)
        links_add(&qw->links, &(struct link){ .node = m.items[best.items[i].ord].node,
                                              .weight = HIT_WEIGHT,
                                              .via = "hit" });
    topk_release(&best);
    free(m.items);
}

/* Nodes linked by the question; the vector hits are asked when they are few. */
static size_t link_all(const struct query *q, struct query_worker *qw, const struct input *in)
{
    qw->links.n = 0;
    if (q->cfg.link != QUERY_LINK_HITS) {
        link_entities(q, qw, in);
        link_model(q, qw);
        link_text(q->g, qw->terms, in->query, 1, "query", &qw->links);
        link_list(q, qw, in->queries, 1, QUERIES_WEIGHT, "query");
        link_list(q, qw, in->keywords, 0, KEYWORD_WEIGHT, "keyword");
    }
    if (q->cfg.link != QUERY_LINK_HITS && !qw->links.n)
        near_text(q->g, qw->terms, in->query, &qw->links);
    size_t n = qw->links.n, n_sure = 0;
    for (size_t i = 0; i < n; i++)
        n_sure += !link_is_vague(q->g, qw->links.items[i].node);
    if (q->cfg.link == QUERY_LINK_HITS ||
        (q->cfg.link == QUERY_LINK_BOTH && n_sure < QUERY_FEW_LINKS))
        link_hits(q, qw, in);
    return n;
}

/* ---- writing ---- */

static void put_number(struct buf *out, const char *key, double v)
{
    json_key(out, key);
    json_put_num(out, round(v * 1e4) / 1e4);
}

void query_put_fact(struct buf *out, const struct grg *g, uint32_t edge, uint32_t triple,
                    struct sv extra)
{
    const struct grg_edge *e = grg_edge(g, edge);
    const struct grg_triple *t = grg_triple(g, triple);
    json_open(out, '{');
    json_key(out, "head");
    json_put_str(out, grg_str(g, grg_node(g, e->head)->name));
    json_key(out, "relation");
    json_put_str(out, grg_str(g, e->relation));
    json_key(out, "tail");
    json_put_str(out, grg_str(g, grg_node(g, e->tail)->name));
    value_put(out, g, e);
    if (e->value < g->n_values)
        value_put_of(out, g, triple);
    render_stance(out, g, edge);
    if (extra.n)
        json_put_raw(out, extra);
    put_number(out, "confidence", (double)e->confidence);
    json_key(out, "support");
    json_put_int(out, e->n_papers);
    json_add_str(out, F_PAPER, grg_str(g, t->paper));
    json_add_str(out, "chunk", grg_str(g, t->chunk));
    if (t->end > t->start) {
        json_key(out, "start");
        json_put_int(out, t->start);
        json_key(out, "end");
        json_put_int(out, t->end);
    }
    json_add_str(out, "evidence", grg_str(g, t->evidence));
    json_close(out, '}');
}

/* hops, score, and for what is further away the nodes on the way. */
static void put_extra(struct buf *out, const struct walk *w, const struct fact *f,
                      bool wants_triple)
{
    const struct grg *g = w->g;
    const struct grg_edge *e = grg_edge(g, f->edge);
    uint32_t path[12];
    json_key(out, "hops");
    json_put_int(out, f->hops);
    put_number(out, "score", f->score);
    if (f->hops > 1) {
        uint32_t near = w->dist[e->head] <= w->dist[e->tail] ? e->head : e->tail;
        size_t n = walk_path(w, near, path, ARRAY_LEN(path));
        json_key(out, "via");
        json_open(out, '[');
        for (size_t i = 0; i < n; i++)
            json_put_str(out, grg_str(g, grg_node(g, path[i])->name));
        json_close(out, ']');
    }
    struct err ignored;
    jv v;
    if (wants_triple && json_parse(&v, grg_raw(g, f->triple), &ignored) == 0) {
        json_key(out, "triple");
        json_put_raw(out, grg_raw(g, f->triple));
        json_free(v);
    }
}

static void put_entity(struct buf *out, const struct grg *g, const struct link *l)
{
    const struct grg_node *n = grg_node(g, l->node);
    json_open(out, '{');
    json_key(out, "name");
    json_put_str(out, grg_str(g, n->name));
    json_key(out, "type");
    json_put_str(out, grg_str(g, n->type));
    json_key(out, "node");
    json_put_str(out, grg_str(g, n->id));
    json_key(out, "via");
    json_put_str(out, sv_from(l->via));
    put_number(out, "weight", (double)l->weight);
    json_close(out, '}');
}

/* Given entities that no node answers to stay as they came. */
static void put_entities(struct buf *out, const struct query *q, const struct query_worker *qw,
                         const struct input *in)
{
    json_key(out, F_ENTITIES);
    json_open(out, '[');
    for (size_t i = 0; i < qw->links.n; i++)
        put_entity(out, q->g, &qw->links.items[i]);
    for (size_t i = 0; i < json_len(in->entities); i++) {
        jv e = json_at(in->entities, i);
        struct links found = { 0 };
        struct sv name = json_is_str(e) ? json_sv(e) : json_sv(json_get(e, "name"));
        struct sv node = json_is_object(e) ? json_sv(json_get(e, "node")) : SV_NONE;
        size_t n = q->cfg.link == QUERY_LINK_HITS            ? 0
                   : node.n && link_name(q->g, node, &found) ? 1
                   : name.n                                  ? link_name(q->g, name, &found)
                                                             : 0;
        if (!n)
            json_put_jv(out, e);
        links_release(&found);
    }
    json_close(out, ']');
}

static void put_names(struct buf *out, const struct grg *g, const uint32_t *nodes, size_t n)
{
    json_open(out, '[');
    for (size_t i = 0; i < n; i++)
        json_put_str(out, grg_str(g, grg_node(g, nodes[i])->name));
    json_close(out, ']');
}

/* The sentences of a chunk that facts were read in, in their order; what was left out reads as
 * gr-fuse has it. */
static void put_sentences(struct buf *out, const struct grg *g, uint32_t chunk)
{
    struct grg_range r = grg_chunk(g, grg_str(g, chunk));
    struct sentence {
        uint32_t start, text;
    } best[CHUNK_SENTENCES];
    size_t n = 0;
    for (uint32_t i = r.from; i < r.to && i < r.from + 500; i++) {
        const struct grg_triple *t = grg_triple(g, g->chunks[i]);
        size_t at = n;
        bool is_there = !grg_str(g, t->evidence).n || grg_stance(g, t->edge) & GRG_UNSUPPORTED;
        for (size_t k = 0; k < n; k++)
            is_there |= best[k].text == t->evidence;
        while (at > 0 && best[at - 1].start > t->start)
            at--;
        if (is_there || at == CHUNK_SENTENCES)
            continue;
        n += n < CHUNK_SENTENCES;
        memmove(&best[at + 1], &best[at], (n - at - 1) * sizeof best[0]);
        best[at] = (struct sentence){ t->start, t->evidence };
    }
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < n; i++) {
        buf_str(&b, i ? " […] " : "");
        buf_sv(&b, grg_str(g, best[i].text));
    }
    json_add_str(out, F_TEXT, buf_view(&b));
    buf_release(&b);
}

static void put_chunks(struct buf *out, const struct walk *w)
{
    json_key(out, F_GRAPH_CHUNKS);
    json_open(out, '[');
    for (size_t i = 0; i < w->n_chunks; i++) {
        json_open(out, '{');
        json_key(out, F_ID);
        json_put_str(out, grg_str(w->g, w->chunks[i].chunk));
        json_add_str(out, F_PAPER, grg_str(w->g, w->chunks[i].paper));
        put_number(out, "score", w->chunks[i].score);
        put_sentences(out, w->g, w->chunks[i].chunk);
        json_close(out, '}');
    }
    json_close(out, ']');
}

/* In words, what was decided. */
static void put_why(struct buf *out, const struct query *q, const struct query_worker *qw,
                    const struct input *in)
{
    const struct walk *w = qw->walk;
    struct buf b = BUF_INIT;
    if (qw->links.n == 0) {
        buf_str(&b, "no name of the graph in the question or its hits: no facts");
    } else {
        buf_printf(&b, "depth %ld by %s", (long)in->depth, in->depth_why);
        if (w->widened)
            buf_printf(&b, "; widened to %ld: fewer than %ld facts", w->depth,
                       q->cfg.walk.min_facts);
        else if (w->depth < (long)in->depth && !w->narrowed)
            buf_printf(&b, "; all is reached at %ld", w->depth);
        if (w->narrowed)
            buf_printf(&b, "; narrowed to %ld: one more would pass %ld nodes", w->depth,
                       q->cfg.walk.max_nodes);
        if (w->is_cut)
            buf_printf(&b, "; only the nearest %ld nodes", q->cfg.walk.max_nodes);
        if (qw->links.n > qw->n_linked)
            buf_printf(&b, "; begun anew with %zu things of such values",
                       qw->links.n - qw->n_linked);
        if (w->n_hubs)
            buf_printf(&b, "; of %zu hub%s only the best %ld edges are walked", w->n_hubs,
                       w->n_hubs > 1 ? "s" : "", q->cfg.walk.max_degree);
    }
    json_key(out, "why");
    json_put_str(out, buf_view(&b));
    buf_release(&b);
}

/* Few facts that meet --where are near what the question names: begin at things anywhere in the
 * graph that have such facts, those of the surest first. False: there are none. */
static bool link_where(const struct query *q, struct query_worker *qw)
{
    const struct grg *g = q->g;
    struct topk best;
    size_t before = qw->links.n;
    topk_init(&best, (size_t)q->cfg.walk.limit);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        const struct grg_edge *x = grg_edge(g, e);
        double sure = (double)x->confidence;
        if (x->value < g->n_values && sure >= 0 && sure <= 1 && topk_wants(&best, sure, e) &&
            filter_reaches(&q->filter, grg_node(g, x->head)->type) &&
            filter_gives(&q->filter, g, x))
            topk_push(&best, sure, e);
    }
    topk_sort(&best);
    for (size_t i = 0; i < best.n; i++)
        links_add(&qw->links,
                  &(struct link){ .node = grg_edge(g, (uint32_t)best.items[i].ord)->head,
                                  .weight = WHERE_WEIGHT,
                                  .via = "where" });
    topk_release(&best);
    return qw->links.n > before;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void put_trace(struct buf *out, const struct query *q, const struct query_worker *qw,
                      const struct input *in, size_t n_asked, const struct rec *r, double since)
{
    const struct walk *w = qw->walk;
    struct buf b = BUF_INIT;
    json_open(&b, '{');
    json_key(&b, "tool");
    json_put_str(&b, SV("gr-gquery"));
    put_why(&b, q, qw, in);
    const struct {
        const char *key;
        size_t n;
    } counts[] = { { "links", n_asked },
                   { "links_from_hits", qw->n_linked - n_asked },
                   { "depth", (size_t)w->depth },
                   { "nodes", w->n_reached },
                   { "facts", w->n_candidates },
                   { "returned", w->n_facts },
                   { "redundant", w->n_redundant },
                   { "passages", w->n_chunks } };
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        json_key(&b, counts[i].key);
        json_put_int(&b, (int64_t)counts[i].n);
    }
    if (w->n_hubs) {
        json_key(&b, "hubs");
        put_names(&b, q->g, w->hubs, w->n_hubs < WALK_HUBS ? w->n_hubs : WALK_HUBS);
    }
    if (q->cfg.has_timings)
        put_number(&b, "ms", now_ms() - since);
    json_close(&b, '}');
    rec_append(out, r, F_TRACE, buf_view(&b));
    buf_release(&b);
}

int query_record(const struct query *q, struct query_worker *qw, const struct rec *r,
                 struct buf *out, struct err *err)
{
    static const char *const drop[] = { F_ENTITIES, F_GRAPH_HITS, F_GRAPH_CHUNKS, F_TRACE };
    struct input in;
    double since = q->cfg.has_timings ? now_ms() : 0;
    if (read_input(&in, r->v, &q->cfg, err) < 0)
        return -1;
    query_worker_start(qw, q);
    size_t n_asked = link_all(q, qw, &in);
    qw->n_linked = qw->links.n;
    walk_reset(qw->walk);
    walk_terms(qw->walk, qw->terms, in.query);
    for (size_t i = 0; i < json_len(in.hits) && i < QUERY_MAX_HITS; i++) {
        jv hit = json_at(in.hits, i);
        walk_hit(qw->walk, json_sv(json_get(hit, F_ID)), json_sv(json_get(hit, F_PAPER)),
                 json_num(json_get(hit, "score")));
    }
    struct walk_cfg cfg = q->cfg.walk;
    cfg.depth = (long)in.depth;
    walk_run(qw->walk, &qw->links, &q->filter, &cfg);
    if (q->filter.where && qw->walk->n_facts < (size_t)cfg.min_facts && link_where(q, qw)) {
        walk_again(qw->walk);
        walk_run(qw->walk, &qw->links, &q->filter, &cfg);
    }
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    put_entities(out, q, qw, &in);
    json_key(out, F_GRAPH_HITS);
    json_open(out, '[');
    struct buf extra = BUF_INIT;
    for (size_t i = 0; i < qw->walk->n_facts; i++) {
        const struct fact *f = &qw->walk->facts[i];
        buf_reset(&extra);
        put_extra(&extra, qw->walk, f, q->cfg.wants_triples);
        query_put_fact(out, q->g, f->edge, f->triple, buf_view(&extra));
    }
    json_close(out, ']');
    buf_release(&extra);
    put_chunks(out, qw->walk);
    put_trace(out, q, qw, &in, n_asked, r, since);
    rec_end(out);
    return 0;
}
