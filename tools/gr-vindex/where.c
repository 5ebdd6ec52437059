// SPDX-License-Identifier: MIT
/*
 * where.c — what simple expressions say
 */
#include "where.h"

#include "alloc.h"

int where_cmp(const struct where_value *a, const struct where_value *b)
{
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    if (a->type == WHERE_NUMBER)
        return a->num < b->num ? -1 : a->num > b->num;
    return a->type == WHERE_STRING ? sv_cmp(a->str, b->str) : 0;
}

static enum where_answer is_one_of(const struct where *w, const struct where_node *leaf,
                                   const struct where_value *v)
{
    for (size_t i = 0; i < leaf->n; i++)
        if (where_cmp(v, &w->values[leaf->values + i]) == 0)
            return WHERE_YES;
    return WHERE_NO;
}

static enum where_answer of_string(enum where_op op, const struct where_value *v,
                                   struct sv text)
{
    if (v->type != WHERE_STRING)
        return WHERE_FAILS;
    bool is = op == WHERE_STARTS ? sv_starts(v->str, text)
              : op == WHERE_ENDS ? sv_ends(v->str, text)
                                 : sv_find(v->str, text, 0) != SIZE_MAX;
    return is ? WHERE_YES : WHERE_NO;
}

enum where_answer where_leaf(const struct where *w, const struct where_node *leaf,
                             const struct where_value *v)
{
    if (leaf->op == WHERE_IS)
        return v->type > WHERE_FALSE ? WHERE_YES : WHERE_NO;
    if (leaf->op == WHERE_IN)
        return is_one_of(w, leaf, v);
    const struct where_value *literal = &w->values[leaf->values];
    if (leaf->op >= WHERE_STARTS)
        return of_string(leaf->op, v, literal->str);
    int c = where_cmp(v, literal);
    bool is = leaf->op == WHERE_EQ   ? c == 0
              : leaf->op == WHERE_NE ? c != 0
              : leaf->op == WHERE_LT ? c < 0
              : leaf->op == WHERE_LE ? c <= 0
              : leaf->op == WHERE_GT ? c > 0
                                     : c >= 0;
    return is ? WHERE_YES : WHERE_NO;
}

static enum where_answer test(const struct where *w, size_t node,
                              struct where_value (*get)(void *, struct sv), void *ctx)
{
    const struct where_node *n = &w->nodes[node];
    if (n->op > WHERE_NOT) {
        struct where_value v = get(ctx, n->field);
        return where_leaf(w, n, &v);
    }
    enum where_answer a = test(w, n->a, get, ctx);
    if (n->op == WHERE_NOT)
        return a == WHERE_FAILS ? a : a == WHERE_YES ? WHERE_NO : WHERE_YES;
    return a == (n->op == WHERE_AND ? WHERE_YES : WHERE_NO) ? test(w, n->b, get, ctx) : a;
}

enum where_answer where_test(const struct where *w,
                             struct where_value (*get)(void *ctx, struct sv field), void *ctx)
{
    return test(w, w->root, get, ctx);
}

void where_release(struct where *w)
{
    free(w->nodes);
    free(w->values);
    map_free(w->texts);
    *w = (struct where){ 0 };
}
