// SPDX-License-Identifier: MIT
/*
 * anaphora.h — "It contains", "These lavas are", "its": who is meant, inside a paragraph
 *
 * Only at the opening of a sentence, where the subject is, and only to what the sentences
 * before in the same paragraph were about: the first name of theirs that is no object of a
 * preposition.
 *
 *   it, its, they, their                  the last thing spoken of
 *   this | these | the + general noun     the last thing of the noun's kind: rock (rocks,
 * lavas, unit, …), mineral (grains, crystals, …), sample, deposit
 *
 * "It is likely that" means nobody. What was resolved is marked in the fact and costs
 * confidence (triple.c).
 */
#ifndef ANAPHORA_H
#define ANAPHORA_H

#include "clause.h"
#include "vocab.h"

/* What a paragraph was about so far. */
struct topic {
    struct entity last; /* last.type NULL: none */
    unsigned age;       /* sentences since */
};

/* The opening of c means something of the topic: *e is it, placed where the text says so
 * (e->start, e->end). False: it does not. */
bool anaphora_find(const struct clause *c, const struct topic *topic, struct entity *e);

/* c has been read. `resolved`: what anaphora_find found in it, or NULL. */
void topic_update(struct topic *topic, const struct clause *c, const struct entity *resolved);

#endif
