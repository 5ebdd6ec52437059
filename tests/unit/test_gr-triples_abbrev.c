// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_abbrev.c — what is a definition, what it means, where it holds
 */
#include "unit/gr-triples.h"

#include "abbrev.h"

/* The first definition of a text as "form = name", strict ones with "!"; "": there is none. */
static void first_definition(const char *text, char out[300])
{
    struct sv s = sv_from(text);
    struct definition d;
    out[0] = 0;
    for (size_t i = 1; i < s.n && !out[0]; i++)
        if ((s.p[i] == '(' || s.p[i] == '=' || s.p[i] == ':') && definition_at(s, i, &d))
            snprintf(out, 300, "%.*s = %.*s%s", SV_ARG(d.form), SV_ARG(d.name),
                     d.is_strict ? "!" : "");
}

static void test_definitions(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "from mid-ocean ridge basalts (MORBs) here", "MORB = mid-ocean ridge basalts!" },
        { "the West African Craton (hereafter WAC)", "WAC = West African Craton!" },
        { "the West African Craton (WAC hereafter)", "WAC = West African Craton!" },
        { "a large igneous province (henceforth termed \"LIP\")",
          "LIP = large igneous province!" },
        { "the Deccan Volcanic Province (DVP; India)", "DVP = Deccan Volcanic Province!" },
        { "total organic carbon (TOC, in wt%)", "TOC = total organic carbon!" },
        { "heavy rare earth elements (HREE)", "HREE = heavy rare earth elements!" },
        { "the \xce\xb2-quartz rhyolite (BQR)", "BQR = \xce\xb2-quartz rhyolite!" },
        { "with titanite (Ttn)", "Ttn = titanite" },
        { "second-generation pyrite (Py2)", "Py2 = second-generation pyrite!" },
        { "type 2 basalt (T2B)", "T2B = type 2 basalt!" },
        { "the ridge of the Gakkel region (RGR)", "RGR = ridge of the Gakkel region!" },
        { "as AFG (alkali feldspar granite) is", "AFG = alkali feldspar granite!" },
        { "here Pl (Pleistocene) sand", "Pl = Pleistocene!" },
        { "key: Po = pyrrhotite, Py", "Po = pyrrhotite!" },
        { "of the rock (hereafter X1)", "X1 = rock" },
        { "an age (Ma)", "" },
        { "by Smith (2004)", "" },
        { "by others (Smith et al., 2004)", "" },
        { "of stage (II)", "" },
        { "a granite (AFG)", "" },
        { "the granite (see Fig. 2)", "" },
        { "granite(GR)", "" },
        { "the granite (GR", "" },
        { "(GR)", "" },
        { "x (", "" },
        { "Ti (12 ppm)", "" },
        { "CO (and CO2)", "" },
        { "Fe = Fe2+ + Fe3+", "" },
    };
    char got[300];
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        first_definition(cases[i][0], got);
        if (strcmp(got, cases[i][1]) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", cases[i][0], got, cases[i][1]);
    }
}

static void test_places(void **state)
{
    (void)state;
    static const char *const places[] = { "Karoo Supergroup", "Central Asian Orogenic Belt",
                                          "Xyz igneous complex", "Upper Beds Formation" };
    static const char *const others[] = { "Formation", "granite belt", "Thermal Imaging System",
                                          "Basalt", "" };
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        assert_true(definition_is_place(sv_from(places[i])));
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_false(definition_is_place(sv_from(others[i])));
}

/* What `form` is in text by the definitions of `by`: its name, "-" where nothing stands. */
static void meaning(const char *by, const char *text, const char *form, const char *want)
{
    struct abbrevs forms = { 0 };
    struct entities names = { 0 };
    struct sv s = sv_from(text), got = SV("-");
    abbrevs_reset(&forms);
    abbrevs_learn(&forms, vocab, sv_from(by), 0);
    forms.n_records++;
    abbrevs_sort(&forms);
    vocab_scan(vocab, s, &names);
    abbrevs_find(&forms, 1, s, 0, &names);
    for (size_t i = 0; i < names.n; i++) {
        const struct entity *e = &names.items[i];
        assert_true(i == 0 || names.items[i - 1].end <= e->start);
        if (!e->weak && sv_is(sv_from_to(s, e->start, e->end), form))
            got = entity_name(vocab, e);
    }
    if (!sv_is(got, want))
        fail_msg("%s | %s: \"%.*s\", not \"%s\"", by, text, SV_ARG(got), want);
    abbrevs_release(&forms);
    entities_release(&names);
}

static void test_meanings(void **state)
{
    (void)state;
    meaning("A quartz diorite (QD).", "The QD rocks", "QD", "quartz diorite");
    meaning("A quartz diorite (QD).", "The QD2 rocks", "QD", "-");
    meaning("A quartz diorite (QD).", "The pre-QD rocks", "QD", "-");
    meaning("", "The QD rocks", "QD", "-");
    meaning("At the contact (CO).", "CO and CO2 contents", "CO", "-");
    meaning("At the contact (CO).", "CO and CO2 contents", "CO2", "CO2");
    meaning("Carbon monoxide (CO).", "CO and CO2 contents", "CO", "CO");
    meaning("The Xyz Arc Complex (XAC).", "Rocks of the XAC", "XAC", "Xyz Arc Complex");
    meaning("The Xyz Arc Complex (XAC).", "The Xyz Arc Complex", "Xyz Arc Complex",
            "Xyz Arc Complex");
    meaning("Of zircon (Zr).", "5 ppm Zr and Hf", "Zr", "zirconium");
    meaning("Zr (zircon) is rich.", "5 ppm Zr and Hf", "Zr", "zirconium");
    meaning("In Pl (Pleistocene) sand.", "The Pl sand", "Pl", "Pleistocene");
    meaning("An X-ray diffractometer (XRD).", "By XRD", "XRD", "XRD");
}

static void test_parts(void **state)
{
    (void)state;
    struct abbrevs a = { 0 }, b = { 0 };
    struct entities names = { 0 };
    abbrevs_reset(&a);
    abbrevs_learn(&a, vocab, SV("A quartz diorite (QD)."), 0);
    a.n_records = 3;
    abbrevs_sort(&a);
    abbrevs_copy(&b, &a);
    abbrevs_learn(&b, vocab, SV("A quench dacite (QD)."), 0);
    b.n_records++;
    abbrevs_sort(&b);
    assert_int_equal(b.n, 2);
    struct sv text = SV("The QD rocks");
    for (size_t record = 0; record < 5; record++) {
        vocab_scan(vocab, text, &names);
        abbrevs_find(&b, record, text, 0, &names);
        assert_true(names.n > 0);
        assert_sv(entity_name(vocab, &names.items[0]),
                  record < 3 ? "quartz diorite" : "dacite");
        record += record == 2; /* in number 3 the place counts, not the record */
    }
    abbrevs_release(&a);
    abbrevs_release(&b);
    entities_release(&names);
}

static void test_many(void **state)
{
    (void)state;
    struct abbrevs forms = { 0 };
    struct buf text = BUF_INIT;
    abbrevs_reset(&forms);
    for (char x = 'A'; x <= 'Z'; x++)
        for (char y = 'A'; y <= 'Z'; y++)
            buf_printf(&text, "The %cab %cab Complex (%c%cC). ", x, y, x, y);
    abbrevs_learn(&forms, vocab, buf_view(&text), 0);
    assert_true(forms.n >= 400 && forms.n <= 402); /* hostile texts define thousands */
    buf_release(&text);
    abbrevs_release(&forms);
}

/* The long form of a place may be longer than a name that is kept. */
static void test_long_place(void **state)
{
    (void)state;
    struct abbrevs forms = { 0 }, more = { 0 };
    struct buf text = BUF_INIT;
    abbrevs_reset(&forms);
    abbrevs_reset(&more);
    buf_str(&text, "the northernmost");
    buf_printf(&text, "%.*s undifferentiated carbonaceous Wirrabee Formation (NUCWF).", 60,
               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    abbrevs_learn(&forms, vocab, buf_view(&text), 0);
    assert_true(forms.n >= 1);
    for (size_t i = 0; i < forms.n; i++)
        assert_true(forms.items[i].n <= sizeof forms.items[i].text);
    abbrevs_copy(&more, &forms);
    assert_int_equal(more.n, forms.n);
    buf_release(&text);
    abbrevs_release(&forms);
    abbrevs_release(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions), cmocka_unit_test(test_places),
        cmocka_unit_test(test_meanings),    cmocka_unit_test(test_parts),
        cmocka_unit_test(test_many),        cmocka_unit_test(test_long_place),
    };
    return cmocka_run_group_tests(tests, load_words, unload_words);
}
