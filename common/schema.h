// SPDX-License-Identifier: MIT
/*
 * schema.h — names that more than one tool writes or reads; gr-records(5) is the reference
 */
#ifndef GR_SCHEMA_H
#define GR_SCHEMA_H

/* Fields. */
#define F_ID "id"
#define F_PAPER "paper"
#define F_TEXT "text"
#define F_QUERY "query"
#define F_QUERIES "queries"
#define F_KEYWORDS "keywords"
#define F_ENTITIES "entities"
#define F_CLASS "class"
#define F_STRATEGY "strategy"
#define F_DEPTH "depth"
#define F_EMBEDDING "embedding"
#define F_EMBEDDINGS "embeddings"
#define F_EMBEDDING_MODEL "embedding_model"
#define F_EMBEDDING_TRUNCATED "embedding_truncated"
#define F_EMBED_TEXT "embed_text"
#define F_VECTOR_HITS "vector_hits"
#define F_GRAPH_HITS "graph_hits"
#define F_GRAPH_CHUNKS "graph_chunks"
#define F_CONTEXT "context"
#define F_SOURCES "sources"
#define F_RESPONSE "response"
#define F_CITATIONS "citations"
#define F_TRACE "trace"

/* The two members of `context`. */
#define F_VECTOR_CONTEXT "VectorRAG_Context"
#define F_GRAPH_CONTEXT "GraphRAG_Context"

/* What stands in a context before a fact that a source denies, one that does not stand in its
 * source, and one that is both. */
#define FACT_DENIED "It is denied that "
#define FACT_UNSUPPORTED "It is not confirmed that "
#define FACT_BOTH "It is not confirmed that it is denied that "
/* What gr-fuse has for the relation of a value that is a change, when its tail does not say so.
 * The tail says so when one of the words is in it. */
#define FACT_CHANGES "Changes By"
#define FACT_CHANGE_WORDS "shift|excursion|change|difference|offset|increase|decrease"

/* Query classes, in the order used by every table and model. */
#define CLASS_NAMES "explicit_fact|implicit_reasoning|interpretable_rationale|hidden_rationale"

/* Retrieval strategies, one for each class in the same order. */
#define STRATEGY_NAMES "similarity|multi_query|expand_compress|hybrid_agent"

#endif
