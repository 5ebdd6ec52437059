// SPDX-License-Identifier: MIT
/*
 * expand.h — one question to several search queries and a list of keywords
 *
 * From the vocabularies and the lexicon alone, without a language model:
 *   content      the question without its function and question words
 *   sub-queries  where several things of one type are named ("zircon and monazite"), one query
 *                for each, without the others: the hops of a comparison
 *   alternatives the same with every name replaced by another name of the same thing
 *   related      the content with the related terms of the lexicon behind
 * Keywords are the content words and names, then other names, then related terms. Queries and
 * keywords that somebody suggests stand before those made here.
 */
#ifndef EXPAND_H
#define EXPAND_H

#include "analyzer.h"
#include "buf.h"
#include "gr.h"
#include "lexicon.h"
#include "map.h"
#include "vocab.h"

/* Texts in order, each once (compared by text_key). */
struct word_list {
    struct sv *items; /* (n) owned */
    size_t n, cap;
    struct map *keys;
};

struct expander_cfg {
    const struct vocab *vocab;
    const struct lexicon *lexicon;
    const struct analyzer *analyzer; /* stop words dropped, nothing stemmed, no second terms */
};

/* Append a text unless the list has it, is full (max), or the text is blank. */
void word_list_add(struct word_list *l, struct sv text, size_t max);

struct expander;                                               /* scratch of one thread */
struct expander *expander_new(const struct expander_cfg *cfg); /* cfg is copied */
void expander_free(struct expander *e);

struct expansion {
    struct word_list queries; /* the question itself first */
    struct word_list keywords;
    size_t n_names; /* names of the vocabularies found in the question */
};

/* Expand a question (valid UTF-8). suggested: NULL, or queries and keywords to take in. At most
 * max_queries and max_keywords are kept, in the order above. wants_related: lexicon terms too.
 * Release with expansion_release. */
void expander_run(struct expander *e, struct sv question, size_t max_queries,
                  size_t max_keywords, bool wants_related, const struct expansion *suggested,
                  struct expansion *out);
void expansion_release(struct expansion *x);

#endif
