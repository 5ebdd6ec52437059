// SPDX-License-Identifier: MIT
/*
 * seam.h — overlapping windows of one text, put together again
 *
 * By offsets where both windows have them and the shared text is the same; else by the text,
 * when the end of one is the beginning of the other for SEAM_MIN_BYTES or more.
 */
#ifndef GR_SEAM_H
#define GR_SEAM_H

#include "gr.h"
#include "sv.h"

#define SEAM_MIN_BYTES 40

struct seam {
    struct sv text;
    size_t start, end; /* code points of the text it was cut from */
    bool has_span;     /* start and end are known, and agree with the length of `text` */
};

/* Where in b's text (bytes) that part begins which a lacks, when b goes on where a ends or
 * before; SIZE_MAX when it does not. *place: where in a's text, continued, b begins; one past
 * the end of a when a blank stood between. */
size_t seam_goes_on(const struct seam *a, const struct seam *b, size_t *place);

/* Bytes that the end of a has in common with the beginning of b: the longest such overlap,
 * shorter than both. O(a + b) (Knuth, Morris and Pratt's failure function). */
size_t seam_overlap(struct sv a, struct sv b);

#endif
