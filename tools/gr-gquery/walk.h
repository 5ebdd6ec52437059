// SPDX-License-Identifier: MIT
/*
 * walk.h — the subgraph around the nodes of a question, and its facts in order of worth
 *
 * Breadth first from the linked nodes along edges in both directions. Measurements (type
 * "value") are reached but never left: two samples of 20 Ma have nothing else in common. As in
 * apoc.path.subgraphAll, the facts are all relationships among the nodes reached, also those
 * that the walk itself did not use; `is_strict` of the filter narrows them.
 *
 * Hub guard: of a node with more than max_degree edges only the best max_degree are walked, by
 * confidence · support · overlap.
 * Depth: one level more while the facts are fewer than min_facts (at most WALK_MAX_DEPTH); a
 * level beyond the first that brings the nodes over max_nodes is taken back.
 *
 * Score of the fact e between h and t:
 *
 *   closeness · overlap · (confidence · support · specificity + agreement)
 *
 *   closeness    (near(h) + near(t)) / 2, near(h) when t is a measurement; near(n) = half the
 *                weight of the link, halved with each hop, plus √(rank(n) / highest rank) / 2;
 *                half of it for "Has Isotope", which names say
 *   support      1 + ln(papers) / 4
 *   overlap      0.15 + 0.85 · Σ idf(terms of question and fact) / Σ idf(terms of question that
 *                the graph knows); of the fact's best triple. A term that is only in the
 *                evidence, not in names or relation, counts 0.6
 *   specificity  log2(3) / log2(2 + sqrt(degree(h) · degree(t)))
 *   agreement    0.1 when the fact was found in a chunk of vector_hits, 0.03 in a paper, times
 *                closeness and overlap
 * rank: personalised PageRank (ppr.h), damping 0.5, over the things reached and the chunks of
 * the facts among them. It begins anew at linked nodes, weight / log2(2 + degree), and at
 * chunks of vector_hits, 0.05 · their score scaled to 0 … 1 (Gutiérrez et al., HippoRAG 2,
 * 2025). A fact ties its ends, and its chunk to both, by confidence · support · overlap. The
 * chunks of the highest rank are offered as passages.
 *
 * A fact that says again what a better one says is left out (same_fact.h).
 * idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)): n of N triples have t; when N is over 1000,
 * terms of more than half of them do not count. Equal scores: the order of edges in the file.
 */
#ifndef WALK_H
#define WALK_H

#include "analyzer.h"
#include "filter.h"
#include "gr.h"
#include "grg.h"
#include "link.h"

#define WALK_MAX_DEPTH 4
#define WALK_HUBS 5

struct walk_cfg {
    long depth, max_degree, max_nodes, min_facts, limit;
    long chunks; /* passages to offer, 0: none */
    bool keeps_redundant;
};

struct fact {
    uint32_t edge, triple; /* the triple that fits the question best */
    uint32_t hops;         /* 1: at a linked node */
    double score;
};

/* A chunk of vector_hits that the graph knows, and what the search gave it (NaN: nothing). */
struct walk_hit {
    uint32_t chunk; /* string */
    double score;
};

/* A chunk that the walk reached. */
struct walk_chunk {
    uint32_t chunk, paper; /* strings */
    double score;          /* of the best: 1 */
};

/* Scratch of one thread for one graph: about 18 bytes a node and 8 a triple. */
struct walk {
    const struct grg *g;
    uint8_t *dist;     /* (nodes) hops from a linked node, WALK_FAR: not reached */
    float *near;       /* (nodes) */
    uint32_t *from;    /* (nodes) the node before on the way, GRG_NONE: linked itself */
    uint32_t *reached; /* (n_reached) in order of reaching */
    size_t n_reached;
    uint32_t *slot;    /* (nodes) of those reached: place in `reached` */
    float *overlap;    /* (triples) sum of idf */
    uint8_t *agrees;   /* (triples) found in a chunk of vector_hits */
    uint32_t *touched; /* (n_touched) triples with either */
    size_t n_touched;
    double idf_sum;
    uint32_t *papers; /* (n_papers) strings: of vector_hits */
    size_t n_papers;
    struct fact *facts; /* (n_facts) best first */
    size_t n_facts, facts_cap;
    struct walk_hit *hits; /* (n_hits) in the order of the search */
    size_t n_hits;
    struct walk_chunk *chunks; /* (n_chunks) best first */
    size_t n_chunks;

    /* What happened, for the trace. */
    long depth; /* levels walked */
    bool widened, narrowed, is_cut;
    size_t n_candidates;      /* facts before the limit */
    size_t n_redundant;       /* left out for a better one that says the same */
    uint32_t hubs[WALK_HUBS]; /* the first of them */
    size_t n_hubs;
};

#define WALK_FAR 255

struct walk *walk_new(const struct grg *g);
void walk_free(struct walk *w); /* NULL is fine */

/* Begin a query. */
void walk_reset(struct walk *w);

/* Forget the walk, but not the question's terms and hits: before another walk_run. */
void walk_again(struct walk *w);

/* Count the terms of the question, those that the graph knows once each, towards overlap. Once
 * a query. text: valid UTF-8. */
void walk_terms(struct walk *w, struct terms *terms, struct sv text);

/* Name a chunk and a paper that the vector search found, best first. Either may be empty; score
 * may be NaN. */
void walk_hit(struct walk *w, struct sv chunk, struct sv paper, double score);

/* Walk and rank; the result is in w. */
void walk_run(struct walk *w, const struct links *links, const struct filter *filter,
              const struct walk_cfg *cfg);

/* The nodes from a linked one to `node`: writes at most `max`, returns how many. */
size_t walk_path(const struct walk *w, uint32_t node, uint32_t *path, size_t max);

#endif
