// SPDX-License-Identifier: MIT
/*
 * generate.h — one query record with its context in, the same with an answer out
 */
#ifndef GENERATE_H
#define GENERATE_H

#include "chat.h"
#include "extract.h"

enum generate_format { GENERATE_JSON, GENERATE_TEXT };

struct generate_cfg {
    struct extract_cfg extract;
    struct chat_cfg chat;  /* used when url is not NULL, or is_dry_run */
    const char *url;       /* of /chat/completions; NULL: extractive */
    const char *key;       /* NULL: none */
    long tries, timeout_s; /* of a request */
    bool is_dry_run;
    int format;                   /* enum generate_format */
    void (*on_text)(struct sv s); /* a stream's text as it comes; NULL: not wanted */
};

struct generator;

/* cfg is borrowed. workers: threads that will call generate_record. NULL with err. */
struct generator *generator_new(const struct generate_cfg *cfg, unsigned workers,
                                struct err *err);
void generator_free(struct generator *g); /* NULL is fine */

/* Append the answered record (or its text form, or the request for --dry-run). -1 with err:
 * EXIT_REJECTED for a record or a reply of the wrong form, EXIT_SERVICE when the service stayed
 * away. An empty context is answered by the refusal, and no service is asked. */
int generate_record(struct generator *g, unsigned worker, const struct rec *r, struct buf *out,
                    struct err *err);

#endif
