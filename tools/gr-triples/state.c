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
    if (!(c->classes & W_PARAM) || !rules_states(p->lore->rules))
        return;
    p->has_states = true;
    p->states->n = 0;
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

/* The condition that starts, or ends, at a byte of the text; NULL: none. They stand in order
 * and none in another. */
static const struct entity *find(const struct pass *p, size_t start, size_t end)
{
    if (!p->has_states || end == 0)
        return NULL;
    size_t i = start != SIZE_MAX ? entities_from(p->states, start)
                                 : entities_behind(p->states, end - 1);
    if (i >= p->states->n)
        return NULL;
    const struct entity *e = &p->states->items[i];
    return e->start == start || e->end == end ? e : NULL;
}

/* The item that stands for the condition in items [from, to]: its last word, or its first where
 * a name ends it ("low oxygen fugacity"). */
static size_t key_of(const struct clause *c, size_t from, size_t to)
{
    return !clause_name(c, to) ? to : !clause_name(c, from) ? from : SIZE_MAX;
}

size_t state_from(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    const struct entity *e = p->has_states ? find(p, c->items[i].start, SIZE_MAX) : NULL;
    if (!e || !is_allowed(p, e, types))
        return SIZE_MAX;
    size_t to = i;
    while (to < c->n && c->items[to].end < e->end)
        to++;
    return to < c->n && c->items[to].end == e->end ? key_of(c, i, to) : SIZE_MAX;
}

size_t state_to(const struct pass *p, size_t i, size_t cue, struct sv types)
{
    const struct clause *c = p->clause;
    const struct entity *e = p->has_states ? find(p, SIZE_MAX, c->items[i].end) : NULL;
    if (!e || !is_allowed(p, e, types))
        return SIZE_MAX;
    size_t from = i;
    while (from > 0 && c->items[from].start > e->start)
        from--;
    if (from > 0 && clause_name(c, from - 1))
        return SIZE_MAX; /* "dolerite dykes cut": the name is meant */
    /* "melt pockets contain": the noun behind is meant */
    bool is_last = i + 1 >= c->n || i + 1 == cue || clause_class(c, i + 1) ||
                   c->items[i + 1].kind != ITEM_WORD ||
                   sv_ends(clause_text(c, i + 1), SV("ly"));
    return is_last ? key_of(c, from, i) : SIZE_MAX;
}

struct node state_node(const struct pass *p, size_t i)
{
    const struct entity *e = find(p, SIZE_MAX, p->clause->items[i].end);
    if (!e)
        e = find(p, p->clause->items[i].start, SIZE_MAX);
    struct node n = { .type = "condition", .name = clause_text(p->clause, i) };
    if (e) {
        n.name = vocab_name(rules_states(p->lore->rules), e->entry);
        n.type = sv_is(role_of(p, e), "material") ? "thing" : "condition";
    }
    return n;
}
