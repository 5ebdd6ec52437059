// SPDX-License-Identifier: MIT
/*
 * test_gr-generate_property.c — every citation of an extractive answer leads to its sentence
 *
 * Random contexts with the papers' own bracketed numbers, merged chunks, cut sentences and
 * facts.
 */
#include "unit.h"

#include "cite.h"
#include "generate.h"
#include "map.h"
#include "rng.h"
#include "utf8.h"

enum { ROUNDS = 300 };

static const char *const sentences[] = {
    "The δ¹⁸O of quartz from the vein is 12.5‰ [12].",
    "Gold is carried as a bisulfide complex [3, 4] in dilute fluids.",
    "This lowers the pH of the fluid.",
    "Zircon gave an age of 22.1 ± 0.3 Ma (Example et al., 2011).",
    "Seawater has a ⁸⁷Sr/⁸⁶Sr ratio of 0.70918 [2–5].",
    "cut at its start and about gold, quartz and zircon.",
    "Copper follows salinity; gold follows sulfur",
    "Sample: A-1; δ18O (‰): 12.5; Au (g/t): 3",
    "Boiling of the fluid precipitates gold because it removes sulfide.",
};
static const char *const questions[] = {
    "What is the δ18O of quartz?",        "How is gold carried?",
    "Why does boiling precipitate gold?", "How old is zircon?",
    "Which ratio has seawater?",          "Who won the football world cup?"
};

static void put_text(struct buf *b, struct rng *r)
{
    static const char *const glue[] = { " ", " ", " […] ", "\n" };
    size_t n = 1 + (size_t)rng_below(r, 5);
    for (size_t i = 0; i < n; i++) {
        buf_str(b, i ? glue[rng_below(r, ARRAY_LEN(glue))] : "");
        buf_str(b, sentences[rng_below(r, ARRAY_LEN(sentences))]);
    }
}

static void make_record(struct buf *b, struct rng *r)
{
    size_t n = (size_t)rng_below(r, 6), n_facts = (size_t)rng_below(r, 3);
    struct buf text = BUF_INIT;
    buf_str(b, "{\"query\":");
    json_put_str(b, sv_from(questions[rng_below(r, ARRAY_LEN(questions))]));
    buf_printf(b, ",\"class\":\"%s\"", rng_below(r, 2) ? "explicit_fact" : "hidden_rationale");
    buf_str(b, ",\"context\":{\"VectorRAG_Context\":{");
    for (size_t i = 0; i < n; i++) {
        buf_reset(&text);
        put_text(&text, r);
        buf_printf(b, "%s\"%zu\":", i ? "," : "", i);
        json_put_str(b, buf_view(&text));
    }
    buf_str(b, "},\"GraphRAG_Context\":{");
    for (size_t i = 0; i < n_facts; i++)
        buf_printf(b, "%s\"%zu\":\"gold carried_by fluid %zu\"", i ? "," : "", i, i);
    buf_str(b, "}},\"sources\":[");
    for (size_t i = 0; i < n; i++)
        buf_printf(b, "%s{\"n\":%zu,\"chunk\":\"c#%zu\",\"vector\":\"%zu\"}", i ? "," : "",
                   i + 1, i, i);
    for (size_t i = 0; i < n_facts; i++)
        buf_printf(b, "%s{\"n\":%zu,\"chunk\":\"f#%zu\",\"graph\":[\"%zu\"]}", n + i ? "," : "",
                   n + i + 1, i, i);
    buf_str(b, "]}");
    buf_release(&text);
}

static struct sv slice(struct sv text, double from, double to)
{
    size_t a = utf8_offset(text, (size_t)from);
    return sv_from_to(text, a, utf8_offset(text, (size_t)to));
}

/* A quote is its slice of the entry; a passage's sentence is in the response word for word, but
 * for the paper's own bracketed numbers. */
static void check_citation(jv rec, jv c, struct sv response)
{
    bool is_vector = sv_is(json_sv(json_get(c, "of")), "vector");
    jv texts = json_get(json_get(rec, "context"),
                        is_vector ? "VectorRAG_Context" : "GraphRAG_Context");
    struct sv key = json_sv(json_get(c, "key")), quote = json_sv(json_get(c, "quote"));
    char name[24];
    snprintf(name, sizeof name, "%.*s", SV_ARG(key));
    struct sv text = json_sv(json_get(texts, name));
    assert_true(sv_eq(slice(text, json_num(json_get(c, "start")), json_num(json_get(c, "end"))),
                      quote));
    assert_true(sv_is(json_sv(json_get(c, "verdict")), "supported"));
    if (!is_vector)
        return;
    struct buf plain = BUF_INIT;
    struct sv said = slice(response, json_num(json_get(c, "response_start")),
                           json_num(json_get(c, "response_end")));
    cite_strip(&plain, quote);
    assert_true(sv_find(said, buf_view(&plain), 0) == 0);
    buf_release(&plain);
}

static void check(struct sv line)
{
    struct rec rec = { 0 };
    struct err err;
    assert_int_equal(rec_parse(&rec, sv_trim(line), &err), 0);
    jv citations = json_get(rec.v, "citations"), sources = json_get(rec.v, "sources");
    struct sv response = json_sv(json_get(rec.v, "response"));
    bool is_refused = json_is_true(json_get(rec.v, "refused"));
    if (json_len(json_get(rec.v, "unsupported")))
        fail_msg("%.*s", SV_ARG(line));
    assert_true(response.n > 0);
    assert_int_equal(is_refused, json_len(citations) == 0);
    for (size_t i = 0; i < json_len(citations); i++)
        check_citation(rec.v, json_at(citations, i), response);
    size_t pos = 0, n = 0;
    for (struct cite c; cite_next(response, &pos, &c); n++)
        assert_true(c.n[0] >= 1 && c.n[0] <= json_len(sources));
    assert_int_equal(n, json_len(citations));
    rec_release(&rec);
}

static void test_citations(void **state)
{
    (void)state;
    struct generate_cfg cfg = { .extract = { .min_support = 0.27 } };
    struct err err;
    struct generator *g = generator_new(&cfg, 1, &err);
    assert_non_null(g);
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct rng r = { seed };
        struct buf line = BUF_INIT, out = BUF_INIT;
        struct rec rec = { 0 };
        make_record(&line, &r);
        assert_int_equal(rec_parse(&rec, buf_view(&line), &err), 0);
        if (generate_record(g, 0, &rec, &out, &err) != 0)
            fail_msg("seed %d: %s", (int)seed, err.msg);
        check(buf_view(&out));
        rec_release(&rec);
        buf_release(&line);
        buf_release(&out);
    }
    generator_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_citations) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
