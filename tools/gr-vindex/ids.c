// SPDX-License-Identifier: MIT
/*
 * ids.c — sorting ids
 */
#include "ids.h"

#include "alloc.h"

struct named {
    struct sv id;
    uint32_t doc;
};

static int by_id(const void *a, const void *b)
{
    return sv_cmp(((const struct named *)a)->id, ((const struct named *)b)->id);
}

void ids_order(const struct map *ids, uint32_t *sorted, uint32_t *rank)
{
    size_t n = map_count(ids);
    struct named *names = alloc_array(n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = (struct named){ map_key(ids, i), (uint32_t)i };
    if (n)
        qsort(names, n, sizeof *names, by_id);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = names[i].doc;
        rank[names[i].doc] = (uint32_t)i;
    }
    free(names);
}
