// SPDX-License-Identifier: MIT
/*
 * chroma_load.h — records into a collection, batch by batch
 *
 * Records go by upsert, so that what was sent twice is there once, and an upload that was
 * killed is gone on with by sending the same again: before each batch the server is asked which
 * of its records it has word for word, and those are not sent. A batch that the server refuses
 * is halved until the record at fault is alone.
 */
#ifndef CHROMA_LOAD_H
#define CHROMA_LOAD_H

#include "builder.h"
#include "chroma.h"

struct chroma_load; /* opaque */

struct chroma_load_cfg {
    size_t batch;       /* records a request, at most; the server's own limit goes first */
    const char *fields; /* which members are text, to say what is missing */
    /* Called for each record that the server refused; rec is valid during the call. */
    void (*refuse)(void *ctx, const struct rec *rec, const struct err *err);
    void *ctx;
};

struct chroma_load_stats {
    size_t n_sent, n_there; /* records sent, and those that were there already */
};

/* c, info: borrowed and, info, kept up to date. */
struct chroma_load *chroma_load_new(struct chroma *c, struct chroma_info *info,
                                    const struct chroma_load_cfg *cfg);
void chroma_load_free(struct chroma_load *l);

/* Take a record; sends when a batch is full. EXIT_REJECTED: no id, no vector or a bad one.
 * EXIT_FATAL: a vector of another dimension or model, a wrong reply. EXIT_SERVICE. */
int chroma_load_add(struct chroma_load *l, const struct rec *r, struct err *err);

/* Send what is left, and note that the upload is complete. */
int chroma_load_end(struct chroma_load *l, struct chroma_load_stats *stats, struct err *err);

#endif
