// SPDX-License-Identifier: MIT
/*
 * llm.h — chat models behind OpenAI's /chat/completions: requests, replies, replies kept
 *
 * What a model says is outside text: whoever asks checks it. Replies that were kept
 * (cache.h) are given again for the same request, so that a run that was stopped, or is run
 * again, pays nothing twice and says the same.
 */
#ifndef GR_LLM_H
#define GR_LLM_H

#include "buf.h"
#include "cache.h"
#include "err.h"
#include "gr.h"
#include "json.h"
#include "sv.h"

/* ---- replies ---- */

struct llm_reply {
    struct buf text;           /* the answer, without thoughts and white space around it */
    struct buf model;          /* as the service names it; may be empty */
    char finish[24];           /* "stop", "length", …; "" when not told */
    double n_prompt, n_answer; /* usage in tokens; NaN: not told */
};

void llm_reply_init(struct llm_reply *r);
void llm_reply_release(struct llm_reply *r);

/* A whole reply. -1 with err (EXIT_REJECTED) when it holds no answer. */
int llm_reply_read(struct llm_reply *r, struct sv body, struct err *err);

/* Pieces of it, for replies that come as a stream. llm_reply_error: -1 when v is
 * {"error":{"message":…}}. llm_reply_note: model, finish and usage of an event; choice may be
 * null. llm_reply_end: the text is whole; -1 when it is empty or too long. */
int llm_reply_error(jv v, struct err *err);
void llm_reply_note(struct llm_reply *r, jv v, jv choice);
int llm_reply_end(struct llm_reply *r, struct err *err);

/* ---- requests ---- */

struct llm_message {
    const char *role; /* "system", "user", "assistant" */
    struct sv content;
};

/* A {{name}} of a prompt and what stands for it. */
struct llm_slot {
    const char *name;
    struct sv text;
};

/* Append a prompt with its {{name}}s replaced; what is filled in is not looked at again, other
 * {{names}} stay. */
void llm_fill(struct buf *out, struct sv prompt, const struct llm_slot *slots, size_t n);

/* Read a prompt: `file`, or when that is NULL the installed one of that name. -1 with err
 * (EXIT_FATAL). */
int llm_prompt_read(struct buf *out, const char *file, const char *data_dir, const char *name,
                    struct err *err);

/* Append outside text between two lines "<<<LABEL-…" and "LABEL-…>>>" that hold a hash of it:
 * no text can write its own closing line. */
void llm_fence(struct buf *out, const char *label, struct sv text);

/* How a service is to be held to JSON: by a schema, to any object, or not at all. */
enum llm_form { LLM_SCHEMA, LLM_OBJECT, LLM_FREE };
#define LLM_FORMS "schema|object|none"

struct llm_cfg {
    const char *api; /* base address, NULL or "": OPENAI_BASE_URL */
    const char *key_file, *model, *cache;
    long max_tokens, seed, tries, timeout_s;
    double temperature;
    int form;                /* enum llm_form */
    const char *schema_name; /* letters, digits, _ */
    struct sv schema;        /* JSON schema, for LLM_SCHEMA; "": LLM_FREE */
};

/* Append the request body (JSON). */
void llm_request(struct buf *out, const struct llm_cfg *cfg, const struct llm_message *m,
                 size_t n);

struct llm; /* a service and its connections, one for each worker */

/* cfg is borrowed. NULL with err: EXIT_USAGE without an address, EXIT_FATAL for key file or
 * cache. */
struct llm *llm_new(const struct llm_cfg *cfg, unsigned n_workers, struct err *err);
void llm_free(struct llm *l); /* NULL is fine */

/* Ask, or take what was kept. raw: the reply's body, for llm_keep. -1 with err as http_post, or
 * EXIT_REJECTED when the reply holds no answer (raw has what came). */
int llm_ask(struct llm *l, unsigned worker, struct sv request, struct llm_reply *r,
            struct buf *raw, struct err *err);

/* Keep a reply that proved usable; nothing without a cache or when it came from there. */
int llm_keep(struct llm *l, struct sv request, struct sv raw, struct err *err);

/* Is the reply to this request kept? */
bool llm_has(struct llm *l, struct sv request);

/* The cache of a service's replies, for callers with requests of their own; NULL with err. */
struct cache *llm_cache_open(const char *dir, struct sv url, struct err *err);
/* 1 and the reply's body appended, 0: none is kept, -1 with err (EXIT_FATAL). */
int llm_cache_get(struct cache *c, struct sv request, struct buf *raw, struct err *err);
int llm_cache_put(struct cache *c, struct sv request, struct sv raw, struct err *err);

/* ---- JSON in what a model says ---- */

/* A value among words; n_broken is added to. */
struct llm_json {
    jv v; /* the caller's, to be freed with json_free */
    bool is_cut;
    size_t n_bytes;  /* of the text that it is read from */
    size_t n_broken; /* objects with none inside that were passed over: they are no JSON */
};

/* The next value at or behind byte *pos, which is put behind it. False: there is none. */
bool llm_json_next(struct sv text, size_t *pos, struct llm_json *found);

/*
 * Find the JSON value in a model's text: bare, in a fence (```json), or among words; the
 * longest of several. Where it breaks off (a reply cut at its limit), whole elements of arrays
 * before that are kept and *is_cut is set. The caller frees *v with json_free. -1 with err
 * (EXIT_REJECTED).
 */
int llm_json(struct sv text, jv *v, bool *is_cut, struct err *err);

#endif
