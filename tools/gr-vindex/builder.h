// SPDX-License-Identifier: MIT
/*
 * builder.h — records and vectors gathered in memory and written as a .gri
 *
 * Records are in the order of their last writing: one that is put again goes to the end.
 *
 * Memory: the records without their embeddings, 4 · dim bytes a vector, about 60 bytes and the
 * id a record; while writing also the postings (about a third of the text).
 */
#ifndef BUILDER_H
#define BUILDER_H

#include "analyzer.h"
#include "err.h"
#include "file.h"
#include "gr.h"
#include "ivf.h"
#include "json.h"
#include "sv.h"

/* What one index holds must fit together: the model and dimension of its vectors. */
struct vec_kind {
    bool is_set;
    struct buf model; /* "" when the records state none */
    size_t dim;
};

/* Note the first vector's kind, compare the others': EXIT_FATAL names both when they differ. */
int vec_kind_check(struct vec_kind *k, struct sv model, size_t dim, struct err *err);

struct builder; /* opaque */

struct builder *builder_new(void);
void builder_free(struct builder *b);

/*
 * Take one chunk record: `id`, `embedding` and `embedding_model`, or no embedding but one of
 * the text fields (fields: "title,section,text"). *is_old: the id was there already and is
 * replaced. EXIT_REJECTED: no id, no embedding and no text, a vector with
 * NaN or of no length. EXIT_FATAL: another dimension or model than the vectors before.
 */
int builder_add(struct builder *b, const struct rec *r, const char *fields, bool *is_old,
                struct err *err);

/* Take a record of another index as it is: raw without embedding, vec of length 1 or NULL. */
int builder_put(struct builder *b, struct sv id, struct sv raw, const float *vec, size_t dim,
                struct sv model, bool *is_old, struct err *err);

/* Vectors must be of this model and dimension, as those of an index they are added to. */
void builder_set_kind(struct builder *b, struct sv model, size_t dim);

/* Put all records of another builder, in order. EXIT_FATAL: too many, or of two kinds. */
int builder_put_all(struct builder *b, struct builder *from, struct err *err);

/* Id of a record < builder_count, after builder_settle; valid until the next change. */
struct sv builder_id(const struct builder *b, size_t doc);

/* Bring records into their order and drop what was replaced, in place. O(n) the first time. */
void builder_settle(struct builder *b);

/* How approximate search is made; unless called, IVF_TARGET and IVF_MIN_ROWS. */
void builder_set_ivf(struct builder *b, const struct ivf_cfg *cfg);

/* How vectors are kept, an enum gri_store; unless called, as floats. */
void builder_set_store(struct builder *b, int store);

size_t builder_count(const struct builder *b);

/* Analyse and write everything to an open writer as a whole file. analyzer NULL: no postings.
 */
void builder_write(struct builder *b, const struct analyzer *analyzer, const char *fields,
                   unsigned jobs, struct out *out);

/* The same as a segment alone; returns its size. */
uint64_t builder_write_segment(struct builder *b, const struct analyzer *analyzer,
                               const char *fields, unsigned jobs, struct out *out);

/* Append to `out` the texts named in fields ("a,b") of a raw record, a NUL after each; of an
 * array, its strings, those of `terms` as terms. Other members are passed over. For
 * sparse_build. */
void raw_texts(struct sv raw, const char *fields, struct buf *out);

/* Does one of these texts hold more than white space? */
bool raw_has_text(struct sv raw, const char *fields);

#endif
