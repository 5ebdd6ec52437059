// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_samples.c — labels that are samples, and labels that are not
 */
#include "unit/gr-triples.h"

#include "buf.h"
#include "sample.h"

static void check(const char *text, const char *want)
{
    struct entities names = { 0 };
    struct buf got = BUF_INIT;
    vocab_scan(vocab, sv_from(text), &names);
    samples_find(sv_from(text), &names);
    for (size_t i = 0; i < names.n; i++) {
        assert_true(i == 0 || names.items[i - 1].end <= names.items[i].start);
        if (strcmp(names.items[i].type, "sample") != 0)
            continue;
        buf_str(&got, got.len ? " " : "");
        buf_str(&got, names.items[i].notation);
    }
    if (strcmp(buf_cstr(&got), want) != 0)
        fail_msg("%s: \"%s\", not \"%s\"", text, buf_cstr(&got), want);
    buf_release(&got);
    entities_release(&names);
}

static void test_labels(void **state)
{
    (void)state;
    check("Basalt GX-01 has MgO.", "GX-01");
    check("The lavas (GX-01 and GX-02) have Nd.", "GX-01 GX-02");
    check("Of GX-01, GX-02 and GX-07 the last yielded Ar.", "");
    check("GX-01, GX-02 and GX-07 yielded Ar.", "GX-01 GX-02 GX-07");
    check("We used samples 12A\xe2\x80\x93"
          "14C and 15B.",
          "12A 14C 15B");
    check("IODP Site U1439 and Hole 735B; later U1439.", "U1439 735B U1439");
    check("Cores Xy-10 and Ab-23 were cut.", "Xy-10 Ab-23");
    check("Granite 06KA12 contains biotite; 06KA12 is red.", "06KA12 06KA12");
    check("Sample BH-12 was crushed; in BH-13 is Ni.", "BH-12 BH-13");
    check("In (GX-01, GX-02) and elsewhere GX-03.", "GX-01 GX-02 GX-03");
    check("Of NWA 7034 and ALH 84001.", "NWA 7034 ALH 84001");
    check("The dacite DV-14-02b has quartz.", "DV-14-02b");
}

static void test_others(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "BCR-2 and BHVO-2 have 12 ppm Nd.",
        "Grant EAR-0738776 and award OCE-1234567 are thanked.",
        "A CAMECA SX-100 and a JEOL JXA-8230 have crystals.",
        "See Fig. 3A, Figs. 4B and 5C, Table S1, Section 2B.",
        "Olivine Fo90 has 5 ppm Li, plagioclase An45 is zoned.",
        "SiO2, Fe2O3 and CO2-H2O; U-238 has decayed, K-40 was lost.",
        "Stage MIS-5 is warm; 3D models have PM10.",
        "Type IIB has N; Group 2B has Mg; Zone 4A has Fe.",
        "In 2015A the A-12 was flown over Z9.",
        "W-1, T-2",
        "\xc3\xa4GX-01 has Fe",
        "GX-",
        "1",
        "A1",
        "",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        check(texts[i], "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_labels),
                                        cmocka_unit_test(test_others) };
    return cmocka_run_group_tests(tests, load_words, unload_words);
}
