// SPDX-License-Identifier: MIT
/*
 * pool.h — workers on jobs that come out in the order they went in
 *
 * One thread gives jobs, `jobs` workers do them, a writer thread takes them done and in order.
 * Jobs are the caller's structs, n_slots of them, used in turn: pool_next waits until the
 * oldest is free again. Workers block SIGPIPE, so that only a dead standard output ends the
 * process.
 */
#ifndef GR_POOL_H
#define GR_POOL_H

#include "gr.h"

struct pool_cfg {
    unsigned jobs;  /* workers, > 0 */
    size_t n_slots; /* jobs in flight, >= jobs */
    void **slots;   /* (n_slots) the caller's job structs */
    void *ctx;      /* passed on */

    /* Do one job. worker: 0 … jobs-1, to find per-thread scratch. Must share only const state.
     */
    void (*work)(void *ctx, unsigned worker, void *job);

    /* Take a job that is done, in order, one at a time. False: stop, take no more. */
    bool (*done)(void *ctx, void *job);
};

struct pool;

struct pool *pool_new(const struct pool_cfg *cfg);

/* The next free slot to fill; NULL when `done` has said stop. */
void *pool_next(struct pool *p);

/* Hand over the slot that pool_next returned last. */
void pool_give(struct pool *p);

/* Wait until at most n jobs that were given are not written yet (or `done` has said stop). */
void pool_wait(struct pool *p, size_t n);

/* Wait until all is done (or stopped), end the threads, free. */
void pool_free(struct pool *p);

/* Processors this process may use (at least 1): respects affinity, as batch systems set it. */
unsigned pool_processors(void);

#endif
