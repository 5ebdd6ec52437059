// SPDX-License-Identifier: MIT
/*
 * test_cache.c — what was added is found again, whatever is cut off or spoilt behind
 * it
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <unistd.h>

#include "alloc.h"
#include "buf.h"
#include "cache.h"
#include "file.h"
#include "rng.h"

enum { N = 20, DIM = 7, RECORD = 8 + CACHE_KEY + 4 * DIM + 8 };

static char dir[64];

static void for_each_file(void (*f)(const char *path, void *ctx), void *ctx)
{
    DIR *d = opendir(dir);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (e->d_name[0] != '.')
            f(path, ctx);
    }
    closedir(d);
}

static void drop(const char *path, void *ctx)
{
    (void)ctx;
    unlink(path);
}

static void keep(const char *path, void *ctx)
{
    struct buf *b = ctx;
    struct err err;
    assert_int_equal(file_read(b, path, 0, &err), 0);
}

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/gr-cache-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    for_each_file(drop, NULL);
    return rmdir(dir);
}

static struct cache *open_cache(const char *scope)
{
    struct err err;
    struct cache *c = cache_open(dir, &cache_vectors, sv_from(scope), &err);
    assert_non_null(c);
    return c;
}

static void make_key(const struct cache *c, size_t i, unsigned char *key)
{
    char text[32];
    snprintf(text, sizeof text, "text %zu", i);
    cache_key(c, sv_from(text), key);
}

static void fill(void)
{
    struct err err;
    struct cache *c = open_cache("model");
    unsigned char keys[N * CACHE_KEY];
    float v[N * DIM];
    for (size_t i = 0; i < N; i++)
        make_key(c, i, keys + i * CACHE_KEY);
    for (size_t i = 0; i < N * DIM; i++)
        v[i] = (float)i;
    assert_int_equal(cache_add(c, keys, v, N / 2, DIM, &err), 0);
    assert_int_equal(cache_add(c, keys + N / 2 * CACHE_KEY, v + N / 2 * DIM, N / 2, DIM, &err),
                     0);
    cache_close(c);
}

/* The texts found, each with its own vector. */
static size_t count_found(struct cache *c)
{
    size_t n = 0, handle;
    struct err err;
    for (size_t i = 0; i < N; i++) {
        unsigned char key[CACHE_KEY];
        float v[DIM];
        make_key(c, i, key);
        size_t dim = cache_find(c, key, &handle);
        if (!dim)
            continue;
        assert_int_equal(dim, DIM);
        assert_int_equal(cache_read(c, handle, v, &err), 0);
        for (size_t k = 0; k < DIM; k++)
            assert_true(v[k] == (float)(i * DIM + k));
        n++;
    }
    return n;
}

static size_t count_anew(const char *scope)
{
    struct cache *c = open_cache(scope);
    size_t n = count_found(c);
    assert_int_equal(cache_stats(c).n_hits, n);
    assert_int_equal(cache_stats(c).n_misses, N - n);
    cache_close(c);
    return n;
}

static void test_found_again(void **state)
{
    (void)state;
    struct cache *c = open_cache("model");
    assert_int_equal(count_found(c), 0);
    cache_close(c);
    fill();
    assert_int_equal(count_anew("model"), N);
    assert_int_equal(count_anew("another model"), 0);
}

static void test_own_records(void **state)
{
    (void)state;
    struct err err;
    struct cache *c = open_cache("model");
    unsigned char key[CACHE_KEY];
    float v[DIM] = { 3, 1, 4, 1, 5, 9, 2 }, got[DIM];
    size_t handle;
    make_key(c, 1, key);
    assert_int_equal(cache_add(c, key, v, 1, DIM, &err), 0);
    assert_int_equal(cache_find(c, key, &handle), DIM);
    assert_int_equal(cache_read(c, handle, got, &err), 0);
    assert_memory_equal(v, got, sizeof v);
    assert_int_equal(cache_add(c, key, v, 1, 0, &err), -1);
    cache_close(c);
}

static void rewrite(const char *path, void *ctx)
{
    const struct sv *s = ctx;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(s->p, 1, s->n, f), s->n);
    fclose(f);
}

/* Cut after any byte: exactly the whole records before it are there. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    struct buf all = BUF_INIT;
    fill();
    for_each_file(keep, &all);
    assert_int_equal(all.len, N * RECORD);
    for (size_t n = 0; n <= all.len; n += 1 + n % 13) {
        struct sv part = { all.data, n };
        for_each_file(rewrite, &part);
        assert_int_equal(count_anew("model"), n / RECORD);
    }
    buf_release(&all);
}

/* One bit of one record: all others are there, and never a wrong vector. */
static void test_spoilt(void **state)
{
    (void)state;
    struct buf all = BUF_INIT;
    struct rng r = { 7 };
    fill();
    for_each_file(keep, &all);
    for (int round = 0; round < 200; round++) {
        size_t at = rng_below(&r, all.len);
        struct sv s = buf_view(&all);
        all.data[at] = (char)(all.data[at] ^ (1 << rng_below(&r, 8)));
        for_each_file(rewrite, &s);
        assert_int_equal(count_anew("model"), N - 1);
        all.data[at] = 0;
        for_each_file(drop, NULL);
        buf_reset(&all);
        fill();
        for_each_file(keep, &all);
    }
    buf_release(&all);
}

/* Bytes between records, heads that promise too much, and a hole: what is whole is found. */
static void test_found_behind_damage(void **state)
{
    static const char *const junk[] = { "x", "GRV1", "GRV1\1\0\0", "1VRG1VRG1VRG" };
    (void)state;
    struct buf all = BUF_INIT, mixed = BUF_INIT;
    fill();
    for_each_file(keep, &all);
    for (size_t i = 0; i < N; i++) {
        buf_str(&mixed, junk[i % ARRAY_LEN(junk)]);
        buf_sv(&mixed, sv_from_to(buf_view(&all), i * RECORD, (i + 1) * RECORD));
    }
    struct sv s = buf_view(&mixed);
    for_each_file(rewrite, &s);
    assert_int_equal(count_anew("model"), N);
    memset(all.data + 3 * RECORD + 5, 0, 2 * RECORD);
    s = buf_view(&all);
    for_each_file(rewrite, &s);
    assert_int_equal(count_anew("model"), N - 3);
    buf_release(&all);
    buf_release(&mixed);
}

/* Head after head, each of a large record that is none: read in no more than twice the time. */
static void test_false_heads(void **state)
{
    (void)state;
    struct buf all = BUF_INIT;
    uint32_t head[2] = { cache_vectors.magic, (uint32_t)cache_vectors.max };
    fill();
    for (size_t i = 0; i < 200000; i++)
        buf_add(&all, (const char *)head, sizeof head);
    struct sv s = buf_view(&all);
    for_each_file(rewrite, &s);
    assert_int_equal(count_anew("model"), 0);
    buf_release(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_found_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_own_records, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cut_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(test_spoilt, setup, teardown),
        cmocka_unit_test_setup_teardown(test_found_behind_damage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_false_heads, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
