// SPDX-License-Identifier: MIT
/*
 * chroma.c — the client: addresses, errors, the collection
 */
#include "chroma.h"

#include <math.h>

#include "alloc.h"
#include "http.h"
#include "schema.h"

#define MAX_REPLY ((size_t)256 << 20)

struct chroma {
    struct http *http;
    struct chroma_cfg cfg;
    struct buf base;        /* URL/api/v2 */
    struct buf collections; /* base/tenants/T/databases/D/collections */
    struct buf url;         /* of the request at hand */
    struct buf name, bearer, token, reply;
    const char *headers[3];
};

/* ---- opening ---- */

static const char *env(const char *name, const char *otherwise)
{
    const char *s = getenv(name);
    return s && *s ? s : otherwise;
}

/* Letters, digits, "._-": what may stand in an address as it is. */
static bool is_plain_name(struct sv s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!s.p[i] ||
            !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-",
                    s.p[i]))
            return false;
    return s.n > 0;
}

static int check_names(const struct chroma_cfg *cfg, struct err *err)
{
    struct sv url = sv_from(cfg->url), name = sv_from(cfg->collection);
    if (!sv_starts(url, SV("http://")) && !sv_starts(url, SV("https://")))
        return err_set(err, EXIT_USAGE, "not an http or https address: \"%.*s\"", SV_ARG(url));
    if (memchr(url.p, '@', url.n))
        return err_set(err, EXIT_USAGE,
                       "a password in an address is seen by everybody on the machine: set "
                       "CHROMA_TOKEN");
    if (name.n < 3 || name.n > 512 || !is_plain_name(name) || strchr("._-", name.p[0]) ||
        strchr("._-", name.p[name.n - 1]))
        return err_set(err, EXIT_USAGE,
                       "--collection: \"%.*s\": Chroma takes 3 to 512 letters, digits, . _ -, "
                       "the first and last a letter or digit",
                       SV_ARG(name));
    static const char *const vars[] = { "CHROMA_TENANT", "CHROMA_DATABASE" };
    for (size_t i = 0; i < ARRAY_LEN(vars); i++)
        if (!is_plain_name(sv_from(env(vars[i], "default"))))
            return err_set(err, EXIT_USAGE, "%s: letters, digits, . _ - are expected", vars[i]);
    return 0;
}

static void make_headers(struct chroma *c)
{
    const char *token = env("CHROMA_TOKEN", NULL);
    if (!token)
        return;
    buf_printf(&c->bearer, "Authorization: Bearer %s", token);
    buf_printf(&c->token, "x-chroma-token: %s", token);
    c->headers[0] = buf_cstr(&c->bearer);
    c->headers[1] = buf_cstr(&c->token);
}

struct chroma *chroma_new(const struct chroma_cfg *cfg, struct err *err)
{
    if (check_names(cfg, err) < 0)
        return NULL;
    struct chroma *c = alloc_zero(1, sizeof *c);
    c->cfg = *cfg;
    make_headers(c);
    buf_printf(&c->name, "%s %s", cfg->url, cfg->collection);
    if (http_join(&c->base, cfg->url, "api/v2", err) == 0) {
        buf_printf(&c->collections, "%s/tenants/%s/databases/%s/collections",
                   buf_cstr(&c->base), env("CHROMA_TENANT", "default_tenant"),
                   env("CHROMA_DATABASE", "default_database"));
        c->http = http_new(&(struct http_cfg){ .url = buf_cstr(&c->base),
                                               .headers = c->headers,
                                               .timeout_ms = cfg->timeout_s * 1000,
                                               .tries = cfg->tries,
                                               .max_reply = MAX_REPLY,
                                               .seed = cfg->seed },
                           err);
    }
    if (c->http)
        return c;
    chroma_free(c);
    return NULL;
}

void chroma_free(struct chroma *c)
{
    if (!c)
        return;
    http_free(c->http);
    buf_release(&c->base);
    buf_release(&c->collections);
    buf_release(&c->url);
    buf_release(&c->name);
    buf_release(&c->bearer);
    buf_release(&c->token);
    buf_release(&c->reply);
    free(c);
}

const char *chroma_name(const struct chroma *c)
{
    return buf_cstr((struct buf *)&c->name);
}

int chroma_odd(const struct chroma *c, const char *what, struct err *err)
{
    return err_set(err, EXIT_FATAL, "%s: the reply is no Chroma's: %s", chroma_name(c), what);
}

/* ---- requests ---- */

static int explain(struct chroma *c, long status, struct err *err)
{
    if (status == 401 || status == 403)
        return err_set(err, EXIT_FATAL, "%s: access refused: set CHROMA_TOKEN", chroma_name(c));
    return -1;
}

/* method NULL: POST when there is a body, else GET. *reply is any JSON value. */
static int ask(struct chroma *c, const char *method, const char *url, struct sv body, jv *reply,
               long *status, struct err *err)
{
    long code = 0;
    http_set_url(c->http, url);
    int rc = method   ? http_send(c->http, method, body, &c->reply, &code, err)
             : body.n ? http_post(c->http, body, &c->reply, &code, err)
                      : http_get(c->http, &c->reply, &code, err);
    if (status)
        *status = code;
    if (rc < 0)
        return explain(c, code, err);
    struct err why;
    if (json_parse(reply, buf_view(&c->reply), &why) < 0)
        return chroma_odd(c, why.msg, err);
    return 0;
}

int chroma_post(struct chroma *c, const struct chroma_info *info, const char *what,
                struct sv body, jv *reply, long *status, struct err *err)
{
    buf_reset(&c->url);
    buf_printf(&c->url, "%s/%s/%s", buf_cstr(&c->collections), info->id, what);
    if (ask(c, NULL, buf_cstr(&c->url), body, reply, status, err) < 0)
        return -1;
    if (json_is_object(*reply))
        return 0;
    json_free(*reply);
    return chroma_odd(c, "expected an object", err);
}

/* ---- the collection ---- */

static int look_at_server(struct chroma *c, struct chroma_info *info, struct err *err)
{
    jv v;
    long status = 0;
    buf_reset(&c->url);
    buf_printf(&c->url, "%s/pre-flight-checks", buf_cstr(&c->base));
    if (ask(c, NULL, buf_cstr(&c->url), SV_NONE, &v, &status, err) < 0) {
        if (status == 404)
            err_set(err, EXIT_FATAL,
                    "%s: no Chroma of the v2 API answers there: the address is that of the "
                    "server, http://HOST:8000",
                    c->cfg.url);
        if (err->code == EXIT_REJECTED)
            err->code = EXIT_FATAL;
        return -1;
    }
    double max = json_num(json_get(v, "max_batch_size"));
    info->takes_base64 = json_is_true(json_get(v, "supports_base64_encoding"));
    json_free(v);
    if (!(max >= 1))
        return chroma_odd(c, "pre-flight-checks: no max_batch_size", err);
    info->max_batch = max > 1e6 ? 1000000 : (size_t)max;
    return 0;
}

static void read_mixed(struct chroma_info *info, struct sv text)
{
    jv v;
    struct err err;
    if (json_parse(&v, text, &err) < 0)
        return;
    for (size_t i = 0; i < json_len(v); i++)
        map_put(info->mixed, json_sv(json_at(v, i)), NULL);
    json_free(v);
}

static void read_metadata(struct chroma_info *info, jv meta)
{
    struct sv key, state = json_sv(json_get(meta, CHROMA_OWN "state"));
    jv value;
    info->is_ours = json_is_str(json_get(meta, CHROMA_OWN "mixed"));
    info->is_loading = sv_is(state, "loading");
    buf_sv(&info->model, json_sv(json_get(meta, CHROMA_OWN "model")));
    read_mixed(info, json_sv(json_get(meta, CHROMA_OWN "mixed")));
    for (size_t i = 0; json_is_object(meta) && json_each(meta, &i, &key, &value);)
        if (!sv_starts(key, SV(CHROMA_OWN))) {
            json_key_sv(&info->other_meta, key);
            json_put_jv(&info->other_meta, value);
        }
}

/* An id goes into addresses: nothing but a UUID's characters. */
static int read_collection(const struct chroma *c, struct chroma_info *info, jv v,
                           struct err *err)
{
    struct sv id = json_sv(json_get(v, "id"));
    jv hnsw = json_get(json_get(v, "configuration_json"), "hnsw");
    double dim = json_num(json_get(v, "dimension"));
    if (!is_plain_name(id) || id.n >= sizeof info->id)
        return chroma_odd(c, "a collection without id", err);
    memcpy(info->id, id.p, id.n);
    info->id[id.n] = '\0';
    info->dim = dim >= 1 && dim < 1e9 ? (size_t)dim : 0;
    buf_sv(&info->space, json_sv(json_get(hnsw, "space")));
    read_metadata(info, json_get(v, "metadata"));
    info->is_there = true;
    return 0;
}

static int look_at_count(struct chroma *c, struct chroma_info *info, struct err *err)
{
    jv v;
    buf_reset(&c->url);
    buf_printf(&c->url, "%s/%s/count", buf_cstr(&c->collections), info->id);
    if (ask(c, NULL, buf_cstr(&c->url), SV_NONE, &v, NULL, err) < 0)
        return -1;
    double n = json_num(v);
    json_free(v);
    if (!(n >= 0 && n < 1e15))
        return chroma_odd(c, "count: expected a number", err);
    info->count = (size_t)n;
    return 0;
}

int chroma_look(struct chroma *c, struct chroma_info *info, struct err *err)
{
    jv v;
    long status = 0;
    *info = (struct chroma_info){ .mixed = map_new() };
    if (look_at_server(c, info, err) < 0)
        return -1;
    buf_reset(&c->url);
    buf_printf(&c->url, "%s/%s", buf_cstr(&c->collections), c->cfg.collection);
    int rc = ask(c, NULL, buf_cstr(&c->url), SV_NONE, &v, &status, err);
    if (rc < 0 && status == 404)
        return 0;
    if (rc == 0) {
        rc = read_collection(c, info, v, err);
        json_free(v);
    }
    if (rc == 0)
        rc = look_at_count(c, info, err);
    if (rc < 0 && err->code == EXIT_REJECTED)
        err->code = EXIT_FATAL;
    return rc;
}

int chroma_need(struct chroma *c, struct chroma_info *info, struct err *err)
{
    if (chroma_look(c, info, err) < 0)
        return -1;
    if (info->is_there)
        return 0;
    return err_set(err, EXIT_FATAL,
                   "%s: there is no collection \"%s\": make it with gr-vindex build --chroma, "
                   "or name another with --collection",
                   c->cfg.url, c->cfg.collection);
}

void chroma_info_release(struct chroma_info *info)
{
    buf_release(&info->model);
    buf_release(&info->space);
    buf_release(&info->other_meta);
    map_free(info->mixed);
    *info = (struct chroma_info){ 0 };
}

/* A request whose reply is not looked at. */
static int tell(struct chroma *c, const char *method, const char *url, struct sv body,
                struct err *err)
{
    jv v;
    if (ask(c, method, url, body, &v, NULL, err) < 0) {
        if (err->code == EXIT_REJECTED)
            err->code = EXIT_FATAL;
        return -1;
    }
    json_free(v);
    return 0;
}

int chroma_create(struct chroma *c, struct err *err)
{
    struct buf body = BUF_INIT;
    json_open(&body, '{');
    json_add_str(&body, "name", sv_from(c->cfg.collection));
    /* ef: how many neighbours are kept while building and searching. With Chroma's own 100
     * one in some hundred hits is missed. */
    buf_str(&body, ",\"configuration\":{\"hnsw\":{\"space\":\"cosine\",\"ef_construction\":200,"
                   "\"ef_search\":500}},"
                   "\"metadata\":{\"gr_state\":\"loading\",\"gr_model\":\"\","
                   "\"gr_mixed\":\"[]\"}}");
    int rc = tell(c, NULL, buf_cstr(&c->collections), buf_view(&body), err);
    buf_release(&body);
    return rc;
}

int chroma_drop(struct chroma *c, struct err *err)
{
    buf_reset(&c->url);
    buf_printf(&c->url, "%s/%s", buf_cstr(&c->collections), c->cfg.collection);
    return tell(c, "DELETE", buf_cstr(&c->url), SV_NONE, err);
}

int chroma_note(struct chroma *c, const struct chroma_info *info, struct err *err)
{
    struct buf body = BUF_INIT, mixed = BUF_INIT;
    json_open(&mixed, '[');
    for (size_t i = 0; i < map_count(info->mixed); i++)
        json_put_str(&mixed, map_key(info->mixed, i));
    json_close(&mixed, ']');
    buf_str(&body, "{\"new_metadata\":{");
    buf_sv(&body, buf_view(&info->other_meta));
    json_key(&body, CHROMA_OWN "model");
    json_put_str(&body, buf_view(&info->model));
    if (info->is_ours) {
        json_key(&body, CHROMA_OWN "state");
        json_put_str(&body, info->is_loading ? SV("loading") : SV("done"));
        json_key(&body, CHROMA_OWN "mixed");
        json_put_str(&body, buf_view(&mixed));
    }
    buf_str(&body, "}}");
    buf_reset(&c->url);
    buf_printf(&c->url, "%s/%s", buf_cstr(&c->collections), info->id);
    int rc = tell(c, "PUT", buf_cstr(&c->url), buf_view(&body), err);
    buf_release(&body);
    buf_release(&mixed);
    return rc;
}
