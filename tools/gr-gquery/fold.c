// SPDX-License-Identifier: MIT
/*
 * fold.c — reading triple records into memory
 */
#include "fold.h"

#include <math.h>

#include "alloc.h"
#include "chem.h"
#include "text.h"
#include "utf8.h"

void fold_init(struct fold *f)
{
    *f = (struct fold){ .strings = map_new() };
    map_put(f->strings, SV_NONE, NULL);
}

void fold_release(struct fold *f)
{
    map_free(f->strings);
    buf_release(&f->raw);
    free(f->triples);
    *f = (struct fold){ 0 };
}

struct sv fold_raw(const struct fold *f, const struct fold_triple *t)
{
    return (struct sv){ f->raw.data + t->raw, t->raw_n };
}

void fold_key(struct sv type, struct sv name, struct buf *key)
{
    int z = sv_is(type, "element") ? chem_name(name) : 0;
    text_key(z ? sv_from(chem_symbol_of(z)) : name, TEXT_KEY_SINGULAR, key);
}

/* ---- reading: first everything is checked, then it is kept ---- */

struct end_text {
    struct sv name, type, id;
};

struct triple_text {
    struct end_text head, tail;
    struct sv relation, paper, chunk, evidence, extractor, unit, error_kind;
    struct grg_value value;
    double start, end, confidence;
};

static int read_end(struct end_text *e, jv record, const char *field, struct err *err)
{
    jv v = json_get(record, field);
    *e = (struct end_text){ SV_NONE, SV_NONE, SV_NONE };
    if (json_is_str(v)) {
        e->name = sv_trim(json_sv(v));
    } else if (json_is_object(v)) {
        if (json_need_str(v, "name", &e->name, err) < 0 ||
            json_opt_str(v, "type", &e->type, err) < 0 ||
            json_opt_str(v, "id", &e->id, err) < 0)
            return err_prefix(err, "field \"%s\"", field);
        e->name = sv_trim(e->name);
        e->type = sv_trim(e->type);
    } else {
        return err_set(err, EXIT_REJECTED,
                       "field \"%s\": expected an object with name, or a string", field);
    }
    if (!e->name.n)
        return err_set(err, EXIT_REJECTED, "field \"%s\": the name is empty", field);
    return 0;
}

static int read_value(struct triple_text *t, jv record, struct err *err)
{
    jv v;
    struct grg_value *g = &t->value;
    int has = json_opt_object(record, "value", &v, err);
    if (has <= 0)
        return has;
    int number = json_opt_num(v, "number", &g->number, err);
    int high = json_opt_num(v, "high", &g->high, err);
    int error = json_opt_num(v, "error", &g->error, err);
    if (number < 0 || high < 0 || error < 0 || json_opt_str(v, "unit", &t->unit, err) < 0 ||
        json_opt_str(v, "error_kind", &t->error_kind, err) < 0)
        return err_prefix(err, "field \"value\"");
    if (!isfinite(g->number) || !isfinite(g->high) || !isfinite(g->error))
        return err_set(err, EXIT_REJECTED, "field \"value\": expected finite numbers");
    g->flags =
        (number ? GRG_HAS_NUMBER : 0) | (high ? GRG_HAS_HIGH : 0) | (error ? GRG_HAS_ERROR : 0);
    return 0;
}

static int read_place(jv record, const char *field, double *to, struct err *err)
{
    if (json_opt_num(record, field, to, err) < 0)
        return -1;
    if (!(*to >= 0 && *to < 4e9))
        return err_set(err, EXIT_REJECTED, "field \"%s\": expected an offset", field);
    return 0;
}

static int read_triple(struct triple_text *t, jv record, struct err *err)
{
    *t = (struct triple_text){ .confidence = 1, .paper = SV_NONE };
    struct sv *const optional[] = { &t->paper, &t->chunk, &t->evidence, &t->extractor };
    static const char *const names[] = { "paper", "chunk", "evidence", "extractor" };
    if (read_end(&t->head, record, "head", err) < 0 ||
        json_need_str(record, "relation", &t->relation, err) < 0 ||
        read_end(&t->tail, record, "tail", err) < 0 || read_value(t, record, err) < 0)
        return -1;
    t->relation = sv_trim(t->relation);
    if (!t->relation.n)
        return err_set(err, EXIT_REJECTED, "field \"relation\": it is empty");
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (json_opt_str(record, names[i], optional[i], err) < 0)
            return -1;
    if (read_place(record, "start", &t->start, err) < 0 ||
        read_place(record, "end", &t->end, err) < 0 ||
        json_opt_num(record, "confidence", &t->confidence, err) < 0)
        return -1;
    if (!(t->confidence >= 0 && t->confidence <= 1))
        return err_set(err, EXIT_REJECTED, "field \"confidence\": expected 0 to 1");
    bool has_value = t->value.flags || t->unit.n;
    if (!t->head.type.n)
        t->head.type = SV("entity");
    if (!t->tail.type.n)
        t->tail.type = has_value ? SV("value") : SV("entity");
    return 0;
}

/* ---- keeping ---- */

static uint32_t intern(struct fold *f, struct sv s)
{
    return (uint32_t)map_put(f->strings, s, NULL);
}

static struct fold_end keep_end(struct fold *f, const struct end_text *e)
{
    struct buf key = BUF_INIT;
    fold_key(e->type, e->name, &key);
    if (!key.len) /* only marks that keys leave out: better itself than nothing */
        buf_sv(&key, e->name);
    /* Two measurements are one node when they are written alike, whatever was named in them. */
    bool is_value = sv_is(e->type, "value");
    struct fold_end end = { intern(f, e->name), intern(f, e->type), intern(f, buf_view(&key)),
                            is_value ? 0 : intern(f, e->id) };
    buf_release(&key);
    return end;
}

static uint32_t keep_value_key(struct fold *f, const struct triple_text *t)
{
    const struct grg_value *v = &t->value;
    struct buf b = BUF_INIT;
    if (v->flags || t->unit.n) {
        if (v->flags & GRG_HAS_NUMBER)
            json_put_num(&b, v->number);
        buf_char(&b, '|');
        if (v->flags & GRG_HAS_HIGH)
            json_put_num(&b, v->high);
        buf_char(&b, '|');
        if (v->flags & GRG_HAS_ERROR)
            json_put_num(&b, v->error);
        buf_printf(&b, "|%.*s|%.*s", SV_ARG(t->unit), SV_ARG(t->error_kind));
    }
    uint32_t ordinal = intern(f, buf_view(&b));
    buf_release(&b);
    return ordinal;
}

int fold_add(struct fold *f, const struct rec *r, struct err *err)
{
    struct triple_text t;
    if (read_triple(&t, r->v, err) < 0)
        return -1;
    if (f->n >= GRG_NONE / 2 - 1 || map_count(f->strings) >= GRG_NONE / 2)
        return err_set(err, EXIT_FATAL, "too many triples for one graph: split it");
    if (f->n == f->cap) {
        f->cap = alloc_grow(f->cap, f->n + 1);
        f->triples = alloc_resize(f->triples, f->cap, sizeof *f->triples);
    }
    struct fold_triple *to = &f->triples[f->n];
    *to = (struct fold_triple){
        .raw = f->raw.len,
        .raw_n = r->line.n,
        .head = keep_end(f, &t.head),
        .tail = keep_end(f, &t.tail),
        .relation = intern(f, t.relation),
        .paper = intern(f, t.paper),
        .chunk = intern(f, t.chunk),
        .evidence = intern(f, t.evidence),
        .extractor = intern(f, t.extractor),
        .start = (uint32_t)t.start,
        .end = (uint32_t)t.end,
        .value_key = keep_value_key(f, &t),
        .value = t.value,
        .confidence = (float)t.confidence,
    };
    to->value.unit = intern(f, t.unit);
    to->value.error_kind = intern(f, t.error_kind);
    buf_sv(&f->raw, r->line);
    if (f->raw.overflow)
        return err_set(err, EXIT_FATAL, "more than 4 GiB of triples for one graph: split it");
    f->n++;
    return 0;
}

int fold_add_graph(struct fold *f, const struct grg *g, const struct map *without,
                   size_t *dropped, struct err *err)
{
    *dropped = 0;
    for (uint32_t i = 0; i < g->n_triples; i++) {
        struct rec r;
        if (without && map_get(without, grg_str(g, grg_triple(g, i)->paper)) != MAP_NONE) {
            ++*dropped;
            continue;
        }
        int rc = rec_parse(&r, grg_raw(g, i), err);
        if (rc == 0) {
            rc = fold_add(f, &r, err);
            rec_release(&r);
        }
        if (rc < 0) {
            err->code = EXIT_FATAL;
            return err_prefix(err, "%s: triple %u is damaged", g->file.path, i);
        }
    }
    return 0;
}

/* ---- order ---- */

struct raw_view {
    struct sv bytes;
    size_t i;
};

static int cmp_raw(const void *a, const void *b)
{
    const struct raw_view *x = a, *y = b;
    int c = sv_cmp(x->bytes, y->bytes);
    return c ? c : x->i < y->i ? -1 : x->i > y->i;
}

size_t fold_unique(struct fold *f)
{
    struct raw_view *order = alloc_array(f->n, sizeof *order);
    struct fold_triple *sorted = alloc_array(f->n, sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        order[i] = (struct raw_view){ fold_raw(f, &f->triples[i]), i };
    qsort(order, f->n, sizeof *order, cmp_raw);
    for (size_t i = 0; i < f->n; i++)
        if (i == 0 || !sv_eq(order[i].bytes, order[i - 1].bytes))
            sorted[n++] = f->triples[order[i].i];
    size_t removed = f->n - n;
    free(order);
    free(f->triples);
    f->triples = sorted;
    f->cap = f->n ? f->n : 1;
    f->n = n;
    return removed;
}
