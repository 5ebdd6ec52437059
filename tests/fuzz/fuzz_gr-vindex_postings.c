// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-vindex_postings.c — any bytes as the postings of two terms: refused, or searched
 * without a step outside; and when they pass the check, both ways of searching agree
 *
 * The input: number of documents (2 bytes), where the second list begins (2), lengths made of
 * the next byte, then the bytes of the lists.
 */
#include "alloc.h"
#include "sparse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD 5

static uint32_t count(const struct sparse *s, size_t ordinal)
{
    struct postings l;
    struct post_walk w;
    struct err err;
    uint32_t n = 0;
    if (sparse_list(s, ordinal, &l, &err) < 0)
        return 0;
    for (post_walk_start(&w, &l); post_walk_next(&w) == 1;)
        n += (uint32_t)w.block.n;
    return n;
}

static int search(const struct sparse *s, const uint32_t *rank, bool is_best, struct topk *best)
{
    const struct sparse_term terms[] = { { SV("a"), 1 }, { SV("b"), 0.25 } };
    struct sparse_scratch scratch = { 0 };
    struct bm25 m;
    struct err err;
    struct sparse_query q = { s, terms, ARRAY_LEN(terms), &m, rank, NULL, best };
    topk_init(best, 7);
    bm25_init(&m, ARRAY_LEN(terms));
    int rc = bm25_add(&m, s, terms, ARRAY_LEN(terms), &err);
    if (rc == 0)
        rc = is_best ? sparse_search_best(&q, &err) : sparse_search_all(&q, &scratch, &err);
    topk_sort(best);
    sparse_scratch_release(&scratch);
    bm25_release(&m);
    return rc;
}

static void use(struct sparse *s, const uint32_t *rank)
{
    struct topk all, best;
    bool is_good = sparse_check(s, 0) && sparse_check(s, 1);
    int rc = search(s, rank, false, &all) | search(s, rank, true, &best);
    if (is_good && (rc < 0 || all.n != best.n))
        abort();
    for (size_t i = 0; i < all.n && is_good; i++)
        if (all.items[i].ord != best.items[i].ord || all.items[i].score != best.items[i].score)
            abort();
    topk_release(&all);
    topk_release(&best);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t text_at[] = { 0, 1, 2 };
    if (size < HEAD)
        return 0;
    size_t n_docs = 1 + (data[0] | (size_t)data[1] << 8);
    uint64_t post_at[] = { 0, data[2] | (uint64_t)data[3] << 8, size - HEAD };
    uint32_t df[2], *lens = alloc_array(n_docs, sizeof *lens);
    uint32_t *rank = alloc_array(n_docs, sizeof *rank);
    unsigned char *post =
        alloc_array(size - HEAD + 1, 1); /* of its own, to see steps outside */
    memcpy(post, data + HEAD, size - HEAD);
    struct sparse s = { .n_docs = n_docs,
                        .n_terms = 2,
                        .text = "ab",
                        .text_at = text_at,
                        .text_size = 2,
                        .post = post,
                        .post_at = post_at,
                        .post_size = size - HEAD,
                        .df = df,
                        .lens = lens,
                        .n_with_terms = n_docs };
    for (uint32_t i = 0; i < n_docs; i++) {
        rank[i] = i;
        lens[i] = 1 + i % (1u + data[4]);
        s.total_len += lens[i];
    }
    for (size_t t = 0; t < 2; t++)
        df[t] = count(&s, t);
    use(&s, rank);
    free(post);
    free(rank);
    free(lens);
    return 0;
}
