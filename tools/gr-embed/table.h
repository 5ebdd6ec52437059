// SPDX-License-Identifier: MIT
/*
 * table.h — static embeddings: one vector a vocabulary piece, and a text is the mean of its own
 *
 * The file (secfile.h, magic GRSTATIC) holds "meta" (a JSON object: dim, the tokenizer's flags,
 * teacher, corpus, how it was fitted, revision), "vocab" (the bytes of a vocab.txt) and
 * "vectors" (float32, pieces × dim). Frequency weights are in the vectors already.
 */
#ifndef GR_TABLE_H
#define GR_TABLE_H

#include "err.h"
#include "file.h"
#include "gr.h"
#include "sv.h"
#include "wordpiece.h"

#define TABLE_MAGIC "GRSTATIC"
#define TABLE_LANES 16 /* dim is a multiple of this */

struct table; /* const after opening, shared by threads; mapped, so shared by processes too */

/* What is written. All borrowed. */
struct table_parts {
    struct sv vocab;
    struct wordpiece_cfg words;
    size_t n, dim;        /* pieces: the largest id of vocab and one; TABLE_LANES divides dim */
    const float *vectors; /* (n, dim) */
    const char *teacher;  /* encoder_model */
    const char *corpus;   /* SHA-256 of its texts */
    double lambda;        /* of the fit */
    double cosine;        /* mean to the teacher, on texts that were held out */
};

/* Write to an open file; the caller closes it. The same parts give the same bytes. */
void table_write(struct out *out, const struct table_parts *p);

/* NULL and err (EXIT_FATAL, the path in front) when the file is no table or damaged. */
struct table *table_open(const char *path, struct err *err);
void table_free(struct table *t); /* NULL is fine */

size_t table_dim(const struct table *t);

/* "name/dimension/revision": the file's name without ".table", and 8 hex digits of a SHA-256 of
 * what is in it. */
const char *table_model(const struct table *t);

/*
 * The mean of the vectors of the text's pieces, scaled to length 1, into out (dim). An empty
 * text has that of [UNK]. All pieces of a text count, however long it is. False when the sum
 * has no direction (zero, or not finite). tokens: working memory, from {0}.
 */
bool table_embed(const struct table *t, struct wordpiece_tokens *tokens, struct sv text,
                 float *out);

#endif
