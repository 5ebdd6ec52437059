// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_words.c — keys of words, lists of words, and what a sentence keeps of them
 */
#include "unit/gr-triples.h"

#include "clause.h"
#include "words.h"

static uint64_t key_of(const char *word)
{
    return words_key(word, strlen(word));
}

/* A key knows letters in any case, eight of them, and how many there are up to eight. */
static void test_keys(void **state)
{
    (void)state;
    assert_true(key_of("zircon") == key_of("ZirCON"));
    assert_true(key_of("zircon") != key_of("zircons"));
    assert_true(key_of("a") != key_of("aa"));
    assert_true(key_of("inclusion") == key_of("inclusions")); /* the rest is compared apart */
    assert_true(key_of("inclusio") == key_of("inclusion"));
    assert_true(key_of("na\xc3\xafve") == key_of("NA\xc3\xafVE"));
    assert_true(key_of("") == 0);
}

/* The key of a word in a text is that of the word alone, wherever it stands. */
static void test_keys_in_texts(void **state)
{
    (void)state;
    const char *const words[] = {
        "a", "of", "Zircon", "inclusion", "d\xc3\xa9pos\xc3\xa9", "x2"
    };
    for (size_t pad = 0; pad < 10; pad++)
        for (size_t i = 0; i < ARRAY_LEN(words); i++) {
            struct buf text = BUF_INIT;
            size_t n = strlen(words[i]);
            buf_printf(&text, "%.*s%s%.*s", (int)pad, "          ", words[i], (int)(9 - pad),
                       "|ABCDEFGH");
            assert_true(words_key_in(buf_view(&text), pad, pad + n) == key_of(words[i]));
            buf_release(&text);
        }
}

/* No word is folded to the number of what is no word. */
static void test_folds(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < 100000; key++) {
        assert_true(words_fold(key) > 0);
        assert_true(words_fold(key) < 1 << WORDS_FOLD_BITS);
    }
}

static void test_list(void **state)
{
    (void)state;
    WORDS(verbs, "has", "contains", "transformed", "transforms");
    assert_true(words_have(&verbs, SV("has")));
    assert_true(words_have(&verbs, SV("Contains")));
    assert_true(words_have(&verbs, SV("TRANSFORMED")));
    assert_false(words_have(&verbs, SV("transform")));
    assert_false(words_have(&verbs, SV("transforming")));
    assert_false(words_have(&verbs, SV("hash")));
    assert_false(words_have(&verbs, SV("ha")));
    assert_false(words_have(&verbs, SV("")));
}

/* A list read from a file may have many words, and any bytes. */
static void test_list_of_many(void **state)
{
    (void)state;
    struct words *list = words_new();
    struct buf word = BUF_INIT;
    for (unsigned i = 0; i < 3000; i += 2) {
        buf_reset(&word);
        buf_printf(&word, "Word %u", i);
        words_add(list, buf_view(&word));
    }
    for (unsigned i = 0; i < 3000; i++) {
        buf_reset(&word);
        buf_printf(&word, "word %u", i);
        assert_int_equal(words_have(list, buf_view(&word)), i % 2 == 0);
    }
    buf_release(&word);
    words_free(list);
    struct words *none = words_new();
    assert_false(words_have(none, SV("word")));
    words_free(none);
    words_free(NULL);
}

/* Words, names and marks of a sentence: only words are asked for as words. */
static void test_clause(void **state)
{
    (void)state;
    WORDS(verbs, "holds", "contains");
    WORDS(others, "lacks");
    WORDS(names, "zircon", "12");
    struct sv text = SV("The zircon holds inclusions, isn't old and has 12.");
    struct entity zircon = { .start = 4, .end = 10, .type = "mineral" };
    struct entities list = { &zircon, 1, 1 };
    struct quantities quantities = { 0 };
    struct clause c = { 0 };
    clause_fill(&c, text, 0, text.n, &list, &quantities);
    assert_true(clause_is_word(&c, 0, "the"));
    assert_ptr_equal(clause_name(&c, 1), &zircon);
    assert_false(clause_is_word(&c, 1, "zircon"));
    assert_false(clause_word_in(&c, 1, &names));
    assert_true(clause_word_in(&c, 2, &verbs));
    assert_true(clause_is_word(&c, 3, "inclusions"));
    assert_false(clause_is_word(&c, 3, "inclusion"));
    assert_true(clause_is_mark(&c, 4, ','));
    assert_false(clause_word_in(&c, 4, &verbs));
    assert_true(clause_class(&c, 5) & W_NOT); /* "isn't" */
    assert_true(clause_word_in(&c, 9, &names));
    assert_false(clause_word_in(&c, 99, &names));
    assert_false(clause_is_word(&c, 99, "the"));
    assert_true(clause_may_have(&c, &verbs));
    assert_false(clause_may_have(&c, &others));
    clause_fill(&c, text, 0, 3, &list, &quantities);
    assert_false(clause_may_have(&c, &verbs)); /* of the sentence before */
    clause_release(&c);
}

/* "not only" denies nothing; "not" alone, and "only" alone, do what they do. */
static void test_not_only(void **state)
{
    (void)state;
    struct entities names = { 0 };
    struct quantities quantities = { 0 };
    struct clause c = { 0 };
    struct sv text = SV("not only, not just, not often only");
    clause_fill(&c, text, 0, text.n, &names, &quantities);
    assert_false(clause_class(&c, 0) & W_NOT);
    assert_false(clause_class(&c, 3) & W_NOT);
    assert_true(clause_class(&c, 6) & W_NOT);
    clause_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),         cmocka_unit_test(test_keys_in_texts),
        cmocka_unit_test(test_folds),        cmocka_unit_test(test_list),
        cmocka_unit_test(test_list_of_many), cmocka_unit_test(test_clause),
        cmocka_unit_test(test_not_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
