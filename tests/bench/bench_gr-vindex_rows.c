// SPDX-License-Identifier: MIT
/*
 * bench_gr-vindex_rows.c — vectors as NDJSON, for tests/bench/ann-grow.sh
 *
 *   usage: bench_gr-vindex_rows FROM N DIM CENTRES
 *
 * Row i is around one of the centres, which are drawn at random, with noise of three quarters
 * of a centre's length in a subspace of the centre's own and a little everywhere: the rows of a
 * cluster are apart as those of texts of one subject are. It depends on i alone: rows that
 * another call begins or ends with are the same, and rows far on are queries of the same kind.
 */
#include "alloc.h"
#include "bench/npy.h"
#include "buf.h"
#include "rng.h"
#include "vec.h"

#define OWN 24 /* directions of a cluster */

/* Near enough to normal, and quick. */
static float noise(struct rng *r)
{
    return (float)(rng_unit(r) + rng_unit(r) + rng_unit(r) - 1.5) * 2;
}

static void fill(float *v, size_t n, uint64_t seed)
{
    struct rng r = { seed };
    for (size_t j = 0; j < n; j++)
        v[j] = noise(&r);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        npy_fail("usage: bench_gr-vindex_rows FROM N DIM CENTRES");
    size_t from = strtoull(argv[1], NULL, 10), n = strtoull(argv[2], NULL, 10);
    size_t dim = strtoull(argv[3], NULL, 10), n_centres = strtoull(argv[4], NULL, 10);
    if (!dim || !n_centres)
        npy_fail("DIM and CENTRES: at least 1");
    float *centres = alloc_array(n_centres, dim * sizeof *centres);
    float *axes = alloc_array(OWN * (n_centres + dim), sizeof *axes);
    float *row = alloc_array(dim, sizeof *row);
    struct buf line = BUF_INIT;
    fill(centres, n_centres * dim, 1);
    fill(axes, OWN * (n_centres + dim), 2);
    for (size_t i = from; i < from + n; i++) {
        struct rng r = { i * 2654435761U + 3 };
        size_t c = rng_below(&r, n_centres);
        float own[OWN];
        for (size_t k = 0; k < OWN; k++)
            own[k] = 0.15f * noise(&r);
        for (size_t j = 0; j < dim; j++)
            row[j] = centres[c * dim + j] + 0.15f * noise(&r);
        for (size_t k = 0; k < OWN; k++)
            for (size_t j = 0; j < dim; j++) /* windows of one table are the directions */
                row[j] += own[k] * axes[(c * OWN + k) % (OWN * n_centres) + j];
        (void)vec_normalise(row, dim);
        buf_reset(&line);
        buf_printf(&line, "{\"id\":\"%zu\",\"embedding\":", i);
        vec_put_base64(&line, row, dim);
        buf_str(&line, "}\n");
        fwrite(line.data, 1, line.len, stdout);
    }
    buf_release(&line);
    free(row);
    free(axes);
    free(centres);
    return 0;
}
