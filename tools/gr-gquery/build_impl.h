// SPDX-License-Identifier: MIT
/*
 * build_impl.h — the steps of a build and what they hand on (internal to build*.c)
 */
#ifndef BUILD_IMPL_H
#define BUILD_IMPL_H

#include "build.h"

/* A growing array of numbers. */
struct numbers {
    uint32_t *at;
    size_t n, cap;
};

struct build {
    struct fold *fold;
    struct map *strings; /* fold's */
    struct grg_node *nodes;
    size_t n_nodes;
    uint32_t *node_of; /* (mentions) */
    struct grg_name *names;
    size_t n_names, names_cap;
    struct numbers lists; /* terms of each string, one list after the other */
    size_t *list_of;      /* (strings) start of its list + 1, 0: not analysed yet */

    /* Sections made from it. */
    struct grg_edge *edges;
    uint32_t *edge_at, *out_at, *in_at, *in, *chunks;
    uint8_t *stances; /* (edges) */
    struct grg_value *values;
    struct grg_triple *triples;
    size_t n_edges, n_values;
    uint32_t *term_at, *terms, *posts;
    size_t n_terms, n_posts;
    struct grg_meta meta;
};

void numbers_add(struct numbers *l, uint32_t v);

/* build_nodes.c: heads, tails and nodes (in no order yet). */
void build_nodes(struct build *b);

/* build_nodes.c: look-up names of the nodes. */
void build_names(struct build *b, const struct vocab *vocab);

/* build_terms.c: analyse the strings that triples are searched by. */
void build_lists(struct build *b, const struct analyzer *a);

/* build_terms.c: the inverted index over the triples in their final order; by[i] is the fold
 * triple that is the i-th. rank: new number of each string. -1 past 2^32 postings. */
int build_index(struct build *b, const uint32_t *by, const uint32_t *rank, struct err *err);

#endif
