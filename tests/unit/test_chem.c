// SPDX-License-Identifier: MIT
/*
 * test_chem.c — chemical notation: what is found in a line, and what is left alone
 */
#include "unit.h"

#include "buf.h"
#include "chem.h"

/* All matches of the text: "kind:form", weak ones with "?", joined by blanks. */
static void find_all(struct sv s, struct buf *b)
{
    struct chem c;
    for (size_t pos = 0; chem_next(s, &pos, &c);) {
        assert_true(c.end > c.start && c.end <= s.n && pos == c.end);
        assert_int_equal(strlen(c.text), c.n);
        buf_printf(b, "%s%s%s:%s", b->len ? " " : "", chem_kind_name(c.kind), c.weak ? "?" : "",
                   c.text);
    }
}

static const char *const found[][2] = {
    /* δ, in all its spellings */
    { "δ¹⁸O", "delta:δ18O" },
    { "δ18O", "delta:δ18O" },
    { "d18O", "delta:δ18O" },
    { "δ 18 O", "delta:δ18O" },
    { "delta 18O", "delta:δ18O" },
    { "Delta-18O", "delta:δ18O" },
    { "δ^{18}O", "delta:δ18O" },
    { "δ^18O", "delta:δ18O" },
    { "$\\delta^{18}$O", "delta:δ18O" },
    { "\\delta^{18}\\mathrm{O}", "delta:δ18O" },
    { "d 18 O", "delta?:δ18O" },
    { "𝛿18O", "delta:δ18O" },
    { "δ18Osw δ13CVPDB δ13Corg", "delta:δ18O delta:δ13C delta:δ13C" },
    { "δ44/40Ca δD dD Δ14C Δ47 δEu", "delta:δ44/40Ca delta:δD delta:δD delta:Δ14C delta:Δ47 "
                                     "delta:δEu" },
    /* ε */
    { "εNd eNd ε Nd ε_Nd \\epsilon_{Nd} epsilon Nd", "epsilon:εNd epsilon:εNd epsilon:εNd "
                                                     "epsilon:εNd epsilon:εNd epsilon:εNd" },
    { "εNd(t) ε182W γOs μ142Nd", "epsilon:εNd epsilon:ε182W epsilon:γOs epsilon:μ142Nd" },
    /* isotopes */
    { "⁸⁷Sr 87Sr ^{87}Sr U-238 uranium-238 carbon 14",
      "isotope:87Sr isotope:87Sr isotope:87Sr isotope:238U isotope:238U isotope:14C" },
    { "10 Be and 18 O", "isotope?:10Be isotope?:18O" },
    { "lead-207 Strontium-87 caesium-137", "isotope:207Pb isotope:87Sr isotope:137Cs" },
    /* ratios and systems */
    { "⁸⁷Sr/⁸⁶Sr", "ratio:87Sr/86Sr" },
    { "87 Sr/ 86 Sr", "ratio:87Sr/86Sr" },
    { "87 Sr/86 Sr", "ratio:87Sr/86Sr" },
    { "$^{87}$Sr/$^{86}$Sr", "ratio:87Sr/86Sr" },
    { "87Sr/86Sri", "ratio:87Sr/86Sr" },
    { "40 K/40 Ar", "ratio:40K/40Ar" },
    { "Sr/Ca Eu/Eu* FeO/MgO FeOt/MgO Fe3+/Fe2+",
      "element_ratio:Sr/Ca element_ratio:Eu/Eu* element_ratio:FeO/MgO element_ratio:FeOT/MgO "
      "element_ratio:Fe3+/Fe2+" },
    { "(La/Yb) C/N", "element_ratio:La/Yb element_ratio?:C/N" },
    { "U-Pb Rb–Sr 40Ar-39Ar U-Th-Pb",
      "system:U-Pb system:Rb-Sr system:40Ar-39Ar system:U-Th-Pb" },
    { "(U-Th)/He", "system:(U-Th)/He" },
    /* formulas */
    { "SiO₂ SiO2 SiO_2 SiO$_2$", "formula:SiO2 formula:SiO2 formula:SiO2 formula:SiO2" },
    { "SiO 2 and H 2 O, Al 2 O 3", "formula:SiO2 formula:H2O formula:Al2O3" },
    { "CaSO4·2H2O CaSO4.2H2O", "formula:CaSO4·2H2O formula:CaSO4·2H2O" },
    { "(Mg,Fe)2SiO4 Ca(OH)2", "formula:(Mg,Fe)2SiO4 formula:Ca(OH)2" },
    { "(Mg0.9Fe0.1)2SiO4", "formula:(Mg0.9Fe0.1)2SiO4" },
    { "(SiO2) and (Ca,Mg)", "formula:SiO2 element:Ca element:Mg" },
    { "PbS NiAs CO HF 13CO2", "formula:PbS formula:NiAs formula:CO formula:HF formula:13CO2" },
    /* ions */
    { "Fe³⁺ Fe3+ Fe(III) Fe^{3+} Fe 3+", "ion:Fe3+ ion:Fe3+ ion:Fe3+ ion:Fe3+ ion:Fe3+" },
    { "SO42- SO₄²⁻ SO4 2-", "ion:SO42- ion:SO42- ion:SO42-" },
    { "NO3- NH4+ Na+ Cl- UO22+", "ion:NO3- ion:NH4+ ion:Na+ ion:Cl- ion:UO22+" },
    { "HCO3 −, Na + in it; Na + K, NO3 – a",
      "ion:HCO3- ion:Na+ element:Na element?:K formula:NO3" },
    /* references fused to them */
    { "SiO24 Al2O312 CO25 H2O7 K2O12",
      "formula:SiO2 formula:Al2O3 formula:CO2 formula:H2O formula:K2O" },
    { "FeO6 MgSiO6 C12H22O11 H2O2 SO42-",
      "formula:FeO6 formula:MgSiO6 formula:C12H22O11 formula:H2O2 ion:SO42-" },
    { "2,400 ppm Ni3 and 4 wt% Fe12", "element:Ni element:Fe" },
    /* masses behind symbols, and two before one */
    { "Sr87/Sr86 Pb206/204 He3/He4", "ratio:87Sr/86Sr ratio:206Pb/204Pb ratio:3He/4He" },
    { "87/86Sr 40/39 Ar 206/204Pb", "ratio:87Sr/86Sr ratio:40Ar/39Ar ratio:206Pb/204Pb" },
    /* letters of old fonts */
    { "Ca2 + and Mg2 + in SO4 2 −,", "ion:Ca2+ ion:Mg2+ ion:SO42-" },
    { "0.4% K20, 2 wt% C02, 1 ppm H20; K20", "formula:K2O formula:CO2 formula:H2O" },
    { "87Sr:86Sr, Sr:Ca", "ratio:87Sr/86Sr element:Sr element:Ca" },
    { "He isotopes in it", "element:He" },
    { "e Nd of +8.1, e Hf(t) = 3, e Nd values", "epsilon:εNd epsilon:εHf epsilon:εNd" },
    { "D47 of 0.65, D48 = 0.2, D47 values", "delta:Δ47 delta:Δ48 delta:Δ47" },
    /* elements */
    { "Sr and U; As-rich, so As", "element:Sr element?:U element?:As element?:As" },
    { "Ga, In, and Tl", "element:Ga element?:In element:Tl" },
};

/* Nothing here is chemistry. */
static const char *const nothing[] = {
    "In At No I",
    "In the end. He said so. As shown. At first. No, I think.",
    "BHVO-2 BHVO2 PCs VOCs USA UV ICP-MS GEOROC",
    "40 K, 12 V, 100 W, 2.5 Ga, 5 Pa, 20 °C",
    "Fig. 12 C shows",
    "J. S. Smith and K. B. Jones",
    "C. Ho, D. Fe and E. Pd, F. Os,",
    "La Palma",
    "Li et al. (2001), Table S2",
    "I-V curves",
    "Re-evaluation",
    "N-S and I/O; S-type, I-type",
    "16S rRNA, 3D, 20K, 2nd, 1990s",
    "Cohen Snow Coin Than",
    "0.7092 Sr0.5x 1.87Srx",
    "xSr Srx aδ18O",
    "$5 and \\alpha ^ _ { } (",
    "2H2Ox",
    "sample D47 is a rock, D47",
    "delta epsilon deltas",
};

static void test_found(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(found); i++) {
        buf_reset(&b);
        find_all(sv_from(found[i][0]), &b);
        assert_string_equal(buf_cstr(&b), found[i][1]);
    }
    buf_release(&b);
}

static void test_nothing(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(nothing); i++) {
        find_all(sv_from(nothing[i]), &b);
        assert_string_equal(buf_cstr(&b), "");
    }
    buf_release(&b);
}

static void test_ranges(void **state)
{
    struct chem c;
    struct sv s = SV("the ⁸⁷Sr/⁸⁶Sr ratio");
    (void)state;
    assert_false(chem_match(s, 0, &c));
    assert_int_equal(c.kind, CHEM_NONE);
    assert_true(chem_match(s, 4, &c));
    assert_int_equal(c.start, 4);
    assert_int_equal(c.end, s.n - strlen(" ratio"));
    assert_int_equal(c.n_parts, 2);
    assert_memory_equal(c.text + c.parts[1].from, "86Sr", 4);
    assert_false(chem_match(s, s.n, &c));
    assert_true(chem_match(SV("2 H2O"), 2, &c)); /* the count is not part of it */
    assert_string_equal(c.text, "H2O");
    assert_true(chem_match(SV("δ18Osw"), 0, &c)); /* nor is the label */
    assert_int_equal(c.end, 5);
}

static void test_keys(void **state)
{
    static const char *const cases[][2] = {
        { "δ¹⁸O", "δ18o" },
        { "Δ14C", "Δ14c" },
        { "δD", "δ2h" },
        { "⁸⁷Sr/⁸⁶Sr", "87sr/86sr" },
        { "Fe(III)", "fe3+" },
        { "CO", "=CO" },
        { "Co", "co" },
        { "HF", "=HF" },
        { "Hf", "hf" },
        { "CO2", "co2" },
        { "εNd", "εnd" },
        { "U–Pb", "u-pb" },
        { "CaSO4·2H2O", "caso4·2h2o" },
    };
    struct chem c;
    char key[CHEM_MAX];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(chem_match(sv_from(cases[i][0]), 0, &c));
        assert_int_equal(chem_key(&c, key), strlen(cases[i][1]));
        assert_string_equal(key, cases[i][1]);
    }
    assert_true(chem_match(SV("206Pb/238U"), 0, &c));
    assert_int_equal(chem_part_key(&c, 1, key), 4);
    assert_string_equal(key, "238u");
}

static void test_elements(void **state)
{
    (void)state;
    for (int z = 1; z <= 118; z++) {
        assert_int_equal(chem_symbol(sv_from(chem_symbol_of(z))), z);
        assert_int_equal(chem_name(sv_from(chem_name_of(z))), z);
    }
    assert_int_equal(chem_name(SV("Sulphur")), 16);
    assert_int_equal(chem_name(SV("rubble")), 0);
    assert_int_equal(chem_symbol(SV("sr")), 0);
    assert_int_equal(chem_symbol(SV("Sx")), 0);
    assert_int_equal(chem_symbol(SV("")), 0);
    assert_null(chem_symbol_of(0));
    assert_null(chem_name_of(119));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),    cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_ranges),   cmocka_unit_test(test_keys),
        cmocka_unit_test(test_elements),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
