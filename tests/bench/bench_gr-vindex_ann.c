// SPDX-License-Identifier: MIT
/*
 * bench_gr-vindex_ann.c — queries a CPU second and recall of approximate search, in process
 *
 *   usage: bench_gr-vindex_ann INDEX QUERIES EXACT SET     (one thread, one query at a time)
 *
 * QUERIES: (n, dim) float32, EXACT: (n, 10) int64, both .npy in C order; the id of row i of the
 * index is i. Prints a JSON line for each recall asked for, as tests/bench/ann.py does.
 */
#include <time.h>

#include "alloc.h"
#include "file.h"
#include "store.h"
#include "topk.h"

#define K 10

static const double targets[] = { 0.8,  0.85, 0.9,  0.93,  0.945, 0.955,
                                  0.97, 0.98, 0.99, 0.993, 0.996, 0.998 };

static void fail(const char *what)
{
    fprintf(stderr, "bench_gr-vindex_ann: %s\n", what);
    exit(1);
}

/* The numbers of a .npy file, mapped; only its version 1 and 2, whose header says how long it
 * is, and no order of columns. */
static const void *npy(const char *path, size_t *bytes)
{
    struct mapped m;
    struct err err;
    if (file_map(&m, path, &err) < 0)
        fail(err.msg);
    if (m.n < 12 || memcmp(m.p, "\x93NUMPY\x01", 7) != 0)
        fail("no .npy of version 1");
    size_t head = 10 + (size_t)(unsigned char)m.p[8] + 256 * (size_t)(unsigned char)m.p[9];
    if (head > m.n)
        fail("a .npy cut off");
    *bytes = m.n - head;
    return m.p + head;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static size_t count_hits(const struct topk *got, const int64_t *exact, const struct gri *g)
{
    size_t hits = 0;
    for (size_t i = 0; i < got->n; i++)
        for (size_t j = 0; j < K; j++)
            hits += g->sorted[got->items[i].ord] == (uint64_t)exact[j];
    return hits;
}

int main(int argc, char **argv)
{
    struct store s;
    struct err err;
    struct ivf_scratch scratch;
    size_t bytes, exact_bytes;
    if (argc != 5)
        fail("usage: bench_gr-vindex_ann INDEX QUERIES EXACT SET");
    if (store_open(&s, argv[1], &err) < 0)
        fail(err.msg);
    const struct gri *g = &s.segments[0];
    const float *queries = npy(argv[2], &bytes);
    const int64_t *exact = npy(argv[3], &exact_bytes);
    size_t dim = g->meta.dim, n = bytes / (dim * sizeof *queries);
    if (!g->meta.has_ivf || exact_bytes < n * K * sizeof *exact)
        fail("an index without approximate search, or too few exact neighbours");
    struct ivf *x =
        ivf_copy_new(&g->ivf, &g->dense); /* as gr-vindex does after some thousand queries */
    ivf_scratch_init(&scratch, x);
    for (size_t t = 0; t < ARRAY_LEN(targets); t++) {
        struct ivf_effort e;
        if (!ivf_effort_for(x, targets[t], &e))
            break;
        struct topk *best = alloc_array(n, sizeof *best);
        double start = cpu_seconds();
        for (size_t i = 0; i < n; i++) {
            topk_init(&best[i], K);
            ivf_search(x, &g->dense, queries + i * dim, &e, NULL, &scratch, &best[i]);
            topk_sort(&best[i]);
        }
        double seconds = cpu_seconds() - start;
        size_t hits = 0;
        for (size_t i = 0; i < n; i++) {
            hits += count_hits(&best[i], exact + i * K, g);
            topk_release(&best[i]);
        }
        free(best);
        printf("{\"set\":\"%s\",\"engine\":\"gr-vindex\",\"setting\":\"%g\",\"recall\":%.5f,"
               "\"qps\":%.1f}\n",
               argv[4], targets[t], (double)hits / (double)(n * K), (double)n / seconds);
    }
    ivf_scratch_release(&scratch);
    ivf_copy_free(x);
    store_close(&s);
    return 0;
}
