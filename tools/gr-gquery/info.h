// SPDX-License-Identifier: MIT
/*
 * info.h — what is in a graph: counts by type and relation, hubs, conflicts of type
 */
#ifndef INFO_H
#define INFO_H

#include "buf.h"
#include "gr.h"
#include "grg.h"

/*
 * Append one record: file, bytes, nodes, edges, triples, papers, values, terms, types{},
 * relations{}, extractors{}, top[{name,type,node,degree}] (the `top` nodes of most edges),
 * conflicts (how many keys have nodes of more than one type) and type_conflicts[{key,types[]}]
 * (the first of them, at most `top`). O(graph).
 */
void info_put(const struct grg *g, size_t top, struct buf *out);

#endif
