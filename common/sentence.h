// SPDX-License-Identifier: MIT
/*
 * sentence.h — where the sentences of a scientific text begin and end
 *
 * Rules, not a model. A stop ends a sentence unless it belongs to an abbreviation ("et al.",
 * "Fig. 3", "wt.%"), an initial ("J. D. Smith"), a decimal, an ellipsis that goes on, or lower
 * case follows. Closing quotes, brackets, references ("values. [12]") and superscripted
 * reference numbers ("values.12 The") that follow the stop belong to the sentence. An empty
 * line always ends one.
 */
#ifndef GR_SENTENCE_H
#define GR_SENTENCE_H

#include "err.h"
#include "gr.h"
#include "sv.h"

struct splitter; /* opaque; never changes after splitter_new: one may serve all threads */

/*
 * path: a file of abbreviations to add to the built-in list, or NULL: UTF-8, one a line, with
 * or without their last stop ("Fig.", "et al"); one with a capital is one only with a capital
 * ("Sediment. Geol."); "#" starts a comment line. A mark before one says how strong it is:
 *
 *   =Fig.   never the last word of a sentence, save of a paragraph
 *   Ltd.    the last word when a usual opening follows ("Ltd. The", "Ltd. However")
 *   +No.    an abbreviation only before a digit ("No. 5"); otherwise a plain word
 *
 * Without a mark the built-in strength of a built-in one stays.
 * NULL with err filled (EXIT_FATAL) when the file cannot be read or is not UTF-8. The caller
 * frees the splitter.
 */
struct splitter *splitter_new(const char *path, struct err *err);
void splitter_free(struct splitter *s); /* NULL is fine */

struct sentence {
    size_t start, end; /* bytes [start, end), no white space at either end; end > start */
};

/*
 * The next sentence at or after byte *pos; moves *pos past it and the white space after it.
 * Sentences are in order, do not overlap, and together hold every byte of the text that is not
 * white space. False, and *pos == text.n, when only white space is left. text: valid UTF-8.
 * All sentences of a text: O(n).
 */
bool sentence_next(const struct splitter *s, struct sv text, size_t *pos, struct sentence *out);

/* Number of sentences of text. */
size_t sentence_count(const struct splitter *s, struct sv text);

#endif
