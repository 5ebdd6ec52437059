// SPDX-License-Identifier: MIT
/*
 * words.c — the bits of a list, and lists made from files
 */
#include "words.h"

#include <pthread.h>

#include "alloc.h"
#include "vocab.h"

void words_make(struct words *w)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    bool is_ready = atomic_load_explicit(&w->is_ready, memory_order_relaxed);
    for (size_t i = 0; !is_ready && i < w->n; i++)
        words_note(&w->bits, words_fold(words_key(w->list[i], strlen(w->list[i]))));
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

struct words *words_new(void)
{
    return alloc_zero(1, sizeof(struct words));
}

void words_add(struct words *w, struct sv word)
{
    const char **list = (const char **)(uintptr_t)w->list;
    char *copy = alloc_array(word.n + 1, 1);
    memcpy(copy, word.p, word.n);
    copy[word.n] = '\0';
    list = alloc_resize(list, w->n + 1, sizeof *list);
    list[w->n++] = copy;
    w->list = list;
}

void words_free(struct words *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->n; i++)
        free((char *)(uintptr_t)w->list[i]);
    free((void *)(uintptr_t)w->list);
    free(w);
}
