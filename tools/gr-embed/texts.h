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
    const char *field;  /* what is embedded of records that are no queries */
    const char *prefix; /* put before every text (NULL: nothing), as some models ask for */
    bool is_query;      /* every record is a query record */
    int format;         /* of the vectors, enum vector_format */
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

/* Vectors of some texts, and where they come from; lives as long as its maker says. */
struct vectors {
    const float *v; /* (n, dim) row-major */
    size_t dim;
    const char *model; /* for `embedding_model` */
};

/* True when r counts as a query record. */
bool texts_is_query(const struct texts_cfg *cfg, const struct rec *r);

/* Append the texts of one record and put how many into *n (> 0). -1 with err (EXIT_REJECTED),
 * nothing appended, when the field is missing or of a wrong kind. */
int texts_add(struct texts *t, const struct texts_cfg *cfg, const struct rec *r, size_t *n,
              struct err *err);

/* Append the record with n of the vectors, from the first-th on, and `embedding_model`. Earlier
 * values of these fields are replaced; every other byte is kept. */
void texts_write(struct buf *out, const struct texts_cfg *cfg, const struct rec *r,
                 const struct vectors *vectors, size_t first, size_t n);

#endif
