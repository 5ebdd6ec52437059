// SPDX-License-Identifier: MIT
/*
 * lemma.h — dictionary forms of English words by WordNet's morphy
 *
 * For noun, verb, adjective and adverb in turn: the exception list ("feet" → foot), then the
 * word itself, then the rules of detachment ("ies" → "y"), each accepted when the dictionary
 * has the result (morphy(7WN); Miller 1995, https://doi.org/10.1145/219717.219748).
 */
#ifndef GR_LEMMA_H
#define GR_LEMMA_H

#include "err.h"
#include "gr.h"
#include "sv.h"

struct lemmas; /* opaque, const after loading: any number of threads may share it; 12 MB */

/* Read index.* and *.exc of a WordNet dictionary folder. NULL with err (EXIT_FATAL) when one
 * cannot be read. Free with lemmas_free. */
struct lemmas *lemmas_load(const char *dir, struct err *err);
void lemmas_free(struct lemmas *l); /* NULL is fine */

/* The dictionary form of a word in lower case, or the word when the dictionary has none. tmp
 * holds what is no part of the dictionary: at least LEMMA_MAX bytes. */
#define LEMMA_MAX 72
struct sv lemma_of(const struct lemmas *l, struct sv word, char *tmp);

#endif
