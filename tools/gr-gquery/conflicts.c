// SPDX-License-Identifier: MIT
/*
 * conflicts.c — values of one thing that do not agree between papers
 */
#include "conflicts_impl.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "measured.h"
#include "query.h"
#include "schema.h"
#include "topk.h"
#include "utf8.h"

#define DELTA_ERROR 0.5e-3 /* 0.5 ‰ in base units */
#define RATIO_ERROR 0.0005 /* of the ratio */

/* One value of one paper, in the order of comparison. */
struct item {
    size_t quantity; /* ordinal of `keys`: subject and quantity */
    uint32_t paper, triple;
    double low, high;        /* base units */
    double error, error_low; /* the same, at two sigma: upwards, downwards; 0 at an open end */
    double factor;
    bool is_assumed;
    const char *system;  /* static */
    uint64_t conditions; /* ordinal of `keys` + 1, 0: not said */
};

struct gathering {
    struct conflicts *c;
    struct map *keys;
    struct item *items;
    size_t n, cap;
};

bool conflicts_wants(const struct conflicts *c, uint32_t paper_a, uint32_t paper_b)
{
    return !c->cfg->papers || map_get(c->cfg->papers, grg_str(c->g, paper_a)) != MAP_NONE ||
           map_get(c->cfg->papers, grg_str(c->g, paper_b)) != MAP_NONE;
}

/* ---- gathering ---- */

/* Half a unit of the last decimal of the shortest text that reads back the same; 0.5 for whole
 * numbers, whose zeros at the end may count or not. */
static double rounding_of(double v)
{
    char text[400];
    double back, unit = 1;
    for (int decimals = 0; isfinite(v) && decimals < 17; decimals++, unit /= 10) {
        snprintf(text, sizeof text, "%.*f", decimals, v);
        if (sv_to_double(sv_from(text), &back) && back == v)
            break;
    }
    return unit / 2;
}

static bool is_ratio(const struct measured *m)
{
    return sv_is(m->of_type, "isotope_ratio") && !m->dimension.n;
}

/* The error to count with; *is_assumed when none is given. */
static double error_of(const struct gathering *ga, const struct measured *m,
                       const struct grg_value *v, bool *is_assumed)
{
    *is_assumed = isnan(m->error);
    if (!*is_assumed)
        return m->error;
    if (isinf(m->low) || isinf(m->high)) /* a limit is one */
        return 0;
    double size = fabs(m->low + m->high) / 2;
    double error = is_ratio(m)                    ? RATIO_ERROR * size
                   : sv_is(m->dimension, "delta") ? DELTA_ERROR
                                                  : ga->c->cfg->tolerance / 100 * size;
    /* Of a temperature in °C the percents are of what is printed, not of kelvins. */
    if (sv_is(m->dimension, "temperature"))
        error = ga->c->cfg->tolerance / 100 * fabs(v->number) * m->factor;
    double rounding = rounding_of(v->number) * m->factor;
    error = error > rounding ? error : rounding;
    return m->is_about ? 2 * error : error;
}

/* "1" and "A" are other samples in every paper. */
static bool is_subject(struct sv name)
{
    bool has_letter = false;
    size_t n = 0;
    for (size_t pos = 0; pos < name.n; n++)
        has_letter |= utf8_is_letter(utf8_next(name, &pos));
    return has_letter && n > 1;
}

/* Subject, relation where it says what is measured, what is measured, dimension. */
static void quantity_key(const struct grg *g, const struct measured *m,
                         const struct grg_edge *e, struct buf *key)
{
    buf_sv(key, grg_str(g, grg_node(g, e->head)->key));
    buf_char(key, '\n');
    if (m->of.n)
        measured_key(m->of, key);
    buf_char(key, '\n');
    if (!m->of.n || !measured_is_plain(grg_str(g, e->relation)))
        buf_sv(key, grg_str(g, e->relation));
    buf_char(key, '\n');
    buf_sv(key, m->dimension.n ? m->dimension : m->unit);
}

static void gather(struct gathering *ga, uint32_t triple, uint32_t paper,
                   const struct grg_edge *e)
{
    const struct grg *g = ga->c->g;
    struct measured m;
    struct buf key = BUF_INIT;
    if (!measured_read(&m, g, ga->c->u, triple))
        return;
    /* "the upper unit" is another one in every paper, a property nobody says of what */
    struct sv type = grg_str(g, grg_node(g, e->head)->type);
    bool is_own = sv_is(type, "thing") || sv_is(type, "property") || sv_is(type, "condition");
    if (m.subject.n && !is_own && !m.is_change && is_subject(m.subject)) {
        struct item x = { .paper = paper, .triple = triple, .low = m.low, .high = m.high };
        quantity_key(g, &m, e, &key);
        x.quantity = map_put(ga->keys, buf_view(&key), NULL);
        x.factor = m.factor;
        x.system = m.system;
        x.error = error_of(ga, &m, grg_value(g, e->value), &x.is_assumed);
        x.error_low = x.is_assumed ? x.error : m.error_low;
        if (m.conditions.n)
            x.conditions = 1 + map_put(ga->keys, m.conditions, NULL);
        if (ga->n == ga->cap) {
            ga->cap = alloc_grow(ga->cap, ga->n + 1);
            ga->items = alloc_resize(ga->items, ga->cap, sizeof *ga->items);
        }
        ga->items[ga->n++] = x;
    }
    buf_release(&key);
    measured_release(&m);
}

static void gather_all(struct gathering *ga)
{
    const struct grg *g = ga->c->g;
    const struct filter *f = ga->c->cfg->filter;
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct grg_edge *e = grg_edge(g, i);
        struct grg_range r = grg_triples_of(g, i);
        if (e->value >= g->n_values || !filter_walks(f, e->relation) ||
            !filter_reaches(f, grg_node(g, e->head)->type))
            continue;
        for (uint32_t t = r.from; t < r.to; t++) {
            uint32_t paper = grg_triple(g, t)->paper;
            if (grg_str(g, paper).n)
                gather(ga, t, paper, e);
        }
    }
}

/* ---- comparing ---- */

/* The nearest two values of two papers. */
struct pair {
    const struct item *a, *b;
    double gap, errors; /* base units; multiples of the joint error */
};

static double gap_of(const struct item *a, const struct item *b)
{
    double gap = a->low > b->high ? a->low - b->high : b->low - a->high;
    return gap > 0 ? gap : 0;
}

/* Of the sides that face each other. */
static double joint_error(const struct item *a, const struct item *b)
{
    return a->low > b->high ? hypot(a->error_low, b->error) : hypot(a->error, b->error_low);
}

static bool is_comparable(const struct item *a, const struct item *b)
{
    if (*a->system && *b->system && strcmp(a->system, b->system) != 0)
        return false;
    return !a->conditions || !b->conditions || a->conditions == b->conditions;
}

/* False: nothing to compare, or some two agree. a, b: the runs of items of two papers. */
static bool disagree(const struct item *a, size_t n_a, const struct item *b, size_t n_b,
                     double limit, struct pair *worst)
{
    *worst = (struct pair){ NULL, NULL, 0, INFINITY };
    for (size_t i = 0; i < n_a; i++)
        for (size_t k = 0; k < n_b; k++) {
            if (!is_comparable(&a[i], &b[k]))
                continue;
            double gap = gap_of(&a[i], &b[k]), joint = joint_error(&a[i], &b[k]);
            double errors = gap == 0 ? 0 : joint > 0 ? gap / joint : 1e6;
            if (errors <= limit)
                return false;
            if (errors < worst->errors)
                *worst = (struct pair){ &a[i], &b[k], gap, errors };
        }
    return worst->a != NULL;
}

static double end_of(const struct item *x)
{
    return isinf(x->low) ? x->high : x->low;
}

/* Percent of the larger of the two values. */
static double percent_of(const struct pair *p)
{
    double a = fabs(end_of(p->a)), b = fabs(end_of(p->b)), larger = a > b ? a : b;
    return larger > 0 ? 100 * p->gap / larger : 0;
}

/* ---- writing ---- */

static double rounded(double v)
{
    char text[40];
    double back;
    snprintf(text, sizeof text, "%.4g", v);
    return sv_to_double(sv_from(text), &back) ? back : v;
}

void conflicts_put_subject(const struct conflicts *c, uint32_t node)
{
    const struct grg_node *n = grg_node(c->g, node);
    json_key(c->out, "subject");
    json_open(c->out, '{');
    json_key(c->out, "name");
    json_put_str(c->out, grg_str(c->g, n->name));
    json_add_str(c->out, "type", grg_str(c->g, n->type));
    json_add_str(c->out, "node", grg_str(c->g, n->id));
    json_close(c->out, '}');
}

static void put_text(const struct conflicts *c, struct sv op, const struct grg_edge *e)
{
    struct buf b = BUF_INIT;
    const struct grg_value *v = grg_value(c->g, e->value);
    buf_sv(&b, op);
    if (v->flags & GRG_HAS_NUMBER)
        query_value_text(&b, c->g, e);
    else
        buf_printf(&b, "%s%.10g %.*s", op.n ? "" : "≤", v->high,
                   SV_ARG(grg_str(c->g, v->unit)));
    json_add_str(c->out, "text", sv_trim(buf_view(&b)));
    buf_release(&b);
}

void conflicts_put_side(const struct conflicts *c, const char *key, uint32_t triple)
{
    const struct grg *g = c->g;
    const struct grg_triple *t = grg_triple(g, triple);
    const struct grg_edge *e = grg_edge(g, t->edge);
    struct rec r = { .line = grg_raw(g, triple) };
    struct sv value, experiment;
    struct err ignored;
    jv v;
    json_key(c->out, key);
    json_open(c->out, '{');
    json_key(c->out, "head");
    json_put_str(c->out, grg_str(g, grg_node(g, e->head)->name));
    json_key(c->out, "relation");
    json_put_str(c->out, grg_str(g, e->relation));
    json_key(c->out, "tail");
    json_put_str(c->out, grg_str(g, grg_node(g, e->tail)->name));
    if (e->value < g->n_values && json_parse(&v, r.line, &ignored) == 0) {
        put_text(c, json_sv(json_get(json_get(v, "value"), "op")), e);
        if (rec_raw(&r, "value", &value)) {
            json_key(c->out, "value");
            json_put_raw(c->out, value);
        }
        if (rec_raw(&r, "experiment", &experiment)) {
            json_key(c->out, "experiment");
            json_put_raw(c->out, experiment);
        }
        json_free(v);
    }
    json_add_str(c->out, F_PAPER, grg_str(g, t->paper));
    json_add_str(c->out, "chunk", grg_str(g, t->chunk));
    json_add_str(c->out, "evidence", grg_str(g, t->evidence));
    json_add_num(c->out, "confidence", rounded((double)t->confidence));
    json_close(c->out, '}');
}

static void put_reason(const struct conflicts *c, const struct pair *p, struct sv unit)
{
    static const char *const bases[] = { "errors", "error and tolerance", "tolerance" };
    int n = p->a->is_assumed + p->b->is_assumed;
    struct buf b = BUF_INIT;
    json_key(c->out, "basis");
    json_put_str(c->out, sv_from(bases[n]));
    buf_printf(&b, "they lie %.4g%s%.*s apart", p->gap / p->a->factor, unit.n ? " " : "",
               SV_ARG(unit));
    if (p->errors < 1e6)
        buf_printf(&b, ", %.3g times %s", p->errors,
                   n == 0   ? "their joint error (2σ)"
                   : n == 2 ? "what is tolerated where no errors are given"
                            : "their joint error (2σ), one of which is assumed");
    else
        buf_str(&b, " and neither has an error");
    json_key(c->out, "reason");
    json_put_str(c->out, buf_view(&b));
    buf_release(&b);
}

static void put_quantity(const struct conflicts *c, const struct item *x)
{
    struct measured m;
    const struct grg_edge *e = grg_edge(c->g, grg_triple(c->g, x->triple)->edge);
    if (!measured_read(&m, c->g, c->u, x->triple))
        return;
    json_key(c->out, "quantity");
    json_put_str(c->out, m.of.n ? m.of : grg_str(c->g, e->relation));
    json_add_str(c->out, "system", sv_from(m.system));
    json_add_str(c->out, "unit", m.unit);
    measured_release(&m);
}

static void put_pair(const struct conflicts *c, const struct pair *p)
{
    const struct grg_edge *e = grg_edge(c->g, grg_triple(c->g, p->a->triple)->edge);
    struct sv unit = grg_str(c->g, grg_value(c->g, e->value)->unit);
    json_open(c->out, '{');
    json_key(c->out, "kind");
    json_put_str(c->out, SV("value"));
    conflicts_put_subject(c, e->head);
    put_quantity(c, p->a);
    json_add_num(c->out, "difference", rounded(p->gap / p->a->factor));
    json_add_num(c->out, "percent", rounded(percent_of(p)));
    if (p->errors < 1e6)
        json_add_num(c->out, "errors", rounded(p->errors));
    put_reason(c, p, unit);
    conflicts_put_side(c, "a", p->a->triple);
    conflicts_put_side(c, "b", p->b->triple);
    json_close(c->out, '}');
    buf_char(c->out, '\n');
}

/* ---- the groups ---- */

struct ranked {
    struct sv key;
    size_t ordinal;
};

static int cmp_ranked(const void *a, const void *b)
{
    return sv_cmp(((const struct ranked *)a)->key, ((const struct ranked *)b)->key);
}

/* Number the quantities in the order of their keys, so that the output is in that order. */
static void rank_quantities(struct gathering *ga)
{
    size_t n = map_count(ga->keys);
    struct ranked *r = alloc_array(n, sizeof *r);
    size_t *rank = alloc_array(n, sizeof *rank);
    for (size_t i = 0; i < n; i++)
        r[i] = (struct ranked){ map_key(ga->keys, i), i };
    if (n)
        qsort(r, n, sizeof *r, cmp_ranked);
    for (size_t i = 0; i < n; i++)
        rank[r[i].ordinal] = i;
    for (size_t i = 0; i < ga->n; i++)
        ga->items[i].quantity = rank[ga->items[i].quantity];
    free(r);
    free(rank);
}

static int cmp_item(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->quantity != y->quantity)
        return x->quantity < y->quantity ? -1 : 1;
    if (x->paper != y->paper)
        return x->paper < y->paper ? -1 : 1;
    return x->triple < y->triple ? -1 : x->triple > y->triple;
}

/* End of the run of items of one paper that begins at `from`. */
static size_t paper_end(const struct item *items, size_t from, size_t to)
{
    size_t i = from;
    while (i < to && items[i].paper == items[from].paper)
        i++;
    return i;
}

static int cmp_ordinal(const void *a, const void *b)
{
    const struct topk_item *x = a, *y = b;
    return x->ord < y->ord ? -1 : x->ord > y->ord;
}

/* Write the worst pairs in the order of papers; ord: where the runs of a and b begin, as
 * compare_group counts them. */
static void put_worst(struct conflicts *c, const struct item *items, size_t n,
                      struct topk *worst)
{
    topk_sort(worst);
    if (worst->n)
        qsort(worst->items, worst->n, sizeof *worst->items, cmp_ordinal);
    for (size_t i = 0; i < worst->n; i++) {
        size_t a = worst->items[i].ord / n, b = worst->items[i].ord % n;
        struct pair p;
        disagree(items + a, paper_end(items, a, n) - a, items + b, paper_end(items, b, n) - b,
                 c->cfg->min_errors, &p);
        put_pair(c, &p);
    }
    c->count.given += worst->n;
}

/* A pair is kept as two places: all pairs of many papers would not fit into memory. */
static void compare_group(struct conflicts *c, const struct item *items, size_t n)
{
    struct topk worst;
    struct pair p;
    topk_init(&worst, (size_t)c->cfg->top);
    for (size_t a = 0, a_end; a < n; a = a_end) {
        a_end = paper_end(items, a, n);
        for (size_t b = a_end, b_end; b < n; b = b_end) {
            b_end = paper_end(items, b, n);
            if (!disagree(items + a, a_end - a, items + b, b_end - b, c->cfg->min_errors, &p) ||
                percent_of(&p) < c->cfg->min_difference ||
                !conflicts_wants(c, items[a].paper, items[b].paper))
                continue;
            topk_push(&worst, p.errors, (uint64_t)a * n + b);
            c->count.found++;
        }
    }
    put_worst(c, items, n, &worst);
    topk_release(&worst);
}

struct conflicts_count conflicts_find(const struct grg *g, const struct units *u,
                                      const struct conflicts_cfg *cfg, struct buf *out)
{
    struct conflicts c = { .g = g, .u = u, .cfg = cfg, .out = out };
    struct gathering ga = { .c = &c, .keys = map_new() };
    gather_all(&ga);
    c.count.values = ga.n;
    rank_quantities(&ga);
    if (ga.n)
        qsort(ga.items, ga.n, sizeof *ga.items, cmp_item);
    for (size_t i = 0, end; i < ga.n; i = end) {
        for (end = i; end < ga.n && ga.items[end].quantity == ga.items[i].quantity;)
            end++;
        compare_group(&c, ga.items + i, end - i);
    }
    conflicts_statements(&c);
    map_free(ga.keys);
    free(ga.items);
    return c.count;
}
