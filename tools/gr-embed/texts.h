// SPDX-License-Identifier: MIT
/*
 * texts.h — which texts of a record get a vector, and how the vectors go back into it
 *
 * A query record (it has `query` and lacks the field) gives each entry of `queries`, else
 * `query`, and gets `embeddings`; any other record gives its field and gets `embedding`.
 */
#ifndef GR_TEXTS_H
#define GR_TEXTS_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "json.h"
#include "sv.h"

#define TEXTS_MAX_QUERIES 1000 /* entries of one record's `queries` */

enum vector_format { FORMAT_BASE64, FORMAT_ARRAY };

struct texts_cfg {
    const char *field;  /* what is embedded of records that are no queries; NULL: embed_text
                           where a record has it, else text */
    const char *prefix; /* put before every text (NULL: nothing), as some models ask for */
    const char *query_prefix; /* and before every query */
    bool is_query;            /* every record is a query record */
    int format;               /* of the vectors, enum vector_format */
    size_t dim; /* numbers that are kept, scaled to length 1 again; 0: all, as they are */
};

/* Copies of the texts of one or more records. Start from {0}. */
struct texts {
    struct buf bytes;
    size_t *ends; /* (n) end of each text in bytes */
    size_t n, cap;
};

void texts_reset(struct texts *t);
void texts_release(struct texts *t);
struct sv texts_at(const struct texts *t, size_t i); /* valid until the next add */

/* Append one text as it is. */
void texts_put(struct texts *t, struct sv text);

/* What is to be said of one text. */
struct text_note {
    char *why;   /* it has no vector, and why; NULL: it has one */
    bool is_cut; /* only its beginning was read */
};

/* Notes on n texts, all cleared; `notes` is working memory, from {0}. */
struct text_notes {
    struct text_note *at; /* (n) */
    size_t n, cap;
};
void notes_reset(struct text_notes *notes, size_t n);
void notes_release(struct text_notes *notes);
void note_fault(struct text_note *note, const char *fmt, ...) GR_PRINTF(2, 3);

/* Vectors of some texts, and where they come from; lives as long as its maker says. */
struct vectors {
    const float *v; /* (n, dim) row-major */
    size_t dim;
    const char *model;             /* "name/dim/revision", for `embedding_model` */
    const struct text_note *notes; /* (n), NULL: nothing to say */
};

/* About how many tokens a text has for a service whose tokenizer is not known: a third of its
 * bytes, rather too many. */
size_t texts_tokens(struct sv text);

/* True when r counts as a query record. */
bool texts_is_query(const struct texts_cfg *cfg, const struct rec *r);

/* Append the texts of one record and put how many into *n (> 0). -1 with err (EXIT_REJECTED),
 * nothing appended, when the field is missing or of a wrong kind. */
int texts_add(struct texts *t, const struct texts_cfg *cfg, const struct rec *r, size_t *n,
              struct err *err);

/* Append the record with n of the vectors, from the first-th on, and `embedding_model`; with
 * `embedding_truncated` when a text was cut. Earlier values of these fields are replaced; every
 * other byte is kept. -1 and err (EXIT_REJECTED), nothing appended, when one of the texts has
 * no vector; EXIT_FATAL when cfg->dim is more than there are numbers. */
int texts_write(struct buf *out, const struct texts_cfg *cfg, const struct rec *r,
                const struct vectors *vectors, size_t first, size_t n, struct err *err);

#endif
