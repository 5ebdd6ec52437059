// SPDX-License-Identifier: MIT
/*
 * vocab_list.c — lists of what is named in a text
 */
#include "vocab.h"

#include "alloc.h"

void entities_push(struct entities *list, const struct entity *e)
{
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    list->items[list->n++] = *e;
}

void entities_insert(struct entities *list, const struct entity *e)
{
    size_t at = entities_behind(list, e->start), over = entities_from(list, e->end);
    size_t n = list->n;
    if (over <= at) {
        over = at;
        entities_push(list, e); /* makes room */
    }
    memmove(list->items + at + 1, list->items + over, (n - over) * sizeof *list->items);
    list->n = at + 1 + n - over;
    list->items[at] = *e;
}

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
