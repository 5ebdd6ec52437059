// SPDX-License-Identifier: MIT
/*
 * shape.h — hits on their way out: near-duplicates dropped, windows of one section put together
 *
 * Hits come best first. One whose text is within that of a better hit says nothing new
 * (common/same.h): it is dropped, and the better one names it. With merging, one that overlaps
 * or touches a better hit of the same section of the same paper (common/seam.h) becomes part
 * of that one, which keeps its place.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "buf.h"
#include "fuse.h"
#include "json.h"
#include "same.h"
#include "seam.h"

struct shape_cfg {
    double dedup; /* share of shingles from which on a text is within another; 0: not asked */
    bool merges;
};

/* Only so many of the best hits are compared: each is with all before it. */
#define SHAPE_MAX 1000

struct shape_hit {
    const struct fuse_hit *fused;
    struct sv id; /* lives as long as the index */
    struct buf raw;
    struct rec stored; /* of raw; parsed, until shape_add_take has it */
    /* What is compared; made by shape_add. */
    struct buf text;
    size_t start, end;
    bool has_span;
    struct sv paper, section, section_n; /* raw values, n == 0: none */
    struct same_prints prints;
    struct sv *ids;  /* (n_ids) > 1: what it was put together from, in the order of the text */
    struct sv *same; /* (n_same) what was dropped for it */
    size_t n_ids, n_same;
};

struct shape {
    struct shape_cfg cfg;
    struct shape_hit *hits; /* (n) kept, best first */
    size_t n, cap, n_dropped, n_merged;
};

/* Take over a hit with its fused, id, raw and stored. True: it is kept as a hit of its own. */
bool shape_add_take(struct shape *s, struct shape_hit *h);
void shape_release(struct shape *s);
void shape_hit_release(struct shape_hit *h);

#endif
