// SPDX-License-Identifier: MIT
/*
 * bench_gr-vindex_sparse.c — BM25 queries a CPU second, in process, all scored and best first
 *
 *   usage: bench_gr-vindex_sparse INDEX QUESTIONS K     (a line a question; one thread)
 *
 * The terms of the questions are made beforehand. Prints a JSON line for each way, and fails
 * when they differ in a single bit.
 */
#include <time.h>

#include "alloc.h"
#include "file.h"
#include "gri.h"
#include "lists.h"
#include "topk.h"

static void fail(const char *what)
{
    fprintf(stderr, "bench_gr-vindex_sparse: %s\n", what);
    exit(1);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct way {
    const char *name;
    bool is_best;
    double seconds;
    struct topk *found; /* (questions) */
};

/* Size of the postings, and what pairs of varints alone would take. */
static void print_size(const struct sparse *s)
{
    uint64_t n = 0, pairs = 0;
    for (size_t i = 0; i < s->n_terms; i++) {
        struct postings l;
        struct post_walk w;
        struct err err;
        uint32_t next = 0;
        if (sparse_list(s, i, &l, &err) < 0)
            fail(err.msg);
        for (post_walk_start(&w, &l); post_walk_next(&w) == 1; n += w.block.n)
            for (size_t j = 0; j < w.block.n; j++) {
                for (uint32_t gap = w.block.doc[j] + 1 - next; gap; gap >>= 7)
                    pairs++;
                for (uint32_t tf = w.block.tf[j]; tf; tf >>= 7)
                    pairs++;
                next = w.block.doc[j] + 1;
            }
    }
    printf("{\"engine\":\"gr-vindex\",\"postings\":%llu,\"bytes\":%zu,\"as_pairs\":%llu}\n",
           (unsigned long long)n, s->post_size, (unsigned long long)pairs);
}

static void answer(struct way *w, const struct gri *g, const struct list *lists, size_t n,
                   size_t k)
{
    struct sparse_scratch scratch = { 0 };
    struct err err;
    double start = cpu_seconds();
    for (size_t i = 0; i < n; i++) {
        struct bm25 m;
        struct sparse_query q = { &g->sparse, lists[i].terms, lists[i].n_terms, &m,
                                  g->rank,    NULL,           &w->found[i] };
        topk_init(&w->found[i], k);
        bm25_init(&m, q.n_terms);
        if (bm25_add(&m, q.s, q.terms, q.n_terms, &err) < 0 ||
            (w->is_best ? sparse_search_best(&q, &err)
                        : sparse_search_all(&q, &scratch, &err)) < 0)
            fail(err.msg);
        topk_sort(&w->found[i]);
        bm25_release(&m);
    }
    w->seconds = cpu_seconds() - start;
    sparse_scratch_release(&scratch);
}

static void compare(const struct topk *a, const struct topk *b)
{
    if (a->n != b->n)
        fail("the ways differ in number");
    for (size_t i = 0; i < a->n; i++)
        if (a->items[i].ord != b->items[i].ord || a->items[i].score != b->items[i].score)
            fail("the ways differ");
}

static void run(struct vset *x, struct sv questions, size_t k)
{
    struct lists_worker worker;
    struct list *lists = alloc_zero(questions.n + 1, sizeof *lists);
    struct way ways[] = { { .name = "all scored" }, { .name = "best first", .is_best = true } };
    struct map *words = map_new();
    struct sv line;
    struct err err;
    size_t n = 0;
    lists_worker_init(&worker, &x->parts[0], NULL, NULL);
    while (questions.n && sv_cut(&questions, '\n', &line))
        if (list_add_text(&lists[n++], x, &worker, words, line, 1, &err) < 0)
            fail(err.msg);
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        ways[i].found = alloc_zero(n + 1, sizeof *ways[i].found);
        answer(&ways[i], &x->parts[0].gri, lists, n, k);
        printf("{\"engine\":\"gr-vindex, %s\",\"k\":%zu,\"qps\":%.1f}\n", ways[i].name, k,
               (double)n / ways[i].seconds);
    }
    for (size_t i = 0; i < n; i++)
        compare(&ways[0].found[i], &ways[1].found[i]);
    for (size_t w = 0; w < ARRAY_LEN(ways); w++) {
        for (size_t i = 0; i < n; i++)
            topk_release(&ways[w].found[i]);
        free(ways[w].found);
    }
    for (size_t i = 0; i < n; i++)
        list_release(&lists[i]);
    free(lists);
    map_free(words);
    lists_worker_release(&worker);
}

int main(int argc, char **argv)
{
    struct vset x;
    struct mapped m;
    struct err err;
    if (argc != 4)
        fail("usage: bench_gr-vindex_sparse INDEX QUESTIONS K");
    if (vset_open(&x, (const char *const *)&argv[1], 1, "text", 1, &err) < 0 ||
        file_map(&m, argv[2], &err) < 0)
        fail(err.msg);
    if (x.n != 1 || x.parts[0].is_plain)
        fail("an index of one segment is expected");
    print_size(&x.parts[0].gri.sparse);
    run(&x, (struct sv){ m.p, m.n }, strtoul(argv[3], NULL, 10));
    file_unmap(&m);
    vset_close(&x);
    return 0;
}
