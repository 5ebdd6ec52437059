// SPDX-License-Identifier: MIT
/*
 * answer.c — writing hits
 */
#include "answer.h"

#include "schema.h"
#include "spread.h"

/* ---- one hit ---- */

/* Members that a hit has of its own, whatever the stored record has by these names. */
static bool is_own(const struct shape_hit *h, struct sv name)
{
    static const char *const own[] = { F_ID,         "score",       "rank",      "via",
                                       "dense_rank", "dense_score", "bm25_rank", "bm25_score",
                                       "lists",      "same",        "ids" };
    static const char *const merged[] = { F_TEXT, "start", "end" };
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (sv_is(name, own[i]))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(merged) && h->n_ids > 1; i++)
        if (sv_is(name, merged[i]))
            return true;
    return false;
}

/* Was a name already among those before it? */
static bool is_again(struct sv names, struct sv name)
{
    struct sv before;
    while (sv_cut(&names, ',', &before) && before.p != name.p)
        if (sv_eq(before, name))
            return true;
    return false;
}

static void put_named(const struct shape_hit *h, struct sv names, struct buf *out)
{
    struct sv all = names, name, value;
    struct buf field = BUF_INIT;
    while (sv_cut(&names, ',', &name)) {
        buf_reset(&field);
        buf_sv(&field, name);
        if (is_own(h, name) || is_again(all, name) ||
            !rec_raw(&h->stored, buf_cstr(&field), &value) || sv_is(value, "null"))
            continue;
        json_key_sv(out, name);
        buf_sv(out, value);
    }
    buf_release(&field);
}

static void put_all(const struct shape_hit *h, struct buf *out)
{
    struct sv key;
    jv value;
    for (size_t i = 0; json_each(h->stored.v, &i, &key, &value);)
        if (!is_own(h, key)) {
            json_key_sv(out, key);
            json_put_jv(out, value);
        }
}

static bool is_named(struct sv names, const char *wanted)
{
    struct sv name;
    bool is_there = sv_is(names, "all");
    while (!is_there && sv_cut(&names, ',', &name))
        is_there = sv_is(name, wanted);
    return is_there;
}

/* What putting windows together has made anew. */
static void put_merged(const struct shape_hit *h, struct sv names, struct buf *out)
{
    if (h->n_ids < 2)
        return;
    if (h->has_span && is_named(names, "start")) {
        json_key(out, "start");
        json_put_int(out, (int64_t)h->start);
    }
    if (h->has_span && is_named(names, "end")) {
        json_key(out, "end");
        json_put_int(out, (int64_t)h->end);
    }
    if (is_named(names, F_TEXT)) {
        json_key(out, F_TEXT);
        json_put_str(out, buf_view(&h->text));
    }
}

static void put_ids(const char *key, const struct sv *ids, size_t n, struct buf *out)
{
    json_key(out, key);
    json_open(out, '[');
    for (size_t i = 0; i < n; i++)
        json_put_str(out, ids[i]);
    json_close(out, ']');
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

/* Number of lists of each kind. */
static void count_lists(const struct answer *a, size_t n[2])
{
    n[LIST_DENSE] = n[LIST_SPARSE] = 0;
    for (size_t i = 0; i < a->n_lists; i++)
        n[a->lists[i].kind]++;
}

/* Its place in every list, when there are several of a kind. */
static void put_lists(const struct answer *a, const struct fuse_hit *h, struct buf *out)
{
    size_t n[2], first[2];
    count_lists(a, n);
    if (n[LIST_DENSE] < 2 && n[LIST_SPARSE] < 2)
        return;
    first[LIST_DENSE] = 0;
    first[LIST_SPARSE] = a->n_lists - n[LIST_SPARSE];
    json_key(out, "lists");
    json_open(out, '[');
    for (size_t i = 0; i < h->n_places; i++) {
        const struct fuse_place *p = &a->fused->places[h->first + i];
        const struct fuse_list *l = &a->lists[p->list];
        json_open(out, '{');
        json_key(out, "list");
        json_put_str(out, l->kind == LIST_DENSE ? SV("dense") : SV("bm25"));
        json_key(out, "query");
        json_put_int(out, (int64_t)(p->list - first[l->kind]));
        json_key(out, "rank");
        json_put_int(out, (int64_t)p->rank);
        json_key(out, "score");
        json_put_float(out, (float)l->items[p->rank - 1].score);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static const char *fusion_name(const struct answer *a)
{
    static const char *const names[] = { "rrf", "zscore", "minmax" };
    return names[a->cfg->fusion.method];
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
    json_put_str(out, sv_from(fusion_name(a)));
    put_place(h, LIST_DENSE, "dense_rank", "dense_score", out);
    put_place(h, LIST_SPARSE, "bm25_rank", "bm25_score", out);
    put_lists(a, h, out);
}

static void put_hit(const struct answer *a, const struct shape_hit *h, size_t rank,
                    struct buf *out)
{
    struct sv names = sv_from(a->cfg->hit_fields);
    json_open(out, '{');
    json_key(out, F_ID);
    json_put_str(out, h->id);
    if (sv_is(names, "all"))
        put_all(h, out);
    else
        put_named(h, names, out);
    put_merged(h, names, out);
    put_score(a, h->fused, rank, out);
    if (h->n_ids > 1)
        put_ids("ids", h->ids, h->n_ids, out);
    if (h->n_same)
        put_ids("same", h->same, h->n_same, out);
    json_close(out, '}');
}

/* ---- the record ---- */

static void put_count(struct buf *e, const char *key, size_t n)
{
    if (!n)
        return;
    json_key(e, key);
    json_put_int(e, (int64_t)n);
}

static void put_number(struct buf *e, const char *key, double x)
{
    json_key(e, key);
    json_put_num(e, x);
}

/* How lists were fused and hits chosen, where it is not the usual way. */
static void put_ways(const struct answer *a, struct buf *e)
{
    if (a->n_lists > 1 && a->cfg->fusion.method != FUSE_RRF) {
        json_key(e, "fusion");
        json_put_str(e, sv_from(fusion_name(a)));
    }
    if (a->plan->has_weights) {
        json_key(e, "weights");
        json_open(e, '{');
        put_number(e, "dense", a->plan->dense_weight);
        put_number(e, "sparse", a->plan->sparse_weight);
        json_close(e, '}');
    }
    if (a->cfg->has_mmr)
        put_number(e, "mmr", a->cfg->mmr);
    put_count(e, "dropped", a->shape->n_dropped);
    put_count(e, "merged", a->shape->n_merged);
}

static void put_trace(const struct answer *a, const struct rec *r, struct buf *out)
{
    struct buf e = BUF_INIT;
    size_t n[2];
    count_lists(a, n);
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
    json_put_int(&e, (int64_t)a->shape->n);
    put_ways(a, &e);
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

void answer_put(const struct answer *a, const struct rec *r, struct buf *out)
{
    static const char *const drop[] = { F_VECTOR_HITS, F_TRACE, F_EMBEDDINGS, F_EMBEDDING };
    rec_begin(out, r, drop, a->cfg->keeps_embeddings ? 2 : ARRAY_LEN(drop));
    json_key(out, F_VECTOR_HITS);
    json_open(out, '[');
    for (size_t i = 0; i < a->shape->n; i++)
        put_hit(a, &a->shape->hits[i], i + 1, out);
    json_close(out, ']');
    put_trace(a, r, out);
    rec_end(out);
}
