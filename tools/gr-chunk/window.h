// SPDX-License-Identifier: MIT
/*
 * window.h — windows of tokens over a text, each an exact slice of it
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "bpe.h"
#include "err.h"
#include "gr.h"
#include "sentence.h"
#include "sv.h"
#include "wordpiece.h"

enum window_by { WINDOW_TOKEN, WINDOW_SENTENCE, WINDOW_SECTION, WINDOW_PARAGRAPH };

struct window_cfg {
    size_t size;                       /* tokens in a window, > 0 */
    size_t overlap;                    /* tokens shared with the window before, < size */
    int by;                            /* enum window_by */
    const struct wordpiece *wordpiece; /* not NULL: its pieces are the tokens */
    const struct bpe *bpe;             /* not NULL: its tokens; neither: words (below) */
    const struct splitter *splitter;   /* for all but WINDOW_TOKEN */
};

struct window {
    size_t from, to; /* bytes of the text: from the first token's start to the last one's end */
    size_t n_tokens;
};

/* Tokens and windows of one text; zero-initialise, reuse, release. */
struct windows {
    struct window *items; /* (n) in order */
    size_t n, cap;
    struct window_token {
        size_t from, to;
    } * tokens; /* (n_tokens) */
    size_t n_tokens, tokens_cap;
    bool has_lines;                 /* each line of the text is a paragraph */
    struct wordpiece_tokens pieces; /* scratch */
    struct bpe_tokens pairs;        /* scratch */
};

/* A word of more code points than this counts as several, cut between graphemes. */
#define WINDOW_WORD_MAX 64

/*
 * Cut text (valid UTF-8) into windows. WINDOW_TOKEN: window i holds tokens
 * [i·(size−overlap), i·(size−overlap)+size), the last one ends with the text; so every window
 * but the last has exactly `size` tokens and begins with the last `overlap` of the one before.
 * WINDOW_SENTENCE: as many whole sentences as fit into `size`, beginning with as many whole
 * trailing sentences of the window before as fit into `overlap`; a sentence longer than `size`
 * is cut as above. WINDOW_PARAGRAPH: a window a paragraph. WINDOW_SECTION: one window when the
 * text fits, else as many whole paragraphs as fit, packed as sentences are. A paragraph that is
 * too long is cut, and packed, at the ends of lines: of those that end with a stop, or of all
 * when most do; such a line that is too long, by sentences. Words are those of text.h, but a
 * number keeps its decimals.
 *
 * Tokens of bpe may begin with a blank or end inside a character. A window ends at a character
 * and loses white space at its ends, and n_tokens is counted anew on what is left; were that
 * more than size, the window ends earlier. A character of more than `size` tokens stays whole.
 *
 * Every token is in a window, and windows always advance. O(n).
 */
void windows_make(struct windows *w, const struct window_cfg *cfg, struct sv text);

/* Number of tokens of a text, counted as windows_make counts. w: scratch; its windows stay. */
size_t windows_count(struct windows *w, const struct window_cfg *cfg, struct sv text);

void windows_release(struct windows *w);

#endif
