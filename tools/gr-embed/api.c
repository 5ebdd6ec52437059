// SPDX-License-Identifier: MIT
/*
 * api.c — one request body, one checked reply
 */
#include "api.h"

#include <stdatomic.h>

#include "alloc.h"
#include "http.h"
#include "vec.h"

#define INPUTS_MAX 2048 /* of one request, OpenAI's limit */

struct api {
    struct api_cfg cfg;
    struct buf url;
    char *key;
    atomic_size_t dim; /* of the first vector; 0: none yet */
};

struct api_conn {
    struct api *api;
    struct http *http;
    struct buf body, reply, model;
    float *vectors; /* (n, dim) of the last call */
    bool *has;      /* (n) which of them came */
    struct text_notes notes;
};

struct api *api_new(const struct api_cfg *cfg, struct err *err)
{
    struct api *a = alloc_zero(1, sizeof *a);
    const char *base = cfg->url && *cfg->url ? cfg->url : NULL;
    a->cfg = *cfg;
    if (http_join(&a->url, base, "embeddings", err) == 0 &&
        http_key(&a->key, cfg->key_file, err) == 0)
        return a;
    api_free(a);
    return NULL;
}

void api_free(struct api *a)
{
    if (!a)
        return;
    buf_release(&a->url);
    free(a->key);
    free(a);
}

void api_model(const struct api *a, size_t dim, struct buf *out)
{
    buf_printf(out, "%s/%zu/api", a->cfg.model, dim);
}

void api_scope(const struct api *a, struct buf *out)
{
    buf_printf(out, "api %s ", a->cfg.model);
    if (a->cfg.dimensions)
        buf_printf(out, "dimensions=%ld ", a->cfg.dimensions);
    buf_sv(out, buf_view(&a->url));
}

struct api_conn *api_connect(struct api *a, struct err *err)
{
    struct api_conn *c = alloc_zero(1, sizeof *c);
    c->api = a;
    c->http = http_new(&(struct http_cfg){ .url = buf_cstr(&a->url),
                                           .key = a->key,
                                           .tries = a->cfg.tries,
                                           .timeout_ms = a->cfg.timeout_s * 1000,
                                           .seed = a->cfg.seed },
                       err);
    if (c->http)
        return c;
    free(c);
    return NULL;
}

void api_disconnect(struct api_conn *c)
{
    if (!c)
        return;
    http_free(c->http);
    buf_release(&c->body);
    buf_release(&c->reply);
    buf_release(&c->model);
    free(c->vectors);
    free(c->has);
    notes_release(&c->notes);
    free(c);
}

/* ---- one request ---- */

static void write_body(struct api_conn *c, const struct texts *t, size_t first, size_t n)
{
    buf_reset(&c->body);
    json_open(&c->body, '{');
    json_key(&c->body, "model");
    json_put_str(&c->body, sv_from(c->api->cfg.model));
    json_key(&c->body, "encoding_format");
    json_put_str(&c->body, SV("base64"));
    if (c->api->cfg.dimensions) {
        json_key(&c->body, "dimensions");
        json_put_int(&c->body, c->api->cfg.dimensions);
    }
    json_key(&c->body, "input");
    json_open(&c->body, '[');
    for (size_t i = 0; i < n; i++)
        json_put_str(&c->body, texts_at(t, first + i));
    json_close(&c->body, ']');
    json_close(&c->body, '}');
}

/* The first vector of a run decides the length of all. */
static int check_dim(struct api *a, size_t dim, struct err *err)
{
    size_t seen = 0;
    if (a->cfg.dimensions && dim != (size_t)a->cfg.dimensions)
        return err_set(
            err, EXIT_FATAL,
            "%s: gave vectors of %zu numbers, %ld were asked for: does the model take "
            "\"dimensions\"? --truncate-dim cuts any",
            buf_cstr(&a->url), dim, a->cfg.dimensions);
    if (atomic_compare_exchange_strong(&a->dim, &seen, dim) || seen == dim)
        return 0;
    return err_set(err, EXIT_SERVICE,
                   "%s: gave vectors of %zu and of %zu numbers: one model must answer all",
                   buf_cstr(&a->url), seen, dim);
}

/* Where entry i of `data` belongs: its index, or its place when it has none; n: nowhere. */
static size_t place_of(jv entry, size_t i, size_t n)
{
    jv index = json_get(entry, "index");
    if (json_is_null(index))
        return i;
    double d = json_is_num(index) ? json_num(index) : -1;
    return d >= 0 && d < (double)n && d == (double)(size_t)d ? (size_t)d : n;
}

static int take_entry(struct api_conn *c, jv entry, size_t i, size_t n, struct sv url,
                      struct err *err)
{
    float *v;
    size_t dim, at = json_is_object(entry) ? place_of(entry, i, n) : n;
    if (at >= n || c->has[at])
        return err_set(err, EXIT_SERVICE,
                       "%.*s: entry %zu of the reply has no or a wrong index", SV_ARG(url), i);
    c->has[at] = true;
    struct err why;
    if (vec_get(json_get(entry, "embedding"), "embedding", &v, &dim, &why) < 0) {
        note_fault(&c->notes.at[at], "%.*s: reply: %s", SV_ARG(url), why.msg);
        return 0;
    }
    int rc = check_dim(c->api, dim, err);
    if (rc == 0) {
        if (!c->vectors)
            c->vectors = alloc_zero(n * dim, sizeof *c->vectors);
        memcpy(c->vectors + at * dim, v, dim * sizeof *v);
    }
    free(v);
    return rc;
}

static int take_reply(struct api_conn *c, jv reply, size_t n, struct err *err)
{
    struct sv url = buf_view(&c->api->url);
    jv data = json_is_object(reply) ? json_get(reply, "data") : jv_null();
    if (!json_is_array(data))
        return err_set(err, EXIT_SERVICE, "%.*s: the reply has no list \"data\"", SV_ARG(url));
    if (json_len(data) != n)
        return err_set(err, EXIT_SERVICE, "%.*s: %zu vectors for %zu texts", SV_ARG(url),
                       json_len(data), n);
    for (size_t i = 0; i < n; i++)
        if (take_entry(c, json_at(data, i), i, n, url, err) < 0)
            return -1;
    return 0;
}

int api_embed(struct api_conn *c, const struct texts *t, size_t first, size_t n,
              struct vectors *out, struct err *err)
{
    jv reply;
    free(c->vectors);
    free(c->has);
    c->vectors = NULL;
    notes_reset(&c->notes, n);
    c->has = alloc_zero(n, sizeof *c->has);
    if (n > INPUTS_MAX)
        return err_set(err, EXIT_REJECTED,
                       "%zu texts in one request, at most %d: use a smaller --batch", n,
                       INPUTS_MAX);
    write_body(c, t, first, n);
    buf_reset(&c->reply);
    if (http_post(c->http, buf_view(&c->body), &c->reply, NULL, err) < 0)
        return -1;
    if (json_parse(&reply, sv_trim(buf_view(&c->reply)), err) < 0) {
        err->code = EXIT_SERVICE;
        return err_prefix(err, "%s: reply", buf_cstr(&c->api->url));
    }
    int rc = take_reply(c, reply, n, err);
    json_free(reply);
    if (rc < 0)
        return -1;
    out->v = c->vectors;
    out->dim = atomic_load(&c->api->dim);
    out->notes = c->notes.at;
    buf_reset(&c->model);
    api_model(c->api, out->dim, &c->model);
    out->model = buf_cstr(&c->model);
    return 0;
}
