// SPDX-License-Identifier: MIT
/*
 * test_gr-chunk_clean.c — each cleaning step, and the way back to the source
 */
#include "unit.h"

#include "clean.h"
#include "fold.h"
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
    { CLEAN_HYPHEN, "x-\nray", "x-ray" },
    { CLEAN_HYPHEN, "pre-\nand post", "pre- and post" },
    { CLEAN_HYPHEN, "thous-\nand", "thousand" },
    { CLEAN_PAGE, "pH 7-\n8", "pH 7-\n8" },
    { CLEAN_PAGE, "7\n8\nMgO", "7\n8\nMgO" },
    { CLEAN_MARKUP, "a<b and c>d", "a<b and c>d" },
    { CLEAN_HYPHEN, "a -\nb", "a -\nb" },
    { CLEAN_HYPHEN, "a-\n\nb", "a-\n\nb" },
    { CLEAN_HYPHEN, "-\nb", "-\nb" },
    { CLEAN_NOTATION, "87 Sr/ 86 Sr", "87Sr/86Sr" },
    { CLEAN_NOTATION, "in SiO 2 rich", "in SiO2 rich" },
    { CLEAN_NOTATION, "H2O", "H2O" },
    { CLEAN_NOTATION, "10\xE2\x81\xBB\xC2\xB3", "10\xE2\x81\xBB\xC2\xB3" },
    { CLEAN_MARKUP, "10<sup>-3</sup> <i>m</i> CO<sub>2</sub>, a<b <sup>th</sup>",
      "10\xE2\x81\xBB\xC2\xB3 m CO\xE2\x82\x82, a<b th" },
    { CLEAN_ALL, "One.\n12\nTwo.", "One.\nTwo." },
    { CLEAN_ALL, "One.\n\n- 12 -\n\nTwo.", "One.\n\nTwo." },
    { CLEAN_ALL, "One.\nPage 3 of 14\n", "One." },
    { CLEAN_ALL, "x = y\n(12)\nTwo.", "x = y\n(12)\nTwo." }, /* a formula's number */
    { CLEAN_ALL, "12", "12" },
    { CLEAN_ALL, "A.\nDownloaded from x.org by guest\nB.", "A.\nB." },
    { CLEAN_ALL, "A.\n\xC2\xA9 2020 Press. All rights reserved.", "A." },
    { CLEAN_ALL,
      "A.\nThis is an open access article under the CC BY license (Creative Commons).\nB.",
      "A.\nB." },
    { CLEAN_ALL & ~(unsigned)CLEAN_LINES, "A.\n12\nB.", "A.\n12\nB." },
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
        assert_true(clean_source(&c, i) <= total);
        assert_true(i == 0 || clean_source(&c, i - 1) <= clean_source(&c, i));
    }
    struct sv clean = buf_view(&c.text);
    size_t at = sv_find(clean, SV("is"), 0);
    assert_int_not_equal(at, SIZE_MAX);
    size_t from = utf8_offset(s, clean_source(&c, utf8_count(sv_from_to(clean, 0, at))));
    assert_true(sv_starts(sv_from_to(s, from, s.n), SV("is")));
    assert_int_equal(clean_source(&c, c.n_chars), total);
    assert_int_equal(clean_position(&c, total), c.n_chars);
    for (size_t i = 0; i <= c.n_chars; i++) { /* there and back: the first of its source */
        size_t back = clean_position(&c, clean_source(&c, i));
        assert_true(back <= i && clean_source(&c, back) == clean_source(&c, i));
    }
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

static void check(struct clean *c, const char *in, const char *out)
{
    clean_run(c, sv_from(in), CLEAN_ALL);
    assert_string_equal(buf_cstr(&c->text), out);
}

/* What the rest of the paper tells: heads, repeats, words. */
static void test_paper(void **state)
{
    (void)state;
    static const char block[] = "A block of text that is long enough to be told from a phrase "
                                "which may come more than once in one paper.";
    struct paper *paper = paper_new(NULL);
    struct clean c = { .paper = paper };
    paper_add(paper,
              SV("SMITH: MORB 1\nx trace y element z feldspathic half-life\nfeld-\nspar"));
    paper_add(paper, SV("Smith: Morb 22\nx"));
    paper_add(paper, SV("Smith: Morb 3\nrare"));
    check(&c, "Text.\nSmith: MORB 7\nGoes on.", "Text.\nGoes on.");
    check(&c, "Text.\nSmith: Nd\nGoes on.", "Text.\nSmith: Nd\nGoes on.");
    check(&c, block, block);
    check(&c, block, "");
    check(&c, "trace-\nelement", "trace-element");     /* both are words of their own */
    check(&c, "high-\nresolution", "high-resolution"); /* a first half like that */
    check(&c, "Feld-\nspathic", "Feldspathic");
    check(&c, "Na-\ntional", "Na-tional");      /* a symbol, and nothing known of the whole */
    check(&c, "half-\nlife", "half-life");      /* the compound is known */
    check(&c, "feld-\nspathic", "feldspathic"); /* the whole is known */
    check(&c, "feld-\nspar", "feldspar");       /* halves of torn words are no words */
    paper_reset(paper);
    check(&c, block, block);
    clean_release(&c);
    paper_free(paper);
}

static void test_fold(void **state)
{
    (void)state;
    struct buf folded = BUF_INIT, map = BUF_INIT;
    fold_text(&folded, &map, SV("\xCE\x94\xC2\xB9\xE2\x81\xB8O \xEF\xAC\x81ne Caf\xC3\xA9"));
    assert_string_equal(buf_cstr(&folded), "\xCE\xB4"
                                           "18o fine cafe");
    assert_string_equal(buf_cstr(&map), "[[0,0],[7,6]]");
    buf_release(&folded);
    buf_release(&map);
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
        cmocka_unit_test(test_table),  cmocka_unit_test(test_source),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_paper),
        cmocka_unit_test(test_fold),   cmocka_unit_test(test_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
