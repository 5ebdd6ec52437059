// SPDX-License-Identifier: MIT
/*
 * http.c — libcurl with retries
 */
#include "http.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "alloc.h"
#include "file.h"
#include "http_curl.h"
#include "json.h"
#include "rng.h"

struct http {
    const struct http_curl *lib;
    CURL *curl;
    struct curl_slist *headers; /* of every request, and then … */
    struct curl_slist *json;    /* … the type of a JSON body before them */
    struct http_cfg cfg;
    char *name; /* the address without user and password, for messages */
    struct rng rng;
    char why[CURL_ERROR_SIZE];
};

static void add_header(struct http *h, const char *line)
{
    struct curl_slist *l = h->lib->slist_append(h->headers, line);
    if (!l)
        alloc_die(NULL);
    h->headers = l;
}

/* A service on this very machine is never behind the proxy that http_proxy names. */
static bool is_loopback(struct sv host)
{
    bool is_number = sv_starts(host, SV("127."));
    for (size_t i = 0; i < host.n; i++)
        is_number = is_number && strchr("0123456789.", host.p[i]);
    return is_number || sv_ieq(host, SV("localhost")) || sv_is(host, "[::1]");
}

/* Of an address "http://user:password@host:8070/x": where its host begins. */
static size_t find_host(struct sv url, size_t *start)
{
    size_t at = sv_find(url, SV("://"), 0), host;
    *start = host = at == SIZE_MAX ? 0 : at + 3;
    for (size_t i = host; i < url.n && !strchr("/?#", url.p[i]); i++)
        if (url.p[i] == '@')
            host = i + 1;
    return host;
}

void http_set_url(struct http *h, const char *url)
{
    struct sv all = sv_from(url);
    struct buf name = BUF_INIT;
    size_t user, host = find_host(all, &user), end = host;
    bool is_bracket = false;
    while (end < all.n && (is_bracket || !strchr(":/?#", url[end])))
        is_bracket = url[end] == '[' || (is_bracket && url[end] != ']'), end++;
    h->cfg.url = url;
    h->lib->easy_setopt(h->curl, CURLOPT_URL, url);
    h->lib->easy_setopt(h->curl, CURLOPT_PROXY,
                        is_loopback(sv_from_to(all, host, end)) ? "" : NULL);
    buf_sv(&name, sv_from_to(all, 0, user));
    buf_sv(&name, sv_from_to(all, host, all.n));
    buf_cstr(&name);
    free(h->name);
    h->name = buf_take(&name, NULL);
}

static void set_up(struct http *h)
{
    add_header(h, "Expect:"); /* no 100-continue round trip */
    if (h->cfg.key) {
        struct buf line = BUF_INIT;
        buf_printf(&line, "Authorization: Bearer %s", h->cfg.key);
        add_header(h, buf_cstr(&line));
        buf_release(&line);
    }
    for (size_t i = 0; h->cfg.headers && h->cfg.headers[i]; i++)
        add_header(h, h->cfg.headers[i]);
    h->json = h->lib->slist_append(NULL, "Content-Type: application/json");
    if (!h->json)
        alloc_die(NULL);
    h->json->next = h->headers;
    http_set_url(h, h->cfg.url);
    h->lib->easy_setopt(h->curl, CURLOPT_HTTPHEADER, h->json);
    h->lib->easy_setopt(h->curl, CURLOPT_ERRORBUFFER, h->why);
    h->lib->easy_setopt(h->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    h->lib->easy_setopt(h->curl, CURLOPT_FOLLOWLOCATION, 0L);
    h->lib->easy_setopt(h->curl, CURLOPT_NOSIGNAL, 1L);
    h->lib->easy_setopt(h->curl, CURLOPT_TIMEOUT_MS, h->cfg.timeout_ms);
    h->lib->easy_setopt(h->curl, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    h->lib->easy_setopt(h->curl, CURLOPT_ACCEPT_ENCODING, "");
}

struct http *http_new(const struct http_cfg *cfg, struct err *err)
{
    const struct http_curl *lib = http_curl_open(err);
    if (!lib)
        return NULL;
    struct http *h = alloc_zero(1, sizeof *h);
    h->lib = lib;
    h->cfg = *cfg;
    h->cfg.timeout_ms = cfg->timeout_ms ? cfg->timeout_ms : 120000;
    h->cfg.tries = cfg->tries ? cfg->tries : 6;
    h->cfg.base_wait_ms = cfg->base_wait_ms ? cfg->base_wait_ms : 500;
    h->cfg.max_wait_ms = cfg->max_wait_ms ? cfg->max_wait_ms : 60000;
    h->cfg.max_reply = cfg->max_reply ? cfg->max_reply : (size_t)256 << 20;
    h->rng.state = cfg->seed;
    h->curl = h->lib->easy_init();
    if (!h->curl) {
        err_set(err, EXIT_FATAL, "libcurl cannot start");
        free(h);
        return NULL;
    }
    set_up(h);
    return h;
}

void http_free(struct http *h)
{
    if (!h)
        return;
    h->lib->easy_cleanup(h->curl);
    h->lib->slist_free_all(h->json); /* the others hang on it */
    free(h->name);
    free(h);
}

/* ---- one attempt ---- */

struct sink {
    struct buf *reply; /* all of it, when there is no fn */
    size_t max;
    bool (*fn)(void *ctx, struct sv bytes);
    void *ctx;
    struct http *http;
    bool has_begun, is_stopped, is_too_long;
};

static size_t receive(char *p, size_t size, size_t n, void *arg)
{
    struct sink *s = arg;
    long status = 0;
    s->http->lib->easy_getinfo(s->http->curl, CURLINFO_RESPONSE_CODE, &status);
    size_t bytes = size * n;
    if (s->fn && status / 100 == 2) {
        s->has_begun = true;
        if (s->fn(s->ctx, (struct sv){ p, bytes }))
            return bytes;
        s->is_stopped = true;
        return 0;
    }
    if (bytes > s->max - s->reply->len) {
        s->is_too_long = true;
        return 0;
    }
    buf_add(s->reply, p, bytes);
    return bytes;
}

/* Perform with SIGPIPE blocked: a server that hangs up must not end the process. */
static CURLcode perform(struct http *h)
{
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    CURLcode rc = h->lib->easy_perform(h->curl);
    if (!was_pending) {
        struct timespec none = { 0 };
        while (sigtimedwait(&pipe_only, NULL, &none) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

enum outcome { DONE, RETRY, REFUSED };

/* At most 200 bytes of text, or of a page without its markup. */
static void put_text(struct sv text, struct buf *out)
{
    struct buf plain = BUF_INIT;
    bool is_markup = text.n && text.p[0] == '<', is_tag = false;
    for (size_t i = 0; i < text.n && plain.len < 200; i++) {
        char c = text.p[i];
        is_tag = is_tag || (is_markup && c == '<');
        if (!is_tag && (c != ' ' || (plain.len && plain.data[plain.len - 1] != ' ')))
            buf_char(&plain, c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
        if (is_tag && c == '>')
            is_tag = false;
    }
    buf_sv(out, sv_trim(buf_view(&plain)));
    buf_release(&plain);
}

/* What the service says in an error body: {"error":{"message":…}}, {"error":…},
 * {"error":"kind","message":…}, {"message":…}, {"description":…} or text. */
static void reason_of(struct sv body, struct buf *out)
{
    jv v;
    struct err ignored;
    struct sv text = sv_trim(body);
    if (json_parse(&v, body, &ignored) == 0) {
        jv e = json_get(v, "error");
        jv m = json_is_object(e) ? json_get(e, "message") : e;
        jv other = json_get(v, "message");
        if (json_is_str(e) && json_is_str(other)) {
            put_text(json_sv(e), out);
            buf_str(out, ": ");
        }
        if (json_is_null(m) || json_is_str(other))
            m = other;
        if (json_is_null(m))
            m = json_get(v, "description");
        if (json_is_str(m))
            text = json_sv(m);
        put_text(text, out);
        json_free(v);
        return;
    }
    put_text(text, out);
}

/* A server error that says so will not change when the same is sent again: llama.cpp answers
 * 500 to an input of more tokens than its batch holds. */
static bool is_too_large(const struct buf *reason)
{
    return sv_find(buf_view(reason), SV("too large"), 0) != SIZE_MAX ||
           sv_find(buf_view(reason), SV("too long"), 0) != SIZE_MAX;
}

static enum outcome judge(struct http *h, CURLcode rc, const struct sink *s, long status,
                          struct err *err)
{
    if (s->is_stopped)
        return DONE;
    if (s->is_too_long) {
        err_set(err, EXIT_REJECTED, "%s: reply longer than %zu bytes", h->name, s->max);
        return REFUSED;
    }
    long sent = 0; /* of the request: an answer that is no HTTP gives the same code */
    h->lib->easy_getinfo(h->curl, CURLINFO_REQUEST_SIZE, &sent);
    if (rc == CURLE_URL_MALFORMAT || (rc == CURLE_UNSUPPORTED_PROTOCOL && !sent)) {
        err_set(err, EXIT_FATAL, "%s: not an http or https address", h->name);
        return REFUSED;
    }
    if (rc != CURLE_OK) {
        err_set(err, EXIT_SERVICE, "%s: %s", h->name,
                h->why[0] ? h->why : h->lib->easy_strerror(rc));
        return s->has_begun ? REFUSED : RETRY;
    }
    if (status / 100 == 2)
        return DONE;
    struct buf reason = BUF_INIT;
    reason_of(buf_view(s->reply), &reason);
    bool is_quota = sv_find(buf_view(s->reply), SV("insufficient_quota"), 0) != SIZE_MAX;
    bool is_passing =
        status == 408 || status == 429 || (status >= 500 && !is_too_large(&reason));
    err_set(err, is_passing ? EXIT_SERVICE : EXIT_REJECTED, "%s: status %ld%s%s", h->name,
            status, reason.len ? ": " : "", buf_cstr(&reason));
    if (status == 401 || status == 403 || status == 404 || status / 100 == 3)
        err->code = EXIT_FATAL; /* the same for every record: key, address or model is wrong */
    const char *to = NULL;
    if (status / 100 == 3)
        h->lib->easy_getinfo(h->curl, CURLINFO_REDIRECT_URL, &to);
    if (to) { /* it may be another's: whoever trusts it says so; without our password */
        size_t user, host = find_host(sv_from(to), &user);
        err_set(err, EXIT_FATAL, "%s: status %ld: moved to %.*s%.300s: give that address",
                h->name, status, (int)user, to, to + host);
    }
    if (is_quota)
        err->code = EXIT_SERVICE; /* and no record can be at fault */
    buf_release(&reason);
    return is_passing && !is_quota ? RETRY : REFUSED;
}

static void wait_before(struct http *h, long try)
{
    curl_off_t asked = 0;
    h->lib->easy_getinfo(h->curl, CURLINFO_RETRY_AFTER, &asked);
    long cap = h->cfg.base_wait_ms;
    for (long i = 0; i < try && cap < h->cfg.max_wait_ms; i++)
        cap *= 2;
    if (cap > h->cfg.max_wait_ms)
        cap = h->cfg.max_wait_ms;
    long ms = (long)rng_below(&h->rng, (uint64_t)cap + 1);
    if (asked * 1000 > ms)
        ms = asked > h->cfg.max_wait_ms / 1000 ? h->cfg.max_wait_ms : (long)asked * 1000;
    struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
    while (nanosleep(&t, &t) < 0 && errno == EINTR)
        ;
}

static enum outcome attempt(struct http *h, struct sink *s, long *status, CURLcode *rc,
                            struct err *err)
{
    s->http = h;
    s->max = h->cfg.max_reply;
    h->lib->easy_setopt(h->curl, CURLOPT_WRITEFUNCTION, receive);
    h->lib->easy_setopt(h->curl, CURLOPT_WRITEDATA, s);
    buf_reset(s->reply);
    h->why[0] = '\0';
    *status = 0;
    *rc = perform(h);
    h->lib->easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, status);
    return judge(h, *rc, s, *status, err);
}

static int request(struct http *h, struct sink *s, long *status, struct err *err)
{
    for (long try = 0;; try++) {
        long code;
        CURLcode rc;
        enum outcome o = attempt(h, s, &code, &rc, err);
        if (status)
            *status = code;
        if (o == DONE)
            return 0;
        if (o == REFUSED)
            return -1;
        if (try + 1 >= h->cfg.tries)
            return err_prefix(err, "gave up after %ld tries", h->cfg.tries);
        wait_before(h, try);
    }
}

static void set_body(struct http *h, struct sv body)
{
    h->lib->easy_setopt(h->curl, CURLOPT_POST, 1L);
    h->lib->easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.n);
    h->lib->easy_setopt(h->curl, CURLOPT_POSTFIELDS, body.p);
}

int http_post(struct http *h, struct sv body, struct buf *reply, long *status, struct err *err)
{
    struct sink s = { .reply = reply };
    set_body(h, body);
    return request(h, &s, status, err);
}

int http_get(struct http *h, struct buf *reply, long *status, struct err *err)
{
    struct sink s = { .reply = reply };
    h->lib->easy_setopt(h->curl, CURLOPT_HTTPGET, 1L);
    return request(h, &s, status, err);
}

int http_send(struct http *h, const char *method, struct sv body, struct buf *reply,
              long *status, struct err *err)
{
    struct sink s = { .reply = reply };
    if (body.n)
        set_body(h, body);
    else
        h->lib->easy_setopt(h->curl, CURLOPT_HTTPGET, 1L);
    h->lib->easy_setopt(h->curl, CURLOPT_CUSTOMREQUEST, method);
    int rc = request(h, &s, status, err);
    h->lib->easy_setopt(h->curl, CURLOPT_CUSTOMREQUEST, NULL);
    return rc;
}

int http_post_stream(struct http *h, struct sv body, bool (*fn)(void *ctx, struct sv bytes),
                     void *ctx, long *status, struct err *err)
{
    struct buf error_body = BUF_INIT;
    struct sink s = { .reply = &error_body, .fn = fn, .ctx = ctx };
    set_body(h, body);
    int rc = request(h, &s, status, err);
    buf_release(&error_body);
    return rc;
}

/* ---- one attempt ---- */

static int try_once(struct http *h, struct buf *reply, struct http_last *last, struct err *err)
{
    struct sink s = { .reply = reply };
    CURLcode rc;
    curl_off_t asked = 0, sent = 0;
    *last = (struct http_last){ 0 };
    enum outcome o = attempt(h, &s, &last->status, &rc, err);
    h->lib->easy_getinfo(h->curl, CURLINFO_RETRY_AFTER, &asked);
    h->lib->easy_getinfo(h->curl, CURLINFO_SIZE_UPLOAD_T, &sent);
    last->retry_after_ms = asked > 86400 ? 86400000 : (long)asked * 1000;
    if (rc != CURLE_OK && !s.is_too_long) {
        bool is_begun = last->status || sent || rc == CURLE_GOT_NOTHING;
        last->is_unreached = !is_begun;
        last->is_untrusted = !is_begun && rc == CURLE_PEER_FAILED_VERIFICATION;
        last->is_timed_out = is_begun && rc == CURLE_OPERATION_TIMEDOUT;
        last->is_cut_off = is_begun && !last->is_timed_out;
    }
    return o == DONE ? 0 : -1;
}

int http_get_once(struct http *h, struct buf *reply, struct http_last *last, struct err *err)
{
    h->lib->easy_setopt(h->curl, CURLOPT_HTTPGET, 1L);
    return try_once(h, reply, last, err);
}

/* The bytes of a part, and how far they are read: libcurl's own copy would double them. */
struct cursor {
    struct sv data;
    size_t at;
};

static size_t read_part(char *to, size_t size, size_t n, void *arg)
{
    struct cursor *c = arg;
    size_t room = size * n, left = c->data.n - c->at;
    if (room > left)
        room = left;
    memcpy(to, c->data.p + c->at, room);
    c->at += room;
    return room;
}

static int seek_part(void *arg, curl_off_t offset, int origin)
{
    struct cursor *c = arg;
    if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > c->data.n)
        return CURL_SEEKFUNC_FAIL;
    c->at = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

int http_post_form(struct http *h, const struct http_part *parts, size_t n, struct buf *reply,
                   struct http_last *last, struct err *err)
{
    curl_mime *form = h->lib->mime_init(h->curl);
    struct cursor *cursors = alloc_zero(n, sizeof *cursors);
    bool is_made = form != NULL;
    for (size_t i = 0; i < n && is_made; i++) {
        curl_mimepart *part = h->lib->mime_addpart(form);
        cursors[i].data = parts[i].data;
        is_made = part && h->lib->mime_name(part, parts[i].name) == CURLE_OK &&
                  h->lib->mime_filename(part, parts[i].filename) == CURLE_OK &&
                  h->lib->mime_type(part, parts[i].type) == CURLE_OK &&
                  h->lib->mime_data_cb(part, (curl_off_t)parts[i].data.n, read_part, seek_part,
                                       NULL, &cursors[i]) == CURLE_OK;
    }
    if (!is_made)
        alloc_die(NULL);
    h->lib->easy_setopt(h->curl, CURLOPT_MIMEPOST, form);
    h->lib->easy_setopt(h->curl, CURLOPT_HTTPHEADER, h->headers);
    /* On a connection that proves dead libcurl sends a request again by itself: not this one.
     */
    h->lib->easy_setopt(h->curl, CURLOPT_FRESH_CONNECT, 1L);
    int rc = try_once(h, reply, last, err);
    h->lib->easy_setopt(h->curl, CURLOPT_FRESH_CONNECT, 0L);
    h->lib->easy_setopt(h->curl, CURLOPT_HTTPHEADER, h->json);
    h->lib->easy_setopt(h->curl, CURLOPT_MIMEPOST, NULL);
    h->lib->mime_free(form);
    free(cursors);
    return rc;
}

/* ---- where and who ---- */

int http_join(struct buf *url, const char *base, const char *path, struct err *err)
{
    if (!base || !*base)
        base = getenv("OPENAI_BASE_URL");
    if (!base || !*base)
        return err_set(err, EXIT_USAGE, "no address: give --api URL or set OPENAI_BASE_URL");
    struct sv b = sv_from(base);
    while (b.n && b.p[b.n - 1] == '/')
        b.n--;
    if (!b.n || b.p[b.n - 1] == ':')
        return err_set(err, EXIT_USAGE, "%s: expected http://HOST or https://HOST", base);
    buf_sv(url, b);
    buf_printf(url, "/%s", path);
    return 0;
}

int http_key(char **key, const char *file, struct err *err)
{
    *key = NULL;
    if (!file) {
        const char *env = getenv("OPENAI_API_KEY");
        if (env && *env)
            *key = alloc_text(env, strlen(env));
        return 0;
    }
    struct buf b = BUF_INIT;
    int rc = file_read(&b, file, 64 << 10, err);
    struct sv rest = buf_view(&b), line = SV_NONE;
    if (rc == 0 && sv_cut(&rest, '\n', &line)) {
        line = sv_trim(line);
        *key = alloc_text(line.p, line.n);
    }
    buf_release(&b);
    return rc;
}
