// SPDX-License-Identifier: MIT
/*
 * rerank.c — hits out of a record, scored, and back in another order
 */
#include "rerank.h"

#include "alloc.h"
#include "schema.h"

#define F_RERANK "rerank"
#define F_RANK "rank"

struct hit {
    struct sv raw; /* its JSON text, in the record's line */
    double score;
    bool is_scored;
};

/* The next element of an array's JSON text, which is in order; `rest` starts behind the
 * bracket.
 */
static bool next_element(struct sv *rest, struct sv *element)
{
    size_t i = 0;
    int depth = 0;
    bool is_quoted = false;
    for (; i < rest->n; i++) {
        char c = rest->p[i];
        if (is_quoted) {
            i += c == '\\';
            is_quoted = c != '"';
            continue;
        }
        is_quoted = c == '"';
        depth += (c == '{') + (c == '[') - (c == '}') - (c == ']');
        if (depth < 0 || (depth == 0 && c == ','))
            break;
    }
    *element = sv_trim(sv_from_to(*rest, 0, i));
    *rest = sv_from_to(*rest, i + 1, rest->n);
    return element->n;
}

static void put_hit(struct buf *out, const struct hit *h, size_t rank)
{
    static const char *const drop[] = { F_RANK, F_RERANK };
    struct rec r = { 0 };
    struct buf text = BUF_INIT;
    struct err ignored; /* it was part of a record that could be parsed */
    if (rec_parse(&r, h->raw, &ignored) == 0) {
        rec_begin(&text, &r, drop, ARRAY_LEN(drop));
        json_key(&text, F_RANK);
        json_put_int(&text, (int64_t)rank);
        if (h->is_scored) {
            json_key(&text, F_RERANK);
            json_put_float(&text, (float)h->score);
        }
        json_close(&text, '}');
        json_put_raw(out, buf_view(&text));
    }
    rec_release(&r);
    buf_release(&text);
}

static int by_score(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    if (x->score > y->score || x->score < y->score)
        return x->score > y->score ? -1 : 1;
    return x->raw.p < y->raw.p ? -1 : x->raw.p > y->raw.p;
}

static void put_trace(const struct reranker *model, const struct rec *r, size_t n, size_t n_cut,
                      struct buf *out)
{
    struct buf e = BUF_INIT;
    json_open(&e, '{');
    json_key(&e, "tool");
    json_put_str(&e, SV("gr-embed"));
    json_key(&e, "command");
    json_put_str(&e, SV(F_RERANK));
    json_key(&e, "model");
    json_put_str(&e, sv_from(reranker_model(model)));
    json_key(&e, "hits");
    json_put_int(&e, (int64_t)n);
    json_key(&e, "cut");
    json_put_int(&e, (int64_t)n_cut);
    json_close(&e, '}');
    rec_trace(out, r, buf_view(&e));
    buf_release(&e);
}

/* ---- records ---- */

struct work {
    const struct reranker *model;
    struct reranker_scratch *s;
    const struct rerank_cfg *cfg;
    struct rerank_counts *counts;
};

static int score(const struct work *w, struct sv query, const struct sv *texts, size_t n,
                 double *scores, size_t *n_cut, struct err *err)
{
    if (reranker_score(w->model, w->s, query, texts, n, scores, n_cut, err) < 0)
        return -1;
    w->counts->n_pairs += n;
    w->counts->n_cut += *n_cut;
    return 0;
}

static int score_hits(const struct work *w, struct sv query, jv list, struct hit *hits,
                      size_t n, size_t *n_cut, struct err *err)
{
    struct sv *texts = alloc_array(n, sizeof *texts);
    double *scores = alloc_array(n, sizeof *scores);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        jv hit = json_at(list, i);
        rc = json_is_object(hit) ? json_need_str(hit, w->cfg->field, &texts[i], err)
                                 : err_set(err, EXIT_REJECTED, "expected object");
        if (rc < 0)
            err_prefix(err, "field \"" F_VECTOR_HITS "\": hit %zu", i + 1);
    }
    if (rc == 0)
        rc = score(w, query, texts, n, scores, n_cut, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        hits[i].score = scores[i];
        hits[i].is_scored = true;
    }
    free(texts);
    free(scores);
    return rc;
}

static int rerank_hits(const struct work *w, const struct rec *r, struct sv query, jv list,
                       struct buf *out, struct err *err)
{
    static const char *const drop[] = { F_VECTOR_HITS, F_TRACE };
    size_t n = json_len(list), top = n < w->cfg->top ? n : w->cfg->top, n_cut = 0;
    struct sv rest;
    if (n > RERANK_MAX_HITS)
        return err_set(err, EXIT_REJECTED, "field \"" F_VECTOR_HITS "\": %zu hits, at most %d",
                       n, RERANK_MAX_HITS);
    struct hit *hits = alloc_zero(n ? n : 1, sizeof *hits);
    rec_raw(r, F_VECTOR_HITS, &rest);
    rest = sv_from_to(rest, 1, rest.n);
    for (size_t i = 0; i < n && next_element(&rest, &hits[i].raw); i++)
        ;
    int rc = top ? score_hits(w, query, list, hits, top, &n_cut, err) : 0;
    for (size_t i = top; i < n && rc == 0; i++)
        if (!json_is_object(json_at(list, i)))
            rc = err_set(err, EXIT_REJECTED,
                         "field \"" F_VECTOR_HITS "\": hit %zu: expected object", i + 1);
    if (rc == 0) {
        qsort(hits, top, sizeof *hits, by_score);
        rec_begin(out, r, drop, ARRAY_LEN(drop));
        json_key(out, F_VECTOR_HITS);
        json_open(out, '[');
        for (size_t i = 0; i < n; i++)
            put_hit(out, &hits[i], i + 1);
        json_close(out, ']');
        put_trace(w->model, r, top, n_cut, out);
        rec_end(out);
    }
    free(hits);
    return rc;
}

static int rerank_pair(const struct work *w, const struct rec *r, struct sv query,
                       struct buf *out, struct err *err)
{
    static const char *const drop[] = { F_RERANK };
    struct sv text;
    double result;
    size_t n_cut;
    if (json_is_null(json_get(r->v, w->cfg->field)))
        return err_set(err, EXIT_REJECTED,
                       "neither \"" F_VECTOR_HITS
                       "\" (gr-vindex search writes them) nor \"%s\"",
                       w->cfg->field);
    if (json_need_str(r->v, w->cfg->field, &text, err) < 0 ||
        score(w, query, &text, 1, &result, &n_cut, err) < 0)
        return -1;
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    json_key(out, F_RERANK);
    json_put_float(out, (float)result);
    rec_end(out);
    return 0;
}

int rerank_record(const struct reranker *model, struct reranker_scratch *s,
                  const struct rerank_cfg *cfg, const struct rec *r,
                  struct rerank_counts *counts, struct buf *out, struct err *err)
{
    const struct work w = { model, s, cfg, counts };
    struct sv query;
    jv list;
    int has;
    if (json_need_str(r->v, F_QUERY, &query, err) < 0 ||
        (has = json_opt_array(r->v, F_VECTOR_HITS, &list, err)) < 0)
        return -1;
    return has ? rerank_hits(&w, r, query, list, out, err)
               : rerank_pair(&w, r, query, out, err);
}
