// SPDX-License-Identifier: MIT
/*
 * grg.h — the knowledge graph as one mapped file (.grg): nodes, edges, where each came from
 *
 * A secfile (common/secfile.h) of arrays that point at each other by number. Sections:
 *
 *   str.at str     every string once, sorted by bytes: a smaller number is a smaller string
 *   node           sorted by (type, key, id)
 *   edge edge.at   sorted by (head, relation, tail, value, stance); edge e has the triples
 *                  [edge.at[e], edge.at[e+1])
 *   out.at         node n is the head of the edges [out.at[n], out.at[n+1])
 *   in.at in       node n is the tail of the edges in[in.at[n] … in.at[n+1])
 *   stance         a byte an edge, GRG_DENIED and GRG_UNSUPPORTED; only when meta says so:
 *                  there are edges that are not plainly said
 *   value          measurements
 *   triple         one for each record of input, in the order of edges
 *   raw.at raw     the records themselves, byte for byte
 *   name           (key, node, spelling), sorted: under what a node is looked up
 *   chunk          triple numbers sorted by (chunk, triple)
 *   term.at term post
 *                  inverted index: term number t is the string term[t] and stands in the
 *                  triples post[term.at[t] … term.at[t+1]), each twice the triple's number,
 *                  plus one when the term is in the names or the relation, not only in the
 *                  evidence
 *   meta           struct grg_meta
 *
 * Opening checks the sizes of the arrays against each other: O(1). Every number inside may
 * still be wrong (a damaged or hostile file), so all reading goes through the functions below,
 * which stay inside the file whatever it says. grg_verify looks at everything.
 */
#ifndef GRG_H
#define GRG_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "secfile.h"
#include "sv.h"

#define GRG_MAGIC ".grg\0\0\0"
#define GRG_VERSION 1
#define GRG_NONE UINT32_MAX

/* Node flags. */
#define GRG_IS_VALUE 1u /* a measurement, not a thing: paths end there */

struct grg_node {
    uint32_t name, key, id, type; /* strings; name: the most frequent spelling; id: as given,
                                   * else "type:key" */
    uint32_t flags, n_triples;
};

struct grg_edge {
    uint32_t head, tail; /* nodes */
    uint32_t relation;   /* string */
    uint32_t value;      /* into `value`, GRG_NONE: none */
    uint32_t n_papers;   /* different papers that say so */
    float confidence;    /* the best of its triples */
};

/* Stances: what else than "it is so" the records of an edge say. All say the same. */
#define GRG_DENIED 1u      /* the source says that it is not so */
#define GRG_UNSUPPORTED 2u /* said of a text in which it does not stand */
#define GRG_STANCES 3u

/* Value flags: what is there. */
#define GRG_HAS_NUMBER 1u
#define GRG_HAS_HIGH 2u
#define GRG_HAS_ERROR 4u
#define GRG_HAS_LOW 8u    /* the error downwards is another */
#define GRG_IS_CHANGE 16u /* by how much, not how much: never compared with values */

struct grg_value {
    double number, high, error;
    uint32_t unit, error_kind; /* strings, GRG_NONE: none */
    uint32_t flags;
    float error_low; /* with GRG_HAS_LOW; exact in the record */
};

struct grg_triple {
    uint32_t edge, paper, chunk, evidence, extractor; /* strings but for edge; may be "" */
    uint32_t start, end;                              /* of the evidence; both 0: not given */
    float confidence;
};

struct grg_name {
    uint32_t key, node; /* key: text_key of a name or synonym, or the node's id */
    uint32_t spelling;  /* only this spelling counts ("As", not "as"); GRG_NONE: any does */
};

struct grg_meta {
    uint32_t analyzer;     /* string: how the terms were made */
    uint32_t n_papers;     /* different papers */
    uint32_t has_synonyms; /* names of the vocabularies were added: `add` does the same */
    uint32_t has_stances;  /* the section is there */
};

/* Borrowed views into the map; const once opened, shared by all threads. */
struct grg {
    struct secfile file;
    const uint64_t *str_at, *raw_at;
    const char *str, *raw;
    const struct grg_node *nodes;
    const struct grg_edge *edges;
    const uint32_t *edge_at, *out_at, *in_at, *in;
    const uint8_t *stances; /* NULL: all edges are plainly said */
    const struct grg_value *values;
    const struct grg_triple *triples;
    const struct grg_name *names;
    const uint32_t *chunks, *term_at, *terms, *posts;
    struct grg_meta meta;
    size_t n_strings, str_bytes, raw_bytes, n_nodes, n_edges, n_values, n_triples, n_names;
    size_t n_terms, n_posts;
};

/* Open a graph. path must stay valid. EXIT_FATAL: not a graph, of another version, cut off,
 * sections that do not fit each other. */
int grg_open(struct grg *g, const char *path, struct err *err);
void grg_close(struct grg *g);

/* Check every number, every order and every checksum. EXIT_FATAL with the first fault. O(file).
 */
int grg_verify(const struct grg *g, struct err *err);

/* String number s; empty for GRG_NONE or a wrong number, or when it is not valid UTF-8. */
struct sv grg_str(const struct grg *g, uint32_t s);

/* Number of the string with exactly these bytes, or GRG_NONE. O(log strings). */
uint32_t grg_find_str(const struct grg *g, struct sv s);

/* A node, edge, triple or value; an empty one for a wrong number. */
const struct grg_node *grg_node(const struct grg *g, uint32_t n);
const struct grg_edge *grg_edge(const struct grg *g, uint32_t e);
const struct grg_triple *grg_triple(const struct grg *g, uint32_t t);
const struct grg_value *grg_value(const struct grg *g, uint32_t v);

/* Stance of an edge; 0: it is plainly said. */
static inline unsigned grg_stance(const struct grg *g, uint32_t e)
{
    return g->stances && e < g->n_edges ? g->stances[e] & GRG_STANCES : 0;
}

/* A run of numbers [from, to), always inside its array. */
struct grg_range {
    uint32_t from, to;
};
struct grg_range grg_out(const struct grg *g, uint32_t node); /* edge numbers */
struct grg_range grg_in(const struct grg *g, uint32_t node);  /* positions in g->in */
struct grg_range grg_triples_of(const struct grg *g, uint32_t edge);
struct grg_range grg_posts(const struct grg *g, uint32_t term); /* positions in g->posts */
/* Positions in g->chunks of the triples found in this chunk. */
struct grg_range grg_chunk(const struct grg *g, struct sv chunk);

/* Edges at a node, both ways. */
uint32_t grg_degree(const struct grg *g, uint32_t node);

/* The i-th edge at a node (i < degree), those it heads first; *other: the node at the far end.
 */
uint32_t grg_edge_at(const struct grg *g, uint32_t node, uint32_t i, uint32_t *other);

/* Number of the term, or GRG_NONE. */
uint32_t grg_find_term(const struct grg *g, struct sv term);

/* Entries of g->names with this key: positions [from, to). */
struct grg_range grg_find_names(const struct grg *g, struct sv key);

/* Does any key of g->names begin with prefix? */
bool grg_has_names_from(const struct grg *g, struct sv prefix);

/* The record a triple came from, without line end. */
struct sv grg_raw(const struct grg *g, uint32_t triple);

/* Is the node no measurement? */
static inline bool grg_is_thing(const struct grg *g, uint32_t n)
{
    return !(grg_node(g, n)->flags & GRG_IS_VALUE);
}

#endif
