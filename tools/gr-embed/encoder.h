// SPDX-License-Identifier: MIT
/*
 * encoder.h — text to one vector: a sentence-transformers folder (tokenizer, BERT, pooling)
 *
 * Reads what folder.h tells, and model.safetensors, whole or in shards. Vectors equal those of
 * sentence-transformers within 1e-6.
 */
#ifndef GR_ENCODER_H
#define GR_ENCODER_H

#include "err.h"
#include "folder.h"
#include "gr.h"
#include "kernels.h"
#include "safetensors.h"
#include "sv.h"
#include "wordpiece.h"

struct encoder;         /* const after loading, shared by threads */
struct encoder_scratch; /* working memory of one thread */

/* What to do with a text of more tokens than the model reads at once. */
enum long_mode {
    LONG_MEAN,     /* cut into equal windows, mean of their vectors weighted by tokens */
    LONG_TRUNCATE, /* only the beginning, as sentence-transformers does */
    LONG_ERROR,    /* reject */
};

struct embed_info {
    size_t n_tokens;  /* without [CLS] and [SEP]: of the whole text; with LONG_TRUNCATE of as
                       * much as had to be read, more than encoder_max_tokens when it is long */
    size_t n_windows; /* forward passes: 1 unless long and LONG_MEAN */
    bool is_long;     /* more tokens than encoder_max_tokens */
};

/* Load the folder. NULL and err (EXIT_FATAL, with the file's path) when a file is missing or
 * damaged, or the model has a part that is not supported. Free with encoder_free. */
struct encoder *encoder_new(const char *dir, struct err *err);

/* The same with the fastest kernels of a precision; encoder_new: PRECISION_F32. EXIT_USAGE when
 * the processor has no arithmetic of that precision. */
struct encoder *encoder_open(const char *dir, enum precision precision, struct err *err);

/* The same with one set of kernels: for tests and checks. */
struct encoder *encoder_open_with(const char *dir, const struct kernels *k, struct err *err);

/* The kernels it computes with. */
const struct kernels *encoder_kernels(const struct encoder *e);
void encoder_free(struct encoder *e); /* NULL is fine */

/* Length of the vectors. */
size_t encoder_dim(const struct encoder *e);

/* Most tokens of text in one forward pass (max_seq_length without [CLS] and [SEP]). */
size_t encoder_max_tokens(const struct encoder *e);

/* "name/dimension/revision" for `embedding_model`: the folder's name, and 8 hex digits of a
 * SHA-256 over the configuration, the weights' header and samples of every tensor. Two models
 * that differ in any of them never get the same; the 90 MB of weights are not read for it. f32
 * and bf16 share a name: their vectors may lie in one index (cosine >= 0.9999). int8 has
 * "-int8" behind the revision. */
const char *encoder_model(const struct encoder *e);

/* About 10 MB for MiniLM. Free with encoder_scratch_free. */
struct encoder_scratch *encoder_scratch_new(const struct encoder *e);
void encoder_scratch_free(struct encoder_scratch *s); /* NULL is fine */

/* One text to embed. */
struct embed_item {
    struct sv text;         /* UTF-8, borrowed */
    float *out;             /* room for encoder_dim floats, the caller's */
    struct embed_info info; /* filled */
    bool is_refused;        /* set: long under LONG_ERROR, out is untouched */
};

/*
 * Put the vector of each text into its `out`; unit length when the model has a Normalize
 * module. The same bits for the same text, whatever is embedded before or with it; short texts
 * together take up to half the time. An empty text gives the vector of [CLS] [SEP].
 */
void encoder_embed(const struct encoder *e, struct encoder_scratch *s, struct embed_item *items,
                   size_t n, enum long_mode mode);

/* The vectors of single vocabulary pieces, [CLS] piece [SEP] each: ids first … first + n - 1
 * into out (n, dim). For tables (table.h); the same bits for any first and n. */
void encoder_embed_pieces(const struct encoder *e, struct encoder_scratch *s, size_t first,
                          size_t n, float *out);

/* One pair of texts, as token ids with special tokens. */
struct encoder_pair {
    const int32_t *ids; /* (n), n <= encoder_max_len */
    size_t n, second;   /* from ids[second] on it is the second text */
    float *out;         /* room for encoder_dim floats, the caller's */
};

/* Put the last layer's state of [CLS] of each pair into its `out`: what the head of a
 * cross-encoder starts from. The same bits for any neighbours. -1 and err (EXIT_FATAL) when the
 * model reads no pairs. */
int encoder_pairs(const struct encoder *e, struct encoder_scratch *s,
                  const struct encoder_pair *pairs, size_t n, struct err *err);

/* Tokens of one forward pass, special tokens included. */
size_t encoder_max_len(const struct encoder *e);

/* The weights, for tensors beyond BERT's own; borrowed. */
const struct safetensors *encoder_weights(const struct encoder *e);

/* The tokenizer, and all else that the folder says; borrowed. */
const struct wordpiece *encoder_words(const struct encoder *e);
const struct folder *encoder_folder(const struct encoder *e);

/* The token ids of the last forward pass, n of them, with [CLS] and [SEP] of each text: for
 * tests. */
const int32_t *encoder_last_ids(const struct encoder_scratch *s, size_t *n);

#endif
