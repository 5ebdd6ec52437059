// SPDX-License-Identifier: MIT
/*
 * deny.c — what a sentence denies or doubts
 */
#include "relate.h"

/* Does the word at item i deny? Not the "free" of "garnet-free peridotite", nor the "except" of
 * "similar to the granite except for elevated Nb". */
static bool denies(const struct clause *c, size_t i)
{
    if (!(clause_class(c, i) & W_NOT) || (i > 0 && clause_is_mark(c, i - 1, '-')))
        return false;
    /* "not homogeneously distributed" denies the manner alone */
    WORDS(manner, "homogeneously", "uniformly", "evenly", "entirely", "necessarily",
          "exclusively", "solely", "simply", "strictly", "completely", "fully", "always",
          "equally", "merely", "widely");
    if (clause_word_in(c, i + 1, &manner))
        return false;
    for (size_t k = 1; clause_is_word(c, i, "except") && k <= 12 && k <= i; k++)
        if (clause_is_word(c, i - k, "similar") || clause_is_word(c, i - k, "same") ||
            clause_is_word(c, i - k, "identical"))
            return false;
    return true;
}

/* "… in apatite were below detection", "was not detected", "is absent": said behind the ends.
 */
static bool is_denied_behind(const struct clause *c, size_t i)
{
    static const char *const seen[] = { "detected",   "found",   "observed", "identified",
                                        "resolved",   "present", "seen",     "recognised",
                                        "recognized", "noted" };
    if (clause_is_word(c, i, "free"))
        return true;
    while (clause_class(c, i) & W_AUX)
        i++;
    if (clause_is_word(c, i, "absent") || clause_is_word(c, i, "undetected") ||
        (clause_is_word(c, i, "below") && clause_is_word(c, i + 1, "detection")))
        return true;
    for (size_t k = 0; denies(c, i) && k < ARRAY_LEN(seen); k++)
        if (clause_is_word(c, i + 1, seen[k]))
            return true;
    return false;
}

/* "Eclogite, but not amphibolite, contains": from the comma at item i to the one that closes
 * what denies another subject, before item `to`; else i. */
static size_t skip_insertion(const struct clause *c, size_t i, size_t to)
{
    size_t k = i + 1 + clause_is_word(c, i + 1, "but");
    if (!clause_is_mark(c, i, ',') || !(clause_class(c, k) & W_NOT))
        return i;
    for (size_t n = 0; n < 6 && k < to; n++, k++)
        if (clause_is_mark(c, k, ','))
            return k;
    return i;
}

/* Is what items from … to say denied? */
static bool is_denied(const struct clause *c, size_t from, size_t to)
{
    size_t inserted;
    for (size_t i = from; i <= to && i < c->n; i++)
        if (i > from && i < (inserted = skip_insertion(c, i, to)))
            i = inserted;
        else if (denies(c, i) ||
                 (clause_is_word(c, i, "below") && clause_is_word(c, i + 1, "detection")))
            return true;
    /* "no", "not" just before the first end: "no zircon was dated", "neither" */
    for (size_t k = 1; k <= 2 && k <= from; k++)
        if (denies(c, from - k))
            return true;
    /* "no evidence for olivine in", "no evidence that the lavas", "absence of magnetite in" */
    for (size_t k = 1; k <= 6 && k <= from; k++) {
        unsigned class = clause_class(c, from - k);
        if (denies(c, from - k))
            return true;
        if (clause_is_word(c, from - k, "that") && k < from && denies(c, from - k - 1))
            return true; /* "it is unlikely that" */
        bool is_that = clause_is_word(c, from - k, "that") && k < from &&
                       (clause_is_word(c, from - k - 1, "evidence") ||
                        clause_is_word(c, from - k - 1, "indication"));
        if (!is_that && (c->items[from - k].kind != ITEM_WORD ||
                         class & (unsigned)(W_BREAK | W_WHICH | W_AUX)))
            break;
    }
    return is_denied_behind(c, to + 1);
}

/* A hedge weakens what follows it in its clause: "the lavas may contain", "we suggest that",
 * but not "the lavas contain olivine, suggesting". */
static bool is_hedged(const struct clause *c, size_t from, size_t to)
{
    size_t start = from;
    while (start > 0 && !clause_is_mark(c, start - 1, ';') &&
           !(clause_class(c, start - 1) & W_BREAK && !(clause_class(c, start - 1) & W_HEDGE)))
        start--;
    return clause_has(c, start, to + 1, W_HEDGE);
}

/* "If the melt contained", "whether the lavas contain": nobody says so. */
static bool is_supposed(const struct clause *c, size_t from)
{
    for (size_t k = from; k-- > 0 && k + 6 > from;) {
        if (clause_is_word(c, k, "if") || clause_is_word(c, k, "whether"))
            return true;
        if (c->items[k].kind == ITEM_MARK)
            break;
    }
    return false;
}

double relate_weigh(const struct pass *p, size_t from, size_t to, double confidence)
{
    const struct clause *c = p->clause;
    if (from > to) {
        size_t swap = from;
        from = to;
        to = swap;
    }
    if (c->has_hedge && is_hedged(c, from, to))
        confidence *= 0.7;
    if (c->has_hedge && is_supposed(c, from))
        confidence *= 0.7;
    return is_denied(c, from, to) ? -confidence : confidence;
}

bool relate_is_taken_back(const struct clause *c, size_t i)
{
    return clause_is_mark(c, i + 1, '-') &&
           (clause_is_word(c, i + 2, "free") || clause_is_word(c, i + 2, "poor") ||
            clause_is_word(c, i + 2, "absent"));
}
