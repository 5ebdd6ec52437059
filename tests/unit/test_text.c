// SPDX-License-Identifier: MIT
/*
 * test_text.c — word tokens; keys of names; search terms
 */
#include "unit.h"

#include "analyzer.h"
#include "buf.h"
#include "text.h"

/* Tokens joined by "|", numbers with "#", marks with "!" before them. */
static void join_words(struct sv s, struct buf *b)
{
    static const char *const kinds[] = { "", "#", "!" };
    struct word w;
    size_t n = 0, last = 0;
    for (size_t pos = 0; word_next(s, &pos, &w); n++) {
        assert_true(w.start >= last && w.end > w.start && w.end <= s.n && pos == w.end);
        last = w.end;
        if (n)
            buf_char(b, '|');
        buf_str(b, kinds[w.kind]);
        buf_sv(b, sv_from_to(s, w.start, w.end));
    }
    assert_int_equal(word_count(s), n);
}

static void test_words(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "", "" },
        { " \t\n", "" },
        { "One two.", "One|two|!." },
        { "87Sr/86Sr = 0.7092", "87Sr|!/|86Sr|!=|#0|!.|#7092" },
        { "δ¹⁸O of −5‰", "δ¹⁸O|of|!−|#5|!‰" },
        { "⁸⁷Sr", "⁸⁷Sr" },
        { "don't stop--now", "don|!'|t|stop|!-|!-|now" },
        { "玄武岩 and ガラス", "玄|武|岩|and|ガ|ラ|ス" },
        { "e\xCC\x81t\xC3\xA9", "e\xCC\x81t\xC3\xA9" },
        { "geo\xC2\xAD"
          "chem",
          "geo\xC2\xAD"
          "chem" },
        { "=\xCC\xB8 x", "!=\xCC\xB8|x" },
        { "a\xC2\xA0"
          "b\xE2\x80\x89"
          "c",
          "a|b|c" },
        { "10³ m²", "#10³|m²" },
        { "x\x01y", "x|y" },
    };
    (void)state;
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_reset(&b);
        join_words(sv_from(cases[i].text), &b);
        assert_string_equal(buf_cstr(&b), cases[i].want);
    }
    buf_release(&b);
}

static void test_keys(void **state)
{
    static const struct {
        const char *name, *want;
        unsigned flags;
    } cases[] = {
        { "", "", 0 },
        { "  \n ", "", 0 },
        { "  Mid-Ocean   Ridge\tBasalt ", "mid-ocean ridge basalt", 0 },
        { "Mid–Ocean Ridge", "mid-ocean ridge", 0 },
        { "δ 18 O", "δ18o", 0 },
        { "d18O", "δ18o", 0 },
        { "⁸⁷Sr/⁸⁶Sr ratio", "87sr/86sr ratio", 0 },
        { "87 Sr/ 86 Sr ratio", "87sr/86sr ratio", 0 },
        { "Fe(III) oxide", "fe3+ oxide", 0 },
        { "U–Pb dating", "u-pb dating", 0 },
        { "uranium-238", "238u", 0 },
        { "Co", "co", 0 },
        { "CO", "=CO", 0 },
        { "=CO", "=CO", 0 },
        { "CO flux", "=CO flux", 0 },
        { "Hf", "hf", 0 },
        { "HF", "=HF", 0 },
        { "PB", "=PB", 0 },
        { "MG", "=MG", 0 },
        { "MG CONTENT", "mg content", 0 },
        { "Earth’s mantle", "earth's mantle", 0 },
        { "Basalts", "basalts", 0 },
        { "Basalts", "basalt", TEXT_KEY_SINGULAR },
        { "Zircon grains", "zircon grain", TEXT_KEY_SINGULAR },
        { "REE anomalies", "ree anomaly", TEXT_KEY_SINGULAR },
        { "gneisses", "gneiss", TEXT_KEY_SINGULAR },
        { "gneiss", "gneiss", TEXT_KEY_SINGULAR },
        { "analysis", "analysis", TEXT_KEY_SINGULAR },
        { "heat fluxes", "heat flux", TEXT_KEY_SINGULAR },
        { "noble gas", "noble gas", TEXT_KEY_SINGULAR },
        { "Cs", "cs", TEXT_KEY_SINGULAR },
        { "Müller", "müller", 0 },
        { "Mu\xCC\x88ller", "müller", 0 },
    };
    (void)state;
    struct buf b = BUF_INIT, again = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_reset(&b);
        buf_reset(&again);
        text_key(sv_from(cases[i].name), cases[i].flags, &b);
        assert_string_equal(buf_cstr(&b), cases[i].want);
        text_key(buf_view(&b), cases[i].flags, &again);
        assert_string_equal(buf_cstr(&again), cases[i].want);
    }
    buf_str(&again, "x");
    text_key(SV("Y"), 0, &again); /* appends */
    assert_sv(sv_from_to(buf_view(&again), again.len - 2, again.len), "xy");
    buf_release(&b);
    buf_release(&again);
}

/* Terms joined by blanks, second readings with "+". */
static void join_terms(const struct analyzer *a, struct sv s, struct buf *b)
{
    struct terms *t = terms_new(a);
    struct term term;
    bool first = true;
    terms_start(t, s);
    while (terms_next(t, &term)) {
        assert_true(term.end > term.start && term.end <= s.n);
        assert_false(first && term.same);
        assert_int_equal(term.text.p[term.text.n], '\0');
        buf_printf(b, "%s%s%.*s", first ? "" : " ", term.same ? "+" : "", SV_ARG(term.text));
        first = false;
    }
    terms_free(t);
}

static void check_terms(const struct analyzer_options *options, const char *text,
                        const char *want)
{
    struct err err;
    struct analyzer *a = analyzer_new(NULL, options, &err);
    struct buf b = BUF_INIT;
    assert_non_null(a);
    join_terms(a, sv_from(text), &b);
    assert_string_equal(buf_cstr(&b), want);
    buf_release(&b);
    analyzer_free(a);
}

static void test_terms(void **state)
{
    static const char *const cases[][2] = {
        { "", "" },
        { "the of and", "" },
        { "dissolved basalts of the Earth's mantle", "dissolv basalt earth mantl" },
        { "δ¹⁸O δ18O d18O", "δ18o +18o δ18o +18o δ18o +18o" },
        { "δ 18 O and delta 18O", "δ18o +18o δ18o +18o" },
        { "⁸⁷Sr/⁸⁶Sr", "87sr/86sr +87sr +86sr" },
        { "87 Sr/ 86 Sr", "87sr/86sr +87sr +86sr" },
        { "87 Sr/86 Sr", "87sr/86sr +87sr +86sr" },
        { "238U U-238 uranium-238", "238u 238u 238u" },
        { "SiO₂ SiO2 SiO 2", "sio2 sio2 sio2" },
        { "Fe³⁺ Fe3+ Fe(III) Fe2+", "fe3+ fe3+ fe3+ fe2+" },
        { "εNd eNd ε Nd", "εnd εnd εnd" },
        { "U-Pb, U–Pb, Ar-Ar", "u-pb +u +pb u-pb +u +pb ar-ar +ar" },
        { "U, K and S in Co or CO", "u k s co =CO" },
        { "wt.% wt% wt. %", "wt% wt% wt%" },
        { "0.7092 1,200 10⁻³ 10-3 10^{-3}", "0.7092 1200 10-3 10 +10-3 3 10-3" },
        { "W m⁻²", "w m-2" },
        { "LA-ICP-MS", "la +la-icp-ms icp ms" },
        { "trace-elements", "trace +trace-element element" },
        { "state-of-the-art", "state +state-of-the-art art" },
        { "Müller's Mu\xCC\x88ller", "müller müller" },
        { "δ18Osw", "δ18o +18o sw" },
        { "玄武岩", "玄 武 岩" },
        { "As in As-rich and As", "as rich as" },
        { "geo\xC2\xAD"
          "chemical geochemical",
          "geochem geochem" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_terms(NULL, cases[i][0], cases[i][1]);
    check_terms(&(struct analyzer_options){ .no_stem = true }, "dissolved basalts of it",
                "dissolved basalts");
    check_terms(&(struct analyzer_options){ .no_stop = true }, "basalts of it", "basalt of it");
    check_terms(&(struct analyzer_options){ .no_chem = true }, "SiO2 U-Pb", "sio2 u +u-pb pb");
    check_terms(&(struct analyzer_options){ .no_same = true }, "⁸⁷Sr/⁸⁶Sr x-rays",
                "87sr/86sr x ray");
}

static void test_stop_file(void **state)
{
    char path[] = "/tmp/gr-stop-XXXXXX";
    struct err err;
    struct buf b = BUF_INIT;
    (void)state;
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fputs("# comment\r\nBasalt\r\n\nbasalt\n", f);
    fclose(f);
    struct analyzer *a = analyzer_new(path, NULL, &err);
    assert_non_null(a);
    join_terms(a, SV("the basalt Basalt glass"), &b);
    assert_string_equal(buf_cstr(&b), "the glass");
    struct analyzer *plain = analyzer_new(NULL, NULL, &err);
    assert_string_not_equal(analyzer_name(a), analyzer_name(plain));
    analyzer_free(plain);
    analyzer_free(a);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("ok\n\xFF\n", f);
    fclose(f);
    assert_null(analyzer_new(path, NULL, &err));
    assert_int_equal(err.code, EXIT_FATAL);
    remove(path);
    assert_null(analyzer_new(path, NULL, &err));
    assert_int_equal(err.code, EXIT_FATAL);
    analyzer_free(NULL);
    terms_free(NULL);
    buf_release(&b);
}

static void test_has_word(void **state)
{
    (void)state;
    struct sv words = SV("shift|change");
    assert_true(text_has_word(SV("a shift of 2"), words));
    assert_true(text_has_word(SV("Shifts"), words));
    assert_true(text_has_word(SV("\xce\xb4"
                                 "13C-change"),
                              words));
    assert_false(text_has_word(SV("cation exchange"), words));
    assert_false(text_has_word(SV("redshift, changed"), words));
    assert_false(text_has_word(SV(""), words));
    assert_false(text_has_word(SV("shift"), SV("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_has_word),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_keys),      cmocka_unit_test(test_terms),
        cmocka_unit_test(test_stop_file),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
