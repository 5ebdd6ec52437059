// SPDX-License-Identifier: MIT
/*
 * pick.h — from a fused ranking to the hits that are written: diversified, shaped, at most k
 */
#ifndef PICK_H
#define PICK_H

#include "err.h"
#include "fuse.h"
#include "search.h"
#include "shape.h"
#include "spread.h"

struct pick {
    const struct vset *set;
    const uint64_t *places; /* of each hit's ord, see spread.h; NULL: there is one part */
    const struct search_cfg *cfg;
    const struct fuse_result *fused;
    size_t k;
};

/* Fill out, which is released here before: it keeps pointers into `fused`. EXIT_FATAL: a stored
 * record is damaged. */
int pick_hits(const struct pick *p, struct shape *out, struct err *err);

#endif
