// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_folder.c — tokenizer.json and the configuration files of a model folder: what
 * they decide, and each way they can be unsupported or contradict each other
 */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "tokenizer.h"

static char folder[] = "/tmp/gr-folder.XXXXXX";

static const char *const names[] = { "tokenizer.json",
                                     "vocab.txt",
                                     "tokenizer_config.json",
                                     "config.json",
                                     "modules.json",
                                     "sentence_bert_config.json",
                                     "config_sentence_transformers.json",
                                     "1_Pooling/config.json" };

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void clear(void)
{
    char path[256];
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
}

#define CONTENT(id, text) "{\"id\":" id ",\"content\":\"" text "\",\"normalized\":false}"
#define ADDED                                                                                  \
    "[" CONTENT("0", "[PAD]") "," CONTENT("1", "[UNK]") "," CONTENT("2", "[CLS]") "," CONTENT( \
        "3", "[SEP]") "]"
#define NORMAL "{\"type\":\"BertNormalizer\",\"lowercase\":true,\"strip_accents\":null}"
#define PRE "{\"type\":\"BertPreTokenizer\"}"
#define S(name, type) "{\"SpecialToken\":{\"id\":\"" name "\",\"type_id\":" type "}}"
#define Q(name, type) "{\"Sequence\":{\"id\":\"" name "\",\"type_id\":" type "}}"
#define SINGLE S("[CLS]", "0") "," Q("A", "0") "," S("[SEP]", "0")
#define PAIR SINGLE "," Q("B", "1") "," S("[SEP]", "1")
#define TEMPLATE(single, pair)                                                                 \
    "{\"type\":\"TemplateProcessing\",\"single\":[" single "],\"pair\":[" pair "]}"
#define VOCAB                                                                                  \
    "{\"[PAD]\":0,\"[UNK]\":1,\"[CLS]\":2,\"[SEP]\":3,\"bas\":4,\"##alt\":5,\"\\u00e9\":6,"    \
    "\"Bas\":7,\"\\\"\":8,\"##s\":9,\"e\":10}"
#define MODEL_OF(vocab, more) "{\"type\":\"WordPiece\",\"vocab\":" vocab more "}"
#define JSON(added, normal, pre, post, model)                                                  \
    "{\"truncation\":{\"max_length\":4},\"added_tokens\":" added ",\"normalizer\":" normal     \
    ",\"pre_tokenizer\":" pre ",\"post_processor\":" post ",\"model\":" model "}"
#define GOOD JSON(ADDED, NORMAL, PRE, TEMPLATE(SINGLE, PAIR), MODEL_OF(VOCAB, ""))

static void read_one(struct tokenizer *t)
{
    struct err err;
    if (tokenizer_read(t, folder, false, &err) < 0)
        fail_msg("%s", err.msg);
}

static void expect_ids(const struct tokenizer *t, const char *text, const int32_t *ids,
                       size_t n)
{
    struct wordpiece_tokens out = { 0 };
    wordpiece_split(t->words, sv_from(text), SIZE_MAX, &out);
    assert_int_equal(out.n, n);
    assert_memory_equal(out.ids, ids, n * sizeof *ids);
    wordpiece_tokens_release(&out);
}
#define IDS(t, text, ...)                                                                      \
    expect_ids(t, text, (const int32_t[]){ __VA_ARGS__ },                                      \
               sizeof((const int32_t[]){ __VA_ARGS__ }) / sizeof(int32_t))

static void test_json(void **state)
{
    (void)state;
    struct tokenizer t;
    put("tokenizer.json", GOOD);
    read_one(&t);
    assert_int_equal(wordpiece_size(t.words), 11);
    assert_int_equal(wordpiece_cls(t.words), 2);
    assert_int_equal(wordpiece_sep(t.words), 3);
    assert_true(t.has_pairs);
    IDS(&t, "BASALT Bas \" É [SEP]s", 4, 5, 4, 8, 10, 3, 1);
    IDS(&t, "basalts basaltx", 4, 5, 9, 1);
    tokenizer_release(&t);

    put("tokenizer.json",
        JSON(ADDED, "{\"type\":\"BertNormalizer\",\"lowercase\":false}", PRE,
             TEMPLATE(SINGLE, SINGLE),
             MODEL_OF(VOCAB, ",\"max_input_chars_per_word\":6,\"unk_token\":\"[PAD]\"")));
    read_one(&t);
    assert_false(t.has_pairs);
    assert_true(t.has_own_form);
    IDS(&t, "basalt basalts Basalt É é", 4, 5, 0, 7, 5, 0, 6);
    tokenizer_release(&t);
    clear();
}

/* Other names for the special tokens, another mark of continuation, a Sequence of one, ids
 * beyond the vocabulary, BertProcessing. */
static void test_other_names(void **state)
{
    (void)state;
    struct tokenizer t;
    put("tokenizer.json",
        JSON("[" CONTENT("20", "<s>") "," CONTENT("21", "</s>") "," CONTENT(
                 "22", "bas") "," CONTENT("23", "basal") "]",
             "{\"type\":\"Sequence\",\"normalizers\":[" NORMAL "]}", PRE,
             "{\"type\":\"BertProcessing\",\"sep\":[\"</s>\",21],\"cls\":[\"<s>\",20]}",
             MODEL_OF("{\"<unk>\":0,\"a\":1,\"@b\":2,\"##c\":3}",
                      ",\"unk_token\":\"<unk>\",\"continuing_subword_prefix\":\"@\"")));
    read_one(&t);
    assert_int_equal(wordpiece_size(t.words), 24);
    assert_int_equal(wordpiece_cls(t.words), 20);
    assert_int_equal(wordpiece_sep(t.words), 21);
    IDS(&t, "ab a<s>b basal bas", 1, 2, 1, 20, 0, 23, 22);
    tokenizer_release(&t);
    clear();
}

static void must_fail(const char *why)
{
    struct tokenizer t;
    struct err err;
    if (tokenizer_read(&t, folder, false, &err) == 0)
        fail_msg("read, expected \"%s\"", why);
    if (!strstr(err.msg, why) || !strstr(err.msg, folder))
        fail_msg("\"%s\" lacks \"%s\"", err.msg, why);
    assert_int_equal(err.code, EXIT_FATAL);
    tokenizer_release(&t);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *why;
    } bad[] = {
        { "", "tokenizer.json" },
        { "[]", "expected an object" },
        { "{\"model\":", "tokenizer.json" },
        { "{}", "field \"model\"" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[]}}",
          "model \"BPE\" is not supported, only WordPiece" },
        { "{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",-1.5]]}}", "model \"Unigram\"" },
        { "{\"model\":" MODEL_OF("[]", "") "}", "field \"vocab\"" },
        { "{\"model\":" MODEL_OF("{\"a\":0,\"b\":0}", "") "}", "ids of their own" },
        { "{\"model\":" MODEL_OF("{\"a\":-1}", "") "}", "ids of their own" },
        { "{\"model\":" MODEL_OF("{\"a\":1e9}", "") "}", "ids of their own" },
        { "{\"model\":" MODEL_OF("{\"a\":99999999999999999999}", "") "}", "ids of their own" },
        { "{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"a", "ids of their own" },
        { JSON(ADDED, "null", PRE, "null", MODEL_OF(VOCAB, "")), "normalizer \"none\"" },
        { JSON(ADDED, "{\"type\":\"NFC\"}", PRE, "null", MODEL_OF(VOCAB, "")),
          "normalizer \"NFC\" is not supported, only BertNormalizer" },
        { JSON(ADDED, NORMAL, "{\"type\":\"Whitespace\"}", "null", MODEL_OF(VOCAB, "")),
          "pre_tokenizer \"Whitespace\"" },
        { JSON(ADDED, "{\"type\":\"BertNormalizer\",\"clean_text\":false}", PRE, "null",
               MODEL_OF(VOCAB, "")),
          "clean_text" },
        { JSON(ADDED, NORMAL, PRE, "null", MODEL_OF(VOCAB, "")), "post_processor \"none\"" },
        { JSON(ADDED, NORMAL, PRE, "{\"type\":\"RobertaProcessing\"}", MODEL_OF(VOCAB, "")),
          "post_processor \"RobertaProcessing\"" },
        { JSON(ADDED, NORMAL, PRE, TEMPLATE(Q("A", "0"), PAIR), MODEL_OF(VOCAB, "")),
          "expected the template" },
        { JSON(ADDED, NORMAL, PRE,
               TEMPLATE(S("[X]", "0") "," Q("A", "0") "," S("[SEP]", "0"), PAIR),
               MODEL_OF(VOCAB, "")),
          "lacks [CLS]" },
        { JSON("[{\"id\":1}]", NORMAL, PRE, "null", MODEL_OF(VOCAB, "")), "entry 0" },
        { JSON("[{\"id\":1,\"content\":\"x\",\"normalized\":true}]", NORMAL, PRE, "null",
               MODEL_OF(VOCAB, "")),
          "added token \"x\"" },
        { JSON(ADDED, NORMAL, PRE, "null",
               MODEL_OF(VOCAB, ",\"max_input_chars_per_word\":1000")),
          "from 1 to 256" },
        { JSON(ADDED, NORMAL, PRE, "null",
               MODEL_OF(VOCAB, ",\"continuing_subword_prefix\":\"\"")),
          "prefix is empty" },
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        put("tokenizer.json", bad[i].json);
        must_fail(bad[i].why);
    }
    clear();
    must_fail("vocab.txt");
}

static void test_contradictions(void **state)
{
    (void)state;
    struct tokenizer t;
    static const char vocab[] =
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\nbas\n##alt\n\xC3\xA9\nBas\n\"\n##s\ne\n";
    put("tokenizer.json", GOOD);
    put("vocab.txt", vocab);
    put("tokenizer_config.json", "{\"do_lower_case\":true,\"strip_accents\":null}");
    read_one(&t);
    tokenizer_release(&t);
    put("tokenizer_config.json", "{\"do_lower_case\":false}");
    must_fail("do_lower_case in tokenizer_config.json contradicts lowercase");
    put("tokenizer_config.json", "{\"strip_accents\":false}");
    must_fail("strip_accents");
    put("tokenizer_config.json", "{\"tokenize_chinese_chars\":false}");
    must_fail("handle_chinese_chars");
    put("tokenizer_config.json", "{}");
    put("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nbas\n##alt\ne\n");
    must_fail("vocab.txt: id 6 is \"e\", but \"\xC3\xA9\" in tokenizer.json");
    put("vocab.txt",
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\nbas\n##alt\n\xC3\xA9\nBas\n\"\n##s\ne\nmore\n");
    must_fail("id 11");
    put("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n");
    must_fail("fewer pieces");
    clear();
}

/* ---- the other files ---- */

#define CONFIG(more)                                                                           \
    "{\"model_type\":\"bert\",\"hidden_size\":64,\"num_hidden_layers\":1,"                     \
    "\"num_attention_heads\":2,\"intermediate_size\":96,\"max_position_embeddings\":512" more  \
    "}"

static void put_folder(void)
{
    clear();
    put("config.json", CONFIG(""));
    put("tokenizer.json", GOOD);
}

static void read_folder(struct folder *f)
{
    struct err err;
    if (folder_read(f, folder, &err) < 0)
        fail_msg("%s", err.msg);
}

static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *sbert, *tokenizer;
        size_t want;
    } samples[] = {
        { NULL, NULL, 512 },
        { NULL, "{\"model_max_length\":128}", 128 },
        { "{\"max_seq_length\":256}", "{\"model_max_length\":128}", 256 },
        { "{\"max_seq_length\":null}", "{\"model_max_length\":1e30}", 512 },
        { "{\"max_seq_length\":9999}", NULL, 512 },
    };
    struct folder f;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        put_folder();
        if (samples[i].sbert)
            put("sentence_bert_config.json", samples[i].sbert);
        if (samples[i].tokenizer)
            put("tokenizer_config.json", samples[i].tokenizer);
        read_folder(&f);
        assert_int_equal(f.max_len, samples[i].want);
        folder_release(&f);
    }
}

static void test_prompts(void **state)
{
    (void)state;
    static const struct {
        const char *json, *query, *text;
    } samples[] = {
        { "{}", NULL, NULL },
        { "{\"prompts\":{\"query\":\"q: \",\"document\":\"\"}}", "q: ", NULL },
        { "{\"prompts\":{\"query\":\"query: \",\"passage\":\"passage: \"}}",
          "query: ", "passage: " },
        { "{\"prompts\":{\"x\":\"X \",\"query\":\"Q \"},\"default_prompt_name\":\"x\"}", "Q ",
          "X " },
        { "{\"prompts\":{\"x\":\"X \"},\"default_prompt_name\":\"x\"}", "X ", "X " },
        { "{\"prompts\":{\"query\":\"Q \"},\"default_prompt_name\":\"query\"}", "Q ", NULL },
    };
    struct folder f;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        put_folder();
        put("config_sentence_transformers.json", samples[i].json);
        read_folder(&f);
        assert_string_equal(f.query ? f.query : "-", samples[i].query ? samples[i].query : "-");
        assert_string_equal(f.text ? f.text : "-", samples[i].text ? samples[i].text : "-");
        folder_release(&f);
    }
}

static void test_classifiers(void **state)
{
    (void)state;
#define CLASSIFIER ",\"architectures\":[\"BertForSequenceClassification\"]"
    static const struct {
        const char *json;
        size_t labels;
        bool is_logit;
    } samples[] = {
        { CONFIG(",\"architectures\":[\"BertModel\"],\"id2label\":{\"0\":\"L\"}"), 0, false },
        { CONFIG(CLASSIFIER), 2, false },
        { CONFIG(CLASSIFIER ",\"id2label\":{\"0\":\"L\"}"), 1, false },
        { CONFIG(CLASSIFIER ",\"num_labels\":1,\"sbert_ce_default_activation_function\":"
                            "\"torch.nn.modules.linear.Identity\""),
          1, true },
        { CONFIG(CLASSIFIER ",\"num_labels\":3,\"sentence_transformers\":{\"activation_fn\":"
                            "\"torch.nn.modules.activation.Sigmoid\"}"),
          3, false },
    };
    struct folder f;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        put_folder();
        put("config.json", samples[i].json);
        read_folder(&f);
        assert_int_equal(f.n_labels, samples[i].labels);
        assert_int_equal(f.is_logit, samples[i].is_logit);
        folder_release(&f);
    }
}

static void test_refused_folders(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *why;
    } bad[] = {
        { "1_Pooling/config.json", "{\"pooling_mode_lasttoken\":true}",
          "pooling \"lasttoken\"" },
        { "1_Pooling/config.json",
          "{\"pooling_mode_cls_token\":true,\"pooling_mode_mean_tokens\":true}",
          "pooling \"cls and mean\"" },
        { "1_Pooling/config.json", "{\"pooling_mode\":\"max\"}", "pooling \"none\"" },
        { "1_Pooling/config.json", "{\"pooling_mode\":\"cls\",\"include_prompt\":false}",
          "include_prompt" },
        { "sentence_bert_config.json", "{", "sentence_bert_config.json" },
        { "sentence_bert_config.json", "1", "expected an object" },
        { "config_sentence_transformers.json", "{", "config_sentence_transformers.json" },
        { "modules.json", "[1]", "expected objects" },
        { "modules.json", "[{\"type\":\"m.Transformer\",\"path\":\"0_Transformer\"}]",
          "0_Transformer/config.json" },
    };
    struct folder f;
    struct err err;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        put_folder();
        put("modules.json", "[{\"type\":\"m.Transformer\"},"
                            "{\"type\":\"m.Pooling\",\"path\":\"1_Pooling\"}]");
        put(bad[i].name, bad[i].text);
        assert_int_equal(folder_read(&f, folder, &err), -1);
        if (!strstr(err.msg, bad[i].why))
            fail_msg("\"%s\" lacks \"%s\"", err.msg, bad[i].why);
        folder_release(&f);
    }
    put_folder();
    put("modules.json", "[]"); /* neither pooling nor normalisation: mean, and not normalised */
    put("config_sentence_transformers.json", "[]");
    read_folder(&f);
    assert_true(f.pooling == POOL_MEAN && !f.is_normalised);
    folder_release(&f);
}

static int set_up(void **state)
{
    (void)state;
    char path[256];
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/1_Pooling", folder);
    return mkdir(path, 0777);
}

static int tear_down(void **state)
{
    (void)state;
    char path[256];
    clear();
    snprintf(path, sizeof path, "%s/1_Pooling", folder);
    rmdir(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),        cmocka_unit_test(test_other_names),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_lengths),     cmocka_unit_test(test_prompts),
        cmocka_unit_test(test_classifiers), cmocka_unit_test(test_refused_folders),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
