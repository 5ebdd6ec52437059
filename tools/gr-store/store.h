// SPDX-License-Identifier: MIT
/*
 * store.h — a place for records by id: an NDJSON file, or a MongoDB collection
 *
 * Both take the same filters, a part of MongoDB's query language over JSON values:
 *   {"year":2020}  {"year":{"$gte":2000,"$lt":2010}}  {"kind":{"$in":["body","table"]}}
 *   {"doi":{"$exists":true}}  {"paper":{"$ne":"P"}}  {"source.grobid":"0.8.1"}
 * Members of a filter must all hold; a path with dots goes into objects; where a path leads to
 * an array, one element that fits is enough. MongoDB takes its whole language.
 */
#ifndef STORE_H
#define STORE_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "json.h"

struct store;

/* Open "mongodb://…/DATABASE" (no database named: "gr") with a collection, or a file by path
 * ("file:" before it is fine; it need not be there yet). EXIT_SERVICE when the server does not
 * answer. for_writing takes the lock of a file: EXIT_FATAL when another writer has it. uri and
 * collection are borrowed until store_close. */
struct store *store_open(const char *uri, const char *collection, bool for_writing,
                         struct err *err);

/* Write what is pending and close. -1 with err when something could not be written: then a file
 * store is left as it was. */
int store_close(struct store *s, struct err *err);

/* Give up without writing what is pending. */
void store_abandon(struct store *s);

/* Put a record in place of the one with its id, or add it. */
int store_put(struct store *s, struct sv id, struct sv line, struct err *err);

struct store_query {
    const char *filter; /* JSON object, NULL: all */
    const char *sort;   /* field, "-field" for descending; NULL: order of insertion or server */
    long limit;         /* 0: none */
};

/* Called for each record found, as one JSON object without line end; false: stop. */
typedef bool (*store_fn)(void *ctx, struct sv line);

/* The record of an id; 1 found, 0 not there. */
int store_get(struct store *s, struct sv id, store_fn fn, void *ctx, struct err *err);

int store_find(struct store *s, const struct store_query *q, store_fn fn, void *ctx,
               struct err *err);
int store_count(struct store *s, const char *filter, uint64_t *n, struct err *err);

/* Delete by id or by filter; *n is how many were. */
int store_delete_id(struct store *s, struct sv id, uint64_t *n, struct err *err);
int store_delete(struct store *s, const char *filter, uint64_t *n, struct err *err);

/* Version of libmongoc, static text. */
const char *store_mongo_version(void);

#endif
