// SPDX-License-Identifier: MIT
/*
 * paired.c — "A and B have values x and y, respectively": the first with the first
 *
 * The quantities must stand in one list, and exactly as many names of one kind in another, left
 * of it or between it and the word. Otherwise nothing is said: the quantities of such a
 * sentence are left out by the other patterns as well (relate_is_paired), as the nearest name
 * would be the wrong one.
 */
#include "relate.h"

#include <math.h>

static size_t find_respectively(const struct clause *c)
{
    for (size_t i = c->classes & W_PAIRED ? c->n : 0; i-- > 0;)
        if (clause_class(c, i) & W_PAIRED)
            return i;
    return SIZE_MAX;
}

/* What may stand between two members of a list. */
static bool is_joint(const struct clause *c, size_t i)
{
    return clause_is_mark(c, i, ',') || clause_is_mark(c, i, '~') ||
           clause_class(c, i) & (W_AND | W_DET) || clause_is_word(c, i, "of") ||
           clause_is_word(c, i, "to");
}

/* The last list of quantities before item `end`, in order; how many. *from, *to: its items. */
static size_t quantity_list(const struct clause *c, size_t end, size_t *list, size_t *from)
{
    size_t n = 0, i = end;
    while (i > 0 && !clause_quantity(c, i - 1))
        i--;
    for (; i-- > 0 && n < LIST_MAX;) {
        if (clause_quantity(c, i)) {
            list[n++] = i;
            *from = i;
        } else if (!is_joint(c, i)) {
            break;
        }
    }
    for (size_t a = 0, b = n; a + 1 < b; a++) {
        size_t swap = list[a];
        list[a] = list[--b];
        list[b] = swap;
    }
    return n;
}

/* "(GX-01 and GX-02)": nothing but n names of one kind in [from, to). */
static bool bracket_list(const struct pass *p, size_t from, size_t to, const char *types,
                         size_t n, size_t *list)
{
    size_t k = 0;
    for (size_t i = from; i < to; i++) {
        bool is_name = relate_is(p, i, types);
        if (!is_name && !is_joint(p->clause, i))
            return false;
        if (is_name && k < n)
            list[k] = i;
        k += is_name;
    }
    return k == n;
}

/* Names of one kind in [from, to), exactly n of them in one list; the last such list. */
static bool name_list(const struct pass *p, size_t from, size_t to, const char *types, size_t n,
                      size_t *list)
{
    const struct clause *c = p->clause;
    size_t run[LIST_MAX + 1], k = 0;
    bool found = false, is_over = false;
    for (size_t i = from; i <= to; i++) {
        bool is_name = i < to && relate_is(p, i, types);
        if (is_name && clause_name(c, i + 1) && i + 1 < to && relate_is(p, i + 1, types))
            continue; /* "garnet peridotite": its last word */
        if (is_name && !is_over) {
            is_over = k == LIST_MAX;
            if (!is_over)
                run[k++] = i;
            continue;
        }
        if (i < to && clause_is_mark(c, i, '(') && clause_bracket(c, i) < to) {
            size_t close = clause_bracket(c, i);
            size_t inner[LIST_MAX];
            if (bracket_list(p, i + 1, close, types, n, inner)) {
                memcpy(list, inner, n * sizeof *list);
                found = true;
            }
            i = close;
            continue;
        }
        if (i < to && is_joint(c, i) && !clause_is_word(c, i, "of"))
            continue;
        if (k == n && !is_over) {
            memcpy(list, run, n * sizeof *list);
            found = true;
        }
        k = 0;
        is_over = false;
    }
    return found;
}

/* The measure the values are of: the last one left of them, of a kind that fits the unit. */
static size_t one_measure(const struct pass *p, size_t from, uint32_t unit)
{
    enum unit_kind kind = units_kind(p->lore->units, unit);
    for (size_t i = from; i-- > 0;) {
        bool is_share =
            relate_is(p, i, "mineral") && clause_class(p->clause, i + 1) & W_CONTENT;
        if (is_share && kind == UNIT_FRACTION)
            return i; /* "the hematite abundance" */
        if (!relate_is(p, i, MEASURES))
            continue;
        bool is_ratio = relate_is(p, i, "isotope_ratio,isotope_delta");
        bool fits = is_ratio ? kind == UNIT_DELTA || unit == UNIT_NONE : kind == UNIT_FRACTION;
        return fits ? i : SIZE_MAX;
    }
    return SIZE_MAX;
}

/* "12 ppm and 15 ppm Nb": the measure behind the last of them, else one before the first. */
static size_t find_measure(const struct pass *p, size_t from, size_t last, uint32_t unit)
{
    size_t k = last + 1 + clause_is_word(p->clause, last + 1, "of");
    bool is_content = units_kind(p->lore->units, unit) == UNIT_FRACTION;
    if (is_content && relate_is(p, k, "element,oxide"))
        return k;
    return one_measure(p, from, unit);
}

static void add(struct pass *p, const char *relation, struct node head, struct node of,
                const struct quantity *q)
{
    double confidence = p->clause->has_hedge ? LIKELY * 0.7 : LIKELY;
    struct fact f = relate_value(p, confidence * relate_worth(q));
    f.head = head;
    f.relation = relation;
    f.value = q;
    f.of = of;
    sink_add(p->sink, &f);
}

/* What has a concentration of something contains it. */
static void add_content(struct pass *p, struct node head, struct node what)
{
    struct fact f = relate_value(p, p->clause->has_hedge ? LIKELY * 0.7 : LIKELY);
    f.head = head;
    f.tail = what;
    f.relation = "Contains";
    sink_add(p->sink, &f);
}

/* Names of things: their ages, or values of the one measure named. */
static void add_for_things(struct pass *p, const size_t *names, const struct quantity *values,
                           size_t n, size_t from, size_t last)
{
    enum unit_kind kind = units_kind(p->lore->units, values[n - 1].unit);
    size_t measure = find_measure(p, from, last, values[n - 1].unit);
    struct node none = { 0 };
    for (size_t i = 0; i < n; i++) {
        struct node head = relate_node(p, names[i]);
        if (kind == UNIT_AGE)
            add(p, "Has Age", head, none, &values[i]);
        else if (measure != SIZE_MAX) {
            bool is_ratio = relate_is(p, measure, "isotope_ratio,isotope_delta,element_ratio");
            add(p, is_ratio ? "Has Value" : "Has Concentration", head, relate_node(p, measure),
                &values[i]);
        }
    }
}

static void add_for_measures(struct pass *p, const size_t *names, const struct quantity *values,
                             size_t n, size_t verb)
{
    size_t holder = relate_subject(p, verb, SV(HOLDERS));
    for (size_t i = names[n - 1] + 1; holder == SIZE_MAX && i < names[n - 1] + 5; i++) {
        /* "Nb and Ta concentrations in rutile are" */
        bool is_in = clause_is_word(p->clause, i, "in") || clause_is_word(p->clause, i, "of");
        size_t k = i + 1;
        while (is_in && clause_class(p->clause, k) & W_DET)
            k++;
        if (is_in && relate_is(p, k, HOLDERS))
            holder = k;
    }
    struct node none = { 0 };
    for (size_t i = 0; i < n; i++) {
        struct node measure = relate_node(p, names[i]);
        bool is_ratio = relate_is(p, names[i], "isotope_ratio,isotope_delta,element_ratio");
        enum unit_kind kind = units_kind(p->lore->units, values[i].unit);
        if (!is_ratio && kind != UNIT_FRACTION && kind != UNIT_FLUX)
            continue;
        add(p, "Has Value", measure, none, &values[i]);
        if (holder == SIZE_MAX)
            continue;
        struct node head = relate_node(p, holder);
        add(p, is_ratio ? "Has Value" : "Has Concentration", head, measure, &values[i]);
        if (!is_ratio)
            add_content(p, head, measure);
    }
}

bool relate_is_paired(const struct pass *p, size_t i)
{
    return i >= p->paired_from && i < p->paired_end;
}

void relate_paired(struct pass *p)
{
    const struct clause *c = p->clause;
    size_t end = find_respectively(c), list[LIST_MAX], names[LIST_MAX], from = 0;
    size_t n = end == SIZE_MAX ? 0 : quantity_list(c, end, list, &from);
    if (n > 1) {
        p->paired_from = from;
        p->paired_end = end;
    }
    size_t first = thing_leading(c, from);
    if (n < 2 || (first > 0 && clause_is_word(c, first - 1, "by")) ||
        clause_has(c, 0, end, W_NOT))
        return; /* "increased by 5 and 2 wt%, respectively": no values */
    struct quantity values[LIST_MAX];
    for (size_t i = n; i-- > 0;) {
        values[i] = *clause_quantity(c, list[i]);
        if (i + 1 < n)
            quantity_share_unit(&values[i], &values[i + 1]); /* "49.2 and 8.1 wt%" */
    }
    size_t last = list[n - 1];
    if (name_list(p, last + 1, end, HOLDERS, n, names))
        add_for_things(p, names, values, n, from, last);
    else if (name_list(p, 0, from, MEASURES, n, names))
        add_for_measures(p, names, values, n, names[0]);
    else if (name_list(p, 0, from, HOLDERS, n, names))
        add_for_things(p, names, values, n, from, last);
}
