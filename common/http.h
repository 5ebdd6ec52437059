// SPDX-License-Identifier: MIT
/*
 * http.h — JSON requests to services, with retries that do no harm
 *
 * Retried: connection failures, time-outs, cut replies, 408, 429 and 5xx. The wait is full
 * jitter (random in 0 … min(cap, base·2^try)), or what Retry-After asks for when that is
 * longer. Never retried: any other 4xx, an error whose body says insufficient_quota (then
 * EXIT_SERVICE), and a 5xx that says its input is too large or too long (EXIT_REJECTED). Only
 * http and https are spoken, certificates are checked; redirects are not followed; replies over
 * max_reply bytes are refused. A password in an address is never printed. The environment's
 * http_proxy and so on count, but not for addresses of this machine.
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
 * EXIT_FATAL for those that every request will meet (401, 403, 404, a redirection),
 * EXIT_SERVICE when it stayed unavailable after all tries. *status (may be NULL) is the last
 * HTTP status, 0 when there was none. */
int http_post(struct http *h, struct sv body, struct buf *reply, long *status, struct err *err);

/* GET, alike. */
int http_get(struct http *h, struct buf *reply, long *status, struct err *err);

/* Any other method ("PUT", "DELETE"), alike; an empty body is none. */
int http_send(struct http *h, const char *method, struct sv body, struct buf *reply,
              long *status, struct err *err);

/* ---- one attempt, for callers with rules of their own about what to try again ---- */

/* One part of a multipart/form-data body; nothing is copied. */
struct http_part {
    const char *name;
    struct sv data;
    const char *filename; /* what the service is told; NULL: a plain field */
    const char *type;     /* media type, NULL: none is named */
};

/* How the last attempt went. */
struct http_last {
    long status;         /* HTTP status, 0: none came */
    long retry_after_ms; /* what the service asked for, 0: nothing */
    bool is_unreached;   /* no connection, or the request did not get out */
    bool is_untrusted;   /* unreached, since its certificate is not to be trusted */
    bool is_timed_out;   /* timeout_ms was over while the service was at work */
    bool is_cut_off;     /* the connection ended before the reply did */
};

/* POST n parts, or GET, once: a form is sent at most once, even when a connection breaks.
 * Returns and err as http_post, but a failure that may pass is returned at once. The reply of a
 * failed request holds what came. last may not be NULL. */
int http_post_form(struct http *h, const struct http_part *parts, size_t n, struct buf *reply,
                   struct http_last *last, struct err *err);
int http_get_once(struct http *h, struct buf *reply, struct http_last *last, struct err *err);

/* Another address for the requests that follow; borrowed. */
void http_set_url(struct http *h, const char *url);

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
