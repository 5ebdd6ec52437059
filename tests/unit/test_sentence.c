// SPDX-License-Identifier: MIT
/*
 * test_sentence.c — where sentences end, and where not
 */
#include "unit.h"

#include "buf.h"
#include "sentence.h"

/* "|" stands between sentences, and is not part of the text. */
static const char *const cases[] = {
    "",
    "One sentence",
    "One. |Two! |Three? |Four.",
    "Smith et al. (2001) and Jones et al. 2003 found it. |We did not.",
    "It was found by Jones et al. |The value is low.",
    "As Fig. 3 and Figs. 4–5 show (Fig. 2A), it is. |See Eq. (3).",
    "It holds 50 wt.% SiO2 and ca. 3 ppm, e.g. in Sec. 3, i.e. Not all.",
    "The value is 0.7092. |The next is 3.5 cm. |Ages are 5 min. |Then it ends.",
    "J. D. Smith and A. B. Jones came. |They left.",
    "Planktic N. pachyderma and Deflandrea sp. were found. |Cibicides spp. too.",
    "It goes on... and on... |But here it ends… |Now.",
    "He said \"No.\" |She said “Yes.” |(See the text.) |Done.",
    "As shown before [12]. |The value is low. [12] |The next (Smith, 2001). |End.",
    "It is known. (Smith and Jones, 2001). |The next is.",
    "Low values.12 |The next.3,4 |And values.¹² |End v.2 of it.",
    "Sample No. 5 is it. |There is no. |No. 7 too.",
    "One paragraph\n\n|Another one \n \t\n|A third\nline goes on.",
    "Was measured.|The blank was lost, not in www.a.b or 3.Five.",
    "It is low. |δ18O is not. |pH is. |d18O too. but this goes on.",
    "Elements Ti and Al. |Sampling sites.",
    "It holds 2 wt% H2O. |Runs lasted 2 h. |Then K2O. |Melts hold H 2 O. |Glass too.",
    "A fluid of 6 wt% equiv. NaCl boiled. |Fluids of 6 wt% NaCl equiv. |The end.",
    "See vol. 3 J. Petrol. and type 2 A. Smith.",
    "The U.S. Geological Survey is in the U.S. |It is large.",
    "1. Introduction. |2.1. Methods and A. Results.",
    "第一。|第二！|第三",
    "Mt. Etna and St. Helens erupted vs. Dr. Smith.",
    "What?! |Yes!! |No.",
    "It held 0.5 wt% H2O. |Experiments ran in K2O and H 2 O. |Sample GX-1A.",
    "Basalt by J. Smith.",
    "Salinity is 6 wt.% equiv. NaCl, of 2 wt.% NaCl equiv. |The rest is K₂O. |None.",
    "by Robert et al. in press",
    "ends with spaces.  |Then   \n",
};

static void check(const struct splitter *s, const char *marked)
{
    struct buf text = BUF_INIT, got = BUF_INIT;
    struct sentence one;
    size_t n = 0, last = 0;
    for (const char *p = marked; *p; p++)
        if (*p != '|')
            buf_char(&text, *p);
    struct sv t = { buf_cstr(&text), text.len };
    for (size_t pos = 0; sentence_next(s, t, &pos, &one); n++) {
        buf_sv(&got, sv_from_to(t, last, one.start));
        if (n)
            buf_char(&got, '|');
        buf_sv(&got, sv_from_to(t, one.start, one.end));
        last = one.end;
    }
    buf_sv(&got, sv_from_to(t, last, t.n));
    assert_string_equal(buf_cstr(&got), marked);
    assert_int_equal(sentence_count(s, t), n);
    buf_release(&text);
    buf_release(&got);
}

static void test_table(void **state)
{
    struct err err;
    struct splitter *s = splitter_new(NULL, &err);
    (void)state;
    assert_non_null(s);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check(s, cases[i]);
    splitter_free(s);
    splitter_free(NULL);
}

static void test_file(void **state)
{
    char path[] = "/tmp/gr-abbr-XXXXXX";
    struct err err;
    (void)state;
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fputs("# mine\n=Xyz.\nabc\n+foo.\n=see def\nSediment.\n", f);
    fclose(f);
    struct splitter *s = splitter_new(path, &err);
    assert_non_null(s);
    check(s, "A Xyz. The end. |An abc. Geology of abc. |The end. |A foo. |Bar and foo. 5 too.");
    check(s, "In Sediment. Geology. |Of sediment. |Geology.");
    check(s, "As Fig. The built-in ones stay, def. The end.");
    splitter_free(s);
    remove(path);
    assert_null(splitter_new(path, &err));
    assert_int_equal(err.code, EXIT_FATAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_file),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
