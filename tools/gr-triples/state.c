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

/* "condition", or what else the table says. */
static struct sv role_of(const struct pass *p, const struct entity *e)
{
    struct sv role;
    return vocab_attr(rules_states(p->lore->rules), e->entry, "role", &role) ? role
                                                                             : SV("condition");
}

static bool is_allowed(const struct pass *p, const struct entity *e, struct sv types)
{
    return rules_lists(types, role_of(p, e));
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

bool state_ends(const struct pass *p, size_t i, size_t cue, struct sv types)
{
    const struct clause *c = p->clause;
    const struct entity *e =
        p->has_states && !clause_name(c, i) ? find(p, SIZE_MAX, c->items[i].end) : NULL;
    if (!e || !is_allowed(p, e, types) || (i > 0 && clause_name(c, i - 1)))
        return false; /* "dolerite dykes cut": the name is meant */
    /* "melt pockets contain": the noun behind is meant */
    return i + 1 >= c->n || i + 1 == cue || clause_class(c, i + 1) ||
           c->items[i + 1].kind != ITEM_WORD || sv_ends(clause_text(c, i + 1), SV("ly"));
}

struct node state_node(const struct pass *p, size_t i)
{
    const struct entity *e = find(p, SIZE_MAX, p->clause->items[i].end);
    struct node n = { .type = "condition", .name = clause_text(p->clause, i) };
    if (e) {
        n.name = vocab_name(rules_states(p->lore->rules), e->entry);
        n.type = sv_is(role_of(p, e), "material") ? "material" : "condition";
    }
    return n;
}
