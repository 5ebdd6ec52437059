// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_sparse.c — laws of postings and of sparse search on random collections
 *
 * What is written is read back, from blocks and from short lists; the best by windows are, to
 * the last bit, those of scoring all, with ties, documents left out and any constants; parts of
 * a collection with its summed numbers score as the whole does. GR_SEED=N: another series.
 */
#include "unit/unit.h"

#include <math.h>

#include "alloc.h"
#include "rng.h"
#include "sparse.h"

#define ROUNDS (UNIT_IS_SLOW ? 6 : 40)
#define N_WORDS 60

/* A number of 1 … most, small ones far more often. */
static uint32_t skewed(struct rng *r, uint64_t most)
{
    return (uint32_t)rng_below(r, 1 + rng_below(r, 1 + rng_below(r, most))) + 1;
}

/* ---- postings ---- */

static void check_list(struct rng *r)
{
    size_t n_docs = 1 + rng_below(r, 30000), n = 0;
    uint32_t *doc = alloc_array(n_docs, sizeof *doc), *tf = alloc_array(n_docs, sizeof *tf);
    uint32_t *lens = alloc_array(n_docs, sizeof *lens);
    uint64_t gap = 1 + rng_below(r, 40), most_tf = rng_below(r, 2) ? 3 : 1u << rng_below(r, 32);
    for (size_t i = 0; i < n_docs; i++)
        lens[i] = skewed(r, rng_below(r, 2) ? 300 : 200000);
    for (size_t at = 0; (at += rng_below(r, 20) ? skewed(r, gap) : skewed(r, 900)) <= n_docs;
         n++) {
        doc[n] = (uint32_t)(at - 1);
        tf[n] = skewed(r, most_tf);
    }
    struct buf b = BUF_INIT;
    postings_put(&b, doc, tf, n, lens, 20);
    uint64_t text_at[] = { 0, 1 }, post_at[] = { 0, b.len };
    uint32_t df = (uint32_t)n;
    struct sparse s = { .n_docs = n_docs,
                        .n_terms = 1,
                        .text = "t",
                        .text_at = text_at,
                        .text_size = 1,
                        .post = (const unsigned char *)buf_cstr(&b),
                        .post_at = post_at,
                        .post_size = b.len,
                        .df = &df,
                        .lens = lens };
    struct postings l;
    struct post_walk w;
    struct err err;
    size_t at = 0;
    int rc;
    assert_int_equal(sparse_list(&s, 0, &l, &err), 0);
    assert_true((l.heads != NULL) == (n >= POST_BLOCKED));
    for (post_walk_start(&w, &l); (rc = post_walk_next(&w)) == 1; at += w.block.n) {
        assert_true(at + w.block.n <= n);
        assert_memory_equal(doc + at, w.block.doc, w.block.n * sizeof *doc);
        assert_memory_equal(tf + at, w.block.tf, w.block.n * sizeof *tf);
    }
    assert_int_equal(rc, 0);
    assert_int_equal(at, n);
    assert_true(sparse_check(&s, 0) == (n > 0));
    buf_release(&b);
    free(doc);
    free(tf);
    free(lens);
}

static void test_lists(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 4 * ROUNDS; round++) {
        struct rng r = { unit_seed() + round };
        check_list(&r);
    }
}

/* ---- collections ---- */

struct collection {
    size_t n;
    size_t from; /* of the part that is built */
    struct buf *texts;
};

static void texts_of(void *ctx, size_t doc, struct buf *out)
{
    const struct collection *c = ctx;
    buf_sv(out, buf_view(&c->texts[c->from + doc]));
    buf_char(out, '\0');
}

/* Words of one topic for some 30 documents in a row, as chunks of a paper have; documents that
 * are equal, and empty ones. */
static void make(struct collection *c, struct rng *r)
{
    c->n = 1 + rng_below(r, rng_below(r, 3) ? 18000 : 600);
    c->texts = alloc_zero(c->n, sizeof *c->texts);
    uint64_t topic = 0, most_len = 1 + rng_below(r, 12);
    for (size_t i = 0; i < c->n; i++) {
        if (rng_below(r, 30) == 0)
            topic = rng_below(r, N_WORDS);
        if (i && rng_below(r, 5) == 0) {
            buf_sv(&c->texts[i], buf_view(&c->texts[rng_below(r, i)]));
            continue;
        }
        for (uint64_t j = rng_below(r, most_len + 1); j > 0; j--) {
            uint64_t word = rng_below(r, 3) ? skewed(r, N_WORDS) : topic;
            for (uint32_t t = rng_below(r, 4) ? 1 : skewed(r, 300); t > 0; t--)
                buf_printf(&c->texts[i], "w%u ", (unsigned)word);
        }
    }
}

static void build(struct sparse_owned *out, struct collection *c, size_t from, size_t n,
                  const struct analyzer *a)
{
    c->from = from;
    struct sparse_build b = { .n_docs = n,
                              .analyzer = a,
                              .texts = texts_of,
                              .ctx = c,
                              .jobs = (unsigned)(1 + from % 3) };
    sparse_build(out, &b);
    for (size_t i = 0; i < out->view.n_terms; i++)
        assert_true(sparse_check(&out->view, i));
}

static void release(struct collection *c)
{
    for (size_t i = 0; i < c->n; i++)
        buf_release(&c->texts[i]);
    free(c->texts);
}

static uint32_t *random_order(struct rng *r, size_t n)
{
    uint32_t *rank = alloc_array(n + 1, sizeof *rank);
    for (uint32_t i = 0; i < n; i++) {
        size_t j = rng_below(r, i + 1u);
        rank[i] = rank[j];
        rank[j] = i;
    }
    return rank;
}

struct asked {
    struct sparse_term terms[8];
    char text[8][8];
    size_t n;
};

static void ask(struct asked *q, struct rng *r)
{
    static const double weights[] = { 1, 1, 1, 0.5, 2, 1e-9, 1e9, 1e-30 };
    uint64_t first = rng_below(r, N_WORDS), kinds = rng_below(r, 2) ? 1 : ARRAY_LEN(weights);
    q->n = 1 + rng_below(r, ARRAY_LEN(q->terms));
    for (size_t i = 0; i < q->n; i++) {
        uint64_t word = (first + i * i) % (N_WORDS + 5);
        int n = snprintf(q->text[i], sizeof q->text[i], "w%u", (unsigned)word);
        q->terms[i] =
            (struct sparse_term){ { q->text[i], (size_t)n }, weights[rng_below(r, kinds)] };
    }
}

static void assert_same(struct topk *a, struct topk *b)
{
    topk_sort(a);
    topk_sort(b);
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->items[i].ord, b->items[i].ord);
        assert_true(a->items[i].score == b->items[i].score);
    }
    topk_release(a);
    topk_release(b);
}

/* ---- the two ways ---- */

static void check_ways(const struct sparse *s, struct rng *r, struct sparse_scratch *scratch)
{
    static const size_t depths[] = { 1, 3, 10, 100, 100000, 0 };
    struct asked asked;
    struct bm25 m;
    struct topk all, best;
    struct err err;
    ask(&asked, r);
    bm25_init(&m, asked.n);
    assert_int_equal(bm25_add(&m, s, asked.terms, asked.n, &err), 0);
    if (rng_below(r, 2)) { /* the index is part of a larger collection, and other constants */
        m.n_docs += rng_below(r, 100000);
        m.total_len += rng_below(r, 1000000);
        m.k1 = rng_below(r, 4) ? rng_unit(r) * 3 : 0;
        m.b = rng_below(r, 4) ? rng_unit(r) : (double)rng_below(r, 2);
    }
    uint32_t *rank = random_order(r, s->n_docs);
    unsigned char *skip = alloc_zero(s->n_docs + 1, 1);
    uint64_t left_out = rng_below(r, 5);
    for (size_t i = 0; i < s->n_docs; i++)
        skip[i] = rng_below(r, 5) < left_out;
    size_t k = depths[rng_below(r, ARRAY_LEN(depths))];
    topk_init(&all, k);
    topk_init(&best, k);
    struct sparse_query q = { s,   asked.terms, asked.n,
                              &m,  rank,        rng_below(r, 2) ? skip : NULL,
                              &all };
    assert_int_equal(sparse_search_all(&q, scratch, &err), 0);
    q.best = &best;
    assert_int_equal(sparse_search_best(&q, &err), 0);
    assert_same(&all, &best);
    free(skip);
    free(rank);
    bm25_release(&m);
}

/* What sparse.h says, from the texts. */
static double plain_score(const struct collection *c, size_t doc, const struct bm25 *m,
                          const struct asked *q)
{
    double sum = 0, len = 0;
    struct sv rest = buf_view(&c->texts[doc]), word;
    while (rest.n && sv_cut(&rest, ' ', &word))
        len++;
    for (size_t i = 0; i < q->n; i++) {
        double tf = 0, df = (double)m->df[i], n = (double)m->n_docs;
        rest = buf_view(&c->texts[doc]);
        while (rest.n && sv_cut(&rest, ' ', &word))
            tf += sv_eq(word, q->terms[i].text);
        sum += q->terms[i].weight * log(1 + (n - df + 0.5) / (df + 0.5)) * tf /
               (tf + m->k1 * (1 - m->b + m->b * len / ((double)m->total_len / n)));
    }
    return sum;
}

static void check_formula(struct collection *c, const struct sparse *s, struct rng *r,
                          struct sparse_scratch *scratch)
{
    struct asked asked;
    struct bm25 m;
    struct topk best;
    struct err err;
    ask(&asked, r);
    bm25_init(&m, asked.n);
    bm25_add(&m, s, asked.terms, asked.n, &err);
    uint32_t *rank = random_order(r, s->n_docs);
    uint32_t *doc_of = alloc_array(s->n_docs + 1, sizeof *doc_of);
    for (uint32_t i = 0; i < s->n_docs; i++)
        doc_of[rank[i]] = i;
    topk_init(&best, 50);
    assert_int_equal(
        sparse_search(s, asked.terms, asked.n, NULL, rank, NULL, scratch, &best, &err), 0);
    topk_sort(&best);
    double most = 0; /* that a score may be: it is rounded relative to that */
    for (size_t i = 0; i < asked.n; i++)
        most += m.df[i] ? asked.terms[i].weight * log(1 + 2.0 * (double)m.n_docs) : 0;
    for (size_t i = 0; i < best.n; i++) {
        double want = plain_score(c, doc_of[best.items[i].ord], &m, &asked);
        assert_true(fabs(best.items[i].score - want) <= 1e-14 * most);
    }
    topk_release(&best);
    free(rank);
    free(doc_of);
    bm25_release(&m);
}

/* ---- parts ---- */

static void check_parts(struct collection *c, const struct sparse *whole,
                        const struct analyzer *a, struct rng *r, struct sparse_scratch *scratch)
{
    size_t cut = rng_below(r, c->n + 1);
    struct sparse_owned part[2];
    struct asked asked;
    struct bm25 m;
    struct topk want, got;
    struct err err;
    build(&part[0], c, 0, cut, a);
    build(&part[1], c, cut, c->n - cut, a);
    ask(&asked, r);
    bm25_init(&m, asked.n);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(bm25_add(&m, &part[i].view, asked.terms, asked.n, &err), 0);
    topk_init(&want, 20);
    topk_init(&got, 20);
    uint32_t *rank = alloc_array(c->n + 1, sizeof *rank);
    for (uint32_t i = 0; i < c->n; i++)
        rank[i] = i;
    assert_int_equal(
        sparse_search(whole, asked.terms, asked.n, NULL, rank, NULL, scratch, &want, &err), 0);
    for (size_t i = 0; i < 2; i++) {
        struct topk of_part;
        topk_init(&of_part, 20);
        assert_int_equal(sparse_search(&part[i].view, asked.terms, asked.n, &m, rank, NULL,
                                       scratch, &of_part, &err),
                         0);
        for (size_t j = 0; j < of_part.n; j++)
            topk_push(&got, of_part.items[j].score, of_part.items[j].ord + (i ? cut : 0));
        topk_release(&of_part);
        sparse_owned_release(&part[i]);
    }
    assert_same(&want, &got);
    free(rank);
    bm25_release(&m);
}

static void test_search(void **state)
{
    (void)state;
    const struct analyzer_options plain = { .no_stem = true, .no_stop = true, .no_chem = true };
    struct err err;
    struct analyzer *a = analyzer_new(NULL, &plain, &err);
    struct sparse_scratch scratch = { 0 };
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng r = { unit_seed() + round };
        struct collection c;
        struct sparse_owned index;
        make(&c, &r);
        build(&index, &c, 0, c.n, a);
        for (unsigned i = 0; i < 20; i++)
            check_ways(&index.view, &r, &scratch);
        for (unsigned i = 0; i < 3; i++)
            check_formula(&c, &index.view, &r, &scratch);
        check_parts(&c, &index.view, a, &r, &scratch);
        sparse_owned_release(&index);
        release(&c);
    }
    sparse_scratch_release(&scratch);
    analyzer_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
