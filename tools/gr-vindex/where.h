// SPDX-License-Identifier: MIT
/*
 * where.h — the simple part of a jq filter: comparisons of members of a record with literals
 *
 * Understood, with jq 1.6's own precedence and meaning:
 *   .year >= 2000   2000 <= .year   .doi != null   ."a b" == "x"   .["a b"] == -1.5   .doi
 *   A and B   A or B   A | not   (A)   select(A)   select(A) | B
 *   .kind | IN("a", "b")   .kind | startswith("t")   endswith   contains   . == "a" or . == "b"
 * Values order null < false < true < numbers < strings (by bytes) < arrays < objects; a missing
 * member is null; false and null are not true; a string function fails on what is no string,
 * and what fails does not select. Such an expression gives one value or fails.
 *
 * Of an expression that is not simple as a whole, but is a chain of "and" (or of select) with
 * simple links, those links are taken: records for which they are not true are not selected by
 * the whole, the others have to be asked by libjq.
 */
#ifndef WHERE_H
#define WHERE_H

#include "gr.h"
#include "map.h"
#include "sv.h"

/* In jq's order. */
enum where_type {
    WHERE_NULL,
    WHERE_FALSE,
    WHERE_TRUE,
    WHERE_NUMBER,
    WHERE_STRING,
    WHERE_ARRAY, /* what is in it is not known, and not needed to compare it with a literal */
    WHERE_OBJECT
};

struct where_value {
    enum where_type type;
    double num;
    struct sv str;
};

enum where_op {
    WHERE_AND, /* of nodes a and b */
    WHERE_OR,
    WHERE_NOT, /* of node a */
    WHERE_IS,  /* leaf: the member is neither false nor null */
    WHERE_EQ,  /* leaves: the member compared with one literal */
    WHERE_NE,
    WHERE_LT,
    WHERE_LE,
    WHERE_GT,
    WHERE_GE,
    WHERE_IN, /* leaf: it is one of the literals */
    WHERE_STARTS,
    WHERE_ENDS,
    WHERE_CONTAINS
};

struct where_node {
    enum where_op op;
    size_t a, b;      /* nodes */
    struct sv field;  /* of a leaf */
    size_t values, n; /* of a leaf: where.values[values … values + n) */
};

struct where {
    struct where_node *nodes; /* (n_nodes) */
    size_t n_nodes, root;
    struct where_value *values; /* (n_values) literals; texts in `texts` */
    size_t n_values;
    struct map *texts;
    bool is_exact; /* false: true of it is necessary, not enough */
};

/* Longest expression that is looked at, and deepest nesting. */
#define WHERE_MAX_TEXT 65536
#define WHERE_MAX_DEPTH 64

/* True when there is a simple part; then *w is to be released. Whatever is taken as exact is
 * valid jq; nothing else is said about validity. */
bool where_parse(struct where *w, const char *expr);
void where_release(struct where *w);

/* What one of these says: true, false, or that jq would fail. */
enum where_answer { WHERE_NO, WHERE_YES, WHERE_FAILS };

/* A leaf of a value. */
enum where_answer where_leaf(const struct where *w, const struct where_node *leaf,
                             const struct where_value *v);

/* The whole, of a record whose members `get` gives. */
enum where_answer where_test(const struct where *w,
                             struct where_value (*get)(void *ctx, struct sv field), void *ctx);

/* jq's order: < 0, 0, > 0; arrays, and objects, are alike. */
int where_cmp(const struct where_value *a, const struct where_value *b);

#endif
