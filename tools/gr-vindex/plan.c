// SPDX-License-Identifier: MIT
/*
 * plan.c — reading a query record and choosing how to search
 */
#include "plan.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "vec.h"

#define K_MAX 1000000
#define WEIGHT_MAX 1e9

const char *search_mode_name(enum search_mode m)
{
    static const char *const names[] = { "auto", "dense", "sparse", "hybrid" };
    return names[m];
}

/* ---- reading ---- */

static int read_k(struct plan *p, jv v, struct err *err)
{
    double k = 0;
    int rc = json_opt_num(v, "k", &k, err);
    if (rc <= 0)
        return rc;
    if (!(k >= 0 && k <= K_MAX) || k != floor(k))
        return err_set(err, EXIT_REJECTED, "field \"k\": expected a whole number from 0 to %d",
                       K_MAX);
    p->k = (size_t)k;
    return 0;
}

/* {"dense":2,"sparse":1}; one that is not given is as the options say. */
static int read_weights(struct plan *p, jv v, struct err *err)
{
    jv w = json_get(v, "weights");
    double *const to[] = { &p->dense_weight, &p->sparse_weight };
    static const char *const names[] = { "dense", "sparse" };
    if (json_is_null(w))
        return 0;
    if (!json_is_object(w))
        return err_set(err, EXIT_REJECTED,
                       "field \"weights\": expected {\"dense\":number,\"sparse\":number}");
    for (size_t i = 0; i < ARRAY_LEN(to); i++) {
        if (json_opt_num(w, names[i], to[i], err) < 0)
            return err_prefix(err, "field \"weights\"");
        if (!(*to[i] >= 0 && *to[i] <= WEIGHT_MAX))
            return err_set(err, EXIT_REJECTED,
                           "field \"weights\": \"%s\": out of range 0 … 1e9", names[i]);
    }
    p->has_weights = true;
    if (p->dense_weight > 0 || p->sparse_weight > 0)
        return 0;
    return err_set(err, EXIT_REJECTED, "field \"weights\": both 0: nothing to search for");
}

static bool is_blank(struct sv s)
{
    return sv_trim(s).n == 0;
}

/* The strings of an array field that are not blank; null elements are passed over. */
static int read_strings(jv v, const char *field, struct sv **out, size_t *n, struct err *err)
{
    jv array;
    int rc = json_opt_array(v, field, &array, err);
    if (rc <= 0)
        return rc;
    size_t len = json_len(array);
    *out = alloc_array(len + 1, sizeof **out);
    for (size_t i = 0; i < len; i++) {
        jv x = json_at(array, i);
        if (!json_is_str(x) && !json_is_null(x))
            return err_set(err, EXIT_REJECTED, "field \"%s\": element %zu: expected string",
                           field, i);
        if (!is_blank(json_sv(x)))
            (*out)[(*n)++] = json_sv(x);
    }
    return 0;
}

static int read_texts(struct plan *p, jv v, struct err *err)
{
    struct sv query = SV_NONE;
    if (read_strings(v, F_QUERIES, &p->texts, &p->n_texts, err) < 0 ||
        read_strings(v, F_KEYWORDS, &p->keywords, &p->n_keywords, err) < 0 ||
        json_opt_str(v, F_QUERY, &query, err) < 0)
        return -1;
    if (!p->n_texts && !is_blank(query)) {
        free(p->texts);
        p->texts = alloc_array(1, sizeof *p->texts);
        p->texts[p->n_texts++] = query;
    }
    return 0;
}

/* Add one vector; its dimension must be the index's. */
static int read_vector(struct plan *p, const struct plan_index *x, jv v, const char *field,
                       struct err *err)
{
    float *vec;
    size_t dim;
    if (vec_get(v, field, &vec, &dim, err) < 0)
        return -1;
    int rc = 0;
    if (dim != x->dim)
        rc = err_set(err, EXIT_REJECTED,
                     "field \"%s\": %zu dimensions, index %s has %zu (model \"%.*s\"): embed "
                     "both with one model",
                     field, dim, x->path, x->dim, SV_ARG(x->model));
    else if (!vec_normalise(vec, dim))
        rc = err_set(err, EXIT_REJECTED, "field \"%s\": its length is no usable number", field);
    else
        memcpy(p->vectors + p->n_vectors++ * dim, vec, dim * sizeof *vec);
    free(vec);
    return rc;
}

static int check_model(const struct plan_index *x, jv v, struct err *err)
{
    struct sv model = SV_NONE;
    int rc = json_opt_str(v, F_EMBEDDING_MODEL, &model, err);
    if (rc <= 0 || !x->model.n || sv_eq(model, x->model))
        return rc < 0 ? -1 : 0;
    return err_set(err, EXIT_REJECTED,
                   "query embedded by \"%.*s\", index %s by \"%.*s\": embed both with one "
                   "model",
                   SV_ARG(model), x->path, SV_ARG(x->model));
}

static int read_vectors(struct plan *p, const struct plan_index *x, jv v, struct err *err)
{
    jv many, one = json_get(v, F_EMBEDDING);
    int rc = json_opt_array(v, F_EMBEDDINGS, &many, err);
    if (rc < 0)
        return -1;
    size_t n = rc ? json_len(many) : 0;
    bool has_one = !n && !json_is_null(one);
    if (!x->has_vectors || (!n && !has_one))
        return 0;
    if (check_model(x, v, err) < 0)
        return -1;
    p->vectors = alloc_array(n + 1, x->dim * sizeof *p->vectors);
    if (has_one)
        return read_vector(p, x, one, F_EMBEDDING, err);
    for (size_t i = 0; i < n; i++) {
        jv e = json_at(many, i);
        if (!json_is_null(e) && read_vector(p, x, e, F_EMBEDDINGS, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- choosing ---- */

/* Strategy of the record, or that of its class: index into STRATEGY_NAMES; -1: none known. */
static int read_strategy(jv v, int *strategy, struct err *err)
{
    static const char *const names[] = { STRATEGY_NAMES, CLASS_NAMES };
    static const char *const fields[] = { F_STRATEGY, F_CLASS };
    *strategy = -1;
    for (size_t f = 0; f < ARRAY_LEN(fields); f++) {
        struct sv word, rest = sv_from(names[f]), name;
        int rc = json_opt_str(v, fields[f], &word, err);
        if (rc < 0)
            return -1;
        for (int i = 0; rc && sv_cut(&rest, '|', &name); i++)
            if (sv_eq(word, name)) {
                *strategy = i;
                return 0;
            }
    }
    return 0;
}

/* Hybrid, because that finds more than either alone (see gr-vindex(1)); what the strategies
 * differ in is the queries and keywords that come with them. The last text: no strategy. */
static const char *const reasons[] = {
    "strategy similarity",   "strategy multi_query", "strategy expand_compress",
    "strategy hybrid_agent", "no strategy",
};

static void choose(struct plan *p, const struct plan_index *x, int strategy, bool can_dense,
                   bool can_sparse)
{
    p->mode = MODE_HYBRID;
    p->why = reasons[strategy < 0 ? ARRAY_LEN(reasons) - 1 : (size_t)strategy];
    if (!can_dense) {
        p->mode = MODE_SPARSE;
        p->why = x->has_vectors ? "the query has no vectors" : "the index has no vectors";
    } else if (!can_sparse) {
        p->mode = MODE_DENSE;
        p->why = x->has_sparse ? "the query has no text" : "the index has no postings";
    }
}

static int missing(const struct plan_index *x, bool is_dense, struct err *err)
{
    if (is_dense && !x->has_vectors)
        return err_set(err, EXIT_REJECTED, "index %s has no vectors: use --mode=sparse",
                       x->path);
    if (is_dense)
        return err_set(err, EXIT_REJECTED,
                       "field \"%s\": missing: pipe the queries through gr-embed, or use "
                       "--mode=sparse",
                       F_EMBEDDINGS);
    if (!x->has_sparse)
        return err_set(err, EXIT_REJECTED,
                       "index %s has no postings: use --mode=dense or build it with them",
                       x->path);
    return err_set(err, EXIT_REJECTED, "field \"%s\": missing, expected string", F_QUERY);
}

int plan_make(struct plan *p, const struct plan_cfg *cfg, const struct rec *r, struct err *err)
{
    const struct plan_index *x = &cfg->index;
    int strategy;
    *p = (struct plan){ .k = cfg->k,
                        .dense_weight = cfg->dense_weight,
                        .sparse_weight = cfg->sparse_weight };
    if (read_k(p, r->v, err) < 0 || read_weights(p, r->v, err) < 0 ||
        read_texts(p, r->v, err) < 0 || read_vectors(p, x, r->v, err) < 0 ||
        read_strategy(r->v, &strategy, err) < 0)
        return -1;
    bool can_dense = p->n_vectors > 0, can_sparse = x->has_sparse && p->n_texts + p->n_keywords;
    p->mode = (enum search_mode)cfg->mode;
    p->why = "--mode";
    /* In an empty index there is nothing to find, whatever is asked. */
    bool is_empty = !x->has_vectors && !x->has_sparse;
    if (is_empty && p->mode == MODE_AUTO)
        p->why = "the index is empty";
    else if (p->mode == MODE_AUTO && (can_dense || can_sparse))
        choose(p, x, strategy, can_dense, can_sparse);
    else if (p->mode == MODE_AUTO)
        return missing(x, x->has_vectors && !x->has_sparse, err);
    if (p->mode == MODE_AUTO)
        p->mode = MODE_SPARSE;
    if (is_empty)
        return 0;
    if ((p->mode == MODE_DENSE || p->mode == MODE_HYBRID) && !can_dense)
        return missing(x, true, err);
    if ((p->mode == MODE_SPARSE || p->mode == MODE_HYBRID) && !can_sparse)
        return missing(x, false, err);
    return 0;
}

void plan_release(struct plan *p)
{
    free(p->vectors);
    free(p->texts);
    free(p->keywords);
    *p = (struct plan){ 0 };
}
