// SPDX-License-Identifier: MIT
/*
 * budget.c — one count, one lock
 */
#include "budget.h"

void budget_init(struct budget *b, size_t total)
{
    *b = (struct budget){ .total = total };
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->has_room, NULL);
}

void budget_release(struct budget *b)
{
    pthread_cond_destroy(&b->has_room);
    pthread_mutex_destroy(&b->lock);
}

size_t budget_take(struct budget *b, size_t n)
{
    if (n > b->total)
        n = b->total;
    pthread_mutex_lock(&b->lock);
    while (n > b->total - b->taken)
        pthread_cond_wait(&b->has_room, &b->lock);
    b->taken += n;
    pthread_mutex_unlock(&b->lock);
    return n;
}

void budget_give(struct budget *b, size_t n)
{
    pthread_mutex_lock(&b->lock);
    b->taken -= n;
    pthread_cond_broadcast(&b->has_room);
    pthread_mutex_unlock(&b->lock);
}
