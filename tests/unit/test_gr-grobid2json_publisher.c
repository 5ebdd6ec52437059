// SPDX-License-Identifier: MIT
/*
 * test_gr-grobid2json_publisher.c — publishers' files as they are: every span slices to the
 * text of a reference of the file that points there. Skipped without GR_SHARED.
 */
#include "unit.h"

#include <dirent.h>

#include "file.h"
#include "json.h"
#include "map.h"
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
            if (!is_known)
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

int main(void)
{
    tei_setup();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_spans_of_real_files) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
