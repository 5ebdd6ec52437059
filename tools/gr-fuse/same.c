// SPDX-License-Identifier: MIT
/*
 * same.c — passages that say nothing new go (common/same.h)
 */
#include "same.h"

#include "alloc.h"
#include "fuse_impl.h"

/* b goes, a stays and answers for it. */
static void absorb(struct passage *a, struct passage *b)
{
    b->gone = GONE_SAME;
    a->also = alloc_resize(a->also, a->n_also + 1 + b->n_also, sizeof *a->also);
    a->also[a->n_also++] = b->id;
    for (size_t i = 0; i < b->n_also; i++)
        a->also[a->n_also++] = b->also[i];
    if (is_better(b->rank, a->rank))
        a->rank = b->rank;
    if (is_better(b->graph_rank, a->graph_rank))
        a->graph_rank = b->graph_rank;
}

void same_mark(struct fusion *u)
{
    struct same_prints *prints = alloc_zero(u->n_passages, sizeof *prints);
    for (size_t i = 0; i < u->n_passages; i++)
        prints[i] = same_prints_of(buf_view(&u->passages[i].text));
    for (size_t i = 0; i < u->n_passages; i++) {
        struct passage *a = &u->passages[i];
        for (size_t j = i + 1; j < u->n_passages && a->gone == GONE_NOT; j++) {
            struct passage *b = &u->passages[j];
            if (b->gone != GONE_NOT)
                continue;
            if (same_prints_share(&prints[j], &prints[i]) >= SAME_SHARE)
                absorb(a, b);
            else if (same_prints_share(&prints[i], &prints[j]) >= SAME_SHARE)
                absorb(b, a);
        }
    }
    for (size_t i = 0; i < u->n_passages; i++)
        same_prints_release(&prints[i]);
    free(prints);
}
