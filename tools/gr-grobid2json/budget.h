// SPDX-License-Identifier: MIT
/*
 * budget.h — bytes that all workers share: who wants more than is left waits for the others
 *
 * A worker holds one share at a time and waits for no other, so nobody waits for ever.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <pthread.h>

#include "gr.h"

struct budget {
    pthread_mutex_t lock;
    pthread_cond_t has_room;
    size_t total, taken; /* bytes */
};

void budget_init(struct budget *b, size_t total);
void budget_release(struct budget *b);

/* Take n bytes, or the whole budget when n is more, as soon as they are free. Returns what was
 * taken, for budget_give. Thread-safe. */
size_t budget_take(struct budget *b, size_t n);
void budget_give(struct budget *b, size_t n);

#endif
