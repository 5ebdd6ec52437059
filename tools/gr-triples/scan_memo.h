// SPDX-License-Identifier: MIT
/*
 * scan_memo.h — what stands in short texts, remembered: tables say "SiO2 (wt%)" again and again
 */
#ifndef SCAN_MEMO_H
#define SCAN_MEMO_H

#include "buf.h"
#include "gr.h"
#include "vocab.h"

#define SCAN_PLACES 128 /* a power of two */
#define SCAN_BYTES 64   /* longest text that is kept */

/* One text a place, the later takes it. Of one vocabulary and one thread. All zeros: nothing
 * known. */
struct scan_memo {
    struct scan_known {
        struct buf text; /* "": free */
        struct entities found;
    } at[SCAN_PLACES];
};

void scan_memo_release(struct scan_memo *m);

/* What vocab_scan(v, text, list) does. */
void scan_memo_find(struct scan_memo *m, const struct vocab *v, struct sv text,
                    struct entities *list);

#endif
