// SPDX-License-Identifier: MIT
/*
 * spoken.h — shared by spoken.c and told.c: facts in words of their own, and what a preposition
 * or a verb is about
 *
 * Items are those of a clause (clause.h); places outside it are no words and no names. Nothing
 * here owns memory or fails; only the readers of told.c add facts.
 */
#ifndef SPOKEN_H
#define SPOKEN_H

#include "relate.h"

/* Is item i a word of no class: an adjective or a noun nobody knows? */
static inline bool spoken_is_plain(const struct clause *c, size_t i)
{
    return i < c->n && c->items[i].kind == ITEM_WORD && !clause_class(c, i);
}

/* The name of one of the types that the preposition at item k is about, over adjectives and
 * nouns that stand for the name behind ("of the different types of pyrite"); SIZE_MAX: none. */
size_t spoken_object(const struct pass *p, size_t k, const char *types);

/* The subject of the verb at item `verb` and the names of the list it ends, of the types. At
 * most LIST_MAX; returns how many. */
size_t spoken_subjects(const struct pass *p, size_t verb, const char *types, size_t *members);

/* told.c: readers of methods (the method is item i) and of places and times (the name is item
 * i). */
void told_methods(struct pass *p, size_t i);
void told_names(struct pass *p, size_t i);

#endif
