// SPDX-License-Identifier: MIT
/*
 * conflicts_impl.h — what the files of conflicts share
 */
#ifndef CONFLICTS_IMPL_H
#define CONFLICTS_IMPL_H

#include "conflicts.h"

struct conflicts {
    const struct grg *g;
    const struct units *u;
    const struct conflicts_cfg *cfg;
    struct buf *out;
    struct conflicts_count count;
};

/* Is one of the two papers wanted? */
bool conflicts_wants(const struct conflicts *c, uint32_t paper_a, uint32_t paper_b);

/* Append "a":{…} or "b":{…} of a triple; its value's text too when it has one. */
void conflicts_put_side(const struct conflicts *c, const char *key, uint32_t triple);

/* Append "subject":{name, type, node}. */
void conflicts_put_subject(const struct conflicts *c, uint32_t node);

/* The part about statements; conflicts_find calls it. */
void conflicts_statements(struct conflicts *c);

#endif
