// SPDX-License-Identifier: MIT
/*
 * lexicon.h — terms and what they bring in: lexicon/synonyms.tsv
 */
#ifndef LEXICON_H
#define LEXICON_H

#include "err.h"
#include "gr.h"
#include "sv.h"

struct lexicon; /* const after loading: threads may share it */

/* Read "term<TAB>a|b|c" lines below a header line; "#" starts a comment. EXIT_FATAL names file
 * and line of what is wrong. */
struct lexicon *lexicon_load(const char *path, struct err *err);
void lexicon_free(struct lexicon *l); /* NULL is fine */

/* The related terms "a|b|c" of a term in any spelling that text_key folds together, plural or
 * singular; an empty view when there are none. Lives as long as the lexicon. */
struct sv lexicon_find(const struct lexicon *l, struct sv term);

#endif
