// SPDX-License-Identifier: MIT
/*
 * words.h — a text as the words that the published overlap scores count
 *
 * Three definitions, each that of the program whose score it serves; none of them is ours to
 * improve, since scores compare only when the words are the same.
 */
#ifndef WORDS_H
#define WORDS_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

struct words {
    struct buf bytes; /* all words, one behind the other */
    size_t *ends;     /* (n) where each ends in bytes */
    size_t n, cap;
};

#define WORDS_INIT                                                                             \
    (struct words)                                                                             \
    {                                                                                          \
        BUF_INIT                                                                               \
    }
void words_release(struct words *w); /* empty and usable again */

/* Word i < n; valid until the list is filled again. */
struct sv words_at(const struct words *w, size_t i);

/* Replace *w by the words of text (valid UTF-8). All are O(bytes). */

/* sacrebleu's "13a" (mteval-v13a): entities &quot; &amp; &lt; &gt; read, punctuation apart from
 * words, "." and "," apart unless between digits, "-" apart after a digit; case kept. */
void words_13a(struct words *w, struct sv text);

/* rouge-score's: lower case, runs of a–z and 0–9, those of more than three letters stemmed by
 * porter.h. Letters beyond ASCII divide words. */
void words_rouge(struct words *w, struct sv text);

/* SQuAD's: lower case, ASCII punctuation removed (not replaced), the words a, an, the removed,
 * split at white space. */
void words_squad(struct words *w, struct sv text);

/* White space as Python's str.split sees it. */
bool words_is_space(uint32_t cp);

#endif
