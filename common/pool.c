// SPDX-License-Identifier: MIT
/*
 * pool.c — a ring of slots, one lock, three conditions
 */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "alloc.h"

struct pool {
    struct pool_cfg cfg;
    pthread_t *workers; /* (cfg.jobs) */
    pthread_t writer;
    pthread_mutex_t lock;
    pthread_cond_t has_work, has_done, has_free;
    bool *is_done;                        /* (n_slots) */
    uint64_t n_given, n_taken, n_written; /* jobs so far; slot = number % n_slots */
    bool is_closed, is_stopped;
};

struct start {
    struct pool *pool;
    unsigned index;
};

static void *work_loop(void *arg)
{
    struct start start = *(struct start *)arg;
    struct pool *p = start.pool;
    free(arg);
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->n_taken == p->n_given && !p->is_closed)
            pthread_cond_wait(&p->has_work, &p->lock);
        if (p->n_taken == p->n_given)
            break;
        size_t slot = (size_t)(p->n_taken++ % p->cfg.n_slots);
        bool is_wanted = !p->is_stopped;
        pthread_mutex_unlock(&p->lock);
        if (is_wanted)
            p->cfg.work(p->cfg.ctx, start.index, p->cfg.slots[slot]);
        pthread_mutex_lock(&p->lock);
        p->is_done[slot] = true;
        pthread_cond_signal(&p->has_done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void *write_loop(void *arg)
{
    struct pool *p = arg;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        size_t slot = (size_t)(p->n_written % p->cfg.n_slots);
        while (!(p->n_written < p->n_given && p->is_done[slot]) &&
               !(p->is_closed && p->n_written == p->n_given))
            pthread_cond_wait(&p->has_done, &p->lock);
        if (p->n_written == p->n_given)
            break;
        bool is_wanted = !p->is_stopped;
        pthread_mutex_unlock(&p->lock);
        bool goes_on = !is_wanted || p->cfg.done(p->cfg.ctx, p->cfg.slots[slot]);
        pthread_mutex_lock(&p->lock);
        if (!goes_on)
            p->is_stopped = true;
        p->is_done[slot] = false;
        p->n_written++;
        pthread_cond_signal(&p->has_free);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void start_thread(pthread_t *t, void *(*loop)(void *), void *arg)
{
    if (pthread_create(t, NULL, loop, arg))
        alloc_die(NULL); /* no thread to be had is no memory to be had */
}

struct pool *pool_new(const struct pool_cfg *cfg)
{
    struct pool *p = alloc_zero(1, sizeof *p);
    p->cfg = *cfg;
    p->workers = alloc_array(cfg->jobs, sizeof *p->workers);
    p->is_done = alloc_zero(cfg->n_slots, sizeof *p->is_done);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->has_work, NULL);
    pthread_cond_init(&p->has_done, NULL);
    pthread_cond_init(&p->has_free, NULL);
    sigset_t pipe_only, before;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    for (unsigned i = 0; i < cfg->jobs; i++) {
        struct start *s = alloc(sizeof *s);
        *s = (struct start){ p, i };
        start_thread(&p->workers[i], work_loop, s);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    start_thread(&p->writer, write_loop, p);
    return p;
}

void *pool_next(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->n_given - p->n_written == p->cfg.n_slots && !p->is_stopped)
        pthread_cond_wait(&p->has_free, &p->lock);
    void *job = p->is_stopped ? NULL : p->cfg.slots[p->n_given % p->cfg.n_slots];
    pthread_mutex_unlock(&p->lock);
    return job;
}

void pool_give(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->n_given++;
    pthread_cond_signal(&p->has_work);
    pthread_mutex_unlock(&p->lock);
}

void pool_wait(struct pool *p, size_t n)
{
    pthread_mutex_lock(&p->lock);
    while (p->n_given - p->n_written > n && !p->is_stopped)
        pthread_cond_wait(&p->has_free, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_closed = true;
    pthread_cond_broadcast(&p->has_work);
    pthread_cond_broadcast(&p->has_done);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->cfg.jobs; i++)
        pthread_join(p->workers[i], NULL);
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->has_done);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->writer, NULL);
    pthread_cond_destroy(&p->has_work);
    pthread_cond_destroy(&p->has_done);
    pthread_cond_destroy(&p->has_free);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p->is_done);
    free(p);
}

unsigned pool_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) < 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}
