// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_bm25.c — scores of sparse search against tests/peers/bm25.ndjson, made by
 * bm25.py
 */
#include "unit/unit.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "lists.h"
#include "ndjson.h"
#include "sparse.h"

#define PARITY "tests/peers/bm25.ndjson"

static void texts_of(void *ctx, size_t doc, struct buf *out)
{
    buf_sv(out, json_sv(json_at(*(jv *)ctx, doc)));
    buf_char(out, '\0');
}

/* Terms of a query with their counts as weights; texts live in `words`. */
static size_t query_terms(const struct analyzer *a, struct sv text, struct map *words,
                          struct sparse_term *terms)
{
    struct terms *t = terms_new(a);
    struct term one;
    size_t n = 0;
    terms_start(t, text);
    while (terms_next(t, &one)) {
        size_t i = map_put(words, one.text, NULL);
        if (i == n)
            terms[n++] = (struct sparse_term){ map_key(words, i), 0 };
        terms[i].weight += 1;
    }
    terms_free(t);
    return n;
}

/* Largest difference between the stored scores of one query and ours. */
static double compare(const struct sparse *s, const struct analyzer *a, const uint32_t *rank,
                      jv query)
{
    struct sparse_term *terms = alloc_array(1000, sizeof *terms);
    struct map *words = map_new();
    struct sparse_scratch scratch = { 0 };
    struct topk best;
    struct err err;
    double *got = alloc_zero(s->n_docs, sizeof *got), worst = 0;
    jv want = json_get(query, "scores");
    topk_init(&best, s->n_docs);
    size_t n = query_terms(a, json_sv(json_get(query, "query")), words, terms);
    assert_int_equal(sparse_search(s, terms, n, NULL, rank, NULL, &scratch, &best, &err), 0);
    for (size_t i = 0; i < best.n; i++)
        got[best.items[i].ord] = best.items[i].score;
    for (size_t doc = 0; doc < s->n_docs; doc++)
        worst = fmax(worst, fabs(got[doc] - json_num(json_at(want, doc))));
    free(got);
    free(terms);
    map_free(words);
    topk_release(&best);
    sparse_scratch_release(&scratch);
    return worst;
}

static void test_parity(void **state)
{
    (void)state;
    const char *const paths[] = { PARITY };
    const struct analyzer_options plain = { .no_stem = true, .no_stop = true, .no_chem = true };
    struct lines in;
    struct sv line;
    struct err err;
    struct rec docs, query;
    struct sparse_owned index;
    double worst = 0;
    unsigned n = 0;
    lines_init(&in, paths, 1);
    assert_int_equal(lines_next(&in, &line, &err), LINE_OK);
    assert_int_equal(rec_parse(&docs, line, &err), 0);
    jv texts = json_get(docs.v, "docs");
    struct analyzer *a = analyzer_new(NULL, &plain, &err);
    struct sparse_build b = {
        .n_docs = json_len(texts), .analyzer = a, .texts = texts_of, .ctx = &texts, .jobs = 1
    };
    sparse_build(&index, &b);
    uint32_t *rank = alloc_array(b.n_docs, sizeof *rank);
    for (uint32_t i = 0; i < b.n_docs; i++)
        rank[i] = i;
    for (; lines_next(&in, &line, &err) == LINE_OK; n++) {
        assert_int_equal(rec_parse(&query, line, &err), 0);
        worst = fmax(worst, compare(&index.view, a, rank, query.v));
        rec_release(&query);
    }
    printf("# %u queries, %zu texts, largest difference %.3g\n", n, b.n_docs, worst);
    assert_true(n > 40);
    assert_true(worst < 1e-6);
    free(rank);
    rec_release(&docs);
    lines_release(&in);
    sparse_owned_release(&index);
    analyzer_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
