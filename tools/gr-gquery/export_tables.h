// SPDX-License-Identifier: MIT
/*
 * export_tables.h — a graph as CSV and as N-Triples, a line at a time
 *
 * CSV is RFC 4180 with line ends in a field written as blanks; the heads are those of
 * neo4j-admin database import. N-Triples is W3C's of 2014; names in URNs are percent-encoded.
 */
#ifndef EXPORT_TABLES_H
#define EXPORT_TABLES_H

#include "buf.h"
#include "grg.h"

#define CSV_NODES_HEAD "uid:ID,node,name,type,:LABEL\n"
#define CSV_EDGES_HEAD                                                                         \
    ":START_ID,:END_ID,:TYPE,key,relation,value,confidence:double,support:int,paper,chunk,"    \
    "evidence,polarity,unsupported:boolean,change:boolean\n"

void csv_node(struct buf *b, const struct grg *g, uint32_t node);
void csv_edge(struct buf *b, const struct grg *g, uint32_t edge);
void ntriples_node(struct buf *b, const struct grg *g, uint32_t node);
void ntriples_edge(struct buf *b, const struct grg *g, uint32_t edge);

#endif
