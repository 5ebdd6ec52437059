// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_snippets.c — the quantities of sentences, as a reader notes them down
 *
 * The sentences and what is in them: tests/unit/quantities.tsv, which says how it is written.
 */
#include "unit/gr-triples.h"

#include <stdio.h>

#include "buf.h"
#include "quantity.h"
#include "sample.h"

/* One quantity as the list has it: "~300 °C", "21.3 ± 0.4 Ma [2σ]", "vague ppm !". */
static void put_form(const struct quantity *q, struct buf *out)
{
    struct sv unit = q->unit == UNIT_TEXT ? q->unit_text : units_name(units, q->unit);
    if (q->is_vague) {
        buf_str(out, unit.n ? "vague " : "vague");
        buf_sv(out, unit);
    } else {
        quantity_text(units, q, out);
    }
    if (q->error_kind && strcmp(q->error_kind, "%") != 0)
        buf_printf(out, " [%s]", q->error_kind);
    buf_str(out, q->warn ? " !" : "");
}

static void quantities_of(struct sv s, struct buf *out)
{
    struct entities names = { 0 };
    struct quantities list = { 0 };
    vocab_scan(vocab, s, &names);
    samples_find(s, &names);
    quantity_scan_all(units, s, &names, &list);
    buf_reset(out);
    for (size_t i = 0; i < list.n; i++) {
        const struct quantity *q = &list.items[i];
        buf_str(out, i ? " | " : "");
        buf_sv(out, sv_from_to(s, q->from, q->end));
        buf_str(out, " => ");
        put_form(q, out);
    }
    buf_cstr(out);
    quantities_release(&list);
    entities_release(&names);
}

static void test_snippets(void **state)
{
    (void)state;
    FILE *file = fopen("tests/unit/quantities.tsv", "r");
    assert_non_null(file);
    struct buf got = BUF_INIT;
    char line[2048];
    size_t n = 0, n_wrong = 0;
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t'), *end = strchr(line, '\n');
        if (line[0] == '#')
            continue;
        assert_true(tab && end);
        *tab = *end = '\0';
        quantities_of(sv_from(line), &got);
        n++;
        if (strcmp(buf_cstr(&got), tab + 1) == 0)
            continue;
        n_wrong++;
        print_error("\"%s\":\n  want %s\n  got  %s\n", line, tab + 1, buf_cstr(&got));
    }
    fclose(file);
    buf_release(&got);
    assert_true(n >= 190);
    assert_int_equal(n_wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_snippets) };
    return cmocka_run_group_tests(tests, load_words, unload_words);
}
