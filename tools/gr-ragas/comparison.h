// SPDX-License-Identifier: MIT
/*
 * comparison.h — what scored records say about systems: means, differences, tests
 *
 * Nothing is left out in silence: beside each mean stands how many records it is of (n) and how
 * many had no value (n_failed). Differences are the first system minus another one, over the
 * records in which both have a value.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "results.h"
#include "stats.h"

struct comparison_cfg {
    size_t resamples; /* of bootstrap and permutation test; 0: neither */
    uint64_t seed;
    bool all_queries; /* a record that one system lacks counts 0 there (trec_eval -c) */
    bool by_class;    /* further rows for each class */
};

struct summary {
    struct interval mean;
    size_t n, n_failed;
};

struct difference {
    struct interval mean;
    size_t n_pairs;
    double p, p_holm; /* NaN: no pairs, or no test. Holm's is over the metrics of one class */
};

struct comparison_row {
    size_t metric;                  /* place in results' order */
    size_t class_id;                /* ordinal in results' classes; 0: all records */
    struct summary *systems;        /* (n_systems) */
    struct difference *differences; /* (n_systems); the first is not used */
};

struct comparison {
    const struct results *results; /* borrowed */
    struct comparison_row *rows;   /* (n) class by class, all records first */
    size_t n;
};

/* Seeds depend on the names of metric, class and systems only: a row does not change when
 * others come or go. O(rows · systems · records · resamples). */
void comparison_init(struct comparison *c, const struct comparison_cfg *cfg,
                     const struct results *r);
void comparison_release(struct comparison *c);

/* "all" for class 0. */
struct sv comparison_class(const struct comparison *c, const struct comparison_row *row);

enum table_format { TABLE_TEXT, TABLE_JSON, TABLE_CSV, TABLE_MARKDOWN };

/* Append the comparison as a table: aligned text with a note on what is what, one JSON object a
 * row, CSV (RFC 4180, one line for each metric and system), or Markdown. */
void table_write(struct buf *out, const struct comparison *c, const struct comparison_cfg *cfg,
                 enum table_format format);

#endif
