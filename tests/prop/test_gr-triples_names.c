// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_names.c — laws of quantities and names on random text
 *
 * Quantities ascend, do not overlap, lie inside the text, have numbers in order and can be
 * printed; a text of the whole is read without looking past its end; what holds all of them
 * holds those of triples but for labels; names inside of names lie inside. GR_SEED=N runs
 * another series; a failure prints the seed of its round.
 */
#include "unit/gr-triples.h"

#include <math.h>

#include "abbrev.h"
#include "buf.h"
#include "quantity.h"
#include "rng.h"
#include "sample.h"
#include "utf8.h"
#include "vocab.h"

#define ROUNDS 4000

static const char *const pieces[] = {
    "5",
    "10",
    "0.7045",
    "1,234",
    "1998",
    "0,05",
    ".64",
    "12,5",
    "3e-4",
    "–",
    "-",
    "−",
    "±",
    "+/-",
    "×",
    "x",
    "10⁻³",
    "10 12",
    "<",
    "~",
    "≥",
    "∼",
    "=",
    "(",
    ")",
    "[",
    "]",
    "%",
    "‰",
    "wt.%",
    "ppm",
    "Ma",
    "°C",
    "°",
    "′",
    "km",
    "m2",
    "m−2",
    "s-1",
    "/",
    "·",
    "mA",
    "µm",
    "μg/g",
    "GHz",
    "two",
    "twenty",
    "five",
    "hundred",
    "million",
    "years",
    "several",
    "tens",
    "of",
    "a",
    "an",
    "half",
    "third",
    "room temperature",
    "to",
    "and",
    "or",
    "between",
    "from",
    "up to",
    "at least",
    "about",
    "Fig.",
    "phases",
    "Table",
    "n",
    "P",
    "Phosphorus",
    "(P)",
    "Fe/Mn",
    "K-feldspar",
    "calcium sulfate",
    "Cu-Au",
    "U-Pb",
    "Late",
    "Permian",
    "Period",
    "Ludlow",
    "meta",
    "metabasalt",
    "sulfate",
    "dissolved",
    "line",
    "alkali feldspar granite (AFG)",
    "AFG",
    "AFGs",
    "(AFG)",
    "(hereafter",
    "AFG (alkali feldspar granite)",
    "contact (CO)",
    "CO",
    "Po = pyrrhotite",
    "Upper Beds Formation (UBF)",
    "UBF",
    "GX-01",
    "GX-02",
    "NWA 7034",
    "Site",
    "has",
    "(GX-03 and",
    "\"",
    "=",
    "—",
    ":",
    "calcite vein",
    "MSSS",
    "samples",
    ",",
    ", ",
    ".",
    ". ",
    "\n",
    "½",
    "1/2",
    "12 500",
    "$",
    "€",
    "+0.3/−0.2",
    "1e999",
    "10:1",
    "1O",
    " or more",
    "±0.05‰",
    " per year",
    "factor of",
    "é",
    "Å",
    "Ω",
    "e",
    "E",
};

static void random_text(struct rng *r, struct buf *b)
{
    size_t n = rng_below(r, 30);
    buf_reset(b);
    for (size_t i = 0; i < n; i++) {
        if (rng_below(r, 20) == 0) {
            uint32_t cp = (uint32_t)rng_below(r, 0x2300);
            utf8_put(b, cp ? cp : ' ');
        } else {
            buf_str(b, pieces[rng_below(r, ARRAY_LEN(pieces))]);
        }
        if (rng_below(r, 2) == 0)
            buf_char(b, ' ');
    }
    buf_cstr(b);
}

/* The text in memory of exactly its size: a sanitizer sees what reads past it. */
static struct sv tight(const struct buf *b)
{
    char *p = malloc(b->len ? b->len : 1);
    assert_non_null(p);
    memcpy(p, b->data, b->len);
    return (struct sv){ p, b->len };
}

static void check_quantities(struct sv text, const struct quantities *list, bool all)
{
    struct buf out = BUF_INIT;
    size_t at = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct quantity *q = &list->items[i];
        assert_true(q->from <= q->start && q->start < q->end && q->end <= text.n);
        assert_true(q->start >= at);
        assert_true(q->from == utf8_floor(text, q->from));
        assert_true(q->end == text.n || q->end == utf8_floor(text, q->end));
        assert_true(all || !q->is_vague || q->warn);
        assert_true(q->is_vague || !isnan(q->low) || !isnan(q->high) || !isnan(q->error));
        assert_true(isnan(q->low) || isnan(q->high) || q->low <= q->high);
        if (q->unit == UNIT_TEXT)
            assert_true(q->unit_text.n > 0 && q->unit_text.p >= text.p &&
                        q->unit_text.p + q->unit_text.n <= text.p + text.n);
        quantity_text(units, q, &out);
        at = q->end;
    }
    buf_release(&out);
}

static void check_names(struct sv text, const struct entities *names)
{
    size_t at = 0;
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        struct entity inner[3];
        assert_true(e->start >= at && e->start < e->end && e->end <= text.n);
        size_t n = vocab_inner(vocab, text, e, inner, ARRAY_LEN(inner));
        for (size_t k = 0; k < n; k++)
            assert_true(inner[k].start >= e->start && inner[k].end <= e->end &&
                        inner[k].start < inner[k].end);
        at = e->end;
    }
}

static uint64_t seed; /* of the round */

static int say_seed(void **state)
{
    (void)state;
    print_message("# the last round: GR_SEED=%llu\n", (unsigned long long)seed);
    return 0;
}

static void test_laws(void **state)
{
    (void)state;
    struct buf text = BUF_INIT;
    struct entities names = { 0 };
    struct quantities list = { 0 };
    struct abbrevs forms = { 0 };
    for (uint64_t round = 0; round < ROUNDS / (UNIT_IS_SLOW ? 10 : 1); round++) {
        seed = unit_seed() + round;
        struct rng r = { seed };
        random_text(&r, &text);
        struct sv s = tight(&text);
        abbrevs_reset(&forms);
        vocab_scan(vocab, s, &names);
        samples_find(s, &names);
        check_names(s, &names);
        for (size_t i = 0; i < s.n; i++) {
            struct definition d;
            if (i > 0 && strchr("(=:", s.p[i]) && definition_at(s, i, &d))
                assert_true(d.form.n > 1 && d.form.n < ABBREV_MAX && d.form.p >= s.p &&
                            d.form.p + d.form.n <= s.p + s.n);
        }
        abbrevs_learn(&forms, vocab, s, 0);
        abbrevs_sort(&forms);
        abbrevs_find(&forms, 0, s, 0, &names);
        check_names(s, &names);
        size_t n = names.n;
        abbrevs_find(&forms, 0, s, 0, &names); /* they stand there already */
        assert_int_equal(names.n, n);
        quantity_scan(units, s, &names, &list);
        check_quantities(s, &list, false);
        quantity_scan_all(units, s, &names, &list);
        check_quantities(s, &list, true);
        free((char *)s.p);
    }
    buf_release(&text);
    entities_release(&names);
    quantities_release(&list);
    abbrevs_release(&forms);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_teardown(test_laws, say_seed) };
    return cmocka_run_group_tests(tests, load_words, unload_words);
}
