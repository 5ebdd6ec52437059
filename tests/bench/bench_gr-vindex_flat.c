// SPDX-License-Identifier: MIT
/*
 * bench_gr-vindex_flat.c — queries a CPU second of exact search in batches, in process
 *
 *   usage: bench_gr-vindex_flat INDEX QUERIES EXACT SET BATCH     (one thread)
 *
 * QUERIES: (n, dim) float32, EXACT: (n, 10) int64, both .npy in C order; the id of row i of the
 * index is i. Prints a JSON line as tests/bench/ann.py does; recall is that of what the index
 * holds: 1 but for ties when these are floats, less for bytes.
 */
#include "alloc.h"
#include "bench/npy.h"
#include "store.h"
#include "topk.h"

int main(int argc, char **argv)
{
    struct store s;
    struct err err;
    size_t bytes, exact_bytes, hits = 0;
    long batch = argc == 6 ? strtol(argv[5], NULL, 10) : 0;
    if (batch < 1)
        npy_fail("usage: bench_gr-vindex_flat INDEX QUERIES EXACT SET BATCH");
    if (store_open(&s, argv[1], &err) < 0)
        npy_fail(err.msg);
    const struct gri *g = &s.segments[0];
    const float *queries = npy_map(argv[2], &bytes);
    const int64_t *exact = npy_map(argv[3], &exact_bytes);
    size_t dim = g->meta.dim, n = bytes / (dim * sizeof *queries);
    if (exact_bytes < n * NPY_K * sizeof *exact)
        npy_fail("too few exact neighbours");
    struct topk *best = alloc_array(n, sizeof *best);
    for (size_t i = 0; i < n; i++)
        topk_init(&best[i], NPY_K);
    double start = npy_cpu_seconds();
    for (size_t i = 0; i < n; i += (size_t)batch) {
        size_t m = n - i < (size_t)batch ? n - i : (size_t)batch;
        dense_search(&g->dense, queries + i * dim, m, NULL, best + i);
        for (size_t j = i; j < i + m; j++)
            topk_sort(&best[j]);
    }
    double seconds = npy_cpu_seconds() - start;
    for (size_t i = 0; i < n; i++) {
        hits += npy_hits(&best[i], exact + i * NPY_K, g->sorted);
        topk_release(&best[i]);
    }
    free(best);
    printf(
        "{\"set\":\"%s\",\"engine\":\"gr-vindex-%s\",\"setting\":\"flat %ld\",\"recall\":%.5f,"
        "\"qps\":%.1f}\n",
        argv[4], g->meta.store == STORE_INT8 ? "int8" : "flat", batch,
        (double)hits / (double)(n * NPY_K), (double)n / seconds);
    store_close(&s);
    return 0;
}
