// SPDX-License-Identifier: MIT
/*
 * api.h — vectors from a service that speaks OpenAI's /embeddings
 *
 * Asks for base64 and takes arrays as well, places vectors by their `index`, and checks that
 * each text got one, that all have one length, and that every number is finite.
 */
#ifndef GR_API_H
#define GR_API_H

#include "err.h"
#include "gr.h"
#include "texts.h"

struct api_cfg {
    const char *url;      /* base, "http://127.0.0.1:8080/v1"; "" or NULL: OPENAI_BASE_URL */
    const char *model;    /* its name for the service */
    const char *key_file; /* NULL: OPENAI_API_KEY, or none */
    long dimensions;      /* asked for; 0: the model's own number */
    long tries;           /* of one request */
    long timeout_s;
    uint64_t seed;
};

struct api;      /* shared by threads */
struct api_conn; /* one connection, one thread at a time */

/* NULL with err when there is no URL or the key file cannot be read. Opens no connection. */
struct api *api_new(const struct api_cfg *cfg, struct err *err);
void api_free(struct api *a); /* after its connections; NULL is fine */

/* Append the name for `embedding_model` ("MODEL/dimension/api"), and what names the service and
 * its model in a cache. */
void api_model(const struct api *a, size_t dim, struct buf *out);
void api_scope(const struct api *a, struct buf *out);

struct api_conn *api_connect(struct api *a, struct err *err);
void api_disconnect(struct api_conn *c); /* NULL is fine */

/*
 * Vectors of texts first … first+n-1 (n > 0), valid until the next call on this connection;
 * their model is "MODEL/dimension/api". A text whose vector is unusable (not finite, zero, no
 * numbers) has a note that says so. -1 with err: EXIT_REJECTED when the service refuses these
 * texts, EXIT_SERVICE when it stays unavailable or does not keep to the protocol (no list,
 * another number or length of vectors).
 */
int api_embed(struct api_conn *c, const struct texts *t, size_t first, size_t n,
              struct vectors *out, struct err *err);

#endif
