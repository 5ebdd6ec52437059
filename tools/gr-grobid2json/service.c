// SPDX-License-Identifier: MIT
/*
 * service.c — one connection a worker, and the rules of what is tried again
 */
#include "service.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <curl/curlver.h>

#include "alloc.h"
#include "http.h"
#include "rng.h"

#define BASE_WAIT_MS 500
#define TOP_WAIT_MS 10000
#define ASKED_MAX_MS 60000 /* of Retry-After when the service is not busy */
#define TRIES_500 2
#define START "docker run --rm --init -p 8070:8070 grobid/grobid:0.8.2-crf"
#define LONG_WAIT_MS 15000
#define SLICE_MS 200 /* of a wait: how soon it ends when the run does */

struct conn {
    struct http *http;
    struct rng rng;
};

struct service {
    struct service_cfg cfg;
    char *base, *alive_url, *post_url;
    struct conn *conns;    /* (n_workers) */
    pthread_mutex_t first; /* held by who asks isalive */
    bool is_alive;         /* it has said so; under `first` */
    pthread_mutex_t lock;  /* of `down` */
    struct err down;       /* why the service is of no use */
    atomic_bool is_down;   /* `down` is set */
    atomic_bool is_said;   /* on_long_wait was called */
    atomic_ullong n_posts, n_waits;
};

/* ---- life ---- */

static char *join(const char *base, const char *path)
{
    struct buf b = BUF_INIT;
    buf_printf(&b, "%s%s", base, path);
    return buf_take(&b, NULL);
}

/* Without slashes at the end, and without the /api that some put there. */
static int set_base(struct service *s, const char *url, struct err *err)
{
    struct sv u = sv_trim(sv_from(url)), scheme = sv_from_to(u, 0, sv_find(u, SV("://"), 0));
    bool is_http = sv_ieq(scheme, SV("http")) || sv_ieq(scheme, SV("https"));
    while (u.n && u.p[u.n - 1] == '/')
        u.n--;
    if (sv_ends(u, SV("/api")))
        u.n -= 4;
    while (u.n && u.p[u.n - 1] == '/')
        u.n--;
    bool is_clean = true;
    for (size_t i = 0; i < u.n; i++)
        is_clean = is_clean && (unsigned char)u.p[i] > ' ' && !strchr("?#", u.p[i]);
    if (!is_http || !is_clean || u.n < scheme.n + 4)
        return err_set(err, EXIT_USAGE,
                       "--grobid: expected an address like http://localhost:8070, not \"%.*s\"",
                       SV_ARG(sv_find(u, SV("@"), 0) == SIZE_MAX ? u : SV("…@…")));
    s->base = alloc_text(u.p, u.n);
    s->alive_url = join(s->base, "/api/isalive");
    s->post_url = join(s->base, "/api/processFulltextDocument");
    return 0;
}

static int connect_all(struct service *s, struct err *err)
{
    static const char *const headers[] = { "Accept: application/xml", NULL };
    s->conns = alloc_zero(s->cfg.n_workers, sizeof *s->conns);
    for (unsigned i = 0; i < s->cfg.n_workers; i++) {
        s->conns[i].rng.state = s->cfg.seed + i;
        s->conns[i].http = http_new(&(struct http_cfg){ .url = s->post_url,
                                                        .headers = headers,
                                                        .timeout_ms = s->cfg.timeout_s * 1000,
                                                        .max_reply = s->cfg.max_reply },
                                    err);
        if (!s->conns[i].http)
            return -1;
    }
    return 0;
}

struct service *service_new(const struct service_cfg *cfg, struct err *err)
{
    struct service *s = alloc_zero(1, sizeof *s);
    s->cfg = *cfg;
    pthread_mutex_init(&s->first, NULL);
    pthread_mutex_init(&s->lock, NULL);
    if (set_base(s, cfg->url, err) == 0 && connect_all(s, err) == 0)
        return s;
    service_free(s);
    return NULL;
}

void service_free(struct service *s)
{
    if (!s)
        return;
    for (unsigned i = 0; s->conns && i < s->cfg.n_workers; i++)
        http_free(s->conns[i].http);
    free(s->conns);
    pthread_mutex_destroy(&s->first);
    pthread_mutex_destroy(&s->lock);
    free(s->base);
    free(s->alive_url);
    free(s->post_url);
    free(s);
}

struct service_counts service_counts(struct service *s)
{
    return (struct service_counts){ atomic_load(&s->n_posts), atomic_load(&s->n_waits) };
}

const char *service_libs(void)
{
    return LIBCURL_VERSION;
}

/* ---- waiting ---- */

/* Between the attempts for one PDF. */
struct patience {
    long n_failed, n_500, n_busy;
    long waited_ms; /* for a busy service */
};

static int say_down(struct service *s, struct err *err)
{
    pthread_mutex_lock(&s->lock);
    *err = s->down;
    pthread_mutex_unlock(&s->lock);
    return -1;
}

/* *err is what all workers fail with from now on; when there is such a thing already, that. */
static int set_down(struct service *s, struct err *err)
{
    pthread_mutex_lock(&s->lock);
    if (!atomic_load(&s->is_down))
        s->down = *err;
    atomic_store(&s->is_down, true);
    pthread_mutex_unlock(&s->lock);
    return say_down(s, err);
}

/* -1 with err when another worker has given the service up meanwhile. */
static int sleep_ms(struct service *s, long ms, struct err *err)
{
    while (ms > 0 && !atomic_load(&s->is_down)) {
        long slice = ms < SLICE_MS ? ms : SLICE_MS;
        struct timespec t = { slice / 1000, slice % 1000 * 1000000 };
        while (nanosleep(&t, &t) < 0 && errno == EINTR)
            ;
        ms -= slice;
    }
    return atomic_load(&s->is_down) ? say_down(s, err) : 0;
}

static long jitter_ms(struct conn *c, long n, long asked_ms)
{
    long top = n < 5 ? (long)BASE_WAIT_MS << n : TOP_WAIT_MS;
    if (top > TOP_WAIT_MS)
        top = TOP_WAIT_MS;
    long ms = (long)rng_below(&c->rng, (uint64_t)top + 1);
    return ms > asked_ms ? ms : asked_ms;
}

/* Busy. 0: worth another attempt. */
static int wait_busy(struct service *s, struct conn *c, struct patience *p, long asked_ms,
                     struct err *err)
{
    long left = s->cfg.max_wait_s * 1000 - p->waited_ms;
    long ms = jitter_ms(c, p->n_busy++, asked_ms);
    if (left <= 0) {
        err->code = EXIT_SERVICE;
        err_prefix(err, "busy for %ld s (--max-wait)", s->cfg.max_wait_s);
        return set_down(s, err);
    }
    if (ms > left)
        ms = left;
    p->waited_ms += ms ? ms : 1;
    atomic_fetch_add(&s->n_waits, 1);
    if (p->waited_ms >= LONG_WAIT_MS && s->cfg.on_long_wait &&
        !atomic_exchange(&s->is_said, true))
        s->cfg.on_long_wait(err->msg);
    return sleep_ms(s, ms, err);
}

/* A failure that may pass. 0: worth another attempt. */
static int wait_failed(struct service *s, struct conn *c, struct patience *p, long asked_ms,
                       struct err *err)
{
    if (++p->n_failed >= s->cfg.tries) {
        err_prefix(err, "gave up after %ld tr%s", p->n_failed, p->n_failed == 1 ? "y" : "ies");
        return err->code == EXIT_REJECTED ? -1 : set_down(s, err);
    }
    long ms = jitter_ms(c, p->n_failed - 1, asked_ms < ASKED_MAX_MS ? asked_ms : ASKED_MAX_MS);
    return sleep_ms(s, ms, err);
}

/* ---- what came back ---- */

enum verdict { DONE, BUSY, AGAIN, REFUSED };

/* The name of the root element, without prefix; empty: none found. */
static struct sv root_name(struct sv xml)
{
    size_t at = 0;
    while ((at = sv_find(xml, SV("<"), at)) != SIZE_MAX) {
        struct sv rest = sv_from_to(xml, at, xml.n);
        size_t end = 1;
        if (sv_starts(rest, SV("<!--")) || sv_starts(rest, SV("<?"))) {
            struct sv stop = rest.p[1] == '?' ? SV("?>") : SV("-->");
            at = sv_find(xml, stop, at);
            if (at == SIZE_MAX)
                break;
            continue;
        }
        if (sv_ieq(sv_from_to(rest, 0, 10), SV("<!DOCTYPE ")))
            end = 10; /* which names the root as well */
        while (end < rest.n && !strchr(" \t\r\n/>[", rest.p[end]))
            end++;
        size_t start = end;
        while (start > 1 && !strchr(": ", rest.p[start - 1]))
            start--;
        return sv_from_to(rest, start, end);
    }
    return SV_NONE;
}

/* Does it end with the end tag of the root, but for comments after it? */
static bool has_end(struct sv text)
{
    while (sv_ends(text, SV("-->"))) {
        size_t at = text.n - 3;
        while (at && !sv_starts(sv_from_to(text, at, text.n), SV("<!--")))
            at--;
        text = sv_trim(sv_from_to(text, 0, at));
    }
    size_t at = text.n;
    while (at && text.p[at - 1] != '<')
        at--;
    struct sv tag = sv_from_to(text, at, text.n), prefix;
    sv_cut(&tag, '/', &prefix);
    if (at == 0 || prefix.n || !tag.p)
        return false;
    return sv_is(tag, "TEI>") || sv_ends(tag, SV(":TEI>"));
}

enum service_reply service_judge(struct sv reply, struct err *err)
{
    struct sv text = sv_trim(reply);
    if (sv_starts(text, SV("\xEF\xBB\xBF")))
        text = sv_trim(sv_from_to(text, 3, text.n));
    if (!text.n) {
        err_set(err, EXIT_REJECTED, "GROBID answered with nothing");
        return SERVICE_REPLY_CUT;
    }
    struct sv root = text.p[0] == '<' ? root_name(text) : SV_NONE;
    if (sv_is(root, "TEI")) {
        if (has_end(text))
            return SERVICE_REPLY_TEI;
        err_set(err, EXIT_REJECTED, "GROBID's TEI ends before its end");
        return SERVICE_REPLY_CUT;
    }
    if (text.p[0] == '{' || text.p[0] == '[')
        err_set(err, EXIT_REJECTED, "answered with JSON in place of TEI: %.*s",
                (int)(text.n < 120 ? text.n : 120), text.p);
    else if (sv_ieq(root, SV("html")))
        err_set(err, EXIT_REJECTED,
                "answered with a web page in place of TEI: is something between here and "
                "GROBID?");
    else
        err_set(err, EXIT_REJECTED, "answered with something else than TEI: %.*s",
                (int)(text.n < 60 ? text.n : 60), text.p);
    return SERVICE_REPLY_OTHER;
}

static enum verdict check_tei(struct sv reply, struct err *err)
{
    enum service_reply r = service_judge(reply, err);
    return r == SERVICE_REPLY_TEI ? DONE : r == SERVICE_REPLY_CUT ? AGAIN : REFUSED;
}

/* Faults that GROBID finds in the PDF: the same next time. What to do about it; NULL: none. */
static const char *fault_of_pdf(struct sv reply)
{
    static const char *const faults[][2] = {
        { "NO_BLOCKS", "no text in it: a scan? run OCR on it first" },
        { "BAD_INPUT_DATA", "GROBID cannot read it: damaged, or not to be opened" },
        { "TOO_MANY_BLOCKS", "too large for GROBID: give fewer pages" },
        { "TOO_MANY_TOKENS", "too large for GROBID: give fewer pages" },
        { "PARSING_ERROR", "GROBID cannot read it: damaged?" },
        { "PDFALTO_CONVERSION_FAILURE", "GROBID cannot read it: damaged?" },
    };
    for (size_t i = 0; i < ARRAY_LEN(faults); i++)
        if (sv_find(reply, sv_from(faults[i][0]), 0) != SIZE_MAX)
            return faults[i][1];
    return NULL;
}

static enum verdict unreached(const struct http_last *last, struct err *err)
{
    struct err more;
    err->code = EXIT_SERVICE;
    if (last->is_untrusted)
        return REFUSED;
    err_set(&more, EXIT_SERVICE, "%.300s: is GROBID running? " START, err->msg);
    *err = more;
    return AGAIN;
}

static enum verdict judge_500(struct sv reply, struct patience *p, struct err *err)
{
    const char *fault = fault_of_pdf(reply);
    err->code = EXIT_REJECTED;
    if (fault)
        err_prefix(err, "%s", fault);
    return fault || ++p->n_500 >= TRIES_500 ? REFUSED : AGAIN;
}

static enum verdict judge(struct service *s, const struct http_last *last, struct sv reply,
                          struct patience *p, struct err *err)
{
    if (last->is_unreached)
        return unreached(last, err);
    if (last->is_timed_out) {
        err->code = EXIT_REJECTED;
        err_prefix(err, "no answer within %ld s (--timeout)", s->cfg.timeout_s);
        return REFUSED;
    }
    if (last->is_cut_off) {
        err->code = EXIT_REJECTED;
        err_prefix(err, "no whole reply");
        return AGAIN;
    }
    switch (last->status) {
    case 503:
    case 429:
        return BUSY;
    case 500:
        return judge_500(reply, p, err);
    case 408:
    case 504: /* this PDF takes longer than something on the way allows */
        err->code = EXIT_REJECTED;
        return AGAIN;
    default:
        return err->code == EXIT_SERVICE ? AGAIN : REFUSED;
    }
}

/* A first answer that is none of GROBID's: nothing else will be either. */
static enum verdict judge_alive(const struct http_last *last, struct sv reply, bool is_ok,
                                struct err *err)
{
    if (last->is_unreached)
        return unreached(last, err);
    if (last->status == 503 || last->status == 429)
        return BUSY;
    if (!is_ok && (last->is_timed_out || last->is_cut_off || last->status == 408 ||
                   last->status >= 500)) {
        err->code = EXIT_SERVICE;
        return AGAIN;
    }
    if (is_ok && sv_is(sv_trim(reply), "true"))
        return DONE;
    if (is_ok && sv_is(sv_trim(reply), "false")) {
        err_set(err, EXIT_SERVICE, "GROBID says that it is not ready");
        return BUSY;
    }
    if (is_ok)
        err_set(err, EXIT_FATAL, "the answer is not \"true\"");
    err->code = EXIT_FATAL;
    err_prefix(err, "/api/isalive: no GROBID at the address of --grobid");
    return REFUSED;
}

/* ---- requests ---- */

static int post(struct service *s, struct conn *c, struct sv pdf, struct buf *reply,
                struct http_last *last, struct err *err)
{
    const char *name, *value;
    size_t n = 0;
    while (form_field(s->cfg.form, n, &name, &value))
        n++;
    struct http_part *parts = alloc_zero(n + 1, sizeof *parts);
    parts[0] = (struct http_part){ "input", pdf, "paper.pdf", "application/pdf" };
    for (size_t i = 0; i < n && form_field(s->cfg.form, i, &name, &value); i++)
        parts[i + 1] = (struct http_part){ .name = name, .data = sv_from(value) };
    atomic_fetch_add(&s->n_posts, 1);
    int rc = http_post_form(c->http, parts, n + 1, reply, last, err);
    free(parts);
    return rc;
}

/* pdf NULL: isalive. */
static enum verdict attempt(struct service *s, struct conn *c, const struct sv *pdf,
                            struct buf *reply, struct patience *p, struct http_last *last,
                            struct err *err)
{
    if (!pdf) {
        bool is_ok = http_get_once(c->http, reply, last, err) == 0;
        return judge_alive(last, buf_view(reply), is_ok, err);
    }
    if (post(s, c, *pdf, reply, last, err) < 0)
        return judge(s, last, buf_view(reply), p, err);
    if (last->status != 204)
        return check_tei(buf_view(reply), err);
    err_set(err, EXIT_REJECTED, "GROBID found no content in it (status 204)");
    return REFUSED;
}

static int ask(struct service *s, struct conn *c, const struct sv *pdf, struct buf *reply,
               struct err *err)
{
    struct patience p = { 0 };
    for (;;) {
        struct http_last last;
        int rc = -1;
        if (atomic_load(&s->is_down))
            return say_down(s, err);
        switch (attempt(s, c, pdf, reply, &p, &last, err)) {
        case DONE:
            return 0;
        case BUSY:
            rc = wait_busy(s, c, &p, last.retry_after_ms, err);
            break;
        case AGAIN:
            rc = wait_failed(s, c, &p, last.retry_after_ms, err);
            break;
        case REFUSED:
            rc = err->code == EXIT_REJECTED ? -1 : set_down(s, err);
        }
        if (rc < 0)
            return -1;
    }
}

static int ask_alive(struct service *s, struct conn *c, struct err *err)
{
    struct buf reply = BUF_INIT;
    int rc = 0;
    pthread_mutex_lock(&s->first);
    if (!s->is_alive) {
        http_set_url(c->http, s->alive_url);
        rc = ask(s, c, NULL, &reply, err);
        http_set_url(c->http, s->post_url);
        s->is_alive = rc == 0;
    }
    pthread_mutex_unlock(&s->first);
    buf_release(&reply);
    return rc;
}

int service_tei(struct service *s, unsigned worker, struct sv pdf, struct buf *tei,
                struct err *err)
{
    struct conn *c = &s->conns[worker];
    if (ask_alive(s, c, err) < 0)
        return -1;
    return ask(s, c, &pdf, tei, err);
}
