// SPDX-License-Identifier: MIT
/*
 * bert.c — loading the weights and one forward pass
 *
 * Shapes, all row-major float32: x, y (n, H); qkv (n, 3H) as [query | key | value]; weights
 * (out, in) in the file, packed here; per head d = H / A.
 */
#include "bert.h"

#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "json.h"

struct linear {
    size_t in, out;
    float *w; /* (out, in), packed: kernels.h */
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
    float *to_second;           /* (H): token type 1 minus type 0; NULL: there is no type 1 */
    struct norm embedding_norm;
    struct layer *layers; /* (L) */
    float *arena;         /* every float above, one block on huge pages */
    size_t used;          /* floats of it handed out */
};

/* Rows are an odd number of cache lines apart: rows at a power of two would share the few sets
 * of the first-level cache. */
static size_t stride_of(size_t width)
{
    return (width / 16 | 1) * 16;
}

struct bert_scratch {
    size_t max_tokens;
    size_t ld_x, ld_qkv, ld_ffn; /* row strides of the arrays below */
    float *x, *y;                /* (max_tokens, H) */
    float *qkv;                  /* (max_tokens, 3H) */
    float *context;              /* (max_tokens, H) */
    float *ffn;                  /* (max_tokens, I) */
    float *scores;               /* (max_tokens, kernel_pad(max_tokens)) of one head */
    float *keys;                 /* (d, kernel_pad(max_tokens)) of one head, packed */
    float *states;               /* (max_tokens, H) without gaps: the result */
    const size_t *second;        /* of the next pass: bert_pairs; NULL: type 0 throughout */
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
    } known[] = { { "gelu", ACT_GELU },
                  { "gelu_new", ACT_GELU_NEW },
                  { "gelu_pytorch_tanh", ACT_GELU_NEW },
                  { "relu", ACT_RELU } };
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
    if (cfg->hidden % (cfg->heads * KERNEL_PAD) || cfg->intermediate % KERNEL_PAD ||
        cfg->hidden > 8192 || cfg->intermediate > 32768 || cfg->layers > 256 ||
        cfg->max_positions > 65536)
        return err_set(err, EXIT_FATAL,
                       "sizes of the model are not supported (heads and layers must be "
                       "multiples of %d wide)",
                       KERNEL_PAD);
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
    float *rows;        /* room for KERNEL_PAD rows of any matrix */
    struct err *err;    /* holds the first failure */
    bool is_bad;
};

static float *take(struct bert *b, size_t n)
{
    float *p = b->arena + b->used;
    b->used += n; /* a multiple of KERNEL_PAD */
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

static void load_vector(struct loader *l, float *to, const char *name, size_t n)
{
    const struct tensor *t = want(l, name, n, 0);
    if (t)
        tensor_read(t, 0, n, to);
}

/* A weight matrix, packed KERNEL_PAD rows at a time. */
static void load_matrix(struct loader *l, float *to, const char *name, size_t rows, size_t cols)
{
    const struct tensor *t = want(l, name, rows, cols);
    for (size_t i = 0; t && i < rows; i += KERNEL_PAD) {
        tensor_read(t, i * cols, KERNEL_PAD * cols, l->rows);
        kernel_pack(l->b->k->cols, l->rows, KERNEL_PAD, cols, cols, to + i * cols);
    }
}

static void load_norm(struct loader *l, struct norm *n, const char *name)
{
    size_t h = l->b->cfg.hidden;
    char full[128];
    n->gain = take(l->b, h);
    n->bias = take(l->b, h);
    snprintf(full, sizeof full, "%s.weight", name);
    load_vector(l, n->gain, full, h);
    snprintf(full, sizeof full, "%s.bias", name);
    load_vector(l, n->bias, full, h);
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
        load_matrix(l, lin->w + i * rows * in, name, rows, in);
        snprintf(name, sizeof name, "encoder.layer.%zu.%s.bias", layer, parts[i]);
        load_vector(l, lin->b + i * rows, name, rows);
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
    const struct tensor *positions = want(l, "embeddings.position_embeddings.weight", p, h);
    if (positions)
        tensor_read(positions, 0, p * h, b->positions);
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
    if (types->shape[0] > 1) {
        b->to_second = alloc_array(h, sizeof *b->to_second);
        tensor_read(types, h, h, b->to_second);
        for (size_t j = 0; j < h; j++)
            b->to_second[j] -= type[j];
    }
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < h; j++)
            b->positions[i * h + j] += type[j];
}

/* Floats the arena must hold: the matrices, biases and norms of each layer, and the rest. */
static size_t arena_size(const struct bert_config *c)
{
    size_t h = c->hidden, ffn = c->intermediate;
    size_t layer = 4 * h * h + 2 * h * ffn + ffn + 9 * h;
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
    size_t widest = cfg->hidden > cfg->intermediate ? cfg->hidden : cfg->intermediate;
    l.rows = alloc_array(KERNEL_PAD * widest, sizeof *l.rows);
    load_embeddings(&l);
    for (size_t i = 0; i < cfg->layers && !l.is_bad; i++)
        load_layer(&l, i);
    free(l.rows);
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
    free(b->to_second);
    free(b);
}

size_t bert_vocab_size(const struct bert *b)
{
    return b->words->shape[0];
}

struct bert_scratch *bert_scratch_new(const struct bert *b, size_t max_tokens)
{
    size_t h = b->cfg.hidden, n = max_tokens, padded = kernel_pad(n);
    struct bert_scratch *s = alloc_zero(1, sizeof *s);
    s->max_tokens = n;
    s->ld_x = stride_of(h);
    s->ld_qkv = stride_of(3 * h);
    s->ld_ffn = stride_of(b->cfg.intermediate);
    size_t row = 3 * s->ld_x + s->ld_qkv + s->ld_ffn + stride_of(padded);
    s->arena = alloc_huge((n * (row + h) + h / b->cfg.heads * padded) * sizeof(float));
    s->x = s->arena;
    s->y = s->x + n * s->ld_x;
    s->context = s->y + n * s->ld_x;
    s->qkv = s->context + n * s->ld_x;
    s->ffn = s->qkv + n * s->ld_qkv;
    s->scores = s->ffn + n * s->ld_ffn;
    s->keys = s->scores + n * stride_of(padded);
    s->states = s->keys + h / b->cfg.heads * padded;
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

/* out (n, lin->out) = x (n, lin->in) W^T + b, both with gaps between rows */
static void apply(const struct bert *b, const struct linear *lin, const float *x, float *out,
                  size_t n)
{
    b->k->multiply(&(struct product){ .m = n,
                                      .n = lin->out,
                                      .k = lin->in,
                                      .a = x,
                                      .lda = stride_of(lin->in),
                                      .b = lin->w,
                                      .ldb = b->k->cols,
                                      .panel = b->k->cols * lin->in,
                                      .bias = lin->b,
                                      .c = out,
                                      .ldc = stride_of(lin->out) });
}

/* x (n, H) = norm(x + residual); residual may be NULL. */
static void add_norm(const struct bert *b, const struct norm *norm, float *x,
                     const float *residual, size_t n)
{
    size_t h = b->cfg.hidden, ld = stride_of(h);
    for (size_t i = 0; i < n; i++)
        b->k->add_norm(x + i * ld, residual ? residual + i * ld : NULL, norm->gain, norm->bias,
                       b->cfg.eps, h);
}

/* One head of one text: context (n, d) = softmax(Q K^T / sqrt d) V, for rows from … from+n-1.
 */
static void attend(const struct bert *b, struct bert_scratch *s, size_t head, size_t from,
                   size_t n)
{
    size_t h = b->cfg.hidden, d = h / b->cfg.heads, cols = b->k->cols;
    size_t padded = kernel_pad(n), ld = stride_of(padded);
    const float *q = s->qkv + from * s->ld_qkv + head * d, *k = q + h, *v = k + h;
    kernel_pack(cols, k, n, d, s->ld_qkv, s->keys);
    b->k->multiply(&(struct product){ .m = n,
                                      .n = padded,
                                      .k = d,
                                      .a = q,
                                      .lda = s->ld_qkv,
                                      .b = s->keys,
                                      .ldb = cols,
                                      .panel = cols * d,
                                      .c = s->scores,
                                      .ldc = ld });
    for (size_t i = 0; i < n; i++)
        b->k->softmax(s->scores + i * ld, n, 1.0F / sqrtf((float)d));
    /* V lies as a product needs it: rows of k, panels beside each other. */
    b->k->multiply(&(struct product){ .m = n,
                                      .n = d,
                                      .k = n,
                                      .a = s->scores,
                                      .lda = ld,
                                      .b = v,
                                      .ldb = s->ld_qkv,
                                      .panel = cols,
                                      .c = s->context + from * s->ld_x + head * d,
                                      .ldc = s->ld_x });
}

/* Rows from … from+n-1 of x: word, position in the text, and type, 1 from `second` on. */
static void embed(const struct bert *b, struct bert_scratch *s, const int32_t *ids, size_t from,
                  size_t n, size_t second)
{
    size_t h = b->cfg.hidden;
    for (size_t i = 0; i < n; i++) {
        float *row = s->x + (from + i) * s->ld_x;
        tensor_read(b->words, (size_t)ids[from + i] * h, h, row);
        for (size_t j = 0; j < h; j++)
            row[j] += b->positions[i * h + j];
        for (size_t j = 0; i >= second && j < h; j++)
            row[j] += b->to_second[j];
    }
}

static void run_layer(const struct bert *b, struct bert_scratch *s, const struct layer *l,
                      const size_t *ends, size_t n_texts)
{
    size_t n = ends[n_texts - 1];
    apply(b, &l->qkv, s->x, s->qkv, n);
    for (size_t t = 0, from = 0; t < n_texts; from = ends[t++])
        for (size_t head = 0; head < b->cfg.heads; head++)
            attend(b, s, head, from, ends[t] - from);
    apply(b, &l->proj, s->context, s->y, n);
    add_norm(b, &l->after_attention, s->y, s->x, n);
    apply(b, &l->up, s->y, s->ffn, n);
    for (size_t i = 0; i < n; i++)
        b->k->activate(b->cfg.act, s->ffn + i * s->ld_ffn, b->cfg.intermediate);
    apply(b, &l->down, s->ffn, s->x, n);
    add_norm(b, &l->after_ffn, s->x, s->y, n);
}

int bert_pairs(const struct bert *b, struct bert_scratch *s, const size_t *second,
               struct err *err)
{
    if (!b->to_second)
        return err_set(err, EXIT_FATAL, "the model has one token type: it reads no pairs");
    s->second = second;
    return 0;
}

const float *bert_forward(const struct bert *b, struct bert_scratch *s, const int32_t *ids,
                          const size_t *ends, size_t n_texts)
{
    size_t h = b->cfg.hidden, n = ends[n_texts - 1];
    for (size_t t = 0, from = 0; t < n_texts; from = ends[t++])
        embed(b, s, ids, from, ends[t] - from, s->second ? s->second[t] : SIZE_MAX);
    s->second = NULL;
    add_norm(b, &b->embedding_norm, s->x, NULL, n);
    for (size_t i = 0; i < b->cfg.layers; i++)
        run_layer(b, s, &b->layers[i], ends, n_texts);
    for (size_t i = 0; i < n; i++)
        memcpy(s->states + i * h, s->x + i * s->ld_x, h * sizeof *s->states);
    return s->states;
}
