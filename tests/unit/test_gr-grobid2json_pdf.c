// SPDX-License-Identifier: MIT
/*
 * test_gr-grobid2json_pdf.c — fields of the request, TEI that is kept, what counts as a PDF
 */
#include "unit.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "form.h"
#include "hash.h"
#include "keep.h"
#include "pdf.h"
#include "rng.h"
#include "service.h"
#include "tei.h"

/* ---- fields ---- */

static void put_fields(const char *const *settings, size_t n, bool has_coords, struct buf *out)
{
    struct err err;
    struct form *f = form_new(settings, n, has_coords, &err);
    assert_non_null(f);
    buf_reset(out);
    form_put_key(f, out);
    form_free(f);
}

static void test_same_fields_same_key(void **state)
{
    (void)state;
    static const char *const a[] = { "start=2", "segmentSentences=1", "teiCoordinates=s",
                                     "teiCoordinates=p,s" };
    static const char *const b[] = { "teiCoordinates=s, p", "segmentSentences=0", "start=2",
                                     "segmentSentences=1", "includeRawCitations=1" };
    struct buf x = BUF_INIT, y = BUF_INIT;
    put_fields(a, ARRAY_LEN(a), true, &x);
    put_fields(b, ARRAY_LEN(b), false, &y);
    assert_string_equal(buf_cstr(&x), buf_cstr(&y));
    put_fields(b, 1, false, &y);
    assert_string_not_equal(buf_cstr(&x), buf_cstr(&y));
    put_fields(NULL, 0, false, &x);
    assert_string_equal(buf_cstr(&x), "consolidateHeader=0\nconsolidateCitations=0\n"
                                      "consolidateFunders=0\nincludeRawCitations=1\n"
                                      "includeRawAffiliations=0\nsegmentSentences=0\n");
    buf_release(&x);
    buf_release(&y);
}

static void test_wrong_fields(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "start",
        "=1",
        "input=x",
        "Start=1",
        "start=",
        "start=-1",
        "start=+1",
        "start=0x1",
        "end=1 ",
        "flavor=",
        "flavor=a\nb",
        "flavor=\"",
        "generateIDs=2",
        "generateIDs=01",
        "start=1=2",
        "consolidateHeader=\x01",
        "teiCoordinates=p;s",
        "teiCoordinates=,",
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = { 0 };
        assert_null(form_new(&cases[i], 1, false, &err));
        assert_int_equal(err.code, EXIT_USAGE);
        assert_non_null(strstr(err.msg, "--grobid-set="));
    }
}

/* ---- what is kept ---- */

static char dir[100];

static int make_dir(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(dir, sizeof dir, "%.70s/keep-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    (void)state;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
    return rmdir(dir);
}

static const struct sv tei = { "<TEI>x</TEI>\n", 13 };

static void make_key(struct keep_key *key, const char *pdf)
{
    keep_key_set(key, sv_from(pdf), SV("start=1\n"));
}

static void test_keep(void **state)
{
    (void)state;
    struct err err;
    struct keep_key a, b;
    struct buf got = BUF_INIT, damaged = BUF_INIT;
    make_key(&a, "PDF a");
    make_key(&b, "PDF b");
    struct keep *k = keep_open(dir, 1000, &err);
    assert_non_null(k);
    assert_int_equal(keep_take(k, &a, &got, &damaged), 0);
    assert_int_equal(keep_put(k, &a, SV("x/p.pdf"), tei, &err), 0);
    assert_int_equal(keep_take(k, &b, &got, &damaged), 0);
    assert_int_equal(keep_put(k, &b, SV("y/p.pdf"), SV("<TEI>y</TEI>"), &err), 0);
    keep_close(k);
    k = keep_open(dir, 1000, &err); /* a later run */
    buf_str(&got, "before ");
    assert_int_equal(keep_take(k, &a, &got, &damaged), 1);
    assert_sv(buf_view(&got), "before <TEI>x</TEI>\n");
    buf_reset(&got);
    assert_int_equal(keep_take(k, &b, &got, &damaged), 1);
    assert_sv(buf_view(&got), "<TEI>y</TEI>");
    keep_close(k);
    buf_release(&got);
    buf_release(&damaged);
}

/* Any byte changed, any end cut off, anything added: seen, and the buffer is as it was. */
static void test_keep_damaged(void **state)
{
    (void)state;
    struct err err;
    struct keep_key key;
    struct buf got = BUF_INIT, damaged = BUF_INIT, file = BUF_INIT;
    struct rng rng = { 7 };
    char path[200];
    make_key(&key, "PDF c");
    snprintf(path, sizeof path, "%s/c-%s.tei.xml", dir, key.id);
    struct keep *k = keep_open(dir, 1000, &err);
    assert_int_equal(keep_take(k, &key, &got, &damaged), 0);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(keep_put(k, &key, SV("c.pdf"), tei, &err), 0);
        buf_reset(&file);
        assert_int_equal(file_read(&file, path, 0, &err), 0);
        size_t at = (size_t)rng_below(&rng, file.len);
        if (i % 3 == 0)
            buf_cut(&file, at);
        else if (i % 3 == 1)
            file.data[at] = (char)(file.data[at] ^ (1 << (i % 7)));
        else
            buf_str(&file, i % 2 ? "\n" : "<TEI>x</TEI>");
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fwrite(file.data, 1, file.len, f);
        fclose(f);
        buf_reset(&damaged);
        assert_int_equal(keep_take(k, &key, &got, &damaged), -1);
        assert_string_equal(buf_cstr(&damaged), path);
        assert_int_equal(got.len, 0);
    }
    keep_leave(k, &key);
    keep_close(k);
    buf_release(&got);
    buf_release(&damaged);
    buf_release(&file);
}

struct race {
    struct keep *k;
    int n_made[4];
    pthread_mutex_t lock;
};

static void *ask_all(void *arg)
{
    static const char *const pdfs[] = { "r0", "r1", "r2", "r3" };
    struct race *r = arg;
    for (size_t i = 0; i < 40; i++) {
        struct err err;
        struct keep_key key;
        struct buf got = BUF_INIT, damaged = BUF_INIT;
        make_key(&key, pdfs[i % 4]);
        if (keep_take(r->k, &key, &got, &damaged) == 0) {
            if (i < 8) { /* failed at first: the next one tries */
                keep_leave(r->k, &key);
                continue;
            }
            pthread_mutex_lock(&r->lock);
            r->n_made[i % 4]++;
            pthread_mutex_unlock(&r->lock);
            (void)keep_put(r->k, &key, SV("r.pdf"), tei, &err);
        }
        buf_release(&got);
        buf_release(&damaged);
    }
    return NULL;
}

static void test_keep_once(void **state)
{
    (void)state;
    struct err err;
    pthread_t threads[8];
    struct race r = { .lock = PTHREAD_MUTEX_INITIALIZER };
    r.k = keep_open(dir, 1000, &err);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &r), 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(r.n_made[i], 1);
    keep_close(r.k);
}

/* ---- PDF ---- */

static void test_is(void **state)
{
    (void)state;
    assert_true(pdf_is(SV("%PDF-1.7\n"), SV("x")));
    assert_true(pdf_is(SV("\n\n%PDF-1.7\n"), SV("x.xml")));
    assert_true(pdf_is(SV(""), SV("a.PDF")));
    assert_true(pdf_is(SV("<html>"), SV("d/a.pdf.gz")));
    assert_false(pdf_is(SV("<TEI>%PDF-1.7"), SV("x.xml")));
    assert_false(pdf_is(SV("<TEI>"), SV(".pdf"))); /* a name without end */
    assert_false(pdf_is(SV(""), SV("")));
}

/* The record of a PDF is the PDF's, not that of the TEI made of it. */
static void test_source(void **state)
{
    (void)state;
    static const struct tei_cfg plain = { 0 };
    char of_pdf[65];
    struct buf warnings = BUF_INIT, out = BUF_INIT, id = BUF_INIT;
    struct rec r = {
        .line = SV("a.pdf"), .file = "a.pdf", .v = jv_null(), .warnings = &warnings
    };
    struct err err = { 0 };
    jv v;
    hash_sha256(SV("a PDF"), of_pdf);
    buf_printf(&id, "sha256:%.16s", of_pdf);
    tei_setup();
    assert_int_equal(
        tei_convert_as(&plain, &r, SV("<TEI><teiHeader/></TEI>"), of_pdf, &out, &err), 0);
    assert_int_equal(json_parse(&v, sv_trim(buf_view(&out)), &err), 0);
    assert_sv(json_sv(json_get(v, "id")), buf_cstr(&id));
    assert_sv(json_sv(json_get(json_get(v, "source"), "sha256")), of_pdf);
    json_free(v);
    buf_release(&warnings);
    buf_release(&out);
    buf_release(&id);
}

/* ---- replies ---- */

static void test_replies(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum service_reply want;
    } cases[] = {
        { "<TEI></TEI>", SERVICE_REPLY_TEI },
        { "\xEF\xBB\xBF\n<?xml version='1.0'?><!-- <x> -->\n<TEI a='>'>x</TEI>\n",
          SERVICE_REPLY_TEI },
        { "<tei:TEI></tei:TEI>", SERVICE_REPLY_TEI },
        { "<TEI></TEI><!-- a --> <!---->", SERVICE_REPLY_TEI },
        { "<!DOCTYPE TEI []><TEI></TEI>", SERVICE_REPLY_TEI },
        { "", SERVICE_REPLY_CUT },
        { " \n", SERVICE_REPLY_CUT },
        { "\xEF\xBB\xBF", SERVICE_REPLY_CUT },
        { "<TEI>", SERVICE_REPLY_CUT },
        { "<TEI><x></TEI", SERVICE_REPLY_CUT },
        { "<TEI><x>TEI>", SERVICE_REPLY_CUT },
        { "<TEI></xTEI>", SERVICE_REPLY_CUT },
        { "<TEI></TEI>-->", SERVICE_REPLY_CUT },
        { "<TEI><!-- </TEI>-->", SERVICE_REPLY_CUT },
        { "<TEI", SERVICE_REPLY_CUT },
        { "<", SERVICE_REPLY_OTHER },
        { "<?", SERVICE_REPLY_OTHER },
        { "<!--", SERVICE_REPLY_OTHER },
        { "<!DOCTYPE html><TEI></TEI>", SERVICE_REPLY_OTHER },
        { "<HTML><TEI></TEI>", SERVICE_REPLY_OTHER },
        { "TEI <TEI></TEI>", SERVICE_REPLY_OTHER },
        { "<teiCorpus><TEI></TEI>", SERVICE_REPLY_OTHER },
        { "{\"TEI\":\"<TEI></TEI>\"}", SERVICE_REPLY_OTHER },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = { 0 };
        assert_int_equal(service_judge(sv_from(cases[i].text), &err), cases[i].want);
        assert_int_equal(err.msg[0] != 0, cases[i].want != SERVICE_REPLY_TEI);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_fields_same_key),
        cmocka_unit_test(test_wrong_fields),
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_keep_damaged),
        cmocka_unit_test(test_keep_once),
        cmocka_unit_test(test_is),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_replies),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("pdf", tests, make_dir, remove_dir);
}
