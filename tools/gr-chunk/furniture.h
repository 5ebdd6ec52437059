// SPDX-License-Identifier: MIT
/*
 * furniture.h — finding what a page has beside its text: heads, numbers, notices, repeats
 */
#ifndef FURNITURE_H
#define FURNITURE_H

#include "gr.h"
#include "paper.h"
#include "sv.h"

/* Ranges of bytes to leave out, in order, with the step each is due to. */
struct furniture {
    struct span {
        size_t from, to;
        unsigned step; /* a CLEAN_ bit */
    } * items;         /* (n) */
    size_t n, cap;
};

/*
 * Replace what f holds by the lines of text that are, as far as `steps` asks for them
 *   CLEAN_PAGE       a page number alone ("12", "- 12 -", "Page 3 of 14"), or a short line
 *                    that the paper has three times or more: a running head. Its numbers may
 *                    differ when it is long or has "et al"
 *   CLEAN_DOWNLOAD   "Downloaded from www.… by … on …" and its kin
 *   CLEAN_COPYRIGHT  "© 2020 Elsevier B.V. All rights reserved.", licences: the sentences at
 *                    the beginning of a line that are such, not the text behind them
 *   CLEAN_REPEAT     a block of 80 bytes or more that the paper had before, word for word
 *   CLEAN_MARKUP     tags of HTML and JATS such as <sup>, </p>, <br/>: the tags, not the text
 * A line goes with its end. paper may be NULL: then nothing is known of other texts. O(n).
 */
void furniture_find(struct furniture *f, struct sv text, unsigned steps, struct paper *paper);

void furniture_release(struct furniture *f);

#endif
