// SPDX-License-Identifier: MIT
/*
 * ivf_file.c — approximate search in the file: writing and opening
 */
#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "code.h"
#include "ivf.h"
#include "json.h"
#include "vec.h"

void ivf_derive(struct ivf *x)
{
    x->block_at = alloc_array(x->n_lists + 1, sizeof *x->block_at);
    x->block_at[0] = 0;
    for (size_t k = 0; k < x->n_lists; k++)
        x->block_at[k + 1] =
            x->block_at[k] + (x->at[k + 1] - x->at[k] + CODE_BLOCK - 1) / CODE_BLOCK;
    if (!x->rotation.signs)
        rotation_init(&x->rotation, x->dim, x->width);
}

void ivf_close(struct ivf *x)
{
    free(x->block_at);
    rotation_release(&x->rotation);
    *x = (struct ivf){ 0 };
}

/* ---- writing ---- */

static void put_levels(struct buf *b, const struct ivf *x)
{
    json_key(b, "levels");
    json_open(b, '[');
    for (size_t i = 0; i < 4 * IVF_LEVELS; i++) {
        const struct ivf_level *l = &x->levels[0][0][0] + i;
        const float values[] = { l->bars.reach, l->bars.slack, l->recall };
        json_open(b, '[');
        for (size_t j = 0; j < ARRAY_LEN(values); j++)
            json_put_float(b, values[j]);
        json_close(b, ']');
    }
    json_close(b, ']');
}

void ivf_sections(const struct ivf_built *b, struct buf *head, struct section *to)
{
    const struct ivf *x = &b->view;
    const size_t u32 = sizeof(uint32_t);
    json_open(head, '{');
    json_key(head, "lists");
    json_put_int(head, (int64_t)x->n_lists);
    json_key(head, "bits");
    json_put_int(head, (int64_t)x->bits);
    json_key(head, "copies");
    json_put_int(head, (int64_t)x->copies);
    json_key(head, "target");
    json_put_num(head, x->target);
    json_key(head, "recall");
    json_put_float(head, x->recall);
    json_key(head, "recall_far");
    json_put_float(head, x->recall_far);
    json_key(head, "border");
    json_put_float(head, x->border);
    put_levels(head, x);
    json_close(head, '}');
    const struct section all[IVF_SECTIONS] = {
        { "ivf", head->data, head->len },
        { "ivf_cent", b->cent, x->n_lists * x->width },
        { "ivf_list", b->lists, 3 * x->n_lists * sizeof(float) },
        { "ivf_at", b->at, (x->n_lists + 1) * u32 },
        { "ivf_row", b->row, x->n_places * u32 },
        { "ivf_code", b->code, x->block_at[x->n_lists] * code_block_size(x->width, x->bits) },
    };
    memcpy(to, all, sizeof all);
}

/* ---- opening ---- */

static int damaged(const char *path, struct err *err, const char *what)
{
    return err_set(err, EXIT_FATAL, "%s: damaged: section %s: build it anew", path, what);
}

/* A number from least to most. */
static int read_float(jv v, float least, float most, float *to, const char *field,
                      struct err *err)
{
    double x = json_num(v);
    if (!(x >= (double)least && x <= (double)most))
        return err_set(err, EXIT_FATAL, "%s: out of range", field);
    *to = (float)x;
    return 0;
}

/* A whole number from lo to hi. */
static int read_size(jv v, const char *field, size_t lo, size_t hi, size_t *to, struct err *err)
{
    double x;
    if (json_need_num(v, field, &x, err) < 0)
        return -1;
    if (!(x >= (double)lo && x <= (double)hi) || x != floor(x))
        return err_set(err, EXIT_FATAL, "%s: out of range", field);
    *to = (size_t)x;
    return 0;
}

static int read_levels(struct ivf *x, jv v, struct err *err)
{
    jv levels;
    if (json_need_array(v, "levels", &levels, err) < 0)
        return -1;
    struct ivf_level *to = &x->levels[0][0][0];
    for (size_t i = 0; i < 4 * IVF_LEVELS; i++) {
        float values[3];
        for (size_t j = 0; j < ARRAY_LEN(values); j++)
            if (read_float(json_at(json_at(levels, i), j), 0, 1000, &values[j], "levels", err) <
                0)
                return -1;
        to[i] = (struct ivf_level){ { values[0], values[1] }, values[2] };
    }
    return 0;
}

static int read_head(struct ivf *x, const struct secfile *f, struct err *err)
{
    const void *p;
    size_t n, bits, copies;
    jv v;
    if (secfile_get(f, "ivf", 1, &p, &n, err) < 0)
        return -1;
    if (json_parse(&v, (struct sv){ p, n }, err) < 0)
        return damaged(f->path, err, "ivf is not JSON");
    int rc = 0;
    if (read_size(v, "lists", 64, (size_t)1 << 24, &x->n_lists, err) < 0 ||
        read_size(v, "bits", 1, 2, &bits, err) < 0 ||
        read_size(v, "copies", 1, 2, &copies, err) < 0 ||
        json_need_num(v, "target", &x->target, err) < 0 ||
        read_float(json_get(v, "recall"), 0, 1, &x->recall, "recall", err) < 0 ||
        read_float(json_get(v, "recall_far"), 0, 1, &x->recall_far, "recall_far", err) < 0 ||
        read_float(json_get(v, "border"), -2, 2, &x->border, "border", err) < 0 ||
        read_levels(x, v, err) < 0)
        rc = -1;
    json_free(v);
    if (rc < 0) {
        err->code = EXIT_FATAL;
        return err_prefix(err, "%s: damaged: ivf", f->path);
    }
    if (x->n_lists % 64 || !(x->target >= 0 && x->target <= 1))
        return damaged(f->path, err, "ivf");
    x->bits = (unsigned)bits;
    x->copies = (unsigned)copies;
    x->n_places = x->n_rows * copies;
    return x->n_places < UINT32_MAX ? 0 : damaged(f->path, err, "ivf");
}

/* A section of exactly n things. */
static const void *get(const struct secfile *f, const char *name, size_t size, size_t n,
                       struct err *err)
{
    const void *p;
    size_t got;
    if (secfile_get(f, name, size, &p, &got, err) < 0)
        return NULL;
    if (got == n)
        return p;
    (void)damaged(f->path, err, name);
    return NULL;
}

/* Lists that together are all rows, and numbers that can be computed with. */
static int check_lists(const struct ivf *x, const struct secfile *f, struct err *err)
{
    if (x->at[0] || x->at[x->n_lists] != x->n_places)
        return damaged(f->path, err, "ivf_at");
    for (size_t k = 0; k < x->n_lists; k++)
        if (x->at[k] > x->at[k + 1])
            return damaged(f->path, err, "ivf_at");
    /* No vector is longer than 1, nor is a mean of some, nor what is between them than 2. */
    for (size_t i = 0; i < 3 * x->n_lists; i++)
        if (!(x->scale[i] >= 0 && x->scale[i] < 5))
            return damaged(f->path, err, "ivf_list");
    return 0;
}

static int open_sections(struct ivf *x, const struct secfile *f, struct err *err)
{
    const size_t n_lists = x->n_lists;
    x->cent = get(f, "ivf_cent", 1, n_lists * x->width, err);
    x->scale = x->cent ? get(f, "ivf_list", sizeof(float), 3 * n_lists, err) : NULL;
    x->at = x->scale ? get(f, "ivf_at", sizeof(uint32_t), n_lists + 1, err) : NULL;
    x->row = x->at ? get(f, "ivf_row", sizeof(uint32_t), x->n_places, err) : NULL;
    if (!x->row)
        return -1;
    x->spread = x->scale + n_lists;
    x->norm = x->scale + 2 * n_lists;
    if (check_lists(x, f, err) < 0)
        return -1;
    ivf_derive(x);
    size_t size = x->block_at[n_lists] * code_block_size(x->width, x->bits);
    x->code = get(f, "ivf_code", 1, size, err);
    return x->code ? 0 : -1;
}

int ivf_open(struct ivf *x, const struct secfile *f, size_t n_rows, size_t dim, struct err *err)
{
    *x = (struct ivf){ .n_rows = n_rows, .dim = dim };
    if (!n_rows || dim > IVF_MAX_DIM)
        return damaged(f->path, err, "ivf without rows that it could be of");
    if (read_head(x, f, err) < 0)
        return -1;
    x->width = code_width(dim, x->bits);
    if (open_sections(x, f, err) < 0) {
        ivf_close(x);
        return -1;
    }
    return 0;
}
