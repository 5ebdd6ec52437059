// SPDX-License-Identifier: MIT
/*
 * state.c — conditions as ends of facts
 */
#include "cue.h"

void state_find(struct pass *p, const struct rule *r)
{
    const struct clause *c = p->clause;
    if (!r->has_states || p->has_states)
        return;
    p->has_states = true;
    p->states->n = 0;
    if (!rules_states(p->lore->rules))
        return;
    vocab_scan_names(rules_states(p->lore->rules), sv_from_to(c->text, c->start, c->end),
                     p->states);
    for (size_t i = 0; i < p->states->n; i++) {
        p->states->items[i].start += c->start;
        p->states->items[i].end += c->start;
    }
}

static bool is_allowed(const struct pass *p, const struct entity *e, struct sv types)
{
    struct sv flag;
    bool is_parameter = vocab_attr(rules_states(p->lore->rules), e->entry, "parameter", &flag);
    return rules_lists(types, is_parameter ? SV("parameter") : SV("condition"));
}

/* The condition that starts, or ends, at a byte of the text; NULL: none. */
static const struct entity *find(const struct pass *p, size_t start, size_t end)
{
    for (size_t i = 0; p->has_states && i < p->states->n; i++)
        if (p->states->items[i].start == start || p->states->items[i].end == end)
            return &p->states->items[i];
    return NULL;
}

size_t state_from(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    const struct entity *e = p->has_states ? find(p, c->items[i].start, SIZE_MAX) : NULL;
    if (!e || !is_allowed(p, e, types))
        return SIZE_MAX;
    while (i < c->n && c->items[i].end < e->end)
        i++;
    return i < c->n && c->items[i].end == e->end && !clause_name(c, i) ? i : SIZE_MAX;
}

bool state_ends(const struct pass *p, size_t i, struct sv types)
{
    const struct entity *e = p->has_states && !clause_name(p->clause, i)
                                 ? find(p, SIZE_MAX, p->clause->items[i].end)
                                 : NULL;
    return e && is_allowed(p, e, types);
}

struct sv state_name(const struct pass *p, size_t i)
{
    const struct entity *e = find(p, SIZE_MAX, p->clause->items[i].end);
    return e ? vocab_name(rules_states(p->lore->rules), e->entry) : clause_text(p->clause, i);
}
