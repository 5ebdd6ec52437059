// SPDX-License-Identifier: MIT
/*
 * chat.h — asking an OpenAI-compatible /chat/completions service, and reading what it says
 *
 * Sources are hostile text: they are put between two marks that hold a hash of them, so that no
 * source can write the closing one, and the system prompt says that nothing between is an
 * instruction. What the model says is checked afterwards like any other answer (check.h).
 */
#ifndef CHAT_H
#define CHAT_H

#include "context.h"
#include "http.h"
#include "llm.h"

struct chat_cfg {
    const char *model;
    struct sv system, user; /* prompts; {{query}} and {{context}} are filled in */
    long max_tokens, seed;
    double temperature;
    bool is_stream;
    struct cache *cache; /* of whole replies; NULL: none */
};

/* Append the request body (JSON). */
void chat_request(struct buf *out, const struct chat_cfg *cfg, struct sv query,
                  const struct context *c);

struct chat_reply {
    struct llm_reply llm;
    bool is_done;                 /* a stream has said [DONE] */
    void (*on_text)(struct sv s); /* stream: called with each piece of text; may be NULL */
    struct err err;               /* stream: what went wrong; code EXIT_ALL_DONE: nothing */
};

void chat_reply_init(struct chat_reply *r);
void chat_reply_release(struct chat_reply *r);

/* The data of one event of a stream: sse_fn with a struct chat_reply. A first delta without
 * content, an empty `choices` that carries usage, and [DONE] are all fine. */
bool chat_read_event(void *reply, struct sv data);

/* Send the body and read the reply into *r, as a stream when cfg says so. -1 with err as
 * http_post, or EXIT_REJECTED when the reply holds no answer or was cut off. */
int chat_ask(struct chat_reply *r, struct http *h, const struct chat_cfg *cfg, struct sv body,
             struct err *err);

#endif
