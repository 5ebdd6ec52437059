// SPDX-License-Identifier: MIT
/*
 * test_bpe.c — byte-pair encoding against the plainest form of itself, on random texts
 *
 * A table made up here: every byte, then random pairs of tokens. So no download is needed, and
 * the merges are others than those of cl100k (tests/peers/test_cl100k.c has those). GR_SEED=N
 * runs another series; a failure prints the seed of its round.
 */
#include "unit/unit.h"

#include <unistd.h>

#include "alloc.h"
#include "base64.h"
#include "bpe.h"
#include "buf.h"
#include "map.h"
#include "rng.h"
#include "utf8.h"

#define ROUNDS 3000
#define N_MERGES 3000

static struct map *tokens; /* of the made-up table; the ordinal is the rank */
static struct bpe *bpe;

static const char *const pieces[] = {
    "zircon",    "olivine", "clinopyroxene",
    " ",         "  ",      "\n",
    "\n\n",      "\r\n",    "\t",
    "87Sr/86Sr", "12",      "12345",
    "δ¹⁸O",      "Fe³",     "'s",
    "'",         "'ll",     "it's",
    "'ſ",        "...",     "(",
    ").",        "!!",      "岩石",
    "が",        "é",       "e\xCC\x81",
    "\u00A0",    "\u2003",  "\xC2\x85",
    "🪨",      "a",       "b",
    "ab",        "abab",    "²³",
    "½",         "-",       "The",
    "\u3000",
};

static void random_text(struct rng *r, struct buf *b, size_t most)
{
    buf_reset(b);
    for (size_t n = rng_below(r, most); n; n--) {
        if (rng_below(r, 12) == 0) {
            uint32_t cp = (uint32_t)rng_below(r, rng_below(r, 2) ? 0x3000 : 0x110000);
            utf8_put(b, cp >= 0xD800 && cp < 0xE000 ? '.' : cp);
        } else {
            buf_str(b, pieces[rng_below(r, ARRAY_LEN(pieces))]);
        }
        if (rng_below(r, 3) == 0)
            buf_char(b, ' ');
    }
}

/* Each line a token; pairs of two earlier ones that stand side by side in some piece. */
static void make_table(const char *path)
{
    struct rng r = { 5 };
    struct buf text = BUF_INIT, all = BUF_INIT;
    tokens = map_new();
    for (int c = 0; c < 256; c++) {
        char byte = (char)(c ^ 0x55); /* in an order of their own */
        map_put(tokens, (struct sv){ &byte, 1 }, NULL);
    }
    for (int i = 0; i < N_MERGES; i++) {
        random_text(&r, &text, 4);
        struct sv s = buf_view(&text);
        size_t from = s.n ? rng_below(&r, s.n) : 0, n = 2 + rng_below(&r, 22);
        s = sv_from_to(s, from, from + n < s.n ? from + n : s.n);
        if (s.n > 1)
            map_put(tokens, s, NULL);
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t i = 0; i < map_count(tokens); i++) {
        buf_reset(&all);
        base64_put(&all, map_key(tokens, i));
        fprintf(f, "%s %zu\n", buf_cstr(&all), i);
    }
    assert_int_equal(fclose(f), 0);
    buf_release(&text);
    buf_release(&all);
}

/* The definition: merge the pair of lowest rank, the leftmost of equals, until there is none.
 */
static size_t merge_plainly(struct sv s, size_t *ends)
{
    size_t n = s.n;
    for (size_t i = 0; i < n; i++)
        ends[i] = i + 1;
    if (map_get(tokens, s) != MAP_NONE) {
        ends[0] = s.n;
        return 1;
    }
    for (;;) {
        size_t best = 0, rank = MAP_NONE;
        for (size_t i = 0; i + 1 < n; i++) {
            size_t at = map_get(tokens, sv_from_to(s, i ? ends[i - 1] : 0, ends[i + 1]));
            if (at < rank) {
                rank = at;
                best = i;
            }
        }
        if (rank == MAP_NONE)
            return n;
        memmove(ends + best, ends + best + 1, (n - best - 1) * sizeof *ends);
        n--;
    }
}

static void check_pieces(struct sv s, const struct bpe_tokens *t)
{
    size_t *ends = alloc_array(s.n + 1, sizeof *ends), from = 0;
    for (size_t i = 0; i < t->n;) {
        size_t last = i + 1;
        assert_true(t->is_first[i]);
        while (last < t->n && !t->is_first[last])
            last++;
        struct sv piece = sv_from_to(s, from, t->ends[last - 1]);
        assert_int_equal(merge_plainly(piece, ends), last - i);
        for (size_t k = i; k < last; k++) {
            assert_int_equal(t->ends[k], from + ends[k - i]);
            struct sv token = sv_from_to(s, k ? t->ends[k - 1] : 0, t->ends[k]);
            assert_int_equal(t->ids[k], map_get(tokens, token));
        }
        from = t->ends[last - 1];
        i = last;
    }
    assert_int_equal(from, s.n);
    free(ends);
}

static void check_slices(struct rng *r, struct sv s, const struct bpe_tokens *t)
{
    for (int i = 0; i < 20 && s.n; i++) {
        size_t from = utf8_floor(s, rng_below(r, s.n));
        size_t to = utf8_floor(s, from + 1 + rng_below(r, s.n - from));
        if (to <= from)
            continue;
        size_t first = 0, last = t->n;
        while (t->ends[first] <= from)
            first++;
        while (last > first + 1 && t->ends[last - 2] >= to)
            last--;
        first -= rng_below(r, first + 1);
        last += rng_below(r, t->n - last + 1);
        assert_int_equal(bpe_count_slice(bpe, s, t, first, last, from, to),
                         bpe_count(bpe, sv_from_to(s, from, to)));
    }
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = unit_seed();
    struct buf text = BUF_INIT;
    struct bpe_tokens t = { 0 };
    for (uint64_t round = seed; round < seed + ROUNDS; round++) {
        struct rng r = { round };
        random_text(&r, &text, 40);
        bpe_split(bpe, buf_view(&text), &t);
        if (bpe_count(bpe, buf_view(&text)) != t.n)
            print_error("GR_SEED=%llu\n", (unsigned long long)round);
        assert_int_equal(bpe_count(bpe, buf_view(&text)), t.n);
        check_pieces(buf_view(&text), &t);
        check_slices(&r, buf_view(&text), &t);
    }
    bpe_tokens_release(&t);
    buf_release(&text);
}

/* A word of 100 kB: not quadratic, and the same as merged plainly (a shorter one). */
static void test_long(void **state)
{
    (void)state;
    struct rng r = { 7 };
    struct buf text = BUF_INIT;
    struct bpe_tokens t = { 0 };
    while (text.len < 700)
        buf_char(&text, (char)('a' + (char)rng_below(&r, 3)));
    bpe_split(bpe, buf_view(&text), &t);
    check_pieces(buf_view(&text), &t);
    while (text.len < 100000)
        buf_char(&text, (char)('a' + (char)rng_below(&r, 3)));
    bpe_split(bpe, buf_view(&text), &t);
    assert_int_equal(bpe_count(bpe, buf_view(&text)), t.n);
    assert_int_equal(t.ends[t.n - 1], text.len);
    bpe_tokens_release(&t);
    buf_release(&text);
}

static void write_table(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void test_bad_tables(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "IQ== 1\n",         /* does not begin with 0 */
        "IQ== 0\nIQ== 1\n", /* twice the same */
        "IQ==\n",           /* no rank */
        "IQ== 00\n",        /* no number */
        "IQ== 0x\n",        /* no number */
        "I*== 0\n",         /* no base64 */
        " 0\n",             /* no token */
        "IQ== 0\n",         /* lacks the other bytes */
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err err = { 0 };
        write_table("bad.tiktoken", bad[i]);
        assert_null(bpe_load("bad.tiktoken", &err));
        assert_int_equal(err.code, EXIT_FATAL);
        assert_non_null(strstr(err.msg, "bad.tiktoken"));
    }
    unlink("bad.tiktoken");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_bad_tables),
    };
    char folder[] = "/tmp/test_bpe.XXXXXX";
    char path[sizeof folder + 16];
    struct err err;
    if (!mkdtemp(folder) || chdir(folder) < 0)
        return 1;
    snprintf(path, sizeof path, "%s/ranks", folder);
    make_table(path);
    bpe = bpe_load(path, &err);
    unlink(path);
    int rc = bpe ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    if (!bpe)
        print_error("%s\n", err.msg);
    bpe_free(bpe);
    map_free(tokens);
    rmdir(folder);
    return rc;
}
