// SPDX-License-Identifier: MIT
/*
 * gr-vindex_search.h — queries made from a seed, and their answers
 */
#ifndef TESTS_GR_VINDEX_SEARCH_H
#define TESTS_GR_VINDEX_SEARCH_H

#include "gr-vindex.h"

#include <math.h>

#include "search.h"

static inline struct search_cfg default_cfg(void)
{
    return (struct search_cfg){ .k = 7,
                                .candidates = 20,
                                .fusion = { .rrf_k = 60 },
                                .dense_weight = 1,
                                .sparse_weight = 1,
                                .keyword_weight = 0.5,
                                .min_score = -INFINITY,
                                .hit_fields = "text,year" };
}

/* Queries as lines: some with vectors, some with text alone. */
static inline void make_queries(struct rng *r, size_t n, size_t dim, struct buf *b)
{
    static const char *const texts[] = { "MORB basalts", "δ18O of mantle", "87 Sr/ 86 Sr",
                                         "none" };
    float *v = alloc_array(dim, sizeof *v);
    for (size_t i = 0; i < n; i++) {
        json_open(b, '{');
        json_key(b, "query");
        json_put_str(b, sv_from(texts[rng_below(r, ARRAY_LEN(texts))]));
        if (rng_below(r, 3)) {
            test_vector(r, v, dim);
            json_key(b, "embeddings");
            json_open(b, '[');
            vec_put_array(b, v, dim);
            test_vector(r, v, dim);
            vec_put_base64(b, v, dim);
            json_close(b, ']');
        }
        buf_str(b, "}\n");
    }
    free(v);
}

/* All answers of some indexes as one, `batch` (at most 16) queries at a time. */
static inline void answers(const char *const *paths, size_t n_paths,
                           const struct search_cfg *cfg, struct sv queries, size_t batch,
                           struct buf *out)
{
    struct vset x;
    struct err err, errs[16];
    struct rec recs[16];
    struct search_job jobs[16];
    struct buf outs[16];
    struct sv line;
    assert_int_equal(vset_open(&x, paths, n_paths, "text", 1, &err), 0);
    struct searcher *s = search_new(&x, cfg, 1, &err);
    assert_non_null(s);
    for (size_t n; queries.n;) {
        for (n = 0; n < batch && queries.n && sv_cut(&queries, '\n', &line); n++) {
            recs[n] = (struct rec){ 0 };
            outs[n] = BUF_INIT;
            assert_int_equal(rec_parse(&recs[n], line, &err), 0);
            jobs[n] = (struct search_job){ &recs[n], &outs[n], &errs[n], 0 };
        }
        search_batch(s, 0, jobs, n);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(jobs[i].rc, 0);
            buf_sv(out, buf_view(&outs[i]));
            buf_release(&outs[i]);
            rec_release(&recs[i]);
        }
    }
    search_free(s);
    vset_close(&x);
}

#endif
