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

/* Evidence in pieces is that of its first. */
static struct sv evidence_of(jv v)
{
    struct sv ignored;
    return end_of(json_is_array(v) ? json_at(v, 0) : v, &ignored);
}

/* true, 1, "true", "yes": to take a denial for a fact is worse than to lose one. */
static bool says_yes(jv v)
{
    struct sv text = sv_trim(json_sv(v));
    return json_is_true(v) || json_num(v) == 1 || sv_ieq(text, SV("true")) ||
           sv_ieq(text, SV("yes")) || sv_is(text, "1");
}

static bool read_object(jv v, struct statement *s)
{
    struct sv ignored;
    *s =
        (struct statement){ .head_type = json_sv(member(v, head_type_keys)),
                            .tail_type = json_sv(member(v, tail_type_keys)),
                            .relation = end_of(member(v, relation_keys), &ignored),
                            .evidence = evidence_of(member(v, evidence_keys)),
                            .confidence = confidence_of(member(v, confidence_keys)),
                            .is_negated = says_yes(member(v, negated_keys)) ||
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
    for (size_t pos = 0; pos < s.n;)
        if (utf8_is_trick(utf8_next(s, &pos)))
            return false;
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

/* ---- lists of them ---- */

#define LEVELS_MAX 4 /* of objects and arrays around the statements */

/* What was seen of a reply so far. */
struct seen {
    struct statements *list;
    bool says_none; /* an empty list */
    size_t n_junk;  /* elements of lists that hold no statement */
};

static bool take(struct statements *list, jv v)
{
    struct statement s;
    if (!read_statement(v, &s))
        return false;
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    list->items[list->n++] = s;
    return true;
}

static void take_value(struct seen *seen, jv v, int level);

/* An array of texts is one triple, not a list of them. */
static void take_array(struct seen *seen, jv items, int level)
{
    size_t n_before = seen->list->n, n_odd = 0;
    jv first = json_at(items, 0);
    if (json_is_str(first)) {
        n_odd = !take(seen->list, items);
    } else if (json_is_array(first) && !json_is_str(json_at(first, 0))) {
        for (size_t i = 0; i < json_len(items); i++)
            take_value(seen, json_at(items, i), level + 1);
    } else {
        for (size_t i = 0; i < json_len(items); i++)
            n_odd += !take(seen->list, json_at(items, i));
    }
    seen->says_none = seen->says_none || !json_len(items);
    if (seen->list->n > n_before)
        seen->list->n_odd += n_odd;
    else
        seen->n_junk += n_odd;
}

/* The list is under a key of its own, the object is a statement, or some member has them. */
static void take_object(struct seen *seen, jv object, int level)
{
    jv items = member(object, list_keys), inner;
    struct sv key;
    if (json_is_array(items) || json_is_object(items)) {
        take_value(seen, items, level + 1);
        return;
    }
    if (take(seen->list, object))
        return;
    size_t n = 0;
    for (size_t i = 0; json_each(object, &i, &key, &inner);)
        n++;
    for (size_t i = 0;
         json_each(object, &i, &key, &inner);) /* of several, which is the list? */
        if (n == 1 || !json_is_array(inner) || json_len(inner))
            take_value(seen, inner, level + 1);
}

static void take_value(struct seen *seen, jv v, int level)
{
    if (level > LEVELS_MAX)
        return;
    if (json_is_array(v))
        take_array(seen, v, level);
    else if (json_is_object(v))
        take_object(seen, v, level);
}

/* All values of the text, as an array. */
static jv values_of(struct sv text, struct statements *list)
{
    struct llm_json found = { 0 };
    jv all = jv_array();
    for (size_t pos = 0; llm_json_next(text, &pos, &found);) {
        all = jv_array_append(all, found.v);
        list->is_cut = found.is_cut;
    }
    list->n_odd = found.n_broken;
    return all;
}

/* What the whole text is as JSON, when that is a text: some models put the reply in quotes. */
static struct sv unquoted(struct sv text, jv *v)
{
    struct err ignored;
    text = sv_trim(text);
    if (!text.n || text.p[0] != '"' || json_parse(v, text, &ignored) < 0) {
        *v = jv_null();
        return text;
    }
    return json_sv(*v);
}

int model_parse(struct sv text, jv *v, struct statements *list, struct err *err)
{
    struct seen seen = { .list = list };
    jv quoted;
    *list = (struct statements){ 0 };
    *v = values_of(unquoted(text, &quoted), list);
    json_free(quoted);
    for (size_t i = 0; i < json_len(*v); i++)
        take_value(&seen, json_at(*v, i), 0);
    if (list->n || seen.says_none)
        return 0;
    if (seen.n_junk)
        err_set(err, EXIT_REJECTED, "parse error: none of the %zu elements is a statement",
                seen.n_junk);
    else
        err_set(err, EXIT_REJECTED, "parse error: the model's %s",
                json_len(*v) ? "JSON has no list \"triples\"" : "answer holds no JSON");
    free(list->items);
    json_free(*v);
    return -1;
}
