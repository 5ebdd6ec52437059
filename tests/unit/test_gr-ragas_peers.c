// SPDX-License-Identifier: MIT
/*
 * test_gr-ragas_peers.c — the scores of sacrebleu, rouge-score, rapidfuzz, ragas and trec_eval
 *
 * tests/peers/ragas.ndjson holds what those programs said (tests/peers/ragas.py); each test
 * prints its largest difference. With GR_SHARED also trec_eval's own runs of whole collections.
 */
#include "unit.h"

#include <math.h>
#include <unistd.h>

#include "alloc.h"
#include "file.h"
#include "metrics.h"
#include "overlap.h"
#include "porter.h"
#include "similar.h"

#define STORED "tests/peers/ragas.ndjson"
#define NEAR 1e-9

static struct buf stored;

/* The next record of a kind; the caller frees it. */
static bool next_of(const char *kind, struct sv *rest, jv *v)
{
    struct sv line;
    struct err err;
    while (rest->n && sv_cut(rest, '\n', &line)) {
        if (!line.n)
            continue;
        assert_int_equal(json_parse(v, line, &err), 0);
        if (sv_is(json_sv(json_get(*v, "kind")), kind))
            return true;
        json_free(*v);
    }
    return false;
}

struct worst {
    double error;
    size_t n;
};

/* Note the difference; complain about one that is too large. */
static void compare(struct worst *w, const char *what, struct sv text, double got, double want)
{
    double error = fabs(got - want);
    w->n++;
    if (!(error <= w->error))
        w->error = error;
    if (!(error <= NEAR)) {
        print_error("%s of \"%.*s\": %.12g, not %.12g\n", what, SV_ARG(text), got, want);
        fail();
    }
}

static void compare_prf(struct worst *w, const char *what, jv v, struct prf got)
{
    struct sv text = json_sv(json_get(v, "response"));
    jv want = json_get(v, what);
    compare(w, what, text, got.precision, json_num(json_at(want, 0)));
    compare(w, what, text, got.recall, json_num(json_at(want, 1)));
    compare(w, what, text, got.f, json_num(json_at(want, 2)));
}

static void test_pairs(void **state)
{
    (void)state;
    struct overlap *o = overlap_new();
    struct similar *s = similar_new();
    struct worst bleu = { 0 }, chrf = { 0 }, rouge = { 0 }, f1 = { 0 }, edits = { 0 };
    jv v;
    for (struct sv rest = buf_view(&stored); next_of("pair", &rest, &v); json_free(v)) {
        struct sv response = json_sv(json_get(v, "response"));
        struct sv reference = json_sv(json_get(v, "reference"));
        struct bleu b = { 0 };
        struct prf l;
        overlap_bleu_add(o, response, reference, &b);
        compare(&bleu, "bleu", response, bleu_score(&b, true), json_num(json_get(v, "bleu")));
        compare(&bleu, "bleu_corpus", response, bleu_score(&b, false),
                json_num(json_get(v, "bleu_corpus")));
        compare(&chrf, "chrf", response, overlap_chrf(o, response, reference),
                json_num(json_get(v, "chrf")));
        compare_prf(&rouge, "rouge1", v, overlap_rouge_n(o, response, reference, 1));
        compare_prf(&rouge, "rouge2", v, overlap_rouge_n(o, response, reference, 2));
        assert_true(overlap_rouge_l(o, response, reference, &l));
        compare_prf(&rouge, "rougeL", v, l);
        compare(&f1, "token_f1", response, overlap_tokens(o, response, reference).f,
                json_num(json_get(v, "token_f1")));
        compare(&edits, "similarity", response, similar_ratio(s, response, reference),
                json_num(json_get(v, "similarity")));
    }
    assert_true(edits.n > 50);
    print_message(
        "# max error over %zu pairs: bleu %.1e, chrf %.1e, rouge %.1e, token_f1 %.1e, "
        "similarity %.1e\n",
        edits.n, bleu.error, chrf.error, rouge.error, f1.error, edits.error);
    overlap_free(o);
    similar_free(s);
}

static void test_corpus(void **state)
{
    (void)state;
    struct overlap *o = overlap_new();
    struct worst w = { 0 };
    struct bleu b = { 0 };
    jv v;
    struct sv rest = buf_view(&stored);
    assert_true(next_of("corpus", &rest, &v));
    jv pairs = json_get(v, "pairs");
    for (size_t i = 0; i < json_len(pairs); i++)
        overlap_bleu_add(o, json_sv(json_at(json_at(pairs, i), 0)),
                         json_sv(json_at(json_at(pairs, i), 1)), &b);
    compare(&w, "corpus bleu", SV("all"), bleu_score(&b, false), json_num(json_get(v, "bleu")));
    print_message("# max error of corpus BLEU over %zu pairs: %.1e\n", json_len(pairs),
                  w.error);
    json_free(v);
    overlap_free(o);
}

static void test_stems(void **state)
{
    (void)state;
    size_t n = 0, wrong = 0;
    jv v;
    struct sv rest = buf_view(&stored);
    assert_true(next_of("stems", &rest, &v));
    jv words = json_get(v, "words");
    for (; n < json_len(words); n++) {
        struct sv word = json_sv(json_at(json_at(words, n), 0));
        struct sv want = json_sv(json_at(json_at(words, n), 1));
        char stem[64];
        assert_true(word.n < sizeof stem);
        memcpy(stem, word.p, word.n);
        struct sv got = { stem, porter_stem(stem, word.n) };
        if (!sv_eq(got, want)) {
            print_error("%.*s: %.*s, not %.*s\n", SV_ARG(word), SV_ARG(got), SV_ARG(want));
            wrong++;
        }
    }
    json_free(v);
    assert_int_equal(wrong, 0);
    print_message("# %zu stems alike\n", n);
}

/* ---- records ---- */

struct setup {
    struct splitter *splitter;
    struct analyzer *analyzer;
    struct scorer *scorer;
};

static void set_up(struct setup *s)
{
    struct err err;
    s->splitter = splitter_new(NULL, &err);
    s->analyzer = analyzer_new(NULL, NULL, &err);
    const struct scorer_cfg cfg = { { s->splitter, s->analyzer, 0.6 }, NULL, NULL };
    s->scorer = scorer_new(&cfg);
}

static void tear_down(struct setup *s)
{
    scorer_free(s->scorer);
    analyzer_free(s->analyzer);
    splitter_free(s->splitter);
}

/* The named metrics of a record, which the text of v holds; compared with want[i]. */
static void score(struct setup *s, struct sv line, const char *names, const double *want,
                  struct worst *w)
{
    struct metric_list list;
    struct sample sample;
    struct rec r = { .file = "test" };
    struct err err;
    assert_int_equal(metric_list_parse(&list, names, &err), 0);
    assert_int_equal(rec_parse(&r, line, &err), 0);
    const struct sample_cfg cfg = { 0 };
    if (sample_read(&sample, &cfg, &r, &err) < 0)
        fail_msg("%s", err.msg);
    scorer_start(s->scorer, &sample);
    for (size_t i = 0; i < list.n; i++) {
        double value = NAN;
        const char *why = scorer_value(s->scorer, &list.items[i], &value);
        if (why)
            print_error("%s: %s\n", list.items[i].name, why);
        compare(w, list.items[i].name, line, value, want[i]);
    }
    sample_release(&sample);
    rec_release(&r);
    metric_list_release(&list);
}

static void test_contexts(void **state)
{
    (void)state;
    struct setup s;
    struct worst w = { 0 };
    static const char *const kinds[] = { "contexts", "ids" };
    static const char *const names[] = {
        "non_llm_context_precision,non_llm_context_recall",
        "id_based_context_precision,id_based_context_recall",
    };
    set_up(&s);
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
        jv v;
        for (struct sv rest = buf_view(&stored); next_of(kinds[k], &rest, &v); json_free(v)) {
            struct buf line = BUF_INIT;
            const double want[] = { json_num(json_get(v, "precision")),
                                    json_num(json_get(v, "recall")) };
            json_put_jv(&line, v);
            score(&s, buf_view(&line), names[k], want, &w);
            buf_release(&line);
        }
    }
    assert_true(w.n >= 100);
    print_message("# max error of ragas' context metrics over %zu values: %.1e\n", w.n,
                  w.error);
    tear_down(&s);
}

#define RANK_NAMES                                                                             \
    "map,mrr,ndcg_5,ndcg_10,recall_5,recall_10,precision_5,precision_10,hit_1,hit_5"
static const char *const trec_names[] = { "map",         "recip_rank", "ndcg_cut_5",
                                          "ndcg_cut_10", "recall_5",   "recall_10",
                                          "P_5",         "P_10",       "success_1",
                                          "success_5" };

static void test_ranks(void **state)
{
    (void)state;
    struct setup s;
    struct worst w = { 0 };
    jv v;
    set_up(&s);
    for (struct sv rest = buf_view(&stored); next_of("rank", &rest, &v); json_free(v)) {
        struct buf line = BUF_INIT;
        double want[ARRAY_LEN(trec_names)];
        for (size_t i = 0; i < ARRAY_LEN(trec_names); i++)
            want[i] = json_num(json_get(json_get(v, "measures"), trec_names[i]));
        json_open(&line, '{');
        json_key(&line, "vector_hits");
        json_put_jv(&line, json_get(v, "run"));
        json_key(&line, "reference_context_ids");
        json_put_jv(&line, json_get(v, "qrel"));
        json_close(&line, '}');
        score(&s, buf_view(&line), RANK_NAMES, want, &w);
        buf_release(&line);
    }
    assert_int_equal(w.n, 60 * ARRAY_LEN(trec_names));
    print_message(
        "# max error of rank metrics, half of them with ties, over %zu values: %.1e\n", w.n,
        w.error);
    tear_down(&s);
}

/* ---- a whole collection ---- */

struct pool {
    struct map *queries;
    struct buf *hits, *relevant; /* by query: members of a JSON array, of an object */
    size_t cap;
};

static size_t pool_query(struct pool *p, struct sv query)
{
    size_t i = map_put(p->queries, query, NULL);
    if (i >= p->cap) {
        p->hits = alloc_resize(p->hits, i + 1, sizeof *p->hits);
        p->relevant = alloc_resize(p->relevant, i + 1, sizeof *p->relevant);
        p->hits[i] = p->relevant[i] = BUF_INIT;
        p->cap = i + 1;
    }
    return i;
}

static size_t columns(struct sv line, struct sv *out, size_t max)
{
    size_t n = 0;
    struct sv one;
    while (n < max && sv_cut(&line, '\t', &one))
        out[n++] = one;
    return n;
}

static void read_collection(struct pool *p, const char *run, const char *qrels)
{
    struct buf text = BUF_INIT;
    struct err err;
    struct sv rest, line, c[4];
    assert_int_equal(file_read(&text, run, 0, &err), 0);
    for (rest = buf_view(&text); sv_cut(&rest, '\n', &line);)
        if (columns(line, c, 4) == 4) {
            size_t q = pool_query(p, c[0]);
            buf_printf(&p->hits[q], "%s{\"id\":\"%.*s\",\"score\":%.*s}",
                       p->hits[q].len ? "," : "", SV_ARG(c[1]), SV_ARG(c[3]));
        }
    buf_reset(&text);
    assert_int_equal(file_read(&text, qrels, 0, &err), 0);
    for (rest = buf_view(&text); sv_cut(&rest, '\n', &line);)
        if (columns(line, c, 3) == 3) {
            size_t q = pool_query(p, c[0]);
            buf_printf(&p->relevant[q], "%s\"%.*s\":%.*s", p->relevant[q].len ? "," : "",
                       SV_ARG(c[1]), SV_ARG(c[2]));
        }
    buf_release(&text);
}

/* Mean over queries with both: trec_eval's. */
static void score_pool(struct pool *p, const char *names, double *means, size_t n_metrics)
{
    struct setup s;
    struct metric_list list;
    struct err err;
    size_t n = 0;
    set_up(&s);
    assert_int_equal(metric_list_parse(&list, names, &err), 0);
    assert_int_equal(list.n, n_metrics);
    for (size_t q = 0; q < p->cap; q++) {
        struct buf line = BUF_INIT;
        struct rec r = { .file = "test" };
        struct sample sample;
        const struct sample_cfg cfg = { 0 };
        double value = 0;
        if (p->hits[q].len && p->relevant[q].len) {
            buf_printf(&line, "{\"vector_hits\":[%s],\"reference_context_ids\":{%s}}",
                       buf_cstr(&p->hits[q]), buf_cstr(&p->relevant[q]));
            assert_int_equal(rec_parse(&r, buf_view(&line), &err), 0);
            assert_int_equal(sample_read(&sample, &cfg, &r, &err), 0);
            scorer_start(s.scorer, &sample);
            for (size_t i = 0; i < list.n; i++)
                if (!scorer_value(s.scorer, &list.items[i], &value))
                    means[i] += value;
            n++;
            sample_release(&sample);
            rec_release(&r);
        }
        buf_release(&line);
        buf_release(&p->hits[q]);
        buf_release(&p->relevant[q]);
    }
    for (size_t i = 0; i < n_metrics; i++)
        means[i] /= (double)n;
    free(p->hits);
    free(p->relevant);
    map_free(p->queries);
    metric_list_release(&list);
    tear_down(&s);
}

static void test_collection(void **state)
{
    (void)state;
    const char *shared = getenv("GR_SHARED");
    struct buf run = BUF_INIT, qrels = BUF_INIT, said = BUF_INIT, text = BUF_INIT;
    struct err err;
    buf_printf(&run, "%s/data/ir/cranfield/bm25.run.tsv", shared ? shared : "../shared");
    buf_printf(&qrels, "%s/data/ir/cranfield/qrels.tsv", shared ? shared : "../shared");
    buf_printf(&said, "%s/data/ir/cranfield/bm25.metrics.json", shared ? shared : "../shared");
    if (access(buf_cstr(&run), R_OK) != 0) {
        print_message("# no %s: set GR_SHARED\n", buf_cstr(&run));
        buf_release(&run);
        buf_release(&qrels);
        buf_release(&said);
        skip();
    }
    struct pool p = { .queries = map_new() };
    double means[3] = { 0, 0, 0 }, largest = 0;
    jv v;
    read_collection(&p, buf_cstr(&run), buf_cstr(&qrels));
    score_pool(&p, "map,mrr,ndcg_10", means, 3);
    assert_int_equal(file_read(&text, buf_cstr(&said), 0, &err), 0);
    assert_int_equal(json_parse(&v, buf_view(&text), &err), 0);
    jv mean = json_get(v, "mean");
    static const char *const names[] = { "map", "recip_rank", "ndcg_cut_10" };
    for (size_t i = 0; i < 3; i++)
        if (json_is_num(json_get(mean, names[i])))
            largest = fmax(largest, fabs(means[i] - json_num(json_get(mean, names[i]))));
    print_message("# max error against trec_eval's means of a collection: %.1e (map %.6f)\n",
                  largest, means[0]);
    assert_true(largest < 1e-4);
    json_free(v);
    buf_release(&text);
    buf_release(&run);
    buf_release(&qrels);
    buf_release(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs), cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_stems), cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_ranks), cmocka_unit_test(test_collection),
    };
    struct err err;
    if (file_read(&stored, STORED, 0, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    buf_release(&stored);
    return rc;
}
