// SPDX-License-Identifier: MIT
/*
 * render.c — a pen over reserved room
 */
#include "render.h"

#include <math.h>

#include "json.h"
#include "query.h"

#define ROOM 512   /* what the fixed text and the numbers of one thing fit into */
#define STEP 65536 /* room is made for so many bytes more than is needed */

/* Known lengths make copies of single moves: worth a larger program here. */
#define ALWAYS __attribute__((always_inline)) static inline

/* Bytes go to [at, end), which is reserved behind out->data[out->len]. at NULL: out is full. */
struct pen {
    struct buf *out;
    char *at, *end;
};

static void pen_lift(struct pen *p)
{
    if (p->at)
        buf_commit(p->out, (size_t)(p->at - (p->out->data + p->out->len)));
}

static bool pen_grow(struct pen *p, size_t n)
{
    pen_lift(p);
    p->at = buf_reserve(p->out, n + STEP);
    p->end = p->at ? p->at + n + STEP : NULL;
    return p->at != NULL;
}

/* Room for n bytes; false when out may not grow so far. */
ALWAYS bool pen_room(struct pen *p, size_t n)
{
    return (p->at && (size_t)(p->end - p->at) >= n) || pen_grow(p, n);
}

/* In reserved room. */
ALWAYS void pen_text(struct pen *p, const char *text, size_t n)
{
    memcpy(p->at, text, n);
    p->at += n;
}
#define PEN(p, lit) pen_text(p, "" lit, sizeof(lit) - 1)

static void pen_uint(struct pen *p, uint32_t v)
{
    char digits[32];
    size_t at = 16;
    if (v < 10) { /* mostly */
        *p->at++ = (char)('0' + v);
        return;
    }
    do
        digits[--at] = (char)('0' + v % 10);
    while (v /= 10);
    memcpy(p->at, digits + at, 16); /* of a known length, and there is room */
    p->at += 16 - at;
}

/* Bytes of string s of the file; it may be no UTF-8. */
ALWAYS struct sv bytes_of(const struct grg *g, uint32_t s)
{
    if (s >= g->n_strings)
        return SV_NONE;
    uint64_t from = g->str_at[s], to = g->str_at[s + 1];
    if (from > to || to > g->str_bytes)
        return SV_NONE;
    return (struct sv){ g->str + from, (size_t)(to - from) };
}

/* Text with its quotes, when it needs no more than copying; room is there. */
ALWAYS bool pen_plain(struct pen *p, struct sv s)
{
    if (!json_copy_plain(p->at + 1, s))
        return false;
    p->at[0] = p->at[s.n + 1] = '"';
    p->at += s.n + 2;
    return true;
}

/* Behind a key: a string of any text; then there is room for n bytes more. */
static bool pen_any(struct pen *p, struct sv s, size_t n)
{
    pen_lift(p);
    p->at = NULL;
    json_put_str(p->out, s);
    return pen_room(p, n);
}

/* One member of a thing. */
struct member {
    const struct grg *g;
    uint32_t s;      /* string of the file */
    struct sv bytes; /* of it */
};

ALWAYS struct member member_of(const struct grg *g, uint32_t s)
{
    return (struct member){ g, s, bytes_of(g, s) };
}

/* key and the string, in room that is there; n: what is needed for the rest. False: out is
 * full. */
ALWAYS bool pen_str(struct pen *p, const char *key, size_t n_key, struct member m, size_t n)
{
    pen_text(p, key, n_key);
    return pen_plain(p, m.bytes) || pen_any(p, grg_str(m.g, m.s), n);
}
#define PEN_STR(p, key, m, n) pen_str(p, "" key, sizeof(key) - 1, m, n)

/* The same, or nothing when the string is empty or no UTF-8. */
ALWAYS bool pen_member(struct pen *p, const char *key, size_t n_key, struct member m, size_t n)
{
    if (!m.bytes.n)
        return true;
    pen_text(p, key, n_key);
    if (pen_plain(p, m.bytes))
        return true;
    if (grg_str(m.g, m.s).n)
        return pen_any(p, grg_str(m.g, m.s), n);
    p->at -= n_key;
    return true;
}
#define PEN_MEMBER(p, key, m, n) pen_member(p, "" key, sizeof(key) - 1, m, n)

/* ---- things ---- */

/* As for facts, below. */
ALWAYS void look_ahead_nodes(const struct grg *g, const uint32_t *nodes, size_t left)
{
    enum { NUMBERS = 18, PLACES = 12, TEXTS = 6 };
    if (left > NUMBERS && nodes[NUMBERS] < g->n_nodes)
        __builtin_prefetch(&g->nodes[nodes[NUMBERS]]);
    if (left > PLACES && nodes[PLACES] < g->n_nodes) {
        const struct grg_node *x = &g->nodes[nodes[PLACES]];
        __builtin_prefetch(&g->str_at[x->name < g->n_strings ? x->name : 0]);
        __builtin_prefetch(&g->str_at[x->id < g->n_strings ? x->id : 0]);
    }
    if (left > TEXTS && nodes[TEXTS] < g->n_nodes) {
        const struct grg_node *x = &g->nodes[nodes[TEXTS]];
        __builtin_prefetch(bytes_of(g, x->name).p);
        __builtin_prefetch(bytes_of(g, x->id).p);
    }
}

void render_nodes(struct buf *out, const struct grg *g, const uint32_t *nodes, size_t n)
{
    struct pen p = { .out = out };
    for (size_t i = 0; i < n; i++) {
        look_ahead_nodes(g, nodes + i, n - i);
        const struct grg_node *x = grg_node(g, nodes[i]);
        struct member name = member_of(g, x->name), type = member_of(g, x->type),
                      id = member_of(g, x->id);
        size_t need = name.bytes.n + type.bytes.n + id.bytes.n + ROOM;
        if (!pen_room(&p, need))
            break;
        if (i)
            PEN(&p, ",");
        if (!PEN_STR(&p, "{\"name\":", name, need) ||
            !PEN_MEMBER(&p, ",\"type\":", type, need) ||
            !PEN_MEMBER(&p, ",\"node\":", id, need))
            break;
        PEN(&p, "}");
    }
    pen_lift(&p);
}

/* The text of the last confidence, mostly that of the next. */
struct number {
    float v;
    size_t n;
    char text[32];
};

static void number_set(struct number *number, float v)
{
    struct buf b = BUF_INIT;
    json_put_num(&b, round((double)v * 1e4) / 1e4);
    number->v = v;
    number->n = b.len < sizeof number->text ? b.len : sizeof number->text;
    memcpy(number->text, b.data, number->n);
    buf_release(&b);
}

static void pen_confidence(struct pen *p, struct number *last, float v)
{
    if (!last->n || memcmp(&last->v, &v, sizeof v) != 0)
        number_set(last, v);
    PEN(p, ",\"confidence\":");
    memcpy(p->at, last->text, sizeof last->text);
    p->at += last->n;
}

/* An edge whose numbers are right, which has no value and is plainly said; its first triple. */
struct plain {
    const struct grg_edge *e;
    const struct grg_triple *t;
};

ALWAYS bool plain_of(const struct grg *g, uint32_t edge, struct plain *x)
{
    if (edge >= g->n_edges)
        return false;
    x->e = &g->edges[edge];
    uint32_t first = g->edge_at[edge];
    x->t = &g->triples[first < g->n_triples ? first : 0];
    return x->e->head < g->n_nodes && x->e->tail < g->n_nodes && x->e->value == GRG_NONE &&
           !grg_stance(g, edge) && first < g->edge_at[edge + 1] &&
           g->edge_at[edge + 1] <= g->n_triples;
}

/* As query_put_fact. */
static bool pen_fact(struct pen *p, const struct grg *g, struct plain x, struct number *last)
{
    struct member head = member_of(g, g->nodes[x.e->head].name),
                  relation = member_of(g, x.e->relation),
                  tail = member_of(g, g->nodes[x.e->tail].name),
                  paper = member_of(g, x.t->paper), chunk = member_of(g, x.t->chunk),
                  evidence = member_of(g, x.t->evidence);
    size_t need = head.bytes.n + relation.bytes.n + tail.bytes.n + paper.bytes.n +
                  chunk.bytes.n + evidence.bytes.n + ROOM;
    if (!pen_room(p, need) || !PEN_STR(p, "{\"head\":", head, need) ||
        !PEN_STR(p, ",\"relation\":", relation, need) || !PEN_STR(p, ",\"tail\":", tail, need))
        return false;
    pen_confidence(p, last, x.e->confidence);
    PEN(p, ",\"support\":");
    pen_uint(p, x.e->n_papers);
    if (!PEN_MEMBER(p, ",\"paper\":", paper, need) ||
        !PEN_MEMBER(p, ",\"chunk\":", chunk, need))
        return false;
    if (x.t->end > x.t->start) {
        PEN(p, ",\"start\":");
        pen_uint(p, x.t->start);
        PEN(p, ",\"end\":");
        pen_uint(p, x.t->end);
    }
    if (!PEN_MEMBER(p, ",\"evidence\":", evidence, need))
        return false;
    PEN(p, "}");
    return true;
}

/* Strings are all over the file: those of a fact to come are fetched while this one is written,
 * and before them the numbers that lead to them. */
ALWAYS void look_ahead(const struct grg *g, const uint32_t *edges, size_t left)
{
    enum { EDGE = 26, NUMBERS = 18, PLACES = 12, TEXTS = 6 };
    struct plain x;
    if (left > EDGE && edges[EDGE] < g->n_edges) {
        __builtin_prefetch(&g->edges[edges[EDGE]]);
        __builtin_prefetch(&g->edge_at[edges[EDGE]]);
    }
    if (left > NUMBERS && edges[NUMBERS] < g->n_edges) {
        uint32_t e = edges[NUMBERS], tail = g->edges[e].tail, first = g->edge_at[e];
        __builtin_prefetch(&g->nodes[tail < g->n_nodes ? tail : 0]);
        __builtin_prefetch(&g->triples[first < g->n_triples ? first : 0]);
    }
    if (left > PLACES && plain_of(g, edges[PLACES], &x)) {
        uint32_t name = g->nodes[x.e->tail].name;
        __builtin_prefetch(&g->str_at[name < g->n_strings ? name : 0]);
        __builtin_prefetch(&g->str_at[x.t->chunk < g->n_strings ? x.t->chunk : 0]);
        __builtin_prefetch(&g->str_at[x.t->paper < g->n_strings ? x.t->paper : 0]);
    }
    if (left > TEXTS && plain_of(g, edges[TEXTS], &x)) {
        __builtin_prefetch(bytes_of(g, g->nodes[x.e->tail].name).p);
        __builtin_prefetch(bytes_of(g, x.t->chunk).p);
        __builtin_prefetch(bytes_of(g, x.t->paper).p);
    }
}

void render_facts(struct buf *out, const struct grg *g, const uint32_t *edges, size_t n)
{
    struct pen p = { .out = out };
    struct number last = { .n = 0 };
    struct plain x;
    for (size_t i = 0; i < n; i++) {
        look_ahead(g, edges + i, n - i);
        if (!plain_of(g, edges[i], &x)) { /* a value: printing numbers takes the time anyway */
            pen_lift(&p);
            p.at = NULL;
            query_put_fact(out, g, edges[i], grg_triples_of(g, edges[i]).from, SV_NONE);
            continue;
        }
        if (i && pen_room(&p, ROOM))
            PEN(&p, ",");
        if (!pen_fact(&p, g, x, &last))
            break;
    }
    pen_lift(&p);
}

void render_stance(struct buf *out, const struct grg *g, uint32_t edge)
{
    unsigned stance = grg_stance(g, edge);
    if (stance & GRG_DENIED)
        json_add_str(out, "polarity", SV("negative"));
    if (stance & GRG_UNSUPPORTED) {
        json_key(out, "unsupported");
        json_put_bool(out, true);
    }
}
