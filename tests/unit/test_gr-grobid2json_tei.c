// SPDX-License-Identifier: MIT
/*
 * test_gr-grobid2json_tei.c — DOIs, dates, head numbers; whole files, also cut and hostile ones
 */
#include "unit.h"

#include "json.h"
#include "rng.h"
#include "tei_impl.h"
#include "utf8.h"

static void test_doi(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "10.1016/J.GCA.2011.01.001", "10.1016/j.gca.2011.01.001" },
        { "https://doi.org/10.1029/2001GC000223", "10.1029/2001gc000223" },
        { "http://dx.doi.org/10.1/ABC.", "10.1/abc" },
        { "doi: 10.1000/xyz);", "10.1000/xyz" },
        { "10.1016/0012-821X(85)90012-X", "10.1016/0012-821x(85)90012-x" },
        { "10.1186/s13677-022-00301-w[2", "10.1186/s13677-022-00301-w" },
        { "10.1890/0012(2006)87[2614:AT]2.0.CO;2", "10.1890/0012(2006)87[2614:at]2.0.co;2" },
        { "", NULL },
        { "11.1/abcde", NULL },
        { "10.1234", NULL },
        { "10.1/ab cd", NULL },
        { "arXiv:2301.00001", NULL },
        { "10.1/)))))", NULL },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf b = BUF_INIT;
        assert_int_equal(tei_doi(sv_from(cases[i][0]), &b), cases[i][1] != NULL);
        assert_string_equal(buf_cstr(&b), cases[i][1] ? cases[i][1] : "");
        buf_release(&b);
    }
}

static void test_date(void **state)
{
    (void)state;
    static const struct {
        const char *text, *date;
        int year;
    } cases[] = {
        { "2015", "2015", 2015 },
        { "2015-03", "2015-03", 2015 },
        { "2015-03-17", "2015-03-17", 2015 },
        { "2015-13-17", "2015", 2015 },
        { "2015-03-99", "2015-03", 2015 },
        { "2015-3-17", "2015", 2015 },
        { "2015-", "2015", 2015 },
        { "2015-03T10", "2015-03", 2015 },
        { "May 14, 2025", "2025", 2025 },
        { "(1999a)", "1999", 1999 },
        { "12015", "", 0 },
        { "0915", "", 0 },
        { "in press", "", 0 },
        { "", "", 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf b = BUF_INIT;
        assert_int_equal(tei_date(sv_from(cases[i].text), &b), cases[i].year);
        assert_string_equal(buf_cstr(&b), cases[i].date);
        buf_release(&b);
    }
}

static void test_head_number(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        { "1. Introduction", "1", "Introduction" },
        { "2.1 Samples", "2.1", "Samples" },
        { "2.1. samples", "2.1", "samples" },
        { "3 Results", "3", "Results" },
        { "4) Discussion", "4", "Discussion" },
        { "1.Introduction", "1", "Introduction" },
        { "IV. Results", "IV", "Results" },
        { "Introduction", NULL, NULL },
        { "87 Sr/86 Sr ratios", NULL, NULL },
        { "18 O values", NULL, NULL },
        { "10 Be ages", NULL, NULL },
        { "2019 campaign", NULL, NULL },
        { "238 U", NULL, NULL },
        { "3D models", NULL, NULL },
        { "1.", NULL, NULL },
        { "I think", NULL, NULL },
        { "V. c", NULL, NULL },
        { "", NULL, NULL },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sv n = SV_NONE, rest = SV_NONE;
        bool has = tei_head_number(sv_from(cases[i][0]), &n, &rest);
        if (has != (cases[i][1] != NULL))
            fail_msg("%s", cases[i][0]);
        if (has) {
            assert_sv(n, cases[i][1]);
            assert_sv(rest, cases[i][2]);
        }
    }
}

/* ---- whole files ---- */

#define HEAD                                                                                   \
    "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><encodingDesc><appInfo>"              \
    "<application version='0.8.1' ident='GROBID'/></appInfo></encodingDesc></teiHeader>"
#define PAPER(body) HEAD "<text><body>" body "</body></text></TEI>"

/* Convert; the record is parsed into *v (json_free) when it is accepted. */
static int convert_with(const struct tei_cfg *cfg, struct sv bytes, jv *v, struct rec *r,
                        struct err *err)
{
    struct buf out = BUF_INIT;
    *r = (struct rec){ .line = SV("x.xml"), .file = "x.xml", .warnings = NULL };
    int rc = tei_convert(cfg, r, bytes, &out, err);
    if (rc == 0) {
        assert_int_equal(utf8_check(buf_view(&out)), SIZE_MAX);
        assert_int_equal(json_parse(v, sv_trim(buf_view(&out)), err), 0);
    } else {
        assert_int_equal(out.len, 0);
    }
    buf_release(&out);
    return rc;
}

static int convert(const char *xml, jv *v, struct err *err)
{
    struct tei_cfg cfg = { 0 };
    struct rec r;
    return convert_with(&cfg, sv_from(xml), v, &r, err);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *message;
    } cases[] = {
        { "", "empty file" },
        { " \n", "empty file" },
        { "plain text", "not well-formed: start tag expected" },
        { "<article/>", "not GROBID TEI: root element <article>" },
        { "<tei/>", "not GROBID TEI: root element <tei>" },
        { "<TEI/>", "not GROBID TEI: no <teiHeader>, no <text>" },
        { "<TEI><text></TEI>", "not well-formed: opening and ending tag" },
        { "<TEI><teiHeader>", "file ends too early, before its body" },
        { HEAD "<text><body>", "file ends too early, before its body" },
        { "<!DOCTYPE TEI [<!ENTITY a 'b'>]><TEI><text/></TEI>",
          "declares entities of its own" },
        { "<!DOCTYPE TEI [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><TEI><text>&a;</text></TEI>",
          "declares entities of its own" },
        { HEAD "<text>&nope;</text></TEI>", "not well-formed: entity 'nope' not defined" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        jv v;
        struct err err = { 0 };
        assert_int_equal(convert(cases[i].xml, &v, &err), -1);
        assert_int_equal(err.code, EXIT_REJECTED);
        if (!sv_starts(sv_from(err.msg), sv_from(cases[i].message)))
            fail_msg("%s: %s", cases[i].xml, err.msg);
    }
}

static void test_too_deep(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    struct err err = { 0 };
    jv v;
    buf_str(&b, "<TEI>");
    for (int i = 0; i < 5000; i++)
        buf_str(&b, "<div>");
    assert_int_equal(convert(buf_cstr(&b), &v, &err), -1);
    assert_string_equal(err.msg, "not well-formed: elements nested deeper than 256");
    buf_release(&b);
}

/* Cut anywhere: refused or salvaged, never more than one broken end; line and flag are set. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    static const char xml[] =
        PAPER("<div><head n='1'>A</head>\n<p>One <ref type='bibr' "
              "target='#b0'>[1]</ref> é two.</p>\n<p>Three &amp; four.</p></div>");
    size_t n_salvaged = 0;
    for (size_t n = 1; n < sizeof xml - 1; n++) {
        struct tei_cfg lenient = { 0 }, strict = { .is_strict = true };
        struct err err = { 0 };
        struct rec r;
        jv v;
        assert_int_equal(convert_with(&strict, (struct sv){ xml, n }, &v, &r, &err), -1);
        if (convert_with(&lenient, (struct sv){ xml, n }, &v, &r, &err) < 0)
            continue;
        n_salvaged++;
        assert_true(json_is_true(json_get(json_get(v, "source"), "partial")));
        assert_true(r.number >= 1);
        json_free(v);
    }
    if (n_salvaged < 100)
        fail_msg("%zu of %zu", n_salvaged, sizeof xml - 1);
}

static void assert_refs_slice(jv record)
{
    jv sections = json_get(record, "sections");
    for (size_t i = 0; i < json_len(sections); i++) {
        struct sv text = json_sv(json_get(json_at(sections, i), "text"));
        jv refs = json_get(json_at(sections, i), "refs");
        for (size_t k = 0; k < json_len(refs); k++) {
            jv ref = json_at(refs, k);
            size_t from = utf8_offset(text, (size_t)json_num(json_get(ref, "start")));
            size_t to = utf8_offset(text, (size_t)json_num(json_get(ref, "end")));
            /* In these files the marker of #bK is "▸K". */
            struct sv target = json_sv(json_get(ref, "target"));
            struct buf want = BUF_INIT;
            buf_str(&want, "▸");
            buf_sv(&want, sv_from_to(target, 1, target.n));
            assert_true(sv_eq(sv_from_to(text, from, to), buf_view(&want)));
            buf_release(&want);
        }
    }
}

/* Random bodies: sentences, lists, quotes, raised text, white space, one marker again and
 * again; every reference slices to its own marker. */
static void test_every_ref_slices(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "<p>",
        "<s>",
        "word ",
        "  \n ",
        "δ<hi rend='superscript'>18</hi>O ",
        "é́x",
        "<note place='foot'>▸9</note>",
        "<list><item>i</item></list>",
        "</s>",
        "</p>",
        "<quote>q</quote>",
        "<lb/>",
        "\xc2\xa0",
        "<formula>▸x</formula>",
    };
    struct rng rng = { 11 };
    for (int i = 0; i < 3000; i++) {
        struct buf b = BUF_INIT;
        int in_p = 0, in_s = 0;
        buf_str(&b, HEAD "<text><body><div><head>H</head>");
        for (size_t k = rng_below(&rng, 40); k > 0; k--) {
            size_t part = rng_below(&rng, ARRAY_LEN(parts) + 6);
            if (part >= ARRAY_LEN(parts)) {
                size_t n = rng_below(&rng, 3);
                buf_printf(&b, "<ref type='bibr' target='#b%zu'>%s▸%zu%s</ref>", n,
                           part % 2 ? " " : "", n, part % 3 ? "\n" : "");
                continue;
            }
            if ((part == 0 && in_p) || (part == 1 && (!in_p || in_s)) || (part == 8 && !in_s) ||
                (part == 9 && (!in_p || in_s)))
                continue;
            in_p += (part == 0) - (part == 9);
            in_s += (part == 1) - (part == 8);
            buf_str(&b, parts[part]);
        }
        buf_str(&b, in_s ? "</s>" : "");
        buf_str(&b, in_p ? "</p>" : "");
        buf_str(&b, "</div></body></text></TEI>");
        jv v;
        struct err err = { 0 };
        if (convert(buf_cstr(&b), &v, &err) < 0)
            fail_msg("%s in %s", err.msg, buf_cstr(&b));
        assert_refs_slice(v);
        json_free(v);
        buf_release(&b);
    }
}

/* ---- files that would like to make large records ---- */

static void repeat(struct buf *b, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_str(b, s);
}

static void check_size(const struct buf *xml)
{
    static const struct tei_cfg cfg = { .has_coords = true };
    struct buf out = BUF_INIT;
    struct err err = { 0 };
    struct rec r = { .line = SV("x.xml"), .file = "x.xml" };
    assert_int_equal(tei_convert(&cfg, &r, buf_view(xml), &out, &err), 0);
    if (out.len > 24 * xml->len)
        fail_msg("%zu bytes of %zu, which begin %.200s", out.len, xml->len, xml->data);
    jv v;
    assert_int_equal(json_parse(&v, sv_trim(buf_view(&out)), &err), 0);
    json_free(v);
    buf_release(&out);
}

/* What stands once in the file must not be told once for each of what it belongs to. */
static void test_hostile_spans(void **state)
{
    (void)state;
    static const struct {
        const char *before, *unit, *between, *unit2, *after;
    } cases[] = {
        { "<p><ref target=\"", "#b1 ", "\" coords=\"", "1,1,1,1,1;", "\">x</ref></p>" },
        { "<p>", "<rs a=\"1\" b=\"2\"/>", "", "<hi rend=\"x\">y</hi>", "</p>" },
        { "<p>", "<ref/>", "x", "<ref target=\"#a\"/>", "</p>" },
        { "", "<div><head>h</head></div>", "", "<note>n<ref/></note>", "" },
        { "<table>", "<row><cell cols=\"9\"><ref/>a</cell></row>", "", "text\n", "</table>" },
        { "<p>", "<s coords=\"1,1,1,1,1\">a</s>", "", "<p>b</p>", "</p>" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf b = BUF_INIT;
        buf_str(&b, "<TEI><teiHeader/><text><body><div>");
        buf_str(&b, cases[i].before);
        repeat(&b, cases[i].unit, 3000);
        buf_str(&b, cases[i].between);
        repeat(&b, cases[i].unit2, 3000);
        buf_str(&b, cases[i].after);
        buf_str(&b, "</div></body></text></TEI>");
        check_size(&b);
        buf_release(&b);
    }
}

static void test_hostile_people(void **state)
{
    (void)state;
    static const char *const units[][2] = {
        { "<author><affiliation><orgName>a</orgName>", "<address><country>b</country></address>"
                                                       "</affiliation></author>" },
        { "<author><persName>a</persName><persName>b</persName>", "</author>" },
        { "<idno type=\"a\">1</idno>", "<idno type=\"b\">2</idno>" },
        { "<idno>same</idno>", "<idno type=\"eISSN\">same</idno>" },
    };
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        struct buf b = BUF_INIT;
        buf_str(&b, "<TEI><teiHeader><fileDesc><sourceDesc><biblStruct><analytic>");
        for (size_t k = 0; k < 3000; k++) {
            buf_str(&b, units[i][0]);
            buf_str(&b, units[i][1]);
        }
        buf_str(&b, "</analytic></biblStruct></sourceDesc></fileDesc></teiHeader></TEI>");
        check_size(&b);
        buf_release(&b);
    }
    struct buf b = BUF_INIT; /* an annotation with more attributes than anyone needs */
    buf_str(&b, "<TEI><teiHeader/><text><body><p><rs");
    for (size_t k = 0; k < 1000; k++) /* as many as are read */
        buf_printf(&b, " a%zu=\"\"", k);
    buf_str(&b, ">x</rs></p></body></text></TEI>");
    check_size(&b);
    buf_release(&b);
}

int main(void)
{
    tei_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doi),
        cmocka_unit_test(test_date),
        cmocka_unit_test(test_head_number),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_deep),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_every_ref_slices),
        cmocka_unit_test(test_hostile_spans),
        cmocka_unit_test(test_hostile_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
