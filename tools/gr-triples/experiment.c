// SPDX-License-Identifier: MIT
/*
 * experiment.c — method, sample, standard and conditions of a sentence
 */
#include "relate.h"

/* Last item of a condition that starts at item i, or SIZE_MAX: "1200 °C and 2 GPa" behind "at",
 * "pH 5", "reducing conditions" behind "under". */
static size_t condition_end(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    const struct quantity *q = clause_quantity(c, i);
    bool is_after_under = i > 0 && clause_is_word(c, i - 1, "under");
    enum unit_kind kind = q ? units_kind(p->lore->units, q->unit) : UNIT_OTHER;
    /* "anoxic conditions" may be a name of the vocabulary */
    if (is_after_under && relate_is(p, i, "setting,process"))
        return i;
    bool may_be = q || clause_class(c, i) & W_STATE;
    for (size_t k = i + 1; !may_be && c->classes & W_STATE && k < i + 6; k++)
        may_be = (clause_class(c, k) & W_STATE) != 0;
    if (!may_be)
        return SIZE_MAX;
    bool is_at = i > 0 && (clause_is_word(c, i - 1, "at") || clause_is_word(c, i - 1, "and") ||
                           clause_is_word(c, i - 1, "to") || clause_is_mark(c, i - 1, ','));
    if ((kind == UNIT_TEMPERATURE || kind == UNIT_PRESSURE) && is_at)
        return i;
    if (clause_is_word(c, i, "ph"))
        for (size_t k = i + 1; k <= i + 3 && k < c->n; k++)
            if (clause_quantity(c, k) ||
                (c->items[k].kind == ITEM_WORD && clause_text(c, k).p[0] <= '9'))
                return clause_is_mark(c, i + 1, '(') && clause_bracket(c, i + 1) < c->n
                           ? clause_bracket(c, i + 1)
                           : k;
    bool is_under =
        is_after_under ||
        (i > 0 && (clause_is_word(c, i - 1, "in") || clause_is_word(c, i - 1, "at")));
    for (size_t k = i; is_under && k < i + 6 && k < c->n; k++) {
        if (k > i && (clause_is_word(c, k, "conditions") || clause_is_word(c, k, "condition")))
            return k;
        bool is_part = c->items[k].kind != ITEM_QUANTITY && !clause_is_mark(c, k, ',') &&
                       !(clause_class(c, k) & (W_PREP | W_BREAK | W_WHICH));
        if (!is_part)
            break;
    }
    return SIZE_MAX;
}

/* Can none start at item i? So it is with most words of most sentences. */
static inline bool is_no_condition(const struct clause *c, size_t i)
{
    return c->items[i].kind != ITEM_QUANTITY && !(c->classes & W_STATE) &&
           !(i > 0 && clause_is_word(c, i - 1, "under"));
}

/* Every condition of the sentence; what is close together stays together. */
static struct sv conditions_of(const struct pass *p, struct buf *out)
{
    WORDS(openers, "under");
    const struct clause *c = p->clause;
    size_t from = SIZE_MAX, to = 0;
    buf_reset(out);
    if (!c->n_quantities && !(c->classes & W_STATE) && !clause_may_have(c, &openers))
        return buf_view(out);
    for (size_t i = 0; i <= c->n; i++) {
        size_t end = i == c->n || is_no_condition(c, i) ? SIZE_MAX : condition_end(p, i);
        bool is_next = end != SIZE_MAX && from != SIZE_MAX && c->items[i].start <= to + 8;
        if (from != SIZE_MAX && (i == c->n || (end != SIZE_MAX && !is_next))) {
            buf_str(out, out->len ? "; " : "");
            buf_sv(out, sv_from_to(c->text, from, to));
        }
        if (end == SIZE_MAX)
            continue;
        from = is_next ? from : c->items[i].start;
        to = c->items[end].end;
        i = end;
    }
    return buf_view(out);
}

struct experiment relate_experiment(const struct pass *p, struct buf *conditions)
{
    const struct clause *c = p->clause;
    struct experiment x = { SV_NONE, SV_NONE, SV_NONE, SV_NONE };
    unsigned n_methods = 0, n_samples = 0;
    for (size_t k = 0; k < c->n_names; k++) {
        size_t i = c->named[k];
        if (!relate_is(p, i, "method,sample,reference_material"))
            continue;
        struct node n = relate_node(p, i);
        bool is_method = strcmp(n.type, "method") == 0 &&
                         !sv_is(entity_kind(p->lore->vocab, clause_name(c, i)), "preparation");
        if (is_method && !sv_eq(n.name, x.method)) {
            x.method = n.name;
            n_methods++;
        } else if (strcmp(n.type, "sample") == 0 && !sv_eq(n.name, x.sample)) {
            x.sample = n.name;
            n_samples++;
        } else if (strcmp(n.type, "reference_material") == 0 && !x.standard.n) {
            x.standard = n.name;
        }
    }
    if (n_methods != 1)
        x.method = SV_NONE;
    if (n_samples != 1)
        x.sample = SV_NONE;
    x.conditions = conditions_of(p, conditions);
    return x;
}
