// SPDX-License-Identifier: MIT
/*
 * test_buf.c — growable bytes: always terminated, never past max
 */
#include "unit.h"

#include "buf.h"

static void test_empty(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    assert_sv(buf_view(&b), "");
    assert_non_null(buf_view(&b).p);
    assert_string_equal(buf_cstr(&b), "");
    buf_release(&b);
    buf_release(&b);
    buf_reset(&b);
    buf_cut(&b, 0);
    assert_string_equal(buf_cstr(&b), "");
    buf_release(&b);
}

static void test_append(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    buf_str(&b, "ab");
    buf_char(&b, 'c');
    buf_sv(&b, SV("de"));
    buf_sv(&b, (struct sv){ NULL, 0 });
    buf_add(&b, "\0f", 2);
    assert_int_equal(b.len, 7);
    assert_memory_equal(b.data, "abcde\0f", 8);
    buf_printf(&b, "-%d-%s", 42, "x");
    assert_memory_equal(b.data, "abcde\0f-42-x", 13);
    buf_printf(&b, "%s", "");
    assert_int_equal(b.len, 12);
    buf_cut(&b, 3);
    assert_string_equal(buf_cstr(&b), "abc");
    buf_cut(&b, 9);
    assert_string_equal(buf_cstr(&b), "abc");
    buf_reset(&b);
    assert_string_equal(buf_cstr(&b), "");
    buf_release(&b);
}

static void test_terminated_at_every_length(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < 5000; i++) {
        buf_char(&b, (char)('a' + i % 26));
        assert_int_equal(b.len, i + 1);
        assert_int_equal(b.data[b.len], '\0');
        assert_true(b.cap > b.len);
    }
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(b.data[i], 'a' + i % 26);
    buf_release(&b);
}

static void test_max(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    b.max = 4;
    buf_str(&b, "abcd");
    assert_false(b.overflow);
    buf_char(&b, 'e');
    assert_true(b.overflow);
    assert_string_equal(buf_cstr(&b), "abcd");
    buf_str(&b, ""); /* stays set, and nothing more is appended */
    assert_true(b.overflow);
    assert_null(buf_reserve(&b, 0));
    buf_reset(&b);
    assert_false(b.overflow);
    buf_printf(&b, "%d", 12345);
    assert_true(b.overflow);
    assert_string_equal(buf_cstr(&b), "");
    buf_reset(&b);
    buf_str(&b, "abcde");
    assert_true(b.overflow);
    assert_string_equal(buf_cstr(&b), ""); /* also when overflow came before any memory */
    buf_release(&b);
    assert_int_equal(b.max, 4);

    struct buf c = BUF_INIT;
    c.max = 1;
    buf_str(&c, "xy");
    assert_true(c.overflow);
    char *p = buf_take(&c, NULL); /* owned by the caller even then */
    assert_non_null(p);
    assert_string_equal(p, "");
    free(p);
    buf_release(&c);
}

static void test_sizes_near_the_end(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    buf_str(&b, "x");
    assert_null(buf_reserve(&b, SIZE_MAX));
    assert_true(b.overflow);
    buf_reset(&b);
    assert_null(buf_reserve(&b, SIZE_MAX - 1));
    buf_reset(&b);
    assert_null(buf_reserve(&b, BUF_MAX + 1));
    assert_string_equal(buf_cstr(&b), "");
    buf_release(&b);
}

static void test_reserve_commit(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    char *p = buf_reserve(&b, 10);
    assert_non_null(p);
    memcpy(p, "hello", 5);
    buf_commit(&b, 5);
    assert_string_equal(buf_cstr(&b), "hello");
    buf_release(&b);
}

static void test_take(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    buf_str(&b, "gift");
    size_t n;
    char *p = buf_take(&b, &n);
    assert_int_equal(n, 4);
    assert_string_equal(p, "gift");
    free(p);
    assert_int_equal(b.len, 0);
    p = buf_take(&b, &n);
    assert_int_equal(n, 0);
    assert_string_equal(p, "");
    free(p);
    buf_release(&b);
}

/* Appending a buf's own bytes to itself must survive the move of the memory. */
static void test_self_append(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    buf_str(&b, "0123456789");
    for (int i = 0; i < 8; i++)
        buf_sv(&b, buf_view(&b));
    assert_int_equal(b.len, 10u << 8);
    for (size_t i = 0; i < b.len; i++)
        assert_int_equal(b.data[i], '0' + i % 10);
    buf_release(&b);
}

/* Printed text that just fits, just does not, and does not fit below max. */
static void test_print_at_every_length(void **state)
{
    (void)state;
    for (size_t max = 0; max < 80; max++)
        for (size_t n = 0; n < 80; n++) {
            struct buf b = { .max = max };
            for (size_t i = 0; i < n; i++)
                buf_char(&b, 'x');
            size_t before = b.len;
            buf_printf(&b, "%s", "12345");
            bool fits = !max || (before == n && before + 5 <= max);
            assert_int_equal(b.len, fits ? before + 5 : before);
            assert_int_equal(b.overflow, !fits);
            assert_int_equal(strlen(buf_cstr(&b)), b.len);
            buf_release(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_terminated_at_every_length),
        cmocka_unit_test(test_print_at_every_length),
        cmocka_unit_test(test_max),
        cmocka_unit_test(test_sizes_near_the_end),
        cmocka_unit_test(test_reserve_commit),
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_self_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
