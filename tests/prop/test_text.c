// SPDX-License-Identifier: MIT
/*
 * test_text.c — laws of the text layer on random text
 *
 * Words ascend and leave no letter out; sentences tile; search terms and keys do not depend on
 * the normal form; nothing reads past the end. GR_SEED=N runs another series; a failure prints
 * the seed of its round.
 */
#include "unit/unit.h"

#include <utf8proc.h>

#include "analyzer.h"
#include "buf.h"
#include "chem.h"
#include "rng.h"
#include "sentence.h"
#include "text.h"
#include "utf8.h"

#define ROUNDS 3000

static const char *const pieces[] = {
    "δ¹⁸O",   "87Sr/86Sr", "⁸⁷Sr",  "/",  "Fe³⁺",    "SiO",       "2",        " ",      "(III)",
    "U",      "-",         "Pb",    "–",  "ε",       "Nd",        "\\delta",  "^{18}",  "$",
    "the",    "basalts",   ".",     ". ", "et al.",  "Fig. ",     "3",        "0.7092", "10⁻³",
    "wt.%",   "\n\n",      "\n",    "(",  ")",       "[12]",      "…",        "”",      "é",
    "Å",      "ñandú",     "≠",     "が", "玄",      "\xCC\x81",  "\xC2\xAD", "'s",     "A",
    "Müller", "{",         "}",     "_",  "·2H2O",   "Ca(OH)2",   "In ",      "As",     "Co",
    "CO",     "Eu*",       "+",     "2-", "SO",      "4",         "\xC2\xA0", "ﬁ",      "İ",
    "ß",      "1,200",     "x-y-z", "²",  "₂",       "!",         "?",        "μ",      "µ",
    "ὰ",      "각",        "𝛿",     "\t", "uranium", "(U-Th)/He", "d18O",     "e",
};

static void random_text(struct rng *r, struct buf *b)
{
    size_t n = rng_below(r, 24);
    buf_reset(b);
    for (size_t i = 0; i < n; i++) {
        if (rng_below(r, 10) == 0) {
            uint32_t cp = (uint32_t)rng_below(r, rng_below(r, 2) ? 0x3000 : 0x110000);
            /* Folding depends on the form where an iota subscript is (Unicode 3.13). */
            bool is_odd =
                (cp >= 0xD800 && cp < 0xE000) || (cp >= 0x1F80 && cp <= 0x1FFF) || cp == 0x345;
            utf8_put(b, is_odd ? ' ' : cp);
        } else {
            buf_str(b, pieces[rng_below(r, ARRAY_LEN(pieces))]);
        }
        if (rng_below(r, 3) == 0)
            buf_char(b, ' ');
    }
    if (utf8_check(buf_view(b)) != SIZE_MAX)
        buf_reset(b);
}

static void check_words(struct sv s)
{
    struct word w;
    size_t n = 0, last = 0, pos = 0;
    while (word_next(s, &pos, &w)) {
        assert_true(w.start >= last && w.end > w.start && w.end == pos);
        for (size_t i = last; i < w.start;) {
            uint32_t cp = utf8_next(s, &i);
            assert_false(utf8_is_letter(cp) || utf8_is_number(cp));
        }
        last = w.end;
        n++;
    }
    assert_int_equal(pos, s.n);
    assert_int_equal(word_count(s), n);
}

static void check_sentences(const struct splitter *sp, struct sv s)
{
    struct sentence one;
    size_t last = 0, pos = 0;
    while (sentence_next(sp, s, &pos, &one)) {
        assert_true(one.start >= last && one.end > one.start && one.end <= pos);
        assert_int_equal(utf8_floor(s, one.start), one.start);
        assert_int_equal(utf8_floor(s, one.end), one.end);
        for (size_t i = last; i < one.start;) /* only white space and controls between */
            assert_true(!utf8_is_letter(utf8_next(s, &i)));
        last = one.end;
    }
    assert_int_equal(pos, s.n);
    struct word w;
    size_t at = last;
    assert_false(word_next(s, &at, &w)); /* nothing is left out at the end */
}

static void check_chem(struct sv s)
{
    struct chem c;
    char key[CHEM_MAX];
    size_t last = 0;
    for (size_t pos = 0; chem_next(s, &pos, &c); last = c.end) {
        assert_true(c.start >= last && c.end > c.start && c.end <= s.n);
        assert_int_equal(utf8_floor(s, c.end), c.end);
        assert_true(chem_key(&c, key) == strlen(key));
        for (unsigned i = 0; i < c.n_parts; i++)
            assert_true(c.parts[i].to <= c.n && chem_part_key(&c, i, key) > 0);
    }
}

static void join_terms(struct terms *t, struct sv s, struct buf *b)
{
    struct term term;
    size_t last = 0;
    terms_start(t, s);
    for (buf_reset(b); terms_next(t, &term);) {
        assert_true(term.end > term.start && term.end <= s.n && term.text.n > 0);
        assert_true(term.same || term.start >= last);
        assert_int_equal(utf8_check(term.text), SIZE_MAX);
        last = term.same ? last : term.start;
        buf_sv(b, term.text);
        buf_str(b, term.same ? "+ " : " ");
    }
}

/* The text in normal form D. */
static char *decomposed(struct sv s, size_t *n)
{
    utf8proc_uint8_t *out = NULL;
    utf8proc_ssize_t len = utf8proc_map((const utf8proc_uint8_t *)s.p, (utf8proc_ssize_t)s.n,
                                        &out, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
    assert_true(len >= 0);
    *n = (size_t)len;
    return (char *)out;
}

static void check_forms(struct terms *t, struct sv s)
{
    struct buf nfc = BUF_INIT, a = BUF_INIT, b = BUF_INIT;
    size_t n;
    utf8_nfc(&nfc, s);
    char *nfd = decomposed(s, &n);
    join_terms(t, buf_view(&nfc), &a);
    join_terms(t, (struct sv){ nfd, n }, &b);
    assert_string_equal(buf_cstr(&a), buf_cstr(&b));
    buf_reset(&a);
    buf_reset(&b);
    text_key(buf_view(&nfc), TEXT_KEY_PLAIN, &a);
    text_key((struct sv){ nfd, n }, TEXT_KEY_PLAIN, &b);
    assert_string_equal(buf_cstr(&a), buf_cstr(&b));
    buf_release(&nfc);
    buf_release(&a);
    buf_release(&b);
    free(nfd);
}

static void test_laws(void **state)
{
    uint64_t seed = unit_seed();
    struct err err;
    struct splitter *sp = splitter_new(NULL, &err);
    struct analyzer *a = analyzer_new(NULL, NULL, &err);
    struct terms *t = terms_new(a);
    struct buf b = BUF_INIT;
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng r = { seed + round };
        random_text(&r, &b);
        /* An exact copy, so that a sanitizer sees a byte too far. */
        char *copy = malloc(b.len + !b.len);
        assert_non_null(copy);
        memcpy(copy, buf_cstr(&b), b.len);
        struct sv s = { copy, b.len };
        if (getenv("GR_VERBOSE"))
            printf("# GR_SEED=%llu: %.*s\n", (unsigned long long)(seed + round), SV_ARG(s));
        check_words(s);
        check_sentences(sp, s);
        check_chem(s);
        check_forms(t, s);
        free(copy);
    }
    buf_release(&b);
    terms_free(t);
    analyzer_free(a);
    splitter_free(sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_laws) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
