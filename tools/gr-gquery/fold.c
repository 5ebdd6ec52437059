// SPDX-License-Identifier: MIT
/*
 * fold.c — keeping triple records in memory
 */
#include "fold.h"

#include "alloc.h"
#include "chem.h"
#include "hash.h"
#include "text.h"

void fold_init(struct fold *f)
{
    *f = (struct fold){ .strings = map_new(), .mention_map = map_new() };
    map_put(f->strings, SV_NONE, NULL);
}

void fold_close(struct fold *f)
{
    free(f->slots);
    free(f->last_mention);
    map_free(f->mention_map);
    f->slots = f->last_mention = NULL;
    f->n_slots = f->last_cap = 0;
    f->mention_map = NULL;
}

void fold_release(struct fold *f)
{
    fold_close(f);
    map_free(f->strings);
    free(f->raw);
    free(f->triples);
    free(f->values);
    free(f->mentions);
    *f = (struct fold){ 0 };
}

struct sv fold_raw(const struct fold *f, const struct fold_triple *t)
{
    return (struct sv){ f->raw + t->raw, t->raw_n };
}

uint32_t fold_value_key(const struct fold *f, const struct fold_triple *t)
{
    return t->value == GRG_NONE ? 0 : f->values[t->value].key;
}

void fold_key(struct sv type, struct sv name, struct buf *key)
{
    int z = sv_is(type, "element") ? chem_name(name) : 0;
    text_key(z ? sv_from(chem_symbol_of(z)) : name, TEXT_KEY_SINGULAR, key);
}

/* ---- repeated records ---- */

static void rehash(struct fold *f)
{
    free(f->slots);
    f->n_slots = f->n_slots ? 2 * f->n_slots : 1024;
    f->slots = alloc_zero(f->n_slots, sizeof *f->slots);
    for (size_t k = 0; k < f->n; k++) {
        size_t i = f->triples[k].hash & (f->n_slots - 1);
        while (f->slots[i])
            i = (i + 1) & (f->n_slots - 1);
        f->slots[i] = (uint32_t)k + 1;
    }
}

/* The slot of a record with these bytes, or the free one where it belongs. */
static uint32_t *find_raw(const struct fold *f, struct sv raw, uint32_t hash)
{
    for (size_t i = hash & (f->n_slots - 1);; i = (i + 1) & (f->n_slots - 1)) {
        uint32_t k = f->slots[i];
        if (!k ||
            (f->triples[k - 1].hash == hash && sv_eq(fold_raw(f, &f->triples[k - 1]), raw)))
            return &f->slots[i];
    }
}

/* ---- keeping ---- */

static uint32_t intern(struct fold *f, struct sv s)
{
    return s.n ? (uint32_t)map_put(f->strings, s, NULL) : 0;
}

/* For strings of which there are few, one after the other the same. */
static uint32_t intern_recent(struct fold *f, struct sv s, size_t which)
{
    uint32_t *last = &f->recent[which];
    if (!sv_eq(map_key(f->strings, *last), s))
        *last = intern(f, s);
    return *last;
}

static uint32_t add_mention(struct fold *f, uint32_t name, uint32_t type, uint32_t id,
                            const struct triple_end *e)
{
    uint32_t tuple[] = { name, type, id };
    bool is_new;
    size_t n = map_put(f->mention_map, (struct sv){ (char *)tuple, sizeof tuple }, &is_new);
    if (!is_new)
        return (uint32_t)n;
    struct buf key = BUF_INIT;
    fold_key(e->type, e->name, &key);
    if (!key.len) /* only marks that keys leave out: better itself than nothing */
        buf_sv(&key, e->name);
    if (n == f->mentions_cap) {
        f->mentions_cap = alloc_grow(f->mentions_cap, n + 1);
        f->mentions = alloc_resize(f->mentions, f->mentions_cap, sizeof *f->mentions);
    }
    f->mentions[n] = (struct fold_mention){ name, type, intern(f, buf_view(&key)), id };
    f->n_mentions = n + 1;
    buf_release(&key);
    return (uint32_t)n;
}

/* What only its paper calls so is another thing in every paper: the paper is in its id. */
static uint32_t thing_id(struct fold *f, const struct triple_end *e, struct sv paper)
{
    struct buf id = BUF_INIT;
    buf_printf(&id, "thing:%.*s#", SV_ARG(paper));
    fold_key(e->type, e->name, &id);
    uint32_t n = intern(f, buf_view(&id));
    buf_release(&id);
    return n;
}

static uint32_t keep_end(struct fold *f, const struct triple_end *e, struct sv paper,
                         size_t which)
{
    uint32_t type = intern_recent(f, e->type, which), name = intern(f, e->name);
    /* Two measurements are one node when they are written alike, whatever was named in them;
     * so are properties, whose ids are their words ("temperatures"). */
    bool is_words = sv_is(e->type, "value") || sv_is(e->type, "property");
    uint32_t id = is_words ? 0 : intern(f, e->id);
    if (!id && paper.n && sv_is(e->type, "thing"))
        id = thing_id(f, e, paper);
    if (name >= f->last_cap) {
        size_t cap = alloc_grow(f->last_cap, (size_t)name + 1);
        f->last_mention = alloc_resize(f->last_mention, cap, sizeof *f->last_mention);
        memset(f->last_mention + f->last_cap, 0, (cap - f->last_cap) * sizeof(uint32_t));
        f->last_cap = cap;
    }
    uint32_t *last = &f->last_mention[name];
    const struct fold_mention *m = *last ? &f->mentions[*last - 1] : NULL;
    if (!m || m->type != type || m->id != id)
        *last = add_mention(f, name, type, id, e) + 1;
    return *last - 1;
}

static uint32_t keep_value(struct fold *f, const struct triple_text *t)
{
    const struct grg_value *v = &t->value;
    struct buf b = BUF_INIT;
    if (!t->has_value)
        return GRG_NONE;
    if (v->flags & GRG_HAS_NUMBER)
        json_put_num(&b, v->number);
    buf_char(&b, '|');
    if (v->flags & GRG_HAS_HIGH)
        json_put_num(&b, v->high);
    buf_char(&b, '|');
    if (v->flags & GRG_HAS_ERROR)
        json_put_num(&b, v->error);
    buf_printf(&b, "|%.*s|%.*s", SV_ARG(t->unit), SV_ARG(t->error_kind));
    if (v->flags & GRG_HAS_LOW) {
        buf_char(&b, '|');
        json_put_num(&b, t->error_low);
    }
    buf_str(&b, v->flags & GRG_IS_CHANGE ? "|change" : "");
    if (f->n_values == f->values_cap) {
        f->values_cap = alloc_grow(f->values_cap, f->n_values + 1);
        f->values = alloc_resize(f->values, f->values_cap, sizeof *f->values);
    }
    struct fold_value *to = &f->values[f->n_values];
    *to = (struct fold_value){ *v, intern(f, buf_view(&b)) };
    to->value.unit = intern(f, t->unit);
    to->value.error_kind = intern(f, t->error_kind);
    buf_release(&b);
    return (uint32_t)f->n_values++;
}

static uint64_t keep_raw(struct fold *f, struct sv raw)
{
    if (f->raw_cap - f->raw_len < raw.n) {
        f->raw_cap = alloc_grow(f->raw_cap, f->raw_len + raw.n);
        f->raw = alloc_resize(f->raw, f->raw_cap, 1);
    }
    memcpy(f->raw + f->raw_len, raw.p, raw.n);
    f->raw_len += raw.n;
    return f->raw_len - raw.n;
}

static int keep(struct fold *f, const struct triple_text *t, struct sv raw, struct err *err)
{
    enum { HEAD_TYPE, TAIL_TYPE, RELATION, PAPER, CHUNK, EVIDENCE, EXTRACTOR };
    if (f->n >= GRG_NONE / 2 - 1 || map_count(f->strings) >= GRG_NONE / 2)
        return err_set(err, EXIT_FATAL, "too many triples for one graph: split it");
    if (f->n * 4 >= f->n_slots * 3)
        rehash(f);
    uint32_t hash = (uint32_t)hash64(raw), *slot = find_raw(f, raw, hash);
    if (*slot) {
        f->repeated++;
        return 0;
    }
    if (f->n == f->cap) {
        f->cap = alloc_grow(f->cap, f->n + 1);
        f->triples = alloc_resize(f->triples, f->cap, sizeof *f->triples);
    }
    f->triples[f->n] = (struct fold_triple){
        .raw = keep_raw(f, raw),
        .raw_n = (uint32_t)raw.n,
        .hash = hash,
        .head = keep_end(f, &t->head, t->paper, HEAD_TYPE),
        .tail = keep_end(f, &t->tail, t->paper, TAIL_TYPE),
        .relation = intern_recent(f, t->relation, RELATION),
        .paper = intern_recent(f, t->paper, PAPER),
        .chunk = intern_recent(f, t->chunk, CHUNK),
        .evidence = intern_recent(f, t->evidence, EVIDENCE),
        .extractor = intern_recent(f, t->extractor, EXTRACTOR),
        .start = (uint32_t)t->start,
        .end = (uint32_t)t->end,
        .value = keep_value(f, t),
        .confidence = (float)t->confidence,
        .stance = t->stance,
    };
    *slot = (uint32_t)++f->n;
    return 0;
}

int fold_add(struct fold *f, const struct rec *r, struct err *err)
{
    struct triple_text t;
    if (triple_text_read(&t, r->v, err) < 0)
        return -1;
    return keep(f, &t, r->line, err);
}

int fold_scan(struct fold *f, struct sv line, struct err *err)
{
    struct triple_text t;
    if (!triple_text_scan(&t, line))
        return 0;
    return keep(f, &t, line, err) < 0 ? -1 : 1;
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
        int rc = fold_scan(f, grg_raw(g, i), err);
        if (rc == 0 && (rc = rec_parse(&r, grg_raw(g, i), err)) == 0) {
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
