// SPDX-License-Identifier: MIT
/*
 * export.h — a graph as text for other programs
 *
 *   ndjson   the triple records, as they came: building from them gives the same graph
 *   cypher   MERGE statements: run twice they change nothing (Neo4j, Memgraph); nodes and edges
 *            are those of load.h
 *   graphml  for Gephi, yEd, networkx
 *   dot      for Graphviz
 *   csv-…    the two tables that neo4j-admin database import takes
 *   ntriples RDF: urn:gr:node:… urn:gr:relation:… urn:gr:node:…, with labels and types
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "grg.h"

enum export_format {
    EXPORT_NDJSON,
    EXPORT_CYPHER,
    EXPORT_GRAPHML,
    EXPORT_DOT,
    EXPORT_CSV_NODES,
    EXPORT_CSV_EDGES,
    EXPORT_NTRIPLES,
};

/* Where text goes as it is made; return false to stop. */
typedef bool (*export_sink)(void *ctx, struct sv text);

/* The whole graph. EXIT_FATAL when the sink stopped. */
int export_graph(const struct grg *g, enum export_format format, export_sink sink, void *ctx,
                 struct err *err);

/* Append the DOT form of the edges between the nodes with keep[node] != 0 (NULL: all), and of
 * these nodes. mark: a node to show apart, or GRG_NONE. */
void export_dot(const struct grg *g, const uint8_t *keep, uint32_t mark, struct buf *out);

#endif
