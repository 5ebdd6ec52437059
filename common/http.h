// SPDX-License-Identifier: MIT
/*
 * http.h — JSON requests to services, with retries that do no harm
 *
 * Retried: connection failures, time-outs, cut replies, 408, 429 and 5xx. The wait is full
 * jitter (random in 0 … min(cap, base·2^try)), or what Retry-After asks for when that is
 * longer. Never retried: any other 4xx, an error whose body says insufficient_quota (then
 * EXIT_SERVICE), and a 5xx that says its input is too large or too long (EXIT_REJECTED). Only
 * http and https are spoken; redirects are not followed; replies over max_reply bytes are
 * refused.
 */
#ifndef GR_HTTP_H
#define GR_HTTP_H

#include "buf.h"
#include "err.h"
#include "gr.h"

struct http_cfg {
    const char *url;            /* full URL of the endpoint */
    const char *key;            /* bearer token, NULL: none; never printed */
    const char *const *headers; /* further "Name: value" lines, NULL-ended; may be NULL */
    long timeout_ms;            /* a whole request, 0: 120000 */
    long tries;                 /* at most, 0: 6 */
    long base_wait_ms;          /* 0: 500 */
    long max_wait_ms;           /* 0: 60000 */
    size_t max_reply;           /* bytes, 0: 256 MiB */
    uint64_t seed;              /* of the jitter */
};

/* One connection, kept open between requests. One thread at a time; make one for each worker.
 */
struct http;

struct http *http_new(const struct http_cfg *cfg, struct err *err);
void http_free(struct http *h);

/* POST body (JSON) and put the reply's body into *reply. 0 on 2xx. Otherwise -1 with err:
 * EXIT_REJECTED for a 4xx that will not change (the service's own words are in the message),
 * EXIT_SERVICE when it stayed unavailable after all tries. *status (may be NULL) is the last
 * HTTP status, 0 when there was none. */
int http_post(struct http *h, struct sv body, struct buf *reply, long *status, struct err *err);

/* GET, alike. */
int http_get(struct http *h, struct buf *reply, long *status, struct err *err);

/* For event streams: bytes are handed to fn as they arrive (return false to stop early, which
 * is no error). Retried only while nothing has arrived. */
int http_post_stream(struct http *h, struct sv body, bool (*fn)(void *ctx, struct sv bytes),
                     void *ctx, long *status, struct err *err);

/* base + path with exactly one slash between ("http://h/v1", "embeddings"). When base is NULL,
 * OPENAI_BASE_URL is taken. EXIT_USAGE when there is neither. */
int http_join(struct buf *url, const char *base, const char *path, struct err *err);

/* The key from a file (first line, trimmed) when file is not NULL, else from OPENAI_API_KEY,
 * else none. *key is allocated or NULL. */
int http_key(char **key, const char *file, struct err *err);

#endif
