// SPDX-License-Identifier: MIT
/*
 * csv.c — CSV
 */
#include "csv.h"

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "utf8.h"

#define CSV_MAX_BYTES ((size_t)256 << 20)

struct reader {
    struct csv *t;
    const char *path;
    char *p, *end; /* fields are unquoted in place */
    size_t line;
    size_t n_cells, cap_cells, cap_rows;
    struct err *err;
};

static void add_cell(struct reader *r, struct sv cell)
{
    if (r->n_cells == r->cap_cells) {
        r->cap_cells = alloc_grow(r->cap_cells, r->n_cells + 1);
        r->t->cells = alloc_resize(r->t->cells, r->cap_cells, sizeof(struct sv));
    }
    r->t->cells[r->n_cells++] = cell;
}

/* A quoted field at r->p (behind the opening quote). */
static int quoted(struct reader *r, struct sv *out)
{
    char *to = r->p, *start = r->p;
    size_t line = r->line;
    for (; r->p < r->end; r->p++) {
        if (*r->p == '\n')
            r->line++;
        if (*r->p == '"') {
            if (r->p + 1 < r->end && r->p[1] == '"') {
                r->p++;
            } else {
                r->p++;
                *out = (struct sv){ start, (size_t)(to - start) };
                return 0;
            }
        }
        *to++ = *r->p;
    }
    return err_set(r->err, EXIT_FATAL, "%s:%zu: a quote is opened and never closed", r->path,
                   line);
}

static int field(struct reader *r, struct sv *out)
{
    if (r->p < r->end && *r->p == '"') {
        r->p++;
        if (quoted(r, out) < 0)
            return -1;
        if (r->p < r->end && *r->p != ',' && *r->p != '\n' && *r->p != '\r')
            return err_set(r->err, EXIT_FATAL, "%s:%zu: text after a closing quote", r->path,
                           r->line);
        return 0;
    }
    char *start = r->p;
    while (r->p < r->end && *r->p != ',' && *r->p != '\n' && *r->p != '\r')
        r->p++;
    *out = (struct sv){ start, (size_t)(r->p - start) };
    return 0;
}

/* One row to cells; its number of fields to *n. */
static int row(struct reader *r, size_t *n)
{
    for (*n = 0;;) {
        struct sv cell = SV_NONE;
        if (field(r, &cell) < 0)
            return -1;
        add_cell(r, cell);
        ++*n;
        if (r->p < r->end && *r->p == ',') {
            r->p++;
            continue;
        }
        if (r->p < r->end && *r->p == '\r')
            r->p++;
        if (r->p < r->end && *r->p == '\n')
            r->p++;
        r->line++;
        return 0;
    }
}

static int rows(struct reader *r)
{
    struct csv *t = r->t;
    size_t n;
    if (r->p == r->end)
        return err_set(r->err, EXIT_FATAL, "%s: empty: a header line is needed", r->path);
    if (row(r, &t->n_columns) < 0)
        return -1;
    t->header = alloc_array(t->n_columns, sizeof *t->header);
    memcpy(t->header, t->cells, t->n_columns * sizeof *t->header);
    r->n_cells = 0;
    while (r->p < r->end) {
        size_t line = r->line, before = r->n_cells;
        if (row(r, &n) < 0)
            return -1;
        if (n == 1 && t->cells[before].n == 0) { /* a blank line */
            r->n_cells = before;
            continue;
        }
        if (n != t->n_columns)
            return err_set(r->err, EXIT_FATAL, "%s:%zu: %zu fields, the header has %zu",
                           r->path, line, n, t->n_columns);
        if (t->n_rows == r->cap_rows) {
            r->cap_rows = alloc_grow(r->cap_rows, t->n_rows + 1);
            t->lines = alloc_resize(t->lines, r->cap_rows, sizeof *t->lines);
        }
        t->lines[t->n_rows++] = line;
    }
    return 0;
}

int csv_read(struct csv *t, const char *path, struct err *err)
{
    struct buf b = BUF_INIT;
    *t = (struct csv){ 0 };
    if (file_read(&b, path, CSV_MAX_BYTES, err) < 0) {
        buf_release(&b);
        return -1;
    }
    size_t n, bad = utf8_check(buf_view(&b));
    t->bytes = buf_take(&b, &n);
    int rc;
    if (bad != SIZE_MAX) {
        rc = err_set(err, EXIT_FATAL, "%s: not valid UTF-8 at byte %zu", path, bad + 1);
    } else {
        size_t bom = n >= 3 && memcmp(t->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        struct reader r = { .t = t,
                            .path = path,
                            .p = t->bytes + bom,
                            .end = t->bytes + n,
                            .line = 1,
                            .err = err };
        rc = rows(&r);
    }
    if (rc < 0)
        csv_release(t);
    return rc;
}

void csv_release(struct csv *t)
{
    free(t->cells);
    free(t->lines);
    free(t->header);
    free(t->bytes);
    *t = (struct csv){ 0 };
}

size_t csv_column(const struct csv *t, const char *name)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (sv_is(t->header[i], name))
            return i;
    return SIZE_MAX;
}

struct sv csv_cell(const struct csv *t, size_t row, size_t column)
{
    return t->cells[row * t->n_columns + column];
}
