// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_encoder.c — a small model made here, then parity with the stored vectors of
 * tests/peers/minilm.ndjson and, where GR_SHARED has it, minilm_ref.json of
 * sentence-transformers
 */
#include "unit.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "encoder.h"
#include "file.h"
#include "json.h"
#include "rng.h"
#include "vec.h"

#define MODEL "build/share/model/all-MiniLM-L6-v2"
#define PARITY "tests/peers/minilm.ndjson"

/* ---- a model of 1 layer, 2 heads of 32, in a folder of its own ---- */

enum { H = 64, FFN = 96, VOCAB = 8, POSITIONS = 16 };

static char folder[256];

static void put_file(const char *name, struct sv text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text.p, 1, text.n, f), text.n);
    fclose(f);
}

static void drop_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void add_tensor(struct buf *header, struct buf *data, struct rng *rng, const char *name,
                       size_t rows, size_t cols)
{
    size_t from = data->len, n = rows * (cols ? cols : 1);
    for (size_t i = 0; i < n; i++) {
        float v = (float)(rng_unit(rng) - 0.5) * (cols ? 0.4F : 1.0F);
        buf_add(data, (const char *)&v, sizeof v);
    }
    buf_printf(header, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%zu", header->len > 1 ? "," : "",
               name, rows);
    if (cols)
        buf_printf(header, ",%zu", cols);
    buf_printf(header, "],\"data_offsets\":[%zu,%zu]}", from, data->len);
}

static void put_weights(const char *skip_tensor)
{
    static const struct {
        const char *name;
        size_t rows, cols;
    } tensors[] = {
        { "embeddings.word_embeddings.weight", VOCAB, H },
        { "embeddings.position_embeddings.weight", POSITIONS, H },
        { "embeddings.token_type_embeddings.weight", 2, H },
        { "embeddings.LayerNorm.weight", H, 0 },
        { "embeddings.LayerNorm.bias", H, 0 },
        { "encoder.layer.0.attention.self.query.weight", H, H },
        { "encoder.layer.0.attention.self.query.bias", H, 0 },
        { "encoder.layer.0.attention.self.key.weight", H, H },
        { "encoder.layer.0.attention.self.key.bias", H, 0 },
        { "encoder.layer.0.attention.self.value.weight", H, H },
        { "encoder.layer.0.attention.self.value.bias", H, 0 },
        { "encoder.layer.0.attention.output.dense.weight", H, H },
        { "encoder.layer.0.attention.output.dense.bias", H, 0 },
        { "encoder.layer.0.attention.output.LayerNorm.weight", H, 0 },
        { "encoder.layer.0.attention.output.LayerNorm.bias", H, 0 },
        { "encoder.layer.0.intermediate.dense.weight", FFN, H },
        { "encoder.layer.0.intermediate.dense.bias", FFN, 0 },
        { "encoder.layer.0.output.dense.weight", H, FFN },
        { "encoder.layer.0.output.dense.bias", H, 0 },
        { "encoder.layer.0.output.LayerNorm.weight", H, 0 },
        { "encoder.layer.0.output.LayerNorm.bias", H, 0 },
    };
    struct buf header = BUF_INIT, data = BUF_INIT, file = BUF_INIT;
    struct rng rng = { 11 };
    buf_char(&header, '{');
    for (size_t i = 0; i < ARRAY_LEN(tensors); i++)
        if (!skip_tensor || strcmp(tensors[i].name, skip_tensor) != 0)
            add_tensor(&header, &data, &rng, tensors[i].name, tensors[i].rows, tensors[i].cols);
    buf_char(&header, '}');
    for (int i = 0; i < 8; i++)
        buf_char(&file, (char)((uint64_t)header.len >> (8 * i)));
    buf_sv(&file, buf_view(&header));
    buf_sv(&file, buf_view(&data));
    put_file("model.safetensors", buf_view(&file));
    buf_release(&header);
    buf_release(&data);
    buf_release(&file);
}

#define CONFIG(type, hidden, act)                                                              \
    "{\"model_type\":\"" type "\",\"hidden_size\":" hidden ",\"num_hidden_layers\":1,"         \
    "\"num_attention_heads\":2,\"intermediate_size\":96,\"max_position_embeddings\":16,"       \
    "\"hidden_act\":\"" act "\"}"

/* Every file of the folder as it should be. */
static void put_model(void)
{
    char sub[300];
    snprintf(sub, sizeof sub, "%s/1_Pooling", folder);
    mkdir(sub, 0777);
    put_file("config.json", SV(CONFIG("bert", "64", "gelu")));
    put_file("vocab.txt", SV("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\nc\nd\n"));
    put_file("modules.json", SV("[{\"type\":\"m.Transformer\",\"path\":\"\"},"
                                "{\"type\":\"m.Pooling\",\"path\":\"1_Pooling\"},"
                                "{\"type\":\"m.Normalize\",\"path\":\"2_Normalize\"}]"));
    put_file("1_Pooling/config.json", SV("{\"pooling_mode_mean_tokens\":true}"));
    put_file("sentence_bert_config.json", SV("{\"max_seq_length\":10}"));
    drop_file("tokenizer_config.json");
    put_weights(NULL);
}

static struct encoder *load(void)
{
    struct err err;
    struct encoder *e = encoder_new(folder, &err);
    if (!e)
        fail_msg("%s", err.msg);
    return e;
}

static void embed(const struct encoder *e, struct encoder_scratch *s, const char *text,
                  enum long_mode mode, float *out, struct embed_info *info)
{
    struct embed_item item = { .text = sv_from(text), .out = out };
    encoder_embed(e, s, &item, 1, mode);
    assert_false(item.is_refused);
    if (info)
        *info = item.info;
}

/* Together and alone: the same bits, with every set of kernels. Long texts between short ones,
 * more than fit in one pass. */
static void check_together(const struct kernels *k)
{
    static const char *const texts[] = {
        "a", "b c d",        "", "a b c d a b c d", "c c", "d", "a b c d a b c d a b c d",
        "a", "b b b b b b b"
    };
    enum { N = ARRAY_LEN(texts) };
    struct err err;
    struct encoder *e = encoder_open_with(folder, k, &err);
    struct encoder_scratch *s = encoder_scratch_new(e);
    struct embed_item items[N];
    float together[N][H], alone[H];
    for (size_t i = 0; i < N; i++)
        items[i] = (struct embed_item){ .text = sv_from(texts[i]), .out = together[i] };
    encoder_embed(e, s, items, N, LONG_MEAN);
    for (size_t i = 0; i < N; i++) {
        embed(e, s, texts[i], LONG_MEAN, alone, NULL);
        assert_memory_equal(alone, together[i], sizeof alone);
    }
    encoder_embed(e, s, items, N, LONG_ERROR);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(items[i].is_refused, i == 6);
    encoder_scratch_free(s);
    encoder_free(e);
}

static void test_together(void **state)
{
    (void)state;
    const struct kernels *k;
    put_model();
    for (size_t i = 0; (k = kernels_at(i)); i++)
        check_together(k);
}

static void test_small_model(void **state)
{
    (void)state;
    put_model();
    struct encoder *e = load();
    struct encoder_scratch *s = encoder_scratch_new(e), *other = encoder_scratch_new(e);
    struct embed_info info;
    float a[H], b[H];
    assert_int_equal(encoder_dim(e), H);
    assert_int_equal(encoder_max_tokens(e), 8);
    embed(e, s, "a b c", LONG_MEAN, a, &info);
    assert_true(info.n_tokens == 3 && info.n_windows == 1 && !info.is_long);
    assert_true(fabsf(vec_norm(a, H) - 1) < 1e-6F);
    embed(e, s, "d d d d d d", LONG_MEAN, b, &info);
    embed(e, other, "", LONG_MEAN, b, &info);
    assert_int_equal(info.n_tokens, 0);
    embed(e, other, "  a b\tc", LONG_MEAN, b, &info);
    assert_memory_equal(a, b, sizeof a); /* the same bits after other texts, in other scratch */
    encoder_scratch_free(s);
    encoder_scratch_free(other);
    encoder_free(e);
}

static void test_long_texts(void **state)
{
    (void)state;
    put_model();
    struct encoder *e = load();
    struct encoder_scratch *s = encoder_scratch_new(e);
    struct embed_info info;
    float whole[H], part[3][H], sum[H];
    const char *text = "a b c d a b c d a b c d a b c d d"; /* 17 tokens: windows of 6, 6, 5 */
    embed(e, s, "a b c d a b", LONG_MEAN, part[0], NULL);
    embed(e, s, "c d a b c d", LONG_MEAN, part[1], NULL);
    embed(e, s, "a b c d d", LONG_MEAN, part[2], NULL);
    for (size_t i = 0; i < H; i++)
        sum[i] = (6 * part[0][i] + 6 * part[1][i] + 5 * part[2][i]) / 17;
    assert_true(vec_normalise(sum, H));
    embed(e, s, text, LONG_MEAN, whole, &info);
    assert_true(info.n_tokens == 17 && info.n_windows == 3 && info.is_long);
    for (size_t i = 0; i < H; i++)
        assert_true(fabsf(whole[i] - sum[i]) < 1e-6F);
    embed(e, s, text, LONG_TRUNCATE, whole, &info);
    assert_true(info.n_tokens == 17 && info.n_windows == 1 && info.is_long);
    embed(e, s, "a b c d a b c d", LONG_ERROR, part[0], &info);
    assert_memory_equal(whole, part[0], sizeof whole);
    struct embed_item item = { .text = sv_from(text), .out = whole };
    encoder_embed(e, s, &item, 1, LONG_ERROR);
    assert_true(item.is_refused);
    encoder_scratch_free(s);
    encoder_free(e);
}

/* Of a very long text only the beginning is read: the same vector, wherever the reading stops.
 */
static void test_beginnings(void **state)
{
    (void)state;
    enum { N = 200000 };
    static char text[N + 1];
    static const size_t first_words[] = { 1, 3, 101, 16383, 16384, 16385, 70000 };
    struct embed_info info;
    float want[H], got[H];
    put_model();
    struct encoder *e = load();
    struct encoder_scratch *s = encoder_scratch_new(e);
    for (size_t i = 0; i < ARRAY_LEN(first_words); i++) {
        size_t n = first_words[i];
        memset(text, 'a', n); /* "a", then [UNK] */
        for (size_t k = n; k < N; k++)
            text[k] = " b c d"[(k - n) % 6];
        embed(e, s, n == 1 ? "a b c d b c d b" : "[UNK] b c d b c d b", LONG_TRUNCATE, want,
              NULL);
        embed(e, s, text, LONG_TRUNCATE, got, &info);
        assert_memory_equal(want, got, sizeof got);
        assert_true(info.is_long && info.n_tokens > 8);
    }
    memset(text, ' ', N - 2);
    memcpy(text + N - 2, "a", 2); /* all of it had to be read */
    embed(e, s, "a", LONG_TRUNCATE, want, NULL);
    embed(e, s, text, LONG_TRUNCATE, got, &info);
    assert_memory_equal(want, got, sizeof got);
    assert_int_equal(info.n_tokens, 1);
    encoder_scratch_free(s);
    encoder_free(e);
}

static void test_identity(void **state)
{
    (void)state;
    put_model();
    struct encoder *e = load(), *f;
    const char *slash = strrchr(folder, '/');
    assert_int_equal(strncmp(encoder_model(e), slash + 1, strlen(slash + 1)), 0);
    assert_non_null(strstr(encoder_model(e), "/64/"));
    f = load();
    assert_string_equal(encoder_model(e), encoder_model(f));
    encoder_free(f);
    put_file("1_Pooling/config.json", SV("{\"pooling_mode_cls_token\":true}"));
    f = load();
    assert_string_not_equal(encoder_model(e), encoder_model(f));
    encoder_free(f);
    encoder_free(e);
}

/* f32 and bf16 share a name; int8 vectors are told apart. */
static void test_precision(void **state)
{
    (void)state;
    const struct kernels *k;
    struct err err;
    put_model();
    struct encoder *f32 = load();
    assert_int_equal(encoder_kernels(f32)->precision, PRECISION_F32);
    for (size_t i = 0; (k = kernels_at(i)); i++) {
        struct encoder *e = encoder_open_with(folder, k, &err);
        size_t n = strlen(encoder_model(f32));
        assert_int_equal(strncmp(encoder_model(e), encoder_model(f32), n), 0);
        assert_string_equal(encoder_model(e) + n,
                            k->precision == PRECISION_INT8 ? "-int8" : "");
        encoder_free(e);
    }
    struct encoder *e = encoder_open(folder, PRECISION_BF16, &err);
    assert_true(e || (err.code == EXIT_USAGE && strstr(err.msg, "no bf16")));
    encoder_free(e);
    encoder_free(f32);
}

static void must_fail(const char *why)
{
    struct err err;
    struct encoder *e = encoder_new(folder, &err);
    if (e)
        fail_msg("loaded, expected \"%s\"", why);
    if (!strstr(err.msg, why))
        fail_msg("\"%s\" lacks \"%s\"", err.msg, why);
    assert_int_equal(err.code, EXIT_FATAL);
    put_model();
}

static void test_bad_models(void **state)
{
    (void)state;
    put_model();
    drop_file("config.json");
    must_fail("config.json");
    put_file("config.json", SV("{"));
    must_fail("config.json");
    put_file("config.json", SV("{}"));
    must_fail("hidden_size");
    put_file("config.json", SV(CONFIG("roberta", "64", "gelu")));
    must_fail("only \"bert\"");
    put_file("config.json", SV(CONFIG("bert", "64", "swish")));
    must_fail("hidden_act");
    put_file("config.json", SV(CONFIG("bert", "80", "gelu")));
    must_fail("multiples of");
    put_file("config.json", SV(CONFIG("bert", "128", "gelu")));
    must_fail("another shape");
    put_file("config.json", SV(CONFIG("bert", "-64", "gelu")));
    must_fail("positive");
    put_file("1_Pooling/config.json", SV("{\"pooling_mode_max_tokens\":true}"));
    must_fail("only mean or cls");
    put_file("modules.json", SV("[{\"type\":\"m.Dense\",\"path\":\"2_Dense\"}]"));
    must_fail("\"m.Dense\" is not supported");
    put_file("modules.json", SV("[{\"type\":\"m.Pooling\",\"path\":\"../1_Pooling\"}]"));
    must_fail("leaves the folder");
    put_file("vocab.txt", SV("a\n"));
    must_fail("vocab.txt");
    put_file("vocab.txt", SV("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\nc\nd\ne\n"));
    must_fail("9 entries");
    put_weights("encoder.layer.0.output.dense.weight");
    must_fail("output.dense.weight\" is missing");
    put_file("model.safetensors", SV("short"));
    must_fail("model.safetensors");
    drop_file("model.safetensors");
    must_fail("model.safetensors");
}

/* ---- parity ---- */

struct parity {
    struct encoder *e;
    struct encoder_scratch *s;
    size_t n;
    double worst, worst_cos, mean_cos; /* error of a number; 1 - cosine */
};

static void check_item(struct parity *p, jv item, const char *ids_field)
{
    struct err err;
    size_t n, dim;
    float *want, got[384];
    jv ids = json_get(item, ids_field);
    struct sv text = json_sv(json_get(item, "text"));
    assert_int_equal(vec_get(json_get(item, "embedding"), "embedding", &want, &dim, &err), 0);
    assert_int_equal(dim, 384);
    struct embed_item it = { .text = text, .out = got };
    encoder_embed(p->e, p->s, &it, 1, LONG_TRUNCATE);
    const int32_t *have = encoder_last_ids(p->s, &n);
    assert_int_equal(json_len(ids), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal((int)json_num(json_at(ids, i)), have[i]);
    double dot = 0;
    for (size_t i = 0; i < dim; i++) {
        dot += (double)got[i] * (double)want[i];
        p->worst = fmax(p->worst, fabs((double)got[i] - (double)want[i]));
    }
    p->worst_cos = fmax(p->worst_cos, 1 - dot);
    p->mean_cos += 1 - dot;
    p->n++;
    free(want);
}

static bool parity_start(struct parity *p, const struct kernels *k)
{
    struct err err;
    *p = (struct parity){ 0 };
    if (access(MODEL "/model.safetensors", R_OK) != 0) {
        print_message("no " MODEL ": make model\n");
        return false;
    }
    p->e = encoder_open_with(MODEL, k, &err);
    assert_non_null(p->e);
    p->s = encoder_scratch_new(p->e);
    return true;
}

/* What was promised of each precision: f32 to seven digits, bf16 a cosine of 0.9999 for every
 * text, int8 of 0.998 in the mean. */
static void parity_end(struct parity *p)
{
    const struct kernels *k = encoder_kernels(p->e);
    print_message("%s: %zu texts: ids equal, largest error %.2g, 1 - cosine %.2g in the mean, "
                  "%.2g at most\n",
                  k->name, p->n, p->worst, p->mean_cos / (double)p->n, p->worst_cos);
    assert_true(p->n > 5);
    if (k->precision == PRECISION_F32)
        assert_true(p->worst < 2e-6 && p->worst_cos < 1e-6);
    else if (k->precision == PRECISION_BF16)
        assert_true(p->worst_cos < 1e-4);
    else
        assert_true(p->mean_cos / (double)p->n < (p->n > 10 ? 2e-3 : 3e-3)); /* few are odd */
    encoder_scratch_free(p->s);
    encoder_free(p->e);
}

static void check_stored(struct parity *p)
{
    struct buf file = BUF_INIT;
    struct err err;
    assert_int_equal(encoder_max_tokens(p->e), 254);
    assert_int_equal(file_read(&file, PARITY, 0, &err), 0);
    struct sv rest = buf_view(&file), line;
    size_t most =
        strcmp(encoder_kernels(p->e)->name, "int8 plain") == 0 ? 6 : SIZE_MAX; /* slow */
    while (rest.n && sv_cut(&rest, '\n', &line)) {
        struct rec r = { 0 };
        assert_int_equal(rec_parse(&r, line, &err), 0);
        if (json_is_str(json_get(r.v, "text")) && p->n < most)
            check_item(p, r.v, "ids");
        rec_release(&r);
    }
    buf_release(&file);
}

static void test_stored_parity(void **state)
{
    (void)state;
    struct parity p;
    const struct kernels *k;
    for (size_t i = 0; (k = kernels_at(i)); i++) {
        if (UNIT_IS_SLOW && strstr(k->name, "plain"))
            continue; /* minutes; they are run where there is no sanitizer */
        if (!parity_start(&p, k))
            skip();
        check_stored(&p);
        parity_end(&p);
    }
}

static void check_reference(struct parity *p, const char *path)
{
    struct buf file = BUF_INIT;
    struct err err;
    jv all;
    assert_int_equal(file_read(&file, path, 0, &err), 0);
    assert_int_equal(json_parse(&all, sv_trim(buf_view(&file)), &err), 0);
    jv items = json_get(all, "items");
    for (size_t i = 0; i < json_len(items); i++)
        check_item(p, json_at(items, i), "input_ids");
    json_free(all);
    buf_release(&file);
}

static void test_reference_parity(void **state)
{
    (void)state;
    struct parity p;
    const struct kernels *k;
    char path[1024];
    const char *shared = getenv("GR_SHARED");
    snprintf(path, sizeof path, "%s/data/minilm_ref.json", shared ? shared : ".");
    if (access(path, R_OK) != 0 || UNIT_IS_SLOW) {
        print_message(UNIT_IS_SLOW ? "left out under a sanitizer\n"
                                   : "no GR_SHARED/data/minilm_ref.json\n");
        skip();
    }
    for (size_t i = 0; (k = kernels_at(i)); i++) {
        if (strcmp(k->name, "int8 plain") == 0)
            continue; /* slow; stored texts have gone through it */
        if (!parity_start(&p, k))
            skip();
        check_reference(&p, path);
        parity_end(&p);
    }
}

static int make_folder(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/gr-model.XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = { "config.json",
                                         "vocab.txt",
                                         "modules.json",
                                         "1_Pooling/config.json",
                                         "sentence_bert_config.json",
                                         "model.safetensors" };
    char sub[300];
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        drop_file(files[i]);
    snprintf(sub, sizeof sub, "%s/1_Pooling", folder);
    rmdir(sub);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_model),      cmocka_unit_test(test_together),
        cmocka_unit_test(test_long_texts),       cmocka_unit_test(test_identity),
        cmocka_unit_test(test_bad_models),       cmocka_unit_test(test_stored_parity),
        cmocka_unit_test(test_reference_parity), cmocka_unit_test(test_precision),
        cmocka_unit_test(test_beginnings),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
