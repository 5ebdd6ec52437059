// SPDX-License-Identifier: MIT
/*
 * filter.c — parsing and applying the filters of a query
 */
#include "filter.h"

#include <math.h>

#include "alloc.h"

static void set_add(struct filter_set *s, uint32_t id)
{
    s->ids = alloc_resize(s->ids, s->n + 1, sizeof *s->ids);
    s->ids[s->n++] = id;
}

static bool set_has(const struct filter_set *s, uint32_t id)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->ids[i] == id)
            return true;
    return false;
}

/* Every string of the graph that is `name` in any case. O(strings), once a run. */
static void set_name(struct filter_set *s, const struct grg *g, struct sv name,
                     struct sv *unknown)
{
    size_t before = s->n;
    s->is_given = true;
    for (uint32_t i = 0; i < g->n_strings; i++)
        if (sv_ieq(grg_str(g, i), name))
            set_add(s, i);
    if (s->n == before && !unknown->n)
        *unknown = name;
}

static int parse_where(struct filter *f, const char *where, struct err *err)
{
    struct sv rest = sv_from(where), part, key;
    f->has_where = true;
    f->min = -INFINITY;
    f->max = INFINITY;
    while (sv_cut(&rest, ',', &part)) {
        struct sv value = sv_trim(part);
        if (!sv_cut(&value, '=', &key) || !value.p)
            return err_set(err, EXIT_USAGE,
                           "--where: expected unit=U, min=N or max=N, not \"%.*s\"",
                           SV_ARG(part));
        value = sv_trim(value);
        if (sv_is(key, "unit") && value.n < sizeof f->unit)
            snprintf(f->unit, sizeof f->unit, "%.*s", SV_ARG(value));
        else if (sv_is(key, "min") && sv_to_double(value, &f->min))
            continue;
        else if (sv_is(key, "max") && sv_to_double(value, &f->max))
            continue;
        else
            return err_set(err, EXIT_USAGE,
                           "--where: expected unit=U, min=N or max=N, not \"%.*s\"",
                           SV_ARG(part));
    }
    if (f->min > f->max)
        return err_set(err, EXIT_USAGE, "--where: min is larger than max");
    return 0;
}

int filter_make(struct filter *f, const struct grg *g, const char *relation, const char *strict,
                const char *label, const char *where, struct sv *unknown, struct err *err)
{
    struct sv rest = sv_from(strict ? strict : relation), name;
    *f = (struct filter){ .is_strict = strict != NULL };
    if (relation && strict)
        return err_set(err, EXIT_USAGE, "--relation and --strict-rel: only one of them");
    while (rest.n && sv_cut(&rest, ',', &name))
        set_name(&f->relations, g, sv_trim(name), unknown);
    rest = sv_from(label);
    while (rest.n && sv_cut(&rest, ',', &name)) {
        name = sv_trim(name);
        bool is_not = sv_starts(name, SV("-"));
        if (is_not)
            name = sv_from_to(name, 1, name.n);
        set_name(is_not ? &f->not_types : &f->types, g, name, unknown);
    }
    return where ? parse_where(f, where, err) : 0;
}

void filter_release(struct filter *f)
{
    free(f->relations.ids);
    free(f->types.ids);
    free(f->not_types.ids);
    *f = (struct filter){ 0 };
}

bool filter_walks(const struct filter *f, uint32_t relation)
{
    return !f->relations.is_given || set_has(&f->relations, relation);
}

bool filter_reaches(const struct filter *f, uint32_t type)
{
    return (!f->types.is_given || set_has(&f->types, type)) && !set_has(&f->not_types, type);
}

bool filter_gives(const struct filter *f, const struct grg *g, const struct grg_edge *e)
{
    if (f->is_strict && !filter_walks(f, e->relation))
        return false;
    if (!f->has_where)
        return true;
    const struct grg_value *v = grg_value(g, e->value);
    if (!(v->flags & GRG_HAS_NUMBER) ||
        (*f->unit && !sv_eq(grg_str(g, v->unit), sv_from(f->unit))))
        return false;
    double low = v->number, high = v->flags & GRG_HAS_HIGH ? v->high : v->number;
    return low <= f->max && high >= f->min;
}
