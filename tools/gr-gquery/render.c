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

/* Behind a key: any text. Leaves ROOM behind it. */
static bool pen_any(struct pen *p, struct sv s)
{
    pen_lift(p);
    p->at = NULL;
    json_put_str(p->out, s);
    return pen_room(p, ROOM);
}

/* "key":"string s"; leaves ROOM behind it. False: no more room. */
ALWAYS bool pen_str(struct pen *p, const char *key, size_t n, const struct grg *g, uint32_t s)
{
    struct sv v = bytes_of(g, s);
    if (!pen_room(p, n + v.n + 2 + ROOM))
        return false;
    pen_text(p, key, n);
    return pen_plain(p, v) || pen_any(p, grg_str(g, s));
}
#define PEN_STR(p, key, g, s) pen_str(p, "" key, sizeof(key) - 1, g, s)

/* The same, or nothing when the string is empty or no UTF-8. */
ALWAYS bool pen_member(struct pen *p, const char *key, size_t n, const struct grg *g,
                       uint32_t s)
{
    struct sv v = bytes_of(g, s);
    if (!v.n)
        return true;
    if (!pen_room(p, n + v.n + 2 + ROOM))
        return false;
    pen_text(p, key, n);
    if (pen_plain(p, v))
        return true;
    v = grg_str(g, s);
    if (v.n)
        return pen_any(p, v);
    p->at -= n;
    return true;
}
#define PEN_MEMBER(p, key, g, s) pen_member(p, "" key, sizeof(key) - 1, g, s)

/* ---- things ---- */

void render_nodes(struct buf *out, const struct grg *g, const uint32_t *nodes, size_t n)
{
    struct pen p = { .out = out };
    for (size_t i = 0; i < n && pen_room(&p, ROOM); i++) {
        const struct grg_node *x = grg_node(g, nodes[i]);
        if (i)
            PEN(&p, ",");
        if (!PEN_STR(&p, "{\"name\":", g, x->name) ||
            !PEN_MEMBER(&p, ",\"type\":", g, x->type) ||
            !PEN_MEMBER(&p, ",\"node\":", g, x->id))
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

/* From head to evidence; an edge without a value. */
static bool pen_fact(struct pen *p, const struct grg *g, const struct grg_edge *e,
                     const struct grg_triple *t, struct number *last)
{
    if (!PEN_STR(p, "{\"head\":", g, grg_node(g, e->head)->name) ||
        !PEN_STR(p, ",\"relation\":", g, e->relation) ||
        !PEN_STR(p, ",\"tail\":", g, grg_node(g, e->tail)->name))
        return false;
    pen_confidence(p, last, e->confidence);
    PEN(p, ",\"support\":");
    pen_uint(p, e->n_papers);
    if (!PEN_MEMBER(p, ",\"paper\":", g, t->paper) ||
        !PEN_MEMBER(p, ",\"chunk\":", g, t->chunk))
        return false;
    if (t->end > t->start) {
        PEN(p, ",\"start\":");
        pen_uint(p, t->start);
        PEN(p, ",\"end\":");
        pen_uint(p, t->end);
    }
    if (!PEN_MEMBER(p, ",\"evidence\":", g, t->evidence))
        return false;
    PEN(p, "}");
    return true;
}

/* Strings are all over the file: those of facts to come are fetched while this one is written,
 * the numbers that lead to them before. A wrong number fetches nothing of harm. */
static void look_ahead(const struct grg *g, const uint32_t *edges, size_t left)
{
    enum { NODE = 12, PLACE = 8, TEXT = 4 };
    if (left > NODE) {
        const struct grg_edge *e = grg_edge(g, edges[NODE]);
        __builtin_prefetch(grg_node(g, e->tail));
        __builtin_prefetch(grg_triple(g, grg_triples_of(g, edges[NODE]).from));
    }
    if (left > PLACE) {
        const struct grg_edge *e = grg_edge(g, edges[PLACE]);
        const struct grg_triple *t = grg_triple(g, grg_triples_of(g, edges[PLACE]).from);
        __builtin_prefetch(g->str_at + grg_node(g, e->tail)->name);
        __builtin_prefetch(g->str_at + t->chunk);
    }
    if (left > TEXT) {
        const struct grg_edge *e = grg_edge(g, edges[TEXT]);
        const struct grg_triple *t = grg_triple(g, grg_triples_of(g, edges[TEXT]).from);
        __builtin_prefetch(bytes_of(g, grg_node(g, e->tail)->name).p);
        __builtin_prefetch(bytes_of(g, t->chunk).p);
    }
}

void render_facts(struct buf *out, const struct grg *g, const uint32_t *edges, size_t n)
{
    struct pen p = { .out = out };
    struct number last = { 0 };
    for (size_t i = 0; i < n && pen_room(&p, ROOM); i++) {
        const struct grg_edge *e = grg_edge(g, edges[i]);
        uint32_t first = grg_triples_of(g, edges[i]).from;
        look_ahead(g, edges + i, n - i);
        if (e->value < g->n_values) { /* numbers: printing takes the time anyway */
            pen_lift(&p);
            p.at = NULL;
            query_put_fact(out, g, edges[i], first, SV_NONE);
            continue;
        }
        if (i)
            PEN(&p, ",");
        if (!pen_fact(&p, g, e, grg_triple(g, first), &last))
            break;
    }
    pen_lift(&p);
}
