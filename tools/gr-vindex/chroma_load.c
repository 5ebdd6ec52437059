// SPDX-License-Identifier: MIT
/*
 * chroma_load.c — rows, batches, what is there already
 */
#include "chroma_load.h"

#include "alloc.h"
#include "gri.h"
#include "hash.h"
#include "schema.h"
#include "vec.h"

#define BATCH_BYTES ((size_t)8 << 20) /* a request is sent when it is that large */

enum part { P_ID, P_VECTOR, P_DOCUMENT, P_METADATA, P_LINE, PARTS };

/* A record in hand: its parts as JSON, and the line, one after the other in load.text. */
struct row {
    size_t at[PARTS + 1];
    char sum[17];
    bool is_there;
    const char *file;
    uint64_t number;
};

struct chroma_load {
    struct chroma *c;
    struct chroma_info *info;
    struct chroma_load_cfg cfg;
    struct row *rows;
    size_t n, cap;
    struct buf text, body, tmp;
    struct map *ids; /* of the rows in hand */
    struct vec_kind kind;
    size_t n_noted; /* members of info->mixed that the server has been told of */
    bool was_empty; /* nothing was there at the start */
    bool is_noted;
    struct chroma_load_stats stats;
};

struct chroma_load *chroma_load_new(struct chroma *c, struct chroma_info *info,
                                    const struct chroma_load_cfg *cfg)
{
    struct chroma_load *l = alloc_zero(1, sizeof *l);
    *l = (struct chroma_load){ .c = c, .info = info, .cfg = *cfg, .ids = map_new() };
    l->was_empty = info->count == 0;
    l->n_noted = map_count(info->mixed);
    if (!l->cfg.batch || l->cfg.batch > info->max_batch)
        l->cfg.batch = info->max_batch;
    if (info->dim) {
        l->kind.is_set = true;
        l->kind.dim = info->dim;
        buf_sv(&l->kind.model, buf_view(&info->model));
        l->is_noted = true;
    }
    return l;
}

void chroma_load_free(struct chroma_load *l)
{
    if (!l)
        return;
    free(l->rows);
    map_free(l->ids);
    buf_release(&l->text);
    buf_release(&l->body);
    buf_release(&l->tmp);
    buf_release(&l->kind.model);
    free(l);
}

static struct sv part_of(const struct chroma_load *l, const struct row *r, enum part p)
{
    return sv_from_to(buf_view(&l->text), r->at[p], r->at[p + 1]);
}

/* ---- what is there ---- */

/* Mark the rows that the server has word for word. */
static int find_there(struct chroma_load *l, struct err *err)
{
    jv v;
    buf_reset(&l->body);
    buf_str(&l->body, "{\"ids\":[");
    for (size_t i = 0; i < l->n; i++)
        json_put_raw(&l->body, part_of(l, &l->rows[i], P_ID));
    buf_str(&l->body, "],\"where\":{\"" CHROMA_OWN "sum\":{\"$in\":[");
    for (size_t i = 0; i < l->n; i++)
        json_put_str(&l->body, sv_from(l->rows[i].sum));
    buf_str(&l->body, "]}},\"include\":[]}");
    if (chroma_post(l->c, l->info, "get", buf_view(&l->body), &v, NULL, err) < 0)
        return -1;
    jv ids = json_get(v, "ids");
    for (size_t i = 0; i < json_len(ids); i++) {
        size_t at = map_get(l->ids, json_sv(json_at(ids, i)));
        if (at < l->n)
            l->rows[at].is_there = true;
    }
    json_free(v);
    return 0;
}

/* ---- sending ---- */

static void put_list(struct chroma_load *l, const char *name, enum part p, size_t from,
                     size_t to)
{
    json_key(&l->body, name);
    json_open(&l->body, '[');
    for (size_t i = from; i < to; i++)
        if (!l->rows[i].is_there)
            json_put_raw(&l->body, part_of(l, &l->rows[i], p));
    json_close(&l->body, ']');
}

static void refuse(struct chroma_load *l, struct row *row, struct err *err)
{
    struct rec r = { 0 };
    struct err ignored;
    err->code = EXIT_REJECTED;
    row->is_there = true;
    if (rec_parse(&r, part_of(l, row, P_LINE), &ignored) < 0)
        return;
    r.file = row->file;
    r.number = row->number;
    l->cfg.refuse(l->cfg.ctx, &r, err);
    rec_release(&r);
}

static int send_rows(struct chroma_load *l, size_t from, size_t to, struct err *err)
{
    jv v;
    long status = 0;
    size_t n = 0, last = from;
    for (size_t i = from; i < to; i++)
        if (!l->rows[i].is_there) {
            n++;
            last = i;
        }
    if (!n)
        return 0;
    buf_reset(&l->body);
    json_open(&l->body, '{');
    put_list(l, "ids", P_ID, from, to);
    put_list(l, "embeddings", P_VECTOR, from, to);
    put_list(l, "documents", P_DOCUMENT, from, to);
    put_list(l, "metadatas", P_METADATA, from, to);
    json_close(&l->body, '}');
    if (chroma_post(l->c, l->info, "upsert", buf_view(&l->body), &v, &status, err) == 0) {
        json_free(v);
        l->stats.n_sent += n;
        return 0;
    }
    if (err->code != EXIT_REJECTED)
        return -1;
    if (n == 1) {
        refuse(l, &l->rows[last], err);
        return 0;
    }
    size_t middle = from + (to - from) / 2;
    return send_rows(l, from, middle, err) < 0 || send_rows(l, middle, to, err) < 0 ? -1 : 0;
}

static int flush(struct chroma_load *l, struct err *err)
{
    int rc = 0;
    if (!l->n)
        return 0;
    /* What a search may ask of numbers depends on this, so it is there before the records. */
    if (!l->is_noted || map_count(l->info->mixed) > l->n_noted)
        rc = chroma_note(l->c, l->info, err);
    l->is_noted = true;
    l->n_noted = map_count(l->info->mixed);
    if (rc == 0 && !l->was_empty)
        rc = find_there(l, err);
    for (size_t i = 0; i < l->n; i++)
        l->stats.n_there += l->rows[i].is_there;
    if (rc == 0)
        rc = send_rows(l, 0, l->n, err);
    if (rc < 0 && err->code == EXIT_REJECTED)
        err->code = EXIT_FATAL;
    map_free(l->ids);
    l->ids = map_new();
    buf_reset(&l->text);
    l->n = 0;
    return rc;
}

/* ---- rows ---- */

/* Note a member that is more than a number; numbers, booleans and null are below it in jq's
 * order. */
static bool put_scalar(struct chroma_load *l, struct sv key, struct sv raw, struct buf *out)
{
    jv v;
    struct err err;
    if (!chroma_takes_key(key) || !raw.n || json_parse(&v, raw, &err) < 0)
        return false;
    struct sv text = json_sv(v);
    bool is_str = json_is_str(v), is_number = json_is_num(v);
    bool is_flag = sv_is(raw, "true") || sv_is(raw, "false");
    if (!is_number && !is_flag && !json_is_null(v) && l->info->is_ours)
        map_put(l->info->mixed, key, NULL);
    if (is_number || is_flag ||
        (is_str && text.n <= CHROMA_MAX_VALUE && !memchr(text.p, '\0', text.n))) {
        json_key_sv(out, key);
        if (is_number)
            json_put_num(out, json_num(v));
        else
            json_put_jv(out, v);
    }
    json_free(v);
    return true;
}

static void put_metadata(struct chroma_load *l, const struct rec *r, bool has_document,
                         const char *sum)
{
    static const char *const apart[] = { F_ID, F_EMBEDDING, F_EMBEDDING_MODEL, F_TEXT };
    struct buf key_text = BUF_INIT;
    struct sv key, value;
    json_open(&l->text, '{');
    for (size_t pos = 1; rec_each(r, &pos, &key_text, &key, &value);) {
        bool is_apart = false;
        for (size_t i = 0; i < ARRAY_LEN(apart); i++)
            is_apart = is_apart || sv_is(key, apart[i]);
        if (!is_apart)
            (void)put_scalar(l, key, value, &l->text);
    }
    buf_reset(&l->tmp);
    rec_begin(&l->tmp, r, apart, has_document ? 4 : 3);
    buf_char(&l->tmp, '}');
    json_key(&l->text, CHROMA_OWN "record");
    json_put_str(&l->text, buf_view(&l->tmp));
    json_key(&l->text, CHROMA_OWN "sum");
    json_put_str(&l->text, sv_from(sum));
    json_close(&l->text, '}');
    buf_release(&key_text);
}

static void put_row(struct chroma_load *l, const struct rec *r, struct sv id, const float *vec,
                    size_t dim)
{
    if (l->n == l->cap) {
        l->cap = alloc_grow(l->cap, l->n + 1);
        l->rows = alloc_resize(l->rows, l->cap, sizeof *l->rows);
    }
    struct row *row = &l->rows[l->n++];
    struct sv document;
    bool has_document = json_is_str(json_get(r->v, F_TEXT)) && rec_raw(r, F_TEXT, &document);
    *row = (struct row){ .file = r->file, .number = r->number };
    snprintf(row->sum, sizeof row->sum, "%016llx", (unsigned long long)hash64(r->line));
    row->at[P_ID] = l->text.len;
    buf_char(&l->text, '\n'); /* no comma before what follows */
    json_put_str(&l->text, id);
    row->at[P_VECTOR] = l->text.len;
    buf_char(&l->text, '\n');
    if (l->info->takes_base64)
        vec_put_base64(&l->text, vec, dim);
    else
        vec_put_array(&l->text, vec, dim);
    row->at[P_DOCUMENT] = l->text.len;
    buf_sv(&l->text, has_document ? document : SV("null"));
    row->at[P_METADATA] = l->text.len;
    buf_char(&l->text, '\n');
    put_metadata(l, r, has_document, row->sum);
    row->at[P_LINE] = l->text.len;
    buf_sv(&l->text, r->line);
    row->at[PARTS] = l->text.len;
}

static int check_kind(struct chroma_load *l, struct sv model, size_t dim, struct err *err)
{
    /* A collection that does not say its model takes any of the dimension. */
    bool is_new = !l->kind.is_set, is_silent = l->info->dim && !l->info->model.len;
    if (vec_kind_check(&l->kind, is_silent ? SV_NONE : model, dim, err) < 0)
        return l->info->dim ? err_prefix(err, "%s", chroma_name(l->c)) : -1;
    if (is_new) {
        buf_reset(&l->info->model);
        buf_sv(&l->info->model, model);
    }
    return 0;
}

int chroma_load_add(struct chroma_load *l, const struct rec *r, struct err *err)
{
    struct sv id, model = SV_NONE;
    float *vec;
    size_t dim;
    if (json_need_str(r->v, F_ID, &id, err) < 0)
        return -1;
    if (!id.n)
        return err_set(err, EXIT_REJECTED, "field \"%s\": empty", F_ID);
    if (json_is_null(json_get(r->v, F_EMBEDDING)))
        return err_set(err, EXIT_REJECTED,
                       "field \"%s\": missing: Chroma holds vectors: pipe the records through "
                       "gr-embed",
                       F_EMBEDDING);
    if (json_opt_str(r->v, F_EMBEDDING_MODEL, &model, err) < 0 ||
        vec_get(json_get(r->v, F_EMBEDDING), F_EMBEDDING, &vec, &dim, err) < 0)
        return -1;
    int rc = 0;
    if (dim > GRI_MAX_DIM || !vec_normalise(vec, dim))
        rc = err_set(err, EXIT_REJECTED, "field \"%s\": no usable vector", F_EMBEDDING);
    if (rc == 0)
        rc = check_kind(l, model, dim, err);
    /* Of one id the later record is to stay, so they do not go into one batch. */
    if (rc == 0 &&
        (l->n >= l->cfg.batch || l->text.len >= BATCH_BYTES || map_get(l->ids, id) != MAP_NONE))
        rc = flush(l, err);
    if (rc == 0) {
        map_put(l->ids, id, NULL);
        put_row(l, r, id, vec, dim);
    }
    free(vec);
    return rc;
}

int chroma_load_end(struct chroma_load *l, struct chroma_load_stats *stats, struct err *err)
{
    int rc = flush(l, err);
    if (rc == 0 && l->info->is_loading) {
        l->info->is_loading = false;
        rc = chroma_note(l->c, l->info, err);
    }
    *stats = l->stats;
    return rc;
}
