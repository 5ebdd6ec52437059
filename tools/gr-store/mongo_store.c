// SPDX-License-Identifier: MIT
/*
 * mongo_store.c — records in a MongoDB collection, by libmongoc
 *
 * A record is stored with its members as fields and its id as _id. Puts are upserts, sent in
 * bulks of BULK_RECORDS. Numbers come back with the same value, not always with the same
 * digits ("1.50" as "1.5").
 */
#include <mongoc/mongoc.h>

#include "alloc.h"
#include "store_impl.h"

#define BULK_RECORDS 1000

struct mongo_store {
    mongoc_uri_t *uri;
    mongoc_client_t *client;
    mongoc_collection_t *collection;
    mongoc_bulk_operation_t *bulk;
    size_t n_pending;
};

static int fail(struct err *err, const char *what, const bson_error_t *e)
{
    bool is_away = e->domain == MONGOC_ERROR_SERVER_SELECTION ||
                   e->domain == MONGOC_ERROR_STREAM || e->domain == MONGOC_ERROR_CLIENT;
    return err_set(err, is_away ? EXIT_SERVICE : EXIT_FATAL, "MongoDB: %s: %s", what,
                   e->message);
}

static void release(struct mongo_store *m)
{
    if (m->bulk)
        mongoc_bulk_operation_destroy(m->bulk);
    if (m->collection)
        mongoc_collection_destroy(m->collection);
    if (m->client)
        mongoc_client_destroy(m->client);
    if (m->uri)
        mongoc_uri_destroy(m->uri);
    mongoc_cleanup();
    free(m);
}

/* ---- JSON and BSON ---- */

static bson_t *to_bson(struct sv text, const char *what, enum gr_exit code, struct err *err)
{
    bson_error_t e;
    bson_t *b = bson_new_from_json((const uint8_t *)text.p, (ssize_t)text.n, &e);
    if (!b)
        err_set(err, code, "%s: %s", what, e.message);
    return b;
}

static bson_t *filter_of(const char *filter, struct err *err)
{
    return to_bson(sv_from(filter ? filter : "{}"), "--filter", EXIT_USAGE, err);
}

static bson_t *selector_of(struct sv id)
{
    bson_t *b = bson_new();
    bson_append_utf8(b, "_id", 3, id.p, (int)id.n);
    return b;
}

/* Hand a document over as the record it came from. */
static bool give(const bson_t *doc, store_fn fn, void *ctx)
{
    bson_t copy = BSON_INITIALIZER;
    bson_copy_to_excluding_noinit(doc, &copy, "_id", NULL);
    size_t n;
    char *text = bson_as_relaxed_extended_json(&copy, &n);
    bson_destroy(&copy);
    bool goes_on = fn(ctx, (struct sv){ text, n });
    bson_free(text);
    return goes_on;
}

/* ---- writing ---- */

static int flush(struct mongo_store *m, struct err *err)
{
    bson_error_t e;
    bson_t reply;
    if (!m->n_pending)
        return 0;
    bool ok = mongoc_bulk_operation_execute(m->bulk, &reply, &e);
    bson_destroy(&reply);
    mongoc_bulk_operation_destroy(m->bulk);
    m->bulk = NULL;
    m->n_pending = 0;
    return ok ? 0 : fail(err, "put", &e);
}

static int put(void *self, struct sv id, struct sv line, struct err *err)
{
    struct mongo_store *m = self;
    bson_error_t e;
    bson_t *doc = to_bson(line, "not storable", EXIT_REJECTED, err);
    if (!doc)
        return -1;
    if (!m->bulk)
        m->bulk = mongoc_collection_create_bulk_operation_with_opts(m->collection, NULL);
    bson_t *selector = selector_of(id), full = BSON_INITIALIZER, opts = BSON_INITIALIZER;
    bson_append_utf8(&full, "_id", 3, id.p, (int)id.n);
    bson_concat(&full, doc);
    bson_append_bool(&opts, "upsert", 6, true);
    bool ok = mongoc_bulk_operation_replace_one_with_opts(m->bulk, selector, &full, &opts, &e);
    bson_destroy(selector);
    bson_destroy(&opts);
    bson_destroy(&full);
    bson_destroy(doc);
    if (!ok)
        return err_set(err, EXIT_REJECTED, "not storable: %s", e.message);
    return ++m->n_pending < BULK_RECORDS ? 0 : flush(m, err);
}

static int close_store(void *self, struct err *err)
{
    int rc = flush(self, err);
    release(self);
    return rc;
}

static void abandon(void *self)
{
    release(self);
}

/* ---- reading ---- */

static int walk(mongoc_cursor_t *cursor, store_fn fn, void *ctx, size_t *n, struct err *err)
{
    const bson_t *doc;
    bson_error_t e;
    *n = 0;
    while (mongoc_cursor_next(cursor, &doc)) {
        ++*n;
        if (!give(doc, fn, ctx))
            break;
    }
    int rc = mongoc_cursor_error(cursor, &e) ? fail(err, "find", &e) : 0;
    mongoc_cursor_destroy(cursor);
    return rc;
}

static int get(void *self, struct sv id, store_fn fn, void *ctx, struct err *err)
{
    struct mongo_store *m = self;
    size_t n;
    bson_t *selector = selector_of(id);
    int rc = walk(mongoc_collection_find_with_opts(m->collection, selector, NULL, NULL), fn,
                  ctx, &n, err);
    bson_destroy(selector);
    return rc < 0 ? -1 : n > 0;
}

static int find(void *self, const struct store_query *q, store_fn fn, void *ctx,
                struct err *err)
{
    struct mongo_store *m = self;
    size_t n;
    bson_t *filter = filter_of(q->filter, err), opts = BSON_INITIALIZER;
    if (!filter)
        return -1;
    if (q->limit)
        bson_append_int64(&opts, "limit", 5, q->limit);
    if (q->sort) {
        bson_t sort;
        bool is_descending = *q->sort == '-';
        bson_append_document_begin(&opts, "sort", 4, &sort);
        bson_append_int32(&sort, q->sort + is_descending, -1, is_descending ? -1 : 1);
        bson_append_document_end(&opts, &sort);
    }
    int rc = walk(mongoc_collection_find_with_opts(m->collection, filter, &opts, NULL), fn, ctx,
                  &n, err);
    bson_destroy(filter);
    bson_destroy(&opts);
    return rc;
}

static int count(void *self, const char *filter, uint64_t *n, struct err *err)
{
    struct mongo_store *m = self;
    bson_error_t e;
    bson_t *f = filter_of(filter, err);
    if (!f)
        return -1;
    int64_t found = mongoc_collection_count_documents(m->collection, f, NULL, NULL, NULL, &e);
    bson_destroy(f);
    if (found < 0)
        return fail(err, "count", &e);
    *n = (uint64_t)found;
    return 0;
}

static int delete_where(struct mongo_store *m, const bson_t *selector, uint64_t *n,
                        struct err *err)
{
    bson_error_t e;
    bson_t reply;
    bson_iter_t it;
    bool ok = mongoc_collection_delete_many(m->collection, selector, NULL, &reply, &e);
    *n = ok && bson_iter_init_find(&it, &reply, "deletedCount")
             ? (uint64_t)bson_iter_as_int64(&it)
             : 0;
    bson_destroy(&reply);
    return ok ? 0 : fail(err, "delete", &e);
}

static int delete_id(void *self, struct sv id, uint64_t *n, struct err *err)
{
    bson_t *selector = selector_of(id);
    int rc = delete_where(self, selector, n, err);
    bson_destroy(selector);
    return rc;
}

static int delete_some(void *self, const char *filter, uint64_t *n, struct err *err)
{
    bson_t *f = filter_of(filter, err);
    if (!f)
        return -1;
    int rc = delete_where(self, f, n, err);
    bson_destroy(f);
    return rc;
}

static const struct store_ops mongo_ops = {
    .close = close_store,
    .abandon = abandon,
    .put = put,
    .get = get,
    .find = find,
    .count = count,
    .delete_id = delete_id,
    .delete = delete_some,
};

/* ---- opening ---- */

static int ping(struct mongo_store *m, const char *database, struct err *err)
{
    bson_error_t e;
    bson_t command = BSON_INITIALIZER;
    bson_append_int32(&command, "ping", 4, 1);
    bool ok = mongoc_client_command_simple(m->client, database, &command, NULL, NULL, &e);
    bson_destroy(&command);
    return ok ? 0 : fail(err, "no answer", &e);
}

void *store_mongo_open(const char *uri, const char *collection, const struct store_ops **ops,
                       struct err *err)
{
    bson_error_t e;
    struct mongo_store *m = alloc_zero(1, sizeof *m);
    mongoc_init();
    mongoc_log_set_handler(NULL, NULL); /* messages are ours */
    *ops = &mongo_ops;
    m->uri = mongoc_uri_new_with_error(uri, &e);
    if (!m->uri) {
        err_set(err, EXIT_USAGE, "%s", e.message); /* the address may hold a password */
        release(m);
        return NULL;
    }
    const char *database = mongoc_uri_get_database(m->uri);
    if (!database)
        database = "gr";
    m->client = mongoc_client_new_from_uri(m->uri);
    if (!m->client)
        err_set(err, EXIT_FATAL, "MongoDB: no client for this address");
    if (m->client && ping(m, database, err) == 0) {
        mongoc_client_set_error_api(m->client, MONGOC_ERROR_API_VERSION_2);
        m->collection = mongoc_client_get_collection(m->client, database, collection);
        return m;
    }
    release(m);
    return NULL;
}

const char *store_mongo_version(void)
{
    return mongoc_get_version();
}
