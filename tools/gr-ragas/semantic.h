// SPDX-License-Identifier: MIT
/*
 * semantic.h — how near two texts are by the vectors of gr-embed's model
 *
 * RAGAS' semantic_similarity (Risch et al., MRQA 2021, bi-encoder form): the cosine of the two
 * vectors. Texts longer than the model reads are the mean of windows, as in gr-embed.
 */
#ifndef SEMANTIC_H
#define SEMANTIC_H

#include "../gr-embed/encoder.h"
#include "err.h"
#include "sv.h"

struct semantic; /* scratch of one thread; the encoder is shared and borrowed */

struct semantic *semantic_new(const struct encoder *e);
void semantic_free(struct semantic *s); /* NULL is fine */

/* Cosine −1 … 1; NaN when a vector has no length. One forward pass or more. */
double semantic_similarity(struct semantic *s, struct sv a, struct sv b);

#endif
