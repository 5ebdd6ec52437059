// SPDX-License-Identifier: MIT
/*
 * store_impl.h — the two kinds of store behind store.h
 */
#ifndef STORE_IMPL_H
#define STORE_IMPL_H

#include "store.h"

struct store_ops {
    int (*close)(void *self, struct err *err);
    void (*abandon)(void *self);
    int (*put)(void *self, struct sv id, struct sv line, struct err *err);
    int (*get)(void *self, struct sv id, store_fn fn, void *ctx, struct err *err);
    int (*find)(void *self, const struct store_query *q, store_fn fn, void *ctx,
                struct err *err);
    int (*count)(void *self, const char *filter, uint64_t *n, struct err *err);
    int (*delete_id)(void *self, struct sv id, uint64_t *n, struct err *err);
    int (*delete)(void *self, const char *filter, uint64_t *n, struct err *err);
};

/* Each returns its own state and fills *ops, or NULL with err. */
void *store_file_open(const char *path, bool for_writing, const struct store_ops **ops,
                      struct err *err);
void *store_mongo_open(const char *uri, const char *collection, const struct store_ops **ops,
                       struct err *err);

#endif
