// SPDX-License-Identifier: MIT
/*
 * mmr.h — maximal marginal relevance: hits that are relevant and unlike those before
 */
#ifndef MMR_H
#define MMR_H

#include "gr.h"

/*
 * Carbonell & Goldstein, SIGIR 1998: one after the other, the document of the largest
 *     lambda · relevance - (1 - lambda) · greatest cosine to a document chosen before
 * relevance: (n), put on a scale of 0 … 1 here. vectors: (n) of dim floats of length 1, NULL: a
 * document without, like none. Equals come in the order given. order: (k), filled with places;
 * k <= n. O(k · n · dim).
 */
void mmr_order(const double *relevance, const float *const *vectors, size_t n, size_t dim,
               double lambda, size_t k, size_t *order);

#endif
