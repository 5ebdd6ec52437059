// SPDX-License-Identifier: MIT
/*
 * cue.h — a cue phrase and the ends it binds: shared by ends.c, cue.c, order.c and state.c
 */
#ifndef CUE_H
#define CUE_H

#include "relate.h"

/* One cue phrase as items, and one relation it stands for. */
struct cue {
    size_t from, to; /* items [from, to) */
    struct sv text;
    unsigned short fold;  /* of its key (words.h) */
    struct sv head, tail; /* allowed types */
    bool is_loose;
    bool is_denial; /* the phrase itself denies: "incompatible in" */
    const struct rule *rule;
};

/* Is the phrase in a list of the rule, which may be NULL? */
static inline bool cue_is_in(const struct cue *q, struct words *list)
{
    return list && words_may_have(list, q->fold) && words_find(list, q->text);
}

/* ---- ends.c ---- */

/* The end of the allowed types that the phrase left of the cue is about; SIZE_MAX: none.
 * Prepositional phrases are skipped to the noun they hang on: "uranium in zircon was measured
 * by" is about uranium, "basalt from Hawaii contains" about basalt. */
size_t cue_left(const struct pass *p, const struct cue *q, struct sv types);

/* The end of the allowed types right of the cue; SIZE_MAX: none. */
size_t cue_right(const struct pass *p, const struct cue *q, struct sv types);

/* more_ends.c: members of the list that the cue binds ("in A and to a lesser extent in B", "A
 * such as B") behind the n there are; how many in all. */
size_t cue_more(const struct pass *p, const struct cue *q, struct sv types, size_t *members,
                size_t n, size_t max);

/* not_so.c: the first n tails of the cue, which a second subject behind them has not ("whereas
 * B does not"), or has when they are denied. types: what may be that subject. */
void cue_not_so(struct pass *p, const struct cue *q, struct sv types, const size_t *tails,
                size_t n, bool is_denied);

/* Last name of a compound that starts at item i ("garnet peridotite" is a peridotite), or
 * SIZE_MAX. */
size_t cue_compound(const struct pass *p, size_t i, struct sv types);

/* ---- order.c: cues whose ends are not on either side ---- */

/* "Alteration of A to B": both ends behind the cue. Did it give facts? */
bool order_ahead(struct pass *p, const struct cue *q);
/* "A and B are positively correlated": both ends before. */
bool order_behind(struct pass *p, const struct cue *q);
/* "In B, A is enriched": one end in the phrase that opens the sentence. */
bool order_fronted(struct pass *p, const struct cue *q);

/* ---- cue.c ---- */

/* Is the name at item i a place by its type, but a layer of rock ("Hareshaw Formation")? */
bool cue_is_layer(const struct clause *c, size_t i);
/* Members of the list at item `end`, leftward or rightward; conditions are lists too. */
size_t cue_members(const struct pass *p, size_t end, int step, struct sv types, size_t *members,
                   size_t max);
/* head –relation→ tail of q, denied when the cue denies. */
void cue_add(struct pass *p, const struct cue *q, size_t head, size_t tail, double confidence);

/* ---- state.c: conditions ("high pressure", "under reducing conditions") as ends ----
 *
 * Conditions are no names of the text: only a relation with the type "condition",
 * "parameter" (of what may vary: "pH", "temperature") or "material" (what is spoken of and has
 * no name: "the melt") looks for them, in the table condition.tsv. As an end of a fact a
 * condition is its last item, which is a word. */

/* Look for the sentence's conditions, once, when the cue's relation takes any. */
void state_find(struct pass *p, const struct rule *r);
/* The item that stands for the condition of the allowed types that starts at item i, or
 * SIZE_MAX. */
size_t state_from(const struct pass *p, size_t i, struct sv types);
/* The same of one that ends at item i, with no other noun between it and the item `cue`. */
size_t state_to(const struct pass *p, size_t i, size_t cue, struct sv types);
/* Its name in the table. */
struct node state_node(const struct pass *p, size_t i);

#endif
