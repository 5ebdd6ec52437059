// SPDX-License-Identifier: MIT
/*
 * test_gr-ragas_stats.c — means, intervals, tests against what is known; results and charts
 */
#include "unit.h"

#include <math.h>

#include "alloc.h"
#include "chart.h"
#include "report.h"
#include "rng.h"
#include "similar.h"

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

static void test_mean(void **state)
{
    (void)state;
    struct interval m = stats_mean(NULL, 0, 100, 1);
    assert_true(isnan(m.mean) && isnan(m.low) && isnan(m.high));
    double one = 0.25, same[] = { 2, 2, 2 };
    m = stats_mean(&one, 1, 100, 1);
    assert_true(near(m.mean, 0.25, 0) && isnan(m.low));
    m = stats_mean(same, 3, 100, 1);
    assert_true(near(m.low, 2, 0) && near(m.high, 2, 0));
    m = stats_mean(same, 3, 0, 1);
    assert_true(near(m.mean, 2, 0) && isnan(m.high));
    /* 400 coin tosses: the interval is the mean ± 1.96 · 0.5 / 20 */
    double toss[400];
    for (size_t i = 0; i < 400; i++)
        toss[i] = i % 2 ? 1 : 0;
    m = stats_mean(toss, 400, 10000, 7);
    assert_true(near(m.low, 0.451, 0.004) && near(m.high, 0.549, 0.004));
    struct interval again = stats_mean(toss, 400, 10000, 7),
                    other = stats_mean(toss, 400, 10000, 8);
    assert_true(near(m.low, again.low, 0) && near(m.high, again.high, 0));
    assert_true(near(m.low, other.low, 0.004));
}

/* 95 of 100 intervals hold the true mean, or nearly so: the percentile bootstrap is a little
 * short for few values. */
static void test_coverage(void **state)
{
    (void)state;
    struct rng rng = { 3 };
    int held = 0;
    for (int round = 0; round < 400; round++) {
        double x[40];
        for (size_t i = 0; i < 40; i++)
            x[i] = rng_unit(&rng) * rng_unit(&rng); /* mean 1/4, skewed */
        struct interval m = stats_mean(x, 40, 1000, (uint64_t)round);
        held += m.low <= 0.25 && 0.25 <= m.high;
    }
    print_message("# 95 %% intervals that hold the mean: %.1f %% of 400\n", held / 4.0);
    assert_in_range(held, 360, 395);
}

static void test_sign_flip(void **state)
{
    (void)state;
    double all_up[] = { 1, 2, 3, 4, 5 }, none[] = { 0, 0, 0 }, mixed[] = { 1, -1, 1, -1 };
    assert_true(isnan(stats_sign_flip(NULL, 0, 1000, 1)));
    assert_true(near(stats_sign_flip(all_up, 5, 1000, 1), 2.0 / 32, 1e-15)); /* exact */
    assert_true(near(stats_sign_flip(none, 3, 1000, 1), 1, 0));
    assert_true(near(stats_sign_flip(mixed, 4, 1000, 1), 1, 0));
    /* exact and random agree; random never says 0 */
    double d[12] = { .3, -.1, .4, .2, -.2, .5, .1, -.05, .15, .25, -.3, .35 };
    double exact = stats_sign_flip(d, 12, 4096, 1), drawn = stats_sign_flip(d, 12, 4095, 1);
    assert_true(near(exact, drawn, 0.02) && drawn > 0);
    double large[200];
    for (size_t i = 0; i < 200; i++)
        large[i] = 1;
    assert_true(near(stats_sign_flip(large, 200, 999, 1), 0.001, 1e-12));
    /* under the null the p-values are even: no more than 5 % below 0.05, roughly */
    struct rng rng = { 5 };
    int low = 0;
    for (int round = 0; round < 400; round++) {
        double x[30];
        for (size_t i = 0; i < 30; i++)
            x[i] = rng_unit(&rng) - 0.5;
        low += stats_sign_flip(x, 30, 1000, (uint64_t)round) < 0.05;
    }
    print_message("# p < 0.05 without a difference: %.1f %% of 400\n", low / 4.0);
    assert_in_range(low, 6, 36);
}

static void test_holm(void **state)
{
    (void)state;
    double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 }, want[] = { 0.03, NAN, 0.06, 0.06, 0.02 };
    stats_holm(p, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(isnan(want[i]) ? isnan(p[i]) : near(p[i], want[i], 1e-12));
    double big[] = { 0.9, 0.8 };
    stats_holm(big, 2);
    assert_true(near(big[0], 1, 0) && near(big[1], 1, 0));
    stats_holm(NULL, 0);
}

/* ---- similarity against the plain table ---- */

static size_t plain_distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t row[128];
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t before = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t left = row[j - 1] + 1, up = row[j] + 1,
                   both = before + (a[i - 1] != b[j - 1]);
            before = row[j];
            row[j] = left < up ? left : up;
            row[j] = both < row[j] ? both : row[j];
        }
    }
    return row[m];
}

static void test_similar(void **state)
{
    (void)state;
    struct similar *s = similar_new();
    struct rng rng = { 17 };
    print_message("# seed 17\n");
    for (int round = 0; round < 3000; round++) {
        char a[120], b[120];
        size_t n = rng_below(&rng, 120), m = rng_below(&rng, 120);
        for (size_t i = 0; i < n; i++)
            a[i] = (char)('a' + rng_below(&rng, 3));
        for (size_t i = 0; i < m; i++)
            b[i] = (char)('a' + rng_below(&rng, 3));
        size_t longest = n > m ? n : m;
        double want = longest ? 1 - (double)plain_distance(a, n, b, m) / (double)longest : 1;
        struct sv x = { a, n }, y = { b, m };
        assert_true(near(similar_ratio(s, x, y), want, 1e-12));
        assert_true(near(similar_ratio(s, y, x), want, 1e-12));
    }
    assert_true(near(similar_ratio(s, SV("δ¹⁸O"), SV("d18O")), 0.25, 1e-12));
    char *huge = alloc((size_t)1 << 20), *other = alloc((size_t)1 << 20);
    memset(huge, 'x', (size_t)1 << 20);
    memset(other, 'y', (size_t)1 << 20);
    struct sv x = { huge, (size_t)1 << 20 }, y = { other, (size_t)1 << 20 };
    assert_true(similar_ratio(s, x, y) < 0); /* too dear: said, not tried */
    free(huge);
    free(other);
    similar_free(s);
}

/* ---- results ---- */

static void add(struct results *r, const char *file, const char *line, const char *refused)
{
    struct rec rec = { .file = file };
    struct err err = { 0 };
    assert_int_equal(rec_parse(&rec, sv_from(line), &err), 0);
    int rc = results_add(r, &rec, &err);
    if (refused ? rc == 0 || !strstr(err.msg, refused) : rc < 0)
        fail_msg("%s: %d %s", line, rc, err.msg);
    rec_release(&rec);
}

static void test_results(void **state)
{
    (void)state;
    static const char *const paths[] = { "x/a.ndjson", "b.jsonl" };
    struct results r;
    struct err err;
    assert_int_equal(results_init(&r, paths, 2, NULL, true, &err), 0);
    assert_string_equal(r.systems[0].name, "a");
    assert_string_equal(r.systems[1].name, "b");
    add(&r, paths[0], "{\"id\":\"1\",\"class\":\"k\",\"scores\":{\"mine\":1,\"bleu\":0.5}}",
        NULL);
    add(&r, paths[0], "{\"id\":\"2\",\"scores\":{\"bleu\":null}}", NULL);
    add(&r, paths[1], "{\"id\":\"1\",\"scores\":{\"bleu\":0.25}}", NULL);
    add(&r, paths[0], "{\"id\":\"1\",\"scores\":{}}", "twice");
    add(&r, paths[0], "{\"id\":\"3\"}", "scores");
    add(&r, paths[0], "{\"id\":\"3\",\"scores\":{\"bleu\":\"x\"}}", "expected number or null");
    add(&r, paths[0], "{\"scores\":{\"bleu\":1}}", "field \"id\"");
    add(&r, paths[0], "{\"id\":\"3\",\"scores\":{\"\":1}}", "name");
    add(&r, "c", "{\"id\":\"3\",\"scores\":{}}", "not one of the files");
    assert_int_equal(results_finish(&r, NULL, &err), 0);
    assert_int_equal(r.n_metrics, 2);
    assert_sv(results_metric(&r, 0), "bleu"); /* known ones first */
    assert_int_equal(results_cell(&r, 0, 0, 1)->state, CELL_FAILED);
    assert_int_equal(results_cell(&r, 1, 0, 1)->state, CELL_NONE);
    struct comparison c;
    struct comparison_cfg cfg = { .resamples = 100, .seed = 1, .by_class = true };
    comparison_init(&c, &cfg, &r);
    assert_int_equal(c.n, 4); /* two metrics, all and class k */
    assert_int_equal(c.rows[0].systems[0].n, 1);
    assert_int_equal(c.rows[0].systems[0].n_failed, 1);
    assert_int_equal(c.rows[0].differences[1].n_pairs, 1);
    assert_true(near(c.rows[0].differences[1].mean.mean, 0.25, 1e-12));
    comparison_release(&c);
    cfg.all_queries = true; /* record 2 counts 0 in b, but its null stays one in a */
    comparison_init(&c, &cfg, &r);
    assert_int_equal(c.rows[0].systems[1].n, 2);
    assert_int_equal(c.rows[0].systems[0].n_failed, 1);
    comparison_release(&c);
    results_release(&r);
}

static void test_usage(void **state)
{
    (void)state;
    static const char *const same[] = { "a", "a" }, *const alike[] = { "x/a.json", "y/a.json" };
    struct results r;
    struct err err;
    assert_int_equal(results_init(&r, same, 2, NULL, false, &err), -1);
    assert_non_null(strstr(err.msg, "twice"));
    results_release(&r);
    assert_int_equal(results_init(&r, alike, 2, "only", false, &err), -1);
    results_release(&r);
    assert_int_equal(results_init(&r, alike, 2, "\xff,b", false, &err), -1);
    results_release(&r);
    assert_int_equal(results_init(&r, alike, 2, NULL, false, &err), 0);
    assert_string_not_equal(r.systems[0].name, r.systems[1].name);
    results_release(&r);
    assert_int_equal(results_init(&r, NULL, 0, NULL, false, &err), 0);
    assert_string_equal(r.systems[0].name, "stdin");
    add(&r, "<stdin>", "{\"id\":\"1\",\"scores\":{\"bleu\":1}}", NULL);
    assert_int_equal(results_finish(&r, "blue", &err), -1);
    results_release(&r);
}

/* ---- what hostile text can do to a picture or a page ---- */

#define EVIL "</text><script>alert(1)</script>\\\"`touch x`'&@m\\u001b[31m\\u202e"

static void test_hostile(void **state)
{
    (void)state;
    static const char *const paths[] = { "a" };
    struct results r;
    struct err err;
    struct buf out = BUF_INIT;
    assert_int_equal(results_init(&r, paths, 1, "</title><b>`id`\"@x\x1b,", true, &err), -1);
    results_release(&r);
    assert_int_equal(results_init(&r, paths, 1, "</title><b>`id`\"@x\x1b", true, &err), 0);
    add(&r, "a",
        "{\"id\":\"" EVIL "\",\"class\":\"" EVIL "\",\"user_input\":\"" EVIL
        "\",\"response\":\"" EVIL "\",\"reference\":\"" EVIL
        "\",\"scores\":{\"m`id`\\\"<i>\":0.5}}",
        NULL);
    assert_int_equal(results_finish(&r, NULL, &err), 0);
    struct comparison c;
    const struct comparison_cfg cfg = { .by_class = true };
    const struct report_cfg report = { "<script>", 5, NULL };
    comparison_init(&c, &cfg, &r);
    assert_int_equal(report_write(&out, &report, &c, &cfg, &err), 0);
    assert_null(strstr(buf_cstr(&out), "<script"));
    assert_null(strstr(buf_cstr(&out), "<b>`"));
    assert_null(strchr(buf_cstr(&out), 0x1b));
    assert_null(strstr(buf_cstr(&out), "\xE2\x80\xAE"));
    assert_non_null(strstr(buf_cstr(&out), "&lt;script&gt;alert(1)"));
    buf_reset(&out);
    chart_gnuplot(&out, &c, CHART_SVG);
    assert_null(strpbrk(buf_cstr(&out), "`@\x1b\\&"));
    buf_reset(&out);
    chart_text(&out, &c);
    assert_null(strchr(buf_cstr(&out), 0x1b));
    for (int f = TABLE_TEXT; f <= TABLE_MARKDOWN; f++) {
        buf_reset(&out);
        table_write(&out, &c, &cfg, (enum table_format)f);
        assert_null(strchr(buf_cstr(&out), 0x1b));
    }
    const struct report_cfg wrong = { "t", 5, "none_such" };
    assert_int_equal(report_write(&out, &wrong, &c, &cfg, &err), -1);
    comparison_release(&c);
    results_release(&r);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean),      cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_sign_flip), cmocka_unit_test(test_holm),
        cmocka_unit_test(test_similar),   cmocka_unit_test(test_results),
        cmocka_unit_test(test_usage),     cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
