// SPDX-License-Identifier: MIT
/*
 * bench_gr-vindex_ann.c — queries a CPU second and recall of approximate search, in process
 *
 *   usage: bench_gr-vindex_ann INDEX QUERIES EXACT SET     (one thread, one query at a time)
 *
 * QUERIES: (n, dim) float32, EXACT: (n, 10) int64, both .npy in C order; the id of row i of the
 * index is i. Prints a JSON line for each recall asked for, as tests/bench/ann.py does.
 */
#include "alloc.h"
#include "bench/npy.h"
#include "store.h"
#include "topk.h"

#define K NPY_K

static const double targets[] = { 0.8,  0.85, 0.9,  0.93,  0.945, 0.955,
                                  0.97, 0.98, 0.99, 0.993, 0.996, 0.998 };

int main(int argc, char **argv)
{
    struct store s;
    struct err err;
    struct ivf_scratch scratch;
    size_t bytes, exact_bytes;
    if (argc != 5)
        npy_fail("usage: bench_gr-vindex_ann INDEX QUERIES EXACT SET");
    if (store_open(&s, argv[1], &err) < 0)
        npy_fail(err.msg);
    const struct gri *g = &s.segments[0];
    const float *queries = npy_map(argv[2], &bytes);
    const int64_t *exact = npy_map(argv[3], &exact_bytes);
    size_t dim = g->meta.dim, n = bytes / (dim * sizeof *queries);
    if (!g->meta.has_ivf || exact_bytes < n * K * sizeof *exact)
        npy_fail("an index without approximate search, or too few exact neighbours");
    struct ivf *x =
        ivf_copy_new(&g->ivf, &g->dense); /* as gr-vindex does after some thousand queries */
    ivf_scratch_init(&scratch, x);
    for (size_t t = 0; t < ARRAY_LEN(targets); t++) {
        struct ivf_effort e;
        if (!ivf_effort_for(x, targets[t], &e))
            break;
        struct topk *best = alloc_array(n, sizeof *best);
        double start = npy_cpu_seconds();
        for (size_t i = 0; i < n; i++) {
            topk_init(&best[i], K);
            ivf_search(x, &g->dense, queries + i * dim, &e, NULL, &scratch, &best[i]);
            topk_sort(&best[i]);
        }
        double seconds = npy_cpu_seconds() - start;
        size_t hits = 0;
        for (size_t i = 0; i < n; i++) {
            hits += npy_hits(&best[i], exact + i * K, g->sorted);
            topk_release(&best[i]);
        }
        free(best);
        printf("{\"set\":\"%s\",\"engine\":\"%s\",\"setting\":\"%g\",\"recall\":%.5f,"
               "\"qps\":%.1f}\n",
               argv[4], g->meta.store == STORE_INT8 ? "gr-vindex-int8" : "gr-vindex",
               targets[t], (double)hits / (double)(n * K), (double)n / seconds);
    }
    ivf_scratch_release(&scratch);
    ivf_copy_free(x);
    store_close(&s);
    return 0;
}
