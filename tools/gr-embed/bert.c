// SPDX-License-Identifier: MIT
/*
 * bert.c — loading the weights and one forward pass
 *
 * Shapes, all row-major float32: x, y (n, H); qkv (n, 3H) as [query | key | value]; weights
 * (out, in) as PyTorch keeps them; per head d = H / A.
 */
#include "bert.h"

#include <cblas.h>
#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "json.h"

struct linear {
    size_t in, out;
    float *w; /* (out, in) */
    float *b; /* (out) */
};

struct norm {
    float *gain, *bias; /* (H) */
};

struct layer {
    struct linear qkv, proj, up, down;
    struct norm after_attention, after_ffn;
};

struct bert {
    struct bert_config cfg;
    const struct kernels *k;
    const struct tensor *words; /* (vocabulary, H), in the mapped file */
    float *positions;           /* (P, H): position plus token type 0 */
    struct norm embedding_norm;
    struct layer *layers; /* (L) */
    float *arena;         /* every float above, one block on huge pages */
    size_t used;          /* floats of it handed out */
};

struct bert_scratch {
    size_t max_tokens;
    float *x, *y;   /* (max_tokens, H) */
    float *qkv;     /* (max_tokens, 3H) */
    float *context; /* (max_tokens, H) */
    float *ffn;     /* (max_tokens, I) */
    float *scores;  /* (max_tokens, kernel_pad(max_tokens)) of one head */
    float *arena;
};

/* ---- config.json ---- */

static int read_count(jv v, const char *field, size_t *out, struct err *err)
{
    double d;
    if (json_need_num(v, field, &d, err) < 0)
        return -1;
    if (!(d >= 1 && d <= 1 << 20) || d != floor(d))
        return err_set(err, EXIT_FATAL, "field \"%s\": expected a positive whole number",
                       field);
    *out = (size_t)d;
    return 0;
}

static int read_activation(enum activation *act, struct sv name, struct err *err)
{
    static const struct {
        const char *name;
        enum activation act;
    } known[] = {
        {"gelu",               ACT_GELU    },
        { "gelu_new",          ACT_GELU_NEW},
        { "gelu_pytorch_tanh", ACT_GELU_NEW},
        { "relu",              ACT_RELU    }
    };
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (sv_is(name, known[i].name)) {
            *act = known[i].act;
            return 0;
        }
    return err_set(err, EXIT_FATAL, "hidden_act \"%.*s\" is not known (gelu, gelu_new, relu)",
                   SV_ARG(name));
}

static int read_config(struct bert_config *cfg, jv v, struct err *err)
{
    struct sv type = SV("bert"), positions = SV("absolute"), act = SV("gelu");
    double eps = 1e-12;
    if (json_opt_str(v, "model_type", &type, err) < 0 ||
        json_opt_str(v, "position_embedding_type", &positions, err) < 0 ||
        json_opt_str(v, "hidden_act", &act, err) < 0 ||
        json_opt_num(v, "layer_norm_eps", &eps, err) < 0 ||
        read_count(v, "hidden_size", &cfg->hidden, err) < 0 ||
        read_count(v, "num_hidden_layers", &cfg->layers, err) < 0 ||
        read_count(v, "num_attention_heads", &cfg->heads, err) < 0 ||
        read_count(v, "intermediate_size", &cfg->intermediate, err) < 0 ||
        read_count(v, "max_position_embeddings", &cfg->max_positions, err) < 0)
        return -1;
    if (!sv_is(type, "bert"))
        return err_set(err, EXIT_FATAL, "model_type \"%.*s\": only \"bert\" is supported",
                       SV_ARG(type));
    if (!sv_is(positions, "absolute"))
        return err_set(err, EXIT_FATAL, "position_embedding_type \"%.*s\": only \"absolute\"",
                       SV_ARG(positions));
    if (cfg->hidden % cfg->heads || cfg->hidden % KERNEL_LANES ||
        cfg->intermediate % KERNEL_LANES || cfg->hidden > 8192 || cfg->intermediate > 32768 ||
        cfg->layers > 256 || cfg->max_positions > 65536)
        return err_set(err, EXIT_FATAL, "sizes of the model are not supported");
    if (!(eps > 0 && eps < 1))
        return err_set(err, EXIT_FATAL, "field \"layer_norm_eps\": out of range");
    cfg->eps = (float)eps;
    return read_activation(&cfg->act, act, err);
}

int bert_config_parse(struct bert_config *cfg, struct sv json, struct err *err)
{
    jv v;
    if (json_parse(&v, json, err) < 0) {
        err->code = EXIT_FATAL;
        return -1;
    }
    int rc = json_is_object(v) ? read_config(cfg, v, err)
                               : err_set(err, EXIT_FATAL, "expected an object");
    json_free(v);
    if (rc < 0)
        err->code = EXIT_FATAL;
    return rc;
}

/* ---- weights ---- */

struct loader {
    struct bert *b;
    const struct safetensors *st;
    const char *prefix; /* "" or "bert.": both are published */
    struct err *err;    /* holds the first failure */
    bool is_bad;
};

static float *take(struct bert *b, size_t n)
{
    float *p = b->arena + b->used;
    b->used += kernel_pad(n);
    return p;
}

/* The tensor of this name and shape (cols 0: a vector), or NULL with the error noted. */
static const struct tensor *want(struct loader *l, const char *name, size_t rows, size_t cols)
{
    struct buf full = BUF_INIT;
    buf_printf(&full, "%s%s", l->prefix, name);
    const struct tensor *t = safetensors_find(l->st, buf_cstr(&full));
    const char *why = NULL;
    if (!t)
        why = "is missing";
    else if (t->type == TENSOR_OTHER)
        why = "is not F32, F16 or BF16";
    else if (t->rank != (cols ? 2U : 1U) || t->shape[0] != rows ||
             (cols && t->shape[1] != cols))
        why = "has another shape than config.json says";
    if (why && !l->is_bad) {
        err_set(l->err, EXIT_FATAL, "tensor \"%s\" %s", buf_cstr(&full), why);
        l->is_bad = true;
    }
    buf_release(&full);
    return why ? NULL : t;
}

static void load_into(struct loader *l, float *to, const char *name, size_t rows, size_t cols)
{
    const struct tensor *t = want(l, name, rows, cols);
    if (t)
        tensor_read(t, 0, t->n, to);
}

static void load_norm(struct loader *l, struct norm *n, const char *name)
{
    size_t h = l->b->cfg.hidden;
    char full[128];
    n->gain = take(l->b, h);
    n->bias = take(l->b, h);
    snprintf(full, sizeof full, "%s.weight", name);
    load_into(l, n->gain, full, h, 0);
    snprintf(full, sizeof full, "%s.bias", name);
    load_into(l, n->bias, full, h, 0);
}

/* n_parts equal matrices below each other make one product: query, key, value. */
static void load_linear(struct loader *l, struct linear *lin, size_t layer,
                        const char *const parts[], size_t n_parts, size_t in, size_t out)
{
    size_t rows = out / n_parts;
    char name[128];
    lin->in = in;
    lin->out = out;
    lin->w = take(l->b, in * out);
    lin->b = take(l->b, out);
    for (size_t i = 0; i < n_parts; i++) {
        snprintf(name, sizeof name, "encoder.layer.%zu.%s.weight", layer, parts[i]);
        load_into(l, lin->w + i * rows * in, name, rows, in);
        snprintf(name, sizeof name, "encoder.layer.%zu.%s.bias", layer, parts[i]);
        load_into(l, lin->b + i * rows, name, rows, 0);
    }
}

static void load_layer(struct loader *l, size_t i)
{
    static const char *const qkv[] = { "attention.self.query", "attention.self.key",
                                       "attention.self.value" };
    static const char *const proj[] = { "attention.output.dense" };
    static const char *const up[] = { "intermediate.dense" }, *const down[] = {
        "output.dense"
    };
    struct layer *to = &l->b->layers[i];
    size_t h = l->b->cfg.hidden, ffn = l->b->cfg.intermediate;
    char name[128];
    load_linear(l, &to->qkv, i, qkv, 3, h, 3 * h);
    load_linear(l, &to->proj, i, proj, 1, h, h);
    load_linear(l, &to->up, i, up, 1, h, ffn);
    load_linear(l, &to->down, i, down, 1, ffn, h);
    snprintf(name, sizeof name, "encoder.layer.%zu.attention.output.LayerNorm", i);
    load_norm(l, &to->after_attention, name);
    snprintf(name, sizeof name, "encoder.layer.%zu.output.LayerNorm", i);
    load_norm(l, &to->after_ffn, name);
}

static void load_embeddings(struct loader *l)
{
    struct bert *b = l->b;
    size_t h = b->cfg.hidden, p = b->cfg.max_positions;
    float *type = take(b, h);
    b->positions = take(b, p * h);
    load_norm(l, &b->embedding_norm, "embeddings.LayerNorm");
    load_into(l, b->positions, "embeddings.position_embeddings.weight", p, h);
    struct buf name = BUF_INIT;
    buf_printf(&name, "%sembeddings.word_embeddings.weight", l->prefix);
    const struct tensor *words = safetensors_find(l->st, buf_cstr(&name));
    buf_reset(&name);
    buf_printf(&name, "%sembeddings.token_type_embeddings.weight", l->prefix);
    const struct tensor *types = safetensors_find(l->st, buf_cstr(&name));
    buf_release(&name);
    b->words = want(l, "embeddings.word_embeddings.weight", words ? words->shape[0] : 0, h);
    if (!want(l, "embeddings.token_type_embeddings.weight", types ? types->shape[0] : 0, h) ||
        l->is_bad)
        return;
    if (!types->shape[0] || !words->shape[0]) {
        l->is_bad = true;
        err_set(l->err, EXIT_FATAL, "an embedding table is empty");
        return;
    }
    tensor_read(types, 0, h, type);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < h; j++)
            b->positions[i * h + j] += type[j];
}

/* Floats the arena must hold; each array is padded to KERNEL_LANES. */
static size_t arena_size(const struct bert_config *c)
{
    size_t h = c->hidden, ffn = c->intermediate;
    size_t layer = 4 * h * h + 2 * h * ffn + 4 * h + kernel_pad(ffn) + 5 * h;
    return c->layers * layer + (c->max_positions + 3) * h;
}

struct bert *bert_new(const struct bert_config *cfg, const struct safetensors *st,
                      struct err *err)
{
    struct bert *b = alloc_zero(1, sizeof *b);
    struct loader l = { .b = b, .st = st, .prefix = "", .err = err };
    b->cfg = *cfg;
    b->k = kernels_best();
    b->layers = alloc_zero(cfg->layers, sizeof *b->layers);
    b->arena = alloc_huge(arena_size(cfg) * sizeof *b->arena);
    if (!safetensors_find(st, "embeddings.word_embeddings.weight"))
        l.prefix = "bert.";
    openblas_set_num_threads(1);
    load_embeddings(&l);
    for (size_t i = 0; i < cfg->layers && !l.is_bad; i++)
        load_layer(&l, i);
    if (!l.is_bad)
        return b;
    bert_free(b);
    return NULL;
}

void bert_free(struct bert *b)
{
    if (!b)
        return;
    free(b->layers);
    free(b->arena);
    free(b);
}

size_t bert_vocab_size(const struct bert *b)
{
    return b->words->shape[0];
}

struct bert_scratch *bert_scratch_new(const struct bert *b, size_t max_tokens)
{
    size_t h = b->cfg.hidden, n = max_tokens;
    struct bert_scratch *s = alloc_zero(1, sizeof *s);
    s->max_tokens = n;
    s->arena = alloc_huge(n * (6 * h + b->cfg.intermediate + kernel_pad(n)) * sizeof(float));
    s->x = s->arena;
    s->y = s->x + n * h;
    s->context = s->y + n * h;
    s->qkv = s->context + n * h;
    s->ffn = s->qkv + n * 3 * h;
    s->scores = s->ffn + n * b->cfg.intermediate;
    return s;
}

void bert_scratch_free(struct bert_scratch *s)
{
    if (!s)
        return;
    free(s->arena);
    free(s);
}

/* ---- forward pass ---- */

/* out (n, lin->out) = x (n, lin->in) W^T + b [+ residual (n, lin->out)] */
static void apply(const struct linear *lin, const float *x, const float *residual, float *out,
                  size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float *row = out + i * lin->out;
        if (!residual) {
            memcpy(row, lin->b, lin->out * sizeof *row);
            continue;
        }
        const float *r = residual + i * lin->out;
        for (size_t j = 0; j < lin->out; j++)
            row[j] = lin->b[j] + r[j];
    }
    blasint m = (blasint)n, k = (blasint)lin->in, width = (blasint)lin->out;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, width, k, 1.0F, x, k, lin->w, k,
                1.0F, out, width);
}

static void normalise(const struct bert *b, const struct norm *norm, float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        b->k->layer_norm(x + i * b->cfg.hidden, norm->gain, norm->bias, b->cfg.eps,
                         b->cfg.hidden);
}

/* context (n, H) = softmax(Q K^T / sqrt d) V, head by head. */
static void attend(const struct bert *b, struct bert_scratch *s, size_t n)
{
    size_t h = b->cfg.hidden, d = h / b->cfg.heads, stride = kernel_pad(n);
    blasint m = (blasint)n, dim = (blasint)d, ld = (blasint)(3 * h), lds = (blasint)stride;
    float scale = 1.0F / sqrtf((float)d);
    for (size_t a = 0; a < b->cfg.heads; a++) {
        const float *q = s->qkv + a * d, *k = q + h, *v = k + h;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, m, dim, scale, q, ld, k, ld,
                    0.0F, s->scores, lds);
        for (size_t i = 0; i < n; i++)
            b->k->softmax(s->scores + i * stride, n);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, dim, m, 1.0F, s->scores, lds,
                    v, ld, 0.0F, s->context + a * d, (blasint)h);
    }
}

static void embed(const struct bert *b, struct bert_scratch *s, const int32_t *ids, size_t n)
{
    size_t h = b->cfg.hidden;
    for (size_t i = 0; i < n; i++) {
        float *row = s->x + i * h;
        tensor_read(b->words, (size_t)ids[i] * h, h, row);
        for (size_t j = 0; j < h; j++)
            row[j] += b->positions[i * h + j];
    }
    normalise(b, &b->embedding_norm, s->x, n);
}

const float *bert_forward(const struct bert *b, struct bert_scratch *s, const int32_t *ids,
                          size_t n)
{
    embed(b, s, ids, n);
    for (size_t i = 0; i < b->cfg.layers; i++) {
        const struct layer *l = &b->layers[i];
        apply(&l->qkv, s->x, NULL, s->qkv, n);
        attend(b, s, n);
        apply(&l->proj, s->context, s->x, s->y, n);
        normalise(b, &l->after_attention, s->y, n);
        apply(&l->up, s->y, NULL, s->ffn, n);
        b->k->activate(b->cfg.act, s->ffn, n * b->cfg.intermediate);
        apply(&l->down, s->ffn, s->y, s->x, n);
        normalise(b, &l->after_ffn, s->x, n);
    }
    return s->x;
}
