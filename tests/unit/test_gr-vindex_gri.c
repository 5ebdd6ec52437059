// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_gri.c — the .gri file: what was put in comes out, and damage is noticed
 */
#include "gr-vindex.h"

#include "store.h"

/* Write bytes to a file of this test. */
static const char *put_file(const char *p, size_t n)
{
    const char *path = test_path("bytes.gri");
    test_put_file(path, (struct sv){ p, n });
    return path;
}

/* 0 when the file opens and verifies. */
static int check_file(const char *path, struct err *err)
{
    struct store s;
    if (store_open(&s, path, err) < 0)
        return -1;
    int rc = store_verify(&s, err);
    store_close(&s);
    return rc;
}

static void add(struct builder *b, const char *line, int want_rc, bool want_old)
{
    struct rec r = { 0 };
    struct err err;
    bool is_old = false;
    assert_int_equal(rec_parse(&r, sv_from(line), &err), 0);
    assert_int_equal(builder_add(b, &r, "text", &is_old, &err), want_rc);
    assert_int_equal(is_old, want_old);
    rec_release(&r);
}

static void test_round_trip(void **state)
{
    (void)state;
    const char *path = test_path("trip.gri");
    struct builder *b = builder_new();
    struct out out;
    struct err err;
    struct store s;
    add(b, "{\"id\":\"b\",\"embedding\":[3,4],\"text\":\"one\",\"embedding_model\":\"m\"}", 0,
        false);
    add(b, "{\"id\":\"a\",\"text\":\"words alone\"}", 0, false);
    add(b, "{\"id\":\"b\",\"embedding\":[0,2],\"n\":1.50,\"embedding_model\":\"m\"}", 0, true);
    add(b, "{\"id\":\"c\",\"embedding\":\"AACAPwAAAAA=\",\"embedding_model\":\"m\"}", 0, false);
    struct analyzer *a = analyzer_new(NULL, NULL, &err);
    assert_int_equal(out_open(&out, path, &err), 0);
    builder_write(b, a, "text", 1, &out);
    assert_int_equal(out_close(&out, &err), 0);
    assert_int_equal(store_open(&s, path, &err), 0);
    assert_int_equal(store_verify(&s, &err), 0);
    assert_int_equal(s.n, 1);
    const struct gri *g = &s.segments[0];
    assert_int_equal(g->meta.n_docs, 3);
    assert_int_equal(g->meta.n_rows, 2);
    assert_int_equal(g->meta.dim, 2);
    assert_sv(g->meta.model, "m");
    struct sv raw;
    size_t doc;
    assert_int_equal(gri_find(g, SV("b"), &doc, &err), 0);
    assert_int_equal(doc, 1); /* a record that is written again goes behind the others */
    assert_int_equal(gri_raw(g, doc, &raw, &err), 0);
    assert_sv(raw, "{\"id\":\"b\",\"n\":1.50}");
    assert_true(gri_vector(g, 1, NULL)[1] == 1.0f);
    assert_null(gri_vector(g, 0, NULL));
    assert_true(gri_vector(g, 2, NULL)[0] == 1.0f);
    assert_int_equal(gri_find(g, SV("zz"), &doc, &err), 0);
    assert_true(doc == SIZE_MAX);
    store_close(&s);
    builder_free(b);
    analyzer_free(a);
    unlink(path);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
        enum gr_exit code;
    } cases[] = {
        { "{\"text\":\"t\"}", "field \"id\"", EXIT_REJECTED },
        { "{\"id\":7,\"text\":\"t\"}", "field \"id\"", EXIT_REJECTED },
        { "{\"id\":\"\",\"text\":\"t\"}", "field \"id\": empty", EXIT_REJECTED },
        { "{\"id\":\"x\"}", "missing both", EXIT_REJECTED },
        { "{\"id\":\"x\",\"text\":\"\"}", "missing both", EXIT_REJECTED },
        { "{\"id\":\"x\",\"embedding\":[0,0]}", "all-zero", EXIT_REJECTED },
        { "{\"id\":\"x\",\"embedding\":[1e39,0]}", "not finite", EXIT_REJECTED },
        { "{\"id\":\"x\",\"embedding\":\"AAA\"}", "base64", EXIT_REJECTED },
        { "{\"id\":\"x\",\"embedding\":\"AADAfwAAgD8=\"}", "not finite", EXIT_REJECTED },
        { "{\"id\":\"x\",\"embedding\":[1,2],\"embedding_model\":3}", "embedding_model",
          EXIT_REJECTED },
        { "{\"id\":\"x\",\"embedding\":[1,2,3],\"embedding_model\":\"m\"}", "2 and 3",
          EXIT_FATAL },
        { "{\"id\":\"x\",\"embedding\":[1,2],\"embedding_model\":\"n\"}", "\"m\" and \"n\"",
          EXIT_FATAL },
        { "{\"id\":\"x\",\"embedding\":[1,2]}", "\"m\" and \"\"", EXIT_FATAL },
    };
    struct builder *b = builder_new();
    add(b, "{\"id\":\"first\",\"embedding\":[1,2],\"embedding_model\":\"m\"}", 0, false);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct rec r = { 0 };
        struct err err = { 0 };
        bool is_old;
        assert_int_equal(rec_parse(&r, sv_from(cases[i].line), &err), 0);
        assert_int_equal(builder_add(b, &r, "text", &is_old, &err), -1);
        assert_int_equal(err.code, cases[i].code);
        if (!strstr(err.msg, cases[i].says))
            fail_msg("%s: \"%s\" lacks %s", cases[i].line, err.msg, cases[i].says);
        rec_release(&r);
    }
    assert_int_equal(builder_count(b), 1);
    builder_free(b);
}

static void test_empty(void **state)
{
    (void)state;
    const char *path = test_path("empty.gri");
    struct err err;
    test_index(1, 0, 3, 1, NULL, path);
    assert_int_equal(check_file(path, &err), 0);
    unlink(path);
}

/* Each byte changed in one bit; the file is small, so that all of them are. */
static void test_flips(void **state)
{
    (void)state;
    const char *path = test_path("flip.gri");
    test_index(3, 12, 5, 1, NULL, path);
    test_each_bit(path, check_file);
    unlink(path);
}

static void test_cuts(void **state)
{
    (void)state;
    const char *path = test_path("cut.gri");
    struct buf b = BUF_INIT;
    struct err err;
    test_index(4, 9, 4, 1, NULL, path);
    assert_int_equal(file_read(&b, path, 0, &err), 0);
    unlink(path);
    for (size_t n = 0; n < b.len; n += 97) {
        const char *bad = put_file(b.data, n);
        assert_int_equal(check_file(bad, &err), -1);
        unlink(bad);
    }
    /* What a change that was killed has left behind the end does not count. */
    buf_char(&b, 'x');
    const char *longer = put_file(b.data, b.len);
    assert_int_equal(check_file(longer, &err), 0);
    unlink(longer);
    buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_empty),      cmocka_unit_test(test_flips),
        cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
