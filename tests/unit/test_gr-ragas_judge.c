// SPDX-License-Identifier: MIT
/*
 * test_gr-ragas_judge.c — the lexical judge on cases whose verdicts can be told by eye, laws
 * that hold for any text, and the reasons for which there is no score
 */
#include "unit.h"

#include <math.h>

#include "judge.h"
#include "metrics.h"
#include "rng.h"

static struct splitter *splitter;
static struct analyzer *analyzer;
static struct scorer *scorer;

static int set_up(void **state)
{
    (void)state;
    struct err err;
    splitter = splitter_new(NULL, &err);
    analyzer = analyzer_new(NULL, NULL, &err);
    const struct scorer_cfg cfg = { { splitter, analyzer, 0.6 }, NULL, NULL };
    scorer = scorer_new(&cfg);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    scorer_free(scorer);
    analyzer_free(analyzer);
    splitter_free(splitter);
    return 0;
}

/* One metric of one record: its value, or NaN and *why. */
static double score_with(const struct sample_cfg *cfg, const char *line, const char *metric,
                         const char **why)
{
    struct metric_list list;
    struct sample sample;
    struct rec r = { .file = "test" };
    struct err err;
    double value = NAN;
    assert_int_equal(metric_list_parse(&list, metric, &err), 0);
    assert_int_equal(rec_parse(&r, sv_from(line), &err), 0);
    if (sample_read(&sample, cfg, &r, &err) < 0)
        fail_msg("%s", err.msg);
    scorer_start(scorer, &sample);
    *why = scorer_value(scorer, &list.items[0], &value);
    sample_release(&sample);
    rec_release(&r);
    metric_list_release(&list);
    return *why ? NAN : value;
}

static double score(const char *line, const char *metric, const char **why)
{
    const struct sample_cfg cfg = { 0 };
    return score_with(&cfg, line, metric, why);
}

struct verdict {
    const char *metric, *line;
    double want;     /* NaN: none, for the reason */
    const char *why; /* NULL: there is a value */
};

#define Q "\"user_input\":\"What is the age of the Bishop Tuff?\""
#define CTX(list) "\"retrieved_contexts\":[" list "]"
#define TUFF "\"The Bishop Tuff erupted at 0.764 Ma in California.\""
#define MANTLE "\"The mantle is made of peridotite.\""

static const struct verdict verdicts[] = {
    /* faithfulness */
    { "lexical_faithfulness",
      "{" CTX(TUFF) ",\"response\":\"The Bishop Tuff erupted at 0.764 Ma.\"}", 1, NULL },
    { "lexical_faithfulness",
      "{" CTX(TUFF) ",\"response\":\"The Bishop Tuff erupted at 0.767 Ma.\"}", 0,
      NULL }, /* one digit */
    { "lexical_faithfulness",
      "{" CTX(MANTLE "," TUFF) ",\"response\":\"The Bishop Tuff erupted in California [2]. "
                               "Quartz is hard.\"}",
      0.5, NULL },
    { "lexical_faithfulness", "{" CTX("") ",\"response\":\"Quartz is hard.\"}", 0, NULL },
    { "lexical_faithfulness", "{\"response\":\"Quartz is hard.\"}", NAN, "no_contexts" },
    { "lexical_faithfulness", "{" CTX(TUFF) "}", NAN, "no_response" },
    { "lexical_faithfulness", "{" CTX(TUFF) ",\"response\":null}", NAN, "no_response" },
    { "lexical_faithfulness", "{" CTX(TUFF) ",\"response\":\"\"}", NAN, "no_statements" },
    { "lexical_faithfulness", "{" CTX(TUFF) ",\"response\":\"[1] …!\"}", NAN, "no_statements" },
    { "lexical_faithfulness", "{" CTX(TUFF) ",\"response\":\"I don’t know.\"}", NAN,
      "noncommittal" },
    { "lexical_faithfulness", "{" CTX(TUFF) ",\"response\":\"Nothing.\",\"refused\":true}", NAN,
      "noncommittal" },
    /* notation is one thing in many spellings */
    { "lexical_faithfulness",
      "{" CTX("\"The δ 18 O of the SiO 2 phase is 5.7.\"") ",\"response\":\"The δ¹⁸O of the "
                                                           "SiO₂ phase is 5.7.\"}",
      1, NULL },
    /* answer relevancy */
    { "lexical_answer_relevancy",
      "{" Q ",\"response\":\"The age of the Bishop Tuff is 0.764 Ma.\"}", 1, NULL },
    { "lexical_answer_relevancy", "{" Q ",\"response\":\"Quartz.\"}", 0, NULL },
    { "lexical_answer_relevancy",
      "{" Q ",\"response\":\"I cannot answer: the Bishop Tuff has no age.\"}", 0, NULL },
    { "lexical_answer_relevancy", "{\"response\":\"Quartz.\"}", NAN, "no_question" },
    { "lexical_answer_relevancy", "{\"user_input\":\"?\",\"response\":\"Quartz.\"}", NAN,
      "no_terms" },
    { "lexical_answer_relevancy", "{" Q "}", NAN, "no_response" },
    /* context precision: (1/2) / 1, then (1 + 2/3) / 2 */
    { "lexical_context_precision", "{" CTX(MANTLE "," TUFF) ",\"reference\":" TUFF "}", 0.5,
      NULL },
    { "lexical_context_precision", "{" CTX(TUFF "," MANTLE "," TUFF) ",\"reference\":" TUFF "}",
      (1 + 2.0 / 3) / 2, NULL },
    { "lexical_context_precision", "{" CTX(MANTLE) ",\"reference\":" TUFF "}", 0, NULL },
    { "lexical_context_precision", "{" CTX("") ",\"reference\":" TUFF "}", 0, NULL },
    { "lexical_context_precision", "{" CTX(MANTLE "," TUFF) ",\"response\":" TUFF "}", 0.5,
      NULL },
    { "lexical_context_precision", "{" CTX(TUFF) "}", NAN, "no_reference" },
    { "lexical_context_precision", "{\"reference\":" TUFF "}", NAN, "no_contexts" },
    /* context recall */
    { "lexical_context_recall",
      "{" CTX(TUFF) ",\"reference\":\"The Bishop Tuff erupted at 0.764 Ma. Quartz is hard.\"}",
      0.5, NULL },
    { "lexical_context_recall", "{" CTX(TUFF) ",\"reference\":\"  \"}", NAN, "no_reference" },
    { "lexical_context_recall", "{" CTX(TUFF) ",\"reference\":\"The of and.\"}", NAN,
      "no_statements" },
    /* answer correctness */
    { "lexical_answer_correctness", "{\"response\":" TUFF ",\"reference\":" TUFF "}", 1, NULL },
    { "lexical_answer_correctness", "{\"response\":" MANTLE ",\"reference\":" TUFF "}", 0,
      NULL },
    { "lexical_answer_correctness", "{\"response\":\"\",\"reference\":" TUFF "}", 0, NULL },
    { "lexical_answer_correctness", "{\"response\":" TUFF "}", NAN, "no_reference" },
    { "lexical_answer_correctness", "{\"reference\":" TUFF "}", NAN, "no_response" },
    /* noise: the second statement is wrong, and the useful context says it */
    { "lexical_noise_sensitivity",
      "{" CTX(
          "\"The Bishop Tuff erupted at 0.764 Ma. Quartz is hard.\"") ",\"response\":\"The "
                                                                      "Bishop Tuff erupted at "
                                                                      "0.764 Ma. Quartz is "
                                                                      "hard.\",\"reference\":"
                                                                      "\"The Bishop Tuff "
                                                                      "erupted at 0.764 Ma.\"}",
      0.5, NULL },
    { "lexical_noise_sensitivity",
      "{" CTX(TUFF
              ","
              "\"Quartz is hard.\"") ",\"response\":\"Quartz is hard.\",\"reference\":\"The "
                                     "Bishop Tuff erupted at 0.764 Ma.\"}",
      0, NULL }, /* only an irrelevant context says it */
    { "lexical_noise_sensitivity", "{" CTX(TUFF) ",\"response\":" TUFF "}", NAN,
      "no_reference" },
    /* without vocabulary or model */
    { "lexical_context_entity_recall", "{" CTX(TUFF) ",\"reference\":" TUFF "}", NAN,
      "no_vocabulary" },
    { "semantic_similarity", "{\"response\":" TUFF ",\"reference\":" TUFF "}", NAN,
      "no_model" },
    /* the plain ones */
    { "exact_match", "{\"response\":\"\",\"reference\":\"x\"}", 0, NULL },
    { "string_presence", "{\"response\":\"é x é\",\"reference\":\"x\"}", 1, NULL },
    { "exact_match", "{\"response\":\"x\"}", NAN, "no_reference" },
    { "bleu", "{\"reference\":\"x\"}", NAN, "no_response" },
    /* contexts */
    { "non_llm_context_recall", "{" CTX(TUFF) "}", NAN, "no_reference_contexts" },
    { "non_llm_context_recall", "{\"reference_contexts\":[\"x\"]}", NAN, "no_contexts" },
    { "non_llm_context_recall", "{" CTX("") ",\"reference_contexts\":[\"x\"]}", 0, NULL },
    { "non_llm_context_precision", "{" CTX("") ",\"reference_contexts\":[\"x\"]}", 0, NULL },
    { "non_llm_context_precision", "{" CTX("\"abcd\"") ",\"reference_contexts\":[\"abxy\"]}", 1,
      NULL }, /* half alike: enough for precision, not for recall */
    { "non_llm_context_recall", "{" CTX("\"abcd\"") ",\"reference_contexts\":[\"abxy\"]}", 0,
      NULL },
    { "non_llm_context_recall", "{" CTX("\"\"") ",\"reference_contexts\":[\"\"]}", 1, NULL },
};

static void test_verdicts(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(verdicts); i++) {
        const struct verdict *v = &verdicts[i];
        const char *why;
        double got = score(v->line, v->metric, &why);
        bool same_why = v->why ? why && strcmp(why, v->why) == 0 : !why;
        bool same = isnan(v->want) ? isnan(got) : fabs(got - v->want) < 1e-12;
        if (!same || !same_why) {
            print_error("%s %s: %g (%s), not %g (%s)\n", v->metric, v->line, got,
                        why ? why : "-", v->want, v->why ? v->why : "-");
            fail();
        }
    }
    print_message("# %zu verdicts\n", ARRAY_LEN(verdicts));
}

static void test_noncommittal(void **state)
{
    (void)state;
    assert_true(judge_is_noncommittal(SV("The sources given do not answer this.")));
    assert_true(judge_is_noncommittal(SV("  I CANNOT ANSWER this question.")));
    assert_true(judge_is_noncommittal(SV("I don't know")));
    assert_false(judge_is_noncommittal(SV("Quartz does not contain aluminium.")));
    assert_false(judge_is_noncommittal(SV("It is 5. I do not know more.")));
    assert_false(judge_is_noncommittal(SV_NONE));
}

/* ---- rankings ---- */

static const struct verdict ranks[] = {
    { "mrr", "{\"vector_hits\":[],\"reference_papers\":[\"p\"]}", 0, NULL },
    { "mrr", "{\"reference_papers\":[\"p\"]}", NAN, "no_retrieved_ids" },
    { "mrr", "{\"vector_hits\":[{\"id\":\"a\",\"paper\":\"p\"}]}", NAN, "no_reference_ids" },
    { "mrr", "{\"vector_hits\":[{\"id\":\"a\",\"paper\":\"p\"}],\"reference_papers\":[]}", NAN,
      "no_reference_ids" },
    /* two chunks of one paper count once: the second paper has rank 2 */
    { "mrr",
      "{\"vector_hits\":[{\"id\":\"a\",\"paper\":\"q\",\"score\":3},{\"id\":\"b\",\"paper\":"
      "\"q\","
      "\"score\":2},{\"id\":\"c\",\"paper\":\"p\",\"score\":1}],\"reference_papers\":[\"p\"]}",
      0.5, NULL },
    /* equal scores: ids downwards, as trec_eval; "b" before "a" */
    { "mrr",
      "{\"vector_hits\":[{\"id\":\"a\",\"score\":1},{\"id\":\"b\",\"score\":1}],"
      "\"reference_context_ids\":[\"a\"]}",
      0.5, NULL },
    { "mrr",
      "{\"vector_hits\":[{\"id\":\"a\",\"score\":1},{\"id\":\"b\",\"score\":1.00000000001}],"
      "\"reference_context_ids\":[\"a\"]}",
      0.5, NULL }, /* equal as 32-bit floats */
    /* without scores the order stays */
    { "mrr", "{\"retrieved_context_ids\":[\"a\",\"b\"],\"reference_context_ids\":[\"a\"]}", 1,
      NULL },
    { "mrr", "{\"retrieved_context_ids\":[7,8],\"reference_context_ids\":[\"8\"]}", 0.5, NULL },
    { "recall_1",
      "{\"retrieved_context_ids\":[\"a\",\"b\"],\"reference_context_ids\":[\"a\",\"b\"]}", 0.5,
      NULL },
    { "precision_10", "{\"retrieved_context_ids\":[\"a\"],\"reference_context_ids\":[\"a\"]}",
      0.1, NULL },
    { "hit_1", "{\"retrieved_context_ids\":[\"b\",\"a\"],\"reference_context_ids\":[\"a\"]}", 0,
      NULL },
    { "ndcg_10",
      "{\"retrieved_context_ids\":[\"a\"],\"reference_context_ids\":{\"a\":1,\"b\":-1}}", 1,
      NULL },
    { "map",
      "{\"retrieved_context_ids\":[\"x\",\"a\",\"y\",\"b\"],\"reference_context_ids\":[\"a\","
      "\"b\"]}",
      0.5, NULL },
    { "id_based_context_precision",
      "{\"retrieved_context_ids\":[],\"reference_context_ids\":[\"a\"]}", NAN,
      "no_retrieved_ids" },
    { "id_based_context_recall",
      "{\"retrieved_context_ids\":[],\"reference_context_ids\":[\"a\"]}", 0, NULL },
    { "mrr", "{\"retrieved_context_ids\":[\"a\"],\"reference_context_ids\":{\"a\":0}}", NAN,
      "no_reference_ids" },
    /* by texts: the passage is within the second one */
    { "mrr",
      "{" CTX(MANTLE ","
                     "\"Long ago, the Bishop Tuff erupted at 0.764 Ma in California, it is "
                     "said.\"") ",\"reference_contexts\":[" TUFF "]}",
      0.5, NULL },
    { "recall_5", "{" CTX(MANTLE) ",\"reference_contexts\":[" TUFF "," MANTLE "]}", 0.5, NULL },
    { "recall_5",
      "{" CTX("\"The mantle is made of peridotite. The Bishop Tuff erupted at 0.764 Ma in "
              "California.\"") ",\"reference_contexts\":[" TUFF "," MANTLE "]}",
      1, NULL }, /* one passage holds both: they count as one */
};

static void test_ranks(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ranks); i++) {
        const struct verdict *v = &ranks[i];
        const char *why;
        double got = score(v->line, v->metric, &why);
        bool same_why = v->why ? why && strcmp(why, v->why) == 0 : !why;
        if (!(isnan(v->want) ? isnan(got) : fabs(got - v->want) < 1e-12) || !same_why)
            fail_msg("%s %s: %g (%s), not %g (%s)", v->metric, v->line, got, why ? why : "-",
                     v->want, v->why ? v->why : "-");
    }
}

static void test_choices(void **state)
{
    (void)state;
    const char *why;
    static const char tied[] =
        "{\"vector_hits\":[{\"id\":\"a\",\"score\":1},{\"id\":\"b\",\"score\":1}],"
        "\"reference_context_ids\":[\"a\"]}";
    const struct sample_cfg order = { .keeps_order = true };
    assert_true(fabs(score_with(&order, tied, "mrr", &why) - 1) < 1e-12);
    static const char both[] =
        "{\"context\":{\"VectorRAG_Context\":{\"0\":\"Quartz is hard.\"},\"GraphRAG_Context\":"
        "{\"0\":\"Bishop Tuff erupted California\"}},\"response\":\"The Bishop Tuff erupted in "
        "California.\",\"sources\":[{\"n\":1,\"chunk\":\"c\",\"paper\":\"p\"}],"
        "\"vector_hits\":[],\"reference_papers\":[\"p\"]}";
    const struct sample_cfg vector = { .contexts = CONTEXTS_VECTOR };
    const struct sample_cfg graph = { .contexts = CONTEXTS_GRAPH };
    const struct sample_cfg sources = { .ranking = RANKING_SOURCES };
    assert_true(fabs(score(both, "lexical_faithfulness", &why) - 1) < 1e-12);
    assert_true(fabs(score_with(&vector, both, "lexical_faithfulness", &why)) < 1e-12);
    assert_true(fabs(score_with(&graph, both, "lexical_faithfulness", &why) - 1) < 1e-12);
    assert_true(fabs(score(both, "hit_5", &why)) < 1e-12);
    assert_true(fabs(score_with(&sources, both, "hit_5", &why) - 1) < 1e-12);
}

/* ---- laws ---- */

/* Scores lie in 0 … 1; an answer that is its context is faithful; more contexts never make an
 * answer less faithful; the order of contexts does not matter to recall. */
static void test_laws(void **state)
{
    (void)state;
    static const char *const words[] = { "basalt", "87Sr/86Sr", "0.7092", "erupted",
                                         "δ¹⁸O",   "mantle.",   "Is",     "[3]",
                                         "the",    "SiO2",      "1.5.",   "of" };
    struct rng rng = { 11 };
    print_message("# seed 11\n");
    for (int round = 0; round < 300; round++) {
        struct buf text[3] = { BUF_INIT, BUF_INIT, BUF_INIT }, line = BUF_INIT;
        for (int t = 0; t < 3; t++)
            for (uint64_t i = 0, n = 1 + rng_below(&rng, 20); i < n; i++)
                buf_printf(&text[t], "%s ", words[rng_below(&rng, ARRAY_LEN(words))]);
        const char *a = buf_cstr(&text[0]), *b = buf_cstr(&text[1]), *c = buf_cstr(&text[2]);
        const char *why;
        buf_printf(&line,
                   "{\"response\":\"%s\",\"reference\":\"%s\",\"retrieved_contexts\":[\"%s\"]}",
                   a, b, a);
        double own = score(buf_cstr(&line), "lexical_faithfulness", &why);
        assert_true(why || fabs(own - 1) < 1e-12);
        buf_reset(&line);
        buf_printf(&line,
                   "{\"response\":\"%s\",\"reference\":\"%s\",\"retrieved_contexts\":[\"%s\"]}",
                   a, b, c);
        double one = score(buf_cstr(&line), "lexical_faithfulness", &why);
        double correct = score(buf_cstr(&line), "lexical_answer_correctness", &why);
        assert_true(why || (correct >= 0 && correct <= 1 + 1e-12));
        double recall[2];
        for (int k = 0; k < 2; k++) {
            buf_reset(&line);
            buf_printf(&line,
                       "{\"response\":\"%s\",\"reference\":\"%s\",\"retrieved_contexts\":[\"%"
                       "s\",\"%s\"]}",
                       a, b, k ? c : b, k ? b : c);
            double two = score(buf_cstr(&line), "lexical_faithfulness", &why);
            assert_true(why || two >= one - 1e-12);
            recall[k] = score(buf_cstr(&line), "lexical_context_recall", &why);
        }
        assert_true(why || fabs(recall[0] - recall[1]) < 1e-12);
        for (int t = 0; t < 3; t++)
            buf_release(&text[t]);
        buf_release(&line);
    }
}

/* ---- records of the wrong form ---- */

static void test_rejects(void **state)
{
    (void)state;
    static const struct {
        const char *line, *msg;
    } bad[] = {
        { "{\"response\":5}", "field \"response\": expected string" },
        { "{\"query\":[]}", "field \"query\": expected string" },
        { "{\"reference\":{}}", "field \"reference\": expected string" },
        { "{\"retrieved_contexts\":\"x\"}", "field \"retrieved_contexts\": expected array" },
        { "{\"retrieved_contexts\":[1]}",
          "field \"retrieved_contexts\": element 0: expected string" },
        { "{\"reference_contexts\":[null]}",
          "field \"reference_contexts\": element 0: expected string" },
        { "{\"context\":[]}", "field \"context\": expected object" },
        { "{\"context\":{\"VectorRAG_Context\":{\"0\":7}}}",
          "field \"context\": VectorRAG_Context \"0\": expected string" },
        { "{\"reference_papers\":[{}],\"vector_hits\":[]}",
          "field \"reference_papers\": expected strings or whole numbers" },
        { "{\"reference_context_ids\":{\"a\":\"x\"}}",
          "field \"reference_context_ids\": expected numbers as grades" },
        { "{\"reference_context_ids\":7}", "field \"reference_context_ids\": expected array" },
        { "{\"reference_papers\":[\"p\"],\"vector_hits\":{}}",
          "field \"vector_hits\": expected array" },
        { "{\"reference_papers\":[\"p\"],\"vector_hits\":[3]}",
          "field \"vector_hits\": element 0: expected object" },
        { "{\"reference_papers\":[\"p\"],\"vector_hits\":[{\"paper\":1.5}]}",
          "field \"vector_hits\": expected strings or whole numbers" },
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct rec r = { .file = "test" };
        struct sample s;
        struct err err = { 0 };
        const struct sample_cfg cfg = { 0 };
        assert_int_equal(rec_parse(&r, sv_from(bad[i].line), &err), 0);
        int rc = sample_read(&s, &cfg, &r, &err);
        if (rc == 0 || !strstr(err.msg, bad[i].msg))
            fail_msg("%s: %d %s", bad[i].line, rc, err.msg);
        assert_int_equal(err.code, EXIT_REJECTED);
        sample_release(&s);
        rec_release(&r);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char *const good[] = { "bleu",      " bleu , rouge_l",
                                        "all",       "default,hit_1000",
                                        "bleu,bleu", "ndcg_1" };
    static const char *const wrong[] = { "",       ",",      "blue",     "hit",
                                         "hit_0",  "hit_",   "hit_1001", "hit_01",
                                         "hit_+1", "hit_1x", "mrr_5",    "\xff" };
    struct metric_list list;
    struct err err;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        assert_int_equal(metric_list_parse(&list, good[i], &err), 0);
        for (size_t a = 0; a < list.n; a++)
            for (size_t b = 0; b < a; b++)
                assert_string_not_equal(list.items[a].name, list.items[b].name);
        metric_list_release(&list);
    }
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_int_equal(metric_list_parse(&list, wrong[i], &err), -1);
        assert_int_equal(err.code, EXIT_USAGE);
        metric_list_release(&list);
    }
    metric_list_parse(&list, "rogue_l", &err);
    assert_non_null(strstr(err.msg, "is it rouge_l"));
    metric_list_release(&list);
    assert_true(metric_is_lower_better(SV("lexical_noise_sensitivity")));
    assert_false(metric_is_lower_better(SV("their_own")));
    assert_int_equal(metric_place(SV("their_own")), SIZE_MAX);
    assert_true(metric_place(SV("hit_1")) == metric_place(SV("hit_10")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts), cmocka_unit_test(test_noncommittal),
        cmocka_unit_test(test_ranks),    cmocka_unit_test(test_choices),
        cmocka_unit_test(test_laws),     cmocka_unit_test(test_rejects),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
