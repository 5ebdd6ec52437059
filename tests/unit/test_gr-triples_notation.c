// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_notation.c — isotopes that a paper has named before
 */
#include "unit/gr-triples.h"

#include "notation.h"

static void learn(struct notations *list, const char *text)
{
    notations_learn(list, sv_from(text));
    notations_close(list);
}

static void test_spellings(void **state)
{
    (void)state;
    struct notations list = { 0 };
    learn(&list, "The 87 Sr/86 Sr of the \xce\xb4"
                 "18O, (\xc2\xb2\xc2\xb3\xe2\x81\xb8U) and 214Cm; 12 of");
    assert_true(notations_has(&list, 1, sv_from("87Sr/86Sr")));
    assert_true(notations_has(&list, 1, sv_from("87 Sr/86 Sr")));
    assert_true(notations_has(&list, 1, sv_from("86Sr")));
    assert_true(notations_has(&list, 1,
                              sv_from("\xce\xb4"
                                      "18O")));
    assert_true(notations_has(&list, 1, sv_from("\xc2\xb2\xc2\xb3\xe2\x81\xb8U")));
    assert_false(notations_has(&list, 1, sv_from("14C")));
    assert_false(notations_has(&list, 1, sv_from("238U"))); /* another spelling: told anew */
    assert_false(notations_has(&list, 1, sv_from("")));
    assert_false(
        notations_has(&list, 1, sv_from("a name that is longer than any isotope has")));
    notations_release(&list);
}

static void test_records(void **state)
{
    (void)state;
    struct notations list = { 0 }, more = { 0 };
    learn(&list, "nothing here");
    learn(&list, "the 14C age");
    assert_false(notations_has(&list, 0, sv_from("14C")));
    assert_false(notations_has(&list, 1, sv_from("14C")));
    assert_true(notations_has(&list, 2, sv_from("14C")));
    assert_true(notations_has(&list, 9, sv_from("14C")));
    learn(&more, "the 10Be age");
    notations_copy(&more, &list);
    assert_true(notations_has(&more, 1, sv_from("10Be")));
    assert_false(notations_has(&more, 2, sv_from("14C")));
    assert_true(notations_has(&more, 3, sv_from("14C")));
    notations_reset(&more);
    assert_false(notations_has(&more, 9, sv_from("10Be")));
    learn(&more, "7Li");
    assert_true(notations_has(&more, 1, sv_from("7Li")));
    notations_release(&list);
    notations_release(&more);
}

/* What is said again is kept once, and of hostile texts not all. */
static void test_many(void **state)
{
    (void)state;
    struct notations list = { 0 };
    struct buf text = BUF_INIT;
    for (int i = 0; i < 1000; i++)
        buf_str(&text, "the 18O of it all and everything\n");
    notations_learn(&list, buf_view(&text));
    assert_true(list.text.len < 100);
    buf_reset(&text);
    for (int i = 0; i < 100000; i++)
        buf_printf(&text, "18O%d, ", i);
    notations_learn(&list, buf_view(&text));
    notations_close(&list);
    assert_true(list.text.len < 200000);
    assert_true(notations_has(&list, 1, sv_from("18O")));
    buf_release(&text);
    notations_release(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
