// SPDX-License-Identifier: MIT
/*
 * thing_verb.c — numbers that a verb or a preposition joins to their thing
 */
#include "thing_impl.h"

#define LIST_ITEMS 60 /* between a verb and the last number of its list */

/* "has a porosity of 20 %", "at a depth of 35 km", "a temperature of 1200 °C was obtained for",
 * "depths between 5 and 10 m" */
bool thing_read_of(struct tie *t)
{
    WORDS(links, "of", "between", "from");
    WORDS(places, "at", "above", "below", "under", "beyond", "near");
    const struct clause *c = t->p->clause;
    struct phrases all;
    size_t k = 0, end = t->left;
    bool has_of = end > 0 && clause_word_in(c, end - 1, &links);
    end -= has_of;
    if (!has_of && end > 0 && clause_is_mark(c, end - 1, '='))
        return false;
    if (!phrases_left(t->p, end, &all) || all.at[0].to != end ||
        (t->units & P_NUMBER && clause_is_word(c, all.start - 1, "at") && all.start > 0) ||
        (t->units & P_NUMBER && all.at[0].prep != SIZE_MAX &&
         clause_word_in(c, all.at[0].prep, &places)))
        return false; /* "adsorbed at pH 5", "only above pH 5" */
    while (k + 1 < all.n && thing_is_empty(t, &all.at[k]))
        k++;
    struct phrase *f = &all.at[k];
    t->from = all.start;
    if (thing_is_technical(t, f))
        return false;
    if (thing_is_empty(t, f)) /* "a value of 111 MPa was measured for" */
    {
        t->confidence = FAIR - 0.1;
        t->is_duration = (t->units & P_HEAT) == 0;
        return thing_right(t, t->i + 1);
    }
    t->confidence = FAIR + 0.05;
    t->property = *f;
    WORDS(changes, "shift", "change", "increase", "decrease", "excursion", "anomaly",
          "difference", "variation", "drop");
    bool is_where = t->units & P_LENGTH && has_of && !clause_is_word(c, t->left - 1, "of") &&
                    clause_word_in(c, f->to - 1, &changes);
    if (is_where) /* "the shift between 2614 and 2613 m": its place */
        return false;
    if (thing_is_property(t, f))
        return thing_around(t, &all, k);
    size_t top = all.n - 1;
    if (has_of && top > 0 && thing_is_property(t, &all.at[top]) &&
        !thing_is_empty(t, &all.at[top]) && !thing_is_technical(t, &all.at[top])) {
        t->property = all.at[top]; /* "a concentration in the soil of 0.5 wt%" */
        all.n = top;
        t->head = thing_of(t, &all, 0);
        return t->head.type != NULL;
    }
    bool is_thing = has_of && clause_is_word(c, t->left - 1, "of") && k == 0 &&
                    !(t->units & (P_NUMBER | P_HEAT | P_FORCE)) &&
                    (all.has_article || !(t->units & P_SHARE));
    if (!is_thing || clause_name(c, f->to - 1))
        return false; /* "a hiatus of 5 Myr" */
    t->property = (struct phrase){ 0 };
    t->is_duration = true;
    t->head = phrase_node(t->p, f);
    t->from = all.start;
    t->confidence = FAIR - 0.1;
    return t->head.type != NULL;
}

/* Words between a subject and its number. *has_verb: one of them says it is its value. */
static size_t link_start(struct tie *t, bool *has_verb)
{
    WORDS(verbs, "is", "was", "are", "were", "be", "been", "ranges", "range", "ranged",
          "ranging", "varies", "vary", "varied", "varying", "reach", "reaches", "reached",
          "exceed", "exceeds", "exceeded", "averages", "average", "averaged", "averaging",
          "equals", "remained", "remains", "totals", "attains", "attained", "spans", "measures",
          "weighs", "weigh", "dips", "dip", "increases", "increased", "decreases", "decreased",
          "rose", "rises", "fell", "falls", "dropped", "lies", "lie", "approaches", "exceeding",
          "stays", "amounts", "covers", "declined", "declines", "converge", "reaching",
          "extends", "cluster", "clusters", "clustered", "peaks", "peaked", "centre", "centred",
          "centered", "scatter");
    WORDS(others, "from", "between", "to", "at", "near", "estimated", "calculated", "measured",
          "reported", "found", "determined", "inferred", "constrained", "equal", "as", "low",
          "high", "large", "small", "in", "well", "below", "above", "under", "thus", "also",
          "always", "within", "close");
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    *has_verb = false;
    while (k > 0) {
        struct sv word = clause_text(c, k - 1);
        const char *property = property_of_verb(word);
        if (property && !*has_verb)
            t->verb = property;
        if (clause_word_in(c, k - 1, &verbs) && !(clause_class(c, k - 2) & W_DET))
            *has_verb = true;
        else if (clause_is_mark(c, k - 1, '=') || clause_is_mark(c, k - 1, ':'))
            *has_verb = true;
        else if (!clause_word_in(c, k - 1, &others) &&
                 !(clause_class(c, k - 1) & (W_AUX | W_HEDGE)) &&
                 !(c->items[k - 1].kind == ITEM_WORD && sv_ends(word, SV("ly"))))
            break;
        k--;
    }
    return k;
}

/* "Peak metamorphism reached 820 °C": one of its verbs in items [from, to). */
static bool is_reaching(const struct clause *c, size_t from, size_t to)
{
    WORDS(verbs, "reached", "reaches", "attained", "attains", "exceeded", "exceeds", "peaked",
          "culminated");
    bool found = false;
    for (size_t i = from; i < to; i++)
        found |= clause_word_in(c, i, &verbs);
    return found;
}

/* "The porosity of the sandstone is", "the melt density was", "annual precipitation is" */
bool thing_read_link(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrases all;
    struct phrase owner;
    bool has_verb;
    size_t k = link_start(t, &has_verb);
    if (!has_verb || !phrases_left(t->p, k, &all))
        return false;
    size_t top = all.n - 1;
    t->from = all.start;
    t->confidence = FAIR;
    if (k < t->left && clause_is_mark(c, k, '=') && !thing_is_property(t, &all.at[top]))
        return false; /* "a spectrum with fp = 0.5 Hz" */
    while (top > 0 && thing_is_empty(t, &all.at[top]))
        top--;
    struct phrase *f = &all.at[top];
    bool is_list = all.start > 0 && clause_class(c, all.start - 1) & W_AND;
    if (thing_is_technical(t, f) || (is_list && clause_name(c, f->to - 1)))
        return false; /* "errors for Ti and Al are" */
    all.n = top + 1;
    if (thing_is_property(t, f) && !thing_is_empty(t, f)) {
        t->property = *f;
        t->confidence = FAIR + 0.05;
        if (top > 0) {
            all.n = top;
            t->head = thing_of(t, &all, 0);
            if (t->head.type && strcmp(t->head.type, "property") == 0)
                t->head = (struct node){ 0 }; /* "temperatures at 800 m depth are" */
            if (!t->head.type && thing_split(t, &t->property, &owner))
                t->head = phrase_node(t->p, &owner);
            return t->head.type != NULL || thing_itself(t, f);
        }
        bool is_content = clause_class(c, f->to - 1) & W_CONTENT;
        if (is_content && thing_right(t, t->i + 1))
            return true; /* "illite contents are 40 % in the clay fraction" */
        if (thing_split(t, &t->property, &owner)) {
            t->head = phrase_node(t->p, &owner);
            t->is_bare = is_content; /* how much there is of it, in what is not said */
            return t->head.type != NULL;
        }
        bool goes_on = is_list && t->last && t->last->head.type && t->last->i < all.start &&
                       t->last->i + 4 > all.start &&
                       strcmp(t->last->head.type, "property") != 0;
        if (goes_on) { /* "the density of the pumice is 0.6 g/cm3, and porosity is" */
            t->head = t->last->head;
            t->from = all.start;
            return true;
        }
        return thing_right(t, t->i + 1) || thing_itself(t, f);
    }
    bool is_peak = t->units & (P_HEAT | P_FORCE) && is_reaching(c, k, t->left) &&
                   relate_is(t->p, f->to - 1, "process,rock,mineral");
    if (t->units & (P_HEAT | P_FORCE | P_TIME | P_NUMBER | P_DELTA) && !t->verb && !is_peak)
        return false;
    if (property_units(clause_text(c, f->to - 1)) && c->items[f->to - 1].kind == ITEM_WORD)
        return false; /* "the depth is 5 %" */
    t->head = thing_of(t, &all, 0);
    t->word = t->verb;
    t->confidence = FAIR - 0.05;
    return t->head.type != NULL;
}

static bool is_melt(const struct clause *c, size_t i)
{
    return clause_is_word(c, i, "melt") || clause_is_word(c, i, "melts");
}

/* "basaltic melt": the melt is a thing there. */
static bool is_adjective(const struct clause *c, size_t i)
{
    struct sv word = clause_text(c, i);
    return c->items[i].kind == ITEM_WORD &&
           (clause_class(c, i) & W_DET || sv_ends(word, SV("ic")) || sv_ends(word, SV("ous")) ||
            sv_ends(word, SV("al")) || vocab_word_is(word, "silicate"));
}

/* "Garnet grew at 650 °C and 1.2 GPa", "the event occurred at 2.7 Ga" */
bool thing_read_at(struct tie *t)
{
    WORDS(joints, "at", "and", "to", "below", "above", "between", "from", "under", "near",
          "or");
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    bool has_at = false, has_form = false;
    unsigned wanted = t->units & P_TIME ? W_DATE : W_FORM;
    if (!(t->units & (P_HEAT | P_FORCE | P_TIME)))
        return false;
    for (; k > 0 && k + LIST_ITEMS > t->left; k--) {
        bool is_joint = clause_word_in(c, k - 1, &joints) || clause_is_mark(c, k - 1, ',');
        const struct quantity *q = clause_quantity(c, k - 1);
        if (q && t->units & P_TIME)
            return false;
        if (!is_joint && !q && thing_leading(c, k) == k)
            break;
        has_at |= is_joint;
    }
    WORDS(more, "stable", "breaks", "down", "trapped", "stored", "reached", "attained", "melts",
          "melt", "melted", "erupted", "homogenise", "homogenize", "recorded", "occurred",
          "vented", "discharged", "vent", "formed", "record", "place", "took", "takes", "began",
          "started", "ceased", "stabilised", "stabilized");
    size_t end = k;
    for (; k > 0 && end - k < 3; k--) {
        bool is_form = clause_class(c, k - 1) & wanted || clause_word_in(c, k - 1, &more);
        is_form &= !(is_melt(c, k - 1) && k > 1 && is_adjective(c, k - 2));
        if (!is_form && !(clause_class(c, k - 1) & W_AUX))
            break;
        has_form |= is_form;
    }
    struct phrases all;
    if (!has_at || !has_form)
        return false;
    bool is_second = k > 0 && clause_class(c, k - 1) & W_AND && t->last && t->last->head.type &&
                     t->last->is_subject && t->last->i < k;
    if (is_second) { /* "has an area of 320 km2 and was emplaced at 92 Ma" */
        t->head = t->last->head;
        t->from = k;
        t->confidence = FAIR - 0.05;
        return t->is_subject = true;
    }
    if (!phrases_left(t->p, k, &all))
        return false;
    t->is_subject = true;
    t->head = thing_of(t, &all, 0);
    t->from = all.start;
    t->confidence = FAIR;
    return t->head.type != NULL;
}

/* "consists of 95% olivine and 3% chromite", "samples with <30% wood tissue" */
bool thing_read_mode(struct tie *t)
{
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    bool is_name = relate_is(t->p, t->i + 1, "mineral,rock,element,oxide");
    struct phrase what;
    struct phrases all;
    if (!(t->units & P_SHARE) || !phrase_right(t->p, t->i + 1, &what) ||
        what.from != t->i + 1 || thing_is_technical(t, &what) ||
        property_units(clause_text(c, what.to - 1)))
        return false;
    if (is_name)
        what.to = what.from + 1;
    while (k > 0 && k + LIST_ITEMS > t->left &&
           (clause_quantity(c, k - 1) || clause_name(c, k - 1) ||
            clause_is_mark(c, k - 1, ',') || clause_class(c, k - 1) & W_AND ||
            thing_leading(c, k) < k))
        k--;
    if (k > 0 && clause_is_mark(c, k - 1, '(') && phrases_left(t->p, k - 1, &all) &&
        all.at[0].to == k - 1) { /* "the andesites (57 wt% SiO2)" */
        t->head = phrase_node(t->p, &all.at[0]);
        t->from = all.at[0].from;
    } else if (k > 0 && clause_is_word(c, k - 1, "with") && phrases_left(t->p, k - 1, &all)) {
        t->head = thing_of(t, &all, 0);
        t->from = all.start;
    } else {
        if (k > 0 && clause_is_word(c, k - 1, "of"))
            k--;
        if (k == 0 ||
            !(clause_class(c, k - 1) & W_HAVE || clause_is_word(c, k - 1, "comprises") ||
              clause_is_word(c, k - 1, "consists") || clause_is_word(c, k - 1, "consist") ||
              clause_is_word(c, k - 1, "composed") || clause_is_word(c, k - 1, "comprise")) ||
            !thing_subject(t, k)) {
            size_t rock = relate_is(t->p, t->i + 1, "mineral")
                              ? measure_rock_ahead(t->p, t->i + 1)
                              : SIZE_MAX; /* "analyses indicate 60% olivine in the dunite" */
            if (rock == SIZE_MAX)
                return false;
            t->head = relate_node(t->p, rock);
        }
    }
    if (!t->head.type || !phrase_node(t->p, &what).type)
        return false;
    t->property = what;
    t->is_share = !is_name;
    t->confidence = is_name ? LIKELY - 0.05 : FAIR - 0.1;
    return true;
}

/* "released 20 Mt of SO2", "the layout extracts 40.6 MW" */
bool thing_read_active(struct tie *t)
{
    static const struct {
        const char *stem, *property;
    } verbs[] = { { "releas", "release" },         { "emit", "emission" },
                  { "receiv", "input" },           { "extract", "extraction" },
                  { "produc", "production" },      { "discharg", "discharge" },
                  { "transport", "transport" },    { "includ", NULL },
                  { "contribut", "contribution" }, { "stor", "storage" },
                  { "inject", "injection" },       { "export", "export" },
                  { "accommodat", NULL },          { "carri", "load" } };
    const struct clause *c = t->p->clause;
    size_t k = t->left;
    if (!(t->units & (P_OTHER | P_LENGTH)) || k < 2 || c->items[k - 1].kind != ITEM_WORD)
        return false;
    struct sv word = clause_text(c, k - 1);
    for (size_t v = 0; v < ARRAY_LEN(verbs); v++) {
        struct phrases all;
        struct sv stem = sv_from(verbs[v].stem);
        if (!sv_starts(word, stem) || word.n > stem.n + 3 || clause_class(c, k - 2) & W_AUX ||
            !phrases_left(t->p, k - 1, &all))
            continue;
        t->head = thing_of(t, &all, 0);
        t->word = verbs[v].property;
        t->from = all.start;
        t->confidence = FAIR - 0.05;
        return t->head.type != NULL;
    }
    return false;
}

/* What changes, where the head is what has it: "SiO2 in the basalts", "the porosity of". */
static void keep_changed(struct tie *t, const struct phrases *all)
{
    const struct clause *c = t->p->clause;
    size_t k = all->n - 1;
    bool is_content = clause_class(c, all->at[k].to - 1) & W_CONTENT;
    k -= is_content && k > 1; /* "the concentration of Zr in the rhyolite" */
    const struct phrase *f = &all->at[k];
    bool is_property = property_units(clause_text(c, f->to - 1)) ||
                       relate_is(t->p, f->to - 1, "element,oxide");
    if (k > 0 && is_property && !thing_is_portion(t, f) && !thing_is_empty(t, f) &&
        !sv_eq(phrase_node(t->p, f).name, t->head.name))
        t->property = *f;
}

/* "increased by 22%": by how much. */
bool thing_read_change(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrases all;
    size_t k = t->left;
    t->word = change_verb(c, k);
    if (!t->word || k < 3)
        return false;
    k -= 2;
    while (k > 0 && clause_class(c, k - 1) & W_AUX)
        k--;
    if (!phrases_left(t->p, k, &all))
        return false;
    t->head = thing_of(t, &all, 0);
    keep_changed(t, &all);
    t->from = all.start;
    t->is_duration = true;
    t->confidence = FAIR - 0.05;
    return t->head.type != NULL;
}

/* "the excursion lasted 170 kyr", "a pulse spanning 50 kyr" */
bool thing_read_duration(struct tie *t)
{
    WORDS(verbs, "lasted", "lasting", "lasts", "spans", "spanned", "spanning", "took",
          "persisted", "represents", "last", "represent", "representing");
    const struct clause *c = t->p->clause;
    struct phrases all;
    size_t k = t->left;
    if (!(t->units & (P_TIME | P_CLOCK)))
        return false;
    k -= k > 0 && clause_is_word(c, k - 1, "for");
    if (k == 0 || !clause_word_in(c, k - 1, &verbs) || !phrases_left(t->p, k - 1, &all))
        return false;
    t->head = thing_of(t, &all, 0);
    t->word = "duration";
    t->from = all.start;
    t->confidence = FAIR;
    return t->head.type != NULL;
}

/* "At 2609 m the claystone becomes laminated" */
bool thing_read_front(struct tie *t)
{
    WORDS(preps, "at", "between", "from", "below", "above", "near");
    const struct clause *c = t->p->clause;
    struct phrase f;
    size_t to = t->i + 1;
    bool is_first = t->left == 1 || (t->left > 1 && clause_is_mark(c, t->left - 2, ','));
    if (!(t->units & P_LENGTH) || !is_first || !clause_word_in(c, t->left - 1, &preps))
        return false;
    to += clause_is_word(c, to, "depth");
    to += clause_is_mark(c, to, ',');
    if (!(clause_class(c, to) & W_DET) || !phrase_right(t->p, to, &f))
        return false;
    t->head = phrase_node(t->p, &f);
    t->from = t->left;
    t->word = "depth";
    t->confidence = FAIR - 0.15;
    return t->head.type != NULL;
}

/* "was drilled to 810 m" */
bool thing_read_down_to(struct tie *t)
{
    WORDS(verbs, "drilled", "buried", "penetrated", "cored", "subducted", "reaches", "extends",
          "penetrates", "subsided");
    const struct clause *c = t->p->clause;
    if (!(t->units & P_LENGTH) || t->left < 2 || !clause_is_word(c, t->left - 1, "to") ||
        !clause_word_in(c, t->left - 2, &verbs) || !thing_subject(t, t->left - 1))
        return false;
    t->word = "depth";
    t->confidence = FAIR;
    return true;
}

/* "the reflector at 630 m" */
bool thing_read_place(struct tie *t)
{
    const struct clause *c = t->p->clause;
    struct phrases all;
    if (!(t->units & P_LENGTH) || t->left < 2 ||
        !(clause_is_word(c, t->left - 1, "at") || clause_is_word(c, t->left - 1, "between")) ||
        !phrases_left(t->p, t->left - 1, &all) || all.at[0].to != t->left - 1)
        return false;
    if (all.start > 0 && c->items[all.start - 1].kind != ITEM_MARK &&
        !(clause_class(c, all.start - 1) & W_AND))
        return false; /* "contain quartz at" */
    t->head = thing_of(t, &all, 0);
    t->from = all.start;
    t->confidence = WEAK;
    return t->head.type && strcmp(t->head.type, "property") != 0;
}
