// SPDX-License-Identifier: MIT
/*
 * rank.c — reciprocal rank fusion of passages and facts over the ids of their chunks
 */
#include "fuse_impl.h"

#include "alloc.h"

/* Chunk ids to the passages that hold them. */
struct holders {
    struct map *chunks;
    size_t *passage; /* by ordinal of the chunk */
    size_t cap;
};

static void hold(struct holders *h, struct sv chunk, size_t passage)
{
    bool is_new;
    size_t ord = map_put(h->chunks, chunk, &is_new);
    if (!is_new)
        return;
    if (ord >= h->cap) {
        h->cap = alloc_grow(h->cap, ord + 1);
        h->passage = alloc_resize(h->passage, h->cap, sizeof *h->passage);
    }
    h->passage[ord] = passage;
}

static struct holders holders_of(const struct fusion *u)
{
    struct holders h = { map_new(), NULL, 0 };
    for (size_t i = 0; i < u->n_passages; i++) {
        const struct passage *p = &u->passages[i];
        if (p->gone != GONE_NOT)
            continue;
        for (size_t j = 0; j < p->n_parts; j++)
            hold(&h, p->parts[j].chunk, i);
        for (size_t j = 0; j < p->n_also; j++)
            hold(&h, p->also[j], i);
    }
    return h;
}

static double rrf(const struct fuse_cfg *cfg, size_t vector_rank, size_t graph_rank)
{
    double k = (double)cfg->rrf_k, sum = 0;
    if (vector_rank)
        sum += cfg->weight_vector / (k + (double)vector_rank);
    if (graph_rank)
        sum += cfg->weight_graph / (k + (double)graph_rank);
    return sum;
}

static int by_worth(double fa, double fb, size_t ra, size_t rb)
{
    if (fa < fb || fa > fb)
        return fa > fb ? -1 : 1;
    return is_better(ra, rb) ? -1 : is_better(rb, ra);
}

static int passage_cmp(const void *a, const void *b)
{
    const struct passage *x = a, *y = b;
    return by_worth(x->fused, y->fused, x->rank, y->rank);
}

static int fact_cmp(const void *a, const void *b)
{
    const struct fact *x = a, *y = b;
    return by_worth(x->fused, y->fused, x->rank, y->rank);
}

static void drop_unused(struct fusion *u)
{
    bool no_graph = u->cfg->is_baseline || u->cfg->weight_graph <= 0;
    for (size_t i = 0; i < u->n_passages && u->cfg->weight_vector <= 0; i++)
        if (u->passages[i].gone == GONE_NOT)
            u->passages[i].gone = GONE_UNUSED;
    for (size_t i = 0; i < u->n_facts && no_graph; i++)
        if (u->facts[i].gone == GONE_NOT)
            u->facts[i].gone = GONE_UNUSED;
}

/* Each list's rank, seen from the other, through the chunks of a fact. */
static void cross(struct fusion *u, const struct holders *h, struct fact *f)
{
    for (size_t j = 0; j < f->n_chunks; j++) {
        size_t ord = map_get(h->chunks, f->chunks[j]);
        if (ord == MAP_NONE)
            continue;
        struct passage *p = &u->passages[h->passage[ord]];
        if (is_better(p->rank, f->vector_rank))
            f->vector_rank = p->rank;
        if (is_better(f->rank, p->graph_rank))
            p->graph_rank = f->rank;
    }
}

void rank_fuse(struct fusion *u)
{
    drop_unused(u);
    struct holders h = holders_of(u);
    for (size_t i = 0; i < u->n_facts; i++) {
        struct fact *f = &u->facts[i];
        if (f->gone == GONE_NOT)
            cross(u, &h, f);
        f->fused = f->gone == GONE_NOT ? rrf(u->cfg, f->vector_rank, f->rank) : -1;
    }
    for (size_t i = 0; i < u->n_passages; i++) {
        struct passage *p = &u->passages[i];
        p->fused = p->gone == GONE_NOT ? rrf(u->cfg, p->rank, p->graph_rank) : -1;
    }
    map_free(h.chunks);
    free(h.passage);
    qsort(u->passages, u->n_passages, sizeof *u->passages, passage_cmp);
    qsort(u->facts, u->n_facts, sizeof *u->facts, fact_cmp);
}
