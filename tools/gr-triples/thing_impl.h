// SPDX-License-Identifier: MIT
/*
 * thing_impl.h — what thing.c, thing_owner.c, thing_verb.c, thing_noun.c, thing_worth.c share
 */
#ifndef THING_IMPL_H
#define THING_IMPL_H

#include "phrase.h"

/* Confidence of what is read right and mostly of no use: below the default of what comes out.
 */
#define WEAK 0.4

/* One quantity being tied. */
struct tie {
    struct pass *p;
    size_t i;         /* its item */
    size_t left;      /* first item of its leading words ("up to"), else i */
    unsigned units;   /* P_ bit of its unit */
    struct node head; /* of the answer */
    const char *verb; /* property that the verb says ("weighs"), or NULL */
    struct phrase property;
    const char *word; /* property that an adjective says, or NULL */
    struct quantity value;
    const struct tie *last; /* the one read before in the sentence, or NULL */
    bool is_subject;        /* the head is the subject: of the next verb as well */
    bool is_bare;           /* the property says no more than the unit */
    bool is_share;          /* the property is what the head holds so much of */
    bool is_duration;       /* a time that is no age, or a value of what is not said */
    size_t from;            /* farthest item left that takes part */
    double confidence;
};

/* ---- thing_owner.c: words around a number, and what owns a property ---- */

unsigned thing_units(const struct pass *p, const struct quantity *q);

/* Does the phrase end in a property that can have this unit? Does it consist of words that
 * stand for one ("mean values")? Is it about the measuring itself? */
bool thing_is_property(const struct tie *t, const struct phrase *f);
bool thing_is_empty(const struct tie *t, const struct phrase *f);
bool thing_is_technical(const struct tie *t, const struct phrase *f);
bool thing_is_symbol(const struct clause *c, size_t i);
/* A noun of parts: what it is part of is meant ("a layer of"). */
bool thing_is_portion(const struct tie *t, const struct phrase *f);

/* "sandstone porosity": cut the owner off the front of *f. False: there is none. */
bool thing_split(const struct tie *t, struct phrase *f, struct phrase *owner);
/* The thing that phrases at[k] and the ones behind it speak of; type NULL: none. */
struct node thing_of(const struct tie *t, const struct phrases *all, size_t k);

/* These set t->head (and t->from) and say whether they found it: the subject of the verb group
 * that ends before item `end`; what "for", "in" … behind item k say; who owns the property
 * at[k]; the property itself. */
bool thing_subject(struct tie *t, size_t end);
bool thing_right(struct tie *t, size_t k);
bool thing_around(struct tie *t, const struct phrases *all, size_t k);
bool thing_itself(struct tie *t, const struct phrase *f);

/* ---- ways of saying it: fill in t->head, t->property or t->word, t->confidence ---- */

/* thing_verb.c: a verb, "of" or "at" joins the two */
bool thing_read_of(struct tie *t);
bool thing_read_link(struct tie *t);
bool thing_read_at(struct tie *t);
bool thing_read_mode(struct tie *t);
bool thing_read_active(struct tie *t);
bool thing_read_change(struct tie *t);
bool thing_read_duration(struct tie *t);
bool thing_read_down_to(struct tie *t);
bool thing_read_place(struct tie *t);
bool thing_read_front(struct tie *t);

/* thing_noun.c: they stand side by side, or in a bracket */
bool thing_read_adjective(struct tie *t);
bool thing_read_behind(struct tie *t);
bool thing_read_bracket(struct tie *t);
bool thing_read_dated(struct tie *t);
bool thing_read_part(struct tie *t);
bool thing_read_adjective_bracket(struct tie *t);
bool thing_read_amount(struct tie *t);
bool thing_read_attribute(struct tie *t);
bool thing_read_symbol(struct tie *t);
bool thing_read_count(struct tie *t);

/* thing_worth.c: the confidence that the fact can have at most */
double thing_worth(const struct tie *t, const struct node *property, const char *relation);

#endif
