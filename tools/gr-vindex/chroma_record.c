// SPDX-License-Identifier: MIT
/*
 * chroma_record.c — records as Chroma keeps them, and what it can be asked of them
 */
#include "chroma.h"

#include "alloc.h"
#include "schema.h"

/* ---- where ---- */

bool chroma_takes_key(struct sv key)
{
    return key.n && key.n <= 256 && !memchr(key.p, '\0', key.n) && key.p[0] != '#' &&
           key.p[0] != '$' && !sv_starts(key, SV("chroma")) && !sv_starts(key, SV(CHROMA_OWN));
}

/* Is what a record has for this member among the metadata whenever it is a scalar? */
static bool is_kept(struct sv field)
{
    return chroma_takes_key(field) && !sv_is(field, F_ID) && !sv_is(field, F_TEXT) &&
           !sv_is(field, F_EMBEDDING) && !sv_is(field, F_EMBEDDING_MODEL);
}

static bool is_sendable(const struct where_value *v)
{
    return v->type == WHERE_FALSE || v->type == WHERE_TRUE || v->type == WHERE_NUMBER ||
           (v->type == WHERE_STRING && v->str.n <= CHROMA_MAX_VALUE &&
            !memchr(v->str.p, '\0', v->str.n));
}

static void put_condition(struct sv field, const char *op, const struct where_value *v,
                          struct buf *out)
{
    json_open(out, '{');
    json_key_sv(out, field);
    json_open(out, '{');
    json_key(out, op);
    if (v->type == WHERE_NUMBER)
        json_put_num(out, v->num);
    else if (v->type == WHERE_STRING)
        json_put_str(out, v->str);
    else
        json_put_bool(out, v->type == WHERE_TRUE);
    buf_str(out, "}}");
}

/*
 * Chroma compares values of one type only, and a member that is not there is unlike every
 * value. Equal and not equal mean what jq means by them. "Above a number" means it where no
 * record has a string, array or object there, all of which are above numbers; "below" never,
 * since null is.
 */
static bool where_leaf_of(const struct where *w, const struct where_node *leaf,
                          const struct chroma_info *info, struct buf *out)
{
    const struct where_value *v = &w->values[leaf->values];
    if (!is_kept(leaf->field) || !leaf->n)
        return false;
    for (size_t i = 0; i < leaf->n; i++)
        if (!is_sendable(&v[i]))
            return false;
    bool is_number = v->type == WHERE_NUMBER && info->is_ours &&
                     map_get(info->mixed, leaf->field) == MAP_NONE;
    switch (leaf->op) {
    case WHERE_EQ:
        put_condition(leaf->field, "$eq", v, out);
        return true;
    case WHERE_NE:
        put_condition(leaf->field, "$ne", v, out);
        return true;
    case WHERE_GT:
    case WHERE_GE:
        if (is_number)
            put_condition(leaf->field, leaf->op == WHERE_GT ? "$gt" : "$gte", v, out);
        return is_number;
    case WHERE_IN:
        if (leaf->n > 1)
            buf_str(out, "{\"$or\":[");
        for (size_t i = 0; i < leaf->n; i++)
            put_condition(leaf->field, "$eq", &v[i], out);
        if (leaf->n > 1)
            buf_str(out, "]}");
        return true;
    default:
        return false;
    }
}

static bool where_of(const struct where *w, size_t node, const struct chroma_info *info,
                     struct buf *out)
{
    const struct where_node *n = &w->nodes[node];
    if (n->op > WHERE_NOT)
        return where_leaf_of(w, n, info, out);
    if (n->op == WHERE_NOT)
        return false;
    struct buf a = BUF_INIT, b = BUF_INIT;
    bool has_a = where_of(w, n->a, info, &a), has_b = where_of(w, n->b, info, &b);
    bool is_said = n->op == WHERE_AND ? has_a || has_b : has_a && has_b;
    if (has_a && has_b) {
        json_put_raw(out, n->op == WHERE_AND ? SV("{\"$and\":[") : SV("{\"$or\":["));
        json_put_raw(out, buf_view(&a));
        json_put_raw(out, buf_view(&b));
        buf_str(out, "]}");
    } else if (is_said) {
        json_put_raw(out, buf_view(has_a ? &a : &b));
    }
    buf_release(&a);
    buf_release(&b);
    return is_said;
}

bool chroma_where(const struct where *w, const struct chroma_info *info, struct buf *out)
{
    return where_of(w, w->root, info, out);
}

/* ---- back to a record ---- */

static bool is_apart(struct sv key)
{
    return sv_is(key, F_ID) || sv_is(key, F_TEXT) || sv_is(key, F_EMBEDDING) ||
           sv_is(key, F_EMBEDDING_MODEL);
}

/* Metadata of a collection that others made. */
static void put_members(jv metadata, struct buf *out)
{
    struct sv key;
    jv value;
    buf_char(out, '{');
    for (size_t i = 0; json_is_object(metadata) && json_each(metadata, &i, &key, &value);)
        if (!is_apart(key) && !sv_starts(key, SV(CHROMA_OWN))) {
            json_key_sv(out, key);
            json_put_jv(out, value);
        }
}

int chroma_record(const struct chroma *c, jv id, jv document, jv metadata, struct buf *out,
                  struct err *err)
{
    static const char *const apart[] = { F_ID, F_EMBEDDING, F_EMBEDDING_MODEL };
    struct sv text = json_sv(json_get(metadata, CHROMA_OWN "record"));
    struct err why;
    if (!json_is_str(id) || !json_sv(id).n)
        return chroma_odd(c, "an id that is no string", err);
    if (!json_is_null(metadata) && !json_is_object(metadata))
        return chroma_odd(c, "metadata that are no object", err);
    if (text.n) {
        struct rec r;
        if (rec_parse(&r, text, &why) < 0)
            return chroma_odd(c, "gr_record is no record", err);
        rec_begin(out, &r, apart, ARRAY_LEN(apart));
        rec_release(&r);
    } else {
        put_members(metadata, out);
    }
    json_key(out, F_ID);
    json_put_str(out, json_sv(id));
    if (json_is_str(document)) {
        json_key(out, F_TEXT);
        json_put_str(out, json_sv(document));
    }
    buf_char(out, '}');
    return 0;
}
