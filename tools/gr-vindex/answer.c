// SPDX-License-Identifier: MIT
/*
 * answer.c — writing hits
 */
#include "answer.h"

#include "schema.h"

/* ---- one hit ---- */

/* Members that a hit has of its own, whatever the stored record has by these names. */
static bool is_own(struct sv name)
{
    static const char *const own[] = { F_ID,         "score",       "rank",      "via",
                                       "dense_rank", "dense_score", "bm25_rank", "bm25_score" };
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (sv_is(name, own[i]))
            return true;
    return false;
}

static void put_named(const struct rec *stored, struct sv names, struct buf *out)
{
    struct sv name, value;
    while (sv_cut(&names, ',', &name)) {
        char field[64];
        snprintf(field, sizeof field, "%.*s", (int)(name.n < 63 ? name.n : 63), name.p);
        if (is_own(name) || !rec_raw(stored, field, &value) || sv_is(value, "null"))
            continue;
        json_key(out, field);
        buf_sv(out, value);
    }
}

static void put_all(const struct rec *stored, struct buf *out)
{
    struct sv key;
    jv value;
    for (size_t i = 0; json_each(stored->v, &i, &key, &value);)
        if (!is_own(key)) {
            json_key_sv(out, key);
            json_put_jv(out, value);
        }
}

static void put_place(const struct fuse_hit *h, enum list_kind kind, const char *rank,
                      const char *score, struct buf *out)
{
    if (!h->list_rank[kind])
        return;
    json_key(out, rank);
    json_put_int(out, h->list_rank[kind]);
    json_key(out, score);
    json_put_float(out, (float)h->list_score[kind]);
}

static void put_score(const struct answer *a, const struct fuse_hit *h, size_t rank,
                      struct buf *out)
{
    json_key(out, "score");
    json_put_float(out, (float)h->score);
    json_key(out, "rank");
    json_put_int(out, (int64_t)rank);
    json_key(out, "via");
    if (a->n_lists == 1) {
        json_put_str(out, h->list_rank[LIST_DENSE] ? SV("dense") : SV("bm25"));
        return;
    }
    json_put_str(out, SV("rrf"));
    put_place(h, LIST_DENSE, "dense_rank", "dense_score", out);
    put_place(h, LIST_SPARSE, "bm25_rank", "bm25_score", out);
}

static int put_hit(const struct answer *a, const struct fuse_hit *h, size_t rank,
                   struct buf *out, struct err *err)
{
    size_t doc = a->x->sorted[h->ord];
    struct buf text = BUF_INIT;
    struct rec stored = { .v = jv_null() };
    struct sv id;
    int rc = -1;
    if (vindex_id(a->x, doc, &id, err) < 0 || vindex_record(a->x, doc, &text, err) < 0)
        goto out;
    if (rec_parse(&stored, buf_view(&text), err) < 0) {
        err->code = EXIT_FATAL;
        err_prefix(err, "%s: record %zu", a->x->path, doc + 1);
        goto out;
    }
    json_open(out, '{');
    json_key(out, F_ID);
    json_put_str(out, id);
    if (strcmp(a->cfg->hit_fields, "all") == 0)
        put_all(&stored, out);
    else
        put_named(&stored, sv_from(a->cfg->hit_fields), out);
    put_score(a, h, rank, out);
    json_close(out, '}');
    rc = 0;
out:
    rec_release(&stored);
    buf_release(&text);
    return rc;
}

/* ---- the record ---- */

static void put_trace(const struct answer *a, const struct rec *r, size_t n_hits,
                      struct buf *out)
{
    struct buf e = BUF_INIT;
    size_t n[2] = { 0 };
    for (size_t i = 0; i < a->n_lists; i++)
        n[a->lists[i].kind]++;
    json_open(&e, '{');
    json_key(&e, "tool");
    json_put_str(&e, SV("gr-vindex"));
    json_add_str(&e, "service", sv_from(a->cfg->service));
    json_key(&e, "mode");
    json_put_str(&e, sv_from(search_mode_name(a->plan->mode)));
    json_key(&e, "why");
    json_put_str(&e, sv_from(a->plan->why));
    json_key(&e, "dense_lists");
    json_put_int(&e, (int64_t)n[LIST_DENSE]);
    json_key(&e, "bm25_lists");
    json_put_int(&e, (int64_t)n[LIST_SPARSE]);
    json_key(&e, "k");
    json_put_int(&e, (int64_t)a->plan->k);
    json_key(&e, "hits");
    json_put_int(&e, (int64_t)n_hits);
    if (a->cfg->recall > 0 && n[LIST_DENSE]) {
        json_key(&e, "recall");
        json_put_num(&e, a->cfg->recall);
    }
    if (a->cfg->filter) {
        json_key(&e, "filter");
        json_put_str(&e, sv_from(a->cfg->filter));
    }
    if (a->cfg->has_timings) {
        json_key(&e, "ms");
        json_put_float(&e, (float)a->ms);
    }
    json_close(&e, '}');
    rec_append(out, r, F_TRACE, buf_view(&e));
    buf_release(&e);
}

int answer_put(const struct answer *a, const struct rec *r, struct buf *out, struct err *err)
{
    static const char *const drop[] = { F_VECTOR_HITS, F_TRACE, F_EMBEDDINGS, F_EMBEDDING };
    size_t n = 0;
    rec_begin(out, r, drop, a->cfg->keeps_embeddings ? 2 : ARRAY_LEN(drop));
    json_key(out, F_VECTOR_HITS);
    json_open(out, '[');
    for (size_t i = 0; i < a->n_hits && n < a->plan->k; i++) {
        if (a->hits[i].score < a->cfg->min_score)
            break;
        if (put_hit(a, &a->hits[i], ++n, out, err) < 0)
            return -1;
    }
    json_close(out, ']');
    put_trace(a, r, n, out);
    rec_end(out);
    return 0;
}
