// SPDX-License-Identifier: MIT
/*
 * conflicts_said.c — statements that papers contradict: denied, opposite, the other way round
 */
#include "conflicts_impl.h"

#include "json.h"
#include "measured.h"

/* Relations that exclude each other between the same head and tail. */
static const char *const opposites[][2] = {
    { "Enriched In", "Depleted In" },
    { "Oxidises", "Reduces" },
    { "Older Than", "Younger Than" },
    { "Increases", "Decreases" },
    { "Causes", "Prevents" },
    { "Promotes", "Inhibits" },
    { "Compatible In", "Incompatible In" },
    { "Heavier Than", "Lighter Than" },
    { "Greater Than", "Less Than" },
    { "Positively Correlated With", "Negatively Correlated With" },
    { "Correlates With", "Anticorrelates With" },
};

/* Relations that cannot hold in both directions. */
static const char *const orders[] = { "Older Than",   "Younger Than", "Heavier Than",
                                      "Lighter Than", "Greater Than", "Less Than" };

static struct sv opposite_of(struct sv relation)
{
    for (size_t i = 0; i < ARRAY_LEN(opposites); i++)
        for (int k = 0; k < 2; k++)
            if (sv_ieq(relation, sv_from(opposites[i][k])))
                return sv_from(opposites[i][1 - k]);
    return SV("");
}

/* What is composed of something contains it: who denies the latter denies the former. */
static struct sv implied_by(struct sv relation)
{
    return sv_ieq(relation, SV("Composed Of")) ? SV("Contains") : SV("");
}

static bool is_order(struct sv relation)
{
    for (size_t i = 0; i < ARRAY_LEN(orders); i++)
        if (sv_ieq(relation, sv_from(orders[i])))
            return true;
    return false;
}

static bool is_same(const struct grg *g, uint32_t a, uint32_t b)
{
    const struct grg_edge *x = grg_edge(g, a), *y = grg_edge(g, b);
    return x->head == y->head && x->relation == y->relation && x->tail == y->tail &&
           x->value >= g->n_values && y->value >= g->n_values;
}

/* Edges that differ in their stance alone follow each other: is this the first of them? */
static bool is_first(const struct grg *g, uint32_t edge)
{
    return edge == 0 || !is_same(g, edge, edge - 1);
}

/* The triples of the edge and of those that differ from it in their stance alone. */
static struct grg_range said_of(const struct grg *g, uint32_t edge)
{
    struct grg_range r = grg_triples_of(g, edge);
    for (uint32_t e = edge + 1; e < g->n_edges && is_same(g, edge, e); e++)
        r.to = grg_triples_of(g, e).to;
    return r;
}

/* The triple of the edge, whatever its stance, of another paper than `not` (GRG_NONE: of any),
 * that affirms or denies; the most confident. What does not stand in its source is no
 * contradiction. GRG_NONE: there is none. */
static uint32_t best_of(const struct grg *g, uint32_t edge, bool denies, uint32_t not )
{
    struct grg_range r = said_of(g, edge);
    uint32_t best = GRG_NONE;
    for (uint32_t t = r.from; t < r.to; t++) {
        const struct grg_triple *x = grg_triple(g, t);
        if (!grg_str(g, x->paper).n || x->paper == not ||
            grg_stance(g, x->edge) & GRG_UNSUPPORTED ||
            measured_denies(grg_raw(g, t)) != denies)
            continue;
        if (best == GRG_NONE || x->confidence > grg_triple(g, best)->confidence)
            best = t;
    }
    return best;
}

static void put(struct conflicts *c, const char *kind, const char *reason, uint32_t a,
                uint32_t b)
{
    const struct grg_edge *e = grg_edge(c->g, grg_triple(c->g, a)->edge);
    if (!conflicts_wants(c, grg_triple(c->g, a)->paper, grg_triple(c->g, b)->paper))
        return;
    json_open(c->out, '{');
    json_key(c->out, "kind");
    json_put_str(c->out, sv_from(kind));
    conflicts_put_subject(c, e->head);
    json_key(c->out, "quantity");
    json_put_str(c->out, grg_str(c->g, e->relation));
    json_key(c->out, "reason");
    json_put_str(c->out, sv_from(reason));
    conflicts_put_side(c, "a", a);
    conflicts_put_side(c, "b", b);
    json_close(c->out, '}');
    buf_char(c->out, '\n');
    c->count.found++;
    c->count.given++;
}

/* One paper affirms edge a, another affirms edge b, which cannot both be. */
static void compare(struct conflicts *c, uint32_t a, uint32_t b, const char *reason)
{
    uint32_t x = best_of(c->g, a, false, GRG_NONE);
    uint32_t y = x == GRG_NONE ? GRG_NONE : best_of(c->g, b, false, grg_triple(c->g, x)->paper);
    if (x != GRG_NONE && y == GRG_NONE) {
        /* The best of a is from the only paper that says b. */
        y = best_of(c->g, b, false, GRG_NONE);
        x = y == GRG_NONE ? GRG_NONE : best_of(c->g, a, false, grg_triple(c->g, y)->paper);
    }
    if (x != GRG_NONE && y != GRG_NONE)
        put(c, "polarity", reason, x, y);
}

/* Edge e is between things; look for what excludes it among the edges of both its ends. */
static void look(struct conflicts *c, uint32_t e)
{
    const struct grg *g = c->g;
    const struct grg_edge *x = grg_edge(g, e);
    struct sv relation = grg_str(g, x->relation), opposite = opposite_of(relation);
    uint32_t yes = best_of(g, e, false, GRG_NONE), no = GRG_NONE;
    if (yes != GRG_NONE)
        no = best_of(g, e, true, grg_triple(g, yes)->paper);
    if (no != GRG_NONE)
        put(c, "polarity", "one says it, the other denies it", yes, no);
    struct grg_range r = grg_out(g, x->head);
    struct sv implied = implied_by(relation);
    for (uint32_t i = r.from; yes != GRG_NONE && implied.n && i < r.to; i++) {
        if (!is_first(g, i) || grg_edge(g, i)->tail != x->tail ||
            !sv_ieq(grg_str(g, grg_edge(g, i)->relation), implied))
            continue;
        no = best_of(g, i, true, grg_triple(g, yes)->paper);
        if (no != GRG_NONE)
            put(c, "polarity", "one says it, the other denies what it implies", yes, no);
    }
    for (uint32_t i = r.from; opposite.n && i < r.to; i++)
        if (i > e && is_first(g, i) && grg_edge(g, i)->tail == x->tail &&
            sv_ieq(grg_str(g, grg_edge(g, i)->relation), opposite))
            compare(c, e, i, "the relations exclude each other");
    r = grg_out(g, x->tail);
    for (uint32_t i = r.from; is_order(relation) && i < r.to; i++)
        if (i > e && is_first(g, i) && grg_edge(g, i)->tail == x->head && x->head != x->tail &&
            sv_ieq(grg_str(g, grg_edge(g, i)->relation), relation))
            compare(c, e, i, "the order is the other way round");
}

void conflicts_statements(struct conflicts *c)
{
    const struct grg *g = c->g;
    for (uint32_t e = 0; e < g->n_edges; e++) {
        const struct grg_edge *x = grg_edge(g, e);
        if (x->value >= g->n_values && is_first(g, e) && grg_is_thing(g, x->tail) &&
            filter_walks(c->cfg->filter, x->relation) &&
            filter_reaches(c->cfg->filter, grg_node(g, x->head)->type))
            look(c, e);
    }
}
