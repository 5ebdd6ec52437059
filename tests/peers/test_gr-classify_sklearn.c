// SPDX-License-Identifier: MIT
/*
 * test_gr-classify_sklearn.c — TF-IDF weights and probabilities against
 * tests/peers/classify.ndjson, made by classify.py with scikit-learn
 */
#include "unit/unit.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "logreg.h"
#include "ndjson.h"
#include "tfidf.h"

#define PARITY "tests/peers/classify.ndjson"
#define MAX_TEXTS 64

struct trained {
    struct tfidf tfidf;
    struct logreg logreg;
    struct ngrams *ngrams;
};

static void train(struct trained *t, jv first)
{
    struct tfidf_cfg words = { .words = TFIDF_SKLEARN, .ngram = 3, .max_features = 7000 };
    struct logreg_cfg fit = {
        .c = 50, .is_balanced = true, .max_iterations = 100000, .tolerance = 1e-12
    };
    struct err err;
    struct sv texts[MAX_TEXTS];
    uint8_t labels[MAX_TEXTS];
    struct sparse x[MAX_TEXTS] = { 0 };
    jv list = json_get(first, "texts"), classes = json_get(first, "labels");
    size_t n = json_len(list);
    assert_true(n && n <= MAX_TEXTS);
    for (size_t i = 0; i < n; i++) {
        texts[i] = json_sv(json_at(list, i));
        labels[i] = (uint8_t)json_num(json_at(classes, i));
    }
    t->ngrams = ngrams_new(&words, &err);
    tfidf_fit(&t->tfidf, &words, t->ngrams, texts, n);
    for (size_t i = 0; i < n; i++)
        tfidf_vector(&t->tfidf, t->ngrams, texts[i], &x[i]);
    logreg_train(&t->logreg, &fit, x, labels, n, 4, map_count(t->tfidf.terms));
    for (size_t i = 0; i < n; i++)
        sparse_release(&x[i]);
}

/* Largest difference of the weights of one text; their number must agree too. */
static double weight_error(const struct trained *t, const struct sparse *x, jv weights)
{
    struct sv term;
    jv w;
    size_t n = 0;
    double worst = 0;
    for (size_t i = 0; json_each(weights, &i, &term, &w); n++) {
        size_t column = map_get(t->tfidf.terms, term), k = 0;
        while (k < x->n && x->columns[k] != column)
            k++;
        if (k == x->n)
            fail_msg("\"%.*s\" is missing", SV_ARG(term));
        worst = fmax(worst, fabs(x->weights[k] - json_num(w)));
    }
    assert_int_equal(n, x->n);
    return worst;
}

static void test_parity(void **state)
{
    (void)state;
    static const char *const paths[] = { PARITY };
    struct lines lines;
    struct err err;
    struct sv line;
    struct rec r = { 0 };
    struct trained t = { 0 };
    struct sparse x = { 0 };
    double worst_weight = 0, worst_p = 0, p[4];
    lines_init(&lines, paths, 1);
    assert_int_equal(lines_next(&lines, &line, &err), LINE_OK);
    assert_int_equal(rec_parse(&r, line, &err), 0);
    train(&t, r.v);
    rec_release(&r);
    while (lines_next(&lines, &line, &err) == LINE_OK) {
        assert_int_equal(rec_parse(&r, line, &err), 0);
        tfidf_vector(&t.tfidf, t.ngrams, json_sv(json_get(r.v, "text")), &x);
        worst_weight = fmax(worst_weight, weight_error(&t, &x, json_get(r.v, "weights")));
        logreg_predict(&t.logreg, &x, p);
        for (size_t c = 0; c < 4; c++)
            worst_p = fmax(worst_p, fabs(p[c] - json_num(json_at(json_get(r.v, "p"), c))));
        rec_release(&r);
    }
    print_message("largest error: weights %.2g, probabilities %.2g\n", worst_weight, worst_p);
    assert_true(worst_weight < 1e-12);
    assert_true(worst_p < 1e-5);
    sparse_release(&x);
    tfidf_release(&t.tfidf);
    logreg_release(&t.logreg);
    ngrams_free(t.ngrams);
    lines_release(&lines);
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(test_parity) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
