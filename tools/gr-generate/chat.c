// SPDX-License-Identifier: MIT
/*
 * chat.c — replies of chat services, whole or as a stream
 */
#include "chat.h"

#include <math.h>

#include "sse.h"

#define TEXT_MAX ((size_t)4 << 20) /* an answer longer than this is none */

void chat_reply_init(struct chat_reply *r)
{
    *r = (struct chat_reply){ .n_prompt = NAN, .n_answer = NAN };
    r->text.max = TEXT_MAX;
}

void chat_reply_release(struct chat_reply *r)
{
    buf_release(&r->text);
    buf_release(&r->model);
}

/* What whole replies and events have in common. */
static void read_common(struct chat_reply *r, jv v, jv choice)
{
    struct sv model = json_sv(json_get(v, "model"));
    struct sv finish =
        json_is_object(choice) ? json_sv(json_get(choice, "finish_reason")) : SV_NONE;
    jv usage = json_get(v, "usage");
    if (model.n && !r->model.len)
        buf_sv(&r->model, sv_from_to(model, 0, 200));
    if (finish.n)
        snprintf(r->finish, sizeof r->finish, "%.*s", SV_ARG(finish));
    err_clean(r->finish);
    if (json_is_object(usage)) {
        r->n_prompt = json_num(json_get(usage, "prompt_tokens"));
        r->n_answer = json_num(json_get(usage, "completion_tokens"));
    }
}

/* {"error":{"message":…}} in place of an answer, with status 200. */
static int check_error(jv v, struct err *err)
{
    jv e = json_is_object(v) ? json_get(v, "error") : jv_null();
    if (json_is_null(e))
        return 0;
    jv m = json_is_object(e) ? json_get(e, "message") : e;
    struct sv said = json_is_str(m) ? json_sv(m) : SV("no reason given");
    return err_set(err, EXIT_REJECTED, "the service says: %.*s",
                   SV_ARG(sv_from_to(said, 0, 200)));
}

/* Models that think aloud put it before the answer. */
static struct sv without_thoughts(struct sv text)
{
    text = sv_trim(text);
    if (!sv_starts(text, SV("<think>")))
        return text;
    size_t end = sv_find(text, SV("</think>"), 0);
    return end == SIZE_MAX ? SV_NONE : sv_trim(sv_from_to(text, end + 8, text.n));
}

static int finish_text(struct chat_reply *r, struct err *err)
{
    struct sv kept = without_thoughts(buf_view(&r->text));
    if (r->text.overflow)
        return err_set(err, EXIT_REJECTED, "the answer is longer than %zu bytes", TEXT_MAX);
    if (!kept.n)
        return err_set(err, EXIT_REJECTED, "the service gave an empty answer%s%s",
                       r->finish[0] ? ", finish_reason " : "", r->finish);
    struct buf clean = BUF_INIT;
    buf_sv(&clean, kept);
    buf_release(&r->text);
    r->text = clean;
    return 0;
}

int chat_read(struct chat_reply *r, struct sv body, struct err *err)
{
    jv v;
    if (json_parse(&v, body, err) < 0) {
        err->code = EXIT_REJECTED;
        return err_prefix(err, "the service's reply");
    }
    int rc = check_error(v, err);
    jv choices = json_is_object(v) ? json_get(v, "choices") : jv_null();
    jv choice = json_at(choices, 0);
    jv message = json_is_object(choice) ? json_get(choice, "message") : jv_null();
    jv content = json_is_object(message) ? json_get(message, "content") : jv_null();
    if (rc == 0 && !json_is_str(content))
        rc = err_set(err, EXIT_REJECTED,
                     "the service's reply has no choices[0].message.content");
    if (rc == 0) {
        read_common(r, v, choice);
        buf_sv(&r->text, json_sv(content));
        rc = finish_text(r, err);
    }
    json_free(v);
    return rc;
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
    bool go_on = check_error(v, &r->err) == 0;
    if (go_on && json_is_object(v)) {
        jv choice = json_at(json_get(v, "choices"), 0);
        jv delta = json_is_object(choice) ? json_get(choice, "delta") : jv_null();
        struct sv text = json_is_object(delta) ? json_sv(json_get(delta, "content")) : SV_NONE;
        read_common(r, v, choice);
        buf_sv(&r->text, text);
        if (text.n && r->on_text)
            r->on_text(text);
    }
    json_free(v);
    return go_on && !r->text.overflow;
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
        rc = chat_read(r, buf_view(&s.raw), err);
        if (rc == 0 && r->on_text)
            r->on_text(buf_view(&r->text));
    } else if (rc == 0 && r->err.code != EXIT_ALL_DONE) {
        *err = r->err;
        rc = -1;
    } else if (rc == 0 && !r->is_done && !r->finish[0]) {
        rc = err_set(err, EXIT_REJECTED, "the stream was cut off");
    } else if (rc == 0) {
        rc = finish_text(r, err);
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
    int rc = http_post(h, body, &reply, NULL, err);
    if (rc == 0)
        rc = chat_read(r, buf_view(&reply), err);
    buf_release(&reply);
    return rc;
}
