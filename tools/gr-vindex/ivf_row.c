// SPDX-License-Identifier: MIT
/*
 * ivf_row.c — rows in approximate search: their bytes, a copy with all of them, verifying
 */
#include "alloc.h"
#include "i8.h"
#include "ivf.h"
#include "ivf_code.h"

#define LINE 64
#define ROWS_A_LIST_TO_COPY 512

float ivf_bytes_of(const struct ivf *x, const float *row, float *rotated, int8_t *bytes)
{
    rotation_apply(&x->rotation, row, rotated);
    return i8_from_unit(rotated, x->width, bytes);
}

/* ---- a copy ---- */

size_t ivf_lists_to_copy(const struct ivf *x)
{
    /* A search makes the bytes of some hundred rows, so the copy costs about as much as has
     * been spent on them by then. */
    return x->n_rows / ROWS_A_LIST_TO_COPY + 1;
}

static void *copy(const void *from, size_t n)
{
    void *p = alloc_huge(n);
    memcpy(p, from, n);
    return p;
}

struct ivf *ivf_copy_new(const struct ivf *x, const struct dense *d)
{
    struct ivf *c = alloc(sizeof *c);
    *c = *x;
    c->code = copy(x->code, x->block_at[x->n_lists] * code_block_size(x->width, x->bits));
    c->cent = copy(x->cent, x->n_lists * x->width);
    c->row = copy(x->row, x->n_places * sizeof *x->row);
    c->stride = (x->width + LINE - 1) / LINE * LINE;
    int8_t *bytes = alloc_huge(x->n_rows * c->stride);
    float *scales = alloc_huge(x->n_rows * sizeof *scales);
    float *row = alloc_array(x->dim, sizeof *row);
    float *rotated = alloc_array(x->width, sizeof *rotated);
    for (size_t i = 0; i < x->n_rows; i++)
        scales[i] = ivf_bytes_of(x, dense_rows(d, i, 1, row), rotated, bytes + i * c->stride);
    free(rotated);
    free(row);
    c->bytes = bytes;
    c->scales = scales;
    return c;
}

void ivf_copy_free(struct ivf *x)
{
    if (!x)
        return;
    free((void *)x->code);
    free((void *)x->cent);
    free((void *)x->row);
    free((void *)x->bytes);
    free((void *)x->scales);
    free(x);
}

/* ---- verifying ---- */

/* Is the code of a list what encoding its rows gives, and has every row a place left? */
static bool is_list_good(const struct ivf *x, const struct dense *d, size_t k,
                         struct ivf_encoder *e, unsigned char *seen, uint8_t *want)
{
    const size_t size = code_block_size(x->width, x->bits);
    ivf_encoder_set(e, x->cent, x->scale, k);
    for (size_t b = x->block_at[k], place = x->at[k]; b < x->block_at[k + 1]; b++) {
        memset(want, 0, size);
        for (size_t i = 0; i < CODE_BLOCK && place < x->at[k + 1]; i++, place++) {
            size_t row = x->row[place];
            if (row >= x->n_rows || seen[row]++ >= x->copies)
                return false;
            float scale = ivf_bytes_of(x, dense_rows(d, row, 1, e->row), e->rotated, e->bytes);
            ivf_encode(e, e->bytes, scale, want, i);
        }
        if (memcmp(want, x->code + b * size, size) != 0)
            return false;
    }
    return true;
}

int ivf_verify(const struct ivf *x, const char *path, const struct dense *d, struct err *err)
{
    unsigned char *seen = alloc_zero(x->n_rows, 1);
    uint8_t *want = alloc(code_block_size(x->width, x->bits));
    struct ivf_encoder e;
    int rc = 0;
    ivf_encoder_init(&e, x->dim, x->width, x->bits);
    for (size_t k = 0; k < x->n_lists && rc == 0; k++)
        if (!is_list_good(x, d, k, &e, seen, want))
            rc = err_set(err, EXIT_FATAL,
                         "%s: damaged: list %zu of approximate search: build it anew", path, k);
    ivf_encoder_release(&e);
    free(want);
    free(seen);
    return rc;
}
