// SPDX-License-Identifier: MIT
/*
 * chroma.h — a collection of a Chroma server over version 2 of its HTTP API
 *
 * What gr-vindex keeps there of a record: its id, its vector of length 1, `text` as the
 * document, and as metadata the scalar members (null and strings of more than 1024 bytes left
 * out) and two of its own: "gr_record", the record as JSON without id, text and vector, and
 * "gr_sum", by which an upload knows what is there already. The collection's metadata say which
 * model made the vectors ("gr_model"), whether an upload is complete ("gr_state") and which
 * members are not numbers in some record ("gr_mixed"). A collection made by others is read as
 * far as it goes: its metadata are the record's members.
 *
 * From the environment: CHROMA_TOKEN (sent as bearer token and as x-chroma-token, never
 * printed), CHROMA_TENANT, CHROMA_DATABASE.
 */
#ifndef CHROMA_H
#define CHROMA_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "json.h"
#include "map.h"
#include "sv.h"
#include "where.h"

#define CHROMA_MAX_VALUE 1024 /* bytes of a string among the metadata */
#define CHROMA_OWN "gr_"      /* how our own metadata begin */

struct chroma_cfg {
    const char *url;        /* "http://host:8000" */
    const char *collection; /* name */
    long timeout_s, tries;
    uint64_t seed;
};

/* What is known of the collection. */
struct chroma_info {
    bool is_there, is_ours, is_loading;
    char id[64];
    size_t count, dim;     /* dim 0: nothing is in it yet */
    size_t max_batch;      /* records a request */
    bool takes_base64;     /* vectors may be sent so */
    struct buf model;      /* "" when unknown */
    struct buf space;      /* "cosine", "l2", "ip" */
    struct buf other_meta; /* members of its metadata that are not ours: ,"k":v… */
    struct map *mixed;     /* members that are not numbers everywhere */
};

struct chroma; /* one connection, of one thread */

/* Nothing is sent yet. EXIT_USAGE: no http(s) address, one with a password, a name that Chroma
 * does not take. */
struct chroma *chroma_new(const struct chroma_cfg *cfg, struct err *err);
void chroma_free(struct chroma *c); /* NULL is fine */

/* "http://host:8000 NAME", for messages. */
const char *chroma_name(const struct chroma *c);

/* Ask for everything in info (released by chroma_info_release, also after a failure). That
 * there is no such collection is no error. EXIT_FATAL: no Chroma, refused, a wrong reply;
 * EXIT_SERVICE: not to be reached. */
int chroma_look(struct chroma *c, struct chroma_info *info, struct err *err);
void chroma_info_release(struct chroma_info *info);

/* The same, and EXIT_FATAL when there is no such collection. */
int chroma_need(struct chroma *c, struct chroma_info *info, struct err *err);

/* Make the collection, of cosine space; look again afterwards. */
int chroma_create(struct chroma *c, struct err *err);
int chroma_drop(struct chroma *c, struct err *err);

/* Set the collection's metadata to what info says. */
int chroma_note(struct chroma *c, const struct chroma_info *info, struct err *err);

/*
 * POST body to one of the collection's own addresses: "upsert", "query", "get", "delete".
 * *reply (json_free) is an object. *status (may be NULL): the last HTTP status. EXIT_REJECTED:
 * what was sent is at fault (too large, not accepted).
 */
int chroma_post(struct chroma *c, const struct chroma_info *info, const char *what,
                struct sv body, jv *reply, long *status, struct err *err);

/* EXIT_FATAL: "…: a reply that is not understood: WHAT". */
int chroma_odd(const struct chroma *c, const char *what, struct err *err);

/* Append Chroma's `where` of an expression: true of every record that the expression selects,
 * and maybe of others. False: nothing can be said, and nothing is appended. */
bool chroma_where(const struct where *w, const struct chroma_info *info, struct buf *out);

/* May a member of this name be among the metadata? */
bool chroma_takes_key(struct sv key);

/* Append a record without its vector, from ids[i], documents[i], metadatas[i] of a reply: one
 * JSON object without line end. EXIT_FATAL: they are not what they should be. */
int chroma_record(const struct chroma *c, jv id, jv document, jv metadata, struct buf *out,
                  struct err *err);

#endif
