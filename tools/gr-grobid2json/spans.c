// SPDX-License-Identifier: MIT
/*
 * spans.c — what is marked in a text, as members of a record: references, raised and lowered
 * text, annotations, places on the page, divisions
 */
#include "tei_impl.h"
#include "utf8.h"

/* ---- opening ---- */

/* Texts that are only read (a label, a name) record no spans. */
static bool is_recorded(const struct tei *t, const struct flow *f)
{
    return f != &t->scratch;
}

size_t tei_open(const struct tei *t, struct flow *f, const xmlNode *n, struct flow_span span)
{
    if (!is_recorded(t, f))
        return SIZE_MAX;
    span.node = n;
    return flow_open(f, span);
}

void tei_close(struct flow *f, size_t span)
{
    if (span != SIZE_MAX)
        flow_close(f, span);
}

void tei_marked(struct tei *t, struct flow *f, const xmlNode *n, struct flow_span span)
{
    size_t i = tei_open(t, f, n, span);
    tei_inline(t, f, n);
    tei_close(f, i);
}

bool tei_is_annotation(const xmlNode *n)
{
    static const char *const names[] = {
        "rs",   "measure", "num",        "date",    "time",      "quantity",
        "unit", "term",    "persName",   "orgName", "placeName", "geogName",
        "geo",  "name",    "objectName", "seg",     "software",
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (xml_is(n, names[i]))
            return true;
    return false;
}

/* ---- writing ---- */

static void open_span(struct buf *out, const struct flow_span *s, size_t shift)
{
    size_t start = s->start > shift ? s->start - shift : 0;
    size_t end = s->end > shift ? s->end - shift : 0;
    json_open(out, '{');
    json_key(out, "start");
    json_put_int(out, (int64_t)start);
    json_key(out, "end");
    json_put_int(out, (int64_t)end);
}

static void put_ref(const struct tei *t, struct buf *out, const struct flow_span *s,
                    size_t shift, struct sv target, bool has_coords)
{
    open_span(out, s, shift);
    tei_put(out, "target", target);
    json_key(out, "kind");
    json_put_str(out, s->kind);
    if (has_coords)
        tei_put_coords(t, out, "coords", s->node);
    json_close(out, '}');
}

/* A target that names several things ("#b1 #b2") gives one reference each; the place on the
 * page is told with the first. */
static void put_refs(const struct tei *t, struct buf *out, const struct flow_span *s,
                     size_t shift)
{
    if (!sv_starts(s->target, SV("#"))) {
        put_ref(t, out, s, shift, s->target, true);
        return;
    }
    struct sv rest = s->target, part;
    bool is_first = true;
    while (sv_cut(&rest, ' ', &part))
        if (part.n > 1) {
            put_ref(t, out, s, shift, sv_from_to(part, part.p[0] == '#', part.n), is_first);
            is_first = false;
        }
}

#define MAX_ATTRIBUTES 32 /* looked at of one annotation; GROBID's have five at most */

/* All attributes but those that have members of their own; of xml:id and id the first. */
static void put_attributes(struct buf *out, const xmlNode *n)
{
    struct sv keys[MAX_ATTRIBUTES];
    size_t n_seen = 0, n_left = MAX_ATTRIBUTES;
    for (const xmlAttr *a = n->properties; a && n_left-- > 0; a = a->next) {
        struct sv key = sv_from((const char *)a->name), value = xml_attr(n, key.p);
        bool is_known = !value.n || sv_is(key, "type") || sv_is(key, "coords");
        for (size_t i = 0; i < n_seen && !is_known; i++)
            is_known = sv_eq(keys[i], key);
        if (is_known)
            continue;
        if (n_seen == 0) {
            json_key(out, "attributes");
            json_open(out, '{');
        }
        keys[n_seen++] = key;
        tei_put(out, key.p, value);
    }
    if (n_seen)
        json_close(out, '}');
}

static void put_annotation(const struct tei *t, struct buf *out, const struct flow_span *s,
                           size_t shift)
{
    const xmlNode *n = s->node;
    struct sv name = sv_from((const char *)n->name), type = xml_attr(n, "type");
    open_span(out, s, shift);
    tei_put(out, "kind", type.n ? type : name);
    tei_put(out, "element", name);
    put_attributes(out, n);
    tei_put_coords(t, out, "coords", n);
    json_close(out, '}');
}

static void put_division(struct tei *t, struct buf *out, const struct flow_span *s,
                         size_t shift)
{
    open_span(out, s, shift);
    tei_put_head(t, out, s->node, s->level);
    json_close(out, '}');
}

static void put_span(struct tei *t, struct buf *out, const struct flow_span *s, size_t shift)
{
    switch (s->what) {
    case FLOW_REF:
        put_refs(t, out, s, shift);
        return;
    case FLOW_ANNOTATION:
        put_annotation(t, out, s, shift);
        return;
    case FLOW_SECTION:
        put_division(t, out, s, shift);
        return;
    default:
        break;
    }
    open_span(out, s, shift);
    tei_put(out, "kind", s->kind);
    if (s->what == FLOW_BLOCK)
        tei_put_coords(t, out, "coords", s->node);
    json_close(out, '}');
}

/* Marks of nothing ("<hi/>") say nothing. */
static bool is_void(const struct flow_span *s)
{
    return s->what == FLOW_MARK && s->start == s->end;
}

static void put_kinds(struct tei *t, struct buf *out, const struct flow *f, size_t shift,
                      bool has_refs)
{
    static const char *const keys[FLOW_WHATS] = { "refs", "marks", "annotations", "blocks",
                                                  "sections" };
    size_t n[FLOW_WHATS] = { 0 };
    for (size_t i = 0; i < f->n_spans; i++)
        n[f->spans[i].what] += !is_void(&f->spans[i]);
    for (int what = 0; what < FLOW_WHATS; what++) {
        if (!n[what] && !(has_refs && what == FLOW_REF))
            continue;
        json_key(out, keys[what]);
        json_open(out, '[');
        for (size_t i = 0; i < f->n_spans && n[what]; i++)
            if ((int)f->spans[i].what == what && !is_void(&f->spans[i]))
                put_span(t, out, &f->spans[i], shift);
        json_close(out, ']');
    }
}

void tei_put_spans(struct tei *t, struct buf *out, const struct flow *f)
{
    put_kinds(t, out, f, 0, true);
}

void tei_put_spans_of(struct tei *t, struct buf *out, const char *key, const struct flow *f,
                      size_t shift)
{
    size_t i = 0;
    while (i < f->n_spans && is_void(&f->spans[i]))
        i++;
    if (i == f->n_spans)
        return;
    json_key(out, key);
    json_open(out, '{');
    put_kinds(t, out, f, shift, false);
    json_close(out, '}');
}

void tei_put_flow(struct tei *t, struct buf *out, const char *key, struct flow *f)
{
    flow_finish(f);
    if (!f->text.len)
        return;
    struct buf name = BUF_INIT;
    tei_put(out, key, buf_view(&f->text));
    buf_printf(&name, "%s_spans", key);
    tei_put_spans_of(t, out, buf_cstr(&name), f, 0);
    buf_release(&name);
}

void tei_put_marked(struct tei *t, struct buf *out, const char *key, const xmlNode *node)
{
    if (!node || !node->children)
        return;
    if (!node->children->next && node->children->type == XML_TEXT_NODE) {
        tei_put_text(t, out, key, node); /* nothing in it to mark */
        return;
    }
    struct flow f = { 0 };
    bool was_plain = t->is_plain;
    t->is_plain = true;
    tei_inline(t, &f, node);
    t->is_plain = was_plain;
    tei_put_flow(t, out, key, &f);
    flow_release(&f);
}
