// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_parts.c — filters, postings that lie, plain files, edits
 */
#include "gr-vindex.h"

#include "edit.h"
#include "filter.h"
#include "plain.h"
#include "sparse.h"
#include "vindex.h"

static void test_filter(void **state)
{
    (void)state;
    static const struct {
        const char *expr, *record;
        int want;
    } cases[] = {
        { ".year > 2000", "{\"year\":2001}", 1 },
        { ".year > 2000", "{\"year\":1999}", 0 },
        { ".year > 2000", "{}", 0 },
        { ".title | test(\"basalt\"; \"i\")", "{\"title\":\"Basalts\"}", 1 },
        { ".title | test(\"basalt\")", "{\"title\":null}", 0 }, /* fails: not selected */
        { "empty", "{}", 0 },
        { "false, null, 1", "{}", 1 },
        { ".a[]", "{\"a\":[false,true]}", 1 },
        { ".a[] == \"x\"", "{\"a\":[\"y\",\"z\"]}", 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err;
        struct filter *f = filter_new(cases[i].expr, &err);
        assert_non_null(f);
        for (int twice = 0; twice < 2; twice++) /* one record leaves nothing behind */
            if (filter_test(f, sv_from(cases[i].record), &err) != cases[i].want)
                fail_msg("%s on %s", cases[i].expr, cases[i].record);
        assert_int_equal(filter_test(f, SV("{broken"), &err), -1);
        filter_free(f);
    }
    struct err err;
    assert_null(filter_new(".year >", &err));
    assert_int_equal(err.code, EXIT_USAGE);
    filter_free(NULL);
}

/* Postings whose bytes are no postings, or whose tables point outside. */
static void test_lying_postings(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        uint64_t from, to;
        uint32_t df;
        int want;
    } cases[] = {
        { "\x01\x02\x01\x01", 4, 0, 4, 2, 0 },              /* documents 0 and 1 */
        { "\x01\x02\x01\x01", 4, 0, 5, 2, -1 },             /* past the end */
        { "\x01\x02\x01\x01", 4, 3, 2, 2, -1 },             /* backwards */
        { "\x01\x02\x01\x01", 4, 0, 3, 2, -1 },             /* half a pair */
        { "\x00\x02\x01\x01", 4, 0, 4, 2, -1 },             /* no distance */
        { "\x01\x00\x01\x01", 4, 0, 4, 2, -1 },             /* tf 0 */
        { "\x01\x02\x7F\x01", 4, 0, 4, 2, -1 },             /* no such document */
        { "\x01\x02\x01\x01", 4, 0, 4, 9, -1 },             /* more documents than there are */
        { "\xFF\xFF\xFF\xFF\xFF\xFF\x01", 7, 0, 7, 1, -1 }, /* too long a number */
        { "\x80\x80\x80\x80\x80", 5, 0, 5, 1, -1 },         /* a number without end */
    };
    const uint32_t rank[] = { 0, 1, 2 }, lens[] = { 2, 1, 1 };
    const uint64_t text_at[] = { 0, 4 };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const uint64_t post_at[] = { cases[i].from, cases[i].to };
        struct sparse s = { .n_docs = 3,
                            .n_terms = 1,
                            .text = "morb",
                            .text_at = text_at,
                            .text_size = 4,
                            .post = (const unsigned char *)cases[i].bytes,
                            .post_at = post_at,
                            .post_size = cases[i].n,
                            .df = &cases[i].df,
                            .lens = lens,
                            .n_with_terms = 3,
                            .total_len = 4 };
        struct sparse_term term = { SV("morb"), 1 };
        struct sparse_scratch scratch = { 0 };
        struct topk best;
        struct err err;
        topk_init(&best, 5);
        int rc = sparse_search(&s, &term, 1, NULL, rank, NULL, &scratch, &best, &err);
        if (rc != cases[i].want)
            fail_msg("case %zu: %d", i, rc);
        for (size_t doc = 0; doc < 3; doc++) /* the scratch is clean for the next query */
            assert_true(!scratch.sum || scratch.sum[doc] == 0);
        topk_release(&best);
        sparse_scratch_release(&scratch);
    }
    const uint64_t far[] = { 0, 400 }, post_at[] = { 0, 0 };
    struct sparse s = {
        .n_terms = 1, .text = "morb", .text_at = far, .text_size = 4, .post_at = post_at
    };
    size_t ordinal;
    struct err err;
    assert_int_equal(sparse_find(&s, SV("x"), &ordinal, &err), -1);
}

static const char *put_lines(const char *name, const char *text)
{
    const char *path = test_path(name);
    struct out out;
    struct err err;
    assert_int_equal(out_open(&out, path, &err), 0);
    out_put(&out, sv_from(text));
    assert_int_equal(out_close(&out, &err), 0);
    return path;
}

static void test_plain(void **state)
{
    (void)state;
    const char *path =
        put_lines("plain", "\xEF\xBB\xBF{\"id\":\"a\",\"embedding\":[3,4]}\r\n"
                           "\n"
                           "{\"embedding\":\"AACAPwAAAAA=\",\"id\":\"\\u00e9\"}\n"
                           "{\"id\":\"slash\",\"embedding\":\"AACAPwAAgD8\\u003d\"}\n"
                           "{\"id\":\"nan\",\"embedding\":\"AADAfwAAgD8=\"}\n"
                           "not JSON\n"
                           "{\"id\":\"words\",\"text\":\"MORB\",\"embedding\":null}\n"
                           "{\"id\":\"a\",\"embedding\":[0,1]}");
    struct plain p;
    struct err err;
    float rows[8];
    assert_int_equal(plain_open(&p, path, "text", &err), 0);
    assert_int_equal(map_count(p.ids), 5);
    assert_sv(map_key(p.ids, 1), "é");
    assert_int_equal(p.dense.n_rows, 4);
    assert_int_equal(p.n_problems, 1);
    assert_int_equal(p.docs[0].number, 8);
    p.dense.fetch(p.dense.ctx, 0, 4, rows);
    assert_true(rows[0] == 0 && rows[1] == 1); /* the later record of an id */
    assert_true(rows[2] == 1 && rows[3] == 0);
    assert_true(rows[4] == rows[5]); /* base64 with an escape in it */
    assert_true(rows[6] != rows[6]); /* NaN: never found */
    plain_load(&p);
    assert_memory_equal(p.dense.rows, rows, 6 * sizeof *rows);
    plain_verify(&p);
    assert_int_equal(p.n_problems, 2);
    plain_close(&p);
    unlink(path);
}

/* A .gri is known by its content, whatever its name; an empty file is an empty index. */
static void test_kinds(void **state)
{
    (void)state;
    const char *gri = test_path("named.jsonl"), *empty = put_lines("empty", "");
    struct vindex x;
    struct err err;
    test_index(5, 20, 3, 1, NULL, gri);
    assert_int_equal(vindex_open(&x, gri, "text", 1, &err), 0);
    assert_false(x.is_plain);
    vindex_close(&x);
    assert_int_equal(vindex_open(&x, empty, "text", 1, &err), 0);
    assert_true(x.is_plain);
    assert_int_equal(x.n_docs, 0);
    vindex_close(&x);
    assert_int_equal(vindex_open(&x, "no/such", "text", 1, &err), -1);
    assert_int_equal(err.code, EXIT_FATAL);
    unlink(gri);
    unlink(empty);
}

/* What an edit keeps has the same bits; an edit of nothing is the same file. */
static void test_edit(void **state)
{
    (void)state;
    const char *path = test_path("edit.gri"), *to = test_path("edited.gri");
    struct err err;
    struct edit e;
    struct out out;
    struct buf a = BUF_INIT, b = BUF_INIT;
    test_index(6, 90, 4, 1, NULL, path);
    assert_int_equal(edit_open(&e, path, &err), 0);
    assert_int_equal(edit_take(&e, NULL, &err), 0);
    assert_int_equal(out_open(&out, to, &err), 0);
    assert_int_equal(edit_write(&e, 2, &out, &err), 0);
    assert_int_equal(out_close(&out, &err), 0);
    edit_close(&e);
    assert_int_equal(file_read(&a, path, 0, &err), 0);
    assert_int_equal(file_read(&b, to, 0, &err), 0);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
    buf_release(&a);
    buf_release(&b);
    unlink(to);
    unlink(path);
    assert_int_equal(edit_open(&e, path, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filter), cmocka_unit_test(test_lying_postings),
        cmocka_unit_test(test_plain),  cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_edit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
