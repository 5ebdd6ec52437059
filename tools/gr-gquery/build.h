// SPDX-License-Identifier: MIT
/*
 * build.h — folding triples into a graph file
 *
 * Nodes. A mention with an id is the node (id, type); one without is the node that shares its
 * type and key with an id (the smallest, when several do), else the node (type, key). So equal
 * names of different types stay apart, and Co and CO do, whose keys differ (text.h).
 * Edges. One for each different (head, relation, tail, value); its triples are its provenance.
 * Look-up names. Every spelling met, the id, symbol and name of an element, and all synonyms of
 * the vocabularies.
 */
#ifndef BUILD_H
#define BUILD_H

#include "analyzer.h"
#include "err.h"
#include "file.h"
#include "fold.h"
#include "vocab.h"

struct build_stats {
    size_t nodes, edges, triples, papers, repeated;
};

/*
 * Fold everything in *f and write it to an open writer. vocab: synonyms for look-up, NULL:
 * none. The same triples give the same bytes, in whatever order they came. f is used up but for
 * fold_release. O(n log n). EXIT_FATAL when a table would outgrow 32 bits.
 */
int build_write(struct fold *f, const struct vocab *vocab, const struct analyzer *analyzer,
                struct out *out, struct build_stats *stats, struct err *err);

#endif
