// SPDX-License-Identifier: MIT
/*
 * llm_reply.c — what a chat service sent, and the JSON in it
 */
#include "llm.h"

#include <math.h>

#define TEXT_MAX ((size_t)4 << 20) /* an answer longer than this is none */
#define DEPTH_MAX 64

void llm_reply_init(struct llm_reply *r)
{
    *r = (struct llm_reply){ .n_prompt = NAN, .n_answer = NAN };
    r->text.max = TEXT_MAX;
}

void llm_reply_release(struct llm_reply *r)
{
    buf_release(&r->text);
    buf_release(&r->model);
}

void llm_reply_note(struct llm_reply *r, jv v, jv choice)
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

int llm_reply_error(jv v, struct err *err)
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

int llm_reply_end(struct llm_reply *r, struct err *err)
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

static jv first_choice(jv v)
{
    return json_at(json_is_object(v) ? json_get(v, "choices") : jv_null(), 0);
}

/* Append the text of the first choice: a string, or parts {"type":"text","text":…}. False:
 * there is none. */
static bool put_content(jv v, struct buf *out)
{
    jv choice = first_choice(v);
    jv message = json_is_object(choice) ? json_get(choice, "message") : jv_null();
    jv content = json_is_object(message) ? json_get(message, "content") : jv_null();
    bool has_any = json_is_str(content);
    if (has_any)
        buf_sv(out, json_sv(content));
    for (size_t i = 0; json_is_array(content) && i < json_len(content); i++) {
        jv part = json_at(content, i);
        jv text = json_is_object(part) ? json_get(part, "text") : jv_null();
        has_any = has_any || json_is_str(text);
        buf_sv(out, json_sv(text));
    }
    return has_any;
}

int llm_reply_read(struct llm_reply *r, struct sv body, struct err *err)
{
    jv v;
    if (sv_starts(body, SV("\xef\xbb\xbf"))) /* some services begin with a byte order mark */
        body = sv_from_to(body, 3, body.n);
    if (json_parse(&v, body, err) < 0) {
        err->code = EXIT_REJECTED;
        return err_prefix(err, "the service's reply");
    }
    int rc = llm_reply_error(v, err);
    if (rc == 0 && !put_content(v, &r->text))
        rc = err_set(err, EXIT_REJECTED,
                     "the service's reply has no choices[0].message.content");
    if (rc == 0) {
        llm_reply_note(r, v, first_choice(v));
        rc = llm_reply_end(r, err);
    }
    json_free(v);
    return rc;
}

/* ---- JSON among words ---- */

/* Walking over JSON text far enough to know where its values end. */
struct walk {
    char open[DEPTH_MAX]; /* brackets not closed yet */
    size_t depth;
    size_t end;           /* behind the outermost value, SIZE_MAX: it breaks off */
    size_t whole;         /* behind the last element of an array that ended, 0: none */
    char left[DEPTH_MAX]; /* the brackets open there */
    size_t n_left;
};

/* Behind the string that begins at `at`; text.n when it breaks off. */
static size_t string_end(struct sv text, size_t at)
{
    for (at++; at < text.n && text.p[at] != '"'; at++)
        if (text.p[at] == '\\')
            at++;
    return at < text.n ? at + 1 : text.n;
}

/* False: brackets that do not match, or nested too deep. */
static bool walk_json(struct sv text, size_t from, struct walk *w)
{
    *w = (struct walk){ .end = SIZE_MAX };
    for (size_t at = from; at < text.n;) {
        char c = text.p[at];
        if (c == '"') {
            at = string_end(text, at);
            continue;
        }
        at++;
        if (c == '{' || c == '[') {
            if (w->depth == DEPTH_MAX)
                return false;
            w->open[w->depth++] = c;
        } else if (c == '}' || c == ']') {
            if (!w->depth || w->open[w->depth - 1] != (c == '}' ? '{' : '['))
                return false;
            if (--w->depth == 0) {
                w->end = at;
                return true;
            }
            if (w->open[w->depth - 1] == '[') {
                w->whole = at;
                w->n_left = w->depth;
                memcpy(w->left, w->open, w->depth);
            }
        }
    }
    return true;
}

/* The elements that are whole, their brackets closed. */
static int parse_cut(struct sv text, size_t from, const struct walk *w, jv *v, struct err *err)
{
    struct buf mended = BUF_INIT;
    buf_sv(&mended, sv_from_to(text, from, w->whole));
    for (size_t i = w->n_left; i-- > 0;)
        buf_char(&mended, w->left[i] == '{' ? '}' : ']');
    int rc = json_parse(v, buf_view(&mended), err);
    buf_release(&mended);
    return rc;
}

/* Is it one object, and nothing in it? Then what cannot be read is one statement. */
static bool is_leaf(struct sv object)
{
    struct sv inner = sv_from_to(object, 1, object.n);
    return object.n && object.p[0] == '{' && sv_find(inner, SV("{"), 0) == SIZE_MAX &&
           sv_find(inner, SV("["), 0) == SIZE_MAX;
}

bool llm_json_next(struct sv text, size_t *pos, struct llm_json *found)
{
    struct walk w;
    struct err ignored;
    for (size_t at = *pos; at < text.n; at++) {
        if ((text.p[at] != '{' && text.p[at] != '[') || !walk_json(text, at, &w))
            continue;
        bool is_whole = w.end != SIZE_MAX;
        size_t end = is_whole ? w.end : w.whole;
        if (!end)
            continue;
        struct sv value = sv_from_to(text, at, end);
        if ((is_whole ? json_parse(&found->v, value, &ignored)
                      : parse_cut(text, at, &w, &found->v, &ignored)) < 0) {
            found->n_broken += is_whole && is_leaf(value);
            continue;
        }
        found->is_cut = !is_whole;
        found->n_bytes = end - at;
        *pos = end;
        return true;
    }
    return false;
}

int llm_json(struct sv text, jv *v, bool *is_cut, struct err *err)
{
    struct llm_json one = { 0 };
    size_t longest = 0;
    for (size_t pos = 0; llm_json_next(text, &pos, &one);) {
        if (longest && one.n_bytes < longest) {
            json_free(one.v);
            continue;
        }
        if (longest)
            json_free(*v);
        *v = one.v;
        *is_cut = one.is_cut;
        longest = one.n_bytes;
    }
    if (longest)
        return 0;
    return err_set(err, EXIT_REJECTED, "the model's answer holds no JSON");
}
