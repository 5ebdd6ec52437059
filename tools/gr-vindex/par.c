// SPDX-License-Identifier: MIT
/*
 * par.c — ranges as jobs of a pool
 */
#include "par.h"

#include "alloc.h"
#include "pool.h"

struct par_job {
    size_t from, to;
};

struct par {
    void (*fn)(void *ctx, unsigned worker, size_t from, size_t to);
    void *ctx;
};

static void work(void *ctx, unsigned worker, void *job)
{
    const struct par *p = ctx;
    const struct par_job *j = job;
    p->fn(p->ctx, worker, j->from, j->to);
}

static bool done(void *ctx, void *job)
{
    (void)ctx;
    (void)job;
    return true;
}

void par_ranges(size_t n, size_t grain, unsigned jobs,
                void (*fn)(void *ctx, unsigned worker, size_t from, size_t to), void *ctx)
{
    if (jobs < 2 || n <= grain) {
        for (size_t from = 0; from < n; from += grain)
            fn(ctx, 0, from, n - from < grain ? n : from + grain);
        return;
    }
    size_t n_slots = (size_t)jobs * 2;
    struct par_job *jobs_of = alloc_array(n_slots, sizeof *jobs_of);
    void **slots = alloc_array(n_slots, sizeof *slots);
    for (size_t i = 0; i < n_slots; i++)
        slots[i] = &jobs_of[i];
    struct par p = { fn, ctx };
    struct pool_cfg cfg = {
        .jobs = jobs, .n_slots = n_slots, .slots = slots, .ctx = &p, .work = work, .done = done
    };
    struct pool *pool = pool_new(&cfg);
    for (size_t from = 0; from < n; from += grain) {
        *(struct par_job *)pool_next(pool) =
            (struct par_job){ from, n - from < grain ? n : from + grain };
        pool_give(pool);
    }
    pool_free(pool);
    free(slots);
    free(jobs_of);
}
