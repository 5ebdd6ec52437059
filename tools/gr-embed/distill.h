// SPDX-License-Identifier: MIT
/*
 * distill.h — a table (table.h) that imitates a model on a corpus
 *
 * 1. The teacher embeds every text, one sentence of each, and every piece of the vocabulary.
 * 2. Principal components of those vectors (LAPACKE dsyevd) reduce them to dim numbers, Y.
 * 3. A piece starts from x, its reduced vector without the mean of all pieces, weighted by w =
 *    a / (a + p) with p its frequency (Arora et al. 2017), and one linear map A, ridge-fitted
 *    so that the mean of w x A over a text's pieces comes near Y. It serves pieces the corpus
 *    lacks, too.
 * 4. What is left is fitted piece by piece: min |B D - (Y - F A)|^2 + lambda |D|^2, B the bags
 *    of pieces and F = B w x, by conjugate gradients. The table is w x A + D; a piece without
 *    evidence has D = 0.
 *
 * 5. The mean vector of the examples is taken from every row (Mu and Viswanath 2018): nDCG@10
 *    gains on the corpus and more on others.
 *
 * lambda is the one that is best on every eighth text, held out; then all texts are used.
 */
#ifndef GR_DISTILL_H
#define GR_DISTILL_H

#include "buf.h"
#include "encoder.h"
#include "err.h"
#include "gr.h"
#include "table.h"

struct distill_cfg {
    size_t dim;    /* of the table, a multiple of TABLE_LANES, at most the teacher's */
    double lambda; /* < 0: chosen */
    unsigned jobs; /* threads; the bytes do not depend on them */
};

struct distill; /* the corpus so far: its texts and their pieces */

/* teacher: borrowed. */
struct distill *distill_new(const struct encoder *teacher);
void distill_free(struct distill *d); /* NULL is fine */

/* Take a text of the corpus: copied. */
void distill_add(struct distill *d, struct sv text);
size_t distill_count(const struct distill *d); /* texts so far */

/*
 * Fit. `parts` is filled; its pointers are valid until distill_free. -1 and err (EXIT_FATAL)
 * when there are fewer than 16 texts or the linear algebra library is missing or fails.
 * Memory: (texts * 2 + pieces * 3) * teacher's dim floats. */
int distill_fit(struct distill *d, const struct distill_cfg *cfg, struct table_parts *parts,
                struct err *err);

#endif
