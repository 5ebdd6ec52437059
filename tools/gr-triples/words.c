// SPDX-License-Identifier: MIT
/*
 * words.c — the bits of a list
 */
#include "words.h"

#include <pthread.h>

#include "vocab.h"

void words_make(struct words *w)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    bool is_ready = atomic_load_explicit(&w->is_ready, memory_order_relaxed);
    for (size_t i = 0; !is_ready && i < w->n; i++) {
        unsigned fold = words_fold(words_key(w->list[i], strlen(w->list[i])));
        w->bits[fold >> 6] |= UINT64_C(1) << (fold & 63);
    }
    atomic_store_explicit(&w->is_ready, true, memory_order_release);
    pthread_mutex_unlock(&lock);
}

bool words_find(const struct words *w, struct sv word)
{
    return vocab_word_in(word, w->list, w->n);
}

bool words_have(struct words *w, struct sv word)
{
    return word.n && words_may_have(w, words_fold(words_key(word.p, word.n))) &&
           words_find(w, word);
}
