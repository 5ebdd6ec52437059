// SPDX-License-Identifier: MIT
/*
 * npy.h — what the drivers of tests/bench/ann.sh share: arrays of NumPy, time, hits
 */
#ifndef NPY_H
#define NPY_H

#include <time.h>

#include "file.h"
#include "gr.h"
#include "topk.h"

#define NPY_K 10

static inline void npy_fail(const char *what)
{
    fprintf(stderr, "bench_gr-vindex: %s\n", what);
    exit(1);
}

/* The numbers of a .npy file, mapped; only its version 1, and no order of columns. */
static inline const void *npy_map(const char *path, size_t *bytes)
{
    struct mapped m;
    struct err err;
    if (file_map(&m, path, &err) < 0)
        npy_fail(err.msg);
    if (m.n < 12 || memcmp(m.p, "\x93NUMPY\x01", 7) != 0)
        npy_fail("no .npy of version 1");
    size_t head = 10 + (size_t)(unsigned char)m.p[8] + 256 * (size_t)(unsigned char)m.p[9];
    if (head > m.n)
        npy_fail("a .npy cut off");
    *bytes = m.n - head;
    return m.p + head;
}

/* CPU seconds of this process. */
static inline double npy_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* How many of the hits are among the exact NPY_K; sorted: record of each ordinal. */
static inline size_t npy_hits(const struct topk *got, const int64_t *exact,
                              const uint32_t *sorted)
{
    size_t hits = 0;
    for (size_t i = 0; i < got->n; i++)
        for (size_t j = 0; j < NPY_K; j++)
            hits += sorted[got->items[i].ord] == (uint64_t)exact[j];
    return hits;
}

#endif
