// SPDX-License-Identifier: MIT
/*
 * filter.c — parsing and applying the filters of a query
 */
#include "filter.h"

#include "alloc.h"
#include "file.h"
#include "run.h"

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

/* What is composed of olivine contains it; who walks along the one goes along the other. */
static void set_relation(struct filter_set *s, const struct grg *g, struct sv name,
                         bool is_strict, struct sv *unknown)
{
    struct sv no = *unknown, no_other = SV_NONE;
    size_t before = s->n;
    set_name(s, g, name, &no);
    if (sv_ieq(name, SV("Contains")))
        set_name(s, g, SV("Composed Of"), &no_other);
    else if (!is_strict && sv_ieq(name, SV("Composed Of")))
        set_name(s, g, SV("Contains"), &no_other);
    if (s->n == before)
        *unknown = no;
}

static struct units *load_units(struct err *err)
{
    struct buf path = BUF_INIT;
    struct units *u = NULL;
    if (file_find_data(&path, run_cfg.data, "vocab/unit.tsv", err) == 0)
        u = units_load(buf_cstr(&path), err);
    buf_release(&path);
    return u;
}

/* Which things have values that meet the conditions. Those on two quantities are met by two
 * edges, so all edges are looked at before any is given; one quantity needs no such look. */
static void meet_all(struct filter *f, const struct grg *g)
{
    uint32_t all = where_all(f->where);
    if ((all & (all - 1)) == 0)
        return;
    f->met = alloc_zero(g->n_nodes, sizeof *f->met);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        uint32_t head = grg_edge(g, e)->head;
        if (head < g->n_nodes && f->met[head] != all && filter_tells(f, g, e))
            f->met[head] |= where_meets(f->where, g, e);
    }
}

static int set_where(struct filter *f, const struct grg *g, const char *where, struct err *err)
{
    struct err no_table;
    bool is_plain = where_is_plain(where);
    f->units = load_units(is_plain ? &no_table : err);
    if (!f->units && !is_plain)
        return -1;
    f->has_where = true;
    f->where = where_new(where, f->units, err);
    if (!f->where)
        return -1;
    meet_all(f, g);
    return 0;
}

int filter_make(struct filter *f, const struct grg *g, const char *relation, const char *strict,
                const char *label, const char *where, unsigned stances, struct sv *unknown,
                struct err *err)
{
    struct sv rest = sv_from(strict ? strict : relation), name;
    *f = (struct filter){ .is_strict = strict != NULL, .stances = stances };
    if (relation && strict)
        return err_set(err, EXIT_USAGE, "--relation and --strict-rel: only one of them");
    while (rest.n && sv_cut(&rest, ',', &name))
        set_relation(&f->relations, g, sv_trim(name), f->is_strict, unknown);
    rest = sv_from(label);
    while (rest.n && sv_cut(&rest, ',', &name)) {
        name = sv_trim(name);
        bool is_not = sv_starts(name, SV("-"));
        if (is_not)
            name = sv_from_to(name, 1, name.n);
        set_name(is_not ? &f->not_types : &f->types, g, name, unknown);
    }
    return where ? set_where(f, g, where, err) : 0;
}

void filter_release(struct filter *f)
{
    free(f->relations.ids);
    free(f->types.ids);
    free(f->not_types.ids);
    free(f->met);
    where_free(f->where);
    units_free(f->units);
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
    if ((f->is_strict && !filter_walks(f, e->relation)) ||
        !filter_tells(f, g, (uint32_t)(e - g->edges)))
        return false;
    if (!f->where)
        return true;
    if (e->value >= g->n_values || e->head >= g->n_nodes ||
        (f->met && f->met[e->head] != where_all(f->where)))
        return false;
    return where_meets(f->where, g, (uint32_t)(e - g->edges)) != 0;
}
