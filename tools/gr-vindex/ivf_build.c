// SPDX-License-Identifier: MIT
/*
 * ivf_build.c — bytes, lists, codes, levels
 */
#include <math.h>

#include "alloc.h"
#include "calibrate.h"
#include "code.h"
#include "i8.h"
#include "ivf.h"
#include "ivf_code.h"
#include "kmeans.h"
#include "par.h"
#include "rng.h"

#define ROUNDS 4
#define ROWS_A_LIST 32 /* of the sample that k-means sees */
#define LISTS_STEP 64
#define MAX_LISTS 16384
#define ROWS_A_RANGE 1024
#define LISTS_A_RANGE 8
#define ONE_BIT_DIM 128 /* from here on one bit an element is enough */
#define SEED 3

/* Everything while it is made. */
struct making {
    struct ivf_built *b;
    const float *rows;
    struct centroids centroids;
    int8_t *bytes;  /* (n_rows, width) by row */
    float *scales;  /* (n_rows) */
    uint32_t *list; /* (copies, n_rows) */
    unsigned jobs;
};

bool ivf_is_wanted(const struct ivf_cfg *cfg, size_t n_rows, size_t dim)
{
    return cfg->min_rows && n_rows >= cfg->min_rows && n_rows >= IVF_LEAST_ROWS &&
           n_rows < UINT32_MAX && dim <= IVF_MAX_DIM;
}

/* Some 3.2 √n lists: scanning bounds and scanning lists cost about the same. More when rows are
 * long, or in two lists each. */
static size_t lists_for(size_t n_rows, unsigned copies)
{
    double by = copies > 1 ? 4.5 : 3.2;
    size_t n = (size_t)(by * sqrt((double)n_rows)) / LISTS_STEP * LISTS_STEP;
    return n < LISTS_STEP ? LISTS_STEP : n > MAX_LISTS ? MAX_LISTS : n;
}

/* ---- bytes ---- */

static void round_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    const struct making *m = ctx;
    const struct ivf *x = &m->b->view;
    float *rotated = alloc_array(x->width, sizeof *rotated);
    (void)worker;
    for (size_t i = from; i < to; i++)
        m->scales[i] = ivf_bytes_of(x, m->rows + i * x->dim, rotated, m->bytes + i * x->width);
    free(rotated);
}

/* ---- lists ---- */

/* A sample spread over the rows, for k-means; all rows when they are few. */
static void make_lists(struct making *m)
{
    struct ivf *x = &m->b->view;
    const size_t want = x->n_lists * ROWS_A_LIST, width = x->width;
    struct i8_rows all = { x->n_rows, width, m->bytes, m->scales }, sample = all;
    int8_t *bytes = NULL;
    float *scales = NULL;
    if (want < x->n_rows) {
        struct rng rng = { SEED };
        bytes = alloc_array(want, width);
        scales = alloc_array(want, sizeof *scales);
        for (size_t i = 0; i < want; i++) {
            size_t from = x->n_rows * i / want, to = x->n_rows * (i + 1) / want;
            size_t row = from + rng_below(&rng, to - from);
            memcpy(bytes + i * width, m->bytes + row * width, width);
            scales[i] = m->scales[row];
        }
        sample = (struct i8_rows){ want, width, bytes, scales };
    }
    kmeans(&m->centroids, &sample, x->n_lists, ROUNDS, m->jobs);
    centroids_assign(&m->centroids, &all, m->jobs, m->list);
    if (x->copies > 1)
        centroids_assign_again(&m->centroids, &all, m->list, m->jobs, m->list + x->n_rows);
    free(bytes);
    free(scales);
}

/* ---- codes ---- */

static void encode_list(const struct making *m, struct ivf_encoder *e, size_t k)
{
    const struct ivf *x = &m->b->view;
    const size_t size = code_block_size(x->width, x->bits), n = x->at[k + 1] - x->at[k];
    double sum = 0;
    ivf_encoder_set(e, m->b->cent, m->b->lists, k);
    for (size_t i = 0; i < n; i++) {
        size_t row = x->row[x->at[k] + i];
        uint8_t *block = m->b->code + (x->block_at[k] + i / CODE_BLOCK) * size;
        sum += (double)ivf_encode(e, m->bytes + row * x->width, m->scales[row], block,
                                  i % CODE_BLOCK);
    }
    m->b->lists[x->n_lists + k] = n ? (float)sqrt(sum / (double)n) : 0;
}

static void encode_range(void *ctx, unsigned worker, size_t from, size_t to)
{
    const struct making *m = ctx;
    const struct ivf *x = &m->b->view;
    struct ivf_encoder e;
    (void)worker;
    ivf_encoder_init(&e, x->dim, x->width, x->bits);
    for (size_t k = from; k < to; k++)
        encode_list(m, &e, k);
    ivf_encoder_release(&e);
}

/* Places, blocks and what a list is like. */
static void fill(struct making *m)
{
    struct ivf_built *b = m->b;
    struct ivf *x = &b->view;
    const size_t n = x->n_places, n_lists = x->n_lists;
    b->at = alloc_array(n_lists + 1, sizeof *b->at);
    b->row = alloc_array(n, sizeof *b->row);
    lists_of(m->list, n, n_lists, b->at, b->row);
    for (size_t i = 0; i < n; i++)
        b->row[i] %= (uint32_t)x->n_rows;
    x->at = b->at;
    x->row = b->row;
    ivf_derive(x);
    b->code = alloc_zero(x->block_at[n_lists], code_block_size(x->width, x->bits));
    b->lists = alloc_zero(3 * n_lists, sizeof *b->lists);
    b->cent = m->centroids.blocks;
    m->centroids.blocks = NULL;
    memcpy(b->lists, m->centroids.scales, n_lists * sizeof *b->lists);
    memcpy(b->lists + 2 * n_lists, m->centroids.norms, n_lists * sizeof *b->lists);
    par_ranges(n_lists, LISTS_A_RANGE, m->jobs, encode_range, m);
    x->cent = b->cent;
    x->code = b->code;
    x->scale = b->lists;
    x->spread = b->lists + n_lists;
    x->norm = b->lists + 2 * n_lists;
}

void ivf_build(struct ivf_built *b, const float *rows, size_t n_rows, size_t dim,
               const struct ivf_cfg *cfg, unsigned jobs)
{
    *b = (struct ivf_built){ 0 };
    struct ivf *x = &b->view;
    x->n_rows = n_rows;
    x->dim = dim;
    x->bits = dim < ONE_BIT_DIM ? 2 : 1;
    x->width = code_width(dim, x->bits);
    x->copies = x->bits == 1 && n_rows < UINT32_MAX / 2 ? 2 : 1;
    x->n_places = n_rows * x->copies;
    x->n_lists = lists_for(n_rows, x->copies);
    x->target = cfg->target;
    rotation_init(&x->rotation, dim, x->width);
    struct making m = { .b = b, .rows = rows, .jobs = jobs };
    m.bytes = alloc_huge(n_rows * x->width);
    m.scales = alloc_array(n_rows, sizeof *m.scales);
    m.list = alloc_array(x->n_places, sizeof *m.list);
    par_ranges(n_rows, ROWS_A_RANGE, jobs, round_range, &m);
    make_lists(&m);
    fill(&m);
    struct i8_rows all = { n_rows, x->width, m.bytes, m.scales };
    x->bytes = m.bytes;
    x->scales = m.scales;
    x->stride = x->width;
    calibrate(x, rows, &all, m.list, jobs);
    x->bytes = NULL;
    x->scales = NULL;
    centroids_release(&m.centroids);
    free(m.list);
    free(m.scales);
    free(m.bytes);
}

void ivf_built_release(struct ivf_built *b)
{
    ivf_close(&b->view);
    free(b->cent);
    free(b->code);
    free(b->lists);
    free(b->at);
    free(b->row);
    *b = (struct ivf_built){ 0 };
}
