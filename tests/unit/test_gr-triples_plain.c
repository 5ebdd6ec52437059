// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_plain.c — markup, fonts and encodings put right, and the way back
 */
#include "unit/unit.h"

#include "plain.h"
#include "rng.h"
#include "utf8.h"

/* Given text, plain text; NULL: plain as it is. */
static const char *const texts[][2] = {
    { "Zircon at 2.71 Ga, δ18O of 5.3‰ and 87Sr/86Sr.", NULL },
    { "SiO2 < 50 wt% and Al2O3 > 12 wt%, R&D, AT&T", NULL },
    { "It costs $5 and $7 more.", NULL },
    { "10^5 Pa s, sample_1, C:\\data", NULL },
    { "Città, São Paulo, Ångström, Â 10, Ürgüp", NULL },
    { "87 Sr, 12 500 m, 3–5", NULL }, /* thin and other blanks that numbers know */
    /* HTML and XML */
    { "<sup>87</sup>Sr/<sup>86</sup>Sr", "⁸⁷Sr/⁸⁶Sr" },
    { "SiO<sub>2</sub> and Fe<sup>3+</sup>", "SiO₂ and Fe³⁺" },
    { "10<sup>−3</sup> and 10<SUP>-5</SUP>", "10⁻³ and 10⁻⁵" },
    { "ε<sub>Nd</sub> of <i>f</i>O<sub>2</sub>", "εNd of fO₂" },
    { "<jats:sup>18</jats:sup>O <jats:italic>in situ</jats:italic>", "¹⁸O in situ" },
    { "5 wt%<sup>a</sup>, the 4<sup>th</sup>", "5 wt%, the 4th" },
    { "<p>Zircon<br/>grew</p>", " Zircon grew " },
    { "&lt;5 ppm &amp; &gt;3", "<5 ppm & >3" },
    { "5 &#177; 1, 5 &#xB1; 1, 5 &plusmn; 1", "5 ± 1, 5 ± 1, 5 ± 1" },
    { "&delta;18O of &minus;5.3&permil; at 3&nbsp;km", "δ18O of −5.3‰ at 3 km" },
    { "&amp;lt;5 and &amp;#177;", "<5 and ±" },
    { "&lt;sup&gt;87&lt;/sup&gt;Sr", "⁸⁷Sr" },
    { "&unknown; &#0; &#xD800; &;", NULL },
    { "<5 and <b and <foo>", NULL },
    { "n <p and q> 0.5, a <b or c> d", NULL },
    /* TeX */
    { "$^{87}$Sr/$^{86}$Sr", "⁸⁷Sr/⁸⁶Sr" },
    { "$\\delta^{18}$O of $-5.3\\,$\\permil", "δ¹⁸O of -5.3 ‰" },
    { "5.2 $\\pm$ 0.1 and $\\sim$300 $^{\\circ}$C", "5.2 ± 0.1 and ~300 °C" },
    { "3 $\\times$ 10$^{-5}$ at 20 $\\mu$m", "3 × 10⁻⁵ at 20 μm" },
    { "$\\mathrm{SiO_{2}}$ and {\\rm Sr}", "SiO₂ and Sr" },
    { "20\\,\\mu m, 5\\% of it", "20 μm, 5% of it" },
    { "$<$5 ppm, H$_{2}$O, $5", "<5 ppm, H₂O, $5" },
    /* fonts */
    { "ﬂuorite, speciﬁc, diﬀuse, aﬃne", "fluorite, specific, diffuse, affine" },
    { "ﬂ uorite, speciﬁ c, oﬀ the", "fluorite, specific, off the" },
    { "zir\xc2\xad"
      "con, zir\xc2\xad\ncon, 3\xc2\xad"
      "5 km",
      "zircon, zircon, 3-5 km" },
    { "of \xc2\xad"
      "4.1 (\xc2\xad"
      "3)",
      "of −4.1 (−3)" },
    { "zir\xe2\x80\x8b"
      "con\xef\xbb\xbf",
      "zircon" },
    { "1200 ℃, （１２％）", "1200 °C, (12%)" },
    { "𝛿18O, 20 𝜇m, 𝑓O2, 𝟏𝟐", "δ18O, 20 μm, fO2, 12" },
    { "of \x01"
      "1.05 \x06 0.07, 3 \x02 10, 20 \x0e"
      "C",
      "of −1.05 ± 0.07, 3 × 10, 20 °C" },
    { "\x01 and \x02", NULL },
    { "12 \xef\xbf\xbd 3 Ma, 200 \xef\xbf\xbd"
      "C, 5 \xef\xbf\xbdm",
      "12 ± 3 Ma, 200 °C, 5 µm" },
    { "caf\xef\xbf\xbd is it", NULL },
    { "10 \xef\xbf\xbd 20 ppm", NULL },
    /* encodings */
    { "5 Â± 1, 20 Â°C, â€“3, 5â€“7", "5 ± 1, 20 °C, –3, 5–7" },
    { "Î´18O, ÎµNd, 3 Ã— 10, âˆ’5, 2â€°", "δ18O, εNd, 3 × 10, −5, 2‰" },
    { "JOSÉ² and QUALITÉ»", NULL },
    { "5\xc2\x96"
      "7 and 3\xc2\x89",
      "5–7 and 3‰" },
};

static void check_map(const struct plain_text *p, struct sv given)
{
    size_t last = 0;
    for (size_t i = 0; i < p->text.len; i++) {
        size_t start = plain_start(p, i), end = plain_end(p, i + 1);
        assert_true(start >= last && start < end && end <= given.n);
        assert_true(utf8_floor(given, start) == start && utf8_floor(given, end) == end);
        assert_true(plain_find(p, start) <= i);
        last = start;
    }
    assert_true(utf8_check(buf_view(&p->text)) == SIZE_MAX);
}

static void test_texts(void **state)
{
    (void)state;
    struct plain_text p = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sv given = sv_from(texts[i][0]);
        bool is_changed = plain_read(&p, given);
        const char *want = texts[i][1] ? texts[i][1] : texts[i][0];
        const char *got = is_changed ? buf_cstr(&p.text) : texts[i][0];
        assert_string_equal(got, want);
        assert_int_equal(is_changed, texts[i][1] != NULL);
        if (is_changed)
            check_map(&p, given);
    }
    plain_release(&p);
}

/* NUL stands in no set of characters: "$\0$" is no "$=$". */
static void test_nul(void **state)
{
    (void)state;
    struct plain_text p = { 0 };
    struct sv given = { "a $\0$ b", 7 };
    struct sv got = plain_read(&p, given) ? buf_view(&p.text) : given;
    assert_true(sv_find(got, SV("="), 0) == SIZE_MAX);
    plain_release(&p);
}

static void test_places(void **state)
{
    (void)state;
    struct plain_text p = { 0 };
    struct sv given = sv_from("a <i>b</i> ﬂ uid &lt;5");
    assert_true(plain_read(&p, given));
    assert_string_equal(buf_cstr(&p.text), "a b fluid <5");
    static const struct {
        size_t from, to;
        const char *given;
    } spans[] = { { 2, 3, "<i>b</i>" },
                  { 4, 9, "ﬂ uid" },
                  { 10, 12, "&lt;5" },
                  { 0, 1, "a" },
                  { 0, 12, "a <i>b</i> ﬂ uid &lt;5" } };
    for (size_t i = 0; i < ARRAY_LEN(spans); i++) {
        struct sv got =
            sv_from_to(given, plain_start(&p, spans[i].from), plain_end(&p, spans[i].to));
        assert_true(sv_eq(got, sv_from(spans[i].given)));
    }
    assert_int_equal(plain_start(&p, 0), 0);
    assert_int_equal(plain_end(&p, 0), 0);
    assert_int_equal(plain_start(&p, 12), given.n);
    assert_int_equal(plain_find(&p, 11), 4);
    assert_int_equal(plain_find(&p, given.n), 12);
    plain_release(&p);
}

/* A tag that nobody closes does not reach far. */
static void test_open_group(void **state)
{
    (void)state;
    struct plain_text p = { 0 };
    struct buf b = BUF_INIT;
    buf_str(&b, "<sup>1 ");
    for (unsigned i = 0; i < 100; i++)
        buf_str(&b, "word ");
    buf_str(&b, "2");
    assert_true(plain_read(&p, buf_view(&b)));
    assert_true(sv_starts(buf_view(&p.text), SV("¹ word")));
    assert_true(sv_ends(buf_view(&p.text), SV("word 2")));
    buf_release(&b);
    plain_release(&p);
}

/* Pieces of the texts above in any order: the map holds. */
static void test_any(void **state)
{
    (void)state;
    struct rng rng = { 7 };
    struct plain_text p = { 0 };
    struct buf b = BUF_INIT;
    for (unsigned round = 0; round < 3000; round++) {
        buf_reset(&b);
        for (unsigned k = 0; k < 6; k++) {
            struct sv s = sv_from(texts[rng_below(&rng, ARRAY_LEN(texts))][0]);
            size_t from = utf8_floor(s, rng_below(&rng, s.n));
            size_t to = utf8_floor(s, from + rng_below(&rng, s.n - from + 1));
            buf_sv(&b, sv_from_to(s, from, to < from ? from : to));
        }
        if (plain_read(&p, buf_view(&b)))
            check_map(&p, buf_view(&b));
    }
    buf_release(&b);
    plain_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),  cmocka_unit_test(test_nul),
        cmocka_unit_test(test_places), cmocka_unit_test(test_open_group),
        cmocka_unit_test(test_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
