// SPDX-License-Identifier: MIT
/*
 * test_vocab_first.c — no word that begins a name is ever denied; most others are
 */
#include "unit.h"

#include "alloc.h"
#include "vocab.h"
#include "vocab_first.h"

static struct vocab_first *set;

static int start(void **state)
{
    (void)state;
    set = alloc_zero(1, sizeof *set);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    free(set);
    return 0;
}

static bool has(const char *text)
{
    struct sv s = sv_from(text);
    return vocab_first_has(set, s, 0, vocab_run_at(s, 0).n);
}

static bool has_torn(const char *text)
{
    struct sv s = sv_from(text);
    return vocab_first_has_torn(set, s, 0, vocab_run_at(s, 0).n);
}

static void test_runs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        bool has_capital;
    } cases[] = {
        { "", 0, false },
        { "7a", 0, false },
        { "a", 1, false },
        { "Basalt,", 6, false },
        { "basalts ", 7, false },
        { "olivines", 8, false },
        { "mS cm", 2, true },
        { "LA-ICP-MS", 2, true },
        { "Z\nA later line", 1, false },
        { "clinopyroxene (cpx)", 13, false },
        { "clinopyroXene (cpx)", 13, true },
        { "caf\xc3\xa9 au lait", 3, false },
        { "a[\\]^_`{|}~@", 1, false },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct vocab_run run = vocab_run_at(sv_from(cases[i].text), 0);
        assert_int_equal(run.n, cases[i].n);
        assert_true(run.has_capital == cases[i].has_capital);
    }
}

static void test_words(void **state)
{
    (void)state;
    static const char *const names[] = { "basalt",         "clinopyroxene",    "chert",
                                         "sanidinite",     "garnet schist",    "San Juan",
                                         "Earth's crust",  "10-minute burn",   "\xc2\xb2H",
                                         "type I granite", "X-ray diffraction" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        vocab_first_add(set, sv_from(names[i]), vocab_run_at(sv_from(names[i]), 0));
    static const char *const yes[] = { "basalt",        "Basalts",           "BASALT",
                                       "cherts",        "clinopyroxenes",    "garnet schists",
                                       "Garnet schist", "San Juan",          "Earth's",
                                       "type I",        "garnet schist-like" };
    static const char *const no[] = { "basal",  "cher",      "garnets were", "San Marco",
                                      "juan",   "garnet is", "schist",       "garnet, schist",
                                      "garnet", "Earth.",    "type (I)" };
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        assert_true(has(yes[i]));
    for (size_t i = 0; i < ARRAY_LEN(no); i++)
        assert_false(has(no[i]));
    assert_true(has_torn("clinopyrox-ene"));
    assert_true(has_torn("clinopyrox-\nenes"));
    assert_true(has_torn("basalt-like"));
    assert_true(has_torn("X-ray"));
    assert_true(has_torn("a-b-c"));
    assert_false(has_torn("well-known"));
    struct sv number = SV("10 minutes"), other = SV("11 minutes");
    assert_true(vocab_first_has_number(set, number, 0, 2));
    assert_false(vocab_first_has_number(set, other, 0, 2));
    assert_true(vocab_first_has_char(set, '1'));
    assert_true(vocab_first_has_char(set, '2')); /* as a superscript */
    assert_false(vocab_first_has_char(set, '('));
}

/* Every name of the project's vocabularies, alone and with a plural, at the end of a text and
 * inside one. */
static void test_every_name(void **state)
{
    (void)state;
    struct err err;
    struct vocab *v = vocab_load("data/vocab", &err);
    assert_non_null(v);
    struct vocab_first *all = alloc_zero(1, sizeof *all);
    for (uint32_t e = 0; e < vocab_count(v); e++)
        vocab_first_add(all, vocab_name(v, e), vocab_run_at(vocab_name(v, e), 0));
    size_t n_common = 0;
    static const char *const common[] = { "was",     "were",    "found",  "measured",
                                          "however", "their",   "into",   "could",
                                          "while",   "suggest", "because" };
    struct buf text = BUF_INIT;
    for (uint32_t e = 0; e < vocab_count(v); e++) {
        struct vocab_run run = vocab_run_at(vocab_name(v, e), 0);
        static const char *const ends[] = { "", "s", " x", "s and" };
        unsigned char next =
            run.n < vocab_name(v, e).n ? (unsigned char)vocab_name(v, e).p[run.n] : ' ';
        if (run.n == 0 || next >= 0x80 || next == '-' || (next >= '0' && next <= '9'))
            continue;
        for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
            buf_reset(&text);
            buf_sv(&text, vocab_name(v, e));
            buf_str(&text, ends[i]);
            run = vocab_run_at(buf_view(&text), 0);
            assert_true(vocab_first_has(all, buf_view(&text), 0, run.n));
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(common); i++)
        n_common += vocab_first_has(all, sv_from(common[i]), 0, strlen(common[i]));
    assert_true(n_common <= 4);
    buf_release(&text);
    free(all);
    vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_every_name),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
