// SPDX-License-Identifier: MIT
/*
 * embedder.c — one worker's way from texts to vectors
 */
#include "embedder.h"

#include <math.h>
#include <unistd.h>

#include "alloc.h"
#include "batch.h"
#include "bpe.h"
#include "file.h"
#include "secfile.h"
#include "table.h"

/* What one thread has for itself; made by that thread when first needed. */
struct worker {
    struct embedder *all;
    struct texts texts;
    struct encoder_scratch *scratch;
    struct wordpiece_tokens tokens;
    struct api_conn *conn;
    struct embed_item *items; /* (cap) */
    float *vectors;           /* (cap, dim) */
    size_t cap;
    uint64_t n_texts, n_long, n_cut;
    struct embedder_dry dry;
    struct text_notes notes; /* of what was computed */
    /* Behind the cache. */
    struct texts missing;
    unsigned char *keys; /* (n_keys, CACHE_KEY) of what is missing */
    float *merged;       /* (n, dim) */
    struct text_notes all_notes;
    struct buf model;
};

struct embedder {
    const struct embedder_cfg *cfg;
    struct texts_cfg texts;  /* cfg's, with the model's prompts */
    struct encoder *encoder; /* one of the three */
    struct table *table;
    struct api *api;
    struct bpe *ranks; /* for is_dry; NULL: tokens are estimated */
    struct cache *cache;
    struct worker *workers; /* (n_workers) */
    unsigned n_workers;
};

/* ---- by a model ---- */

static void make_room(struct worker *w, size_t n, size_t dim)
{
    if (n <= w->cap)
        return;
    w->cap = n;
    w->items = alloc_resize(w->items, n, sizeof *w->items);
    w->vectors = alloc_resize(w->vectors, n, dim * sizeof *w->vectors);
}

static int check_item(const struct encoder *e, const struct embed_item *it,
                      struct text_note *note, struct err *err)
{
    if (it->is_refused) {
        note_fault(note, "%zu tokens: the model reads %zu at most", it->info.n_tokens,
                   encoder_max_tokens(e));
        return 0;
    }
    for (size_t i = 0; i < encoder_dim(e); i++)
        if (!isfinite(it->out[i]))
            return err_set(err, EXIT_FATAL, "%s: the model's numbers overflow: is it damaged?",
                           encoder_model(e));
    return 0;
}

static int by_encoder(void *ctx, const struct texts *t, size_t first, size_t n,
                      struct vectors *out, struct err *err)
{
    struct worker *w = ctx;
    const struct encoder *e = w->all->encoder;
    size_t dim = encoder_dim(e), n_long = 0;
    if (!w->scratch)
        w->scratch = encoder_scratch_new(e);
    make_room(w, n, dim);
    for (size_t i = 0; i < n; i++) {
        w->items[i].text = texts_at(t, first + i);
        w->items[i].out = w->vectors + i * dim;
    }
    encoder_embed(e, w->scratch, w->items, n, (enum long_mode)w->all->cfg->long_mode);
    notes_reset(&w->notes, n);
    for (size_t i = 0; i < n; i++) {
        if (check_item(e, &w->items[i], &w->notes.at[i], err) < 0)
            return -1;
        n_long += w->items[i].info.is_long;
    }
    w->n_texts += n;
    w->n_long += n_long;
    *out = (struct vectors){ w->vectors, dim, encoder_model(e), w->notes.at };
    return 0;
}

/* ---- by a table ---- */

static int by_table(void *ctx, const struct texts *t, size_t first, size_t n,
                    struct vectors *out, struct err *err)
{
    (void)err;
    struct worker *w = ctx;
    const struct table *table = w->all->table;
    size_t dim = table_dim(table);
    make_room(w, n, dim);
    notes_reset(&w->notes, n);
    for (size_t i = 0; i < n; i++)
        if (!table_embed(table, &w->tokens, texts_at(t, first + i), w->vectors + i * dim))
            note_fault(&w->notes.at[i], "%s: the pieces of this text add up to nothing",
                       table_model(table));
    w->n_texts += n;
    *out = (struct vectors){ w->vectors, dim, table_model(table), w->notes.at };
    return 0;
}

/* ---- by a service ---- */

static int by_api(void *ctx, const struct texts *t, size_t first, size_t n, struct vectors *out,
                  struct err *err)
{
    struct worker *w = ctx;
    if (!w->conn)
        w->conn = api_connect(w->all->api, err);
    return w->conn ? api_embed(w->conn, t, first, n, out, err) : -1;
}

static int compute(struct worker *w, const struct texts *t, size_t first, size_t n,
                   struct vectors *out, struct err *err)
{
    const struct embedder *e = w->all;
    return (e->api ? by_api : e->table ? by_table : by_encoder)(w, t, first, n, out, err);
}

/* ---- by the cache ---- */

/* Where the vector of one text comes from. */
struct origin {
    size_t at;  /* a handle of the cache, or the number of the missing text */
    size_t dim; /* 0: missing */
};

/* Number of the missing text with this key, added when it is new: the same text twice in a
 * batch is computed once. */
static size_t miss(struct worker *w, struct sv text, const unsigned char *key)
{
    size_t n = w->missing.n;
    for (size_t i = 0; i < n; i++)
        if (memcmp(w->keys + i * CACHE_KEY, key, CACHE_KEY) == 0)
            return i;
    memcpy(w->keys + n * CACHE_KEY, key, CACHE_KEY);
    texts_put(&w->missing, text);
    return n;
}

static void look_up(struct worker *w, const struct texts *t, size_t first, size_t n,
                    struct origin *origins)
{
    unsigned char key[CACHE_KEY];
    texts_reset(&w->missing);
    w->keys = alloc_resize(w->keys, n, CACHE_KEY);
    for (size_t i = 0; i < n; i++) {
        cache_key(w->all->cache, texts_at(t, first + i), key);
        origins[i].dim = cache_find(w->all->cache, key, &origins[i].at);
        if (!origins[i].dim)
            origins[i].at = miss(w, texts_at(t, first + i), key);
    }
}

/* All vectors of a run have one length, whoever made them. */
static int common_dim(const struct worker *w, const struct origin *origins, size_t n,
                      size_t *dim, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t has = origins[i].dim ? origins[i].dim : *dim;
        if (*dim && has != *dim)
            return err_set(err, EXIT_FATAL,
                           "%s: holds vectors of %zu and of %zu numbers under one name: take "
                           "another folder",
                           w->all->cfg->cache, has, *dim);
        *dim = has;
    }
    return 0;
}

static const char *model_name(struct worker *w, size_t dim)
{
    const struct embedder *e = w->all;
    if (e->api) {
        buf_reset(&w->model);
        api_model(e->api, dim, &w->model);
        return buf_cstr(&w->model);
    }
    return e->table ? table_model(e->table) : encoder_model(e->encoder);
}

static int fill(struct worker *w, const struct origin *origins, size_t n, struct vectors *out,
                const struct vectors *made, struct err *err)
{
    size_t dim = made->dim;
    if (common_dim(w, origins, n, &dim, err) < 0)
        return -1;
    w->merged = alloc_resize(w->merged, n * dim + 1, sizeof *w->merged);
    notes_reset(&w->all_notes, n);
    for (size_t i = 0; i < n; i++) {
        float *to = w->merged + i * dim;
        const struct text_note *note = origins[i].dim ? NULL : &made->notes[origins[i].at];
        if (note && note->why)
            note_fault(&w->all_notes.at[i], "%s", note->why);
        else if (note)
            memcpy(to, made->v + origins[i].at * dim, dim * sizeof *to);
        else if (cache_read(w->all->cache, origins[i].at, to, err) < 0)
            return -1;
    }
    *out = (struct vectors){ w->merged, dim, model_name(w, dim), w->all_notes.at };
    return 0;
}

/* Keep what was computed: runs of texts that have a vector. */
static int keep(struct worker *w, const struct vectors *made, struct err *err)
{
    size_t n = w->missing.n, to;
    for (size_t from = 0; from < n; from = to) {
        for (to = from; to < n && !made->notes[to].why; to++)
            ;
        if (to > from && cache_add(w->all->cache, w->keys + from * CACHE_KEY,
                                   made->v + from * made->dim, to - from, made->dim, err) < 0)
            return -1;
        to += to == from;
    }
    return 0;
}

static int by_cache(struct worker *w, const struct texts *t, size_t first, size_t n,
                    struct vectors *out, struct err *err)
{
    struct vectors made = { 0 };
    struct origin *origins = alloc_zero(n, sizeof *origins);
    look_up(w, t, first, n, origins);
    int rc = 0;
    if (w->missing.n) {
        rc = compute(w, &w->missing, 0, w->missing.n, &made, err);
        if (rc == 0)
            rc = keep(w, &made, err);
    }
    if (rc == 0)
        rc = fill(w, origins, n, out, &made, err);
    free(origins);
    return rc;
}

/* Of which texts only the beginning counts: the same with a cache and without. A token has a
 * byte at least. */
static void note_cut(struct worker *w, const struct texts *t, size_t first, size_t n,
                     const struct vectors *v)
{
    const struct encoder *e = w->all->encoder;
    if (!e || w->all->cfg->long_mode != LONG_TRUNCATE)
        return;
    struct text_notes *notes = v->notes == w->notes.at ? &w->notes : &w->all_notes;
    for (size_t i = 0; i < n; i++) {
        struct sv text = texts_at(t, first + i);
        notes->at[i].is_cut = text.n > encoder_max_tokens(e) &&
                              wordpiece_count(encoder_words(e), text) > encoder_max_tokens(e);
        w->n_cut += notes->at[i].is_cut;
    }
}

/* What would be asked for: counted, not sent. */
static void count_dry(struct worker *w, const struct texts *t, size_t first, size_t n)
{
    struct origin *origins = alloc_zero(n, sizeof *origins);
    const struct texts *asked = t;
    w->dry.n_texts += n;
    if (w->all->cache) {
        look_up(w, t, first, n, origins);
        asked = &w->missing;
        first = 0;
        w->dry.n_cached += n - asked->n;
        n = asked->n;
    }
    w->dry.n_requests += n > 0;
    for (size_t i = 0; i < n; i++)
        w->dry.n_tokens += w->all->ranks ? bpe_count(w->all->ranks, texts_at(asked, first + i))
                                         : texts_tokens(texts_at(asked, first + i));
    free(origins);
}

static int by_any(void *ctx, const struct texts *t, size_t first, size_t n, struct vectors *out,
                  struct err *err)
{
    struct worker *w = ctx;
    if (w->all->cfg->is_dry) {
        count_dry(w, t, first, n);
        return 0;
    }
    int rc =
        w->all->cache ? by_cache(w, t, first, n, out, err) : compute(w, t, first, n, out, err);
    if (rc == 0)
        note_cut(w, t, first, n, out);
    return rc;
}

void embedder_batch(void *ctx, unsigned worker, struct task *tasks, size_t n)
{
    struct embedder *e = ctx;
    struct worker *w = &e->workers[worker];
    w->all = e;
    const struct source source = { by_any, w, e->api ? (size_t)e->cfg->batch_tokens : 0,
                                   e->cfg->is_dry };
    batch_embed(&source, &e->texts, &w->texts, tasks, n);
}

/* ---- start and end ---- */

int embedder_find(struct buf *path, const char *model, const char *data, struct err *err)
{
    if (strchr(model, '/') || access(model, F_OK) == 0) {
        buf_str(path, model);
        return 0;
    }
    struct buf name = BUF_INIT;
    buf_printf(&name, "model/%s", model);
    int rc = file_find_data(path, data, buf_cstr(&name), err);
    buf_release(&name);
    return rc < 0
               ? err_prefix(err, "no model (make model fetches the default, make models-extra "
                                 "more; --model takes a folder)")
               : 0;
}

static int open_model(struct embedder *e, const char *data, struct err *err)
{
    struct buf path = BUF_INIT;
    if (embedder_find(&path, e->cfg->model, data, err) == 0) {
        if (secfile_is(buf_cstr(&path), TABLE_MAGIC))
            e->table = table_open(buf_cstr(&path), err);
        else
            e->encoder = encoder_open(buf_cstr(&path), (enum precision)e->cfg->precision, err);
        if (e->encoder && encoder_folder(e->encoder)->n_labels) {
            err_set(err, EXIT_FATAL, "%s: a cross-encoder: it is for gr-embed rerank",
                    buf_cstr(&path));
            encoder_free(e->encoder);
            e->encoder = NULL;
        }
    }
    buf_release(&path);
    return e->table || e->encoder ? 0 : -1;
}

/* What decides about the vectors, apart from the text. */
static int open_cache(struct embedder *e, struct err *err)
{
    struct buf scope = BUF_INIT;
    if (e->api)
        api_scope(e->api, &scope);
    else if (e->table)
        buf_printf(&scope, "table %s", table_model(e->table));
    else
        buf_printf(&scope, "model %s %s long=%d", encoder_model(e->encoder),
                   precision_name(encoder_kernels(e->encoder)->precision), e->cfg->long_mode);
    e->cache = cache_open(e->cfg->cache, &cache_vectors, buf_view(&scope), err);
    buf_release(&scope);
    return e->cache ? 0 : -1;
}

struct embedder *embedder_new(const struct embedder_cfg *cfg, unsigned jobs, const char *data,
                              struct err *err)
{
    struct embedder *e = alloc_zero(1, sizeof *e);
    int rc = 0;
    e->cfg = cfg;
    e->n_workers = jobs;
    e->workers = alloc_zero(jobs, sizeof *e->workers);
    if (cfg->has_api) {
        e->api = api_new(&cfg->api, err);
        rc = e->api ? 0 : -1;
        if (cfg->is_dry)
            e->ranks = bpe_installed(data);
    } else {
        rc = open_model(e, data, err);
    }
    if (rc == 0 && cfg->cache)
        rc = open_cache(e, err);
    e->texts = cfg->texts;
    e->texts.query_prefix = cfg->texts.prefix;
    if (!cfg->texts.prefix && e->encoder) {
        e->texts.prefix = encoder_folder(e->encoder)->text;
        e->texts.query_prefix = encoder_folder(e->encoder)->query;
    }
    if (rc == 0)
        return e;
    embedder_free(e);
    return NULL;
}

void embedder_free(struct embedder *e)
{
    if (!e)
        return;
    for (unsigned i = 0; i < e->n_workers; i++) {
        struct worker *w = &e->workers[i];
        texts_release(&w->texts);
        texts_release(&w->missing);
        encoder_scratch_free(w->scratch);
        wordpiece_tokens_release(&w->tokens);
        api_disconnect(w->conn);
        buf_release(&w->model);
        notes_release(&w->notes);
        notes_release(&w->all_notes);
        free(w->items);
        free(w->vectors);
        free(w->keys);
        free(w->merged);
    }
    free(e->workers);
    cache_close(e->cache);
    encoder_free(e->encoder);
    table_free(e->table);
    api_free(e->api);
    bpe_free(e->ranks);
    free(e);
}

struct embedder_counts embedder_counts(const struct embedder *e)
{
    struct embedder_counts counts = { .has_cache = e->cache };
    counts.dry.is_exact = e->ranks;
    for (unsigned i = 0; i < e->n_workers; i++) {
        counts.n_texts += e->workers[i].n_texts;
        counts.n_long += e->workers[i].n_long;
        counts.n_cut += e->workers[i].n_cut;
        counts.dry.n_requests += e->workers[i].dry.n_requests;
        counts.dry.n_texts += e->workers[i].dry.n_texts;
        counts.dry.n_cached += e->workers[i].dry.n_cached;
        counts.dry.n_tokens += e->workers[i].dry.n_tokens;
    }
    if (e->encoder) {
        counts.max_tokens = encoder_max_tokens(e->encoder);
        counts.kernels = encoder_kernels(e->encoder)->name;
    }
    if (e->cache)
        counts.cache = cache_stats(e->cache);
    return counts;
}
