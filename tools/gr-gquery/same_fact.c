// SPDX-License-Identifier: MIT
/*
 * same_fact.c — comparing two facts by their ends, value and sentence
 */
#include "same_fact.h"

#include "measured.h"
#include "sv.h"

/* Relations that say the same the other way round; with itself: it has no direction. */
static const char *const inverses[][2] = {
    { "Contains", "Occurs In" },
    { "Contains", "Part Of" },
    { "Composed Of", "Occurs In" },
    { "Composed Of", "Part Of" },
    { "Older Than", "Younger Than" },
    { "Associated With", "Associated With" },
    { "Substitutes For", "Substitutes For" },
    { "Greater Than", "Less Than" },
};

static bool are_inverse(struct sv a, struct sv b)
{
    for (size_t i = 0; i < ARRAY_LEN(inverses); i++)
        for (int k = 0; k < 2; k++)
            if (sv_ieq(a, sv_from(inverses[i][k])) && sv_ieq(b, sv_from(inverses[i][1 - k])))
                return true;
    return false;
}

/* Read in one sentence of one chunk? */
static bool is_one_sentence(const struct grg *g, uint32_t a, uint32_t b)
{
    const struct grg_triple *x = grg_triple(g, a), *y = grg_triple(g, b);
    return grg_str(g, x->evidence).n && x->evidence == y->evidence && x->chunk == y->chunk;
}

static bool has(const struct grg_value *v, uint32_t flag)
{
    return (v->flags & flag) != 0;
}

static bool is_equal(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* The same numbers and unit, errors aside. */
static bool is_same_number(const struct grg_value *a, const struct grg_value *b)
{
    uint32_t both = GRG_HAS_NUMBER | GRG_HAS_HIGH | GRG_IS_CHANGE;
    return a->unit == b->unit && (a->flags & both) == (b->flags & both) &&
           (!has(a, GRG_HAS_NUMBER) || is_equal(a->number, b->number)) &&
           (!has(a, GRG_HAS_HIGH) || is_equal(a->high, b->high));
}

/* What a tail names behind its unit: "Rb" of "5 ± 1 ppm Rb". */
static struct sv behind_unit(const struct grg *g, const struct grg_edge *e)
{
    struct sv name = grg_str(g, grg_node(g, e->tail)->name);
    struct sv unit = grg_str(g, grg_value(g, e->value)->unit);
    size_t at = unit.n ? sv_find(name, unit, 0) : SIZE_MAX;
    return at == SIZE_MAX ? name : sv_trim(sv_from_to(name, at + unit.n, name.n));
}

static bool names_head_of(const struct grg *g, const struct grg_edge *whole,
                          const struct grg_edge *part)
{
    struct sv head = grg_str(g, grg_node(g, part->head)->name);
    return head.n && sv_find(grg_str(g, grg_node(g, whole->tail)->name), head, 0) != SIZE_MAX;
}

static enum same_fact same_value(const struct grg *g, const struct grg_edge *a,
                                 const struct grg_edge *b, bool is_one)
{
    const struct grg_value *x = grg_value(g, a->value), *y = grg_value(g, b->value);
    if (!is_same_number(x, y))
        return FACTS_DIFFER;
    bool more = has(y, GRG_HAS_ERROR) && !has(x, GRG_HAS_ERROR);
    bool less = has(x, GRG_HAS_ERROR) && !has(y, GRG_HAS_ERROR);
    if (a->head != b->head) {
        if (!is_one || grg_is_thing(g, a->tail) || grg_is_thing(g, b->tail))
            return FACTS_DIFFER;
        return !less && names_head_of(g, b, a)   ? FACTS_SECOND_MORE
               : !more && names_head_of(g, a, b) ? FACTS_SAME
                                                 : FACTS_DIFFER;
    }
    if (!more && !less && has(x, GRG_HAS_ERROR) &&
        (!is_equal(x->error, y->error) ||
         !is_equal((double)x->error_low, (double)y->error_low)))
        return FACTS_DIFFER;
    if (a->tail != b->tail && !sv_eq(behind_unit(g, a), behind_unit(g, b)))
        return FACTS_DIFFER;
    if (a->relation != b->relation && !is_one &&
        !(measured_is_plain(grg_str(g, a->relation)) &&
          measured_is_plain(grg_str(g, b->relation))))
        return FACTS_DIFFER;
    return more ? FACTS_SECOND_MORE : FACTS_SAME;
}

enum same_fact same_fact(const struct grg *g, uint32_t edge_a, uint32_t triple_a,
                         uint32_t edge_b, uint32_t triple_b)
{
    const struct grg_edge *a = grg_edge(g, edge_a), *b = grg_edge(g, edge_b);
    bool has_a = a->value < g->n_values, has_b = b->value < g->n_values;
    if (has_a != has_b || grg_stance(g, edge_a) != grg_stance(g, edge_b))
        return FACTS_DIFFER;
    if (has_a)
        return same_value(g, a, b, is_one_sentence(g, triple_a, triple_b));
    bool is_turned = a->head == b->tail && a->tail == b->head;
    if (!is_turned && (a->head != b->head || a->tail != b->tail))
        return FACTS_DIFFER;
    if (is_turned && are_inverse(grg_str(g, a->relation), grg_str(g, b->relation)))
        return FACTS_SAME;
    return !is_turned && is_one_sentence(g, triple_a, triple_b) ? FACTS_SAME : FACTS_DIFFER;
}
