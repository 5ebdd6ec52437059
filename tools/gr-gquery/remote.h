// SPDX-License-Identifier: MIT
/*
 * remote.h — the part of a graph in Neo4j that a question needs, as a small graph of its own
 *
 * The words of the question are sent as keys of look-up names, the nodes they name are the
 * starts of
 *     MATCH (start:Entity) WHERE start.uid IN $starts
 *     CALL apoc.path.subgraphAll(start, {maxLevel: $depth}) YIELD nodes, relationships
 * and the triple records of these relationships are folded, as gr-gquery build does, into a
 * temporary graph. Everything else works on that as on a graph file, so the records that come
 * out are the same but for what depends on the whole graph: how rare a word is, and so scores
 * and, where they are close, order.
 */
#ifndef REMOTE_H
#define REMOTE_H

#include "analyzer.h"
#include "err.h"
#include "grg.h"
#include "map.h"
#include "neo4j.h"
#include "vocab.h"

struct remote {
    struct neo4j *neo4j;
    const struct analyzer *analyzer;
    const struct vocab *vocab; /* synonyms of names; NULL: none */
    bool has_no_apoc;          /* plain Cypher in place of the procedure */
    bool is_whole;             /* no load was seen to be unfinished */
};

/* What to look for; the maps' keys count. */
struct remote_ask {
    struct map *keys;   /* of look-up names, node ids */
    struct map *chunks; /* ids: what they speak of is a start too when the keys name fewer */
    size_t few;         /* nodes than this */
    long depth, max_nodes, min_facts; /* as of walk_cfg: narrows and widens the depth */
    long rim; /* levels more, so that nodes at the depth have all their edges */
};

/* Fetch and open. EXIT_FATAL too when a load has not been finished. *g is to be closed with
 * grg_close; it may be empty. Its file is gone from the file system already. EXIT_FATAL,
 * EXIT_SERVICE as neo4j_commit. */
int remote_fetch(struct remote *r, const struct remote_ask *ask, struct grg *g,
                 struct err *err);

#endif
