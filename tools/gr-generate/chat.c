// SPDX-License-Identifier: MIT
/*
 * chat.c — replies of chat services, whole or as a stream
 */
#include "chat.h"

#include "sse.h"

#define TEXT_MAX ((size_t)4 << 20) /* of what may be no stream after all */

void chat_reply_init(struct chat_reply *r)
{
    *r = (struct chat_reply){ 0 };
    llm_reply_init(&r->llm);
}

void chat_reply_release(struct chat_reply *r)
{
    llm_reply_release(&r->llm);
}

bool chat_read_event(void *reply, struct sv data)
{
    struct chat_reply *r = reply;
    jv v;
    if (sv_is(sv_trim(data), "[DONE]")) {
        r->is_done = true;
        return true;
    }
    if (json_parse(&v, data, &r->err) < 0) {
        r->err.code = EXIT_REJECTED;
        err_prefix(&r->err, "the service's stream");
        return false;
    }
    bool go_on = llm_reply_error(v, &r->err) == 0;
    if (go_on && json_is_object(v)) {
        jv choice = json_at(json_get(v, "choices"), 0);
        jv delta = json_is_object(choice) ? json_get(choice, "delta") : jv_null();
        struct sv text = json_is_object(delta) ? json_sv(json_get(delta, "content")) : SV_NONE;
        llm_reply_note(&r->llm, v, choice);
        buf_sv(&r->llm.text, text);
        if (text.n && r->on_text)
            r->on_text(text);
    }
    json_free(v);
    return go_on && !r->llm.text.overflow;
}

/* ---- asking ---- */

/* What a stream leaves: the events, and the first bytes in case it is no stream at all. */
struct stream {
    struct sse sse;
    struct buf raw;
    struct chat_reply *reply;
};

static bool take_bytes(void *ctx, struct sv bytes)
{
    struct stream *s = ctx;
    if (!s->sse.n_events)
        buf_sv(&s->raw, bytes);
    return sse_feed(&s->sse, bytes, chat_read_event, s->reply);
}

static int ask_stream(struct chat_reply *r, struct http *h, struct sv body, struct err *err)
{
    struct stream s = { .reply = r };
    sse_init(&s.sse);
    s.raw.max = TEXT_MAX;
    int rc = http_post_stream(h, body, take_bytes, &s, NULL, err);
    if (rc == 0 && r->err.code == EXIT_ALL_DONE)
        sse_end(&s.sse, chat_read_event, r);
    if (rc == 0 && !s.sse.n_events) { /* a service that does not stream answers whole */
        rc = llm_reply_read(&r->llm, buf_view(&s.raw), err);
        if (rc == 0 && r->on_text)
            r->on_text(buf_view(&r->llm.text));
    } else if (rc == 0 && r->err.code != EXIT_ALL_DONE) {
        *err = r->err;
        rc = -1;
    } else if (rc == 0 && !r->is_done && !r->llm.finish[0]) {
        rc = err_set(err, EXIT_REJECTED, "the stream was cut off");
    } else if (rc == 0) {
        rc = llm_reply_end(&r->llm, err);
    }
    sse_release(&s.sse);
    buf_release(&s.raw);
    return rc;
}

int chat_ask(struct chat_reply *r, struct http *h, const struct chat_cfg *cfg, struct sv body,
             struct err *err)
{
    if (cfg->is_stream)
        return ask_stream(r, h, body, err);
    struct buf reply = BUF_INIT;
    int kept = cfg->cache ? llm_cache_get(cfg->cache, body, &reply, err) : 0;
    int rc = kept == 0 ? http_post(h, body, &reply, NULL, err) : kept < 0 ? -1 : 0;
    if (rc == 0)
        rc = llm_reply_read(&r->llm, buf_view(&reply), err);
    if (rc == 0 && cfg->cache && kept == 0)
        rc = llm_cache_put(cfg->cache, body, buf_view(&reply), err);
    buf_release(&reply);
    return rc;
}
