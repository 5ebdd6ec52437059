// SPDX-License-Identifier: MIT
/*
 * test_map.c — keys get ordinals in order of insertion, whatever their bytes
 */
#include "unit.h"

#include "alloc.h"
#include "map.h"

static void test_basics(void **state)
{
    (void)state;
    struct map *m = map_new();
    bool is_new;
    assert_int_equal(map_count(m), 0);
    assert_true(map_get(m, SV("a")) == MAP_NONE);
    assert_int_equal(map_put(m, SV("a"), &is_new), 0);
    assert_true(is_new);
    assert_int_equal(map_put(m, SV("b"), NULL), 1);
    assert_int_equal(map_put(m, SV("a"), &is_new), 0);
    assert_false(is_new);
    assert_int_equal(map_put(m, SV(""), &is_new), 2);
    assert_true(is_new);
    assert_int_equal(map_put(m, (struct sv){ NULL, 0 }, &is_new), 2);
    assert_false(is_new);
    assert_int_equal(map_put(m, (struct sv){ "a\0x", 3 }, NULL), 3);
    assert_int_equal(map_get(m, (struct sv){ "a\0x", 3 }), 3);
    assert_true(map_get(m, (struct sv){ "a\0y", 3 }) == MAP_NONE);
    assert_int_equal(map_get(m, SV("a")), 0);
    assert_int_equal(map_count(m), 4);
    assert_sv(map_key(m, 1), "b");
    map_free(m);
    map_free(NULL);
}

static void test_many(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct map *m = map_new();
    char key[32];
    for (size_t i = 0; i < N; i++) {
        int n = snprintf(key, sizeof key, "key %zu", i * 7919 % N);
        bool is_new;
        assert_int_equal(map_put(m, (struct sv){ key, (size_t)n }, &is_new), i);
        assert_true(is_new);
    }
    struct sv first = map_key(m, 0); /* keys do not move */
    assert_sv(first, "key 0");
    for (size_t i = 0; i < N; i++) {
        int n = snprintf(key, sizeof key, "key %zu", i * 7919 % N);
        assert_int_equal(map_get(m, (struct sv){ key, (size_t)n }), i);
        assert_string_equal(map_key(m, i).p, key);
    }
    assert_int_equal(map_count(m), N);
    map_free(m);
}

/* A cleared map is as a new one, whether it was small or large. */
static void test_clear(void **state)
{
    (void)state;
    struct map *m = map_new();
    map_clear(m);
    for (size_t round = 0, n = 3; round < 6; round++, n *= 9) {
        for (size_t i = 0; i < n; i++) {
            char key[300];
            int len = snprintf(key, sizeof key, "%zu %0*zu", round, (int)(i % 250), i);
            assert_int_equal(map_put(m, (struct sv){ key, (size_t)len }, NULL), i);
        }
        assert_int_equal(map_count(m), n);
        map_clear(m);
        assert_int_equal(map_count(m), 0);
        assert_true(map_get(m, SV("0 0")) == MAP_NONE);
    }
    map_free(m);
}

/* Keys around the size of a block of key bytes. */
static void test_large_keys(void **state)
{
    (void)state;
    struct map *m = map_new();
    static const size_t sizes[] = { 65534, 65535, 65536, 65537, 200000, 1, 3 };
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        char *k = alloc(sizes[i]);
        memset(k, 'a' + (int)i, sizes[i]);
        assert_int_equal(map_put(m, (struct sv){ k, sizes[i] }, NULL), i);
        free(k);
    }
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct sv k = map_key(m, i);
        assert_int_equal(k.n, sizes[i]);
        assert_int_equal(k.p[0], 'a' + (int)i);
        assert_int_equal(k.p[k.n - 1], 'a' + (int)i);
        assert_int_equal(k.p[k.n], '\0');
        assert_int_equal(map_get(m, k), i);
    }
    map_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_basics),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_large_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
