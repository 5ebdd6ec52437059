// SPDX-License-Identifier: MIT
/*
 * order.c — cues whose two ends stand behind them, before them, or around them
 */
#include "cue.h"

#include "phrase.h"

/* The two orders of ends: as the relation says, and turned. Confidence as of a cue between. */
static double sure(const struct cue *q)
{
    return q->is_loose ? FAIR : LIKELY + 0.05;
}

/* "alteration of>to": the words that may join the ends of this cue, or "". */
static struct sv joint_of(const struct cue *q)
{
    struct sv list = q->rule->ahead, one, phrase;
    while (list.n && sv_cut(&list, ',', &one))
        if (sv_cut(&one, '>', &phrase) && sv_ieq(sv_trim(phrase), q->text))
            return sv_trim(one);
    return SV_NONE;
}

static bool is_joint(const struct clause *c, size_t i, struct sv joints)
{
    struct sv one;
    while (joints.n && sv_cut(&joints, '/', &one))
        if (clause_class(c, i) && sv_ieq(one, clause_text(c, i)))
            return true;
    return false;
}

/* Behind the last member at item i, over brackets and two plain words: the joint, or SIZE_MAX.
 */
static size_t find_joint(const struct clause *c, size_t i, struct sv joints)
{
    unsigned plain = 0;
    for (size_t k = i + 1; k < c->n; k++) {
        if (is_joint(c, k, joints))
            return k;
        if (clause_is_mark(c, k, '(')) {
            k = clause_bracket(c, k);
            if (k == SIZE_MAX)
                break;
            continue;
        }
        if (c->items[k].kind != ITEM_WORD || clause_class(c, k) || ++plain > 2)
            break;
    }
    return SIZE_MAX;
}

/* "The absence of A in the residue suggests B": another statement begins before item `to`. */
static bool has_verb(const struct pass *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (phrase_is_verb(p, i))
            return true;
    return false;
}

/* One order: `first` types behind the cue, `second` behind the joint. */
static bool try_ahead(struct pass *p, const struct cue *q, struct sv joints, bool is_turned)
{
    struct sv first = is_turned ? q->tail : q->head, second = is_turned ? q->head : q->tail;
    size_t a[LIST_MAX], b[LIST_MAX], end = cue_right(p, q, first);
    if (end == SIZE_MAX)
        return false;
    size_t n = cue_members(p, end, 1, first, a,
                           sv_find(joints, SV("and"), 0) != SIZE_MAX ? 1 : LIST_MAX);
    size_t joint = find_joint(p->clause, a[n - 1], joints);
    if (joint == SIZE_MAX)
        return false;
    struct cue behind = *q;
    behind.from = joint;
    behind.to = joint + 1;
    end = cue_right(p, &behind, second);
    if (end == SIZE_MAX || has_verb(p, joint + 1, end))
        return false;
    size_t m = cue_members(p, end, 1, second, b, LIST_MAX);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            cue_add(p, q, is_turned ? b[k] : a[i], is_turned ? a[i] : b[k], sure(q));
    return true;
}

bool order_ahead(struct pass *p, const struct cue *q)
{
    struct sv joints = joint_of(q);
    return joints.n && (try_ahead(p, q, joints, false) || try_ahead(p, q, joints, true));
}

bool order_behind(struct pass *p, const struct cue *q)
{
    size_t members[LIST_MAX];
    size_t last = cue_left(p, q, q->head);
    size_t n = last == SIZE_MAX ? 0 : relate_list(p, last, -1, q->head, members, LIST_MAX);
    for (size_t i = n; n > 1 && i-- > 1;)
        for (size_t k = i; k-- > 0;)
            cue_add(p, q, members[i], members[k], sure(q));
    return n > 1;
}

#define FRONT_MAX 40 /* items between the opening of a sentence and its subject */

/* The name in "In the basalts, …", of these types, left of item `to`, or SIZE_MAX. */
static size_t opening(const struct pass *p, size_t to, struct sv types)
{
    const struct clause *c = p->clause;
    size_t start = to;
    while (start > 0 && start + FRONT_MAX > to && !clause_is_mark(c, start - 1, ';') &&
           !(clause_class(c, start - 1) & W_BREAK))
        start--;
    if (!clause_is_word(c, start, "in") && !clause_is_word(c, start, "within") &&
        !clause_is_word(c, start, "for") && !clause_is_word(c, start, "under"))
        return SIZE_MAX;
    struct cue front = { .from = start, .to = start + 1 };
    size_t end = cue_right(p, &front, types);
    if (end == SIZE_MAX || end >= to)
        return SIZE_MAX;
    for (size_t i = end + 1; i < to && i < end + 6; i++)
        if (clause_is_mark(c, i, ','))
            return end;
    return SIZE_MAX;
}

bool order_fronted(struct pass *p, const struct cue *q)
{
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        size_t subject = cue_left(p, q, is_turned ? q->tail : q->head);
        size_t end =
            subject == SIZE_MAX ? SIZE_MAX : opening(p, subject, is_turned ? q->head : q->tail);
        if (end == SIZE_MAX)
            continue;
        size_t members[LIST_MAX];
        size_t n =
            relate_list(p, subject, -1, is_turned ? q->tail : q->head, members, LIST_MAX);
        for (size_t i = n; i-- > 0;)
            if (members[i] > end)
                cue_add(p, q, is_turned ? end : members[i], is_turned ? members[i] : end,
                        sure(q));
        return true;
    }
    return false;
}
