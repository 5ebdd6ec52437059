// SPDX-License-Identifier: MIT
/*
 * columns_build.c — gathering members, sorting values, writing the two sections
 */
#include "columns.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "map.h"
#include "schema.h"

#define OWN_CODES 3 /* null, false, true */
#define FREE_BYTES ((size_t)64 << 10)

/* A member while it is gathered. Values are numbered as they come: the keys of `values` are a
 * byte of enum where_type and the bytes of the number or string. */
struct gather {
    struct map *values; /* NULL: left out */
    size_t n_bytes;
    uint32_t *of; /* (n) 1 + ordinal of each record's value; 0: null or absent */
};

struct gathering {
    struct map *names;
    struct gather *members; /* one each name */
    size_t cap, n_docs;
    struct buf text, key;
};

/* ---- gathering ---- */

static void leave_out(struct gather *m)
{
    map_free(m->values);
    free(m->of);
    *m = (struct gather){ 0 };
}

static struct gather *member_of(struct gathering *g, struct sv name)
{
    bool is_new;
    size_t i = map_put(g->names, name, &is_new);
    if (i == g->cap) {
        g->cap = alloc_grow(g->cap, i + 1);
        g->members = alloc_resize(g->members, g->cap, sizeof *g->members);
    }
    struct gather *m = &g->members[i];
    if (!is_new)
        return m;
    *m = (struct gather){ 0 };
    if (i < COLUMNS_MAX && !sv_is(name, F_ID) && !sv_is(name, F_TEXT)) {
        m->values = map_new();
        m->of = alloc_zero(g->n_docs + 1, sizeof *m->of);
    }
    return m;
}

/* The key of a raw value in g->key; false: null. */
static bool make_key(struct gathering *g, struct sv raw, bool *is_usable)
{
    jv v;
    struct err err;
    char type = raw.n && raw.p[0] == '[' ? WHERE_ARRAY : WHERE_OBJECT;
    buf_reset(&g->key);
    if (raw.n > 1 && raw.p[0] == '"' && !memchr(raw.p, '\\', raw.n)) {
        buf_char(&g->key, WHERE_STRING);
        buf_sv(&g->key, sv_from_to(raw, 1, raw.n - 1));
        return true;
    }
    if (raw.n && (raw.p[0] == '[' || raw.p[0] == '{')) {
        buf_char(&g->key, type);
        return true;
    }
    if (json_parse(&v, raw, &err) < 0) {
        *is_usable = false; /* a damaged record: libjq is to find it */
        return true;
    }
    bool is_value = !json_is_null(v);
    if (json_is_str(v)) {
        buf_char(&g->key, WHERE_STRING);
        buf_sv(&g->key, json_sv(v));
    } else if (json_is_num(v)) {
        double x = json_num(v) + 0.0; /* no -0 */
        buf_char(&g->key, WHERE_NUMBER);
        buf_add(&g->key, (const char *)&x, sizeof x);
        *is_usable = !isnan(x);
    } else {
        buf_char(&g->key, json_is_true(v) ? WHERE_TRUE : WHERE_FALSE);
    }
    json_free(v);
    return is_value;
}

static void put_value(struct gathering *g, struct gather *m, size_t doc, struct sv raw)
{
    bool is_usable = raw.n <= 8 * COLUMNS_MAX_VALUE || raw.p[0] != '"', is_new = false;
    if (is_usable && !make_key(g, raw, &is_usable)) {
        m->of[doc] = 0;
        return;
    }
    struct sv key = buf_view(&g->key);
    if (is_usable && key.p[0] == WHERE_STRING)
        is_usable = key.n - 1 <= COLUMNS_MAX_VALUE && !memchr(key.p, '\0', key.n);
    if (is_usable) {
        m->of[doc] = (uint32_t)(1 + map_put(m->values, key, &is_new));
        m->n_bytes += !is_new ? 0 : key.p[0] == WHERE_NUMBER ? sizeof(double) : key.n + 7;
        is_usable = m->n_bytes <= 16 * g->n_docs + FREE_BYTES;
    }
    if (!is_usable)
        leave_out(m);
}

static void gather_doc(struct gathering *g, size_t doc, struct sv raw)
{
    struct rec r = { .line = raw };
    struct sv key, value;
    for (size_t pos = 1; rec_each(&r, &pos, &g->text, &key, &value);) {
        struct gather *m = member_of(g, key);
        if (m->values)
            put_value(g, m, doc, value);
    }
}

/* ---- writing ---- */

static int value_order(const void *a, const void *b)
{
    const struct sv *x = a, *y = b;
    if (x->p[0] != y->p[0])
        return x->p[0] < y->p[0] ? -1 : 1;
    if (x->p[0] != WHERE_NUMBER)
        return sv_cmp(*x, *y);
    double v, w;
    memcpy(&v, x->p + 1, sizeof v);
    memcpy(&w, y->p + 1, sizeof w);
    return v < w ? -1 : v > w;
}

/* A column's values in order, how many of each kind, and the code of each ordinal. */
struct order {
    struct sv *values;
    uint32_t *code;
    size_t n, numbers_from, strings_from, arrays_from;
};

static void sort_values(const struct gather *m, struct order *o)
{
    *o = (struct order){ .n = map_count(m->values) };
    o->values = alloc_array(o->n + 1, sizeof *o->values);
    o->code = alloc_array(o->n + 1, sizeof *o->code);
    for (size_t i = 0; i < o->n; i++)
        o->values[i] = map_key(m->values, i);
    qsort(o->values, o->n, sizeof *o->values, value_order);
    while (o->numbers_from < o->n && o->values[o->numbers_from].p[0] < WHERE_NUMBER)
        o->numbers_from++;
    o->strings_from = o->numbers_from;
    while (o->strings_from < o->n && o->values[o->strings_from].p[0] < WHERE_STRING)
        o->strings_from++;
    o->arrays_from = o->strings_from;
    while (o->arrays_from < o->n && o->values[o->arrays_from].p[0] < WHERE_ARRAY)
        o->arrays_from++;
    size_t beyond = OWN_CODES + o->arrays_from - o->numbers_from;
    for (size_t i = 0; i < o->n; i++) {
        char type = o->values[i].p[0];
        o->code[map_get(m->values, o->values[i])] =
            (uint32_t)(type < WHERE_NUMBER  ? (size_t)type
                       : i < o->arrays_from ? OWN_CODES + i - o->numbers_from
                                            : beyond + (type == WHERE_OBJECT));
    }
}

static void pad(struct buf *b)
{
    while (b->len % 8)
        buf_char(b, '\0');
}

static void put_codes(const struct gather *m, const struct order *o, size_t n, size_t width,
                      struct buf *to)
{
    for (size_t doc = 0; doc < n; doc++) {
        uint32_t code = m->of[doc] ? o->code[m->of[doc] - 1] : 0;
        uint16_t code16 = (uint16_t)code;
        uint8_t code8 = (uint8_t)code;
        buf_add(to,
                width == 1   ? (const char *)&code8
                : width == 2 ? (const char *)&code16
                             : (const char *)&code,
                width);
    }
    pad(to);
}

static void put_column(struct columns_built *c, struct sv name, const struct gather *m,
                       size_t n)
{
    struct order o;
    uint64_t at = 0;
    sort_values(m, &o);
    size_t n_numbers = o.strings_from - o.numbers_from;
    size_t n_strings = o.arrays_from - o.strings_from;
    size_t n_codes = OWN_CODES + n_numbers + n_strings + 2;
    size_t width = n_codes <= 256 ? 1 : n_codes <= 65536 ? 2 : 4;
    for (size_t i = o.numbers_from; i < o.strings_from; i++)
        buf_add(&c->data, o.values[i].p + 1, sizeof(double));
    for (size_t i = o.strings_from; i <= o.arrays_from; i++) {
        buf_add(&c->data, (const char *)&at, sizeof at);
        at += i < o.arrays_from ? o.values[i].n - 1 : 0;
    }
    put_codes(m, &o, n, width, &c->data);
    for (size_t i = o.strings_from; i < o.arrays_from; i++)
        buf_sv(&c->data, sv_from_to(o.values[i], 1, o.values[i].n));
    pad(&c->data);
    json_open(&c->head, '{');
    json_key(&c->head, "name");
    json_put_str(&c->head, name);
    json_add_size(&c->head, "width", width);
    json_add_size(&c->head, "numbers", n_numbers);
    json_add_size(&c->head, "strings", n_strings);
    json_add_size(&c->head, "bytes", (size_t)at);
    json_close(&c->head, '}');
    free(o.values);
    free(o.code);
}

static void put_all(struct columns_built *c, const struct gathering *g)
{
    size_t n_names = map_count(g->names), n_out = 0;
    json_open(&c->head, '{');
    json_key(&c->head, "columns");
    json_open(&c->head, '[');
    for (size_t i = 0; i < n_names; i++)
        if (g->members[i].values)
            put_column(c, map_key(g->names, i), &g->members[i], g->n_docs);
    json_close(&c->head, ']');
    json_key(&c->head, "left_out");
    json_open(&c->head, '[');
    for (size_t i = 0; i < n_names; i++)
        if (!g->members[i].values && n_out++ < COLUMNS_MAX_OUT)
            json_put_str(&c->head, map_key(g->names, i));
    json_close(&c->head, ']');
    json_key(&c->head, "more");
    json_put_bool(&c->head, n_out > COLUMNS_MAX_OUT);
    json_close(&c->head, '}');
}

void columns_build(struct columns_built *c, size_t n, struct sv (*raw)(void *ctx, size_t doc),
                   void *ctx)
{
    struct gathering g = { .names = map_new(), .n_docs = n };
    *c = (struct columns_built){ 0 };
    c->data.max = SIZE_MAX / 2;
    for (size_t doc = 0; doc < n; doc++)
        gather_doc(&g, doc, raw(ctx, doc));
    put_all(c, &g);
    for (size_t i = 0; i < map_count(g.names); i++)
        leave_out(&g.members[i]);
    map_free(g.names);
    free(g.members);
    buf_release(&g.text);
    buf_release(&g.key);
}

void columns_built_release(struct columns_built *c)
{
    buf_release(&c->head);
    buf_release(&c->data);
}
