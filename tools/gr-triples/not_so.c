// SPDX-License-Identifier: MIT
/*
 * not_so.c — "Te correlates with Au, whereas Hg does not"
 *
 * The second statement leaves out all but its subject, and says that the first does not hold
 * for it; or, where the first is denied, that it does ("Te does not, whereas Hg does").
 */
#include "cue.h"

#define JOINT_ITEMS 6 /* from the end of the first statement to the joint */

/* The subject of "whereas Hg and Tl do not" behind item i, in members; how many. *denied:
 * is it? */
static size_t other_subject(const struct pass *p, size_t i, struct sv types, size_t *members,
                            bool *denied)
{
    WORDS(joints, "whereas", "while", "but", "and");
    WORDS(stands, "do", "does", "did"); /* for the verb said before; others go on */
    const struct clause *c = p->clause;
    size_t k = i;
    for (; k < i + JOINT_ITEMS && k < c->n && !clause_word_in(c, k, &joints); k++)
        if (clause_class(c, k) & (W_AUX | W_HAVE) || clause_is_mark(c, k, ';'))
            return 0;
    if (!clause_word_in(c, k, &joints))
        return 0;
    for (k++; clause_class(c, k) & W_DET; k++)
        ;
    const struct entity *e = clause_name(c, k);
    if (!e || !relate_is_name(p, e, types))
        return 0;
    size_t n = relate_list(p, k, 1, types, members, LIST_MAX);
    k = members[n - 1] + 1;
    bool is_whole = clause_word_in(c, k, &stands);
    if (!(clause_class(c, k) & W_AUX))
        return 0;
    *denied = clause_is_word(c, k + 1, "not");
    k += *denied ? 2 : 1;
    bool is_over = k >= c->n || clause_is_mark(c, k, '.') || clause_is_mark(c, k, ';') ||
                   (is_whole && clause_is_mark(c, k, ','));
    return is_over ? n : 0;
}

void cue_not_so(struct pass *p, const struct cue *q, struct sv types, const size_t *tails,
                size_t n, bool is_denied)
{
    size_t heads[LIST_MAX];
    bool denied = false;
    size_t h = other_subject(p, tails[n - 1] + 1, types, heads, &denied);
    if (denied == is_denied)
        return; /* "does not, and B does not": who knows */
    struct saying saying = { .start = SIZE_MAX, .is_denial = denied, .is_assertion = !denied };
    for (size_t i = 0; i < h; i++)
        for (size_t k = 0; k < n; k++)
            relate_add_of(p, heads[i], q->rule->relation, tails[k], LIKELY, &saying);
}
