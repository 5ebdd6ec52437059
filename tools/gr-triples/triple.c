// SPDX-License-Identifier: MIT
/*
 * triple.c — filtering and writing facts
 */
#include "triple.h"

#include <math.h>

#include "../gr-gquery/aliases.h"
#include "alloc.h"
#include "hash.h"
#include "schema.h"
#include "utf8.h"
#include "vocab.h"

/* A key that needs no escapes, with the comma before it. */
#define PUT_KEY(out, key) json_put_raw(out, SV("\"" key "\":"))

void sink_init(struct sink *s, const struct sink_cfg *cfg, const struct units *units)
{
    *s = (struct sink){ .cfg = cfg,
                        .units = units,
                        .ids = alloc_zero(1, sizeof *s->ids),
                        .seen = map_new(),
                        .targets = map_new() };
}

void sink_release(struct sink *s)
{
    map_free(s->seen);
    map_free(s->targets);
    free(s->refs);
    if (s->ids)
        node_ids_release(s->ids);
    free(s->ids);
    buf_release(&s->key);
    buf_release(&s->head_id);
    buf_release(&s->tail_id);
    buf_release(&s->name);
    buf_release(&s->origin);
    buf_release(&s->cited);
    *s = (struct sink){ 0 };
}

void sink_start(struct sink *s, struct buf *out)
{
    map_clear(s->seen);
    s->out = out;
    s->n = 0;
}

void sink_source(struct sink *s, const struct source *source)
{
    s->source = *source;
    s->byte = s->point = 0;
    s->has_refs = s->has_span = false;
}

/* The text that offsets count in. */
static struct sv given(const struct sink *s)
{
    return s->source.plain ? s->source.given : s->source.text;
}

static size_t given_start(const struct sink *s, size_t byte)
{
    return s->source.plain ? plain_start(s->source.plain, byte) : byte;
}

static size_t given_end(const struct sink *s, size_t byte)
{
    return s->source.plain ? plain_end(s->source.plain, byte) : byte;
}

/* What the record has for bytes [start, end) of the text. */
static struct sv as_given(const struct sink *s, size_t start, size_t end)
{
    return sv_from_to(given(s), given_start(s, start), given_end(s, end));
}

/* Code points before a byte of the given text. */
static size_t points(struct sink *s, size_t byte)
{
    if (byte < s->byte && byte < s->byte - byte)
        s->byte = s->point = 0;
    if (byte < s->byte) /* back to the sentence's start */
        s->point -= utf8_count(sv_from_to(given(s), byte, s->byte));
    else
        s->point += utf8_count(sv_from_to(given(s), s->byte, byte));
    s->byte = byte;
    return s->point;
}

size_t sink_start_point(struct sink *s, size_t byte)
{
    return points(s, given_start(s, byte));
}

size_t sink_end_point(struct sink *s, size_t byte)
{
    return points(s, given_end(s, byte));
}

/* The facts of a sentence share what is written of it: forget it when the next one comes. */
static void start_span(struct sink *s, size_t start, size_t end)
{
    if (s->has_span && s->start == start && s->end == end)
        return;
    s->has_span = true;
    s->start = start;
    s->end = end;
    s->start_point = sink_start_point(s, start);
    s->end_point = sink_end_point(s, end);
    buf_reset(&s->origin);
    buf_reset(&s->cited);
}

/* Is `what` among the comma-separated items? An empty list holds everything. */
static bool is_listed(const struct opt_list *list, struct sv what)
{
    for (size_t i = 0; i < list->n; i++) {
        struct sv rest = sv_from(list->items[i]), one;
        while (sv_cut(&rest, ',', &one))
            if (sv_ieq(sv_trim(one), what))
                return true;
    }
    return list->n == 0;
}

static bool type_is_wanted(const struct sink *s, const char *type)
{
    return strcmp(type, "value") == 0 || is_listed(&s->cfg->types, sv_from(type));
}

/* Labels of samples and "the upper unit" mean something within their paper only. */
static struct sv owner_of(const struct sink *s, const struct node *node)
{
    bool is_own = strcmp(node->type, "sample") == 0 || strcmp(node->type, "thing") == 0;
    return is_own ? s->source.paper : SV_NONE;
}

static void node_id(const struct sink *s, const struct node *node, struct buf *id)
{
    buf_reset(id);
    buf_sv(id, node_ids_of(s->ids, node->type, node->name, owner_of(s, node)));
}

/* Names that a person has said are one. */
static void merge(const struct sink *s, struct node *node)
{
    struct sv to;
    if (!s->aliases || !node->type || strcmp(node->type, "value") == 0 ||
        !aliases_find(s->aliases, sv_from(node->type), node->name, &to))
        return;
    node->was = node->name;
    node->name = to;
}

/* As gr-gquery rename writes it, so that its --undo gives it back. */
static void put_was(const struct sink *s, const struct node *node)
{
    struct node was = { node->type, node->was };
    struct buf id = BUF_INIT;
    if (!node->was.n)
        return;
    node_id(s, &was, &id);
    PUT_KEY(s->out, "was");
    json_open(s->out, '{');
    PUT_KEY(s->out, "name");
    json_put_str(s->out, node->was);
    json_add_str(s->out, F_ID, buf_view(&id));
    json_close(s->out, '}');
    buf_release(&id);
}

/* key: with its quotes and colon. */
static void put_node(const struct sink *s, struct sv key, const struct node *node)
{
    json_put_raw(s->out, key);
    buf_sv(s->out, node_ids_json(s->ids, node->type, node->name, owner_of(s, node)));
    put_was(s, node);
    json_close(s->out, '}');
}

static void put_value(const struct sink *s, const struct fact *f)
{
    static const char *const ops[] = { NULL, "<", "<=", ">", ">=", "~" };
    const struct quantity *q = f->value;
    struct buf *out = s->out;
    PUT_KEY(out, "value");
    json_open(out, '{');
    if (!isnan(q->low)) {
        PUT_KEY(out, "number");
        json_put_num(out, q->low);
    }
    if (!isnan(q->high)) {
        PUT_KEY(out, "high");
        json_put_num(out, q->high);
    }
    if (q->op != Q_IS) {
        PUT_KEY(out, "op");
        json_put_str(out, sv_from(ops[q->op]));
    }
    if (q->unit != UNIT_NONE) {
        PUT_KEY(out, "unit");
        json_put_str(out, q->unit == UNIT_TEXT ? q->unit_text : units_name(s->units, q->unit));
    }
    if (!isnan(q->error)) {
        PUT_KEY(out, "error");
        json_put_num(out, q->error);
    }
    if (!isnan(q->error_low)) {
        PUT_KEY(out, "error_low");
        json_put_num(out, q->error_low);
    }
    if (!isnan(q->error) && q->error_kind) {
        PUT_KEY(out, "error_kind");
        json_put_str(out, sv_from(q->error_kind));
    }
    if (f->is_change) {
        PUT_KEY(out, "change");
        json_put_bool(out, true);
    }
    if (q->is_vague) {
        PUT_KEY(out, "vague");
        json_put_bool(out, true);
    }
    if (q->warn) {
        PUT_KEY(out, "warn");
        json_put_str(out, sv_from(q->warn));
    }
    json_close(out, '}');
}

static void put_experiment(struct buf *out, const struct experiment *e)
{
    if (!e->method.n && !e->sample.n && !e->standard.n && !e->conditions.n)
        return;
    PUT_KEY(out, "experiment");
    json_open(out, '{');
    json_add_str(out, "method", e->method);
    json_add_str(out, "sample", e->sample);
    json_add_str(out, "standard", e->standard);
    json_add_str(out, "conditions", e->conditions);
    json_close(out, '}');
}

/* Does the sentence cite somebody? Only asked where references have no place in the text. */
static bool shows_citation(struct sv text)
{
    if (sv_find(text, SV("et al."), 0) != SIZE_MAX)
        return true;
    for (size_t at = 0; (at = sv_find(text, SV("["), at)) != SIZE_MAX; at++)
        if (at + 1 < text.n && text.p[at + 1] >= '1' && text.p[at + 1] <= '9')
            return true;
    for (size_t i = 0; i + 5 <= text.n; i++)
        if ((text.p[i] == '1' || text.p[i] == '2') && text.p[i + 4] == ')' &&
            text.p[i + 1] >= '0' && text.p[i + 1] <= '9' && i > 0 && text.p[i - 1] == ' ')
            return true;
    return false;
}

/* Those to the bibliography that say to what; once a text, as facts may be many. */
static void read_refs(struct sink *s)
{
    s->has_refs = true;
    s->n_refs = 0;
    s->n_all_refs = json_len(s->source.refs);
    if (!s->n_all_refs)
        return;
    map_clear(s->targets);
    for (size_t i = 0; i < s->n_all_refs; i++) {
        jv ref = json_at(s->source.refs, i);
        jv kind = json_get(ref, "kind");
        struct sv target = json_is_str(ref) ? json_sv(ref) : json_sv(json_get(ref, "target"));
        if (!target.n || (json_is_str(kind) && !sv_is(json_sv(kind), "bibr")))
            continue;
        if (s->n_refs == s->cap_refs) {
            s->cap_refs = alloc_grow(s->cap_refs, s->n_refs + 1);
            s->refs = alloc_resize(s->refs, s->cap_refs, sizeof *s->refs);
        }
        s->refs[s->n_refs++] = (struct ref){
            .at = json_num(json_get(ref, "start")),
            .target = target,
            .of = map_put(s->targets, target, NULL),
        };
    }
}

/* The references of the span that f is of. */
static void cite(struct sink *s, const struct fact *f, struct buf *out)
{
    json_open(out, '[');
    s->n_cited++;
    for (size_t i = 0; i < s->n_refs; i++) {
        const struct ref *ref = &s->refs[i];
        bool is_here = ref->at >= (double)s->start_point && ref->at < (double)s->end_point;
        if (isnan(ref->at)) /* no place given: only when there is no choice */
            is_here = s->n_all_refs == 1 &&
                      shows_citation(sv_from_to(s->source.text, f->start, f->end));
        size_t *written = &s->refs[ref->of].written;
        if (is_here && *written != s->n_cited)
            json_put_str(out, ref->target);
        if (is_here)
            *written = s->n_cited;
    }
    json_close(out, ']');
}

static void put_refs(struct sink *s, const struct fact *f)
{
    if (!s->source.has_offsets)
        return;
    if (!s->has_refs)
        read_refs(s);
    if (!s->n_all_refs)
        return;
    start_span(s, f->start, f->end);
    if (!s->cited.len)
        cite(s, f, &s->cited);
    PUT_KEY(s->out, "refs");
    buf_sv(s->out, buf_view(&s->cited));
}

/* The name of a value node: "4.2 ppm", "4.2 ppm lithium". */
static void name_value(struct sink *s, const struct fact *f)
{
    const struct quantity *q = f->value;
    buf_reset(&s->name);
    if (q->is_vague) /* there is no number to write in one form */
        buf_sv(&s->name, sv_from_to(s->source.text, q->from, q->end));
    else
        quantity_text(s->units, q, &s->name);
    if (f->of.type) {
        buf_char(&s->name, ' ');
        buf_sv(&s->name, f->of.name);
    }
}

static void put_source(const struct sink *s, struct buf *out)
{
    json_add_str(out, F_PAPER, s->source.paper);
    json_add_str(out, "chunk", s->source.chunk);
    json_add_str(out, "section", s->source.section);
}

static void put_origin(struct sink *s, const struct fact *f)
{
    if (f->claim.n || !s->source.has_offsets) {
        put_source(s, s->out);
        PUT_KEY(s->out, "evidence");
        json_put_str(s->out, f->claim.n ? f->claim : f->evidence);
        return;
    }
    start_span(s, f->start, f->end);
    struct buf *origin = &s->origin;
    if (!origin->len) {
        put_source(s, origin);
        PUT_KEY(origin, "start");
        json_put_int(origin, (int64_t)s->start_point);
        PUT_KEY(origin, "end");
        json_put_int(origin, (int64_t)s->end_point);
        PUT_KEY(origin, "evidence");
        json_put_str(origin, as_given(s, f->start, f->end));
    }
    json_put_raw(s->out, buf_view(origin));
}

static void put_size(struct buf *out, size_t n)
{
    char digits[24];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    buf_add(out, digits + at, sizeof digits - at);
}

/* The same fact gets the same id in every run; hex is its content's hash. */
static bool is_new(struct sink *s, const struct fact *f, char hex[65])
{
    buf_reset(&s->key);
    buf_sv(&s->key, buf_view(&s->head_id));
    buf_char(&s->key, '\t');
    buf_str(&s->key, f->relation);
    buf_char(&s->key, '\t');
    buf_sv(&s->key, buf_view(&s->tail_id));
    buf_str(&s->key, f->is_negative ? "\tnot\t" : "\t");
    buf_sv(&s->key, s->source.paper);
    buf_char(&s->key, '\t');
    buf_sv(&s->key, s->source.chunk);
    buf_char(&s->key, '\t');
    if (!f->is_general)
        buf_sv(&s->key, s->source.section);
    buf_char(&s->key, '\t');
    if (f->is_general) {
        ;
    } else if (f->claim.n) {
        buf_sv(&s->key, f->claim);
    } else if (s->source.has_offsets) {
        start_span(s, f->start, f->end);
        put_size(&s->key, s->start_point);
    } else {
        buf_sv(&s->key, f->evidence);
    }
    bool added;
    map_put(s->seen, buf_view(&s->key), &added);
    if (added)
        hash_sha256(buf_view(&s->key), hex);
    return added;
}

void sink_add(struct sink *s, const struct fact *fact)
{
    struct fact f = *fact;
    if (f.head.said.n || f.tail.said.n || f.of.said.n)
        f.confidence *= 0.9;
    if (f.value && strcmp(f.tail.type, "value") == 0) {
        name_value(s, &f);
        f.tail.name = buf_view(&s->name);
    }
    if (!f.head.type || !f.tail.type || !f.head.name.n || !f.tail.name.n ||
        (f.is_negative && !s->cfg->has_negated) ||
        (f.confidence < s->cfg->min_confidence && !f.is_unsupported) ||
        !type_is_wanted(s, f.head.type) || !type_is_wanted(s, f.tail.type) ||
        !is_listed(&s->cfg->relations, sv_from(f.relation)))
        return;
    merge(s, &f.head);
    merge(s, &f.tail);
    merge(s, &f.of);
    node_id(s, &f.head, &s->head_id);
    node_id(s, &f.tail, &s->tail_id);
    char hex[65];
    if (sv_eq(buf_view(&s->head_id), buf_view(&s->tail_id)) || !is_new(s, &f, hex))
        return;
    struct buf *out = s->out;
    buf_char(out, '{');
    PUT_KEY(out, F_ID);
    json_put_str(out, (struct sv){ hex, 16 });
    put_node(s, SV("\"head\":"), &f.head);
    PUT_KEY(out, "relation");
    json_put_str(out, sv_from(f.relation));
    put_node(s, SV("\"tail\":"), &f.tail);
    if (f.value) {
        put_value(s, &f);
        if (f.of.type)
            put_node(s, SV("\"of\":"), &f.of);
    }
    put_origin(s, &f);
    PUT_KEY(out, "confidence");
    json_put_num(out, floor(f.confidence * 100 + 0.5) / 100);
    if (f.is_negative)
        json_add_str(out, "polarity", SV("negative"));
    PUT_KEY(out, "extractor");
    json_put_str(out, sv_from(f.extractor));
    if (f.is_unsupported) {
        PUT_KEY(out, "unsupported");
        json_put_bool(out, true);
    }
    json_add_str(out, "anaphor", f.head.said.n ? f.head.said : f.tail.said);
    put_refs(s, &f);
    put_experiment(out, &f.experiment);
    rec_end(out);
    s->n++;
}

void sink_entity(struct sink *s, const struct node *node, size_t start, size_t end)
{
    if (!is_listed(&s->cfg->types, sv_from(node->type)))
        return;
    struct buf *out = s->out;
    struct node n = *node;
    merge(s, &n);
    buf_char(out, '{');
    put_node(s, SV("\"entity\":"), &n);
    PUT_KEY(out, F_TEXT);
    json_put_str(out, as_given(s, start, end));
    put_source(s, out);
    PUT_KEY(out, "start");
    json_put_int(out, (int64_t)sink_start_point(s, start));
    PUT_KEY(out, "end");
    json_put_int(out, (int64_t)sink_end_point(s, end));
    rec_end(out);
    s->n++;
}

/* The value in the unit that all of its kind share: 5 kbar and 0.5 GPa in Pa. */
static void put_base(const struct sink *s, const struct quantity *q)
{
    struct buf *out = s->out;
    struct sv unit;
    double low = NAN, high = NAN;
    if ((isnan(q->low) || !units_convert(s->units, q->unit, q->low, &low, &unit)) &&
        (isnan(q->high) || !units_convert(s->units, q->unit, q->high, &high, &unit)))
        return;
    if (!isnan(q->high))
        units_convert(s->units, q->unit, q->high, &high, &unit);
    PUT_KEY(out, "base");
    json_open(out, '{');
    if (!isnan(low)) {
        PUT_KEY(out, "number");
        json_put_num(out, low);
    }
    if (!isnan(high)) {
        PUT_KEY(out, "high");
        json_put_num(out, high);
    }
    bool is_share = q->error_kind && strcmp(q->error_kind, "%") == 0;
    if (!isnan(q->error) && !is_share &&
        units_convert_error(s->units, q->unit, q->error, &high)) {
        PUT_KEY(out, "error");
        json_put_num(out, high);
    }
    PUT_KEY(out, "unit");
    json_put_str(out, unit);
    json_close(out, '}');
}

void sink_quantity(struct sink *s, const struct quantity *q)
{
    if (!is_listed(&s->cfg->types, SV("quantity")))
        return;
    struct buf *out = s->out;
    struct fact f = { .value = q };
    struct sv text = as_given(s, q->from, q->end);
    name_value(s, &f);
    struct sv name = buf_view(&s->name);
    buf_reset(&s->head_id);
    entity_id_of("", name, &s->head_id);
    struct sv id = buf_view(&s->head_id); /* as the value of a triple: without its type */
    buf_char(out, '{');
    PUT_KEY(out, "entity");
    json_open(out, '{');
    json_add_str(out, "name", name);
    json_add_str(out, "type", SV("quantity"));
    PUT_KEY(out, F_ID);
    json_put_str(out, sv_from_to(id, 1, id.n));
    json_close(out, '}');
    PUT_KEY(out, F_TEXT);
    json_put_str(out, text);
    put_value(s, &f);
    put_base(s, q);
    put_source(s, out);
    PUT_KEY(out, "start");
    json_put_int(out, (int64_t)sink_start_point(s, q->from));
    PUT_KEY(out, "end");
    json_put_int(out, (int64_t)sink_end_point(s, q->end));
    rec_end(out);
    s->n++;
}
