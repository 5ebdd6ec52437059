// SPDX-License-Identifier: MIT
/*
 * near.c — two ends in one clause, and a word of the relation's list with them
 *
 * "The two targets Stephen and Neil show very high Mn": nothing but the clause ties Stephen to
 * Mn. For samples that is enough, as they are what a sentence is about when it names one; other
 * things are background too often. Which types and words: `near` in the table of relations.
 */
#include "relate.h"

#include "utf8.h"

#define NEAR_MAX 80 /* items between the ends */
#define ENDS_MAX 24

/* Another statement begins. A numbered list ("1) …; 2) …") goes on. */
static bool is_break(const struct clause *c, size_t i)
{
    if (clause_is_mark(c, i, ';'))
        return !(clause_is_mark(c, i + 2, ')') || clause_is_mark(c, i + 1, '('));
    return clause_is_word(c, i, "whereas") || clause_is_word(c, i, "while") ||
           clause_is_word(c, i, "but") || clause_is_word(c, i, "although");
}

static bool has_verb(const struct clause *c, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to && i < from + NEAR_MAX; i++) {
        unsigned class = clause_class(c, i);
        if (class & W_AUX || (class & W_HAVE && !(class & W_PREP)))
            return true;
    }
    return false;
}

/* ", and olivine was detected in": a comma, "and", a name and its verb, behind a verb: the next
 * statement. */
static bool is_next_statement(const struct clause *c, size_t from, size_t i)
{
    if (!clause_is_mark(c, i, ',') || !(clause_class(c, i + 1) & W_AND) ||
        !has_verb(c, from, i))
        return false;
    bool has_name = false;
    for (size_t k = i + 2; k < c->n && k < i + 8; k++) {
        unsigned class = clause_class(c, k);
        has_name |= clause_name(c, k) != NULL;
        if (class & W_AUX || (class & W_HAVE && !(class & W_PREP)))
            return has_name;
        if (class & (W_PREP | W_AND) || c->items[k].kind == ITEM_MARK)
            return false;
    }
    return false;
}

/* What follows is compared with the subject and is none itself. */
static bool is_comparison(const struct clause *c, size_t i)
{
    return (clause_is_word(c, i, "than") && !clause_quantity(c, i + 1)) ||
           clause_is_word(c, i, "unlike") || clause_is_word(c, i, "compared") ||
           (clause_is_word(c, i, "relative") && clause_is_word(c, i + 1, "to")) ||
           (clause_is_word(c, i, "similar") && clause_is_word(c, i + 1, "to"));
}

/* "the Si 634 nm line", "Si/Al": no matter of the sample. */
static bool is_signal(const struct clause *c, size_t i)
{
    return clause_is_word(c, i + 1, "line") || clause_is_word(c, i + 1, "lines") ||
           clause_is_mark(c, i + 1, '/') || (i > 0 && clause_is_mark(c, i - 1, '/'));
}

/* "magnetite and hematite in Windjana": a preposition right between them is word enough. */
static bool is_inside(const struct clause *c, size_t tail, size_t head)
{
    if (tail >= head || head > tail + 7)
        return false;
    for (size_t i = tail + 1; i < head; i++)
        if (clause_is_word(c, i, "in") || clause_is_word(c, i, "at") ||
            clause_is_word(c, i, "of") || clause_is_word(c, i, "from") ||
            clause_is_word(c, i, "on") || clause_is_word(c, i, "within"))
            return true;
    return false;
}

/* "A-1 contains olivine and A-2 contains quartz": another head with a verb of its own comes
 * between, or has the tail already. */
static bool is_of_another(const struct clause *c, const size_t *heads, size_t n, size_t head,
                          size_t tail)
{
    for (size_t i = 0; i < n; i++) {
        size_t other = heads[i];
        bool is_between = head < other && other < tail;
        if (is_between && has_verb(c, head, other) && has_verb(c, other, tail))
            return true;
        bool is_before = other < tail && tail < head;
        if (is_before && has_verb(c, other, tail) && has_verb(c, head, c->n))
            return true;
    }
    return false;
}

static void read_segment(struct pass *p, const struct rule *r, size_t from, size_t to)
{
    const struct clause *c = p->clause;
    size_t heads[ENDS_MAX], tails[ENDS_MAX], n = 0, m = 0;
    bool has_word = false, is_compared = false;
    for (size_t i = from; i < to; i++) {
        const struct entity *e = clause_name(c, i);
        is_compared |= is_comparison(c, i);
        has_word |= clause_word_in(c, i, r->near);
        if (e && n < ENDS_MAX && !is_compared && relate_has_type(p, e, r->near_head))
            heads[n++] = i;
        else if (e && m < ENDS_MAX && relate_has_type(p, e, r->near_tail) &&
                 strcmp(e->type, "element_ratio") != 0 && !is_signal(c, i))
            tails[m++] = i;
    }
    bool is_ordered = false;
    for (size_t i = from; i < to; i++)
        is_ordered |= (clause_class(c, i) & W_PAIRED) != 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++) {
            size_t apart = heads[i] > tails[k] ? heads[i] - tails[k] : tails[k] - heads[i];
            if (is_ordered && n > 1 && m > 1 && (n != m || i != k))
                continue;
            bool is_in = is_inside(c, tails[k], heads[i]);
            size_t first = heads[i] < tails[k] ? heads[i] : tails[k];
            bool has_own = heads[i] < tails[k] && clause_has(c, first, first + apart, W_HAVE);
            if (apart > NEAR_MAX || (n > 1 && is_of_another(c, heads, n, heads[i], tails[k])))
                continue;
            /* which of several the "no" is for, only patterns know */
            if (m > 1 && relate_weigh(p, heads[i], tails[k], 1) < 0)
                continue;
            if (has_word || has_own || is_in)
                relate_add(p, heads[i], r->relation, tails[k],
                           is_in || has_own ? FAIR + 0.1 : FAIR);
        }
}

static void read_rule(struct pass *p, const struct rule *r)
{
    const struct clause *c = p->clause;
    bool has_head = false;
    for (size_t i = 0; i < c->n_names && !has_head; i++)
        has_head = relate_has_type(p, clause_name(c, c->named[i]), r->near_head);
    if (!has_head)
        return;
    size_t from = 0;
    for (size_t i = 0; i <= c->n; i++)
        if (i == c->n || is_break(c, i) || is_next_statement(c, from, i)) {
            read_segment(p, r, from, i);
            from = i + 1;
        }
}

void relate_near(struct pass *p)
{
    const struct rules *rules = p->lore->rules;
    size_t i = 0;
    for (const struct rule *r; (r = rules_next_near(rules, &i)) != NULL;)
        read_rule(p, r);
}
