// SPDX-License-Identifier: MIT
/*
 * test_cl100k.c — tokens of cl100k_base against tiktoken's (cl100k.ndjson, by cl100k.py)
 *
 * Skipped without the table of ranks (make model); its counts of files, without GR_SHARED.
 */
#include "unit/unit.h"

#include <unistd.h>

#include "alloc.h"
#include "bpe.h"
#include "buf.h"
#include "file.h"
#include "json.h"
#include "ndjson.h"

static const char ranks[] = "build/share/model/cl100k_base.tiktoken";
static const char stored[] = "tests/peers/cl100k.ndjson";

/* Token ids of a text, and the count without storing. */
static void check_ids(const struct bpe *b, jv v, struct bpe_tokens *t)
{
    struct sv text = json_sv(json_get(v, "text"));
    jv ids = json_get(v, "ids");
    bpe_split(b, text, t);
    assert_int_equal(t->n, json_len(ids));
    assert_int_equal(bpe_count(b, text), t->n);
    for (size_t i = 0; i < t->n; i++) {
        assert_int_equal(t->ids[i], (uint32_t)json_num(json_at(ids, i)));
        assert_true(t->ends[i] > (i ? t->ends[i - 1] : 0));
    }
    assert_int_equal(t->n ? t->ends[t->n - 1] : 0, text.n);
}

/* The count of a file of the shared data. Returns whether it is there. */
static bool check_file(const struct bpe *b, jv v)
{
    struct buf path = BUF_INIT, text = BUF_INIT;
    struct err err;
    const char *shared = getenv("GR_SHARED");
    buf_printf(&path, "%s/data/%.*s", shared ? shared : "../shared",
               SV_ARG(json_sv(json_get(v, "file"))));
    bool is_there = access(buf_cstr(&path), R_OK) == 0;
    if (is_there) {
        assert_int_equal(file_read(&text, buf_cstr(&path), 0, &err), 0);
        size_t n = bpe_count(b, buf_view(&text)),
               want = (size_t)json_num(json_get(v, "tokens"));
        if (n != want)
            print_error("%s: %zu tokens, tiktoken has %zu\n", buf_cstr(&path), n, want);
        assert_int_equal(n, want);
    }
    buf_release(&path);
    buf_release(&text);
    return is_there;
}

static void test_tiktoken(void **state)
{
    (void)state;
    if (access(ranks, R_OK) != 0) {
        print_message("skipped: no %s (make model)\n", ranks);
        skip();
    }
    struct err err;
    struct bpe *b = bpe_load(ranks, &err);
    assert_non_null(b);
    assert_int_equal(bpe_size(b), 100256);
    struct buf all = BUF_INIT;
    assert_int_equal(file_read(&all, stored, 0, &err), 0);
    struct sv rest = buf_view(&all), line;
    struct bpe_tokens t = { 0 };
    size_t texts = 0, files = 0, missing = 0;
    while (sv_cut(&rest, '\n', &line)) {
        jv v;
        if (!line.n)
            continue;
        assert_int_equal(json_parse(&v, line, &err), 0);
        if (json_is_str(json_get(v, "text"))) {
            check_ids(b, v, &t);
            texts++;
        } else {
            *(check_file(b, v) ? &files : &missing) += 1;
        }
        json_free(v);
    }
    print_message("cl100k: %zu texts and %zu files as tiktoken; %zu files not there\n", texts,
                  files, missing);
    assert_true(texts > 100);
    bpe_tokens_release(&t);
    buf_release(&all);
    bpe_free(b);
}

static void test_bad_table(void **state)
{
    (void)state;
    struct err err;
    assert_null(bpe_load("/nonexistent", &err));
    assert_int_equal(err.code, EXIT_FATAL);
    assert_null(bpe_load(stored, &err)); /* no table */
    assert_int_equal(err.code, EXIT_FATAL);
    assert_null(bpe_load("/dev/null", &err)); /* lacks the single bytes */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiktoken),
        cmocka_unit_test(test_bad_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
