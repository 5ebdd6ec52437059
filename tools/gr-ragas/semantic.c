// SPDX-License-Identifier: MIT
/*
 * semantic.c — two texts through the model, and a cosine
 */
#include "semantic.h"

#include <math.h>

#include "alloc.h"
#include "vec.h"

struct semantic {
    const struct encoder *encoder;
    struct encoder_scratch *scratch;
    float *vectors; /* (2, dim) */
};

struct semantic *semantic_new(const struct encoder *e)
{
    struct semantic *s = alloc_zero(1, sizeof *s);
    s->encoder = e;
    s->scratch = encoder_scratch_new(e);
    s->vectors = alloc_array(2 * encoder_dim(e), sizeof *s->vectors);
    return s;
}

void semantic_free(struct semantic *s)
{
    if (!s)
        return;
    encoder_scratch_free(s->scratch);
    free(s->vectors);
    free(s);
}

double semantic_similarity(struct semantic *s, struct sv a, struct sv b)
{
    size_t dim = encoder_dim(s->encoder);
    float *va = s->vectors, *vb = s->vectors + dim;
    struct embed_item items[2] = { { .text = a, .out = va }, { .text = b, .out = vb } };
    encoder_embed(s->encoder, s->scratch, items, ARRAY_LEN(items), LONG_MEAN);
    double length = (double)vec_norm(va, dim) * (double)vec_norm(vb, dim);
    return length > 0 ? (double)vec_dot(va, vb, dim) / length : NAN;
}
