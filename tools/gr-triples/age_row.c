// SPDX-License-Identifier: MIT
/*
 * age_row.c — ages that share what they are ages of, and ages whose thing stands behind them
 */
#include "relate.h"

static bool is_age(const struct pass *p, size_t i)
{
    const struct quantity *q = clause_quantity(p->clause, i);
    return q && units_kind(p->lore->units, q->unit) == UNIT_AGE;
}

/* A body of rock that has a name is dated; a region is where dated things lie. */
bool measure_is_body(const struct pass *p, struct node n)
{
    static const char kinds[] = "intrusion,complex,formation,kimberlite,igneous_province,"
                                "ophiolite,massif,greenstone_belt,impact,volcano,"
                                "meteorite,hydrothermal";
    struct sv kind;
    if (!n.type || strcmp(n.type, "location") != 0)
        return false;
    uint32_t entry = vocab_find(p->lore->vocab, n.name, "location");
    return entry != VOCAB_NONE && vocab_attr(p->lore->vocab, entry, "kind", &kind) &&
           rules_lists(sv_from(kinds), kind);
}

size_t age_row_start(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t start = i;
    bool has_joint = false;
    for (size_t k = i; k-- > 0 && k + 24 > start;) {
        unsigned class = clause_class(c, k);
        if (is_age(p, k)) {
            if (!has_joint)
                break;
            start = k;
            has_joint = false;
            continue;
        }
        if (clause_is_mark(c, k, ')')) { /* "(2σ, MSWD = 1.0)" */
            size_t open = clause_bracket(c, k);
            if (open == SIZE_MAX)
                break;
            k = open;
            continue;
        }
        bool is_and = class & W_AND || clause_is_mark(c, k, ',');
        bool is_between = class & W_DET || clause_is_word(c, k, "of") ||
                          clause_is_word(c, k, "age") || clause_is_word(c, k, "ages") ||
                          clause_is_mark(c, k, '-') || relate_is(p, k, "isotope_system");
        has_joint |= is_and;
        if (!is_and && !is_between)
            break;
    }
    return start;
}

bool age_is_next(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i;
    if (k > 0 && clause_class(c, k - 1) & W_AND)
        k--;
    if (k > 0 && clause_is_mark(c, k - 1, ','))
        k--;
    if (k == i || k == 0 || !relate_is(p, k - 1, BODIES))
        return false;
    for (k--; k-- > 0 && k + 9 > i;)
        if (clause_is_word(c, k, "for"))
            return k > 0 && is_age(p, k - 1);
    return false;
}

size_t age_thing_behind(const struct pass *p, size_t i)
{
    WORDS(verbs, "marks", "mark", "dates", "date", "represents", "records", "constrains",
          "reflects");
    const struct clause *c = p->clause;
    bool has_age = false, is_said = false;
    for (size_t k = i; k-- > 0 && k + 4 > i;)
        has_age |= clause_is_word(c, k, "age") || clause_is_word(c, k, "ages");
    size_t k = i + 1;
    if (clause_is_mark(c, k, '(')) {
        size_t close = clause_bracket(c, k);
        k = close == SIZE_MAX ? k : close + 1;
    }
    is_said |= clause_word_in(c, k, &verbs);
    if (!has_age || !is_said)
        return SIZE_MAX;
    for (k++; k < i + 10; k++) {
        if (relate_is(p, k, DATED)) /* "garnet overgrowth": of garnet */
            return clause_is_mark(c, k + 1, '-') ? SIZE_MAX : k;
        unsigned others = W_PREP | W_NOT | W_AUX | W_BREAK | W_WHICH | W_HAVE | W_AND;
        bool is_plain =
            k < c->n && c->items[k].kind == ITEM_WORD && !(clause_class(c, k) & others);
        if (!is_plain && !clause_is_word(c, k, "of"))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}
