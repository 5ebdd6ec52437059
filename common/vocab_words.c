// SPDX-License-Identifier: MIT
/*
 * vocab_words.c — short lists of words in the source
 *
 * Rules ask of nearly every word of a text whether it is in one of dozens of lists, and nearly
 * always it is not. A word whose first letter and length no word of the list has is not.
 */
#include "vocab.h"

#include <pthread.h>

bool vocab_word_in(struct sv s, const char *const list[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (vocab_word_is(s, list[i]))
            return true;
    return false;
}

bool vocab_sum_find(const struct vocab_sum *sum, struct sv s, const char *const list[])
{
    for (size_t i = sum->first[s.p[0] & 31]; i; i = sum->next[i - 1])
        if (vocab_word_is(s, list[i - 1]))
            return true;
    return false;
}

void vocab_sum_up(struct vocab_sum *sum, const char *const list[], size_t n)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* taken once a list and thread */
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&sum->is_made, memory_order_relaxed)) {
        for (size_t i = n; i-- > 0;) {
            unsigned letter = list[i][0] & 31;
            sum->lengths[letter] |= vocab_length_bit(strlen(list[i]));
            sum->next[i] = sum->first[letter];
            sum->first[letter] = (unsigned short)(i + 1);
        }
        atomic_store_explicit(&sum->is_made, true, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}
