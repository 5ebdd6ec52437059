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
 *   the | other phases, mineralogy, …     of the sample spoken of last
 *
 * And of samples, anywhere in a sentence:
 *
 *   these samples | targets | …           those of the sentence before, when it names several
 *   both, the two, three, four samples    those named so far, when they are exactly as many
 *
 * "It is likely that" means nobody. What was resolved is marked in the fact and costs
 * confidence (triple.c).
 */
#ifndef ANAPHORA_H
#define ANAPHORA_H

#include "clause.h"
#include "vocab.h"

#define GROUP_MAX 6

/* Samples, each once, in the order of their names' places. n may exceed GROUP_MAX: too many. */
struct group {
    struct entity items[GROUP_MAX];
    size_t n;
};

/* What a text was about so far. */
struct topic {
    struct entity last;       /* last.type NULL: none */
    unsigned age;             /* sentences since */
    struct group before, all; /* samples of the sentence before, of all before */
};

/* What words of c mean something of the topic: at most GROUP_MAX entities, each placed where
 * the words are (start, end), which are the same for all. How many; 0: none. */
size_t anaphora_find(const struct clause *c, const struct topic *topic, struct entity *found);

/* A new text. */
void topic_start(struct topic *topic);

/* Is there nothing that words could mean? */
static inline bool topic_is_empty(const struct topic *topic)
{
    return !topic->last.type && !topic->before.n && !topic->all.n;
}

/* A paragraph ends: only the samples named so far are still spoken of. */
void topic_break(struct topic *topic);

/* c has been read. `resolved`: what anaphora_find found in it, or NULL. */
void topic_update(struct topic *topic, const struct clause *c, const struct entity *resolved);

#endif
