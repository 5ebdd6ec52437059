// SPDX-License-Identifier: MIT
/*
 * test_gr-chunk_window.c — windows on random texts: size, overlap, tiling, progress
 */
#include "unit.h"

#include "buf.h"
#include "rng.h"
#include "text.h"
#include "utf8.h"
#include "window.h"

/* Words, marks and blanks of several lengths, some beyond ASCII. */
static void random_text(struct rng *r, struct buf *b)
{
    static const char *const parts[] = { "zircon", "a",      "δ18O", "U-Pb", ".",    " ", "  ",
                                         "\n\n",   "0.7092", "é",    "(Sr)", "The",  ",", "岩",
                                         "\u00A0", "it's",   "'ll",  "\r\n", "12345" };
    buf_reset(b);
    for (uint64_t n = rng_below(r, 80); n; n--) {
        buf_str(b, parts[rng_below(r, ARRAY_LEN(parts))]);
        if (rng_below(r, 2))
            buf_char(b, ' ');
    }
}

static size_t count(const struct window_cfg *cfg, struct sv text)
{
    struct windows scratch = { 0 };
    size_t n = windows_count(&scratch, cfg, text);
    windows_release(&scratch);
    return n;
}

/* Every token of the text lies in a window; windows advance; none is over the size. */
static void check_windows(const struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    struct word word;
    size_t k = 0;
    for (size_t pos = 0; word_next(text, &pos, &word);) {
        while (k < w->n && w->items[k].to < word.end)
            k++;
        assert_true(k < w->n);
        assert_true(w->items[k].from <= word.start);
    }
    for (size_t i = 0; i < w->n; i++) {
        struct sv slice = sv_from_to(text, w->items[i].from, w->items[i].to);
        assert_int_equal(w->items[i].n_tokens, count(cfg, slice));
        assert_true(w->items[i].n_tokens > 0 && w->items[i].n_tokens <= cfg->size);
        if (i) {
            assert_true(w->items[i].from > w->items[i - 1].from);
            assert_true(w->items[i].to > w->items[i - 1].to);
        }
    }
    if (!w->n)
        assert_int_equal(count(cfg, text), 0);
}

static void check_overlap(const struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    for (size_t i = 0; i + 1 < w->n; i++) {
        assert_int_equal(w->items[i].n_tokens, cfg->size);
        size_t shared = w->items[i + 1].from < w->items[i].to
                            ? count(cfg, sv_from_to(text, w->items[i + 1].from, w->items[i].to))
                            : 0;
        assert_int_equal(shared, cfg->overlap);
    }
}

static void test_random(void **state)
{
    (void)state;
    struct rng r = { 20 };
    struct err err;
    struct splitter *splitter = splitter_new(NULL, &err);
    struct windows w = { 0 };
    struct buf text = BUF_INIT;
    print_message("seed 20\n");
    for (int round = 0; round < 3000; round++) {
        random_text(&r, &text);
        size_t size = 1 + rng_below(&r, 12);
        struct window_cfg cfg = { .size = size,
                                  .overlap = rng_below(&r, size),
                                  .by = (int)rng_below(&r, 4),
                                  .splitter = splitter };
        windows_make(&w, &cfg, buf_view(&text));
        check_windows(&w, &cfg, buf_view(&text));
        if (cfg.by == WINDOW_TOKEN)
            check_overlap(&w, &cfg, buf_view(&text));
    }
    buf_release(&text);
    windows_release(&w);
    splitter_free(splitter);
}

/* Tokens of cl100k: no window over the size, whole characters, all text but white space in one.
 */
static void test_bpe(void **state)
{
    (void)state;
    struct rng r = { 21 };
    struct err err;
    struct bpe *bpe = bpe_load("build/share/model/cl100k_base.tiktoken", &err);
    if (!bpe) {
        print_message("skipped: %s (make model)\n", err.msg);
        skip();
    }
    struct splitter *splitter = splitter_new(NULL, &err);
    struct windows w = { 0 };
    struct buf text = BUF_INIT;
    for (int round = 0; round < 2000; round++) {
        random_text(&r, &text);
        struct sv s = buf_view(&text);
        size_t size = 4 + rng_below(&r, 12), end = 0;
        struct window_cfg cfg = {
            size, rng_below(&r, size), (int)rng_below(&r, 4), NULL, bpe, splitter
        };
        windows_make(&w, &cfg, s);
        for (size_t i = 0; i < w.n; i++) {
            struct sv slice = sv_from_to(s, w.items[i].from, w.items[i].to);
            assert_int_equal(w.items[i].n_tokens, bpe_count(bpe, slice));
            assert_true(w.items[i].n_tokens <= size && slice.n > 0);
            assert_int_equal(utf8_check(slice), SIZE_MAX);
            if (w.items[i].from > end)
                assert_int_equal(sv_trim(sv_from_to(s, end, w.items[i].from)).n, 0);
            end = w.items[i].to;
        }
        assert_int_equal(sv_trim(sv_from_to(s, end, s.n)).n, 0);
    }
    buf_release(&text);
    windows_release(&w);
    splitter_free(splitter);
    bpe_free(bpe);
}

/* A word without end keeps the cap and is cut between graphemes. */
static void test_long_word(void **state)
{
    (void)state;
    struct windows w = { 0 };
    struct buf text = BUF_INIT;
    struct window_cfg cfg = { .size = 2, .overlap = 1 };
    for (int i = 0; i < 3000; i++)
        buf_str(&text, "e\xCC\xA7"); /* a letter and a mark that stay two */
    windows_make(&w, &cfg, buf_view(&text));
    for (size_t i = 0; i < w.n; i++) {
        struct sv slice = sv_from_to(buf_view(&text), w.items[i].from, w.items[i].to);
        assert_true(w.items[i].n_tokens <= 2 && utf8_count(slice) <= 2 * WINDOW_WORD_MAX);
        assert_int_equal(slice.p[0], 'e');
        assert_int_equal(count(&cfg, slice), w.items[i].n_tokens);
    }
    assert_int_equal(w.items[w.n - 1].to, text.len);
    buf_release(&text);
    windows_release(&w);
}

static void check_by(int by, size_t size, const char *text, const char *const *want, size_t n)
{
    struct err err;
    struct splitter *splitter = splitter_new(NULL, &err);
    struct windows w = { 0 };
    struct window_cfg cfg = { .size = size, .by = by, .splitter = splitter };
    windows_make(&w, &cfg, sv_from(text));
    assert_int_equal(w.n, n);
    for (size_t i = 0; i < n; i++)
        assert_sv(sv_from_to(sv_from(text), w.items[i].from, w.items[i].to), want[i]);
    windows_release(&w);
    splitter_free(splitter);
}

static void test_units(void **state)
{
    (void)state;
    static const char text[] = "One a. Two b.\n\nThree c.";
    static const char *const paragraphs[] = { "One a. Two b.", "Three c." };
    static const char *const sentences[] = { "One a.", "Two b.", "Three c." };
    static const char *const whole[] = { text };
    check_by(WINDOW_PARAGRAPH, 20, text, paragraphs, 2);
    check_by(WINDOW_PARAGRAPH, 4, text, sentences, 3);
    check_by(WINDOW_SECTION, 20, text, whole, 1);
    check_by(WINDOW_SECTION, 8, text, paragraphs, 2);
    check_by(WINDOW_SENTENCE, 4, text, sentences, 3);
}

/* Lines that end with a stop are units of what is too long; lines broken anywhere are none. */
static void test_lines(void **state)
{
    (void)state;
    static const char lines[] = "One a. Two b.\nThree c, four d.\n \nEnd \"e.\"";
    static const char *const by_line[] = { "One a. Two b.", "Three c, four d.", "End \"e.\"" };
    static const char broken[] = "One a\ntwo b. Three c\nfour d. Five\ne six f.";
    static const char *const by_sentence[] = { "One a\ntwo b.", "Three c\nfour d.",
                                               "Five\ne six f." };
    check_by(WINDOW_SECTION, 8, lines, by_line, 3);
    check_by(WINDOW_PARAGRAPH, 8, lines, by_line, 3);
    check_by(WINDOW_PARAGRAPH, 6, broken, by_sentence, 3);
    check_by(WINDOW_SECTION, 7, broken, by_sentence, 3);
}

static void test_worked_example(void **state)
{
    (void)state;
    struct windows w = { 0 };
    struct sv text = SV("a b c d e f g h i j");
    struct window_cfg cfg = { .size = 5, .overlap = 2 };
    windows_make(&w, &cfg, text);
    static const char *const want[] = { "a b c d e", "d e f g h", "g h i j" };
    assert_int_equal(w.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_sv(sv_from_to(text, w.items[i].from, w.items[i].to), want[i]);
    windows_release(&w);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worked_example),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_bpe),
        cmocka_unit_test(test_long_word),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
