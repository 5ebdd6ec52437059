// SPDX-License-Identifier: MIT
/*
 * load.h — a graph file into Neo4j
 *
 *   (:Entity:TYPE {uid, node, name, type})   a node; uid is "type|node" ("%" and "|" of the
 *                                            type are written %25 and %7C), unique
 *   -[:RELATION {key, relation, value, number, high, unit, error, confidence, support, papers,
 *     chunk, evidence, triples}]->           an edge; (head, tail, key) is unique; triples: the
 *                                            records it was folded from, as they came
 *   (:GrName {key, uids, spellings})         a look-up name; not connected, so that walks from
 *   (:GrChunk {id, uids})                    an entity never meet it; what a chunk speaks of
 *   (:GrLoad {id: "load", graph, step, done})  how far the load of which graph is
 *
 * Everything is merged, so the same may be loaded twice, and a load that was cut off goes on
 * where its last whole batch ended.
 */
#ifndef LOAD_H
#define LOAD_H

#include "err.h"
#include "grg.h"
#include "neo4j.h"

struct load_cfg {
    long batch;        /* rows a transaction, > 0 */
    bool has_no_apoc;  /* plain Cypher, a statement for each type and relation */
    bool is_replacing; /* first remove all that a load has put there */
};

struct load_stats {
    size_t nodes, edges; /* of the graph */
    bool was_there;      /* nothing was sent: this graph was loaded whole */
    bool went_on;        /* behind an earlier load */
};

/* EXIT_FATAL and EXIT_SERVICE as neo4j_commit; what was sent until then stays, and is found
 * again. progress_show is called with the rows sent. */
int load_graph(struct neo4j *n, const struct grg *g, const struct load_cfg *cfg,
               struct load_stats *stats, struct err *err);

/* Append the uid of a node. */
void load_uid(struct buf *b, const struct grg *g, uint32_t node);

/* Append what tells an edge from the others of the same ends: relation and value. */
void load_edge_key(struct buf *b, const struct grg *g, uint32_t edge);

#endif
