// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_relations.c — the table of relations: its examples hold, its errors are named
 */
#include "unit/gr-triples_extract.h"

#include "file.h"
#include "rules.h"

#define EXAMPLES "data/lexicon/relation_examples.tsv"

struct example {
    struct sv relation, sign, head, tail, sentence;
};

static bool read_example(struct sv line, struct example *e)
{
    struct sv *const fields[] = { &e->relation, &e->sign, &e->head, &e->tail, &e->sentence };
    if (line.n == 0 || line.p[0] == '#' || sv_starts(line, SV("relation\t")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (!sv_cut(&line, '\t', fields[i]))
            fail_msg("%s: a line has %zu of 5 fields", EXAMPLES, i);
    return true;
}

static bool says(struct sv lines, const struct example *e)
{
    struct sv line;
    bool found = false;
    while (lines.n && sv_cut(&lines, '\n', &line)) {
        struct rec r;
        struct err err;
        if (!line.n)
            continue;
        assert_int_equal(rec_parse(&r, line, &err), 0);
        found |= sv_eq(json_sv(json_get(json_get(r.v, "head"), "name")), e->head) &&
                 sv_eq(json_sv(json_get(r.v, "relation")), e->relation) &&
                 sv_eq(json_sv(json_get(json_get(r.v, "tail"), "name")), e->tail);
        rec_release(&r);
    }
    return found;
}

static void test_examples(void **state)
{
    (void)state;
    struct buf table = BUF_INIT, out = BUF_INIT;
    struct err err;
    unsigned n = 0, failed = 0;
    assert_int_equal(file_read(&table, EXAMPLES, 1 << 20, &err), 0);
    struct sv rest = buf_view(&table), line;
    while (rest.n && sv_cut(&rest, '\n', &line)) {
        struct example e;
        if (!read_example(line, &e))
            continue;
        struct source source = { .text = e.sentence, .refs = jv_null(), .has_offsets = true };
        buf_reset(&out);
        extract_text(extractor, 0, &source, &out);
        n++;
        if (says(buf_view(&out), &e) != sv_is(e.sign, "+")) {
            print_message("# %.*s %.*s: \"%.*s\" gives\n%s", SV_ARG(e.relation), SV_ARG(e.sign),
                          SV_ARG(e.sentence), buf_cstr(&out));
            failed++;
        }
    }
    assert_int_equal(failed, 0);
    assert_true(n > 40);
    buf_release(&table);
    buf_release(&out);
}

/* Every relation that cues give has an example. */
static void test_covered(void **state)
{
    (void)state;
    struct buf table = BUF_INIT, want = BUF_INIT;
    struct err err;
    assert_int_equal(file_read(&table, EXAMPLES, 1 << 20, &err), 0);
    struct vocab *v = vocab_load("data/vocab", &err);
    assert_non_null(v);
    const char *const paths[] = { "data/vocab/relation.tsv" };
    struct rules *rules = rules_load(paths, 1, v, &err);
    if (!rules)
        fail_msg("%s", err.msg);
    for (uint32_t i = 0; i < vocab_count(rules_cues(rules, 0)); i++) {
        const struct rule *r = rules_of(rules, 0, i);
        buf_reset(&want);
        buf_printf(&want, "\n%s\t+\t", r->relation);
        if (!r->has_values && sv_find(buf_view(&table), buf_view(&want), 0) == SIZE_MAX)
            fail_msg("relation \"%s\" has no example in %s", r->relation, EXAMPLES);
    }
    rules_free(rules);
    vocab_free(v);
    buf_release(&table);
    buf_release(&want);
}

static void test_lists(void **state)
{
    (void)state;
    assert_true(rules_lists(SV("is a,Such As"), SV("such as")));
    assert_false(rules_lists(SV("is a,such as"), SV("such")));
    assert_false(rules_lists(SV(""), SV("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_covered),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, load_extractor, unload_extractor);
}
