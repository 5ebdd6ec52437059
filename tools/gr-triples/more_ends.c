// SPDX-License-Identifier: MIT
/*
 * more_ends.c — ends of a cue behind the list that follows it
 *
 * "Cobalt occurs in cobaltite and to a lesser extent in pyrite", "depleted in volatile elements
 * such as Pb and Zn", "enriched in incompatible elements (Rb, Ba)": the cue binds these too,
 * though more than commas stands between.
 */
#include "cue.h"

/* Over a bracket at item i that holds no name. */
static size_t skip_bracket(const struct clause *c, size_t i)
{
    size_t close = clause_is_mark(c, i, '(') ? clause_bracket(c, i) : SIZE_MAX;
    for (size_t k = i; close != SIZE_MAX && k < close; k++)
        if (clause_name(c, k))
            return i;
    return close == SIZE_MAX ? i : close + 1;
}

/* A word that says how much or how often, and not another verb. */
static bool is_measure(const struct clause *c, size_t i)
{
    WORDS(words, "a", "also", "degree", "extent", "less", "lesser", "minor", "more", "part",
          "rarely", "smaller", "to", "in", "both", "amounts");
    return clause_word_in(c, i, &words) ||
           (c->n > i && c->items[i].kind == ITEM_WORD && sv_ends(clause_text(c, i), SV("ly")));
}

/* "… and to a lesser extent in": the item behind the cue's own preposition, said once more
 * behind item i; SIZE_MAX: it is not. */
static size_t preposition_again(const struct clause *c, const struct cue *q, size_t i)
{
    struct sv prep = clause_text(c, q->to - 1);
    if (!(clause_class(c, q->to - 1) & W_PREP))
        return SIZE_MAX;
    size_t k = i + clause_is_mark(c, i, ',');
    if (clause_is_word(c, k, "but") && clause_is_word(c, k + 1, "also"))
        k++;
    else if (!(clause_class(c, k) & W_AND))
        return SIZE_MAX;
    for (k++; k < c->n && k < i + 9; k++) {
        bool is_prep = sv_ieq(clause_text(c, k), prep) && !clause_is_word(c, k + 1, "part") &&
                       !clause_is_word(c, k + 1, "lesser") && !clause_is_word(c, k + 1, "a");
        if (is_prep)
            return k + 1;
        if (!is_measure(c, k) && !clause_is_mark(c, k, ','))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* Is the name at item i one of a group ("volatile elements", "sulfides")? */
static bool is_group(const struct pass *p, size_t i)
{
    const struct entity *e = clause_name(p->clause, i);
    return e && (strcmp(e->type, "element_group") == 0 ||
                 sv_is(entity_kind(p->lore->vocab, e), "group"));
}

/* "such as", "especially", "(including" behind the group at item i - 1: the item where its
 * members begin; SIZE_MAX: none do. */
static size_t members_of(const struct clause *c, size_t i)
{
    WORDS(words, "including", "especially", "particularly", "notably", "mainly", "like");
    size_t k = i + (clause_is_mark(c, i, ',') || clause_is_mark(c, i, '('));
    if (clause_is_word(c, k, "such") && clause_is_word(c, k + 1, "as"))
        return k + 2;
    if (clause_word_in(c, k, &words))
        return k + 1;
    return clause_is_mark(c, i, '(') && clause_name(c, i + 1) ? i + 1 : SIZE_MAX;
}

/* Names of the types in the bracket that opens before item i ("(Rb, Ba, Th)"). */
static size_t in_bracket(const struct pass *p, size_t i, struct sv types, size_t *members,
                         size_t max)
{
    size_t close = clause_bracket(p->clause, i - 1), n = 0;
    for (; close != SIZE_MAX && i < close && n < max; i++)
        if (clause_name(p->clause, i) && relate_is_name(p, clause_name(p->clause, i), types))
            members[n++] = i;
        else if (!clause_is_mark(p->clause, i, ',') && !(clause_class(p->clause, i) & W_AND))
            return 0; /* more than names is said there */
    return n;
}

size_t cue_more(const struct pass *p, const struct cue *q, struct sv types, size_t *members,
                size_t n, size_t max)
{
    const struct clause *c = p->clause;
    if (n == 0 || q->is_loose || !clause_name(c, members[n - 1]))
        return n;
    for (size_t rounds = 0; rounds < 3 && n < max; rounds++) {
        size_t last = members[n - 1], i = last + 1, start = SIZE_MAX;
        if (is_group(p, last))
            start = members_of(c, i);
        if (start != SIZE_MAX && clause_is_mark(c, start - 1, '(')) {
            size_t more = in_bracket(p, start, types, members + n, max - n);
            if (more == 0)
                break;
            n += more;
            continue;
        }
        if (start == SIZE_MAX)
            start = preposition_again(c, q, skip_bracket(c, i));
        if (start == SIZE_MAX)
            break;
        struct cue next = *q;
        next.from = start - 1;
        next.to = start;
        size_t first = cue_right(p, &next, types);
        if (first == SIZE_MAX || first <= last || !clause_name(c, first))
            break;
        n += relate_list(p, first, 1, types, members + n, max - n);
    }
    return n;
}
