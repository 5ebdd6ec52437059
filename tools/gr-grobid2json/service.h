// SPDX-License-Identifier: MIT
/*
 * service.h — a PDF's bytes → the TEI that a running GROBID service makes of them
 *
 * POST URL/api/processFulltextDocument, multipart, as GROBID's documentation says. What is
 * tried again:
 *   - 503, 429: the service is busy, and says so as it should: waited for, up to max_wait_s for
 *     one PDF, and not counted as a failure
 *   - no connection, 502, 504, 408, a reply cut off (also a TEI without its end): up to `tries`
 *   - 500: once more: under less load the same PDF may pass. Not when the message names a fault
 *     of the PDF itself, such as [NO_BLOCKS]
 *   - our own time-out: never: the service goes on working at the first request
 *
 * Waits are full jitter: random in 0 … min(10 s, 0.5 s · 2^n); 10 s is what GROBID suggests at
 * most. A longer Retry-After is kept to.
 */
#ifndef SERVICE_H
#define SERVICE_H

#include "buf.h"
#include "err.h"
#include "form.h"
#include "gr.h"
#include "sv.h"

struct service; /* opaque; workers share it */

struct service_cfg {
    const char *url;         /* "http://localhost:8070", with or without /api */
    const struct form *form; /* borrowed */
    unsigned n_workers;
    long tries;
    long timeout_s;                        /* of one request */
    long max_wait_s;                       /* for a busy service, a PDF */
    size_t max_reply;                      /* bytes */
    uint64_t seed;                         /* of the waits */
    void (*on_long_wait)(const char *why); /* once, when a wait grows long; NULL: nobody */
};

/* Opens no connection. NULL with err: EXIT_USAGE when url is no http or https address. */
struct service *service_new(const struct service_cfg *cfg, struct err *err);
void service_free(struct service *s); /* NULL is fine */

/*
 * Put the TEI of one PDF into *tei: whole, from its XML declaration or root on to </TEI>. The
 * first call asks URL/api/isalive, once for all workers. -1 with err: EXIT_REJECTED when this
 * PDF gives none, EXIT_SERVICE when the service is not there or stays busy, EXIT_FATAL when
 * what answers there is no GROBID; after one of the last two every call fails alike. worker: 0
 * … n_workers-1, one thread at a time each.
 */
int service_tei(struct service *s, unsigned worker, struct sv pdf, struct buf *tei,
                struct err *err);

/* A reply of status 200: a TEI up to its last tag (whether it is well-formed, tei_convert
 * says), a TEI without its end or nothing, or something else; err is set for the last two. */
enum service_reply { SERVICE_REPLY_TEI, SERVICE_REPLY_CUT, SERVICE_REPLY_OTHER };
enum service_reply service_judge(struct sv reply, struct err *err);

/* So far: PDFs posted (tries and all), and waits for a busy service. */
struct service_counts {
    uint64_t n_posts, n_waits;
};
struct service_counts service_counts(struct service *s);

/* Version of libcurl; static text. */
const char *service_libs(void);

#endif
