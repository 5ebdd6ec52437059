// SPDX-License-Identifier: MIT
/*
 * refs.h — where a text cites its bibliography, before and after cleaning
 */
#ifndef REFS_H
#define REFS_H

#include "clean.h"
#include "gr.h"
#include "json.h"
#include "sv.h"

/* The citations of one text, in order of place; zero-initialise, reuse, release. */
struct refs {
    struct ref {
        size_t start, end; /* code points of the cleaned text; end >= start */
        struct sv target;  /* borrowed from the record */
        size_t order;      /* in the record */
    } * items;             /* (n) */
    size_t n, cap;
};

/*
 * Replace what r holds by the entries of a paper's refs (array of {"start","end","target",
 * "kind"}; any other value: none) that have a place and a target and are of the bibliography.
 * Their places, code points of the source, become places in the text that c has just cleaned; a
 * marker of which cleaning left nothing is left out. O(n log n).
 */
void refs_place(struct refs *r, jv refs, const struct clean *c);

/* Append the JSON array of those whose marker begins in [start, end), as {"start","end",
 * "target"} in code points from `start` on. A marker that goes on behind `end` is cut there. */
void refs_put(const struct refs *r, size_t start, size_t end, struct buf *out);

void refs_release(struct refs *r);

#endif
