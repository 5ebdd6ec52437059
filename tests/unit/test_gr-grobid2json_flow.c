// SPDX-License-Identifier: MIT
/*
 * test_gr-grobid2json_flow.c — collapsed text, raised and lowered forms, spans that slice to
 * their markers whatever the text around them
 */
#include "unit.h"

#include "flow.h"
#include "rng.h"
#include "utf8.h"

static struct sv slice(const struct flow *f, size_t start, size_t end)
{
    struct sv text = buf_view(&f->text);
    size_t from = utf8_offset(text, start);
    return sv_from_to(text, from, utf8_offset(text, end));
}

static void test_collapse(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "", "" },
        { "  \n\t ", "" },
        { " a ", "a" },
        { "a  b\n\n c", "a b c" },
        { "a b c", "a b c" },
        { "5.7\xc2\xa0\xe2\x80\xb0", "5.7 ‰" }, /* no-break space */
        { "a\xe2\x80\x89\xe2\x80\x8a"
          "b",
          "a b" },                  /* thin, hair space */
        { "cafe\xcc\x81", "café" }, /* NFC */
        { "\xe2\x84\xa6", "Ω" },    /* ohm sign */
        { "e \xcc\x81x", "e \xcc\x81x" },
        { "δ¹⁸O 10⁻³ 𝐾", "δ¹⁸O 10⁻³ 𝐾" }, /* no compatibility forms */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct flow f = { 0 };
        flow_text(&f, sv_from(cases[i][0]));
        flow_finish(&f);
        assert_sv(buf_view(&f.text), cases[i][1]);
        flow_release(&f);
    }
}

static void test_gaps(void **state)
{
    (void)state;
    static const struct {
        enum flow_gap gap;
        const char *next, *want;
    } cases[] = {
        { FLOW_NONE, "b", "ab" },
        { FLOW_SPACE, "b", "a b" },
        { FLOW_LINE, " b", "a\nb" },
        { FLOW_PARA, "\n b", "a\n\nb" },
        { FLOW_SOFT, "where", "a\nwhere" },
        { FLOW_SOFT, "Where", "a\n\nWhere" },
        { FLOW_SOFT, "δ", "a\nδ" },
        { FLOW_SOFT, "2", "a\n\n2" },
        { FLOW_PARA, "", "a" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct flow f = { 0 };
        flow_gap(&f, FLOW_PARA); /* nothing before the first character */
        flow_text(&f, SV("a"));
        flow_gap(&f, cases[i].gap);
        flow_gap(&f, FLOW_NONE); /* a weaker wish changes nothing */
        flow_text(&f, sv_from(cases[i].next));
        flow_finish(&f);
        assert_sv(buf_view(&f.text), cases[i].want);
        flow_release(&f);
    }
}

static void test_script(void **state)
{
    (void)state;
    static const struct {
        enum flow_script how;
        const char *text, *want;
    } cases[] = {
        { FLOW_SUPER, "18", "x¹⁸" },      { FLOW_SUPER, "-3", "x⁻³" },
        { FLOW_SUPER, "−3", "x⁻³" }, /* U+2212 */
        { FLOW_SUPER, "–1", "x⁻¹" }, /* en dash */
        { FLOW_SUPER, "2+", "x²⁺" },      { FLOW_SUPER, "n", "xⁿ" },
        { FLOW_SUPER, "th", "xth" },      { FLOW_SUPER, "III", "x^(III)" },
        { FLOW_SUPER, "-λt", "x^(-λt)" }, { FLOW_SUPER, "2a", "x^(2a)" },
        { FLOW_SUPER, "", "x" },          { FLOW_SUPER, " 2", "x ²" },
        { FLOW_SUPER, "2 ", "x²" },       { FLOW_SUB, "2", "x₂" },
        { FLOW_SUB, "x", "xₓ" },          { FLOW_SUB, "Nd", "xNd" },
        { FLOW_SUB, "(t)", "x(t)" },      { FLOW_SUB, "2-x", "x₂₋ₓ" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct flow f = { 0 };
        flow_text(&f, SV("x"));
        flow_script(&f, sv_from(cases[i].text), cases[i].how);
        flow_finish(&f);
        assert_sv(buf_view(&f.text), cases[i].want);
        flow_release(&f);
    }
}

static void test_spans(void **state)
{
    (void)state;
    struct flow f = { 0 };
    flow_text(&f, SV("é\xcc\x81 δ "));
    size_t outer =
        flow_open(&f, (struct flow_span){ .kind = SV("bibr"), .target = SV("#b1 #b2") });
    flow_text(&f, SV("  [1, "));
    size_t inner = flow_open(&f, (struct flow_span){ .kind = SV("figure"), .target = SV("") });
    flow_text(&f, SV(" Fig.\n 2 "));
    flow_close(&f, inner);
    flow_text(&f, SV("] "));
    flow_close(&f, outer);
    size_t empty =
        flow_open(&f, (struct flow_span){ .kind = SV("url"), .target = SV("http://x") });
    flow_close(&f, empty);
    flow_text(&f, SV(" [1, Fig. 2 ]"));
    flow_finish(&f);
    assert_sv(slice(&f, f.spans[outer].start, f.spans[outer].end), "[1, Fig. 2 ]");
    assert_sv(slice(&f, f.spans[inner].start, f.spans[inner].end), "Fig. 2");
    assert_int_equal(f.spans[empty].start, f.spans[empty].end);
    static const size_t want[][2] = { { 5, 17 }, { 9, 15 }, { 17, 17 } };
    assert_int_equal(f.n_spans, ARRAY_LEN(want));
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        assert_int_equal(f.spans[i].start, want[i][0]);
        assert_int_equal(f.spans[i].end, want[i][1]);
        assert_int_equal(f.spans[i].what, FLOW_REF);
    }
    flow_release(&f);
}

/* A mark that begins a span combines with what is before: the span begins after it. */
static void test_mark_at_border(void **state)
{
    (void)state;
    struct flow f = { 0 };
    flow_text(&f, SV("a"));
    size_t ref = flow_open(&f, (struct flow_span){ .kind = SV("bibr"), .target = SV("#b0") });
    flow_text(&f, SV("\xcc\x81"
                     "b"));
    flow_close(&f, ref);
    flow_text(&f, SV("\xcc\x81"));
    flow_finish(&f);
    assert_sv(buf_view(&f.text), "áb\xcc\x81");
    assert_sv(slice(&f, f.spans[0].start, f.spans[0].end), "b\xcc\x81");
    flow_release(&f);
}

/* ---- any pieces: the text is NFC, has no stray blanks, and every span is its own text ---- */

static const char *const pieces[] = {
    "a",        " ",        "\n", "δ",  "▸",  "\xcc\x81", "[1]", "e",    "  x",
    "y  ",      "\xc2\xa0", "ᄀ", "ᅡ", "ᆨ", "Ω",        "𝐾",   "10 3", "\xe2\x80\x89",
    "\xcc\xa7", ""
};

/* What a span should read: its pieces alone, collapsed, normalised. */
static void expect_text(struct buf *want, const struct buf *raw)
{
    struct flow f = { 0 };
    flow_text(&f, buf_view(raw));
    flow_finish(&f);
    buf_reset(want);
    buf_sv(want, buf_view(&f.text));
    flow_release(&f);
}

static bool starts_with_joining(struct sv s)
{
    size_t pos = 0;
    uint32_t cp = s.n ? utf8_next(s, &pos) : 0;
    return utf8_is_mark(cp) || (cp >= 0x1160 && cp <= 0x11FF);
}

static void one_random_text(struct rng *rng)
{
    struct flow f = { 0 };
    struct buf raw[8] = { { 0 } }, after[8] = { { 0 } }, want = BUF_INIT;
    size_t n_refs = 0;
    bool is_open = false;
    for (size_t i = rng_below(rng, 60); i > 0; i--) {
        if (!is_open && n_refs < 8 && rng_below(rng, 4) == 0) {
            flow_open(&f, (struct flow_span){ .kind = SV("bibr"), .target = SV("#b0") });
            n_refs++;
            is_open = true;
        } else if (is_open && rng_below(rng, 3) == 0) {
            flow_close(&f, n_refs - 1);
            is_open = false;
        }
        const char *piece = pieces[rng_below(rng, ARRAY_LEN(pieces))];
        flow_text(&f, sv_from(piece));
        if (is_open)
            buf_str(&raw[n_refs - 1], piece);
        for (size_t k = 0; k + is_open < n_refs; k++)
            buf_str(&after[k], piece);
    }
    if (is_open)
        flow_close(&f, n_refs - 1);
    flow_finish(&f);
    struct sv text = buf_view(&f.text);
    buf_reset(&want);
    utf8_nfc(&want, text);
    assert_true(sv_eq(text, buf_view(&want)));
    assert_true(sv_find(text, SV("  "), 0) == SIZE_MAX);
    assert_true(sv_eq(text, sv_trim(text)));
    for (size_t i = 0; i < n_refs; i++) {
        expect_text(&want, &raw[i]);
        /* Marks at a border change sides: those texts are looked at above, not here. */
        bool is_torn = starts_with_joining(buf_view(&raw[i])) ||
                       starts_with_joining(buf_view(&after[i])) || !raw[i].len ||
                       starts_with_joining(sv_trim(buf_view(&want)));
        if (!is_torn)
            assert_true(sv_eq(slice(&f, f.spans[i].start, f.spans[i].end), buf_view(&want)));
        buf_release(&raw[i]);
    }
    for (size_t i = 0; i < 8; i++) {
        buf_release(&raw[i]);
        buf_release(&after[i]);
    }
    buf_release(&want);
    flow_release(&f);
}

static void test_random_texts(void **state)
{
    (void)state;
    struct rng rng = { 42 };
    for (int i = 0; i < 20000; i++)
        one_random_text(&rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collapse),       cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_script),         cmocka_unit_test(test_spans),
        cmocka_unit_test(test_mark_at_border), cmocka_unit_test(test_random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
