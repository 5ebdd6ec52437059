// SPDX-License-Identifier: MIT
/*
 * thing.c — numbers of properties ("a porosity of 20 %") and the things that have them
 *
 * What has a value may be in no vocabulary: "the upper unit", "vent fluids". Then it is a node
 * of type "thing" that means something in its paper alone, as labels of samples do; it is only
 * made where the grammar ties it to the number: subject of the verb, owner of the property,
 * noun before the bracket. The property goes into `of`, but where the relation says it.
 */
#include "thing_impl.h"

#include <math.h>

#include "text.h"

#define PROPERTY_MAX 80

/* "Weyer found offsets of": the verb is none of the name. */
static bool is_report(struct sv word)
{
    WORDS(words, "found", "gave", "observed", "obtained", "recorded", "reported", "showed",
          "yielded");
    return words_have(&words, word);
}

/* The property that the text names, in its one form: without plural, "Mean" in lower case. */
static struct node named_property(const struct tie *t, char name[PROPERTY_MAX])
{
    const struct clause *c = t->p->clause;
    const struct phrase *f = &t->property;
    if (f->to == f->from)
        return (struct node){ 0 };
    if (t->is_bare)
        return (struct node){ 0 };
    if (t->is_share)
        return phrase_node(t->p, f);
    size_t last = f->to - 1;
    if (clause_name(c, last) && f->to == f->from + 1 && !relate_is(t->p, last, "method"))
        return relate_node(t->p, last);
    bool is_content = clause_class(c, last) & W_CONTENT || clause_is_word(c, last, "grades") ||
                      clause_is_word(c, last, "grade");
    if (is_content && f->to - f->from == 2 && clause_name(c, f->from))
        return relate_node(t->p, f->from);
    if (thing_is_empty(t, f))
        return (struct node){ 0 };
    size_t from = f->from;
    while (from + 1 < f->to &&
           (property_is_empty(clause_text(c, from)) || is_report(clause_text(c, from))))
        from++;
    struct sv text = sv_from_to(c->text, c->items[from].start, c->items[f->to - 1].end);
    if (text.n >= PROPERTY_MAX)
        return (struct node){ 0 };
    memcpy(name, text.p, text.n);
    size_t n = text.n;
    bool is_name = n < 2; /* "P-wave", "Ti/Al": not "Sedimentation" */
    for (size_t i = 1; i < n && name[i] != ' '; i++)
        is_name |= !(name[i] >= 'a' && name[i] <= 'z');
    if (!is_name && name[0] >= 'A' && name[0] <= 'Z')
        name[0] = (char)(name[0] | 32);
    size_t head = c->items[f->to - 1].start - c->items[from].start;
    n = head + text_cut_plural(name + head, n - head); /* of its last word */
    return (struct node){ .type = "property", .name = { name, n } };
}

/* The property, or what a word says of it: "thickness", "SiO2 increase". */
static struct node property_node(const struct tie *t, char name[PROPERTY_MAX])
{
    struct node n = named_property(t, name);
    if (!t->word)
        return n;
    size_t length = strlen(t->word);
    if (!n.type || n.name.n + 1 + length > PROPERTY_MAX)
        return (struct node){ .type = "property", .name = sv_from(t->word) };
    memmove(name, n.name.p, n.name.n);
    name[n.name.n] = ' ';
    memcpy(name + n.name.n + 1, t->word, length);
    return (struct node){ .type = "property", .name = { name, n.name.n + 1 + length } };
}

/* "The 535 nm band depth": no depth in a place. */
static bool is_tiny(const struct tie *t)
{
    double factor, offset;
    if (!(t->units & P_LENGTH))
        return false;
    units_scale(t->p->lore->units, t->value.unit, &factor, &offset);
    return factor < 1e-5;
}

static const char *relation_of(const struct tie *t, struct node *property)
{
    struct node none = { 0 };
    bool is_bare = !property->type;
    if (is_bare && t->is_duration)
        return "Has Value";
    const char *relation = t->units & P_HEAT    ? "Has Temperature"
                           : t->units & P_FORCE ? "Has Pressure"
                           : t->units & P_TIME  ? "Has Age"
                                                : "Has Value";
    static const struct {
        const char *property, *relation;
    } own[] = { { "temperature", "Has Temperature" },
                { "pressure", "Has Pressure" },
                { "age", "Has Age" },
                { "depth", "Has Depth" },
                { "water depth", "Has Depth" } };
    for (size_t i = 0; !is_bare && i < ARRAY_LEN(own); i++)
        if (sv_ieq(property->name, sv_from(own[i].property)) && !is_tiny(t) &&
            strcmp(property->type, "property") == 0) {
            *property = none;
            return own[i].relation;
        }
    if (is_bare)
        return relation;
    if (t->units & (P_HEAT | P_FORCE) && sv_ends(property->name, SV("condition"))) {
        *property = none;
        return relation;
    }
    if (t->units & P_SHARE &&
        (strcmp(property->type, "property") != 0 || sv_ends(property->name, SV("content")) ||
         sv_ends(property->name, SV("concentration")) ||
         sv_ends(property->name, SV("abundance"))))
        return "Has Concentration";
    bool is_age = t->units & P_TIME && sv_ends(property->name, SV("age"));
    bool is_state = t->units & P_HEAT && sv_ends(property->name, SV("temperature"));
    bool is_force = t->units & P_FORCE && sv_ends(property->name, SV("pressure"));
    return is_age || is_state || is_force ? relation : "Has Value";
}

/* A ratio is measured itself: of "La/Yb ratios of 12 and a porosity of 5%" it has no porosity,
 * but it has its changes. */
static bool is_measure(struct node n, struct node property)
{
    return n.type && property.type && !change_is_named(property.name) &&
           (strcmp(n.type, "element_ratio") == 0 || strcmp(n.type, "isotope_ratio") == 0);
}

/* "The increase from 2 to 5‰": what it is before and after, not by how much it changes. */
static bool is_end_of_change(const struct tie *t, struct node property)
{
    const struct clause *c = t->p->clause;
    return property.type && change_is_named(property.name) && t->left > 0 &&
           (clause_is_word(c, t->left - 1, "to") || clause_is_word(c, t->left - 1, "from"));
}

static bool is_species(const char *type)
{
    return strcmp(type, "element") == 0 || strcmp(type, "oxide") == 0;
}

/* "Nickel and zinc (Zn > 3000 ppm)", "concentrations of As (200 μg/l)": an element in itself
 * or in another one, or in its own concentration; that it has the value is said elsewhere. */
static bool is_of_itself(const struct tie *t, const struct node *property)
{
    bool is_water = sv_is(t->head.name, "H2O");
    return property->type && is_species(property->type) && !is_water &&
           (is_species(t->head.type) || strcmp(t->head.type, "property") == 0);
}

static void add(struct tie *t)
{
    struct pass *p = t->p;
    char name[PROPERTY_MAX];
    struct node property = property_node(t, name);
    const char *relation = relation_of(t, &property);
    if (is_measure(t->head, property) || is_end_of_change(t, property))
        return;
    double worth = thing_worth(t, &property, relation);
    double confidence = relate_weigh(p, t->from, t->i, fmin(t->confidence, worth));
    relate_tie(p, t->i);
    if (measure_is_reagent(t->head.name) ||
        (property.type && measure_is_reagent(property.name)) || is_of_itself(t, &property))
        return;
    if (confidence <= 0)
        return;
    struct fact f = relate_value(p, confidence * relate_worth(&t->value));
    f.head = t->head;
    f.relation = relation;
    f.value = &t->value;
    f.is_change = property.type && change_is_named(property.name);
    f.of = property;
    sink_add(p->sink, &f);
}

/* "Dolerite and gabbro have porosities of 2%": the others of the list that the subject ends. */
static void add_others(const struct tie *t)
{
    const struct pass *p = t->p;
    size_t members[LIST_MAX], n = 0;
    bool may_be = t->is_subject && !(t->units & P_TIME); /* ages: measure.c */
    for (size_t k = t->from; may_be && n == 0 && k < t->i; k++)
        if (relate_is(p, k, "rock,mineral,sample,deposit") &&
            relate_node(p, k).name.p == t->head.name.p && !clause_name(p->clause, k + 1))
            n = relate_list(p, k, -1, SV("rock,mineral,sample,deposit"), members, LIST_MAX);
    for (size_t m = 1; m < n; m++) {
        struct tie other = *t;
        other.head = relate_node(p, members[m]);
        add(&other);
    }
}

/* "were digested": a recipe. */
bool relate_is_recipe(const struct clause *c)
{
    for (size_t i = 1; c->classes & W_AUX && i < c->n; i++)
        if (c->items[i - 1].word & W_AUX && c->items[i].kind == ITEM_WORD &&
            property_is_laboratory(clause_text(c, i)))
            return true;
    return false;
}

/* "by 2 km", "for 12 h", "within 5 m", "after 10": a difference, a span. */
static bool is_span(const struct clause *c, size_t left)
{
    WORDS(words, "by", "for", "within", "during", "after", "before", "every", "each", "since",
          "per", "over", "until", "last", "using", "than");
    return left > 0 && clause_word_in(c, left - 1, &words);
}

/* Try every way of saying it. */
static bool read_any(struct tie *t)
{
    static bool (*const ways[])(struct tie *) = {
        thing_read_adjective, thing_read_bracket,  thing_read_mode,
        thing_read_down_to,   thing_read_duration, thing_read_front,
        thing_read_of,        thing_read_link,     thing_read_behind,
        thing_read_at,        thing_read_dated,    thing_read_part,
        thing_read_count,     thing_read_active,   thing_read_adjective_bracket,
        thing_read_symbol,    thing_read_amount,   thing_read_attribute,
        thing_read_place,
    };
    struct tie blank = *t;
    for (size_t w = 0; w < ARRAY_LEN(ways); w++) {
        *t = blank;
        if (ways[w](t))
            return true;
    }
    return false;
}

/* What a preposition of spans and differences leaves. */
static bool read_span(struct tie *t)
{
    struct tie blank = *t;
    if (thing_read_change(t))
        return true;
    *t = blank;
    if (thing_read_duration(t))
        return true;
    *t = blank; /* "is filled by 6 km of sediment" */
    return clause_is_word(t->p->clause, t->left - 1, "by") && thing_read_amount(t);
}

/* "2614 and 2619 m", "60 or 63 mm": the number before has the unit of this one. */
static struct quantity with_unit(const struct clause *c, size_t i)
{
    struct quantity q = *clause_quantity(c, i);
    for (size_t k = i; q.unit == UNIT_NONE && k + 2 < c->n && k < i + 12; k += 2) {
        const struct quantity *next = clause_quantity(c, k + 2);
        bool is_joint = clause_class(c, k + 1) & W_AND || clause_is_mark(c, k + 1, ',');
        if (!is_joint || !next)
            break;
        quantity_share_unit(&q, next);
    }
    return q;
}

/* Is the quantity the next of a list that `last` was read of? */
static bool is_next(const struct tie *t, const struct tie *last)
{
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    while (k > 0 && (clause_class(c, k - 1) & W_AND || clause_is_mark(c, k - 1, ',')))
        k--;
    return last->head.type && k < t->left && k == last->i + 1 &&
           (t->units == last->units ||
            (t->units | last->units) == (P_HEAT | P_FORCE)); /* "2 GPa and 600 °C" */
}

static bool is_wanted(const struct pass *p, size_t i)
{
    const struct quantity *q = clause_quantity(p->clause, i);
    return q && !(q->is_year && q->unit == UNIT_NONE) && !q->is_vague &&
           !relate_is_tied(p, i) && !relate_is_paired(p, i) && !measure_is_precision(p, i);
}

void measure_things(struct pass *p)
{
    const struct clause *c = p->clause;
    struct tie last = { 0 };
    if (!c->n_quantities || relate_is_recipe(c))
        return;
    for (size_t i = 0; i < c->n; i++) {
        if (c->items[i].kind != ITEM_QUANTITY || !is_wanted(p, i))
            continue;
        struct tie t = {
            .p = p, .i = i, .left = thing_leading(c, i), .value = with_unit(c, i), .last = &last
        };
        t.units = thing_units(p, &t.value);
        bool is_parallel = last.head.type && last.i < t.left && t.left < last.i + 8 &&
                           t.units == last.units && clause_class(c, t.left - 1) & W_AND &&
                           clause_is_word(c, i + 1, "for") && thing_right(&t, i + 1);
        if (is_parallel) { /* "780 °C for the granite and 1100 °C for the gabbro" */
            struct node head = t.head;
            struct quantity value = t.value;
            t = last;
            t.i = i;
            t.head = head;
            t.value = value;
        } else if (is_next(&t, &last)) {
            struct tie same = last;
            same.i = i;
            same.value = t.value;
            same.units = t.units;
            t = same;
        } else if (is_span(c, t.left) ? !read_span(&t) : !read_any(&t)) {
            continue;
        }
        bool is_region = t.units & P_TIME && !t.is_duration &&
                         strcmp(t.head.type, "location") == 0 && !measure_is_body(p, t.head);
        if (is_region) /* things there are dated */
            continue;
        last = t;
        add(&t);
        add_others(&last);
    }
}
