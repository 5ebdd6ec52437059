// SPDX-License-Identifier: MIT
/*
 * builder.c — from records to the sections of a .gri
 */
#include "builder.h"

#include "alloc.h"
#include "columns.h"
#include "gri.h"
#include "i8.h"
#include "ids.h"
#include "map.h"
#include "root.h"
#include "schema.h"
#include "sparse.h"
#include "utf8.h"
#include "vec.h"

static const char *const vector_fields[] = { F_EMBEDDING, F_EMBEDDING_MODEL };

struct doc {
    size_t raw_at, raw_len; /* in builder.raw */
    size_t row;             /* of its vector, SIZE_MAX: none */
};

struct builder {
    struct map *ids; /* id to document */
    struct doc *docs;
    size_t cap_docs;
    struct buf raw;
    float *rows; /* (n_rows, kind.dim) in order of arrival; replaced records leave holes */
    size_t n_rows, cap_rows;
    bool has_holes; /* a record was replaced since builder_settle */
    struct vec_kind kind;
    struct ivf_cfg ivf;
    int store;          /* enum gri_store */
    const char *fields; /* while writing */
};

int vec_kind_check(struct vec_kind *k, struct sv model, size_t dim, struct err *err)
{
    if (!k->is_set) {
        k->is_set = true;
        buf_reset(&k->model);
        buf_sv(&k->model, model);
        k->dim = dim;
        return 0;
    }
    if (dim != k->dim)
        return err_set(err, EXIT_FATAL,
                       "vectors of two dimensions, %zu and %zu: embed all records with one "
                       "model",
                       k->dim, dim);
    if (!sv_eq(model, buf_view(&k->model)))
        return err_set(err, EXIT_FATAL,
                       "vectors of two models, \"%.*s\" and \"%.*s\": embed all records with "
                       "one model",
                       SV_ARG(buf_view(&k->model)), SV_ARG(model));
    return 0;
}

struct builder *builder_new(void)
{
    struct builder *b = alloc_zero(1, sizeof *b);
    b->ids = map_new();
    b->raw.max = SIZE_MAX / 2;
    b->ivf = (struct ivf_cfg){ IVF_TARGET, IVF_MIN_ROWS };
    return b;
}

void builder_free(struct builder *b)
{
    if (!b)
        return;
    map_free(b->ids);
    buf_release(&b->raw);
    buf_release(&b->kind.model);
    free(b->docs);
    free(b->rows);
    free(b);
}

void builder_set_ivf(struct builder *b, const struct ivf_cfg *cfg)
{
    b->ivf = *cfg;
}

void builder_set_kind(struct builder *b, struct sv model, size_t dim)
{
    struct err err;
    (void)vec_kind_check(&b->kind, model, dim, &err); /* the first: never refused */
}

void builder_set_store(struct builder *b, int store)
{
    b->store = store;
}

size_t builder_count(const struct builder *b)
{
    return map_count(b->ids);
}

/* ---- gathering ---- */

static size_t put_row(struct builder *b, const float *vec)
{
    size_t dim = b->kind.dim;
    if (b->n_rows == b->cap_rows) {
        b->cap_rows = alloc_grow(b->cap_rows, b->n_rows + 1);
        b->rows = alloc_resize(b->rows, b->cap_rows, dim * sizeof *b->rows);
    }
    memcpy(b->rows + b->n_rows * dim, vec, dim * sizeof *vec);
    return b->n_rows++;
}

int builder_put(struct builder *b, struct sv id, struct sv raw, const float *vec, size_t dim,
                struct sv model, bool *is_old, struct err *err)
{
    if (vec && vec_kind_check(&b->kind, model, dim, err) < 0)
        return -1;
    if (map_count(b->ids) >= UINT32_MAX - 1)
        return err_set(err, EXIT_FATAL, "more than %u records: make several indexes",
                       UINT32_MAX - 1);
    bool is_new;
    size_t i = map_put(b->ids, id, &is_new);
    if (i == b->cap_docs) {
        b->cap_docs = alloc_grow(b->cap_docs, i + 1);
        b->docs = alloc_resize(b->docs, b->cap_docs, sizeof *b->docs);
    }
    b->docs[i] = (struct doc){ b->raw.len, raw.n, vec ? put_row(b, vec) : SIZE_MAX };
    buf_sv(&b->raw, raw);
    *is_old = !is_new;
    b->has_holes = b->has_holes || !is_new;
    return 0;
}

struct arrival {
    size_t raw_at, doc;
};

static int by_arrival(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;
    return x->raw_at < y->raw_at ? -1 : x->raw_at > y->raw_at;
}

/* Move a record, and its row, down to where the ones before it end. */
static void move_down(struct builder *b, struct doc *d, size_t *raw_len, size_t *n_rows)
{
    size_t dim = b->kind.dim;
    memmove(b->raw.data + *raw_len, b->raw.data + d->raw_at, d->raw_len);
    d->raw_at = *raw_len;
    *raw_len += d->raw_len;
    if (d->row == SIZE_MAX)
        return;
    memmove(b->rows + *n_rows * dim, b->rows + d->row * dim, dim * sizeof *b->rows);
    d->row = (*n_rows)++;
}

void builder_settle(struct builder *b)
{
    size_t n = map_count(b->ids), raw_len = 0, n_rows = 0;
    if (!b->has_holes)
        return;
    struct arrival *order = alloc_array(n + 1, sizeof *order);
    struct doc *docs = alloc_array(n + 1, sizeof *docs);
    struct map *ids = map_new();
    for (size_t i = 0; i < n; i++)
        order[i] = (struct arrival){ b->docs[i].raw_at, i };
    qsort(order, n, sizeof *order, by_arrival);
    for (size_t i = 0; i < n; i++) {
        map_put(ids, map_key(b->ids, order[i].doc), NULL);
        docs[i] = b->docs[order[i].doc];
        move_down(b, &docs[i], &raw_len, &n_rows);
    }
    buf_cut(&b->raw, raw_len);
    b->n_rows = n_rows;
    free(order);
    free(b->docs);
    map_free(b->ids);
    b->docs = docs;
    b->cap_docs = n + 1;
    b->ids = ids;
    b->has_holes = false;
}

struct sv builder_id(const struct builder *b, size_t doc)
{
    return map_key(b->ids, doc);
}

int builder_put_all(struct builder *b, struct builder *from, struct err *err)
{
    builder_settle(from);
    for (size_t i = 0; i < map_count(from->ids); i++) {
        const struct doc *d = &from->docs[i];
        struct sv raw = { from->raw.data + d->raw_at, d->raw_len };
        const float *row = d->row == SIZE_MAX ? NULL : from->rows + d->row * from->kind.dim;
        bool is_old;
        if (builder_put(b, map_key(from->ids, i), raw, row, from->kind.dim,
                        buf_view(&from->kind.model), &is_old, err) < 0)
            return -1;
    }
    return 0;
}

/* The record without its vector, as it is stored. */
static void strip(const struct rec *r, struct buf *out)
{
    rec_begin(out, r, vector_fields, ARRAY_LEN(vector_fields));
    buf_char(out, '}');
}

static int add_vector(struct builder *b, const struct rec *r, struct sv id, struct sv raw,
                      bool *is_old, struct err *err)
{
    float *vec;
    size_t dim;
    struct sv model = SV_NONE;
    if (json_opt_str(r->v, F_EMBEDDING_MODEL, &model, err) < 0 ||
        vec_get(json_get(r->v, F_EMBEDDING), F_EMBEDDING, &vec, &dim, err) < 0)
        return -1;
    int rc = 0;
    if (dim > GRI_MAX_DIM)
        rc = err_set(err, EXIT_REJECTED, "field \"%s\": %zu dimensions, at most %d are read",
                     F_EMBEDDING, dim, GRI_MAX_DIM);
    else if (!vec_normalise(vec, dim))
        rc = err_set(err, EXIT_REJECTED, "field \"%s\": its length is no usable number",
                     F_EMBEDDING);
    else
        rc = builder_put(b, id, raw, vec, dim, model, is_old, err);
    free(vec);
    return rc;
}

int builder_add(struct builder *b, const struct rec *r, const char *fields, bool *is_old,
                struct err *err)
{
    struct sv id;
    if (json_need_str(r->v, F_ID, &id, err) < 0)
        return -1;
    if (!id.n)
        return err_set(err, EXIT_REJECTED, "field \"%s\": empty", F_ID);
    struct buf raw = BUF_INIT;
    strip(r, &raw);
    int rc;
    if (!json_is_null(json_get(r->v, F_EMBEDDING)))
        rc = add_vector(b, r, id, buf_view(&raw), is_old, err);
    else if (raw_has_text(buf_view(&raw), fields))
        rc = builder_put(b, id, buf_view(&raw), NULL, 0, SV_NONE, is_old, err);
    else
        rc =
            err_set(err, EXIT_REJECTED, "fields \"%s\" and \"%s\": missing both: one is needed",
                    F_EMBEDDING, F_TEXT);
    buf_release(&raw);
    return rc;
}

/* ---- texts ---- */

/* Strings of an array as texts of their own; those of gr-chunk's `terms` as terms. */
static void put_strings(jv array, bool is_terms, struct buf *out)
{
    for (size_t i = 0; i < json_len(array); i++) {
        struct sv s = json_sv(json_at(array, i));
        if (!s.n || memchr(s.p, '\0', s.n))
            continue;
        if (is_terms)
            buf_char(out, SPARSE_IS_TERM);
        buf_sv(out, s);
        buf_char(out, '\0');
    }
}

void raw_texts(struct sv raw, const char *fields, struct buf *out)
{
    struct rec r = { .line = raw };
    struct sv rest = sv_from(fields), name, value;
    while (sv_cut(&rest, ',', &name)) {
        char field[64];
        jv v;
        struct err err;
        snprintf(field, sizeof field, "%.*s", (int)(name.n < 63 ? name.n : 63), name.p);
        if (!rec_raw(&r, field, &value) || !value.n ||
            (value.p[0] != '"' && value.p[0] != '[') || json_parse(&v, value, &err) < 0)
            continue;
        if (json_is_str(v)) {
            buf_sv(out, json_sv(v));
            buf_char(out, '\0');
        } else
            put_strings(v, sv_is(name, "terms"), out);
        json_free(v);
    }
}

bool raw_has_text(struct sv raw, const char *fields)
{
    struct buf texts = BUF_INIT;
    raw_texts(raw, fields, &texts);
    bool has = false;
    for (size_t i = 0; i < texts.len && !has; i++)
        has = (unsigned char)texts.data[i] > ' ';
    buf_release(&texts);
    return has;
}

static struct sv raw_of(void *ctx, size_t doc)
{
    const struct builder *b = ctx;
    return (struct sv){ b->raw.data + b->docs[doc].raw_at, b->docs[doc].raw_len };
}

static void texts_of(void *ctx, size_t doc, struct buf *out)
{
    const struct builder *b = ctx;
    raw_texts(raw_of(ctx, doc), b->fields, out);
}

/* ---- writing ---- */

/* The arrays that sections point into. */
struct parts {
    struct buf meta, ids;
    uint64_t *ids_at, *raw_at; /* in the end u32, see narrow */
    size_t ids_at_size, raw_at_size;
    uint32_t *sorted, *rank, *vec_doc;
    int8_t *bytes; /* (n_rows, dim), NULL: rows are kept as floats */
    size_t n_rows;
    struct sparse_owned sparse;
    struct ivf_built ivf;
    struct buf ivf_head;
    struct columns_built columns;
};

static void make_ids(const struct builder *b, struct parts *p)
{
    size_t n = map_count(b->ids);
    p->ids.max = SIZE_MAX / 2;
    p->ids_at = alloc_array(n + 1, sizeof *p->ids_at);
    p->sorted = alloc_array(n + 1, sizeof *p->sorted);
    p->rank = alloc_array(n + 1, sizeof *p->rank);
    for (size_t i = 0; i < n; i++) {
        p->ids_at[i] = p->ids.len;
        buf_sv(&p->ids, map_key(b->ids, i));
    }
    p->ids_at[n] = p->ids.len;
    ids_order(b->ids, p->sorted, p->rank);
}

/* Records and rows are in order of documents, one after the other: builder_settle. */
static void make_records(const struct builder *b, struct parts *p)
{
    size_t n = map_count(b->ids);
    p->raw_at = alloc_array(n + 1, sizeof *p->raw_at);
    p->vec_doc = alloc_array(n + 1, sizeof *p->vec_doc);
    for (size_t i = 0; i < n; i++) {
        p->raw_at[i] = b->docs[i].raw_at;
        if (b->docs[i].row != SIZE_MAX)
            p->vec_doc[p->n_rows++] = (uint32_t)i;
    }
    p->raw_at[n] = b->raw.len;
}

/* Offsets to u32 in their place, when that is enough; the size in bytes. */
static size_t narrow(uint64_t *at, size_t n)
{
    uint32_t *to = (uint32_t *)(void *)at;
    if (at[n - 1] > UINT32_MAX)
        return n * sizeof *at;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = at[i];
        memcpy(to + i, &(uint32_t){ (uint32_t)x }, sizeof *to);
    }
    return n * sizeof *to;
}

/* Vectors to bytes, and to what these stand for, of which the rest of the index is made. */
static void make_bytes(struct builder *b, struct parts *p)
{
    size_t dim = b->kind.dim;
    float *rows = b->rows;
    p->bytes = alloc_array(p->n_rows + 1, dim + 1);
    for (size_t i = 0; i < p->n_rows; i++) {
        (void)i8_from_unit(rows + i * dim, dim, p->bytes + i * dim);
        i8_to_unit(p->bytes + i * dim, dim, rows + i * dim);
    }
}

static void make_meta(const struct builder *b, struct parts *p, const struct analyzer *analyzer,
                      const char *fields)
{
    const struct sparse *s = &p->sparse.view;
    bool has_kind = p->n_rows > 0; /* of the records that are there, not of those replaced */
    struct gri_meta m = { .model = has_kind ? buf_view(&b->kind.model) : SV_NONE,
                          .analyzer = sv_from(analyzer ? analyzer_name(analyzer) : ""),
                          .fields = sv_from(fields),
                          .dim = has_kind ? b->kind.dim : 0,
                          .n_docs = map_count(b->ids),
                          .n_rows = p->n_rows,
                          .n_terms = s->n_terms,
                          .n_with_terms = s->n_with_terms,
                          .total_len = s->total_len,
                          .store = b->store,
                          .has_ivf = p->ivf.row != NULL,
                          .ivf = b->ivf };
    gri_put_meta(&p->meta, &m);
}

static struct section vectors_of(const struct builder *b, const struct parts *p)
{
    size_t n = p->n_rows * b->kind.dim;
    if (p->bytes)
        return (struct section){ "vec_i8", p->bytes, n };
    return (struct section){ "vec", b->rows, n * sizeof(float) };
}

static uint64_t write_parts(const struct builder *b, struct parts *p, bool has_sparse,
                            bool is_whole, struct out *out)
{
    size_t n = map_count(b->ids);
    const struct sparse *s = &p->sparse.view;
    const size_t u32 = sizeof(uint32_t), u64 = sizeof(uint64_t);
    const struct section own[] = {
        { "meta", p->meta.data, p->meta.len },
        { "ids", p->ids.data, p->ids.len },
        { "ids_at", p->ids_at, p->ids_at_size },
        { "sorted", p->sorted, n * u32 },
        { "rank", p->rank, n * u32 },
        { "raw", b->raw.data, b->raw.len },
        { "raw_at", p->raw_at, p->raw_at_size },
        vectors_of(b, p),
        { "columns", p->columns.head.data, p->columns.head.len },
        { "col", p->columns.data.data, p->columns.data.len },
        { "term", s->text, s->text_size },
        { "term_at", s->text_at, (s->n_terms + 1) * u64 },
        { "post", s->post, s->post_size },
        { "post_at", s->post_at, (s->n_terms + 1) * u64 },
        { "df", s->df, s->n_terms * u32 },
        { "lens", s->lens, n * u32 },
    };
    const size_t n_sparse = 6;
    struct section sections[ARRAY_LEN(own) + 1 + IVF_SECTIONS];
    size_t n_sections = ARRAY_LEN(own) - (has_sparse ? 0 : n_sparse);
    memcpy(sections, own, sizeof own);
    if (p->n_rows < n)
        sections[n_sections++] = (struct section){ "vec_doc", p->vec_doc, p->n_rows * u32 };
    if (p->ivf.row) {
        ivf_sections(&p->ivf, &p->ivf_head, sections + n_sections);
        n_sections += IVF_SECTIONS;
    }
    struct root_segment segment = { .size = secfile_size(sections, n_sections) };
    struct root root = { .segments = &segment, .n_segments = 1 };
    if (is_whole) {
        root_lay_out(&root);
        root_put_start(&root, out);
    }
    secfile_write(out, GRI_SEGMENT_MAGIC, GRI_VERSION, sections, n_sections);
    return segment.size;
}

static uint64_t write_to(struct builder *b, const struct analyzer *analyzer, const char *fields,
                         unsigned jobs, bool is_whole, struct out *out)
{
    struct parts p = { 0 };
    b->fields = fields;
    builder_settle(b);
    make_ids(b, &p);
    make_records(b, &p);
    p.ids_at_size = narrow(p.ids_at, map_count(b->ids) + 1);
    p.raw_at_size = narrow(p.raw_at, map_count(b->ids) + 1);
    if (b->store == STORE_INT8)
        make_bytes(b, &p);
    columns_build(&p.columns, map_count(b->ids), raw_of, b);
    if (analyzer) {
        struct sparse_build sb = { .n_docs = map_count(b->ids),
                                   .analyzer = analyzer,
                                   .texts = texts_of,
                                   .ctx = b,
                                   .jobs = jobs };
        sparse_build(&p.sparse, &sb);
    }
    if (p.n_rows && ivf_is_wanted(&b->ivf, p.n_rows, b->kind.dim))
        ivf_build(&p.ivf, b->rows, p.n_rows, b->kind.dim, &b->ivf, jobs);
    make_meta(b, &p, analyzer, fields);
    uint64_t size = write_parts(b, &p, analyzer != NULL, is_whole, out);
    sparse_owned_release(&p.sparse);
    if (p.ivf.row)
        ivf_built_release(&p.ivf);
    columns_built_release(&p.columns);
    buf_release(&p.ivf_head);
    buf_release(&p.meta);
    buf_release(&p.ids);
    free(p.ids_at);
    free(p.raw_at);
    free(p.sorted);
    free(p.rank);
    free(p.vec_doc);
    free(p.bytes);
    return size;
}

void builder_write(struct builder *b, const struct analyzer *analyzer, const char *fields,
                   unsigned jobs, struct out *out)
{
    (void)write_to(b, analyzer, fields, jobs, true, out);
}

uint64_t builder_write_segment(struct builder *b, const struct analyzer *analyzer,
                               const char *fields, unsigned jobs, struct out *out)
{
    return write_to(b, analyzer, fields, jobs, false, out);
}
