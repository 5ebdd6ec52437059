// SPDX-License-Identifier: MIT
/*
 * gri.c — opening a segment of a .gri and finding things in it
 */
#include "gri.h"

#include <math.h>

#include "alloc.h"
#include "json.h"

static int damaged(const struct gri *g, struct err *err, const char *what)
{
    return err_set(err, EXIT_FATAL, "%s: damaged: %s: build it anew", g->file.path, what);
}

/* ---- meta ---- */

void gri_put_meta(struct buf *b, const struct gri_meta *m)
{
    json_open(b, '{');
    json_key(b, "model");
    json_put_str(b, m->model);
    json_key(b, "dim");
    json_put_int(b, (int64_t)m->dim);
    json_key(b, "records");
    json_put_int(b, (int64_t)m->n_docs);
    json_key(b, "vectors");
    json_put_int(b, (int64_t)m->n_rows);
    json_key(b, "terms");
    json_put_int(b, (int64_t)m->n_terms);
    json_key(b, "texts");
    json_put_int(b, (int64_t)m->n_with_terms);
    json_key(b, "length");
    json_put_int(b, (int64_t)m->total_len);
    json_key(b, "analyzer");
    json_put_str(b, m->analyzer);
    json_key(b, "fields");
    json_put_str(b, m->fields);
    if (m->store == STORE_INT8) {
        json_key(b, "store");
        json_put_str(b, SV("int8"));
    }
    if (m->has_ivf) {
        json_key(b, "ivf");
        json_put_bool(b, true);
    }
    if (m->ivf.target !=
        IVF_TARGET) { /* only what is not the default: old files stay the same */
        json_key(b, "recall");
        json_put_num(b, m->ivf.target);
    }
    if (m->ivf.min_rows != IVF_MIN_ROWS) {
        json_key(b, "ivf_from");
        json_put_int(b, (int64_t)m->ivf.min_rows);
    }
    json_close(b, '}');
}

/* A count below 2^32 (documents, rows, terms, dimensions) or 2^53 (lengths). */
static int get_count(jv v, const char *field, double max, uint64_t *out, struct err *err)
{
    double x;
    if (json_need_num(v, field, &x, err) < 0)
        return -1;
    if (!(x >= 0 && x <= max) || x != floor(x))
        return err_set(err, EXIT_FATAL, "%s: out of range", field);
    *out = (uint64_t)x;
    return 0;
}

/* The three texts, kept in g->names one after the other. */
static int get_names(struct gri *g, jv v, struct err *err)
{
    struct sv model, analyzer, fields;
    if (json_need_str(v, "model", &model, err) < 0 ||
        json_need_str(v, "analyzer", &analyzer, err) < 0 ||
        json_need_str(v, "fields", &fields, err) < 0)
        return -1;
    buf_sv(&g->names, model);
    buf_sv(&g->names, analyzer);
    buf_sv(&g->names, fields);
    const char *p = buf_cstr(&g->names);
    g->meta.model = (struct sv){ p, model.n };
    g->meta.analyzer = (struct sv){ p + model.n, analyzer.n };
    g->meta.fields = (struct sv){ p + model.n + analyzer.n, fields.n };
    return 0;
}

static int get_counts(struct gri_meta *m, jv v, struct err *err)
{
    uint64_t n[4];
    const double max32 = UINT32_MAX - 1, max53 = 9007199254740992.0;
    if (get_count(v, "records", max32, &n[0], err) < 0 ||
        get_count(v, "vectors", max32, &n[1], err) < 0 ||
        get_count(v, "terms", max32, &n[2], err) < 0 ||
        get_count(v, "dim", GRI_MAX_DIM, &n[3], err) < 0 ||
        get_count(v, "texts", max32, &m->n_with_terms, err) < 0 ||
        get_count(v, "length", max53, &m->total_len, err) < 0)
        return -1;
    m->n_docs = (size_t)n[0];
    m->n_rows = (size_t)n[1];
    m->n_terms = (size_t)n[2];
    m->dim = (size_t)n[3];
    return 0;
}

static int get_store(struct gri_meta *m, jv v, struct err *err)
{
    struct sv store = SV_NONE;
    if (json_opt_str(v, "store", &store, err) < 0)
        return -1;
    m->store = sv_is(store, "int8") ? STORE_INT8 : STORE_FLOAT;
    return store.n && m->store == STORE_FLOAT
               ? err_set(err, EXIT_FATAL, "store: not one that this program reads")
               : 0;
}

/* Members that only indexes with approximate search have. */
static int get_ivf_cfg(struct gri_meta *m, jv v, struct err *err)
{
    uint64_t from = IVF_MIN_ROWS;
    m->ivf.target = IVF_TARGET;
    m->has_ivf = json_is_true(json_get(v, "ivf"));
    if (json_opt_num(v, "recall", &m->ivf.target, err) < 0)
        return -1;
    if (!(m->ivf.target >= 0 && m->ivf.target <= 1))
        return err_set(err, EXIT_FATAL, "recall: out of range");
    if (!json_is_null(json_get(v, "ivf_from")) &&
        get_count(v, "ivf_from", UINT32_MAX, &from, err) < 0)
        return -1;
    m->ivf.min_rows = (size_t)from;
    return 0;
}

static int read_meta(struct gri *g, struct err *err)
{
    const void *p;
    size_t n;
    if (secfile_get(&g->file, "meta", 1, &p, &n, err) < 0)
        return -1;
    jv v;
    if (json_parse(&v, (struct sv){ p, n }, err) < 0)
        return damaged(g, err, "meta is not JSON");
    int rc = get_names(g, v, err);
    if (rc == 0)
        rc = get_counts(&g->meta, v, err);
    if (rc == 0)
        rc = get_store(&g->meta, v, err);
    if (rc == 0)
        rc = get_ivf_cfg(&g->meta, v, err);
    json_free(v);
    if (rc < 0) {
        err->code = EXIT_FATAL;
        return err_prefix(err, "%s: damaged: meta", g->file.path);
    }
    return 0;
}

/* ---- sections ---- */

/* A section of exactly `want` things. */
static int get(const struct gri *g, const char *name, size_t size, size_t want,
               const void **data, struct err *err)
{
    size_t n;
    if (secfile_get(&g->file, name, size, data, &n, err) < 0)
        return -1;
    if (n != want)
        return err_set(err, EXIT_FATAL,
                       "%s: damaged: section %s has %zu entries, not %zu: build it anew",
                       g->file.path, name, n, want);
    return 0;
}

static int get_u32(const struct gri *g, const char *name, size_t n, const uint32_t **to,
                   struct err *err)
{
    const void *p;
    if (get(g, name, sizeof **to, n, &p, err) < 0)
        return -1;
    *to = p;
    return 0;
}

static int get_u64(const struct gri *g, const char *name, size_t n, const uint64_t **to,
                   struct err *err)
{
    const void *p;
    if (get(g, name, sizeof **to, n, &p, err) < 0)
        return -1;
    *to = p;
    return 0;
}

/* n + 1 offsets, of whichever width fills the section. */
static int get_offsets(const struct gri *g, const char *name, size_t n, struct offsets *to,
                       struct err *err)
{
    const void *p;
    size_t size;
    *to = (struct offsets){ 0 };
    if (secfile_get(&g->file, name, 1, &p, &size, err) < 0)
        return -1;
    if (size == (n + 1) * sizeof *to->narrow)
        to->narrow = p;
    else if (get_u64(g, name, n + 1, &to->wide, err) < 0)
        return -1;
    return 0;
}

static int get_bytes(const struct gri *g, const char *name, const char **to, size_t *size,
                     struct err *err)
{
    const void *p;
    if (secfile_get(&g->file, name, 1, &p, size, err) < 0)
        return -1;
    *to = p;
    return 0;
}

static int open_records(struct gri *g, struct err *err)
{
    size_t n = g->meta.n_docs;
    if (get_bytes(g, "ids", &g->ids, &g->ids_size, err) < 0 ||
        get_offsets(g, "ids_at", n, &g->ids_at, err) < 0 ||
        get_u32(g, "sorted", n, &g->sorted, err) < 0 ||
        get_u32(g, "rank", n, &g->rank, err) < 0 ||
        get_bytes(g, "raw", &g->raw, &g->raw_size, err) < 0 ||
        get_offsets(g, "raw_at", n, &g->raw_at, err) < 0)
        return -1;
    return 0;
}

static int open_vectors(struct gri *g, struct err *err)
{
    const struct gri_meta *m = &g->meta;
    const void *rows;
    if (m->n_rows > m->n_docs || (m->n_rows && !m->dim))
        return damaged(g, err, "meta: more vectors than records, or of no dimension");
    bool is_int8 = m->store == STORE_INT8;
    if ((m->n_rows < m->n_docs &&
         get_u32(g, "vec_doc", m->n_rows, &g->dense.row_doc, err) < 0) ||
        get(g, is_int8 ? "vec_i8" : "vec", is_int8 ? 1 : sizeof(float), m->n_rows * m->dim,
            &rows, err) < 0)
        return -1;
    g->dense.n_rows = m->n_rows;
    g->dense.dim = m->dim;
    g->dense.n_docs = m->n_docs;
    g->dense.rank = g->rank;
    g->dense.rows = is_int8 ? NULL : rows;
    g->dense.bytes = is_int8 ? rows : NULL;
    return 0;
}

static int open_postings(struct gri *g, struct err *err)
{
    struct sparse *s = &g->sparse;
    const char *post;
    size_t t = g->meta.n_terms;
    if (!g->meta.analyzer.n)
        return 0;
    if (get_bytes(g, "term", &s->text, &s->text_size, err) < 0 ||
        get_u64(g, "term_at", t + 1, &s->text_at, err) < 0 ||
        get_bytes(g, "post", &post, &s->post_size, err) < 0 ||
        get_u64(g, "post_at", t + 1, &s->post_at, err) < 0 ||
        get_u32(g, "df", t, &s->df, err) < 0 ||
        get_u32(g, "lens", g->meta.n_docs, &s->lens, err) < 0)
        return -1;
    s->post = (const unsigned char *)post;
    s->n_docs = g->meta.n_docs;
    s->n_terms = t;
    s->n_with_terms = g->meta.n_with_terms;
    s->total_len = g->meta.total_len;
    return 0;
}

static int open_columns(struct gri *g, struct err *err)
{
    struct sv head, data;
    if (!secfile_has(&g->file, "columns"))
        return 0;
    if (get_bytes(g, "columns", &head.p, &head.n, err) < 0 ||
        get_bytes(g, "col", &data.p, &data.n, err) < 0)
        return -1;
    if (columns_open(&g->columns, head, data, g->meta.n_docs, err) < 0)
        return err_prefix(err, "%s", g->file.path);
    return 0;
}

int gri_open(struct gri *g, const char *path, const char *p, size_t n, struct err *err)
{
    *g = (struct gri){ 0 };
    if (secfile_open_part(&g->file, path, p, n, GRI_SEGMENT_MAGIC, GRI_VERSION, err) < 0)
        return -1;
    if (read_meta(g, err) < 0 || open_records(g, err) < 0 || open_vectors(g, err) < 0 ||
        open_postings(g, err) < 0 || open_columns(g, err) < 0 ||
        (g->meta.has_ivf &&
         ivf_open(&g->ivf, &g->file, g->meta.n_rows, g->meta.dim, err) < 0)) {
        gri_close(g);
        return -1;
    }
    return 0;
}

void gri_close(struct gri *g)
{
    ivf_close(&g->ivf);
    columns_close(&g->columns);
    buf_release(&g->names);
    free(g->dead);
    secfile_close(&g->file);
    *g = (struct gri){ 0 };
}

/* ---- records ---- */

int gri_id(const struct gri *g, size_t doc, struct sv *id, struct err *err)
{
    uint64_t from = offsets_at(&g->ids_at, doc), to = offsets_at(&g->ids_at, doc + 1);
    if (from > to || to > g->ids_size)
        return damaged(g, err, "an id lies outside");
    *id = (struct sv){ g->ids + from, (size_t)(to - from) };
    return 0;
}

int gri_raw(const struct gri *g, size_t doc, struct sv *raw, struct err *err)
{
    uint64_t from = offsets_at(&g->raw_at, doc), to = offsets_at(&g->raw_at, doc + 1);
    if (from > to || to > g->raw_size)
        return damaged(g, err, "a record lies outside");
    *raw = (struct sv){ g->raw + from, (size_t)(to - from) };
    return 0;
}

int gri_find(const struct gri *g, struct sv id, size_t *doc, struct err *err)
{
    size_t lo = 0, hi = g->meta.n_docs;
    *doc = SIZE_MAX;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        struct sv at;
        if (g->sorted[mid] >= g->meta.n_docs)
            return damaged(g, err, "the order of ids");
        if (gri_id(g, g->sorted[mid], &at, err) < 0)
            return -1;
        int c = sv_cmp(id, at);
        if (c == 0) {
            *doc = g->sorted[mid];
            return 0;
        }
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return 0;
}

bool gri_has_vector(const struct gri *g, size_t doc)
{
    return dense_row(&g->dense, doc) != SIZE_MAX;
}

const float *gri_vector(const struct gri *g, size_t doc, float *to)
{
    size_t row = dense_row(&g->dense, doc);
    return row == SIZE_MAX ? NULL : dense_rows(&g->dense, row, 1, to);
}

bool gri_kill(struct gri *g, size_t doc)
{
    if (!g->dead)
        g->dead = alloc_zero(g->meta.n_docs + 1, 1);
    if (g->dead[doc])
        return false;
    g->dead[doc] = 1;
    g->n_dead++;
    g->n_dead_rows += gri_has_vector(g, doc);
    return true;
}
