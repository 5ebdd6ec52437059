// SPDX-License-Identifier: MIT
/*
 * gri_verify.c — reading a whole .gri and naming the first thing that is not as it should be
 */
#include "gri.h"

#include <math.h>

#include "alloc.h"
#include "i8.h"
#include "json.h"
#include "utf8.h"
#include "vec.h"

static int fault(const struct gri *g, struct err *err, const char *what, size_t i)
{
    return err_set(err, EXIT_FATAL, "%s: damaged: %s %zu: build it anew", g->file.path, what,
                   i);
}

/* Offsets start at 0, never fall, and end at the size. */
static int check_offsets(const struct gri *g, const char *what, struct offsets at, size_t n,
                         size_t size, struct err *err)
{
    if (offsets_at(&at, 0) != 0)
        return fault(g, err, what, 0);
    for (size_t i = 0; i < n; i++)
        if (offsets_at(&at, i) > offsets_at(&at, i + 1) || offsets_at(&at, i + 1) > size)
            return fault(g, err, what, i);
    return offsets_at(&at, n) == size ? 0 : fault(g, err, what, n);
}

static int check_ids(const struct gri *g, struct err *err)
{
    size_t n = g->meta.n_docs;
    struct sv before = SV_NONE, id;
    if (check_offsets(g, "id", g->ids_at, n, g->ids_size, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        uint32_t doc = g->sorted[i];
        if (doc >= n || g->rank[doc] != i)
            return fault(g, err, "place of id", i);
        if (gri_id(g, doc, &id, err) < 0)
            return -1;
        if (utf8_check(id) != SIZE_MAX || (i && sv_cmp(before, id) >= 0))
            return fault(g, err, "id", doc);
        before = id;
    }
    return 0;
}

/* Each record is JSON and carries its id. */
static int check_records(const struct gri *g, struct err *err)
{
    size_t n = g->meta.n_docs;
    if (check_offsets(g, "record", g->raw_at, n, g->raw_size, err) < 0)
        return -1;
    for (size_t doc = 0; doc < n; doc++) {
        struct sv id, raw;
        struct rec r;
        if (gri_id(g, doc, &id, err) < 0 || gri_raw(g, doc, &raw, err) < 0)
            return -1;
        if (rec_parse(&r, raw, err) < 0)
            return fault(g, err, "record", doc);
        bool is_same = sv_eq(json_sv(json_get(r.v, "id")), id);
        rec_release(&r);
        if (!is_same)
            return fault(g, err, "id of record", doc);
    }
    return 0;
}

static int check_vectors(const struct gri *g, struct err *err)
{
    const struct dense *d = &g->dense;
    float *row = alloc_array(d->dim + 1, sizeof *row);
    int8_t *bytes = alloc_array(d->dim + 1, sizeof *bytes);
    int rc = 0;
    for (size_t i = 0; i < d->n_rows && rc == 0; i++) {
        if (dense_doc(d, i) >= d->n_docs || (i && dense_doc(d, i) <= dense_doc(d, i - 1)))
            rc = fault(g, err, "record of vector", i);
        /* Rounding to float32 moves the length by less than 1e-6. */
        else if (!(fabsf(vec_norm(dense_rows(d, i, 1, row), d->dim) - 1) < 1e-5f))
            rc = fault(g, err, "length of vector", i);
        else if (d->bytes) { /* rounded as they would be again */
            (void)i8_from_unit(row, d->dim, bytes);
            if (memcmp(bytes, d->bytes + i * d->dim, d->dim) != 0)
                rc = fault(g, err, "bytes of vector", i);
        }
    }
    free(bytes);
    free(row);
    return rc;
}

static int check_sparse(const struct gri *g, struct err *err)
{
    const struct sparse *s = &g->sparse;
    struct sv before = SV_NONE, term;
    uint64_t total = 0, n_with = 0;
    if (!g->meta.analyzer.n)
        return 0;
    if (check_offsets(g, "term", (struct offsets){ .wide = s->text_at }, s->n_terms,
                      s->text_size, err) < 0 ||
        check_offsets(g, "postings", (struct offsets){ .wide = s->post_at }, s->n_terms,
                      s->post_size, err) < 0)
        return -1;
    for (size_t i = 0; i < s->n_terms; i++) {
        if (sparse_term_at(s, i, &term, err) < 0)
            return -1;
        if (!sparse_check(s, i))
            return fault(g, err, "postings of term", i);
        if (i && sv_cmp(before, term) >= 0)
            return fault(g, err, "order of term", i);
        before = term;
    }
    for (size_t doc = 0; doc < s->n_docs; doc++) {
        total += s->lens[doc];
        n_with += s->lens[doc] > 0;
    }
    if (total != s->total_len || n_with != s->n_with_terms)
        return err_set(err, EXIT_FATAL, "%s: damaged: lengths do not add up: build it anew",
                       g->file.path);
    return 0;
}

static struct sv raw_of(void *ctx, size_t doc)
{
    struct sv raw = SV_NONE;
    struct err err;
    (void)gri_raw(ctx, doc, &raw, &err);
    return raw;
}

/* Columns say what the records say: made again, they are the same. */
static int check_columns(const struct gri *g, struct err *err)
{
    struct columns_built c;
    const void *head, *data;
    size_t n_head, n_data;
    if (!g->columns.is_there)
        return 0;
    if (secfile_get(&g->file, "columns", 1, &head, &n_head, err) < 0 ||
        secfile_get(&g->file, "col", 1, &data, &n_data, err) < 0)
        return -1;
    columns_build(&c, g->meta.n_docs, raw_of, (void *)g);
    bool is_same = sv_eq(buf_view(&c.head), (struct sv){ head, n_head }) &&
                   sv_eq(buf_view(&c.data), (struct sv){ data, n_data });
    columns_built_release(&c);
    return is_same ? 0
                   : err_set(err, EXIT_FATAL,
                             "%s: damaged: columns are not those of the records: build it anew",
                             g->file.path);
}

int gri_verify(const struct gri *g, struct err *err)
{
    if (secfile_verify(&g->file, err) < 0 || check_ids(g, err) < 0 ||
        check_records(g, err) < 0 || check_vectors(g, err) < 0 || check_columns(g, err) < 0)
        return -1;
    if (g->meta.has_ivf && ivf_verify(&g->ivf, g->file.path, &g->dense, err) < 0)
        return -1;
    return check_sparse(g, err);
}
