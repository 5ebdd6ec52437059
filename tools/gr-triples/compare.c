// SPDX-License-Identifier: MIT
/*
 * compare.c — "Ba contents are higher in the trachytes than in the basalts"
 *
 * What there is more of stands before the verb, and who has it behind the "in". That the others
 * have less is not written down: they may have a lot.
 */
#include "spoken.h"

WORDS(more, "higher", "greater", "highest", "elevated", "larger");
WORDS(less, "lower", "lowest", "smaller");
WORDS(anomalies, "anomaly", "anomalies");
WORDS(full, "abundant", "enriched", "concentrated", "common");

/* +1, -1: the words from item i on say more, or less; *end: the item behind them. 0: neither.
 */
static int degree(const struct clause *c, size_t i, size_t *end)
{
    *end = i + 1;
    if (clause_word_in(c, i, &more))
        return 1;
    if (clause_word_in(c, i, &less))
        return -1;
    *end = i + 2;
    if (clause_word_in(c, i + 1, &full))
        return clause_is_word(c, i, "more") || clause_is_word(c, i, "most")    ? 1
               : clause_is_word(c, i, "less") || clause_is_word(c, i, "least") ? -1
                                                                               : 0;
    return 0;
}

/* The last name of what the verb before item i speaks of ("Ba contents are", "contents of Ba
 * are"); SIZE_MAX: no matter. */
static size_t matter_before(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t k = i;
    bool has_verb = false;
    while (k > 0 && (clause_class(c, k - 1) & (W_AUX | W_NOT | W_HEDGE) ||
                     (!has_verb && spoken_is_plain(c, k - 1)) ||
                     clause_is_word(c, k - 1, "typically"))) {
        has_verb |= (clause_class(c, k - 1) & W_AUX) != 0;
        k--;
    }
    bool is_content = k > 0 && clause_class(c, k - 1) & W_CONTENT;
    k -= is_content;
    if (!has_verb || k == 0 || !relate_is(p, k - 1, MATTER) || !relate_is_matter(p, k - 1))
        return SIZE_MAX;
    bool hangs = k > 1 && clause_class(c, k - 2) & W_PREP;
    bool is_of = hangs && k > 2 && clause_class(c, k - 3) & W_CONTENT;
    return hangs && !is_of ? SIZE_MAX : k - 1;
}

static void add_comparison(struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    size_t end, members[LIST_MAX], holders[LIST_MAX];
    bool may_be = clause_is_word(c, i + 1, "in") || clause_is_word(c, i + 2, "in");
    int sign = may_be ? degree(c, i, &end) : 0;
    if (!sign || !clause_is_word(c, end, "in"))
        return;
    size_t what = matter_before(p, i), holder = spoken_object(p, end, BODIES);
    if (what == SIZE_MAX || holder == SIZE_MAX)
        return;
    size_t n = relate_list(p, what, -1, SV(MATTER), members, LIST_MAX);
    size_t h = relate_list(p, holder, 1, SV(BODIES), holders, LIST_MAX);
    for (size_t k = 0; k < h; k++)
        for (size_t m = n; m-- > 0;)
            relate_add(p, holders[k], sign > 0 ? "Enriched In" : "Depleted In", members[m],
                       LIKELY - 0.05);
}

/* "The phonolites show a negative Eu anomaly": the element is item i. */
static void add_anomaly(struct pass *p, size_t i)
{
    WORDS(verbs, "show", "shows", "have", "has", "display", "displays", "exhibit", "exhibits",
          "showing", "having", "with", "characterized", "characterised");
    const struct clause *c = p->clause;
    if (!clause_word_in(c, i + 1, &anomalies) || !relate_is(p, i, "element"))
        return;
    size_t members[LIST_MAX], heads[LIST_MAX];
    size_t n = relate_list(p, i, -1, SV("element"), members, LIST_MAX);
    size_t k = members[n - 1];
    bool is_less = k > 0 && clause_is_word(c, k - 1, "negative");
    if (k == 0 || (!is_less && !clause_is_word(c, k - 1, "positive")))
        return;
    for (k--; k > 0 && (spoken_is_plain(c, k - 1) || clause_class(c, k - 1) & W_DET ||
                        clause_is_word(c, k - 1, "by"));)
        k--;
    if (k == 0 || !clause_word_in(c, k - 1, &verbs))
        return;
    size_t h = spoken_subjects(p, k - 1, BODIES, heads);
    for (size_t a = h; a-- > 0;)
        for (size_t m = n; m-- > 0;)
            relate_add(p, heads[a], is_less ? "Depleted In" : "Enriched In", members[m],
                       LIKELY);
}

void relate_compared(struct pass *p)
{
    const struct clause *c = p->clause;
    bool is_compared =
        clause_may_have(c, &more) || clause_may_have(c, &less) || clause_may_have(c, &full);
    if (!is_compared && !clause_may_have(c, &anomalies))
        return;
    for (size_t i = 1; i < c->n; i++)
        if (c->items[i].kind == ITEM_NAME)
            add_anomaly(p, i);
        else if (is_compared && c->items[i].kind == ITEM_WORD)
            add_comparison(p, i);
}
