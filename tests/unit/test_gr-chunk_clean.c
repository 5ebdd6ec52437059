// SPDX-License-Identifier: MIT
/*
 * test_gr-chunk_clean.c — each cleaning step, and the way back to the source
 */
#include "unit.h"

#include "clean.h"
#include "utf8.h"

static const struct {
    unsigned steps;
    const char *in, *out;
} table[] = {
    { CLEAN_ALL, "", "" },
    { CLEAN_ALL, "  \n ", "" },
    { CLEAN_ALL, " a\t b \r\n c\n\n\n d ", "a b\nc\n\nd" },
    { CLEAN_SPACE, "a\fb", "a\n\nb" },
    { CLEAN_CONTROL,
      "a\x01\xC2\xAD\xE2\x80\x8B"
      "b",
      "ab" },
    { CLEAN_LIGATURE,
      "\xEF\xAC\x81nd o\xEF\xAC\x83"
      "ce",
      "find office" },
    { CLEAN_HYPHEN, "plagio-\nclase", "plagioclase" },
    { CLEAN_HYPHEN, "plagio- \r\n  clase", "plagioclase" },
    { CLEAN_HYPHEN, "LA-ICP-\nMS", "LA-ICP-MS" },
    { CLEAN_HYPHEN, "Mg-\nrich olivine", "Mg-rich olivine" },
    { CLEAN_HYPHEN, "Plagio-\nclase", "Plagioclase" },
    { CLEAN_HYPHEN, "Mg-\nolivine", "Mg-olivine" },
    { CLEAN_HYPHEN, "garnet-\nbearing", "garnet-bearing" },
    { CLEAN_HYPHEN, "a -\nb", "a -\nb" },
    { CLEAN_HYPHEN, "a-\n\nb", "a-\n\nb" },
    { CLEAN_HYPHEN, "-\nb", "-\nb" },
    { CLEAN_NOTATION, "87 Sr/ 86 Sr", "87Sr/86Sr" },
    { CLEAN_NOTATION, "in SiO 2 rich", "in SiO2 rich" },
    { CLEAN_NOTATION, "H2O", "H2O" },
    { CLEAN_NOTATION, "10\xE2\x81\xBB\xC2\xB3", "10\xE2\x81\xBB\xC2\xB3" },
    { 0, "a  b\xEF\xAC\x81", "a  b\xEF\xAC\x81" },
    { 0, "e\xCC\x81", "\xC3\xA9" }, /* always NFC */
};

static void test_table(void **state)
{
    (void)state;
    struct clean c = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        clean_run(&c, sv_from(table[i].in), table[i].steps);
        assert_string_equal(buf_cstr(&c.text), table[i].out);
        assert_int_equal(c.n_chars, utf8_count(buf_view(&c.text)));
    }
    clean_release(&c);
}

/* Source positions never decrease, stay inside the source, and a character that was not mended
 * is the same there. */
static void test_source(void **state)
{
    (void)state;
    static const char text[] = " The 87 Sr/ 86 Sr of\xC2\xA0 clinopyrox-\nene is\xE2\x80\x8B "
                               "\xEF\xAC\x81ne\n\n(SiO 2 ).  ";
    struct clean c = { 0 };
    struct sv s = sv_from(text);
    clean_run(&c, s, CLEAN_ALL);
    size_t total = utf8_count(s);
    for (size_t i = 0; i <= c.n_chars; i++) {
        assert_true(c.source[i] <= total);
        assert_true(i == 0 || c.source[i - 1] <= c.source[i]);
    }
    struct sv clean = buf_view(&c.text);
    size_t at = sv_find(clean, SV("is"), 0);
    assert_int_not_equal(at, SIZE_MAX);
    size_t from = utf8_offset(s, c.source[utf8_count(sv_from_to(clean, 0, at))]);
    assert_true(sv_starts(sv_from_to(s, from, s.n), SV("is")));
    assert_int_equal(c.source[c.n_chars], total);
    clean_release(&c);
}

static void test_counts(void **state)
{
    (void)state;
    struct clean c = { 0 };
    clean_run(&c, SV("SiO 2  a-\nb"), CLEAN_ALL);
    assert_int_equal(c.counts[2], 1); /* hyphen */
    assert_int_equal(c.counts[3], 1); /* notation */
    assert_int_equal(c.counts[4], 1); /* space */
    clean_release(&c);
}

static void test_parse(void **state)
{
    (void)state;
    struct err err;
    unsigned steps;
    assert_int_equal(clean_parse("all", &steps, &err), 0);
    assert_int_equal(steps, CLEAN_ALL);
    assert_int_equal(clean_parse("none", &steps, &err), 0);
    assert_int_equal(steps, 0);
    assert_int_equal(clean_parse("space,control", &steps, &err), 0);
    assert_int_equal(steps, CLEAN_SPACE | CLEAN_CONTROL);
    assert_int_equal(clean_parse("", &steps, &err), -1);
    assert_int_equal(clean_parse("space,", &steps, &err), -1);
    assert_int_equal(err.code, EXIT_USAGE);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
