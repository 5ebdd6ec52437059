// SPDX-License-Identifier: MIT
/*
 * test_gr-grobid2json_publisher.c — formulas and named characters of publishers; in their files
 * as they are every span slices to the text of a reference of the file that points there
 * (skipped without GR_SHARED)
 */
#include "unit.h"

#include <dirent.h>

#include "entities.h"
#include "file.h"
#include "json.h"
#include "map.h"
#include "mathml.h"
#include "publisher.h"
#include "tei.h"
#include "utf8.h"

/* target, blank, marker without blanks */
static void add_key(struct map *keys, struct sv target, struct sv marker, bool *is_known)
{
    struct buf key = BUF_INIT;
    buf_sv(&key, target);
    buf_char(&key, ' ');
    for (size_t pos = 0; pos < marker.n;) {
        uint32_t cp = utf8_next(marker, &pos);
        if (cp > ' ' && cp != 0xA0 && !(cp >= 0x2000 && cp <= 0x200B) && cp != 0x202F)
            utf8_put(&key, cp);
    }
    if (is_known)
        *is_known = map_get(keys, buf_view(&key)) != SIZE_MAX;
    else
        map_put(keys, buf_view(&key), NULL);
    buf_release(&key);
}

static void collect(struct map *keys, const xmlNode *node)
{
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        bool is_jats = xml_is(n, "xref");
        static const char *const links[] = { "ext-link", "uri", "inter-ref",
                                             "inline-supplementary-material", NULL };
        if (publisher_is_any(n, links)) {
            struct buf text = BUF_INIT;
            publisher_text(n, &text);
            add_key(keys, xml_attr(n, "href"), buf_view(&text), NULL);
            buf_release(&text);
        }
        if (is_jats || xml_is(n, "cross-ref") || xml_is(n, "cross-refs")) {
            struct sv rids = xml_attr(n, is_jats ? "rid" : "refid"), rid;
            struct buf text = BUF_INIT;
            publisher_text(n, &text);
            while (sv_cut(&rids, ' ', &rid))
                add_key(keys, rid, buf_view(&text), NULL);
            buf_release(&text);
        }
        collect(keys, n);
    }
}

/* "3–7": what stands between is no marker of the file. */
static bool is_range(struct sv s)
{
    size_t dash = sv_find(s, SV("–"), 0), digits = 0;
    for (size_t i = 0; i < s.n; i++)
        digits += s.p[i] >= '0' && s.p[i] <= '9';
    return dash != SIZE_MAX && dash > 0 && digits >= 2 && s.n <= 16;
}

static size_t check_record(struct map *keys, jv record, const char *path)
{
    size_t n = 0;
    jv sections = json_get(record, "sections");
    for (size_t i = 0; i < json_len(sections); i++) {
        struct sv text = json_sv(json_get(json_at(sections, i), "text"));
        jv refs = json_get(json_at(sections, i), "refs");
        for (size_t k = 0; k < json_len(refs); k++, n++) {
            jv ref = json_at(refs, k);
            size_t from = utf8_offset(text, (size_t)json_num(json_get(ref, "start")));
            size_t to = utf8_offset(text, (size_t)json_num(json_get(ref, "end")));
            struct sv marker = sv_from_to(text, from, to);
            bool is_known;
            add_key(keys, json_sv(json_get(ref, "target")), marker, &is_known);
            if (!is_known &&
                !(sv_is(json_sv(json_get(ref, "kind")), "bibr") && is_range(marker)))
                fail_msg("%s: section %zu: \"%.*s\"", path, i, SV_ARG(marker));
        }
    }
    return n;
}

static size_t check_file(const char *path)
{
    struct buf bytes = BUF_INIT, out = BUF_INIT;
    struct err err = { 0 };
    struct tei_cfg cfg = { 0 };
    struct rec r = { .line = SV("x.xml"), .file = "x.xml" };
    struct xml_doc d;
    jv record;
    assert_int_equal(file_read(&bytes, path, (size_t)64 << 20, &err), 0);
    xml_open(&d, buf_view(&bytes));
    assert_non_null(publisher_of(xmlDocGetRootElement(d.doc)));
    struct map *keys = map_new();
    collect(keys, xmlDocGetRootElement(d.doc));
    if (tei_convert(&cfg, &r, buf_view(&bytes), &out, &err) < 0)
        fail_msg("%s: %s", path, err.msg);
    assert_int_equal(json_parse(&record, sv_trim(buf_view(&out)), &err), 0);
    size_t n = check_record(keys, record, path);
    json_free(record);
    map_free(keys);
    xml_close(&d);
    buf_release(&bytes);
    buf_release(&out);
    return n;
}

static void test_spans_of_real_files(void **state)
{
    (void)state;
    static const char *const folders[][2] = { { "oa_stm", "xml" },
                                              { "other-xml", "jats.xml" } };
    const char *shared = getenv("GR_SHARED");
    size_t n_files = 0, n_refs = 0;
    for (size_t i = 0; shared && i < ARRAY_LEN(folders); i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/data/%s", shared, folders[i][0]);
        DIR *folder = opendir(path);
        for (struct dirent *e; folder && (e = readdir(folder));) {
            if (!sv_ends(sv_from(e->d_name), sv_from(folders[i][1])))
                continue;
            snprintf(path, sizeof path, "%s/data/%s/%s", shared, folders[i][0], e->d_name);
            n_refs += check_file(path);
            n_files++;
        }
        if (folder)
            closedir(folder);
    }
    if (!n_files) {
        print_message("# no publishers' files: set GR_SHARED\n");
        skip();
    }
    assert_true(n_refs > 100 * n_files);
}

static void assert_math(const char *xml, const char *want)
{
    struct xml_doc d;
    struct buf all = BUF_INIT, text = BUF_INIT;
    buf_printf(&all, "<math>%s</math>", xml);
    xml_open(&d, buf_view(&all));
    assert_non_null(d.doc);
    mathml_text(xmlDocGetRootElement(d.doc), &text);
    assert_string_equal(buf_cstr(&text), want);
    xml_close(&d);
    buf_release(&all);
    buf_release(&text);
}

static void test_math(void **state)
{
    (void)state;
    assert_math("", "");
    assert_math("<mi> x </mi><mo>=</mo><mn>1</mn>", "x=1");
    assert_math("<mi>sin</mi><mi>x</mi><mi>y</mi>", "sin xy");
    assert_math("<msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup>", "10⁻³");
    assert_math("<msup><mrow/><mn>87</mn></msup><mi>Sr</mi>", "⁸⁷Sr");
    assert_math("<msup><mi>e</mi><mfrac><mi>a</mi><mi>b</mi></mfrac></msup>", "e^(a/b)");
    assert_math("<msub><mi>ε</mi><mi>Nd</mi></msub>", "εNd");
    assert_math("<mfrac><mn>1</mn><mrow><mi>a</mi><mi>b</mi></mrow></mfrac>", "1/ab");
    assert_math("<mfrac/><msup/><mroot/><mover/><mmultiscripts/><msubsup><mi>x</mi></msubsup>",
                "()/()√()x");
    assert_math("<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><mn>6</mn><mn>14</mn>"
                "</mmultiscripts>",
                "¹⁴₆C₆");
    assert_math("<mover><mi>x</mi><mo>^</mo></mover>", "x̂");
    assert_math("<mfenced><mi>a</mi></mfenced><mfenced separators=''><mi>a</mi><mi>b</mi>"
                "</mfenced>",
                "(a)(ab)");
}

static void assert_tex(const char *tex, const char *want)
{
    struct buf text = BUF_INIT;
    mathml_tex(sv_from(tex), &text);
    assert_string_equal(buf_cstr(&text), want);
    buf_release(&text);
}

static void test_tex(void **state)
{
    (void)state;
    assert_tex("", "");
    assert_tex("$", "$");
    assert_tex("$$", "");
    assert_tex(" $a$ ", "a");
    assert_tex("\\[ a \\]", "a");
    assert_tex("\\documentclass{m}\\begin{document}$$ a_{1} $$\\end{document}", "a_{1}");
    assert_tex("\\begin{document}$a", "$a");
}

static void test_entities(void **state)
{
    (void)state;
    static const char *const known[][2] = { { "AElig", "Æ" },           { "delta", "δ" },
                                            { "zwnj", "\xE2\x80\x8C" }, { "permil", "‰" },
                                            { "Zcaron", "Ž" },          { "agr", "α" } };
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        assert_string_equal(entity_text(known[i][0]), known[i][1]);
    assert_null(entity_text("house"));
    assert_null(entity_text(""));
    assert_null(entity_text("amp")); /* XML's own */
}

int main(void)
{
    tei_setup();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_spans_of_real_files),
                                        cmocka_unit_test(test_math), cmocka_unit_test(test_tex),
                                        cmocka_unit_test(test_entities) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
