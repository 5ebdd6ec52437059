// SPDX-License-Identifier: MIT
/*
 * anaphora.h — "It contains", "These lavas are", "its": who is meant, inside a paragraph
 *
 * Only to what the sentence before in the same paragraph (or up to two more back, when these
 * named nothing) was about: the first name of theirs that is no object of a preposition, and
 * what is listed with it.
 *
 * - "it", "its": the last thing spoken of, if it was one alone and nothing of its kind was
 *   named beside it; "they", "their": all that were spoken of together
 * - "this", "these" or "the" with a general noun: the last of the noun's kind, which is rock
 *   (lavas, unit, …), mineral (grains, …), sample, deposit or place (complex, …); all of a list
 *   when the noun is a plural
 * - "the other phases", "mineralogy": of the sample spoken of last
 * - "the former", "the latter": of exactly two of one kind, in the sentence itself or before
 * - "both minerals", "the two lavas": when the sentence before named exactly so many
 * - "these samples": those of the sentence before, when it names several; "both", "two",
 *   "three", "four samples": those named so far, when they are exactly as many
 *
 * The pronouns, and "the" with a noun, at the opening of a sentence only, where the subject is;
 * "these lavas" behind a preposition too ("in these lavas") while nothing of the kind is named
 * before it.
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
    struct group subject;     /* what is listed with last, and last */
    struct group named;       /* all things of the sentence before */
    bool has_rival;           /* it named another thing of the kind of last */
};

/* What words of c mean something of the topic: at most GROUP_MAX entities, each placed where
 * the words are (start, end): the same for all, but for "the former … the latter". How many; 0:
 * none. */
size_t anaphora_find(const struct clause *c, const struct topic *topic, struct entity *found);

/* A new text. */
void topic_start(struct topic *topic);

/* Is there nothing that words could mean? */
static inline bool topic_is_empty(const struct topic *topic)
{
    return !topic->last.type && !topic->before.n && !topic->all.n && !topic->named.n;
}

/* A paragraph ends: only the samples named so far are still spoken of. */
void topic_break(struct topic *topic);

/* c has been read. `resolved`: the n_resolved things that anaphora_find found in it. */
void topic_update(struct topic *topic, const struct clause *c, const struct entity *resolved,
                  size_t n_resolved);

#endif
