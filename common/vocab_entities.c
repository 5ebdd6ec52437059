// SPDX-License-Identifier: MIT
/*
 * vocab_entities.c — lists of names found, in the order of the text
 */
#include "vocab.h"

#include "alloc.h"

size_t entities_behind(const struct entities *list, size_t pos)
{
    size_t lo = 0, hi = list->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (list->items[mid].end <= pos)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t entities_from(const struct entities *list, size_t pos)
{
    size_t lo = 0, hi = list->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (list->items[mid].start < pos)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

void entities_release(struct entities *list)
{
    free(list->items);
    *list = (struct entities){ 0 };
}
