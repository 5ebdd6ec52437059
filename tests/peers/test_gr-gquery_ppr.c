// SPDX-License-Identifier: MIT
/*
 * test_gr-gquery_ppr.c — personalised PageRank against tests/peers/ppr.ndjson, made by ppr.py
 * with networkx
 */
#include "unit/unit.h"

#include <math.h>

#include "alloc.h"
#include "file.h"
#include "json.h"
#include "ppr.h"

#define PARITY "tests/peers/ppr.ndjson"

static double *numbers_of(jv list, size_t n)
{
    double *v = alloc_zero(n, sizeof *v);
    assert_int_equal(json_len(list), n);
    for (size_t i = 0; i < n; i++)
        v[i] = json_num(json_at(list, i));
    return v;
}

/* The largest difference of a rank. */
static double compare(jv record)
{
    size_t n = (size_t)json_num(json_get(record, "n"));
    jv list = json_get(record, "edges");
    size_t n_edges = json_len(list);
    struct ppr_edge *edges = alloc_zero(n_edges, sizeof *edges);
    for (size_t i = 0; i < n_edges; i++) {
        jv e = json_at(list, i);
        edges[i] =
            (struct ppr_edge){ (uint32_t)json_num(json_at(e, 0)),
                               (uint32_t)json_num(json_at(e, 1)), json_num(json_at(e, 2)) };
    }
    double *reset = numbers_of(json_get(record, "reset"), n), sum = 0, largest = 0;
    double *want = numbers_of(json_get(record, "rank"), n);
    double *got = alloc_zero(n, sizeof *got), *again = alloc_zero(n, sizeof *again);
    double damping = json_num(json_get(record, "damping"));
    unsigned rounds = ppr_run(n, edges, n_edges, reset, damping, got);
    assert_in_range(rounds, 1, PPR_ROUNDS);
    ppr_run(n, edges, n_edges, reset, damping, again);
    assert_memory_equal(got, again, n * sizeof *got);
    for (size_t i = 0; i < n; i++) {
        sum += got[i];
        largest = fmax(largest, fabs(got[i] - want[i]));
    }
    assert_true(fabs(sum - 1) < 1e-9);
    free(edges);
    free(reset);
    free(want);
    free(got);
    free(again);
    return largest;
}

static void test_parity(void **state)
{
    (void)state;
    struct buf text = BUF_INIT;
    struct err err;
    double largest = 0;
    size_t n = 0;
    if (file_read(&text, PARITY, 0, &err) < 0)
        fail_msg("%s", err.msg);
    struct sv rest = buf_view(&text), line;
    while (sv_cut(&rest, '\n', &line)) {
        jv record;
        if (!line.n)
            continue;
        assert_int_equal(json_parse(&record, line, &err), 0);
        largest = fmax(largest, compare(record));
        json_free(record);
        n++;
    }
    buf_release(&text);
    printf("# %zu graphs, largest difference %.2g\n", n, largest);
    assert_true(n >= 40);
    assert_true(largest < 1e-9);
}

static void test_edges(void **state)
{
    (void)state;
    double rank[3], none[3] = { 0, 0, 0 };
    /* No reset: equal parts. Weights and nodes that make no sense are left out. */
    const struct ppr_edge odd[] = {
        { 0, 9, 1 }, { 0, 1, 0 }, { 1, 2, -1 }, { 0, 1, NAN }, { 2, 2, INFINITY }
    };
    ppr_run(3, odd, ARRAY_LEN(odd), none, 0.5, rank);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(rank[i] - 1.0 / 3) < 1e-12);
    ppr_run(0, NULL, 0, none, 0.5, rank);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_parity),
                                        cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
