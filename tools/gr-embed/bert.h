// SPDX-License-Identifier: MIT
/*
 * bert.h — the BERT encoder (Devlin et al. 2019): token ids to hidden states
 *
 * Texts lie beside each other without padding, and the states of one depend on its own ids
 * only, to the last bit, whatever else is computed before or beside it. One thread a call: run
 * as many scratches in parallel as there are processors.
 */
#ifndef GR_BERT_H
#define GR_BERT_H

#include "err.h"
#include "gr.h"
#include "kernels.h"
#include "safetensors.h"
#include "sv.h"

struct bert_config {
    size_t hidden;        /* H, a multiple of heads * KERNEL_PAD */
    size_t layers;        /* L */
    size_t heads;         /* A */
    size_t intermediate;  /* I, a multiple of KERNEL_PAD */
    size_t max_positions; /* P: longest input in tokens */
    float eps;            /* of the layer norms */
    enum activation act;
};

struct bert;         /* weights: const after loading, shared by threads */
struct bert_scratch; /* working memory of one thread */

/* Read the text of a config.json. -1 and err (EXIT_FATAL) for another model_type than "bert",
 * relative positions, an unknown activation, or sizes that cannot be. */
int bert_config_parse(struct bert_config *cfg, struct sv json, struct err *err);

/* Take the weights out of a file for one set of kernels: matrices are packed into huge pages
 * (4 L H (H + I/2) numbers of its precision), the word-embedding table is read where it lies.
 * `st` must outlive the result. NULL and err when a tensor is missing or of another shape. Free
 * with bert_free. */
struct bert *bert_new(const struct bert_config *cfg, const struct kernels *k,
                      const struct safetensors *st, struct err *err);
void bert_free(struct bert *b); /* NULL is fine */

size_t bert_vocab_size(const struct bert *b);

/* Working memory for up to max_tokens tokens at once, at most max_positions of them in one
 * text: max_tokens * (7 H + 2 I) floats or less, and a little. Free with bert_scratch_free. */
struct bert_scratch *bert_scratch_new(const struct bert *b, size_t max_tokens);
void bert_scratch_free(struct bert_scratch *s); /* NULL is fine */

/* The last layer's states of n_texts texts, ends[n_texts - 1] rows of H float32, valid until
 * the scratch is used again. Text t is ids[ends[t - 1] … ends[t]) (from 0 for the first), not
 * empty; at most max_tokens ids in all, each below bert_vocab_size; token types are all 0. A
 * text's states are the same bits as when it is computed alone; together, short texts take less
 * time. */
const float *bert_forward(const struct bert *b, struct bert_scratch *s, const int32_t *ids,
                          const size_t *ends, size_t n_texts);

/* Pairs of texts: in the next forward pass with this scratch the tokens of text t from the
 * second[t]-th on (counted in the text) have token type 1. Borrowed until then. -1 and err when
 * the model has no such type. */
int bert_pairs(const struct bert *b, struct bert_scratch *s, const size_t *second,
               struct err *err);

#endif
