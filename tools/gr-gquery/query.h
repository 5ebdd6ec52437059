// SPDX-License-Identifier: MIT
/*
 * query.h — one query record in, the same with entities and graph_hits out
 *
 * Linked, in this order: `entities` given by an earlier stage (by node, else by name), the
 * names that a chat model gave (when asked: ask_names.h), `query`, the further ones of
 * `queries` (weight 0.8), `keywords` (0.6); when nothing is, names one edit away (near.h, 0.5).
 * When that links fewer than two nodes (or only --link=hits is wanted), the nodes of the
 * triples found in the chunks of `vector_hits` are added at weight 0.4: the five best by Σ 1/(1
 * + rank) · 1/log2(2 + degree); a chunk that the graph does not know is read for names instead.
 * When fewer than min_facts facts meet --where, things anywhere that have such facts are added
 * at weight 0.3.
 */
#ifndef QUERY_H
#define QUERY_H

#include "analyzer.h"
#include "buf.h"
#include "err.h"
#include "filter.h"
#include "json.h"
#include "link.h"
#include "walk.h"

#define QUERY_FEW_LINKS 2 /* fewer linked nodes ask the vector hits */
#define QUERY_MAX_HITS 50 /* hits that are looked at */

enum query_link { QUERY_LINK_QUERY, QUERY_LINK_HITS, QUERY_LINK_BOTH };

struct query_cfg {
    struct walk_cfg walk; /* depth: when neither the record nor its class says one */
    int link;             /* enum query_link */
    bool wants_triples;   /* the whole source record in each hit */
    bool has_timings;
};

/* Shared by all workers, const. */
struct query {
    const struct grg *g;
    const struct analyzer *analyzer;
    struct query_cfg cfg;
    struct filter filter;
};

/* Scratch of one worker. */
struct query_worker {
    struct walk *walk;
    struct terms *terms;
    struct links links;
    struct buf names; /* for this record, one a line: what a chat model says it names */
    size_t n_linked;  /* of links: by the question and its hits, not by --where */
};

void query_worker_release(struct query_worker *qw);

/* How deep a record wants the walk, by its own word, its class or the default. EXIT_REJECTED as
 * query_record. */
int query_depth(jv record, const struct query_cfg *cfg, long *depth, struct err *err);

/* Answer one record, appended to out. EXIT_REJECTED: no query, or a field of a wrong kind. */
int query_record(const struct query *q, struct query_worker *qw, const struct rec *r,
                 struct buf *out, struct err *err);

/* Append a fact as an object: head, relation, tail, value, …, of this triple. Shared with path
 * and draw. extra: raw members to add, or empty. */
void query_put_fact(struct buf *out, const struct grg *g, uint32_t edge, uint32_t triple,
                    struct sv extra);

/* Append "0.105 ± 0.006 ‰"-like text of an edge's value; nothing when it has none. */
void query_value_text(struct buf *out, const struct grg *g, const struct grg_edge *e);

#endif
