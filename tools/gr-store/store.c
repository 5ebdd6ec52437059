// SPDX-License-Identifier: MIT
/*
 * store.c — which kind of store an address means
 */
#include "store.h"

#include "alloc.h"
#include "store_impl.h"

struct store {
    const struct store_ops *ops;
    void *self;
};

struct store *store_open(const char *uri, const char *collection, bool for_writing,
                         struct err *err)
{
    struct store s;
    struct sv u = sv_from(uri);
    if (sv_starts(u, SV("mongodb://")) || sv_starts(u, SV("mongodb+srv://")))
        s.self = store_mongo_open(uri, collection, &s.ops, err);
    else
        s.self = store_file_open(sv_starts(u, SV("file:")) ? uri + 5 : uri, for_writing, &s.ops,
                                 err);
    if (!s.self)
        return NULL;
    struct store *out = alloc(sizeof *out);
    *out = s;
    return out;
}

int store_close(struct store *s, struct err *err)
{
    int rc = s->ops->close(s->self, err);
    free(s);
    return rc;
}

void store_abandon(struct store *s)
{
    s->ops->abandon(s->self);
    free(s);
}

int store_put(struct store *s, struct sv id, struct sv line, struct err *err)
{
    return s->ops->put(s->self, id, line, err);
}

int store_get(struct store *s, struct sv id, store_fn fn, void *ctx, struct err *err)
{
    return s->ops->get(s->self, id, fn, ctx, err);
}

int store_find(struct store *s, const struct store_query *q, store_fn fn, void *ctx,
               struct err *err)
{
    return s->ops->find(s->self, q, fn, ctx, err);
}

int store_count(struct store *s, const char *filter, uint64_t *n, struct err *err)
{
    return s->ops->count(s->self, filter, n, err);
}

int store_delete_id(struct store *s, struct sv id, uint64_t *n, struct err *err)
{
    return s->ops->delete_id(s->self, id, n, err);
}

int store_delete(struct store *s, const char *filter, uint64_t *n, struct err *err)
{
    return s->ops->delete (s->self, filter, n, err);
}
