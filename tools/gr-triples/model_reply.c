// SPDX-License-Identifier: MIT
/*
 * model_reply.c — statements out of a model's reply, whatever keys it chose
 */
#include <math.h>

#include "alloc.h"
#include "model.h"
#include "utf8.h"

#define NAME_MAX_BYTES 300
#define EVIDENCE_MAX_BYTES 4000

static const char *const list_keys[] = { "triples", "triplets", "facts",         "relations",
                                         "edges",   "results",  "data",          "statements",
                                         "items",   "output",   "relationships", NULL };
static const char *const head_keys[] = { "head",    "subject", "source", "from",
                                         "entity1", "h",       NULL };
static const char *const relation_keys[] = { "relation", "predicate", "relationship",
                                             "label",    "rel",       "relation_type",
                                             "type",     "r",         NULL };
static const char *const tail_keys[] = {
    "tail", "object", "target", "to", "entity2", "t", NULL
};
static const char *const head_type_keys[] = { "head_type", "subject_type", "source_type",
                                              NULL };
static const char *const tail_type_keys[] = { "tail_type", "object_type", "target_type", NULL };
static const char *const evidence_keys[] = { "evidence",    "sentence", "quote",   "span",
                                             "source_text", "text",     "context", NULL };
static const char *const name_keys[] = { "name", "text", "value", "label", NULL };
static const char *const confidence_keys[] = { "confidence", "score", "probability", NULL };
static const char *const negated_keys[] = { "negated", "is_negated", "negation", NULL };

/* The first of the members that is there. */
static jv member(jv object, const char *const *keys)
{
    for (; *keys; keys++) {
        jv v = json_get(object, *keys);
        if (!json_is_null(v))
            return v;
    }
    return jv_null();
}

/* One end of a statement: a text, or {name,type}. */
static struct sv end_of(jv v, struct sv *type)
{
    if (!json_is_object(v))
        return sv_trim(json_sv(v));
    struct sv named = json_sv(json_get(v, "type"));
    if (named.n)
        *type = named;
    return sv_trim(json_sv(member(v, name_keys)));
}

static double confidence_of(jv v)
{
    double d = json_num(v);
    if (json_is_str(v) && !sv_to_double(sv_trim(json_sv(v)), &d))
        d = NAN;
    return d >= 0 && d <= 1 ? d : NAN;
}

static bool read_object(jv v, struct statement *s)
{
    jv negated = member(v, negated_keys);
    *s =
        (struct statement){ .head_type = json_sv(member(v, head_type_keys)),
                            .tail_type = json_sv(member(v, tail_type_keys)),
                            .relation = sv_trim(json_sv(member(v, relation_keys))),
                            .evidence = sv_trim(json_sv(member(v, evidence_keys))),
                            .confidence = confidence_of(member(v, confidence_keys)),
                            .is_negated = json_is_true(negated) ||
                                          sv_ieq(json_sv(negated), SV("true")) ||
                                          sv_is(json_sv(json_get(v, "polarity")), "negative") };
    s->head = end_of(member(v, head_keys), &s->head_type);
    s->tail = end_of(member(v, tail_keys), &s->tail_type);
    return true;
}

/* [head, relation, tail] and perhaps [… , evidence]. */
static bool read_array(jv v, struct statement *s)
{
    size_t n = json_len(v);
    if (n < 3 || n > 4)
        return false;
    *s = (struct statement){ .confidence = NAN };
    s->head = end_of(json_at(v, 0), &s->head_type);
    s->relation = sv_trim(json_sv(json_at(v, 1)));
    s->tail = end_of(json_at(v, 2), &s->tail_type);
    s->evidence = sv_trim(json_sv(json_at(v, 3)));
    return true;
}

/* No controls, nothing that turns the direction of writing: names end up on terminals. */
static bool is_printable(struct sv s)
{
    for (size_t pos = 0; pos < s.n;) {
        uint32_t cp = utf8_next(s, &pos);
        bool is_space = cp == ' ' || (cp >= '\t' && cp <= '\r');
        if ((cp < 0x20 && !is_space) || (cp >= 0x7f && cp < 0xa0) ||
            (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069))
            return false;
    }
    return true;
}

static bool read_statement(jv v, struct statement *s)
{
    bool ok = json_is_object(v)  ? read_object(v, s)
              : json_is_array(v) ? read_array(v, s)
                                 : false;
    return ok && s->head.n && s->relation.n && s->tail.n && s->head.n <= NAME_MAX_BYTES &&
           s->relation.n <= NAME_MAX_BYTES && s->tail.n <= NAME_MAX_BYTES &&
           s->evidence.n <= EVIDENCE_MAX_BYTES && is_printable(s->head) &&
           is_printable(s->tail) && is_printable(s->evidence);
}

static void take(struct statements *list, jv v)
{
    struct statement s;
    if (!read_statement(v, &s)) {
        list->n_odd++;
        return;
    }
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    list->items[list->n++] = s;
}

/* An array of texts is one triple, not a list of them. */
static void take_all(struct statements *list, jv items)
{
    if (json_is_str(json_at(items, 0))) {
        take(list, items);
        return;
    }
    for (size_t i = 0; i < json_len(items); i++)
        take(list, json_at(items, i));
}

int model_parse(struct sv text, jv *v, struct statements *list, struct err *err)
{
    *list = (struct statements){ 0 };
    if (llm_json(text, v, &list->is_cut, err) < 0)
        return err_prefix(err, "parse error");
    jv items = json_is_object(*v) ? member(*v, list_keys) : *v;
    struct statement one;
    int rc = 0;
    if (json_is_array(items))
        take_all(list, items);
    else if (json_is_object(*v) && read_statement(*v, &one))
        take(list, *v);
    else
        rc = err_set(err, EXIT_REJECTED,
                     "parse error: the model's JSON has no list \"triples\"");
    if (rc == 0 && !list->n && list->n_odd)
        rc = err_set(err, EXIT_REJECTED, "parse error: none of the %zu elements is a statement",
                     list->n_odd);
    if (rc < 0) {
        free(list->items);
        json_free(*v);
    }
    return rc;
}
