// SPDX-License-Identifier: MIT
/*
 * llm.c — one request, one reply, kept if wanted
 */
#include "llm.h"

#include "alloc.h"
#include "http.h"

struct llm {
    const struct llm_cfg *cfg;
    struct buf url;
    char *key;
    struct cache *cache;
    struct http **http; /* (n_workers) */
    unsigned n_workers;
};

/* ---- requests ---- */

static void put_form(struct buf *out, const struct llm_cfg *cfg)
{
    if (cfg->form == LLM_FREE || (cfg->form == LLM_SCHEMA && !cfg->schema.n))
        return;
    json_key(out, "response_format");
    json_open(out, '{');
    json_key(out, "type");
    json_put_str(out, cfg->form == LLM_OBJECT ? SV("json_object") : SV("json_schema"));
    if (cfg->form == LLM_SCHEMA) {
        json_key(out, "json_schema");
        json_open(out, '{');
        json_key(out, "name");
        json_put_str(out, sv_from(cfg->schema_name));
        json_key(out, "strict");
        json_put_bool(out, true);
        json_key(out, "schema");
        json_put_raw(out, cfg->schema);
        json_close(out, '}');
    }
    json_close(out, '}');
}

void llm_request(struct buf *out, const struct llm_cfg *cfg, const struct llm_message *m,
                 size_t n)
{
    json_open(out, '{');
    json_key(out, "model");
    json_put_str(out, sv_from(cfg->model));
    json_key(out, "messages");
    json_open(out, '[');
    for (size_t i = 0; i < n; i++) {
        json_open(out, '{');
        json_key(out, "role");
        json_put_str(out, sv_from(m[i].role));
        json_key(out, "content");
        json_put_str(out, m[i].content);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_key(out, "max_tokens");
    json_put_int(out, cfg->max_tokens);
    json_key(out, "temperature");
    json_put_num(out, cfg->temperature);
    json_key(out, "seed");
    json_put_int(out, cfg->seed);
    put_form(out, cfg);
    json_close(out, '}');
}

/* ---- the cache ---- */

struct cache *llm_cache_open(const char *dir, struct sv url, struct err *err)
{
    struct buf scope = BUF_INIT;
    buf_str(&scope, "chat ");
    buf_sv(&scope, url);
    struct cache *c = cache_open(dir, &cache_texts, buf_view(&scope), err);
    buf_release(&scope);
    return c;
}

int llm_cache_get(struct cache *c, struct sv request, struct buf *raw, struct err *err)
{
    unsigned char key[CACHE_KEY];
    size_t handle;
    cache_key(c, request, key);
    size_t n = cache_find(c, key, &handle);
    if (!n)
        return 0;
    char *text = alloc(n);
    int rc = cache_read(c, handle, text, err);
    if (rc == 0)
        buf_add(raw, text, n);
    free(text);
    return rc < 0 ? -1 : 1;
}

int llm_cache_put(struct cache *c, struct sv request, struct sv raw, struct err *err)
{
    unsigned char key[CACHE_KEY];
    cache_key(c, request, key);
    return cache_add(c, key, raw.p, 1, raw.n, err);
}

/* ---- asking ---- */

static int connect_all(struct llm *l, unsigned n_workers, struct err *err)
{
    l->http = alloc_zero(n_workers, sizeof *l->http);
    l->n_workers = n_workers;
    for (unsigned i = 0; i < n_workers; i++) {
        struct http_cfg http = { .url = buf_cstr(&l->url),
                                 .key = l->key,
                                 .tries = l->cfg->tries,
                                 .timeout_ms = l->cfg->timeout_s * 1000,
                                 .seed = (uint64_t)l->cfg->seed + i };
        if (!(l->http[i] = http_new(&http, err)))
            return -1;
    }
    return 0;
}

struct llm *llm_new(const struct llm_cfg *cfg, unsigned n_workers, struct err *err)
{
    struct llm *l = alloc_zero(1, sizeof *l);
    const char *base = cfg->api && *cfg->api ? cfg->api : NULL;
    l->cfg = cfg;
    int rc = http_join(&l->url, base, "chat/completions", err);
    if (rc == 0)
        rc = http_key(&l->key, cfg->key_file, err);
    if (rc == 0 && cfg->cache &&
        !(l->cache = llm_cache_open(cfg->cache, buf_view(&l->url), err)))
        rc = -1;
    if (rc == 0 && connect_all(l, n_workers, err) == 0)
        return l;
    llm_free(l);
    return NULL;
}

void llm_free(struct llm *l)
{
    if (!l)
        return;
    for (unsigned i = 0; i < l->n_workers; i++)
        if (l->http[i])
            http_free(l->http[i]);
    free(l->http);
    cache_close(l->cache);
    buf_release(&l->url);
    free(l->key);
    free(l);
}

/* A service that takes no schema says so of each request. */
static void add_hint(const struct llm *l, struct sv said, struct err *err)
{
    struct err given = *err;
    if (err->code == EXIT_REJECTED && l->cfg->form != LLM_FREE &&
        (sv_find(said, SV("response_format"), 0) != SIZE_MAX ||
         sv_find(said, SV("json_schema"), 0) != SIZE_MAX))
        err_set(err, EXIT_REJECTED, "%.400s: try --form=%s", given.msg,
                l->cfg->form == LLM_SCHEMA ? "object or none" : "none");
}

int llm_ask(struct llm *l, unsigned worker, struct sv request, struct llm_reply *r,
            struct buf *raw, struct err *err)
{
    int rc = l->cache ? llm_cache_get(l->cache, request, raw, err) : 0;
    if (rc == 0 && (rc = http_post(l->http[worker], request, raw, NULL, err)) < 0)
        add_hint(l, buf_view(raw), err);
    return rc < 0 ? -1 : llm_reply_read(r, buf_view(raw), err);
}

bool llm_has(struct llm *l, struct sv request)
{
    unsigned char key[CACHE_KEY];
    size_t handle;
    if (!l->cache)
        return false;
    cache_key(l->cache, request, key);
    return cache_find(l->cache, key, &handle) != 0;
}

int llm_keep(struct llm *l, struct sv request, struct sv raw, struct err *err)
{
    if (!l->cache || llm_has(l, request))
        return 0;
    return llm_cache_put(l->cache, request, raw, err);
}
