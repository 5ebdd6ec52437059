// SPDX-License-Identifier: MIT
/*
 * tag.h — the algorithm of gr-template: what a tag looks like
 */
#ifndef TAG_H
#define TAG_H

#include "buf.h"
#include "err.h"

enum tag_letters { TAG_KEEP, TAG_UPPER };

struct tag_cfg {
    const char *text; /* valid UTF-8 */
    int letters;      /* enum tag_letters; upper case for ASCII letters only */
};

/* Append the tag to *out. EXIT_FATAL when the text is not valid UTF-8. O(length). */
int tag_make(struct buf *out, const struct tag_cfg *cfg, struct err *err);

#endif
