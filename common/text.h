// SPDX-License-Identifier: MIT
/*
 * text.h — word tokens of a text, and the key under which a name is looked up
 *
 * All functions take valid UTF-8 (utf8_check first); on anything else they stay inside the text
 * and end, but their result means nothing. Positions are byte offsets.
 */
#ifndef GR_TEXT_H
#define GR_TEXT_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

enum word_kind {
    WORD_ALPHA,  /* a run of letters, marks and digits with at least one letter */
    WORD_NUMBER, /* a run of digits only */
    WORD_PUNCT,  /* one punctuation mark or symbol */
};

struct word {
    size_t start, end; /* bytes [start, end) of the text; end > start */
    enum word_kind kind;
};

/*
 * The next token at or after *pos, the unit of `--tokens=words`: alike BERT's basic tokens. A
 * run of letters, marks and digits is one token; each punctuation mark or symbol is one; each
 * CJK ideograph or kana letter is one; white space and control characters are none.
 * "87Sr/86Sr = 0.7092" has the seven tokens 87Sr / 86Sr = 0 . 7092.
 * Moves *pos to the token's end; false, and *pos == s.n, when no token is left. O(token).
 */
bool word_next(struct sv s, size_t *pos, struct word *w);

/* Number of tokens word_next finds in s. O(n), no allocation. */
size_t word_count(struct sv s);

/* Has the text one of these words ("a|b|c", in lower case), whole, in any case or in the
 * plural? Words are runs of ASCII letters. O(text · words). */
bool text_has_word(struct sv text, struct sv words);

/* Cut an English plural ending off the word of n bytes in lower case ("ies" becomes "y"); what
 * is left of n: "fluxes" 4, "analysis" and "gas" all. */
size_t text_cut_plural(char *word, size_t n);

/* Choices of text_key; add them up. */
enum {
    TEXT_KEY_PLAIN = 0,
    TEXT_KEY_SINGULAR = 1, /* English plurals lose their ending: "basalts" = "basalt" */
};

/*
 * Append to `key` the form of a name that all its spellings share, for entity look-up:
 * case-folded; NFC; white space collapsed to one blank and trimmed; hyphen, dashes and minus
 * one "-"; curly quotes straight; chemical notation by chem_key ("δ 18 O" and "d18O" give
 * "δ18o"). Case is kept, after a "=", where it tells two things apart: two capitals that spell
 * an element symbol ("CO" gives "=CO" but "Co" gives "co"; so do HF and Hf, PB and Pb), unless
 * the whole of a name of several words is in capitals. The key of a key is itself. An empty or
 * blank name appends nothing.
 */
void text_key(struct sv name, unsigned flags, struct buf *key);

#endif
