// SPDX-License-Identifier: MIT
/*
 * each.c — one measure, and a number for each of several things
 *
 * "Ni falls from 320 ppm in picrite to 45 ppm in ferrobasalt", "2100 ppm (spinel), 850 ppm
 * (diopside)", "980 °C for the spinel and 1120 °C for the garnet lherzolites", and with the
 * second verb left out "the granite is dated at 1.43 Ga and the pegmatite at 1.41 Ga". The
 * names must stand right at their numbers and all the numbers must be of one kind: else nothing
 * is said. Values found are tied, so that other patterns leave them alone.
 */
#include "phrase.h"

#define LEFT_ITEMS 14 /* from the first number back to what it measures */
#define GAP_ITEMS 8   /* between numbers */

/* A number and the thing that it is said of. */
struct share {
    size_t quantity,
        name;        /* items; name SIZE_MAX: a part ("the rim") of what has the measure */
    size_t measure;  /* "18 ppm Rb in": its item, else SIZE_MAX */
    bool is_bracket; /* "10 ppm (olivine)" */
};

struct shares {
    struct share at[LIST_MAX];
    size_t n;
    size_t end;    /* item behind the last */
    uint32_t unit; /* of all */
};

static enum unit_kind kind_of(const struct pass *p, uint32_t unit)
{
    return units_kind(p->lore->units, unit);
}

static bool is_part(const struct clause *c, size_t i)
{
    WORDS(words, "core", "cores", "rim", "rims", "center", "centre", "margin", "top", "base",
          "interior", "mantle", "bottom", "edges", "centers");
    return clause_word_in(c, i, &words);
}

/* The holder behind a preposition or bracket at item k, over articles and adjectives; *end:
 * the item behind it. SIZE_MAX: none; then *part says whether it is a part of one. */
static size_t holder_at(const struct pass *p, size_t k, size_t *end, bool *part)
{
    const struct clause *c = p->clause;
    unsigned plain = 0;
    *part = false;
    for (size_t i = k + 1; i < c->n; i++) {
        if (clause_name(c, i)) {
            while (clause_name(c, i + 1))
                i++;
            *end = i + 1;
            bool is_modifier =
                clause_is_mark(c, i + 1, '-') && c->items[i + 1].start == c->items[i].end;
            return relate_is(p, i, HOLDERS_AND_TIMES) && !is_modifier ? i : SIZE_MAX;
        }
        if (is_part(c, i)) {
            *end = i + 1;
            *part = true;
            return SIZE_MAX;
        }
        bool is_inner = clause_class(c, i) & W_DET || clause_is_mark(c, i, '-');
        bool is_plain = c->items[i].kind == ITEM_WORD && !clause_class(c, i);
        if (!is_inner && (!is_plain || ++plain > 3))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

static bool is_prep(const struct clause *c, size_t i)
{
    WORDS(words, "in", "for", "at", "within", "from");
    return clause_word_in(c, i, &words);
}

/* The number at item i and its thing; false: it has none right behind. */
static bool read_share(const struct pass *p, size_t i, struct share *s, size_t *end)
{
    const struct clause *c = p->clause;
    size_t k = i + 1;
    bool part;
    *s = (struct share){ i, SIZE_MAX, SIZE_MAX, false };
    k += clause_is_word(c, k, "of") && relate_is(p, k + 1, MEASURES);
    if (relate_is(p, k, MEASURES))
        s->measure = k++;
    if (clause_is_mark(c, k, '(')) {
        size_t close = clause_bracket(c, k);
        if (close == SIZE_MAX)
            return false;
        s->name = holder_at(p, k, end, &part);
        if ((s->name != SIZE_MAX || part) && *end == close) {
            s->is_bracket = true;
            *end = close + 1;
            return true;
        }
        for (; k < close; k++) /* "10 ppm (n = 5) in" */
            if (clause_name(c, k))
                return false;
        k = close + 1;
    }
    if (!is_prep(c, k))
        return false;
    s->name = holder_at(p, k, end, &part);
    return s->name != SIZE_MAX || part;
}

/* From item k over what joins two numbers to the next one; SIZE_MAX: something else follows.
 */
static size_t next_number(const struct clause *c, size_t k)
{
    WORDS(others, "only", "just", "than", "but", "over", "whereas");
    bool has_joint = false;
    for (size_t i = k; i < c->n && i < k + 5; i++) {
        if (clause_quantity(c, i))
            return has_joint ? i : SIZE_MAX;
        bool is_joint = clause_class(c, i) & W_AND || clause_is_mark(c, i, ',') ||
                        clause_is_mark(c, i, ';') || clause_is_word(c, i, "to") ||
                        clause_is_word(c, i, "through");
        has_joint |= is_joint;
        if (!is_joint && !(clause_class(c, i) & W_LINK) && !clause_is_mark(c, i, '~') &&
            !clause_word_in(c, i, &others))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* All the numbers from item i on that have their thing; false: fewer than two. */
static bool read_shares(const struct pass *p, size_t i, struct shares *all)
{
    const struct clause *c = p->clause;
    *all = (struct shares){ .unit = clause_quantity(c, i)->unit };
    while (i != SIZE_MAX && all->n < LIST_MAX) {
        struct share s;
        size_t end;
        const struct quantity *q = clause_quantity(c, i);
        bool is_alike = q->unit == all->unit || q->unit == UNIT_NONE || all->unit == UNIT_NONE;
        bool is_year = q->is_year && q->unit == UNIT_NONE;
        if (!is_alike || is_year || q->is_vague || relate_is_tied(p, i) ||
            relate_is_paired(p, i) || !read_share(p, i, &s, &end) ||
            (all->n && s.is_bracket != all->at[0].is_bracket))
            break;
        if (q->unit != UNIT_NONE)
            all->unit = q->unit;
        all->at[all->n++] = s;
        all->end = end;
        i = next_number(c, end);
    }
    return all->n > 1;
}

/* ---- what is measured ---- */

struct measured {
    struct node what; /* type NULL: what the unit says, an age or a temperature */
    size_t owner;     /* a name between it and the numbers ("Ni in olivine falls from"), or
                       * SIZE_MAX */
    size_t from;      /* first item that takes part */
    bool is_ratio;
    char word[PROPERTY_WORD]; /* of a property */
};

static bool fits(const struct pass *p, size_t i, uint32_t unit)
{
    enum unit_kind kind = kind_of(p, unit);
    bool is_ratio = relate_is(p, i, "isotope_ratio,isotope_delta,element_ratio");
    if (is_ratio)
        return unit == UNIT_NONE || kind == UNIT_DELTA;
    return kind == UNIT_FRACTION || kind == UNIT_FLUX;
}

/* A noun of a property, left of the numbers: "porosity". */
static bool is_property(const struct pass *p, size_t i, uint32_t unit)
{
    WORDS(moves, "increase", "increases", "decrease", "decreases", "rise", "rises", "drop",
          "drops", "change", "changes", "shift", "shifts");
    struct sv word = clause_text(p->clause, i);
    unsigned units = property_units(word), wanted = P_OTHER;
    if (kind_of(p, unit) == UNIT_FRACTION)
        wanted = P_SHARE;
    else if (unit == UNIT_NONE)
        wanted = P_NUMBER;
    return p->clause->items[i].kind == ITEM_WORD && units & wanted && units != P_TIME &&
           !(clause_class(p->clause, i) & (W_CONTENT | W_LINK)) && !property_is_empty(word) &&
           !clause_word_in(p->clause, i, &moves);
}

/* What the numbers from item `first` on are of; false: nothing that fits. */
static bool find_measure(const struct pass *p, const struct shares *all, struct measured *m)
{
    const struct clause *c = p->clause;
    size_t first = all->at[0].quantity, at = all->at[0].measure;
    enum unit_kind kind = kind_of(p, all->unit);
    *m = (struct measured){ .owner = SIZE_MAX, .from = first };
    if (kind == UNIT_AGE || kind == UNIT_TEMPERATURE || kind == UNIT_PRESSURE)
        return true;
    if (at == SIZE_MAX && clause_is_word(c, all->end, "of") &&
        relate_is(p, all->end + 1, MEASURES) && fits(p, all->end + 1, all->unit))
        at = all->end + 1; /* "18 ppm (dacite) and 42 ppm (rhyolite) of Rb" */
    for (size_t k = first; at == SIZE_MAX && k-- > 0 && k + LEFT_ITEMS > first;) {
        unsigned class = clause_class(c, k);
        if (relate_is(p, k, MEASURES) && fits(p, k, all->unit)) {
            at = k;
        } else if (is_property(p, k, all->unit)) {
            struct sv name = property_singular(clause_text(c, k), m->word);
            m->what = (struct node){ .type = "property", .name = name };
            m->from = k;
            return true;
        } else if (clause_name(c, k)) {
            if (m->owner == SIZE_MAX && relate_is(p, k, HOLDERS_AND_TIMES))
                m->owner = k;
        } else if (class & (W_BREAK | W_NOT | W_WHICH) || clause_is_mark(c, k, ';') ||
                   clause_quantity(c, k)) {
            return false;
        }
    }
    if (at == SIZE_MAX || measure_is_reagent(relate_node(p, at).name))
        return false;
    if (measure_is_precision(p, first))
        return false;
    if (at < first && at > 0 && m->owner == SIZE_MAX && relate_is(p, at - 1, "mineral,rock"))
        m->owner = at - 1; /* "quartz δ18O values" */
    m->from = at < first ? at : first;
    m->what = relate_node(p, at);
    m->is_ratio = relate_is(p, at, "isotope_ratio,isotope_delta,element_ratio");
    return true;
}

/* ---- facts ---- */

static const char *relation_of(const struct pass *p, const struct measured *m, uint32_t unit)
{
    enum unit_kind kind = kind_of(p, unit);
    if (!m->what.type)
        return kind == UNIT_AGE           ? "Has Age"
               : kind == UNIT_TEMPERATURE ? "Has Temperature"
                                          : "Has Pressure";
    bool is_content = strcmp(m->what.type, "property") != 0 && !m->is_ratio;
    return is_content ? "Has Concentration" : "Has Value";
}

/* The thing at item `holder` has the number at item i. */
static void add_number(struct pass *p, const struct measured *m, size_t holder, size_t i,
                       uint32_t unit)
{
    struct quantity value = *clause_quantity(p->clause, i);
    value.unit = unit;
    size_t from = m->from < holder ? m->from : holder, to = holder > i ? holder : i;
    double confidence = relate_weigh(p, from, to, LIKELY);
    if (value.warn)
        confidence *= 0.4;
    relate_tie(p, i);
    if (confidence <= 0)
        return;
    struct fact f = relate_value(p, confidence);
    f.head = relate_node(p, holder);
    f.relation = relation_of(p, m, unit);
    f.value = &value;
    f.of = m->what;
    sink_add(p->sink, &f);
    if (!m->what.type || strcmp(m->what.type, "property") == 0)
        return;
    f = relate_value(p, confidence);
    f.head = relate_node(p, holder);
    f.relation = m->is_ratio ? "Has Isotope Composition" : "Contains";
    f.tail = m->what;
    if (strcmp(m->what.type, "element_ratio") != 0 && !relate_is(p, holder, "geologic_time"))
        sink_add(p->sink, &f);
}

/* Do the numbers of all->unit say something of things of this kind? */
static bool is_allowed(const struct pass *p, const struct shares *all, size_t i)
{
    enum unit_kind kind = kind_of(p, all->unit);
    const struct clause *c = p->clause;
    size_t first = all->at[0].quantity;
    if (kind == UNIT_TEMPERATURE || kind == UNIT_PRESSURE)
        return relate_is(p, i, "process,mineral,rock,deposit,sample");
    if (kind != UNIT_AGE)
        return true;
    size_t left = first > LEFT_ITEMS ? first - LEFT_ITEMS : 0;
    return relate_is(p, i, BODIES) && clause_has(c, left, first, W_DATE);
}

/* The mineral is what has the measure, and the rocks are where it does: "Ni in olivine falls
 * from 0.4 % in picrite to". */
static bool is_owned(const struct pass *p, const struct measured *m, const struct share *s)
{
    return m->owner != SIZE_MAX && m->owner < s->quantity &&
           relate_is(p, m->owner, "mineral") && !relate_is(p, s->name, "mineral");
}

static void add_shares(struct pass *p, const struct shares *all)
{
    struct measured m;
    if (!find_measure(p, all, &m))
        return;
    for (size_t i = 0; i < all->n; i++) {
        const struct share *s = &all->at[i];
        bool is_owners = s->name == SIZE_MAX || is_owned(p, &m, s);
        size_t holder = is_owners ? m.owner : s->name;
        if (holder != SIZE_MAX && is_allowed(p, all, holder))
            add_number(p, &m, holder, s->quantity, all->unit);
    }
}

/* ---- the verb left out ---- */

/* "… and the pegmatite at 1.41 Ga": the name before the number at item i, *start: the item of
 * the joint before it; SIZE_MAX: none. */
static size_t named_before(const struct pass *p, size_t i, size_t *start)
{
    const struct clause *c = p->clause;
    WORDS(joints, "and", "whereas", "while", "but");
    size_t k = i, name;
    while (k > 0 && k + 4 > i &&
           ((clause_class(c, k - 1) & (W_LINK | W_PREP) &&
             !(clause_class(c, k - 1) & (W_CONTENT | W_AUX))) ||
            clause_is_word(c, k - 1, "only")))
        k--;
    if (k == 0 || !relate_is(p, k - 1, BODIES))
        return SIZE_MAX;
    name = --k;
    while (k > 0 && k + 4 > name &&
           (clause_name(c, k - 1) || clause_class(c, k - 1) & W_DET ||
            (c->items[k - 1].kind == ITEM_WORD && !clause_class(c, k - 1))))
        k--;
    if (k == 0 || !(clause_word_in(c, k - 1, &joints) || clause_is_mark(c, k - 1, ',')))
        return SIZE_MAX;
    *start = k - 1;
    *start -= k > 1 && clause_is_mark(c, k - 2, ',');
    return name;
}

/* The number of the same kind before the joint at item `end`, right before it but for its
 * measure; SIZE_MAX: none. */
static size_t number_before(const struct pass *p, size_t end, uint32_t unit, size_t *measure)
{
    const struct clause *c = p->clause;
    *measure = SIZE_MAX;
    for (size_t k = end; k-- > 0 && k + 4 > end;) {
        if (clause_quantity(c, k))
            return kind_of(p, clause_quantity(c, k)->unit) == kind_of(p, unit) ? k : SIZE_MAX;
        if (relate_is(p, k, "element,oxide") && *measure == SIZE_MAX)
            *measure = k;
        else if (!clause_is_word(c, k, "of"))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

static void read_gap(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    const struct quantity *q = clause_quantity(c, i);
    enum unit_kind kind = kind_of(p, q->unit);
    size_t start, measure;
    if ((kind != UNIT_AGE && kind != UNIT_FRACTION) || q->is_vague || relate_is_paired(p, i))
        return;
    size_t name = named_before(p, i, &start);
    size_t first = name == SIZE_MAX ? SIZE_MAX : number_before(p, start, q->unit, &measure);
    if (first == SIZE_MAX)
        return;
    struct measured m = { .owner = SIZE_MAX, .from = first };
    if (kind == UNIT_FRACTION) {
        size_t own = i + 1 + clause_is_word(c, i + 1, "of");
        bool has_own = relate_is(p, own, "element,oxide");
        if (!has_own && clause_is_mark(c, start, ',') && !(clause_class(c, start + 1) & W_AND))
            return; /* "5 % MgO, olivine 10 %" */
        measure = has_own ? own : measure;
        if (measure == SIZE_MAX || measure_is_reagent(relate_node(p, measure).name))
            return;
        m.what = relate_node(p, measure);
    } else if (!clause_has(c, first > LEFT_ITEMS ? first - LEFT_ITEMS : 0, first, W_DATE)) {
        return;
    }
    add_number(p, &m, name, i, q->unit);
}

/* Is the number at item i a temperature or a pressure whose kind is told ("crystallisation
 * temperatures of")? */
static bool is_state(const struct pass *p, size_t i)
{
    WORDS(nouns, "temperature", "temperatures", "pressure", "pressures");
    const struct clause *c = p->clause;
    enum unit_kind kind = kind_of(p, clause_quantity(c, i)->unit);
    if (kind != UNIT_TEMPERATURE && kind != UNIT_PRESSURE)
        return false;
    for (size_t k = i; k-- > 0 && k + LEFT_ITEMS > i;)
        if (clause_word_in(c, k, &nouns))
            return k > 0 && c->items[k - 1].kind != ITEM_MARK &&
                   !(clause_class(c, k - 1) & (W_DET | W_PREP | W_AND | W_HAVE | W_AUX));
    return false;
}

/* ---- as many as there are ---- */

/* The ages of one row from item i on ("390, 386 and 381 Ma"); how many, *unit: theirs. */
static size_t age_row(const struct pass *p, size_t i, size_t *list, uint32_t *unit)
{
    const struct clause *c = p->clause;
    size_t n = 0;
    for (; i < c->n && n < LIST_MAX; i++) {
        const struct quantity *q = clause_quantity(c, i);
        if (q && (q->is_vague || relate_is_paired(p, i) || relate_is_tied(p, i)))
            return 0;
        if (q) {
            list[n++] = i;
            *unit = q->unit;
        } else if (!(clause_class(c, i) & W_AND) && !clause_is_mark(c, i, ',')) {
            break;
        }
    }
    return n > 1 && kind_of(p, *unit) == UNIT_AGE ? n : 0;
}

/* "Titanite, allanite and monazite record ages of 390, 386 and 381 Ma": in their order, when
 * there are as many names as ages. Then true. */
static bool read_row(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t list[LIST_MAX], names[LIST_MAX], verb = i;
    uint32_t unit = UNIT_NONE;
    size_t n = clause_is_word(c, i - 1, "of") ? age_row(p, i, list, &unit) : 0;
    while (n && verb > 0 && verb + 8 > i && !(clause_class(c, verb) & (W_HAVE | W_AUX)))
        verb--;
    if (n == 0 || !(clause_class(c, verb) & (W_HAVE | W_AUX)) ||
        !clause_has(c, verb, i, W_DATE) || clause_has(c, verb, i, W_NOT))
        return false;
    size_t subject = relate_subject(p, verb, SV(BODIES));
    if (subject == SIZE_MAX || relate_list(p, subject, -1, SV(BODIES), names, LIST_MAX) != n)
        return false;
    struct measured m = { .owner = SIZE_MAX, .from = i };
    for (size_t k = 0; k < n; k++)
        add_number(p, &m, names[n - 1 - k], list[k], unit);
    return true;
}

bool measure_each(struct pass *p, bool states)
{
    const struct clause *c = p->clause;
    bool has_others = false;
    if (c->n_quantities < 2 || c->n_names < 2 || relate_is_recipe(c))
        return false;
    for (size_t i = 0; i < c->n; i++) {
        struct shares all;
        if (c->items[i].kind != ITEM_QUANTITY)
            continue;
        bool is_other = is_state(p, i) != states;
        has_others |= is_other;
        if (is_other)
            continue;
        if (read_shares(p, i, &all)) {
            add_shares(p, &all);
            i = all.at[all.n - 1].quantity;
        } else if (!states && i > 0 && !read_row(p, i) && !relate_is_tied(p, i)) {
            read_gap(p, i);
        }
    }
    return has_others;
}
