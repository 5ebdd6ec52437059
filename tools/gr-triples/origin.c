// SPDX-License-Identifier: MIT
/*
 * origin.c — the processes that made something, one after another
 *
 * "The leucogranites were derived by partial melting of metapelites followed by fractional
 * crystallization": the first process stands behind the verb, the others behind words of order
 * or addition. All are causes of the subject.
 */
#include "phrase.h"
#include "spoken.h"

#define CHAIN_ITEMS 40 /* from the verb to the last process */

WORDS(makings, "derived", "formed", "generated", "produced", "originated", "explained",
      "caused", "created", "product", "products", "result", "results");

/* Is the word at item i a verb of making, or a noun of what is made ("products of")? */
static bool is_making(const struct clause *c, size_t i)
{
    return clause_word_in(c, i, &makings);
}

/* The verb that the process at item i stands behind ("formed by extensive melting"), *start:
 * the item behind its preposition; SIZE_MAX: none. */
static size_t verb_of(const struct pass *p, size_t i, size_t *start)
{
    const struct clause *c = p->clause;
    size_t k = i;
    while (k > 0 && k + 5 > i &&
           (spoken_is_plain(c, k - 1) || clause_class(c, k - 1) & (W_DET | W_HEDGE) ||
            clause_is_mark(c, k - 1, '-') || clause_name(c, k - 1)))
        k--;
    *start = k;
    if (k < 2)
        return SIZE_MAX;
    bool is_of = clause_is_word(c, k - 1, "of");
    bool is_by = clause_is_word(c, k - 1, "by") || clause_is_word(c, k - 1, "through") ||
                 clause_is_word(c, k - 1, "via");
    bool is_noun = clause_is_word(c, k - 2, "product") ||
                   clause_is_word(c, k - 2, "products") || clause_is_word(c, k - 2, "result") ||
                   clause_is_word(c, k - 2, "results");
    return is_making(c, k - 2) && (is_noun ? is_of : is_by) ? k - 2 : SIZE_MAX;
}

/* Words that lead on to the next process: "followed by", "and subsequent", "coupled with". */
static bool leads_on(const struct clause *c, size_t i)
{
    WORDS(words, "followed", "coupled", "combined", "plus", "subsequent", "then", "later",
          "accompanied");
    return clause_class(c, i) & W_AND || clause_is_mark(c, i, ',') ||
           clause_is_mark(c, i, '+') || clause_word_in(c, i, &words);
}

/* Does the statement end before item i? */
static bool is_over(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    if (clause_is_mark(c, i, ';') || clause_is_mark(c, i, ':') || clause_quantity(c, i))
        return true;
    return clause_class(c, i) & (W_AUX | W_WHICH | W_NOT | W_BREAK | W_HAVE) ||
           (phrase_is_verb(p, i) && !leads_on(c, i));
}

/* "By melting of depleted harzburgite": what the process at item i worked on, which the heads
 * come from, when it is one that leaves nothing of it. */
static void add_source(struct pass *p, size_t i, const size_t *heads, size_t n)
{
    static const char *const ends[] = { "melting",     "anatexis", "weathering",
                                        "dehydration", "erosion",  "breakdown" };
    bool is_using = false;
    struct sv name = relate_node(p, i).name;
    for (size_t k = 0; k < ARRAY_LEN(ends); k++)
        is_using |= sv_ends(name, sv_from(ends[k]));
    if (!is_using || !clause_is_word(p->clause, i + 1, "of"))
        return;
    size_t source = spoken_object(p, i + 1, "rock,mineral"), list[LIST_MAX], m = 0;
    if (source != SIZE_MAX)
        m = relate_list(p, source, 1, SV("rock,mineral"), list, LIST_MAX);
    for (size_t h = n; h-- > 0;)
        for (size_t k = 0; k < m; k++)
            relate_add(p, heads[h], "Derived From", list[k], SURE - 0.05);
}

static void read_chain(struct pass *p, size_t from, const size_t *heads, size_t n)
{
    const struct clause *c = p->clause;
    bool is_next = true;
    for (size_t i = from; i < c->n && i < from + CHAIN_ITEMS && !is_over(p, i); i++) {
        is_next |= leads_on(c, i);
        if (!is_next || !relate_is(p, i, "process"))
            continue;
        bool is_subject = i > from + 1 && is_over(p, i + 1) && !clause_is_mark(c, i + 1, ';');
        if (is_subject) /* "… and metamorphism is" */
            return;
        bool is_of = clause_is_word(c, i + 1, "of"); /* "not by melting of A but of B" */
        for (size_t h = n; h-- > 0 && !(is_of && relate_weigh(p, heads[h], i, 1) < 0);)
            relate_add(p, heads[h], "Formed By", i, SURE - 0.05);
        if (i <= from + 3)
            add_source(p, i, heads, n);
        is_next = false;
    }
}

void relate_origins(struct pass *p)
{
    const struct clause *c = p->clause;
    if (!clause_may_have(c, &makings))
        return;
    for (size_t i = 2; i < c->n; i++) {
        size_t start, heads[LIST_MAX];
        const struct entity *e = clause_name(c, i);
        if (!e || e->type[0] != 'p' || !relate_is(p, i, "process"))
            continue;
        size_t verb = verb_of(p, i, &start);
        size_t subject = verb == SIZE_MAX ? SIZE_MAX : relate_subject(p, verb, SV(BODIES));
        if (subject == SIZE_MAX || !clause_name(c, subject))
            continue;
        size_t n = relate_list(p, subject, -1, SV(BODIES), heads, LIST_MAX);
        read_chain(p, start, heads, n);
    }
}
