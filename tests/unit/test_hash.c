// SPDX-License-Identifier: MIT
/*
 * test_hash.c — SHA-256 against FIPS 180-4's examples, XXH3 against its published values
 */
#include "unit.h"

#include <sys/types.h>

#include "alloc.h"
#include "hash.h"

static void test_sha256(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    };
    char hex[65];
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        hash_sha256(sv_from(cases[i][0]), hex);
        assert_string_equal(hex, cases[i][1]);
    }
    char *a = alloc(1000000);
    memset(a, 'a', 1000000);
    hash_sha256((struct sv){ a, 1000000 }, hex);
    assert_string_equal(hex,
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(a);
    hash_sha256((struct sv){ NULL, 0 }, hex);
    assert_string_equal(hex, cases[0][1]);
}

static void test_xxh3(void **state)
{
    (void)state;
    assert_true(hash64(SV("")) == 0x2D06800538D394C2u);
    assert_true(hash64((struct sv){ NULL, 0 }) == 0x2D06800538D394C2u);
    assert_true(hash64(SV("a")) == 0xE6C632B61E964E1Fu);
    assert_true(hash64(SV("abc")) == 0x78AF5F94892F3950u);
    assert_true(hash64((struct sv){ "a\0b", 3 }) != hash64(SV("a")));
}

static void test_pieces_are_the_whole(void **state)
{
    (void)state;
    char text[3000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * i % 251);
    for (size_t n = 0; n <= sizeof text; n += 1 + n / 3)
        for (size_t step = 1; step < 700; step = 3 * step + 1) {
            struct hash *h = hash_new();
            for (size_t at = 0; at < n; at += step)
                hash_add(h, (struct sv){ text + at, n - at < step ? n - at : step });
            assert_true(hash_end(h) == hash64((struct sv){ text, n }));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_xxh3),
        cmocka_unit_test(test_pieces_are_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
