// SPDX-License-Identifier: MIT
/*
 * texts.c — from records to texts, from vectors to records
 */
#include "texts.h"

#include <stdarg.h>

#include "alloc.h"
#include "schema.h"
#include "vec.h"

void texts_reset(struct texts *t)
{
    buf_reset(&t->bytes);
    t->n = 0;
}

void texts_release(struct texts *t)
{
    buf_release(&t->bytes);
    free(t->ends);
    *t = (struct texts){ 0 };
}

struct sv texts_at(const struct texts *t, size_t i)
{
    return sv_from_to(buf_view(&t->bytes), i ? t->ends[i - 1] : 0, t->ends[i]);
}

/* The bytes added last are a text. */
static void finish(struct texts *t)
{
    if (t->n == t->cap) {
        t->cap = alloc_grow(t->cap, t->n + 1);
        t->ends = alloc_resize(t->ends, t->cap, sizeof *t->ends);
    }
    t->ends[t->n++] = t->bytes.len;
}

void texts_put(struct texts *t, struct sv text)
{
    buf_sv(&t->bytes, text);
    finish(t);
}

size_t texts_tokens(struct sv text)
{
    return text.n / 3 + 1;
}

/* ---- notes ---- */

void notes_reset(struct text_notes *notes, size_t n)
{
    for (size_t i = 0; i < notes->n; i++)
        free(notes->at[i].why);
    if (n > notes->cap) {
        notes->cap = n;
        notes->at = alloc_resize(notes->at, n, sizeof *notes->at);
    }
    notes->n = n;
    for (size_t i = 0; i < n; i++)
        notes->at[i] = (struct text_note){ 0 };
}

void notes_release(struct text_notes *notes)
{
    notes_reset(notes, 0);
    free(notes->at);
    *notes = (struct text_notes){ 0 };
}

void note_fault(struct text_note *note, const char *fmt, ...)
{
    char text[sizeof((struct err){ 0 }.msg)];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    free(note->why);
    note->why = alloc_text(text, strlen(text));
}

/* ---- from records ---- */

static void add(struct texts *t, const char *prefix, struct sv text)
{
    buf_sv(&t->bytes, sv_from(prefix));
    texts_put(t, text);
}

/* The field that is embedded of this record. */
static const char *field_of(const struct texts_cfg *cfg, const struct rec *r)
{
    if (cfg->field)
        return cfg->field;
    return json_is_null(json_get(r->v, F_EMBED_TEXT)) ? F_TEXT : F_EMBED_TEXT;
}

bool texts_is_query(const struct texts_cfg *cfg, const struct rec *r)
{
    return cfg->is_query || (json_is_null(json_get(r->v, field_of(cfg, r))) &&
                             !json_is_null(json_get(r->v, F_QUERY)));
}

static int add_queries(struct texts *t, const struct texts_cfg *cfg, const struct rec *r,
                       struct err *err)
{
    jv queries;
    struct sv query;
    int has = json_opt_array(r->v, F_QUERIES, &queries, err);
    size_t n = has > 0 ? json_len(queries) : 0;
    if (has < 0)
        return -1;
    if (n > TEXTS_MAX_QUERIES)
        return err_set(err, EXIT_REJECTED, "field \"queries\": %zu entries, at most %d", n,
                       TEXTS_MAX_QUERIES);
    for (size_t i = 0; i < n; i++)
        if (!json_is_str(json_at(queries, i)))
            return err_set(err, EXIT_REJECTED, "field \"queries\": entry %zu: expected string",
                           i);
    if (!n && json_need_str(r->v, F_QUERY, &query, err) < 0)
        return -1;
    if (!n)
        add(t, cfg->query_prefix, query);
    for (size_t i = 0; i < n; i++)
        add(t, cfg->query_prefix, json_sv(json_at(queries, i)));
    return 0;
}

int texts_add(struct texts *t, const struct texts_cfg *cfg, const struct rec *r, size_t *n,
              struct err *err)
{
    size_t before = t->n;
    struct sv text;
    if (texts_is_query(cfg, r)) {
        if (add_queries(t, cfg, r, err) < 0)
            return -1;
    } else {
        if (json_need_str(r->v, field_of(cfg, r), &text, err) < 0)
            return -1;
        add(t, cfg->prefix, text);
    }
    *n = t->n - before;
    return 0;
}

/* ---- back into records ---- */

/* "name/dim/revision" with the number of numbers that are kept. */
static void put_model(struct buf *out, const char *model, size_t dim)
{
    struct sv all = sv_from(model);
    size_t last = all.n, second;
    while (last && all.p[last - 1] != '/')
        last--;
    for (second = last ? last - 1 : 0; second && all.p[second - 1] != '/';)
        second--;
    struct buf name = BUF_INIT;
    buf_printf(&name, "%.*s%zu/%.*s", SV_ARG(sv_from_to(all, 0, second)), dim,
               SV_ARG(sv_from_to(all, last, all.n)));
    json_put_str(out, buf_view(&name));
    buf_release(&name);
}

static int check(const struct texts_cfg *cfg, const struct vectors *v, size_t first, size_t n,
                 bool *is_cut, struct err *err)
{
    *is_cut = false;
    for (size_t i = first; i < first + n && v->notes; i++) {
        *is_cut = *is_cut || v->notes[i].is_cut;
        if (v->notes[i].why)
            return err_set(err, EXIT_REJECTED, "%s", v->notes[i].why);
    }
    if (cfg->dim > v->dim)
        return err_set(err, EXIT_FATAL, "--truncate-dim: the vectors have only %zu numbers",
                       v->dim);
    return 0;
}

/* One vector, cut when it is to be. False when what is left has no direction. */
static bool put_vector(struct buf *out, const struct texts_cfg *cfg, const float *v, size_t dim)
{
    float *own = NULL;
    bool is_good = true;
    if (cfg->dim) {
        own = alloc_array(cfg->dim, sizeof *own);
        memcpy(own, v, cfg->dim * sizeof *own);
        is_good = vec_normalise(own, cfg->dim);
        v = own;
        dim = cfg->dim;
    }
    if (cfg->format == FORMAT_BASE64)
        vec_put_base64(out, v, dim);
    else
        vec_put_array(out, v, dim);
    free(own);
    return is_good;
}

int texts_write(struct buf *out, const struct texts_cfg *cfg, const struct rec *r,
                const struct vectors *vectors, size_t first, size_t n, struct err *err)
{
    bool is_query = texts_is_query(cfg, r), is_cut;
    const char *const drop[] = { is_query ? F_EMBEDDINGS : F_EMBEDDING, F_EMBEDDING_MODEL,
                                 F_EMBEDDING_TRUNCATED };
    size_t before = out->len;
    if (check(cfg, vectors, first, n, &is_cut, err) < 0)
        return -1;
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    json_key(out, drop[0]);
    if (is_query)
        json_open(out, '[');
    for (size_t i = first; i < first + n; i++)
        if (!put_vector(out, cfg, vectors->v + i * vectors->dim, vectors->dim)) {
            buf_cut(out, before);
            return err_set(err, EXIT_REJECTED, "the first %zu numbers of its vector are all 0",
                           cfg->dim);
        }
    if (is_query)
        json_close(out, ']');
    json_key(out, F_EMBEDDING_MODEL);
    if (cfg->dim)
        put_model(out, vectors->model, cfg->dim);
    else
        json_put_str(out, sv_from(vectors->model));
    if (is_cut) {
        json_key(out, F_EMBEDDING_TRUNCATED);
        json_put_bool(out, true);
    }
    rec_end(out);
    return 0;
}
