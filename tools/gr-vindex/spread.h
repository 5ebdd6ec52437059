// SPDX-License-Identifier: MIT
/*
 * spread.h — lists over several parts, as one list over a single index of their records
 *
 * Dense scores do not depend on the other records; BM25 gets the numbers of all parts, without
 * dead records, before any part is searched. So the best of the parts' lists, put together,
 * are the same items with the same scores, and equal scores come in byte order of ids.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include "lists.h"

/* A place: the part, and the rank of a record's id in it. With one part it is the rank. */
#define SPREAD_BITS 32
static inline const struct vindex *spread_part(const struct vset *set, uint64_t place)
{
    return &set->parts[place >> SPREAD_BITS];
}
static inline size_t spread_rank(uint64_t place)
{
    return (size_t)(place & UINT32_MAX);
}

/* Run all: fills every `best`, ord being a place. workers: (set->n) one for each part. words:
 * all terms of the sparse lists. EXIT_FATAL: an index is damaged. */
int spread_run(struct vset *set, struct lists_worker *workers, struct list **lists, size_t n,
               const struct map *words, struct err *err);

/* Number the records in some lists by their ids and write the numbers over the places: fusing
 * needs ordinals in the order of ids. *places: (numbers) the place of each, to be freed; NULL
 * with one part, where places are such numbers. */
int spread_number(const struct vset *set, struct list *lists, size_t n, uint64_t **places,
                  struct err *err);

#endif
