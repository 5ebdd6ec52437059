// SPDX-License-Identifier: MIT
/*
 * test_wordpiece.c — a small vocabulary made here, then parity with Hugging Face tokenizers on
 * tests/peers/wordpiece.ndjson (skipped without the model's vocab.txt)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "file.h"
#include "json.h"
#include "wordpiece.h"

#define MODEL_VOCAB "build/share/model/all-MiniLM-L6-v2/vocab.txt"
#define PARITY "tests/peers/wordpiece.ndjson"

static const char small_vocab[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nbas\n##alt\n##al\n##t\n"
                                  "e\n##e\n.\n中\n[\n]\nBas\n\xC3\xA9\n##\n";
enum {
    PAD,
    UNK,
    CLS,
    SEP,
    MASK,
    BAS,
    ALT,
    AL,
    T,
    E,
    EE,
    DOT,
    ZHONG,
    OPEN,
    CLOSE,
    UPPER,
    ACUTE
};

static struct wordpiece *load_text(const char *text, const struct wordpiece_cfg *cfg,
                                   struct err *err)
{
    char path[] = "/tmp/gr-vocab.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    struct wordpiece *wp = wordpiece_load(path, cfg, err);
    unlink(path);
    return wp;
}

struct sample {
    const char *text;
    int32_t ids[8];
    size_t n;
};

static void check_samples(const struct wordpiece *wp, const struct sample *s, size_t n)
{
    struct wordpiece_tokens t = { 0 };
    for (size_t i = 0; i < n; i++) {
        size_t total = wordpiece_split(wp, sv_from(s[i].text), SIZE_MAX, &t);
        if (t.n != s[i].n)
            fail_msg("\"%s\": %zu tokens, expected %zu", s[i].text, t.n, s[i].n);
        assert_int_equal(total, t.n);
        assert_int_equal(wordpiece_count(wp, sv_from(s[i].text)), t.n);
        assert_memory_equal(t.ids, s[i].ids, t.n * sizeof *t.ids);
    }
    wordpiece_tokens_release(&t);
}

static void test_small_uncased(void **state)
{
    (void)state;
    static const struct sample samples[] = {
        { "", { 0 }, 0 },
        { "basalt", { BAS, ALT }, 2 },
        { "BASALt.", { BAS, ALT, DOT }, 3 },
        { "basal bast", { BAS, AL, BAS, T }, 4 },
        { "basx", { UNK }, 1 },
        { "\xC3\xA9\xCC\x81 e\xCC\x81", { E, E }, 2 },
        { "bas\xE4\xB8\xAD"
          "bas",
          { BAS, ZHONG, BAS },
          3 },
        { "ba\xE2\x80\x8Bs", { BAS }, 1 },
        { "bas[SEP]bas", { BAS, SEP, BAS }, 3 },
        { "[bas]", { OPEN, BAS, CLOSE }, 3 },
        { "bas\xFF\xFE", { BAS }, 1 },
        { "bas##alt", { BAS, UNK, UNK, UNK }, 4 },
    };
    struct err err;
    struct wordpiece *wp = load_text(small_vocab, &WORDPIECE_UNCASED, &err);
    assert_non_null(wp);
    assert_int_equal(wordpiece_size(wp), 18);
    assert_int_equal(wordpiece_id(wp, SV("##alt")), ALT);
    assert_int_equal(wordpiece_id(wp, SV("[MASK]")), MASK);
    assert_int_equal(wordpiece_id(wp, SV("absent")), -1);
    check_samples(wp, samples, ARRAY_LEN(samples) - 1);
    wordpiece_free(wp);
}

static void test_small_cased(void **state)
{
    (void)state;
    static const struct sample samples[] = {
        { "Basalt", { UPPER, ALT }, 2 },
        { "BASALT", { UNK }, 1 },
        { "\xC3\xA9", { ACUTE }, 1 },
        { "bas\xE4\xB8\xAD", { UNK }, 1 },
    };
    struct err err;
    const struct wordpiece_cfg cased = { .lower = false };
    struct wordpiece *wp = load_text(small_vocab, &cased, &err);
    assert_non_null(wp);
    check_samples(wp, samples, ARRAY_LEN(samples));
    wordpiece_free(wp);
}

static void test_limits_and_offsets(void **state)
{
    (void)state;
    struct err err;
    struct wordpiece *wp = load_text(small_vocab, &WORDPIECE_UNCASED, &err);
    struct wordpiece_tokens t = { .with_offsets = true };
    struct sv text = SV("  Basalt \xC3\x89.bas");
    assert_int_equal(wordpiece_encode(wp, text, 4, &t), 5);
    const int32_t cut[] = { CLS, BAS, ALT, SEP };
    assert_int_equal(t.n, 4);
    assert_memory_equal(t.ids, cut, sizeof cut);
    assert_int_equal(wordpiece_split(wp, text, SIZE_MAX, &t), 5);
    const size_t from[] = { 2, 5, 9, 11, 12 }, to[] = { 5, 8, 11, 12, 15 };
    assert_memory_equal(t.from, from, sizeof from);
    assert_memory_equal(t.to, to, sizeof to);
    wordpiece_encode(wp, text, 0, &t);
    assert_int_equal(t.n, 2);
    wordpiece_tokens_release(&t);
    wordpiece_free(wp);
}

static void test_bad_vocabularies(void **state)
{
    (void)state;
    struct err err;
    assert_null(load_text("", &WORDPIECE_UNCASED, &err));
    assert_null(load_text("[UNK]\n[CLS]\n", &WORDPIECE_UNCASED, &err));
    assert_non_null(strstr(err.msg, "lacks"));
    assert_null(wordpiece_load("/nonexistent/vocab.txt", &WORDPIECE_UNCASED, &err));
    assert_int_equal(err.code, EXIT_FATAL);
    wordpiece_free(NULL);
}

static void check_numbers(jv want, size_t n, const int32_t *ids, const size_t *bytes)
{
    assert_int_equal(json_len(want), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal((int64_t)json_num(json_at(want, i)),
                         ids ? (int64_t)ids[i] : (int64_t)bytes[i]);
}

static void test_parity(void **state)
{
    (void)state;
    struct err err;
    if (access(MODEL_VOCAB, R_OK) != 0) {
        print_message("no " MODEL_VOCAB ": make model\n");
        skip();
    }
    struct wordpiece *wp = wordpiece_load(MODEL_VOCAB, &WORDPIECE_UNCASED, &err);
    struct wordpiece_tokens t = { .with_offsets = true };
    struct buf file = BUF_INIT;
    assert_int_equal(file_read(&file, PARITY, 0, &err), 0);
    struct sv rest = buf_view(&file), line;
    size_t n = 0;
    while (rest.n && sv_cut(&rest, '\n', &line)) {
        struct rec r = { 0 };
        assert_int_equal(rec_parse(&r, line, &err), 0);
        if (json_is_str(json_get(r.v, "text"))) {
            struct sv text = json_sv(json_get(r.v, "text"));
            wordpiece_encode(wp, text, SIZE_MAX, &t);
            if (json_len(json_get(r.v, "ids")) != t.n)
                fail_msg("%.*s: %zu tokens", SV_ARG(text), t.n);
            check_numbers(json_get(r.v, "ids"), t.n, t.ids, NULL);
            if (json_is_array(json_get(r.v, "from"))) {
                check_numbers(json_get(r.v, "from"), t.n - 2, NULL, t.from + 1);
                check_numbers(json_get(r.v, "to"), t.n - 2, NULL, t.to + 1);
            }
            n++;
        }
        rec_release(&r);
    }
    assert_true(n > 100);
    print_message("%zu texts: all ids equal\n", n);
    buf_release(&file);
    wordpiece_tokens_release(&t);
    wordpiece_free(wp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_uncased),
        cmocka_unit_test(test_small_cased),
        cmocka_unit_test(test_limits_and_offsets),
        cmocka_unit_test(test_bad_vocabularies),
        cmocka_unit_test(test_parity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
