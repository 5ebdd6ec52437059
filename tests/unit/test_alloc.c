// SPDX-License-Identifier: MIT
/*
 * test_alloc.c — growth, alignment, and the end of the process when memory runs out
 */
#include "unit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "alloc.h"
#include "exit.h"

static void test_small(void **state)
{
    (void)state;
    free(alloc(0));
    free(alloc_array(0, 8));
    char *z = alloc_zero(3, 5);
    for (size_t i = 0; i < 15; i++)
        assert_int_equal(z[i], 0);
    free(z);
    free(alloc_zero(0, 0));
    char *t = alloc_text("a\0b", 3);
    assert_memory_equal(t, "a\0b", 4);
    free(t);
    t = alloc_text(NULL, 0);
    assert_string_equal(t, "");
    free(t);
    t = alloc_resize(NULL, 4, 1);
    memcpy(t, "abc", 4);
    t = alloc_resize(t, 4000, 4);
    assert_string_equal(t, "abc");
    free(t);
}

static void test_grow(void **state)
{
    (void)state;
    static const size_t caps[] = { 0, 1, 7, 8, 9, 100, 1000000 };
    for (size_t i = 0; i < ARRAY_LEN(caps); i++)
        for (size_t need = 0; need < 3000; need += 7) {
            size_t next = alloc_grow(caps[i], need);
            assert_true(next >= need && next >= caps[i] && next >= 8);
        }
    assert_true(alloc_grow(SIZE_MAX / 2 + 9, SIZE_MAX - 1) >= SIZE_MAX - 1);
    assert_true(alloc_grow(8, SIZE_MAX) == SIZE_MAX);
}

static void test_huge(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 63, 4096, (2u << 20) - 1, 2u << 20, (2u << 20) + 1 };
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        char *p = alloc_huge(sizes[i]);
        assert_int_equal((uintptr_t)p % 64, 0);
        if (sizes[i])
            p[0] = p[sizes[i] - 1] = 1;
        free(p);
    }
}

static void overflow_array(void)
{
    free(alloc_array(SIZE_MAX / 2, 3));
}
static void overflow_resize(void)
{
    free(alloc_resize(NULL, SIZE_MAX / 4, 5));
}
static void overflow_text(void)
{
    free(alloc_text("", SIZE_MAX));
}
static void overflow_huge(void)
{
    free(alloc_huge(SIZE_MAX - 5));
}

static void test_overflow_ends_with_3(void **state)
{
    (void)state;
    void (*const calls[])(void) = { overflow_array, overflow_resize, overflow_text,
                                    overflow_huge };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(STDERR_FILENO);
            calls[i]();
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), EXIT_FATAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_overflow_ends_with_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
