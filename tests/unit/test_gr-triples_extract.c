// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_extract.c — sentences and the facts they give, or do not give
 */
#include "unit/gr-triples_extract.h"

#include "rng.h"
#include "utf8.h"

static void facts_of(const char *text, struct buf *out)
{
    struct source source = { .text = sv_from(text), .refs = jv_null(), .has_offsets = true };
    buf_reset(out);
    extract_text(extractor, 0, &source, out);
    buf_cstr(out);
}

/* One line of output as "head | relation | tail". */
static void line_text(struct sv line, struct buf *out)
{
    struct rec r;
    struct err err;
    assert_int_equal(rec_parse(&r, line, &err), 0);
    buf_reset(out);
    buf_sv(out, json_sv(json_get(json_get(r.v, "head"), "name")));
    buf_str(out, " | ");
    buf_sv(out, json_sv(json_get(r.v, "relation")));
    buf_str(out, " | ");
    buf_sv(out, json_sv(json_get(json_get(r.v, "tail"), "name")));
    rec_release(&r);
}

static bool has_fact(struct sv lines, const char *want)
{
    struct buf one = BUF_INIT;
    struct sv line;
    bool found = false;
    while (lines.n && sv_cut(&lines, '\n', &line)) {
        if (!line.n)
            continue;
        line_text(line, &one);
        found |= strcmp(buf_cstr(&one), want) == 0;
    }
    buf_release(&one);
    return found;
}

static const char *const stated[][2] = {
    { "The basalt contains olivine.", "basalt | Contains | olivine" },
    { "The basalts contain olivine, plagioclase and minor magnetite.",
      "basalt | Contains | magnetite" },
    { "Granite is composed of quartz and biotite.", "granite | Composed Of | quartz" },
    { "We sampled a garnet-bearing peridotite.", "peridotite | Contains | garnet" },
    { "Pyrite hosted in black shale was picked.", "pyrite | Occurs In | black shale" },
    { "Olivine in peridotite is fresh.", "olivine | Occurs In | peridotite" },
    { "Zircon was dated at 404 Ma.", "zircon | Has Age | 404 Ma" },
    { "The age of the granite is 404 \xc2\xb1 3 Ma.", "granite | Has Age | 404 \xc2\xb1 3 Ma" },
    { "A 60-Ma-old basalt crops out.", "basalt | Has Age | 60 Ma" },
    { "Archean granite is exposed.", "granite | Has Age | Archean" },
    { "\xce\xb4"
      "18O of zircon is 5.3\xe2\x80\xb0.",
      "zircon | Has Value | 5.3\xe2\x80\xb0 \xce\xb4"
      "18O" },
    { "The lavas have 62 wt.% SiO2.", "lava | Has Concentration | 62 wt% SiO2" },
    { "The concentration of uranium in zircon is 250 ppm.",
      "zircon | Has Concentration | 250 ppm uranium" },
    { "87Sr/86Sr ranges from 0.7045 to 0.7062.", "87Sr/86Sr | Has Value | 0.7045\xe2\x80\x93"
                                                 "0.7062" },
    { "Uranium was measured by ICP-MS.", "uranium | Measured By | ICP-MS" },
    { "We measured uranium in zircon using LA-ICP-MS.", "uranium | Measured By | LA-ICP-MS" },
    { "LA-ICP-MS analyses of zircon are reported.", "zircon | Measured By | LA-ICP-MS" },
    { "Zircons were separated, mounted, and analysed by SHRIMP.",
      "zircon | Measured By | SHRIMP" },
    { "Iceland basalts are young.", "basalt | Located In | Iceland" },
    { "Basalts from Iceland are young.", "basalt | Located In | Iceland" },
    { "Iron isotope fractionation during dissolution is small.",
      "dissolution | Fractionates | iron" },
    { "The half-life of 87Rb is 49.6 Ga.", "87Rb | Has Half-Life | 49.6 Ga" },
    { "87Sr/86Sr is an old tool.", "strontium | Has Isotope | 87Sr/86Sr" },
    { "The gabbro was formed by fractional crystallization.",
      "gabbro | Formed By | fractional crystallization" },
    { "Sample BH-12 was dated at 12 Ma.", "BH-12 | Has Age | 12 Ma" },
    { "Sample BH-12, one of 3, was dated at 404 Ma by SHRIMP.",
      "BH-12 | Measured By | SHRIMP" },
    { "Volcanism lasted for 5 Ma.", "volcanism | Has Value | 5 Ma duration" },
    { "The lava flow is 12 m thick.", "lava | Has Value | 12 m thickness" },
    { "A 1.5-m-thick layer of black shale crops out.",
      "black shale | Has Value | 1.5 m thickness" },
    { "The viscosity of the andesite reached 10 Pa s.",
      "andesite | Has Value | 10 Pa s viscosity" },
    { "The upper unit, at an elevation of 5600 m, is dry.",
      "upper unit | Has Value | 5600 m elevation" },
    { "A pressure of 2 GPa was obtained for the eclogite.", "eclogite | Has Pressure | 2 GPa" },
    { "The vein is 40 m wide and extends to a depth of 200 m.", "vein | Has Depth | 200 m" },
    { "The andesites (>57 wt% SiO2) are grey.", "andesite | Has Concentration | >57 wt% SiO2" },
    { "Gypsum formed from a fluid with a salinity of 150 g/L.",
      "fluid | Has Value | 150 g/L salinity" },
    { "Dolomite formed at 80 \xc2\xb0"
      "C.",
      "dolomite | Has Temperature | 80 \xc2\xb0"
      "C" },
};

static void test_stated(void **state)
{
    (void)state;
    struct buf out = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(stated); i++) {
        facts_of(stated[i][0], &out);
        if (!has_fact(buf_view(&out), stated[i][1]))
            fail_msg("\"%s\" lacks \"%s\": %s", stated[i][0], stated[i][1], buf_cstr(&out));
    }
    buf_release(&out);
}

/* Denied, or merely in the same sentence: nothing may come out. */
static const char *const silent[] = {
    "The basalt does not contain olivine.",
    "The basalt lacks olivine.",
    "No zircon was dated at 404 Ma.",
    "An olivine-free basalt was sampled.",
    "Basalt without quartz is common.",
    "Olivine and basalt were discussed, and granite was not.",
    "The basalt was studied; olivine was seen elsewhere.",
    "This may lead to confusion about tin hats.",
    "Eruptions went on for 5 Ma.",
    "It is 5 m thick.",
    "The grains were sieved to 63 \xce\xbcm and digested in 2 ml HNO3.",
    "The analytical precision was better than 2%.",
    "The laser spot size was 30 \xce\xbcm.",
    "The porosity of the sandstone is not 25%.",
    "Blank levels were 20 pg.",
    "As shown in Fig. 6, the samples are old.",
    "See Smith (1992) on granite.",
    "HCl of 5% was used.",
    "Quartz, which is neither contained in basalt nor found, is absent.",
};

static void test_silent(void **state)
{
    (void)state;
    struct buf out = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(silent); i++) {
        facts_of(silent[i], &out);
        if (out.len)
            fail_msg("\"%s\" gives %s", silent[i], buf_cstr(&out));
    }
    buf_release(&out);
}

static double confidence_of(const char *text)
{
    struct buf out = BUF_INIT;
    struct rec r;
    struct err err;
    facts_of(text, &out);
    struct sv lines = buf_view(&out), line;
    assert_true(sv_cut(&lines, '\n', &line));
    assert_int_equal(rec_parse(&r, line, &err), 0);
    double c = json_num(json_get(r.v, "confidence"));
    rec_release(&r);
    buf_release(&out);
    return c;
}

static void test_hedge(void **state)
{
    (void)state;
    assert_true(confidence_of("The basalt contains olivine.") >
                confidence_of("The basalt possibly contains olivine.") + 0.1);
}

/* Decomposed letters give the same records: the reader of records composes them. */
static void test_normal_form(void **state)
{
    (void)state;
    static const char *const texts[2] = {
        "{\"id\":\"c\",\"text\":\"Tr\xc3\xb6gerite contains 5 ppm U.\"}",
        "{\"id\":\"c\",\"text\":\"Tro\xcc\x88gerite contains 5 ppm U.\"}",
    };
    struct buf out[2] = { BUF_INIT, BUF_INIT };
    for (int i = 0; i < 2; i++) {
        struct rec r;
        struct err err;
        assert_int_equal(rec_parse(&r, sv_from(texts[i]), &err), 0);
        assert_int_equal(extract_record(extractor, (unsigned)i, &r, NULL, 0, &out[i], &err), 0);
        rec_release(&r);
    }
    assert_true(out[0].len > 0);
    assert_string_equal(buf_cstr(&out[0]), buf_cstr(&out[1]));
    buf_release(&out[0]);
    buf_release(&out[1]);
}

/* Any mixture of pieces: the evidence is the slice [start, end) of the text, in code points. */
static void check_slices(struct sv text, struct sv lines, int round)
{
    struct sv line;
    while (lines.n && sv_cut(&lines, '\n', &line)) {
        struct rec r;
        struct err err;
        if (!line.n)
            continue;
        assert_int_equal(rec_parse(&r, line, &err), 0);
        size_t from = utf8_offset(text, (size_t)json_num(json_get(r.v, "start")));
        size_t to = utf8_offset(text, (size_t)json_num(json_get(r.v, "end")));
        double confidence = json_num(json_get(r.v, "confidence"));
        if (!sv_eq(sv_from_to(text, from, to), json_sv(json_get(r.v, "evidence"))) ||
            !(confidence >= 0.5 && confidence <= 1))
            fail_msg("seed 42 round %d: %.*s gives %.*s", round, SV_ARG(text), SV_ARG(line));
        rec_release(&r);
    }
}

static void test_property(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "The basalt ",
        "contains ",
        "olivine",
        ", ",
        "and ",
        "U",
        " of ",
        "35 ppm ",
        "in zircon",
        ". ",
        "(",
        ")",
        "87Sr/86Sr ",
        "= ",
        "0.7045\xe2\x80\x93"
        "0.7062",
        "404 Ma ",
        "dated at ",
        "was ",
        "measured by ",
        "LA-ICP-\nMS",
        "\xce\xb4"
        "18O",
        "\xe2\x80\xb0",
        "not ",
        "-bearing ",
        "granite ",
        "from Iceland ",
        "\n\n",
        "may ",
        "2\xcf\x83",
        "sample BH-1 ",
        "\xc2\xb1 ",
        "5",
    };
    struct buf text = BUF_INIT, out = BUF_INIT;
    struct rng rng = { 42 };
    size_t facts = 0;
    for (int round = 0; round < 3000; round++) {
        buf_reset(&text);
        for (int i = 0; i < 14; i++)
            buf_str(&text, pieces[rng_below(&rng, ARRAY_LEN(pieces))]);
        facts_of(buf_cstr(&text), &out);
        check_slices(buf_view(&text), buf_view(&out), round);
        facts += out.len > 0;
    }
    assert_true(facts > 500);
    buf_release(&text);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stated),   cmocka_unit_test(test_silent),
        cmocka_unit_test(test_hedge),    cmocka_unit_test(test_normal_form),
        cmocka_unit_test(test_property),
    };
    return cmocka_run_group_tests(tests, load_extractor, unload_extractor);
}
