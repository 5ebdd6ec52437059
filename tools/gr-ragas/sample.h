// SPDX-License-Identifier: MIT
/*
 * sample.h — what is scored: one record's question, answer, reference, contexts and rankings
 *
 * Reads the names of RAGAS (user_input, retrieved_contexts, response, reference,
 * reference_contexts, retrieved_context_ids, reference_context_ids) and, where those are
 * absent, those of query records (query, context, vector_hits, sources, reference_papers).
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "err.h"
#include "json.h"
#include "map.h"
#include "ranking.h"

enum sample_contexts { CONTEXTS_ALL, CONTEXTS_VECTOR, CONTEXTS_GRAPH };

/* What a hit is compared by. */
enum sample_relevance { RELEVANCE_AUTO, RELEVANCE_IDS, RELEVANCE_PAPERS, RELEVANCE_CONTEXTS };

enum sample_ranking { RANKING_HITS, RANKING_SOURCES };

/* How many contexts, hits or references one record may have. */
#define SAMPLE_MAX_LIST 10000

struct sample_cfg {
    int contexts;     /* enum sample_contexts: which part of `context` counts */
    int relevance;    /* enum sample_relevance */
    int ranking;      /* enum sample_ranking: vector_hits, or sources (what fusion made) */
    bool keeps_order; /* leave the ranking in the order it came in, whatever the scores */
};

struct texts {
    struct sv *items; /* (n) */
    size_t n;
    bool is_given; /* the field is there, maybe empty */
};

struct sample {
    struct sv question, response, reference;
    bool has_question, has_response, has_reference; /* a reference of white space is none */
    bool is_refused;                                /* the field says so */
    struct texts contexts, reference_contexts;
    struct buf facts; /* the graph's facts, joined: one context */

    int relevance;          /* RELEVANCE_AUTO: nothing to compare with */
    bool has_ranking;       /* a list was given, maybe empty */
    struct ranking ranking; /* for ids and papers: no id twice, gains and ideal filled; for
                             * contexts: texts, which others judge */
    size_t n_shared;        /* of the ranking, relevant */

    struct map *ids; /* of all ids; views in `ranking` point here */
    double *gains;   /* by the ordinals of ids */
    size_t gains_cap;
};

/* Fill *s with views into r, valid as long as r. -1 with err (EXIT_REJECTED) when a field has
 * the wrong form. Call sample_release in either case. O(record). */
int sample_read(struct sample *s, const struct sample_cfg *cfg, const struct rec *r,
                struct err *err);
void sample_release(struct sample *s);

/* "ids", "papers", "contexts" or "none". */
const char *sample_relevance_name(int relevance);

#endif
