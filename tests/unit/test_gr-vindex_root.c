// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_root.c — changes of a .gri in place: cut off after any byte it is the old
 * index or the new one; every changed bit is found; a reader keeps what it opened
 */
#include "gr-vindex.h"

#include "edit.h"

#define SLOT_BYTES 64
#define SLOT_PLACE 4096 /* of the slot of even generations */

static void get_file(const char *path, struct buf *b)
{
    struct err err;
    buf_reset(b);
    assert_int_equal(file_read(b, path, 0, &err), 0);
}

/* Add one record, or delete one (text NULL). */
static void change(const char *path, const char *id, const char *text)
{
    struct edit e;
    struct err err;
    struct builder *b = NULL;
    bool is_there = true;
    assert_int_equal(edit_open(&e, path, &err), 0);
    if (text) {
        char line[200];
        struct rec r = { 0 };
        bool is_old;
        b = edit_builder(&e);
        snprintf(line, sizeof line, "{\"id\":\"%s\",\"text\":\"%s\"}", id, text);
        assert_int_equal(rec_parse(&r, sv_from(line), &err), 0);
        assert_int_equal(builder_add(b, &r, "text", &is_old, &err), 0);
        rec_release(&r);
    } else {
        assert_int_equal(edit_drop(&e, sv_from(id), &is_there, &err), 0);
    }
    assert_true(is_there);
    assert_int_equal(edit_save(&e, b, 1, &err), 0);
    builder_free(b);
    edit_close(&e);
}

/* All living records, with LF; false when it does not open. */
static bool content(const char *path, struct buf *to)
{
    struct store s;
    struct err err;
    buf_reset(to);
    if (store_open(&s, path, &err) < 0)
        return false;
    for (size_t i = 0; i < s.n; i++)
        for (size_t doc = 0; doc < s.segments[i].meta.n_docs; doc++) {
            struct sv raw;
            if (gri_is_dead(&s.segments[i], doc))
                continue;
            assert_int_equal(gri_raw(&s.segments[i], doc, &raw, &err), 0);
            buf_sv(to, raw);
            buf_char(to, '\n');
        }
    store_close(&s);
    return true;
}

static int verify(const char *path, struct err *err)
{
    struct store s;
    if (store_open(&s, path, err) < 0)
        return -1;
    int rc = store_verify(&s, err);
    store_close(&s);
    return rc;
}

static bool is_same(struct buf *a, struct buf *b)
{
    return sv_eq(buf_view(a), buf_view(b));
}

/* ---- stopped after each byte ---- */

/* before, after: the file; what was written is what is behind before's end, and then a slot. */
static void stop_everywhere(const char *path, struct buf *before, struct buf *after)
{
    struct buf file = BUF_INIT, old = BUF_INIT, new = BUF_INIT, got = BUF_INIT;
    struct err err;
    test_put_file(path, buf_view(before));
    assert_true(content(path, &old));
    test_put_file(path, buf_view(after));
    assert_true(content(path, &new));
    assert_false(is_same(&old, &new));
    size_t slot = memcmp(before->data, after->data, SLOT_BYTES) ? 0 : SLOT_PLACE;
    for (size_t n = before->len; n <= after->len; n += n + 64 < after->len ? 13 : 1) {
        buf_reset(&file);
        buf_sv(&file, buf_view(before));
        buf_add(&file, after->data + before->len, n - before->len);
        test_put_file(path, buf_view(&file));
        assert_int_equal(verify(path, &err), 0);
        assert_true(content(path, &got) && is_same(&got, &old));
    }
    for (size_t n = 1; n <= SLOT_BYTES; n++) {
        memcpy(file.data + slot, after->data + slot, n);
        test_put_file(path, buf_view(&file));
        assert_true(content(path, &got));
        assert_true(is_same(&got, &old) || is_same(&got, &new));
    }
    assert_true(is_same(&got, &new));
    assert_int_equal(verify(path, &err), 0);
    buf_release(&file);
    buf_release(&old);
    buf_release(&new);
    buf_release(&got);
}

static void test_stops(void **state)
{
    (void)state;
    static const struct {
        const char *id, *text;
    } changes[] = { { "new", "basalt" }, { "d3", NULL },   { "d4", "again" }, { "new", NULL },
                    { "d5", NULL },      { "d6", "once" }, { "d7", "twice" } };
    const char *path = test_path("stop.gri");
    struct buf before = BUF_INIT, after = BUF_INIT;
    struct err err;
    test_index(7, 30, 3, 1, NULL, path);
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        get_file(path, &before);
        change(path, changes[i].id, changes[i].text);
        get_file(path, &after);
        stop_everywhere(path, &before, &after);
        /* A change that follows one that was stopped takes its place. */
        buf_sv(&before, SV("rest of a change that was stopped"));
        test_put_file(path, buf_view(&before));
        change(path, changes[i].id, changes[i].text);
        assert_int_equal(verify(path, &err), 0);
    }
    buf_release(&before);
    buf_release(&after);
    unlink(path);
}

/* ---- bits ---- */

static void test_flips(void **state)
{
    (void)state;
    const char *path = test_path("flips.gri");
    test_index(3, 12, 3, 1, NULL, path);
    change(path, "a", "one");
    change(path, "d2", NULL);
    change(path, "b", "two"); /* joined with a: the first segment of a no longer counts */
    change(path, "d3", "three");
    change(path, "d4", NULL);
    test_each_bit(path, verify);
    unlink(path);
}

/* One root is damaged: the other is taken, verify says so, compact mends it. */
static void test_lost_root(void **state)
{
    (void)state;
    const char *path = test_path("root.gri");
    struct buf b = BUF_INIT, old = BUF_INIT, got = BUF_INIT;
    struct edit e;
    struct err err;
    size_t n;
    test_index(3, 12, 3, 1, NULL, path);
    assert_true(content(path, &old));
    change(path, "a", "one");
    get_file(path, &b);
    b.data[SLOT_PLACE + 20] ^= 1;
    test_put_file(path, buf_view(&b));
    assert_true(content(path, &got) && is_same(&got, &old));
    assert_int_equal(verify(path, &err), -1);
    assert_non_null(strstr(err.msg, "a root"));
    assert_int_equal(edit_open(&e, path, &err), 0);
    assert_int_equal(edit_replace(&e, NULL, 1, &n, &err), 0);
    edit_close(&e);
    assert_int_equal(verify(path, &err), 0);
    assert_true(content(path, &got) && is_same(&got, &old));
    buf_release(&b);
    buf_release(&old);
    buf_release(&got);
    unlink(path);
}

/* Files of other versions, machines and kinds are named. */
static void test_others(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        const char *bytes, *says;
    } changes[] = {
        { 8, "\1", "version 1, this program reads 2" },
        { 8, "\7", "version 7, this program reads 2" },
        { 12, "\1\2\3\4", "other byte order" },
        { 0, "GRVINDX2", "not a GRVIND file" },
        { 30, "\1", "damaged header" },
    };
    const char *path = test_path("other.gri");
    struct buf b = BUF_INIT;
    struct store s;
    struct err err;
    test_index(3, 4, 3, 1, NULL, path);
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        test_index(3, 4, 3, 1, NULL, path);
        get_file(path, &b);
        memcpy(b.data + changes[i].at, changes[i].bytes, strlen(changes[i].bytes));
        test_put_file(path, buf_view(&b));
        assert_int_equal(store_open(&s, path, &err), -1);
        assert_int_equal(err.code, EXIT_FATAL);
        if (!strstr(err.msg, changes[i].says))
            fail_msg("\"%s\" lacks %s", err.msg, changes[i].says);
    }
    for (size_t n = 0; n < 20; n += 5) {
        test_put_file(path, (struct sv){ b.data, n });
        assert_int_equal(store_open(&s, path, &err), -1);
    }
    buf_release(&b);
    unlink(path);
}

/* ---- readers, and how the file grows ---- */

static void test_reader(void **state)
{
    (void)state;
    const char *path = test_path("reader.gri");
    struct store s;
    struct err err;
    test_index(3, 40, 3, 1, NULL, path);
    assert_int_equal(store_open(&s, path, &err), 0);
    size_t n = store_live(&s);
    for (size_t i = 0; i < 20; i++) {
        char id[16];
        snprintf(id, sizeof id, "n%zu", i);
        change(path, id, "text");
    }
    assert_int_equal(store_live(&s), n);
    assert_int_equal(gri_verify(&s.segments[0], &err), 0);
    store_close(&s);
    unlink(path);
}

/* Many changes of one record: few segments, and a file not much larger than needed. */
static void test_growth(void **state)
{
    (void)state;
    const char *path = test_path("growth.gri");
    struct store s;
    struct err err;
    size_t most = 0, bytes = 0;
    test_index(3, 0, 3, 1, NULL, path);
    for (size_t i = 0; i < 90; i++) {
        char id[16];
        snprintf(id, sizeof id, "n%zu", i / 2);
        change(path, id, i % 6 == 5 ? NULL : "some text of a record");
        assert_int_equal(store_open(&s, path, &err), 0);
        most = s.n > most ? s.n : most;
        bytes = s.map.n > bytes ? s.map.n : bytes;
        store_close(&s);
    }
    assert_int_equal(verify(path, &err), 0);
    printf("# %zu segments, %zu bytes at most\n", most, bytes);
    assert_true(most <= 12);
    assert_true(bytes < 400000);
    unlink(path);
}

/* A second writer is refused; what it would have changed is as it was. */
static void test_two_writers(void **state)
{
    (void)state;
    const char *path = test_path("two.gri");
    struct edit a, b;
    struct err err;
    test_index(3, 5, 3, 1, NULL, path);
    assert_int_equal(edit_open(&a, path, &err), 0);
    assert_int_equal(edit_open(&b, path, &err), -1);
    assert_non_null(strstr(err.msg, "another program is changing it"));
    edit_close(&a);
    assert_int_equal(edit_open(&b, path, &err), 0);
    edit_close(&b);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops),  cmocka_unit_test(test_flips),
        cmocka_unit_test(test_reader), cmocka_unit_test(test_lost_root),
        cmocka_unit_test(test_growth), cmocka_unit_test(test_two_writers),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
