// SPDX-License-Identifier: MIT
/*
 * texts.c — from records to texts, from vectors to records
 */
#include "texts.h"

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

static void add(struct texts *t, const struct texts_cfg *cfg, struct sv text)
{
    buf_sv(&t->bytes, sv_from(cfg->prefix));
    texts_put(t, text);
}

bool texts_is_query(const struct texts_cfg *cfg, const struct rec *r)
{
    return cfg->is_query ||
           (json_is_null(json_get(r->v, cfg->field)) && !json_is_null(json_get(r->v, F_QUERY)));
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
        add(t, cfg, query);
    for (size_t i = 0; i < n; i++)
        add(t, cfg, json_sv(json_at(queries, i)));
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
        if (json_need_str(r->v, cfg->field, &text, err) < 0)
            return -1;
        add(t, cfg, text);
    }
    *n = t->n - before;
    return 0;
}

void texts_write(struct buf *out, const struct texts_cfg *cfg, const struct rec *r,
                 const struct vectors *vectors, size_t first, size_t n)
{
    bool is_query = texts_is_query(cfg, r);
    const char *const drop[] = { is_query ? F_EMBEDDINGS : F_EMBEDDING, F_EMBEDDING_MODEL };
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    json_key(out, drop[0]);
    if (is_query)
        json_open(out, '[');
    for (size_t i = first; i < first + n; i++) {
        const float *v = vectors->v + i * vectors->dim;
        if (cfg->format == FORMAT_BASE64)
            vec_put_base64(out, v, vectors->dim);
        else
            vec_put_array(out, v, vectors->dim);
    }
    if (is_query)
        json_close(out, ']');
    json_key(out, F_EMBEDDING_MODEL);
    json_put_str(out, sv_from(vectors->model));
    rec_end(out);
}
