// SPDX-License-Identifier: MIT
/*
 * plain.c — NDJSON as an index
 */
#include "plain.h"

#include <inttypes.h>
#include <math.h>

#include "alloc.h"
#include "base64.h"
#include "gri.h"
#include "ids.h"
#include "json.h"
#include "schema.h"
#include "utf8.h"
#include "vec.h"

/* ---- one line ---- */

static void problem(struct plain *p, uint64_t number, const char *why)
{
    if (p->n_problems++ < 10)
        buf_printf(&p->problems, "%s:%" PRIu64 ": %s\n", p->path, number, why);
}

/* Text of a raw string value: a view when it has no escapes, else unescaped into `tmp`. False:
 * no string. */
static bool raw_string(struct sv raw, struct buf *tmp, struct sv *text)
{
    if (raw.n < 2 || raw.p[0] != '"' || raw.p[raw.n - 1] != '"')
        return false;
    if (!memchr(raw.p, '\\', raw.n)) {
        *text = sv_from_to(raw, 1, raw.n - 1);
        return utf8_check(*text) == SIZE_MAX;
    }
    jv v;
    struct err err;
    if (json_parse(&v, raw, &err) < 0)
        return false;
    bool is_str = json_is_str(v);
    buf_reset(tmp);
    buf_sv(tmp, json_sv(v));
    json_free(v);
    *text = buf_view(tmp);
    return is_str;
}

/* Number of floats of a raw embedding, without decoding base64; 0: not one. */
static size_t raw_dim(struct sv value, struct buf *tmp)
{
    struct sv text;
    if (raw_string(value, tmp, &text)) {
        size_t tail = sv_ends(text, SV("==")) ? 2 : sv_ends(text, SV("="));
        return text.n % 4 || !text.n ? 0 : (text.n / 4 * 3 - tail) / sizeof(float);
    }
    if (value.n > 2 && value.p[0] == '[') {
        size_t n = 1;
        for (size_t i = 1; i + 1 < value.n; i++)
            n += value.p[i] == ',';
        return n;
    }
    return 0;
}

/* Decode one embedding into to[dim], length 1; false: NaN, all zero, or not decodable. */
static bool decode(struct sv value, size_t dim, float *to, struct buf *tmp)
{
    bool is_good = false;
    buf_reset(tmp);
    if (value.p[0] == '"' && !memchr(value.p, '\\', value.n)) {
        is_good =
            base64_get(tmp, sv_from_to(value, 1, value.n - 1)) && tmp->len == dim * sizeof *to;
        if (is_good)
            memcpy(to, tmp->data, tmp->len);
    } else {
        jv v;
        struct err err;
        float *vec;
        size_t n;
        if (json_parse(&v, value, &err) == 0) {
            if (vec_get(v, F_EMBEDDING, &vec, &n, &err) == 0) {
                is_good = n == dim;
                if (is_good)
                    memcpy(to, vec, dim * sizeof *to);
                free(vec);
            }
            json_free(v);
        }
    }
    return is_good && vec_normalise(to, dim);
}

static void fetch(void *ctx, size_t from, size_t n, float *to)
{
    const struct plain *p = ctx;
    size_t dim = p->kind.dim;
    struct buf tmp = BUF_INIT;
    for (size_t i = 0; i < n; i++) {
        const struct plain_doc *d = &p->docs[p->row_doc[from + i]];
        if (!decode(d->value, dim, to + i * dim, &tmp))
            for (size_t j = 0; j < dim; j++)
                to[i * dim + j] = NAN;
    }
    buf_release(&tmp);
}

/* ---- scanning ---- */

struct scan {
    struct plain *p;
    const char *fields;
    struct buf id, model;
};

static bool is_null(struct sv value)
{
    return sv_is(value, "null");
}

/* Kind of the vector of this line; -1 with err when it does not go with those before. */
static int check_kind(struct scan *s, const struct rec *r, size_t dim, struct err *err)
{
    struct sv raw, model = SV_NONE;
    if (rec_raw(r, F_EMBEDDING_MODEL, &raw) && !is_null(raw) &&
        !raw_string(raw, &s->model, &model))
        return err_set(err, EXIT_REJECTED, "field \"%s\": expected string", F_EMBEDDING_MODEL);
    return vec_kind_check(&s->p->kind, model, dim, err);
}

static void put_doc(struct plain *p, struct sv id, struct plain_doc doc)
{
    size_t i = map_put(p->ids, id, NULL);
    if (i == p->cap) {
        p->cap = alloc_grow(p->cap, i + 1);
        p->docs = alloc_resize(p->docs, p->cap, sizeof *p->docs);
    }
    p->docs[i] = doc;
}

/* One line into docs, or EXIT_REJECTED with why not. */
static int scan_line(struct scan *s, struct sv line, uint64_t number, struct err *err)
{
    struct rec r = { .line = sv_trim(line) };
    struct sv raw, id, value = SV_NONE;
    if (r.line.n < 2 || r.line.p[0] != '{' || r.line.p[r.line.n - 1] != '}')
        return err_set(err, EXIT_REJECTED, "expected a JSON object");
    if (!rec_raw(&r, F_ID, &raw) || !raw_string(raw, &s->id, &id) || !id.n)
        return err_set(err, EXIT_REJECTED, "field \"%s\": missing, expected string", F_ID);
    if (rec_raw(&r, F_EMBEDDING, &value) && !is_null(value)) {
        size_t dim = raw_dim(value, &s->model);
        if (!dim || dim > GRI_MAX_DIM)
            return err_set(err, EXIT_REJECTED,
                           "field \"%s\": not the base64 of little-endian float32, no array",
                           F_EMBEDDING);
        if (check_kind(s, &r, dim, err) < 0)
            return -1;
    } else {
        value = SV_NONE;
        if (!raw_has_text(r.line, s->fields))
            return err_set(err, EXIT_REJECTED,
                           "fields \"%s\" and \"%s\": missing both: one is needed", F_EMBEDDING,
                           F_TEXT);
    }
    /* It may be a hit, and be asked by a filter, where it is too late to leave it out. */
    if (json_check(r.line, err) < 0)
        return -1;
    put_doc(s->p, id, (struct plain_doc){ r.line, value, number });
    return 0;
}

static int scan_file(struct scan *s, struct err *err)
{
    struct plain *p = s->p;
    struct sv rest = { p->map.p, p->map.n }, line;
    if (sv_starts(rest, SV("\xEF\xBB\xBF")))
        rest = sv_from_to(rest, 3, rest.n);
    for (uint64_t number = 1; rest.n && sv_cut(&rest, '\n', &line); number++) {
        if (!sv_trim(line).n || scan_line(s, line, number, err) == 0)
            continue;
        if (err->code != EXIT_REJECTED)
            return err_prefix(err, "%s:%" PRIu64, p->path, number);
        problem(p, number, err->msg);
    }
    return 0;
}

/* ---- order and rows ---- */

static void make_order(struct plain *p)
{
    size_t n = map_count(p->ids);
    p->sorted = alloc_array(n + 1, sizeof *p->sorted);
    p->rank = alloc_array(n + 1, sizeof *p->rank);
    p->row_doc = alloc_array(n + 1, sizeof *p->row_doc);
    ids_order(p->ids, p->sorted, p->rank);
    for (size_t i = 0; i < n; i++)
        if (p->docs[i].value.n)
            p->row_doc[p->dense.n_rows++] = (uint32_t)i;
    p->dense.dim = p->kind.dim;
    p->dense.n_docs = n;
    p->dense.row_doc = p->row_doc;
    p->dense.rank = p->rank;
    p->dense.fetch = fetch;
    p->dense.ctx = p;
}

/* No line is a record: say what is wrong with the first. */
static int no_index(const struct plain *p, struct err *err)
{
    struct sv rest = buf_view(&p->problems), first;
    (void)sv_cut(&rest, '\n', &first);
    return err_set(err, EXIT_FATAL, "neither a .gri nor NDJSON records: %.*s", SV_ARG(first));
}

static int open_mapped(struct plain *p, const char *fields, struct err *err)
{
    p->ids = map_new();
    struct scan s = { .p = p, .fields = fields };
    int rc = scan_file(&s, err);
    if (rc == 0 && map_count(p->ids) >= UINT32_MAX - 1)
        rc = err_set(err, EXIT_FATAL, "%s: too many records", p->path);
    if (rc == 0 && p->n_problems && !map_count(p->ids))
        rc = no_index(p, err);
    if (rc == 0)
        make_order(p);
    buf_release(&s.id);
    buf_release(&s.model);
    if (rc < 0)
        plain_close(p);
    return rc;
}

int plain_open(struct plain *p, const char *path, const char *fields, struct err *err)
{
    *p = (struct plain){ .path = path };
    if (file_map(&p->map, path, err) < 0)
        return -1;
    return open_mapped(p, fields, err);
}

int plain_open_text(struct plain *p, const char *path, struct sv text, const char *fields,
                    struct err *err)
{
    *p = (struct plain){ .path = path,
                         .map = { .p = text.p, .n = text.n },
                         .is_borrowed = true };
    return open_mapped(p, fields, err);
}

void plain_close(struct plain *p)
{
    map_free(p->ids);
    free(p->docs);
    free(p->sorted);
    free(p->rank);
    free(p->row_doc);
    free(p->rows);
    buf_release(&p->kind.model);
    buf_release(&p->problems);
    if (!p->is_borrowed)
        file_unmap(&p->map);
    *p = (struct plain){ 0 };
}

void plain_load(struct plain *p)
{
    if (p->rows || !p->dense.n_rows)
        return;
    p->rows = alloc_huge(p->dense.n_rows * p->dense.dim * sizeof *p->rows);
    fetch(p, 0, p->dense.n_rows, p->rows);
    p->dense.rows = p->rows;
}

void plain_verify(struct plain *p)
{
    size_t dim = p->kind.dim;
    float *vec = alloc_array(dim + 1, sizeof *vec);
    struct buf tmp = BUF_INIT;
    for (size_t i = 0; i < map_count(p->ids); i++) {
        const struct plain_doc *d = &p->docs[i];
        struct rec r;
        struct err err;
        if (rec_parse(&r, d->line, &err) < 0) {
            problem(p, d->number, err.msg);
            continue;
        }
        rec_release(&r);
        if (d->value.n && !decode(d->value, dim, vec, &tmp))
            problem(p, d->number, "field \"embedding\": no vector of finite length above 0");
    }
    buf_release(&tmp);
    free(vec);
}
