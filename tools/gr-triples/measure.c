// SPDX-License-Identifier: MIT
/*
 * measure.c — what a quantity measures, and of what
 */
#include "relate.h"

#include <math.h>

#define LIST_ITEMS 400 /* between a subject and the last of its values */
#define DATED_OR_SAMPLE DATED ",sample"

static bool is_ratio_like(const struct entity *e)
{
    return strcmp(e->type, "isotope_ratio") == 0 || strcmp(e->type, "isotope_delta") == 0 ||
           strcmp(e->type, "element_ratio") == 0;
}

static bool is_delta(const struct entity *e)
{
    return strcmp(e->type, "isotope_delta") == 0;
}

/* Mg#, CIA, A/CNK: among the oxides, but a number without unit and nothing that is contained.
 */
static bool is_index(const struct pass *p, const struct entity *e)
{
    return strcmp(e->type, "oxide") == 0 && sv_is(entity_kind(p->lore->vocab, e), "index");
}

/* Can this quantity be a value of that? */
static bool fits(const struct pass *p, const struct entity *e, const struct quantity *q)
{
    enum unit_kind kind = units_kind(p->lore->units, q->unit);
    if (q->unit == UNIT_NONE && is_index(p, e))
        return true;
    if (q->unit == UNIT_NONE)
        return is_ratio_like(e) && !(q->is_year && is_delta(e)) &&
               !(q->is_year && strcmp(e->type, "isotope_ratio") == 0);
    if (is_delta(e))
        return kind == UNIT_DELTA || sv_is(units_name(p->lore->units, q->unit), "ppm");
    if (is_ratio_like(e))
        return kind == UNIT_DELTA && strcmp(e->type, "isotope_ratio") == 0;
    return kind == UNIT_FRACTION || kind == UNIT_FLUX;
}

/* ---- what is measured ---- */

/* "5% HCl" is what a laboratory pours, no finding. */
bool measure_is_reagent(struct sv name)
{
    static const char *const names[] = { "HCl",  "HNO3",    "HF",    "NaOH",
                                         "H2O2", "HClO4",   "H2SO4", "KOH",
                                         "HBr",  "CH3COOH", "NH4OH", "acetic acid" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (sv_ends(name, sv_from(names[i])) &&
            (name.n == strlen(names[i]) || name.p[name.n - strlen(names[i]) - 1] == ' '))
            return true;
    return false;
}

/* "62.1 wt.% SiO2", "35 ppm of U": the name behind quantity i, or SIZE_MAX. */
static size_t measure_right(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    const struct quantity *q = clause_quantity(c, i);
    size_t k = i + 1;
    if (sv_is(units_name(p->lore->units, q->unit), "%") && clause_is_word(c, k, "of"))
        return SIZE_MAX; /* a share of something */
    while (clause_is_word(c, k, "of") || clause_is_word(c, k, "total") ||
           clause_is_word(c, k, "dissolved"))
        k++;
    const struct entity *e = clause_name(c, k);
    if (!e || units_kind(p->lore->units, q->unit) != UNIT_FRACTION ||
        !relate_is(p, k, MEASURES) || is_ratio_like(e))
        return SIZE_MAX;
    /* "… of 10 wt% CaO of 5 wt%": its own number follows */
    if (clause_is_word(c, k + 1, "of") && clause_quantity(c, k + 2))
        return SIZE_MAX;
    return k;
}

/* "on 35 samples": a bare whole number before a noun counts something. */
static bool is_count(const struct clause *c, size_t i)
{
    struct sv text = clause_text(c, i);
    unsigned known = W_AND | W_PREP | W_LINK | W_BREAK | W_WHICH | W_AUX | W_HAVE | W_MEASURE;
    bool is_whole = sv_find(text, SV("."), 0) == SIZE_MAX;
    return is_whole && i + 1 < c->n && c->items[i + 1].kind == ITEM_WORD &&
           !(clause_class(c, i + 1) & known) && !clause_is_word(c, i + 1, "respectively");
}

/* "groundwater of the Hetao Basin": does the name at item i hang on the one at item k? */
static bool hangs_on(const struct clause *c, size_t i, size_t k)
{
    i = clause_phrase_start(c, i);
    return i == k + 2 && (clause_is_word(c, k + 1, "of") || clause_is_word(c, k + 1, "from") ||
                          clause_is_word(c, k + 1, "in"));
}

/* "δ18O of zircon is near": back over linking words to what the quantity at i measures. *holder
 * gets a name passed on the way ("zircon"), or SIZE_MAX. */
static size_t measure_left(const struct pass *p, size_t i, size_t *holder)
{
    const struct clause *c = p->clause;
    const struct quantity *q = clause_quantity(c, i);
    int budget = 7;
    bool is_linked = false, is_bare = q->unit == UNIT_NONE;
    *holder = SIZE_MAX;
    if (is_bare && is_count(c, i))
        return SIZE_MAX;
    for (size_t k = i; k-- > 0 && budget > 0;) {
        const struct entity *e = clause_name(c, k);
        unsigned class = clause_class(c, k);
        bool is_half = k > 0 &&
                       clause_is_mark(c, k - 1, '-') && /* "sediment-water interface" */
                       c->items[k - 1].end == c->items[k].start && k + 1 < i &&
                       c->items[k + 1].kind == ITEM_WORD && !clause_class(c, k + 1);
        if (e && is_half)
            return SIZE_MAX;
        if (e && relate_is(p, k, MEASURES)) {
            bool has_link = is_linked || k + 1 == i;
            return has_link && fits(p, e, q) ? k : SIZE_MAX;
        }
        if (e) {
            size_t before = clause_phrase_start(c, k);
            bool hangs = before > 0 && clause_class(c, before - 1) & W_PREP;
            bool is_holder = relate_is(p, k, HOLDERS_AND_TIMES);
            bool is_material = !relate_is(p, k, "reference_material");
            bool is_owner = *holder != SIZE_MAX && hangs_on(c, *holder, k);
            if (is_holder && is_material && (*holder == SIZE_MAX || is_owner))
                *holder = k;
            if (!hangs && !relate_is(p, k, "method,reference_material,isotope_system"))
                return SIZE_MAX;
            budget--;
            continue;
        }
        if (clause_is_mark(c, k, ')')) {
            size_t open = clause_bracket(c, k);
            if (open == SIZE_MAX)
                return SIZE_MAX;
            k = open;
            budget--;
            continue;
        }
        size_t opening = clause_apposition(c, k);
        if (opening != k) { /* "δ18O of calcite, measured by SIMS, was" */
            k = opening;
            continue;
        }
        if (clause_is_mark(c, k, '=') || clause_is_mark(c, k, ':') ||
            clause_is_mark(c, k, '(') || clause_is_mark(c, k, '?') ||
            clause_is_mark(c, k, '~') || clause_is_mark(c, k, '*')) {
            is_linked = true;
            budget--;
            continue;
        }
        if (class & (W_LINK | W_HAVE)) {
            is_linked = true;
            budget -= class & W_CONTENT ? 0 : 1;
            continue;
        }
        if (class & (W_BREAK | W_NOT | W_AND | W_WHICH) || c->items[k].kind != ITEM_WORD)
            return SIZE_MAX;
        bool is_plain = !(class & (W_DET | W_PREP | W_AUX));
        if (is_bare && is_plain)
            return SIZE_MAX;
        budget -= is_plain ? 2 : 1;
    }
    return SIZE_MAX;
}

/* ---- of what ---- */

/* "… in lavas", "… for zircon": a holder behind item i. */
static size_t holder_right(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i + 1;
    while (clause_is_mark(c, k, '(')) { /* "−18.4‰ (VSMOW) in" */
        size_t close = clause_bracket(c, k);
        if (close == SIZE_MAX)
            return SIZE_MAX;
        k = close + 1;
    }
    if (!clause_is_word(c, k, "in") && !clause_is_word(c, k, "for") &&
        !clause_is_word(c, k, "within"))
        return SIZE_MAX;
    unsigned plain = 0;
    for (k++; k < c->n; k++) {
        if (clause_name(c, k)) {
            while (clause_name(c, k + 1))
                k++;
            return relate_is(p, k, HOLDERS_AND_TIMES) && !clause_is_mark(c, k + 1, '-')
                       ? k
                       : SIZE_MAX;
        }
        if (clause_class(c, k) & W_DET)
            continue;
        if (c->items[k].kind != ITEM_WORD || clause_class(c, k) || ++plain > 2)
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* "Spectra of the rock X indicate 3 wt% SO3" */
static bool is_report(const struct clause *c, size_t i)
{
    WORDS(verbs, "indicate", "indicates", "indicated", "reveal", "reveals", "revealed",
          "confirm", "confirmed");
    return clause_word_in(c, i, &verbs);
}

/* "The glass holds 4.2 ppm Li, 11 ppm B": the subject before item i, across a list of values.
 */
static size_t holder_left(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    bool has_verb = false;
    int budget = 6;
    for (size_t k = i; k-- > 0 && budget > 0 && k + LIST_ITEMS > i;) {
        unsigned class = clause_class(c, k);
        if (clause_name(c, k)) {
            if (has_verb && relate_is(p, k, HOLDERS_AND_TIMES)) {
                /* "zircon from granite has": the noun it hangs on */
                size_t m = k;
                while (m > 0 && m + 4 > k &&
                       (clause_class(c, m - 1) & W_DET || clause_quantity(c, m - 1) ||
                        (c->items[m - 1].kind == ITEM_WORD && !clause_class(c, m - 1))))
                    m--;
                bool hangs = m > 1 && clause_class(c, m - 1) & W_PREP;
                if (hangs && relate_is(p, m - 2, HOLDERS_AND_TIMES))
                    k = m - 2;
                bool is_modifier = clause_is_mark(c, k + 1, '-');
                return is_modifier || relate_hangs(p, k) ? SIZE_MAX : k;
            }
            if (!relate_is(p, k, MEASURES) && !relate_is(p, k, "method,reference_material"))
                return SIZE_MAX;
            continue;
        }
        if (class & (W_BREAK | W_NOT) || clause_is_mark(c, k, ';'))
            return SIZE_MAX;
        has_verb |= (class & W_HAVE) != 0 || is_report(c, k);
        if (class & W_AND)
            k = clause_past_object(c, k);
        if (clause_quantity(c, k) || clause_is_mark(c, k, ',') ||
            class & (W_AND | W_LINK | W_DET))
            continue;
        budget--;
    }
    return SIZE_MAX;
}

/* "GX-01, a basalt from Iceland, has", "GX-01 is a basalt with": the rock is what the sample
 * is, and what is measured is the sample's. */
static size_t sample_of(const struct pass *p, size_t holder)
{
    const struct clause *c = p->clause;
    size_t k = holder;
    bool has_article = false;
    if (holder == SIZE_MAX || !relate_is(p, holder, "rock"))
        return holder;
    for (; k > 0 && k + 4 > holder && !has_article; k--) {
        unsigned class = clause_class(c, k - 1);
        has_article = clause_is_word(c, k - 1, "a") || clause_is_word(c, k - 1, "an");
        if (!has_article && (class || c->items[k - 1].kind != ITEM_WORD))
            return holder;
    }
    bool is_joined = k > 1 && (clause_is_mark(c, k - 1, ',') || clause_class(c, k - 1) & W_AUX);
    return has_article && is_joined && relate_is(p, k - 2, "sample") ? k - 2 : holder;
}

/* ---- values ---- */

/* "δ18O of 218.4‰": the minus was read as a digit, or worse; or a power of ten as a range. */
static bool is_implausible(const struct pass *p, size_t measure, const struct quantity *q)
{
    struct node n = relate_node(p, measure);
    double size = isnan(q->low) ? q->high : q->low;
    if (q->warn && !q->is_vague && !is_delta(clause_name(p->clause, measure)))
        return true; /* "10-7 mol/L" */
    bool narrow = sv_is(n.name, "\xce\xb4"
                                "18O") ||
                  sv_is(n.name, "\xce\xb4"
                                "13C") ||
                  sv_is(n.name, "\xce\xb4"
                                "15N");
    return narrow && fabs(size) > 120;
}

/* Everything a measure, its quantity and maybe a holder say. */
static void add_value(struct pass *p, size_t measure, size_t quantity, size_t holder,
                      double confidence)
{
    const struct clause *c = p->clause;
    const struct quantity *q = clause_quantity(c, quantity);
    size_t from = measure < quantity ? measure : quantity;
    size_t to = measure < quantity ? quantity : measure;
    if (is_implausible(p, measure, q))
        confidence *= 0.4;
    else if (q->is_vague)
        confidence *= 0.8; /* a number is there, but not which */
    bool is_change;
    if (!change_read(c, measure, quantity, &is_change))
        return;
    if (is_change)
        holder = SIZE_MAX;
    double weighed = relate_weigh(p, from, to, confidence);
    if (weighed <= 0)
        return;
    struct fact f = relate_value(p, weighed);
    f.head = relate_node(p, measure);
    f.relation = "Has Value";
    f.value = q;
    f.is_change = is_change;
    if (holder != SIZE_MAX || is_change)
        relate_tie(p, quantity);
    sink_add(p->sink, &f);
    if (holder == SIZE_MAX)
        return;
    if (holder < from)
        from = holder;
    if (holder > to)
        to = holder;
    weighed = relate_weigh(p, from, to, confidence - 0.05);
    if (weighed <= 0)
        return;
    const struct entity *e = clause_name(c, measure);
    f = relate_value(p, weighed);
    f.head = relate_node(p, holder);
    f.of = relate_node(p, measure);
    f.relation = is_ratio_like(e) || is_index(p, e) ? "Has Value" : "Has Concentration";
    f.value = q;
    sink_add(p->sink, &f);
    f = relate_value(p, weighed);
    f.head = relate_node(p, holder);
    f.tail = relate_node(p, measure);
    f.relation = is_ratio_like(e) ? "Has Isotope Composition" : "Contains";
    if (strcmp(e->type, "element_ratio") != 0 && !is_index(p, e) &&
        relate_is(p, holder,
                  "rock,mineral,deposit,"
                  "setting,location,sample,"
                  "reference_material"))
        sink_add(p->sink, &f);
}

void measure_values(struct pass *p)
{
    const struct clause *c = p->clause;
    for (size_t i = 0; i < c->n; i++) {
        if (!clause_quantity(c, i) || relate_is_paired(p, i) || relate_is_tied(p, i))
            continue;
        bool is_poured =
            relate_is(p, i + 1, "oxide") && measure_is_reagent(relate_node(p, i + 1).name);
        if (is_poured || measure_is_precision(p, i))
            continue;
        size_t passed = SIZE_MAX, measure = measure_right(p, i);
        bool is_right = measure != SIZE_MAX;
        if (!is_right)
            measure = measure_left(p, i, &passed);
        if (measure == SIZE_MAX || measure_is_reagent(relate_node(p, measure).name))
            continue;
        size_t last = is_right ? measure : i;
        size_t holder = passed;
        if (holder == SIZE_MAX)
            holder = holder_right(p, last);
        /* "its SiO2 content is", "the zircon U content" */
        if (holder == SIZE_MAX && measure > 0 &&
            relate_is(p, measure - 1, "rock,mineral,sample,setting"))
            holder = measure - 1;
        size_t heads[LIST_MAX], n = 0;
        if (holder == SIZE_MAX && is_right)
            holder = measure_holder_ahead(p, last);
        if (holder == SIZE_MAX) {
            holder = holder_left(p, is_right ? i : measure);
            if (holder != SIZE_MAX) /* "zircon and garnet have" */
                n = relate_list(p, holder, -1, SV("mineral,rock"), heads, LIST_MAX);
        }
        holder = sample_of(p, holder);
        add_value(p, measure, i, holder, is_right ? SURE : SURE - 0.05);
        for (size_t m = 1; m < n; m++)
            add_value(p, measure, i, heads[m], SURE - 0.1);
    }
}

/* ---- ages ---- */

static void add_age(struct pass *p, size_t thing, size_t quantity, double confidence)
{
    thing = sample_of(p, thing);
    size_t from = thing < quantity ? thing : quantity, to = thing < quantity ? quantity : thing;
    confidence = relate_weigh(p, from, to, confidence);
    if (confidence <= 0)
        return;
    const struct quantity *q = clause_quantity(p->clause, quantity);
    struct fact f = relate_value(p, confidence * relate_worth(q));
    f.head = relate_node(p, thing);
    f.relation = "Has Age";
    f.value = q;
    relate_tie(p, quantity);
    sink_add(p->sink, &f);
}

/* "404 Ma granite", "60-Ma-old basalt", "an age of 404 Ma for the granite" */
static bool age_right(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i + 1;
    while (clause_is_mark(c, k, '-') || clause_is_word(c, k, "old") ||
           clause_is_word(c, k, "ago"))
        k++;
    bool is_old = k > i + 1;
    bool is_point = i > 0 && clause_class(c, i - 1) & (W_PREP | W_BREAK | W_SPAN) &&
                    !clause_is_word(c, i - 1, "of");
    if (relate_is(p, k, "rock,mineral,deposit,setting") && (is_old || !is_point)) {
        while (relate_is(p, k + 1, "rock,mineral,deposit"))
            k++;
        if (clause_is_mark(c, k + 1, '-'))
            return false;
        add_age(p, k, i, LIKELY);
        return true;
    }
    bool has_age = i > 1 && clause_is_word(c, i - 1, "of") && clause_class(c, i - 2) & W_DATE;
    has_age |= clause_is_word(c, k, "for") && age_is_next(p, i);
    for (unsigned n = 0; n < 3 && c->n > k && !clause_is_word(c, k, "for"); n++, k++)
        has_age |= clause_is_word(c, k, "age") || clause_is_word(c, k, "ages");
    if (!has_age || (!clause_is_word(c, k, "for") && !clause_is_word(c, k, "of")))
        return false;
    unsigned plain = 0; /* "for a mylonitized granite" */
    for (k++; clause_class(c, k) & W_DET ||
              (k < c->n && c->items[k].kind == ITEM_WORD && !clause_class(c, k) && ++plain < 2);
         k++)
        ;
    while (clause_name(c, k) && clause_name(c, k + 1))
        k++;
    if (!relate_is(p, k, "rock,mineral,deposit,setting,location,sample"))
        return false;
    add_age(p, k, i, LIKELY);
    return true;
}

/* "Zircon cores crystallised at 2.71 Ga": back to what has the age. */
static void age_left(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t best = SIZE_MAX;
    size_t row = age_row_start(p, i); /* "ages of 1.8 Ga and 2.7 Ga" */
    bool is_dated = false, is_equal = row > 0 && clause_class(c, row - 1) & W_AUX;
    int budget = 10;
    for (size_t k = row; k-- > 0 && budget > 0; budget--) {
        unsigned class = clause_class(c, k);
        is_dated |= (class & W_DATE) != 0 || clause_is_mark(c, k, '=');
        if (class & W_AND)
            k = clause_past_object(c, k);
        if (clause_name(c, k)) {
            if (relate_is(p, k, DATED_OR_SAMPLE) || measure_is_body(p, relate_node(p, k)))
                best = k;
            size_t m = clause_phrase_start(c, k);
            if (m > 0 && clause_class(c, m - 1) & W_PREP) {
                is_dated |= m > 1 && clause_class(c, m - 2) & W_DATE; /* "the age of" */
                k = m - 1;
                continue;
            }
            if (best != SIZE_MAX)
                break;
            continue;
        }
        if (clause_is_mark(c, k, ')')) {
            size_t open = clause_bracket(c, k);
            if (open == SIZE_MAX)
                return;
            k = open;
            continue;
        }
        const struct quantity *other = clause_quantity(c, k);
        if (class & (W_BREAK | W_NOT) || clause_is_mark(c, k, ';') ||
            (other && other->unit != UNIT_NONE))
            break;
        if (class & W_SPAN && k + 3 > row)
            return;
        if (clause_is_mark(c, k, ',')) {
            k = clause_apposition(c, k);
            budget--;
        }
    }
    if (best == SIZE_MAX || !(is_dated || is_equal))
        return;
    size_t list[LIST_MAX]; /* "garnet and zircon are dated at" */
    bool is_row = clause_quantity(c, i + 2) || (row > 1 && clause_quantity(c, row - 2));
    size_t n = is_row ? 1 : LIST_MAX;
    n = relate_list(p, best, -1, SV("rock,mineral,deposit"), list, n);
    for (size_t m = n; m-- > 0;)
        add_age(p, list[m], i, is_dated ? LIKELY + 0.05 : LIKELY - 0.05);
}

static bool half_life_left(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    bool has_word = false;
    for (size_t k = i; k-- > 0 && k + 12 > i;) {
        has_word |= clause_is_word(c, k, "life") && k > 0 && clause_is_mark(c, k - 1, '-');
        has_word |= clause_is_word(c, k, "life") && clause_is_word(c, k - 1, "half");
        if (!relate_is(p, k, "isotope"))
            continue;
        for (size_t m = k; m-- > 0 && m + 5 > k;)
            has_word |= clause_is_word(c, m, "life");
        if (!has_word)
            return false;
        const struct quantity *q = clause_quantity(c, i);
        struct fact f = relate_value(p, relate_weigh(p, k, i, SURE) * relate_worth(q));
        f.head = relate_node(p, k);
        f.relation = "Has Half-Life";
        f.value = q;
        relate_tie(p, i);
        sink_add(p->sink, &f);
        return true;
    }
    return has_word;
}

void measure_ages(struct pass *p)
{
    const struct clause *c = p->clause;
    for (size_t i = 0; i < c->n; i++) {
        const struct quantity *q = clause_quantity(c, i);
        if (!q || units_kind(p->lore->units, q->unit) != UNIT_AGE || q->low < 0 ||
            relate_is_paired(p, i) || relate_is_tied(p, i))
            continue;
        bool is_span = false;
        for (size_t k = i; k-- > 0 && k + 4 > i;) {
            is_span |= (clause_class(c, k) & W_SPAN) != 0;
            if (clause_name(c, k) || clause_quantity(c, k))
                break;
        }
        if (is_span || change_verb(c, thing_leading(c, i)) || half_life_left(p, i) ||
            age_right(p, i))
            continue;
        size_t behind = age_thing_behind(p, i);
        if (behind != SIZE_MAX)
            add_age(p, behind, i, LIKELY - 0.05);
        else
            age_left(p, i);
    }
}

/* ---- conditions ---- */

static const char *condition_of(enum unit_kind kind)
{
    return kind == UNIT_TEMPERATURE ? "Has Temperature"
           : kind == UNIT_PRESSURE  ? "Has Pressure"
                                    : NULL;
}

void measure_conditions(struct pass *p)
{
    const struct clause *c = p->clause;
    if (c->n_quantities && relate_is_recipe(c))
        return; /* "the samples were heated to 900 °C" */
    for (size_t i = 0; i < c->n; i++) {
        const struct quantity *q = clause_quantity(c, i);
        const char *relation = q ? condition_of(units_kind(p->lore->units, q->unit)) : NULL;
        if (!relation || relate_is_tied(p, i))
            continue;
        size_t best = SIZE_MAX;
        bool is_bound = false;
        int budget = 9;
        for (size_t k = i; k-- > 0 && budget > 0;
             budget -= clause_quantity(c, k) || clause_class(c, k) & W_PREP ? 0 : 1) {
            unsigned class = clause_class(c, k);
            is_bound |= (class & W_FORM) != 0;
            if (relate_is(p, k, "process,mineral,rock,deposit,sample")) {
                best = k;
                break;
            }
            if (class & (W_BREAK | W_NOT | W_MEASURE) || clause_is_mark(c, k, ';') ||
                clause_name(c, k))
                break;
        }
        if (best == SIZE_MAX || !is_bound)
            continue;
        double confidence = relate_weigh(p, best, i, FAIR + 0.05);
        if (confidence <= 0)
            continue;
        struct fact f = relate_value(p, confidence * relate_worth(q));
        f.head = relate_node(p, best);
        f.relation = relation;
        f.value = q;
        relate_tie(p, i);
        sink_add(p->sink, &f);
    }
}
