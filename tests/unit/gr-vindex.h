// SPDX-License-Identifier: MIT
/*
 * gr-vindex.h — small indexes for tests: records made from a seed, written and opened
 */
#ifndef TESTS_GR_VINDEX_H
#define TESTS_GR_VINDEX_H

#include "unit.h"

#include <unistd.h>

#include "alloc.h"
#include "analyzer.h"
#include "builder.h"
#include "file.h"
#include "json.h"
#include "rng.h"
#include "vec.h"

/* A path in $TMPDIR that is this test's own; static text. */
static inline const char *test_path(const char *name)
{
    static char paths[4][300];
    static unsigned at;
    char *p = paths[at++ % 4];
    const char *dir = getenv("TMPDIR");
    snprintf(p, sizeof paths[0], "%s/%ld-%s", dir ? dir : "/tmp", (long)getpid(), name);
    return p;
}

/* Write a file anew; not synced, as thousands are written, nor cut off and filled again, which
 * some file systems sync by themselves. */
static inline void test_put_file(const char *path, struct sv bytes)
{
    (void)unlink(path);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
    assert_int_equal(fclose(f), 0);
}

/* Change one bit of each byte of a small file in turn: `check` must fail. The file is left as
 * it was. */
static inline void test_each_bit(const char *path,
                                 int (*check)(const char *path, struct err *err))
{
    struct buf b = BUF_INIT;
    struct err err;
    assert_int_equal(check(path, &err), 0);
    assert_int_equal(file_read(&b, path, 0, &err), 0);
    for (size_t i = 0; i < b.len; i++) {
        b.data[i] = (char)(b.data[i] ^ 1 << i % 8);
        test_put_file(path, buf_view(&b));
        if (check(path, &err) == 0)
            fail_msg("a changed bit in byte %zu of %zu is not noticed", i, b.len);
        assert_int_equal(err.code, EXIT_FATAL);
        b.data[i] = (char)(b.data[i] ^ 1 << i % 8);
    }
    test_put_file(path, buf_view(&b));
    printf("# %zu bytes\n", b.len);
    buf_release(&b);
}

/* A vector of small whole numbers, so that equal scores happen; never all zero. */
static inline void test_vector(struct rng *r, float *v, size_t dim)
{
    for (size_t i = 0; i < dim; i++)
        v[i] = (float)rng_below(r, 7) - 3;
    v[rng_below(r, dim)] = 1;
}

/* Append a record: id "d<N>" (some ids twice), words, mostly a vector in either form. */
static inline void test_record(struct rng *r, struct buf *b, size_t n, size_t dim)
{
    static const char *const words[] = { "basalt", "MORB",   "87Sr/86Sr",
                                         "δ18O",   "mantle", "ocean" };
    float *v = alloc_array(dim, sizeof *v);
    json_open(b, '{');
    json_key(b, "id");
    char id[32];
    snprintf(id, sizeof id, "d%zu", n % 37 == 36 ? n / 2 : n);
    json_put_str(b, sv_from(id));
    json_key(b, "year");
    json_put_int(b, 1990 + (int64_t)rng_below(r, 30));
    json_key(b, "text");
    struct buf text = BUF_INIT;
    for (size_t i = rng_below(r, 12) + 1; i; i--)
        buf_printf(&text, "%s ", words[rng_below(r, ARRAY_LEN(words))]);
    json_put_str(b, buf_view(&text));
    buf_release(&text);
    if (rng_below(r, 10)) {
        test_vector(r, v, dim);
        json_key(b, "embedding");
        if (rng_below(r, 2))
            vec_put_base64(b, v, dim);
        else
            vec_put_array(b, v, dim);
        json_key(b, "embedding_model");
        json_put_str(b, SV("test/1"));
    }
    buf_str(b, "}\n");
    free(v);
}

/* Write n records of a seed as NDJSON to `plain` and, built, to `gri`; either may be NULL. */
static inline void test_index(uint64_t seed, size_t n, size_t dim, unsigned jobs,
                              const char *plain, const char *gri)
{
    struct rng rng = { seed };
    struct err err;
    struct buf b = BUF_INIT;
    struct builder *builder = builder_new();
    for (size_t i = 0; i < n; i++)
        test_record(&rng, &b, i, dim);
    struct sv rest = buf_view(&b), line;
    while (rest.n && sv_cut(&rest, '\n', &line)) {
        struct rec r = { 0 };
        bool is_old;
        assert_int_equal(rec_parse(&r, line, &err), 0);
        assert_int_equal(builder_add(builder, &r, "text", &is_old, &err), 0);
        rec_release(&r);
    }
    struct out out;
    if (plain) {
        assert_int_equal(out_open(&out, plain, &err), 0);
        out_put(&out, buf_view(&b));
        assert_int_equal(out_close(&out, &err), 0);
    }
    if (gri) {
        struct analyzer *a = analyzer_new(NULL, NULL, &err);
        assert_int_equal(out_open(&out, gri, &err), 0);
        builder_write(builder, a, "text", jobs, &out);
        assert_int_equal(out_close(&out, &err), 0);
        analyzer_free(a);
    }
    buf_release(&b);
    builder_free(builder);
}

#endif
