// SPDX-License-Identifier: MIT
/*
 * filter.h — a jq expression that selects records
 *
 * A record is selected when the expression gives at least one value that is neither false nor
 * null, as in select(any(EXPR; .)). An expression that fails on a record (a string function on
 * null, say) does not select it.
 */
#ifndef FILTER_H
#define FILTER_H

#include "columns.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

struct filter; /* a compiled expression; of one thread */

/* Compile. NULL with err (EXIT_USAGE) and jq's message when it is no jq. */
struct filter *filter_new(const char *expr, struct err *err);
void filter_free(struct filter *f); /* NULL is fine */

/* 1 selected, 0 not; -1 with err (EXIT_REJECTED) when the record is not JSON. */
int filter_test(struct filter *f, struct sv record, struct err *err);

/* ---- all records at once ---- */

/* What is known of every record before libjq is asked, made once a run and then const. */
struct filter_known {
    unsigned char *skip; /* (n_docs) 1: not selected; owned; NULL: nothing is known */
    size_t n_left;       /* records with skip 0 */
    bool is_final;       /* those are selected; else they have to be asked */
};

/* The simple part of expr (where.h) asked of columns; dead: (n_docs) records that are not
 * there, NULL: none. That the expression is valid jq is sure only when the answer is final. */
void filter_know(struct filter_known *k, const char *expr, const struct columns *c,
                 const unsigned char *dead);
void filter_known_release(struct filter_known *k);

#endif
