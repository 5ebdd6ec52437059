// SPDX-License-Identifier: MIT
/*
 * embedder.h — where vectors come from: a model, a table, a service; before them a cache
 */
#ifndef GR_EMBEDDER_H
#define GR_EMBEDDER_H

#include "api.h"
#include "cache.h"
#include "encoder.h"
#include "err.h"
#include "gr.h"
#include "run.h"
#include "texts.h"

struct embedder_cfg {
    struct texts_cfg texts; /* prefix NULL: the prompts of the model's folder */
    int long_mode;          /* enum long_mode, for models */
    int precision;          /* enum precision, for models */
    const char *model; /* a folder or a table, or the name of one among the installed data */
    struct api_cfg api;
    bool has_api;      /* ask the service */
    long batch_tokens; /* of one request, by texts_tokens; 0: no limit */
    const char *cache; /* folder, NULL: none */
    bool is_dry;       /* only count what the service would be asked for; needs has_api */
};

/* What a dry run counts. */
struct embedder_dry {
    uint64_t n_requests, n_texts, n_cached, n_tokens;
    bool is_exact; /* tokens by cl100k_base, not by texts_tokens */
};

struct embedder_counts {
    uint64_t n_cut;           /* texts of which only the beginning counts, cached ones too */
    uint64_t n_texts, n_long; /* computed by a model or table, and how many were too long */
    size_t max_tokens;        /* that it reads at once; 0: no limit */
    const char *kernels;      /* what computed them; NULL: no model */
    struct embedder_dry dry;
    bool has_cache;
    struct cache_stats cache;
};

struct embedder;

/* Find the model called name (a path, or below model/ in the data). EXIT_FATAL. */
int embedder_find(struct buf *path, const char *name, const char *data, struct err *err);

/* cfg must outlive it. jobs: how many workers will call. NULL and err. */
struct embedder *embedder_new(const struct embedder_cfg *cfg, unsigned jobs, const char *data,
                              struct err *err);
void embedder_free(struct embedder *e); /* NULL is fine */

/* A run_batch_fn; ctx is the embedder. Vectors are the same bits for any batch and worker. */
void embedder_batch(void *ctx, unsigned worker, struct task *tasks, size_t n);

struct embedder_counts embedder_counts(const struct embedder *e);

#endif
