// SPDX-License-Identifier: MIT
/*
 * pick.c — loading, diversifying and shaping hits
 */
#include "pick.h"

#include <math.h>

#include "alloc.h"
#include "mmr.h"

/* The index and the document behind a hit. */
static const struct vindex *place_of(const struct pick *p, const struct fuse_hit *h,
                                     size_t *doc)
{
    uint64_t place = p->places ? p->places[h->ord] : h->ord;
    const struct vindex *x = spread_part(p->set, place);
    *doc = x->sorted[spread_rank(place)];
    return x;
}

static int load(const struct pick *p, const struct fuse_hit *fused, struct shape_hit *h,
                struct err *err)
{
    size_t doc;
    const struct vindex *x = place_of(p, fused, &doc);
    *h = (struct shape_hit){ .fused = fused, .stored = { .v = jv_null() } };
    int rc = vindex_id(x, doc, &h->id, err);
    if (rc == 0)
        rc = vindex_record(x, doc, &h->raw, err);
    if (rc == 0 && rec_parse(&h->stored, buf_view(&h->raw), err) < 0) {
        err->code = EXIT_FATAL;
        rc = err_prefix(err, "%s: record %zu", x->path, doc + 1);
    }
    if (rc < 0)
        shape_hit_release(h);
    return rc;
}

/* Members that are named are copied from the raw record: the parsed one, which is many times as
 * large, is not held for a million hits. */
static void drop_parsed(struct shape_hit *h)
{
    json_free(h->stored.v);
    h->stored.v = jv_null();
}

/* ---- diversity ---- */

/* Places of the n best of the fused list, by maximal marginal relevance. */
static void diversify(const struct pick *p, size_t n, size_t *order)
{
    size_t dim = p->set->dim;
    double *relevance = alloc_array(n + 1, sizeof *relevance);
    const float **vectors = alloc_zero(n + 1, sizeof(float *));
    float *rows = alloc_array(n + 1, (dim ? dim : 1) * sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        size_t doc;
        const struct vindex *x = place_of(p, &p->fused->hits[i], &doc);
        relevance[i] = p->fused->hits[i].score;
        if (vindex_vector(x, doc, rows + i * dim))
            vectors[i] = rows + i * dim;
    }
    mmr_order(relevance, vectors, n, dim, p->cfg->mmr, n, order);
    free(rows);
    free(vectors);
    free(relevance);
}

/* ---- all ---- */

int pick_hits(const struct pick *p, struct shape *out, struct err *err)
{
    const struct fuse_hit *hits = p->fused->hits;
    size_t n = p->fused->n, *order = NULL;
    bool wants_all = strcmp(p->cfg->hit_fields, "all") == 0;
    int rc = 0;
    shape_release(out);
    *out = (struct shape){ .cfg = { p->cfg->dedup, p->cfg->merges } };
    while (n && hits[n - 1].score < p->cfg->min_score)
        n--;
    if (p->cfg->has_mmr) {
        size_t most = p->k > (size_t)p->cfg->candidates ? p->k : (size_t)p->cfg->candidates;
        n = n < most ? n : most;
        order = alloc_array(n + 1, sizeof *order);
        diversify(p, n, order);
    }
    for (size_t i = 0; i < n && out->n < p->k && rc == 0; i++) {
        struct shape_hit h;
        rc = load(p, &hits[order ? order[i] : i], &h, err);
        if (rc == 0 && shape_add_take(out, &h) && !wants_all)
            drop_parsed(&out->hits[out->n - 1]);
    }
    free(order);
    return rc;
}
